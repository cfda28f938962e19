"""A small agent of its own: a folder of sessions, one file each, whose rows are numbered by their lines.

`NAME.lines` holds JSON lines: first `{"parent": ..., "source": ...}`, then `{"id", "role", "text", "state"}`
each. So the first row of every session has the number 1, and ids are all that lasts.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_sessions.agents.concluding.parent_alignment import SessionInput
from hermes_sessions.agents.concluding.reconstruction import reconstruct
from hermes_sessions.agents.concluding.row_facts import row_facts
from hermes_sessions.agents.contract import Cursor, Entry, Found, Opening, OpenOptions
from hermes_sessions.agents.values import Family, MessageRow, Rejected, SessionRow, Warned
from hermes_sessions.handoff.grammars.hermes import GRAMMAR
from hermes_sessions.lineage import SessionEvidence
from hermes_sessions.messages import MessageState

START = 1_767_268_800.0
SUFFIX = ".lines"


@dataclass
class LinesSource:
    """A `Source` of the contract."""

    location: Path
    schema_version: str = "1"
    entries: Mapping[str, Entry] = field(default_factory=dict)
    damage: Sequence[str] = ()
    rejected: Sequence[Rejected] = ()
    warnings: Sequence[Warned] = ()
    complete: bool = True
    lines: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path) -> "LinesSource":
        found = cls(folder)
        entries = {}
        for path in sorted(folder.glob("*" + SUFFIX)):
            written = path.read_bytes()
            head, *rows = map(json.loads, written.splitlines())
            mark = hashlib.sha256(written).hexdigest()
            found.lines[path.stem] = [head, *rows]
            entries[path.stem] = Entry(path.stem, head.get("parent"), mark, len(rows), START, stored=True)
        found.entries = entries
        return found

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        for name, (_, *rows) in self.lines.items():
            first = rows[0] if rows else {}
            yield name, Opening(START, first.get("role"), first.get("text"))

    def families(self) -> Sequence[tuple[str, ...]]:
        tops: dict[str, list[str]] = {}
        for name in self.lines:
            top = name
            while (parent := self.entries[top].parent) in self.entries:
                top = str(parent)
            tops.setdefault(top, []).append(name)
        return [tuple(names) for names in tops.values()]

    def read(self, ids: Sequence[str]) -> Family:
        rows: dict[str, list[MessageRow]] = {}
        ref = 0
        for name in ids:
            rows[name] = []
            for line, one in enumerate(self.lines[name][1:], start=1):
                ref += 1
                rows[name].append(_row(ref, line, one))
        concluded = reconstruct(
            {
                name: SessionInput(
                    SessionEvidence(
                        id=name, started_at=START, spawned=self.lines[name][0].get("source") == "subagent"
                    ),
                    parent=self.entries[name].parent,
                    rows=[row_facts(row, row.text, (), flagged=False, grammar=GRAMMAR) for row in rows[name]],
                )
                for name in ids
            }
        )
        order = sorted(ids, key=lambda name: len(self._above(name)))
        return Family(
            sessions=[self._session(name) for name in order],
            placements=concluded.placements,
            verdicts=concluded.verdicts,
            compactions=concluded.compactions,
            inherited=concluded.inherited,
            row_count=ref,
            batches=lambda: iter([(name, rows[name]) for name in order]),
        )

    def cursor(self) -> Cursor:
        return {}

    def _session(self, name: str) -> SessionRow:
        entry, head = self.entries[name], self.lines[name][0]
        return SessionRow(
            foreign_id=name,
            parent_session_id=entry.parent,
            source=head.get("source"),
            started_at=START,
            mark=entry.mark,
        )

    def _above(self, name: str) -> list[str]:
        parent = self.entries[name].parent
        return [] if parent is None or parent not in self.entries else [parent, *self._above(parent)]


def _row(ref: int, line: int, one: Mapping[str, Any]) -> MessageRow:
    return MessageRow(
        ref=ref,
        origin_key=one["id"],
        origin_row_id=line,
        role=one["role"],
        state=MessageState(one["state"]),
        created_at=START + line,
        digest=int.from_bytes(hashlib.sha256(one["text"].encode()).digest()[:7], "big"),
        token_count=None,
        tool_call_id=None,
        tool_name=None,
        finish_reason=None,
        text=one["text"],
        blocks=None,
        tool_calls=None,
        reasoning=None,
        extra=None,
    )


class LinesImporter:
    """An `Importer` of the contract."""

    kind = "lines"
    grammar = GRAMMAR

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        return iter(())

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        return ()

    def locate(self, path: Path) -> Path | None:
        return path if path.is_dir() and any(path.glob("*" + SUFFIX)) else None

    def token(self, path: Path) -> str:
        digest = hashlib.sha256()
        for one in sorted(path.glob("*" + SUFFIX)):
            digest.update(one.name.encode() + one.read_bytes())
        return digest.hexdigest()

    @contextmanager
    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> Iterator[LinesSource]:
        yield LinesSource.of(path)

    def resume_command(self, session: str) -> str | None:
        return None


importer = LinesImporter()


def write_session(
    folder: Path, name: str, *rows: tuple[str, str, str], archived: int = 0, **head: Any
) -> None:
    """Write a session: its rows as (id, role, text), the first of them archived; what is said of it."""
    folder.mkdir(exist_ok=True)
    states = ["compacted"] * archived + ["live"] * (len(rows) - archived)
    lines = [
        {"id": key, "role": role, "text": text, "state": state}
        for (key, role, text), state in zip(rows, states, strict=True)
    ]
    lines.insert(0, head)
    (folder / f"{name}{SUFFIX}").write_text("".join(json.dumps(line) + "\n" for line in lines))
