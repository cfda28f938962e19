"""Open a home of Claude Code: its sessions, each family read and concluded. A `Source` of the contract."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from hermes_sessions.agents.claude_code.conclude import Conclusions, conclude_session
from hermes_sessions.agents.claude_code.file_facts import FileInfo
from hermes_sessions.agents.claude_code.outline import HeardMessage, Outline, note, once
from hermes_sessions.agents.claude_code.read_on import read_on
from hermes_sessions.agents.claude_code.records import MAIN, TalkRecord, read_records
from hermes_sessions.agents.claude_code.restart import RestartWatch, restart_place
from hermes_sessions.agents.claude_code.rows import message_row, session_row
from hermes_sessions.agents.claude_code.said import Item, Said, read_items
from hermes_sessions.agents.claude_code.spilled import spilled_files
from hermes_sessions.agents.claude_code.survey import (
    StreamInfo,
    cursor_of,
    files_before,
    sessions_of,
    survey_files,
    titles_told,
    with_late_titles,
)
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
from hermes_sessions.agents.unknown_kinds import unknown_sentences, written_again
from hermes_sessions.agents.values import Family, MessageRow, Rejected, Warned
from hermes_sessions.call_names import CallNames
from hermes_sessions.errors import SourceChangedError
from hermes_sessions.lineage import Placement, Relation


@dataclass(slots=True)
class _FamilyReading:
    """A family while it is read, parents first.

    Attributes:
        kept: its rows by session; None where they would be too many to hold.
        continued: sessions that go on in another file; who begins with one of them later is a branch.
    """

    streams: Sequence[StreamInfo]
    kept: dict[str, list[MessageRow]] | None
    outlines: dict[str, Outline] = field(default_factory=dict)
    placements: dict[str, Placement] = field(default_factory=dict)
    continued: set[str] = field(default_factory=set)
    work: Conclusions = field(default_factory=Conclusions)


class ClaudeCodeSource:
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
        self._before = files_before(location, told)
        found = list(survey_files(location, told))
        self.damage: Sequence[str] = [one for one in found if isinstance(one, str)]
        self._files = with_late_titles([one for one in found if isinstance(one, FileInfo)], told)
        self.warnings.extend(torn_ends(((one.path, one.name, one.state) for one in self._files), told))
        self.complete = location.is_dir() and not self.damage
        self._streams = sessions_of(self._files)
        self._parents = {one: stream.parent for one, stream in self._streams.items()}
        self._titles = titles_told(self._files)
        self.entries: Mapping[str, Entry] = {
            one: Entry(
                id=one,
                parent=stream.parent,
                mark=stream.mark,
                rows=stream.file.facts.lines if stream.stream == MAIN else 0,
                newest=stream.file.facts.newest or 0.0,
                stored=True,
            )
            for one, stream in self._streams.items()
        }

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield how the first sessions begin, and those of *also*."""
        for number, (one, stream) in enumerate(self._streams.items()):
            if number < FIRST_SESSIONS or one in also:
                items = read_items(once(_records(stream, unheard)))
                said = next((item for item in items if isinstance(item, Said)), None)
                role, text = (None, None) if said is None else (said.role, said.text)
                yield one, Opening(stream.started, role, text)

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return sessions with what was copied and delegated from them, the newest first."""
        return grouped_families(self._parents, {one: entry.newest for one, entry in self.entries.items()})

    def read(self, ids: Sequence[str]) -> Family:
        """Read and conclude one of `families`."""
        streams = [self._streams[one] for one in parents_first(ids, self._parents)]
        size = sum(one.file.state.whole for one in streams)
        rows = sum(self.entries[one].rows for one in ids)
        small = size <= KEPT_BYTES and rows <= self._options.kept_rows
        reading = _FamilyReading(streams, {} if small else None)
        refused = len(self.rejected)
        for number, stream in enumerate(streams):
            self._read_stream(reading, stream, number)
        return Family(
            sessions=[
                session_row(one, reading.outlines[one.id], self._title(reading, one)) for one in streams
            ],
            placements=reading.placements,
            verdicts=reading.work.verdicts,
            compactions=reading.work.compactions,
            inherited=reading.work.inherited,
            row_count=sum(len(one.heard) for one in reading.outlines.values()),
            batches=partial(_batches, reading),
            rows_whole=len(self.rejected) == refused and all(map(self._is_whole, streams)),
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
        """Read what was added to a session after its last compaction; None where all of it must be read."""
        if len(ids) != 1 or not _may_go_on(stream := self._streams[ids[0]]):
            return None
        file = stream.file
        before = restart_place(file.restart)
        if before is None or not 0 < before.offset <= file.state.whole:
            return None
        found = read_on(stream, before, titled=bool(self._titles or file.facts.titled))
        if found is None:
            return None
        if found.restart is not None:
            self.restarts[file.name] = found.restart
        self.rejected.extend(found.refused)
        self._tell(stream, found.outline)
        return found.family

    # -- families ----------------------------------------------------------------------------------

    def _read_stream(self, reading: _FamilyReading, stream: StreamInfo, number: int) -> None:
        outline = Outline()
        rows: list[MessageRow] = []
        names = CallNames()
        spilled, watch = spilled_files(stream.file.path), RestartWatch()
        for item in _items(stream, self.rejected.append, outline):
            first = number * ROOM
            counted = not isinstance(item, Said) or not _is_known(reading.work, item)
            heard = note(outline, item, first, counted)
            watch.note(item, outline)
            if heard is not None and isinstance(item, Said) and reading.kept is not None:
                rows.append(message_row(item, heard.ref, names, spilled))
        placed = _place(stream, reading, outline)
        reading.outlines[stream.id] = outline
        reading.placements[stream.id] = placed
        live = conclude_session(reading.work, stream.id, outline, placed)
        if stream.stream == MAIN:
            alone = len(reading.streams) == 1 and _may_go_on(stream)
            self.restarts[stream.file.name] = watch.as_json(live) if alone else None
        if reading.kept is not None:
            reading.kept[stream.id] = rows
        self._tell(stream, outline)

    def _tell(self, stream: StreamInfo, outline: Outline) -> None:
        if outline.replayed:
            why = written_again(outline.replayed, "record")
            self.warnings.append(Warned("sessions", stream.id, None, why))
        self.warnings.extend(
            Warned("sessions", stream.id, None, one) for one in unknown_sentences(outline.unknown)
        )

    def _is_whole(self, stream: StreamInfo) -> bool:
        """Whether a session is in the one file that it was in before, and what it hangs on is there."""
        linked = stream.parent is None or stream.parent in self._streams
        return linked and self._before.get(stream.id.removesuffix("#side")) == stream.file.name

    def _title(self, reading: _FamilyReading, stream: StreamInfo) -> str | None:
        links = reading.outlines[stream.id].links
        return next((title for leaf, title in self._titles.items() if hash(leaf) in links), None)


def _may_go_on(stream: StreamInfo) -> bool:
    """Whether a session is all of a file that repeats no other, and no agent's."""
    return stream.stream == MAIN and stream.parent is None and not stream.file.facts.inside


