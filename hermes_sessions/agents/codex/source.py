"""Open a home of Codex: its threads, each family read and concluded. A `Source` of the contract."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from hermes_sessions.agents.codex.conclude import conclude_thread, copied_rows
from hermes_sessions.agents.codex.outline import ThreadMessage, ThreadOutline, note
from hermes_sessions.agents.codex.pieces import read_pieces
from hermes_sessions.agents.codex.read_on import read_on
from hermes_sessions.agents.codex.records import read_rollout
from hermes_sessions.agents.codex.restart import RestartNotes, restart_point
from hermes_sessions.agents.codex.rows import message_row, session_row
from hermes_sessions.agents.codex.said import SaidInThread, Sayings, ThreadItem
from hermes_sessions.agents.codex.survey import (
    RolloutFile,
    ThreadInfo,
    ThreadPart,
    cursor_of,
    files_before,
    survey_files,
    threads_of,
)
from hermes_sessions.agents.codex.titles import read_titles
from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.contract import Cursor, Entry, Opening, OpenOptions, PortableSource
from hermes_sessions.agents.json_lines.families import grouped_families, in_batches, parents_first
from hermes_sessions.agents.json_lines.known_files import left_unread
from hermes_sessions.agents.json_lines.portable import PlainSource
from hermes_sessions.agents.json_lines.reading import (
    FIRST_SESSIONS,
    KEPT_BYTES,
    ROOM,
    once_more,
    torn_ends,
    unheard,
)
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.agents.unknown_kinds import unknown_sentences
from hermes_sessions.agents.values import Family, MessageRow, Rejected, Warned
from hermes_sessions.call_names import CallNames
from hermes_sessions.errors import SourceChangedError
from hermes_sessions.lineage import Placement, Relation


class _Placed(NamedTuple):
    """An item, the number of its stream in its thread, and where that stream was left."""

    item: ThreadItem
    stream: int
    end: int | None

    @property
    def key(self) -> str:
        """What it is found again by, where it is a message."""
        return self.item.key if isinstance(self.item, SaidInThread) else ""


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
    work: FamilyConclusions = field(default_factory=FamilyConclusions)


class CodexSource:
    """A `Source` of the contract; what is written to its files later is for the next run."""

    schema_version = "jsonl"

    def __init__(self, location: Path, cursor: Cursor | None, options: OpenOptions) -> None:
        self.location = location
        self.rejected: list[Rejected] = []
        self.warnings: list[Warned] = []
        self._options = options
        self.restarts: dict[str, Any] = {}
        self._told = cursor or {}
        told = {} if options.full else self._told
        self._before = files_before(told)
        found = list(survey_files(location, told))
        self.damage: Sequence[str] = [one for one in found if isinstance(one, str)]
        files = [one for one in found if isinstance(one, RolloutFile)]
        self.warnings.extend(torn_ends(((one.path, one.name, one.state) for one in files), told))
        self._files = [one for one in files if one.facts.lines]
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
            if number < FIRST_SESSIONS or one in also:
                said = (placed.item for placed in _items(thread.streams[:1], unheard))
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
        refused = len(self.rejected)
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
            rows_whole=len(self.rejected) == refused and all(map(self._is_whole, threads)),
        )

    def cursor(self) -> Cursor:
        """Return what every file was, and what was found in it."""
        unread = left_unread(self._told, self.location, {one.name for one in self._files})
        return {**unread, **cursor_of(self._files, self.restarts)}

    def portable(self) -> PortableSource:
        """Return what another process needs to read families."""
        fresh = copy(self)
        fresh.rejected, fresh.warnings, fresh.restarts = [], [], {}
        return PlainSource(fresh)

    def read_grown(self, ids: Sequence[str]) -> Family | None:
        """Read what was added to a thread after its last compaction; None where all of it must be read."""
        if len(ids) != 1 or not _may_go_on(thread := self._threads[ids[0]]):
            return None
        file = thread.streams[0].file
        before = restart_point(thread.id, file.restart)
        if before is None or not 0 < before.offset <= file.state.whole:
            return None
        found = read_on(thread, before, self._titles.get(thread.id))
        if found is None:
            return None
        family, refused, point, outline = found
        self._tell_unknown(thread, outline)
        if point is not None:
            self.restarts[file.name] = point.as_json()
        self.rejected.extend(refused)
        return family

    # -- one thread --------------------------------------------------------------------------------

    def _read_thread(self, reading: _ThreadsReading, thread: ThreadInfo, number: int) -> None:
        outline = ThreadOutline(thread.id)
        rows: list[MessageRow] = []
        names = CallNames()
        sayings, spoken, notes = Sayings(), set[str](), RestartNotes()
        alone = _may_go_on(thread)
        for placed in _thread_items(thread, self.rejected.append, sayings, spoken):
            heard = note(outline, placed.item, number * ROOM, end=placed.end)
            if alone:
                notes.note(placed.item, outline, sayings, spoken)
            if heard is not None and isinstance(placed.item, SaidInThread) and reading.kept is not None:
                rows.append(message_row(placed.item, heard.ref, placed.stream, names))
        reading.outlines[thread.id] = outline
        reading.placements[thread.id] = placement = _place(thread, reading)
        live = self._conclude(reading, thread, outline, placement)
        if alone:
            point = notes.point(outline, sayings, live)
            self.restarts[thread.streams[0].file.name] = None if point is None else point.as_json()
        if reading.kept is not None:
            reading.kept[thread.id] = rows
        self._tell(thread, outline)

    def _conclude(
        self, reading: _ThreadsReading, thread: ThreadInfo, outline: ThreadOutline, placement: Placement
    ) -> Sequence[ThreadMessage]:
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
        return conclude_thread(reading.work, outline, copied, orphan=parent is None)

    def _is_whole(self, thread: ThreadInfo) -> bool:
        """Whether a thread is in the one file that it was in before, and continues no other one."""
        file = thread.streams[0].file
        alone = len(thread.streams) == 1 and not thread.inherited and file.facts.base is None
        linked = thread.parent is None or thread.parent in self._threads
        return alone and linked and not file.facts.spoiled and self._before.get(thread.id) == file.name

    def _tell(self, thread: ThreadInfo, outline: ThreadOutline) -> None:
        for part in thread.streams:
            if part.file.facts.spoiled:
                self.rejected.append(Rejected("messages", part.file.name, part.file.facts.spoiled))
        self._tell_unknown(thread, outline)
        missing = thread.first.base
        if missing is not None and not thread.inherited and thread.streams[0].file.facts.base:
            why = f"it continues {missing[:80]!r}, which is not there: the beginning is missing"
            self.warnings.append(Warned("sessions", thread.id, None, why))

    def _tell_unknown(self, thread: ThreadInfo, outline: ThreadOutline) -> None:
        told = unknown_sentences(outline.unknown)
        self.warnings.extend(Warned("sessions", thread.id, None, one) for one in told)


def _place(thread: ThreadInfo, reading: _ThreadsReading) -> Placement:
    """Return what a thread is to its parent: a delegate or a branch."""
    parent = thread.parent if thread.parent in reading.placements else None
    if thread.delegate:
        return Placement(Relation.DELEGATE, parent)
    return Placement(Relation.ROOT if thread.parent is None else Relation.BRANCH, parent)


def _may_go_on(thread: ThreadInfo) -> bool:
    """Whether a thread is one plain file that repeats and continues no other."""
    plain = thread.streams[0].file.path.suffix == ".jsonl"
    whole = len(thread.streams) == 1 and thread.streams[0].end is None
    return plain and whole and not thread.inherited and thread.parent is None


def _thread_items(
    thread: ThreadInfo, refuse: Refuse, sayings: Sayings | None = None, spoken: set[str] | None = None
) -> Iterator[_Placed]:
    """Yield what a thread says, what it continues of another one first."""
    streams = [*thread.inherited, *thread.streams]
    return _items(streams, refuse, len(thread.inherited), sayings=sayings, spoken=spoken)


def _items(
    streams: Sequence[ThreadPart],
    refuse: Refuse,
    inherited: int = 0,
    *,
    sayings: Sayings | None = None,
    spoken: set[str] | None = None,
) -> Iterator[_Placed]:
    """Yield the items of streams one after the other; of inherited ones only up to where they were left.

    Args:
        sayings: what was said so far; grows.
        spoken: of a single stream: roles of which there were events; grows.

    Raises:
        SourceChangedError: a file is gone.
    """
    sayings = Sayings() if sayings is None else sayings
    for number, part in enumerate(streams):
        path, whole = part.file.path, part.file.state.whole
        mine = number >= inherited
        lines = read_rollout(path, 0, whole, refuse if mine else unheard)
        if not mine and part.end is not None:
            end = part.end
            lines = (one for one in lines if one.ordinal is None or one.ordinal < end)
        try:
            for item in sayings.read(read_pieces(lines, spoken if len(streams) == 1 else None)):
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
    placed = (one for one in _thread_items(thread, unheard) if isinstance(one.item, SaidInThread))
    for one, known in once_more(thread.streams[-1].file.path, placed, heard):
        if isinstance(one.item, SaidInThread):
            yield message_row(one.item, known.ref, one.stream, names)
