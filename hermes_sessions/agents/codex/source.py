"""Open a home of Codex: its threads, each family read and concluded. A `Source` of the contract."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from hermes_sessions.agents.codex.conclude import ThreadConclusions, conclude_thread, copied_rows
from hermes_sessions.agents.codex.outline import ThreadMessage, ThreadOutline, note
from hermes_sessions.agents.codex.pieces import read_pieces
from hermes_sessions.agents.codex.records import Refuse, read_rollout
from hermes_sessions.agents.codex.rows import message_row, session_row
from hermes_sessions.agents.codex.said import SaidInThread, Sayings, ThreadItem
from hermes_sessions.agents.codex.survey import (
    RolloutFile,
    ThreadInfo,
    ThreadPart,
    cursor_of,
    survey_files,
    threads_of,
)
from hermes_sessions.agents.codex.titles import read_titles
from hermes_sessions.agents.contract import Cursor, Entry, Opening, OpenOptions
from hermes_sessions.agents.json_lines.families import grouped_families, in_batches, parents_first
from hermes_sessions.agents.values import Family, MessageRow, Rejected, Warned
from hermes_sessions.call_names import CallNames
from hermes_sessions.errors import SourceChangedError
from hermes_sessions.lineage import Placement, Relation

KEPT_BYTES: Final = 24_000_000
"""A family whose files are larger is not held in memory but read twice."""
_FIRST_SESSIONS: Final = 20
_ROOM: Final = 1 << 40
"""Numbers of one session's messages begin at a multiple of it."""


class _Placed(NamedTuple):
    """An item, the number of its stream in its thread, and where that stream was left."""

    item: ThreadItem
    stream: int
    end: int | None


@dataclass(slots=True)
class _ThreadsReading:
    """A family while it is read, parents first.

    Attributes:
        kept: its rows by session; None where they would be too many to hold.
    """

    threads: Sequence[ThreadInfo]
    kept: dict[str, list[MessageRow]] | None
    outlines: dict[str, ThreadOutline] = field(default_factory=dict)
    placements: dict[str, Placement] = field(default_factory=dict)
    work: ThreadConclusions = field(default_factory=ThreadConclusions)


class CodexSource:
    """A `Source` of the contract; what is written to its files later is for the next run."""

    schema_version = "jsonl"

    def __init__(self, location: Path, cursor: Cursor | None, options: OpenOptions) -> None:
        self.location = location
        self.rejected: list[Rejected] = []
        self.warnings: list[Warned] = []
        self._options = options
        told = {} if options.full or cursor is None else cursor
        found = list(survey_files(location, told))
        self.damage: Sequence[str] = [one for one in found if isinstance(one, str)]
        self._files = [one for one in found if isinstance(one, RolloutFile)]
        self.complete = location.is_dir() and not self.damage
        self._titles = read_titles(location)
        self._threads = threads_of(self._files, self._titles)
        self._parents = {one: thread.parent for one, thread in self._threads.items()}
        self.entries: Mapping[str, Entry] = {
            one: Entry(
                id=one,
                parent=thread.parent,
                mark=thread.mark,
                rows=sum(part.file.facts.lines for part in thread.streams),
                newest=max(part.file.facts.newest or 0.0 for part in thread.streams),
                stored=True,
            )
            for one, thread in self._threads.items()
        }

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield how the first sessions begin, and those of *also*."""
        for number, (one, thread) in enumerate(self._threads.items()):
            if number < _FIRST_SESSIONS or one in also:
                said = (placed.item for placed in _items(thread.streams[:1], _unheard))
                first = next(
                    (item for item in said if isinstance(item, SaidInThread) and not item.injected), None
                )
                role, text = (None, None) if first is None else (first.role, first.text)
                yield one, Opening(thread.started, role, text)

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return threads with what was forked and delegated from them, the newest first."""
        return grouped_families(self._parents, {one: entry.newest for one, entry in self.entries.items()})

    def read(self, ids: Sequence[str]) -> Family:
        """Read and conclude one of `families`."""
        threads = [self._threads[one] for one in parents_first(ids, self._parents)]
        size = sum(part.file.state.whole for one in threads for part in (*one.inherited, *one.streams))
        rows = sum(self.entries[one].rows for one in ids)
        small = size <= KEPT_BYTES and rows <= self._options.kept_rows
        reading = _ThreadsReading(threads, {} if small else None)
        for number, thread in enumerate(threads):
            self._read_thread(reading, thread, number)
        inherited = reading.work.inherited
        return Family(
            sessions=[
                session_row(one, reading.outlines[one.id], inherited.get(one.id, 0), self._titles.get(one.id))
                for one in threads
            ],
            placements=reading.placements,
            verdicts=reading.work.verdicts,
            compactions=reading.work.compactions,
            inherited=inherited,
            row_count=sum(len(one.heard) for one in reading.outlines.values()),
            batches=partial(_batches, reading),
        )

    def cursor(self) -> Cursor:
        """Return what every file was, and what was found in it."""
        return cursor_of(self._files)

    # -- one thread --------------------------------------------------------------------------------

    def _read_thread(self, reading: _ThreadsReading, thread: ThreadInfo, number: int) -> None:
        outline = ThreadOutline(thread.id)
        rows: list[MessageRow] = []
        names = CallNames()
        for placed in _thread_items(thread, self.rejected.append):
            heard = note(outline, placed.item, number * _ROOM, end=placed.end)
            if heard is not None and isinstance(placed.item, SaidInThread) and reading.kept is not None:
                rows.append(message_row(placed.item, heard.ref, placed.stream, names))
        reading.outlines[thread.id] = outline
        reading.placements[thread.id] = placement = _place(thread, reading)
        self._conclude(reading, thread, outline, placement)
        if reading.kept is not None:
            reading.kept[thread.id] = rows
        self._tell(thread, outline)

    def _conclude(
        self, reading: _ThreadsReading, thread: ThreadInfo, outline: ThreadOutline, placement: Placement
    ) -> None:
        parent = reading.outlines.get(placement.parent or "")
        copied = 0
        if thread.inherited or thread.parent is not None:
            copied = copied_rows(outline, parent)
        if copied and thread.delegate:
            theirs = parent.heard[:copied] if parent is not None else []
            for mine, first in zip(outline.heard, theirs, strict=False):
                reading.work.mark(mine.ref, copy_of=reading.work.original(first.ref))
        elif copied:
            reading.work.inherited[thread.id] = copied
        conclude_thread(reading.work, outline, copied, orphan=parent is None)

    def _tell(self, thread: ThreadInfo, outline: ThreadOutline) -> None:
        for part in thread.streams:
            if part.file.facts.spoiled:
                self.rejected.append(Rejected("messages", part.file.name, part.file.facts.spoiled))
        for kind, count in outline.unknown.items():
            why = f"{count} lines of the kind {kind[:80]!r} are not known; left out"
            self.warnings.append(Warned("sessions", thread.id, None, why))
        missing = thread.first.base
        if missing is not None and not thread.inherited and thread.streams[0].file.facts.base:
            why = f"it continues {missing[:80]!r}, which is not there: the beginning is missing"
            self.warnings.append(Warned("sessions", thread.id, None, why))


