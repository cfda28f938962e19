"""Everything that an importer reads of a home, for tests of one agent."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hermes_sessions.agents.contract import Importer, OpenOptions
from hermes_sessions.agents.values import CompactionRow, Family, MessageRow, SessionRow, Verdict


class ReadHome:
    """Everything that is in a home, by session."""

    def __init__(self, importer: Importer, home: Path, **options: Any) -> None:
        self.families: list[Family] = []
        self.rows: dict[str, list[MessageRow]] = {}
        with importer.open(home, None, OpenOptions(now=0.0, **options)) as source:
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