def _items(stream: StreamInfo, refuse: Refuse, outline: Outline | None = None) -> Iterator[Item]:
    """Yield what a session says, each record once.

    Raises:
        SourceChangedError: its file is gone.
    """
    try:
        yield from read_items(once(_records(stream, refuse), outline))
    except OSError as error:
        raise SourceChangedError(f"{stream.file.path}: {error.strerror}") from error


def _records(stream: StreamInfo, refuse: Refuse) -> Iterator[TalkRecord]:
    """Yield the records of a stream; in an agent's own file all are its own."""
    file = stream.file
    mine = stream.stream == MAIN
    for record in read_records(file.path, 0, file.state.whole, refuse if mine else unheard):
        if file.facts.agent or record.is_side is not mine:
            yield record


def _place(stream: StreamInfo, reading: _FamilyReading, outline: Outline) -> Placement:
    """Return what a session is to its parent: a delegate, a branch, or the same talk in another file."""
    parent = stream.parent if stream.parent in reading.placements else None
    if stream.delegate:
        return Placement(Relation.DELEGATE, parent)
    if parent is None:
        return Placement(Relation.ROOT if stream.parent is None else Relation.BRANCH, None)
    if stream.file.facts.forked_from is not None:
        return Placement(Relation.BRANCH, parent)
    before = reading.outlines[parent].heard
    own = {uuid for one in outline.heard for uuid in one.uuids}
    continued = bool(before) and own.issuperset(before[-1].uuids)
    if not continued or parent in reading.continued:
        return Placement(Relation.BRANCH, parent)
    reading.continued.add(parent)
    return Placement(Relation.COMPACTION, parent)


def _batches(reading: _FamilyReading) -> Iterator[tuple[str, Sequence[MessageRow]]]:
    for stream in reading.streams:
        if reading.kept is not None:
            rows: Iterable[MessageRow] = reading.kept[stream.id]
        else:
            rows = _again(stream, reading.outlines[stream.id].heard)
        for batch in in_batches(rows):
            yield stream.id, batch


def _again(stream: StreamInfo, heard: Sequence[HeardMessage]) -> Iterator[MessageRow]:
    """Read a session once more."""
    names = CallNames()
    spilled = spilled_files(stream.file.path)
    said = (item for item in _items(stream, unheard) if isinstance(item, Said))
    for item, known in once_more(stream.file.path, said, heard):
        yield message_row(item, known.ref, names, spilled)


def _is_known(work: Conclusions, said: Said) -> bool:
    return any(one.uuid in work.known for one in said.records if one.uuid is not None)