def _place(thread: ThreadInfo, reading: _ThreadsReading) -> Placement:
    """Return what a thread is to its parent: a delegate or a branch."""
    parent = thread.parent if thread.parent in reading.placements else None
    if thread.delegate:
        return Placement(Relation.DELEGATE, parent)
    return Placement(Relation.ROOT if thread.parent is None else Relation.BRANCH, parent)


def _thread_items(thread: ThreadInfo, refuse: Refuse) -> Iterator[_Placed]:
    """Yield what a thread says, what it continues of another one first."""
    return _items([*thread.inherited, *thread.streams], refuse, len(thread.inherited))


def _items(streams: Sequence[ThreadPart], refuse: Refuse, inherited: int = 0) -> Iterator[_Placed]:
    """Yield the items of streams one after the other; of inherited ones only up to where they were left.

    Raises:
        SourceChangedError: a file is gone.
    """
    sayings = Sayings()
    for number, part in enumerate(streams):
        path, whole = part.file.path, part.file.state.whole
        mine = number >= inherited
        lines = read_rollout(path, 0, whole, refuse if mine else _unheard)
        if not mine and part.end is not None:
            end = part.end
            lines = (one for one in lines if one.ordinal is None or one.ordinal < end)
        try:
            for item in sayings.read(read_pieces(lines)):
                yield _Placed(item, number, part.end if mine else None)
        except OSError as error:
            raise SourceChangedError(f"{path}: {error.strerror}") from error


def _batches(reading: _ThreadsReading) -> Iterator[tuple[str, Sequence[MessageRow]]]:
    for thread in reading.threads:
        if reading.kept is not None:
            rows: Iterable[MessageRow] = reading.kept[thread.id]
        else:
            rows = _again(thread, reading.outlines[thread.id].heard)
        for batch in in_batches(rows):
            yield thread.id, batch


def _again(thread: ThreadInfo, heard: Sequence[ThreadMessage]) -> Iterator[MessageRow]:
    """Read a thread once more."""
    names = CallNames()
    placed = (one for one in _thread_items(thread, _unheard) if isinstance(one.item, SaidInThread))
    for one, known in zip(islice(placed, len(heard)), heard, strict=False):
        if isinstance(one.item, SaidInThread):
            yield message_row(one.item, known.ref, one.stream, names)


def _unheard(told: Rejected) -> None:
    """Pass over what was told before."""
