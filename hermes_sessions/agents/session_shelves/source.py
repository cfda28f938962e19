"""Read the sessions of a shelf and conclude their families. Names no agent."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.contract import Cursor, Entry, Opening, OpenOptions, PortableSource, Source
from hermes_sessions.agents.json_lines.families import grouped_families, in_batches, parents_first
from hermes_sessions.agents.json_lines.portable import PlainSource
from hermes_sessions.agents.json_lines.reading import FIRST_SESSIONS, KEPT_BYTES, ROOM, unheard
from hermes_sessions.agents.session_shelves.reading import OutlineT, SaidT, ShelfForm, copied_rows
from hermes_sessions.agents.sqlite_source.opened_again import OpenForeign, opened_again
from hermes_sessions.agents.told_messages import message_row
from hermes_sessions.agents.unknown_kinds import UnknownKind, unknown_sentences
from hermes_sessions.agents.values import Family, MessageRow, Rejected, Warned
from hermes_sessions.call_names import CallNames
from hermes_sessions.lineage import Placement, Relation


class ShelfFindings(NamedTuple):
    """What was said when a shelf was opened.

    Attributes:
        rejected: grows while it is read.
        unfinished: sessions that are half written, and what stands at the end of others.
        foreign: the database that it is; None where it is a tree of files.
    """

    damage: Sequence[str]
    rejected: list[Rejected]
    foreign: OpenForeign | None = None
    unfinished: Sequence[Warned] = ()


@dataclass(slots=True)
class _ShelfReading(Generic[OutlineT]):
    """A family while it is read, parents first.

    Attributes:
        kept: its rows by session; None where they are too many to hold.
        size: characters of the rows so far.
    """

    ids: Sequence[str]
    kept: dict[str, list[MessageRow]] | None
    outlines: dict[str, OutlineT] = field(default_factory=dict)
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


class ShelfSource(Generic[SaidT, OutlineT]):
    """A `Source` of the contract; what is written later is for the next run."""

    def __init__(
        self, location: Path, form: ShelfForm[SaidT, OutlineT], found: ShelfFindings, options: OpenOptions
    ) -> None:
        self.location = location
        self.schema_version = form.version
        self.damage, self.rejected, self._foreign = found.damage, found.rejected, found.foreign
        self.complete = not found.damage and not any(one.table == "sessions" for one in found.unfinished)
        self.warnings: list[Warned] = list(found.unfinished)
        self._form = form
        self._kept_rows = options.kept_rows
        self.entries: Mapping[str, Entry] = {
            one: Entry(
                id=one,
                parent=form.parents[one],
                mark=f"{state.mark}:{form.parents[one] or ''}",
                rows=state.rows,
                newest=state.newest,
                stored=True,
            )
            for one, state in form.states.items()
        }

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield how the first sessions begin, and those of *also*."""
        for number, one in enumerate(self.entries):
            if number < FIRST_SESSIONS or one in also:
                first = next(self._form.messages(one, self._form.outline(one), unheard), None)
                role, text = (None, None) if first is None else (first.role, first.text)
                yield one, Opening(self._form.began(one), role, text)

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return sessions with what was copied and delegated from them, the newest first."""
        newest = {one: entry.newest for one, entry in self.entries.items()}
        return grouped_families(self._form.parents, newest)

    def read(self, ids: Sequence[str]) -> Family:
        """Read and conclude one of `families`."""
        small = sum(self.entries[one].rows for one in ids) <= self._kept_rows
        reading: _ShelfReading[OutlineT] = _ShelfReading(
            parents_first(ids, self._form.parents), {} if small else None
        )
        refused = len(self.rejected)
        for number, one in enumerate(reading.ids):
            self._read_session(reading, one, number * ROOM)
        outlines, work = reading.outlines, reading.work
        return Family(
            sessions=[
                self._form.row(outlines[one], self.entries[one], work.inherited.get(one, 0))
                for one in reading.ids
            ],
            placements=reading.placements,
            verdicts=work.verdicts,
            compactions=work.compactions,
            inherited=work.inherited,
            row_count=sum(len(one.heard) for one in outlines.values()),
            batches=partial(self._batches, reading),
            keeps_compacted=len(self.rejected) == refused,
        )

    def cursor(self) -> Cursor:
        """Return nothing: marks of the sessions say all that the next run needs."""
        return {}

    def portable(self) -> PortableSource | None:
        """Return what another process needs to read families; None for what was rescued of a damaged one."""
        if self.damage:
            return None
        fresh = copy(self)
        fresh.rejected, fresh.warnings = [], []
        return PlainSource(fresh) if self._foreign is None else _PortableShelf(fresh, self._foreign)

    def connect(self, connection: sqlite3.Connection) -> None:
        """Go on with another connection, in another process."""
        self._form.connect(connection)

    # -- one session -------------------------------------------------------------------------------

    def _read_session(self, reading: _ShelfReading[OutlineT], one: str, first_ref: int) -> None:
        form = self._form
        outline, names = form.outline(one), CallNames()
        for said in form.messages(one, outline, self.rejected.append):
            place = len(outline.heard)
            form.note(outline, said, first_ref + place)
            if reading.kept is not None:
                reading.keep(one, message_row(form.told(said, place), first_ref + place, names))
        placed = self._place(reading, one)
        reading.outlines[one], reading.placements[one] = outline, placed
        copied = 0
        if placed.relation is Relation.BRANCH and placed.parent is not None:
            copied = copied_rows(outline.heard, reading.outlines[placed.parent].heard)
            reading.work.inherited[one] = copied
        form.conclude(reading.work, outline, copied)
        unknown = {UnknownKind(form.piece, kind): count for kind, count in outline.unknown.items()}
        for why in unknown_sentences(unknown):
            self.warnings.append(Warned("sessions", one, None, why))

    def _place(self, reading: _ShelfReading[OutlineT], one: str) -> Placement:
        """Return what a session is to its parent: a delegate, or a branch."""
        parent = self._form.parents[one]
        known = parent if parent in reading.placements else None
        if self._form.is_delegate(one):
            return Placement(Relation.DELEGATE, known)
        return Placement(Relation.ROOT if known is None else Relation.BRANCH, known)

    def _batches(self, reading: _ShelfReading[OutlineT]) -> Iterator[tuple[str, Sequence[MessageRow]]]:
        for one in reading.ids:
            if reading.kept is not None:
                rows: Iterable[MessageRow] = reading.kept.get(one, ())
            else:
                rows = self._again(one, reading.outlines[one])
            for batch in in_batches(rows):
                yield one, batch

    def _again(self, one: str, outline: OutlineT) -> Iterator[MessageRow]:
        """Read a session once more; what was not there before is for the next run."""
        form, names = self._form, CallNames()
        places = {heard.key: place for place, heard in enumerate(outline.heard)}
        for said in form.messages(one, form.outline(one), unheard):
            place = places.pop(said.key, None)
            if place is not None:
                yield message_row(form.told(said, place), outline.heard[place].ref, names)


@dataclass(frozen=True, slots=True)
class _PortableShelf:
    """A `PortableSource`: everything of a source but its connection and its notes."""

    source: ShelfSource[Any, Any]
    foreign: OpenForeign

    @contextmanager
    def opened(self) -> Iterator[Source]:
        """Open the database again; its sessions are not looked for a second time."""
        with opened_again(self.foreign) as foreign:
            self.source.connect(foreign.connection)
            yield self.source
