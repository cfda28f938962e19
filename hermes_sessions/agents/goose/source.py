"""Open Goose's sessions: each with its copies read and concluded. A `Source` of the contract."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.contract import Cursor, Entry, Opening, OpenOptions, Source
from hermes_sessions.agents.goose.conclude import GooseOutline, conclude, copied_rows, note
from hermes_sessions.agents.goose.copies import DELEGATES, copies_of
from hermes_sessions.agents.goose.database import EXPECTED, TABLES, GooseDatabase
from hermes_sessions.agents.goose.lines import GooseFiles
from hermes_sessions.agents.goose.records import GooseShelf, Refuse
from hermes_sessions.agents.goose.rows import message_row, session_row
from hermes_sessions.agents.goose.said import GooseSayings, SaidToGoose
from hermes_sessions.agents.json_lines.families import grouped_families, in_batches, parents_first
from hermes_sessions.agents.json_lines.reading import FIRST_SESSIONS, KEPT_BYTES, ROOM, unheard
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.sqlite_source.readable import open_readable
from hermes_sessions.agents.values import Family, MessageRow, Rejected, Warned
from hermes_sessions.call_names import CallNames
from hermes_sessions.lineage import Placement, Relation


class _OpenedShelf(NamedTuple):
    """Where sessions are read from, and what was said when it was opened."""

    shelf: GooseShelf
    schema_version: str
    damage: Sequence[str]
    rejected: list[Rejected]


@dataclass(slots=True)
class _CopiesReading:
    """A session and its copies while they are read, the first one first.

    Attributes:
        kept: rows by session; None where they are too many to hold.
    """

    ids: Sequence[str]
    kept: dict[str, list[MessageRow]] | None
    outlines: dict[str, GooseOutline] = field(default_factory=dict)
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


class GooseSource:
    """A `Source` of the contract; what is written later is for the next run."""

    def __init__(self, location: Path, opened: _OpenedShelf, options: OpenOptions) -> None:
        self.location = location
        self.schema_version = opened.schema_version
        self.damage = opened.damage
        self.complete = not opened.damage
        self.rejected = opened.rejected
        self.warnings: list[Warned] = []
        self._shelf = opened.shelf
        self._kept_rows = options.kept_rows
        copies = copies_of(opened.shelf)
        self._parents = {one: copies.get(one) for one in opened.shelf.sessions}
        states = opened.shelf.states
        self.entries: Mapping[str, Entry] = {
            one: Entry(
                id=one,
                parent=parent,
                mark=f"{states[one].mark}:{parent or ''}",
                rows=states[one].rows,
                newest=states[one].newest,
                stored=True,
            )
            for one, parent in self._parents.items()
        }

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield how the first sessions begin, and those of *also*."""
        for number, (one, session) in enumerate(self._shelf.sessions.items()):
            if number < FIRST_SESSIONS or one in also:
                first = next(self._said(one, unheard), None)
                role, text = (None, None) if first is None else (first.role, first.text)
                yield one, Opening(session.began, role, text)

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return sessions with those that copied them, the newest first."""
        return grouped_families(self._parents, {one: entry.newest for one, entry in self.entries.items()})

    def read(self, ids: Sequence[str]) -> Family:
        """Read and conclude one of `families`."""
        small = sum(self.entries[one].rows for one in ids) <= self._kept_rows
        reading = _CopiesReading(parents_first(ids, self._parents), {} if small else None)
        for number, one in enumerate(reading.ids):
            self._read_session(reading, one, number)
        return Family(
            sessions=[
                session_row(self._shelf.sessions[one], reading.outlines[one], self.entries[one])
                for one in reading.ids
            ],
            placements=reading.placements,
            verdicts=reading.work.verdicts,
            compactions=reading.work.compactions,
            inherited=reading.work.inherited,
            row_count=sum(len(one.heard) for one in reading.outlines.values()),
            batches=partial(self._batches, reading),
        )

    def cursor(self) -> Cursor:
        """Return nothing: marks of the sessions say all that the next run needs."""
        return {}

    # -- one session -------------------------------------------------------------------------------

    def _read_session(self, reading: _CopiesReading, one: str, number: int) -> None:
        outline, names = GooseOutline(one), CallNames()
        for said in self._said(one, self.rejected.append, outline):
            place = len(outline.heard)
            heard = note(outline, said, number * ROOM + place)
            if reading.kept is not None:
                reading.keep(one, message_row(said, heard.ref, place, names))
        reading.outlines[one] = outline
        parent = self._parents[one]
        known = parent if parent in reading.placements else None
        copied = copied_rows(outline, reading.outlines[known]) if known is not None else 0
        relation = Relation.BRANCH if known is not None else Relation.ROOT
        if self._shelf.sessions[one].kind in DELEGATES:
            relation = Relation.DELEGATE
        elif known is not None:
            reading.work.inherited[one] = copied
        reading.placements[one] = Placement(relation, known)
        conclude(reading.work, outline, copied)
        for kind, count in outline.unknown.items():
            why = f"{count} pieces of the kind {kind[:80]!r} are not known; left out"
            self.warnings.append(Warned("sessions", one, None, why))

    def _said(self, one: str, refuse: Refuse, outline: GooseOutline | None = None) -> Iterator[SaidToGoose]:
        sayings = GooseSayings()
        for record in self._shelf.messages(one, refuse):
            if outline is not None:
                kinds = (text_of(part.get("type")) for part in record.content if isinstance(part, dict))
                outline.kinds.update(kind or "" for kind in kinds)
            yield from sayings.read(record)

    def _batches(self, reading: _CopiesReading) -> Iterator[tuple[str, Sequence[MessageRow]]]:
        for one in reading.ids:
            if reading.kept is not None:
                rows: Iterable[MessageRow] = reading.kept.get(one, ())
            else:
                rows = self._again(one, reading.outlines[one])
            for batch in in_batches(rows):
                yield one, batch

    def _again(self, one: str, outline: GooseOutline) -> Iterator[MessageRow]:
        """Read a session once more; what was not there before is for the next run."""
        places = {heard.key: place for place, heard in enumerate(outline.heard)}
        names = CallNames()
        for said in self._said(one, unheard):
            place = places.pop(said.key, None)
            if place is not None:
                yield message_row(said, outline.heard[place].ref, place, names)


@contextmanager
def open_goose(path: Path, database: Path | None, options: OpenOptions) -> Iterator[Source]:
    """Open what is at *path*.

    Args:
        database: the database there; None where there are only files.

    Raises:
        SourceError: it cannot be read at all, or is not Goose's.
    """
    rejected: list[Rejected] = []
    if database is None:
        files = GooseFiles(path)
        yield GooseSource(path, _OpenedShelf(files, files.schema_version, files.damage, rejected), options)
        return
    with open_readable(
        database, EXPECTED, TABLES, damage=options.damage, scratch=options.scratch
    ) as readable:
        shelf = GooseDatabase(readable, rejected.append)
        opened = _OpenedShelf(shelf, shelf.schema_version, readable.damage, rejected)
        yield GooseSource(path, opened, options)
