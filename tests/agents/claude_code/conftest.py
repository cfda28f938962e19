"""A home of Claude Code, and what is read of it."""

from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.claude_code.importer import IMPORTER
from tests.agents.claude_code.transcript_builder import Transcript
from tests.agents.read_home import ReadHome


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
        return ReadHome(IMPORTER, self.path, **options)


@pytest.fixture
def home(tmp_path):
    return ClaudeHome(tmp_path / ".claude")
