"""Open OpenCode's sessions: each family read and concluded. A `Source` of the contract."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.contract import Cursor, Entry, Opening, OpenOptions, Source
from hermes_sessions.agents.json_lines.families import grouped_families, in_batches, parents_first
from hermes_sessions.agents.json_lines.reading import FIRST_SESSIONS, KEPT_BYTES, ROOM, unheard
from hermes_sessions.agents.opencode.conclude import conclude, copied_rows
from hermes_sessions.agents.opencode.database import EXPECTED, TABLES, OpenCodeDatabase
from hermes_sessions.agents.opencode.forks import forks_of
from hermes_sessions.agents.opencode.outline import OpenCodeOutline, note_record, note_said
from hermes_sessions.agents.opencode.records import MessageRecord, Refuse, Shelf
from hermes_sessions.agents.opencode.rows import message_row, session_row
from hermes_sessions.agents.opencode.said import said_in
from hermes_sessions.agents.opencode.storage import OpenCodeStorage
from hermes_sessions.agents.sqlite_source.readable import open_readable
from hermes_sessions.agents.values import Family, MessageRow, Rejected, Warned
from hermes_sessions.call_names import CallNames
from hermes_sessions.lineage import Placement, Relation

STORAGE = "storage"


class _Opened(NamedTuple):
    """Where sessions are read from, and what was said when it was opened."""

    shelf: Shelf
    schema_version: str
    damage: Sequence[str]
    rejected: list[Rejected]


@dataclass(slots=True)
class _SessionsReading:
    """A family while it is read, parents first.

    Attributes:
        kept: its rows by session; None where they are too many to hold.
    """

    ids: Sequence[str]
    kept: dict[str, list[MessageRow]] | None
    outlines: dict[str, OpenCodeOutline] = field(default_factory=dict)
    placements: dict[str, Placement] = field(default_factory=dict)
    work: FamilyConclusions = field(default_factory=FamilyConclusions)
    size: int = 0

    def keep(self, session: str, row: MessageRow) -> None:
        """Hold a row, as long as all of them have room."""
        self.size += len(row.text or "") + len(row.blocks or "") + len(row.tool_calls or "")
        if self.size > KEPT_BYTES:
            self.kept = None
        if self.kept is not None:
            self.kept.setdefault(session, []).append(row)


class OpenCodeSource:
    """A `Source` of the contract; what is written later is for the next run."""

    def __init__(self, location: Path, opened: _Opened, options: OpenOptions) -> None:
        self.location = location
        self.schema_version = opened.schema_version
        self.damage = opened.damage
        self.complete = not opened.damage
        self.rejected = opened.rejected
        self.warnings: list[Warned] = []
        self._shelf = opened.shelf
        self._kept_rows = options.kept_rows
        self._forks = forks_of(opened.shelf)
        stands, sessions = opened.shelf.stands, opened.shelf.sessions
        self._parents = {one: record.parent or self._forks.get(one) for one, record in sessions.items()}
        self.entries: Mapping[str, Entry] = {
            one: Entry(
                id=one,
                parent=parent,
                mark=f"{stands[one].mark}:{parent or ''}",
                rows=stands[one].rows,
                newest=stands[one].newest / 1000,
                stored=True,
            )
            for one, parent in self._parents.items()
        }

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield how the first sessions begin, and those of *also*."""
        for number, (one, record) in enumerate(self._shelf.sessions.items()):
            if number < FIRST_SESSIONS or one in also:
                began = None if record.created is None else record.created / 1000
                said = (row for found in self._records(one, unheard) for row in said_in(found))
                first = next(said, None)
                role, text = (None, None) if first is None else (first.role, first.text)
                yield one, Opening(began, role, text)

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return sessions with what was forked and delegated from them, the newest first."""
        return grouped_families(self._parents, {one: entry.newest for one, entry in self.entries.items()})

    def read(self, ids: Sequence[str]) -> Family:
        """Read and conclude one of `families`."""
        small = sum(self.entries[one].rows for one in ids) <= self._kept_rows
        reading = _SessionsReading(parents_first(ids, self._parents), {} if small else None)
        for number, one in enumerate(reading.ids):
            self._read_session(reading, one, number)
        inherited = reading.work.inherited
        return Family(
            sessions=[
                session_row(
                    reading.outlines[one], self._parents[one], inherited.get(one, 0), self.entries[one].mark
                )
                for one in reading.ids
            ],
            placements=reading.placements,
            verdicts=reading.work.verdicts,
            compactions=reading.work.compactions,
            inherited=inherited,
            row_count=sum(len(one.heard) for one in reading.outlines.values()),
            batches=partial(self._batches, reading),
        )

    def cursor(self) -> Cursor:
        """Return nothing: marks of the sessions say all that the next run needs."""
        return {}

    # -- one session -------------------------------------------------------------------------------

    def _read_session(self, reading: _SessionsReading, one: str, number: int) -> None:
        outline = OpenCodeOutline(self._shelf.sessions[one])
        names = CallNames()
        for record in self._records(one, self.rejected.append):
            note_record(outline, record)
            for said in said_in(record):
                place = len(outline.heard)
                heard = note_said(outline, said, number * ROOM + place)
                if reading.kept is not None:
                    reading.keep(one, message_row(said, heard.ref, place, names))
        reading.outlines[one] = outline
        reading.placements[one] = placed = self._place(one, reading)
        parent = reading.outlines.get(placed.parent or "")
        copied = 0
        if placed.relation is Relation.BRANCH and parent is not None:
            copied = reading.work.inherited[one] = copied_rows(outline, parent)
        conclude(reading.work, outline, copied)
        for kind, count in outline.unknown.items():
            why = f"{count} parts of the kind {kind[:80]!r} are not known; left out"
            self.warnings.append(Warned("sessions", one, None, why))

    def _place(self, one: str, reading: _SessionsReading) -> Placement:
        """Return what a session is to its parent: a delegate, or a branch."""
        parent = self._parents[one]
        known = parent if parent in reading.placements else None
        if self._shelf.sessions[one].parent is not None:
            return Placement(Relation.DELEGATE, known)
        return Placement(Relation.ROOT if known is None else Relation.BRANCH, known)

    def _records(self, one: str, refuse: Refuse) -> Iterator[MessageRecord]:
        for record in self._shelf.messages(one, refuse):
            role = record.value.get("role")
            if role in ("user", "assistant"):
                yield record
            else:
                refuse(Rejected("message", record.id, f"its role is not known: {str(role)[:80]!r}"))

    def _batches(self, reading: _SessionsReading) -> Iterator[tuple[str, Sequence[MessageRow]]]:
        for one in reading.ids:
            if reading.kept is not None:
                rows: Iterable[MessageRow] = reading.kept.get(one, ())
            else:
                rows = self._again(one, reading.outlines[one])
            for batch in in_batches(rows):
                yield one, batch

    def _again(self, one: str, outline: OpenCodeOutline) -> Iterator[MessageRow]:
        """Read a session once more; what was not there before is for the next run."""
        places = {heard.key: place for place, heard in enumerate(outline.heard)}
        names = CallNames()
        for record in self._records(one, unheard):
            for said in said_in(record):
                place = places.pop(said.key, None)
                if place is not None:
                    yield message_row(said, outline.heard[place].ref, place, names)


@contextmanager
def open_opencode(path: Path, database: Path | None, options: OpenOptions) -> Iterator[Source]:
    """Open what is at *path*.

    Args:
        database: the database there; None where there are only files.

    Raises:
        SourceError: it cannot be read at all, or is not OpenCode's.
    """
    rejected: list[Rejected] = []
    if database is None:
        storage = OpenCodeStorage(path / STORAGE if (path / STORAGE).is_dir() else path, rejected.append)
        yield OpenCodeSource(
            path, _Opened(storage, storage.schema_version, storage.damage, rejected), options
        )
        return
    with open_readable(
        database, EXPECTED, TABLES, damage=options.damage, scratch=options.scratch
    ) as readable:
        shelf = OpenCodeDatabase(readable, rejected.append)
        opened = _Opened(shelf, shelf.schema_version, readable.damage, rejected)
        yield OpenCodeSource(path, opened, options)
