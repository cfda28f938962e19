"""A home of Claude Code, and what is read of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.claude_code.importer import IMPORTER
from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.values import CompactionRow, Family, MessageRow, SessionRow, Verdict
from tests.agents.claude_code.transcript_builder import Transcript


class ReadHome:
    """Everything that is in a home, by session."""

    def __init__(self, home: Path, **options: Any) -> None:
        self.families: list[Family] = []
        self.rows: dict[str, list[MessageRow]] = {}
        with IMPORTER.open(home, None, OpenOptions(now=0.0, **options)) as source:
            self.entries = source.entries
            for ids in source.families():
                family = source.read(ids)
                self.families.append(family)
                for session, batch in family.batches():
                    self.rows.setdefault(session, []).extend(batch)
            self.rejected, self.warnings = list(source.rejected), list(source.warnings)

    @property
    def sessions(self) -> Mapping[str, SessionRow]:
        return {row.foreign_id: row for family in self.families for row in family.sessions}

    @property
    def compactions(self) -> list[CompactionRow]:
        return [row for family in self.families for row in family.compactions]

    @property
    def relations(self) -> dict[str, str]:
        return {one: str(p.relation) for family in self.families for one, p in family.placements.items()}

    def verdict(self, session: str, at: int) -> Verdict:
        row = self.rows[session][at]
        found = [family.verdicts.get(row.ref) for family in self.families if session in family.placements]
        return found[0] or Verdict()

    def texts(self, session: str) -> list[str | None]:
        return [row.text for row in self.rows[session]]


class ClaudeHome:
    """A folder of projects that tests write into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def talk(self, name: str = "a", **common: Any) -> Transcript:
        """Begin a session's transcript."""
        return Transcript(self.path / "projects" / "-home-u-app" / f"{name}.jsonl", **common)

    def agent(self, name: str, session: str = "a", **common: Any) -> Transcript:
        """Begin the transcript of an agent that a session started."""
        path = self.path / "projects" / "-home-u-app" / session / "subagents" / f"agent-{name}.jsonl"
        return Transcript(path, session, isSidechain=True, agentId=name, **common)

    def read(self, **options: Any) -> ReadHome:
        """Read everything."""
        return ReadHome(self.path, **options)


@pytest.fixture
def home(tmp_path):
    return ClaudeHome(tmp_path / ".claude")
