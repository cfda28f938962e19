"""Open a place whose sessions are a file each, read and conclude its families. Names no agent."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Generic

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
from hermes_sessions.agents.session_files.reading import FileFormat, HeardSession, OutlineT
from hermes_sessions.agents.session_files.rows import session_row
from hermes_sessions.agents.session_files.survey import (
    FiledSession,
    SessionFile,
    cursor_of,
    files_before,
    sessions_of,
    survey_files,
)
from hermes_sessions.agents.session_files.told import heard_of
from hermes_sessions.agents.told_messages import Refuse, ToldMessage, message_row
from hermes_sessions.agents.unknown_kinds import UnknownKind, unknown_sentences
from hermes_sessions.agents.values import Family, MessageRow, Rejected, SessionRow, Warned
from hermes_sessions.call_names import CallNames
from hermes_sessions.errors import SourceChangedError
from hermes_sessions.lineage import Placement, Relation


@dataclass(slots=True)
class _FilesReading(Generic[OutlineT]):
    """A family while it is read, parents first.

    Attributes:
        kept: its rows by session; None where they would be too many to hold.
    """

    sessions: Sequence[FiledSession]
    kept: dict[str, list[MessageRow]] | None
    heard: dict[str, HeardSession[OutlineT]] = field(default_factory=dict)
    work: FamilyConclusions = field(default_factory=FamilyConclusions)


class SessionFilesSource(Generic[OutlineT]):
    """A `Source` of the contract; what is written to its files later is for the next run."""

    def __init__(
        self,
        location: Path,
        cursor: Cursor | None,
        options: OpenOptions,
        form: FileFormat[OutlineT],
        version: str,
    ) -> None:
        self.location = location
        self.schema_version = version
        self.rejected: list[Rejected] = []
        self.warnings: list[Warned] = []
        self._form = form
        self._options = options
        self._told = cursor or {}
        told = {} if options.full else self._told
        self._before = files_before(told)
        found = list(survey_files(location, form.files(location), told, form.look, form.beside))
        self.damage: Sequence[str] = [one for one in found if isinstance(one, str)]
        self._files = [one for one in found if isinstance(one, SessionFile)]
        unfinished = [one for one in found if isinstance(one, Warned)]
        self.warnings.extend(unfinished)
        self.warnings.extend(torn_ends(((one.path, one.name, one.state) for one in self._files), told))
        self.complete = location.is_dir() and not self.damage and not unfinished
        self._sessions = sessions_of(self._files)
        self._parents = {one: session.parent for one, session in self._sessions.items()}
        self.entries: Mapping[str, Entry] = {
            one: Entry(
                id=one,
                parent=session.parent,
                mark=session.mark,
                rows=session.file.facts.rows,
                newest=session.file.facts.newest,
                stored=True,
            )
            for one, session in self._sessions.items()
        }

    def openings(self, also: Collection[str] = ()) -> Iterable[tuple[str, Opening]]:
        """Yield how the first sessions begin, and those of *also*."""
        for number, (one, session) in enumerate(self._sessions.items()):
            if number < FIRST_SESSIONS or one in also:
                first = next(_told(self._form, session.file, self._form.outline(), unheard), None)
                role, text = (None, None) if first is None else (first.role, first.text)
                yield one, Opening(session.file.facts.started, role, text)

    def families(self) -> Sequence[tuple[str, ...]]:
        """Return sessions with those that hang on them, the newest first."""
        return grouped_families(self._parents, {one: entry.newest for one, entry in self.entries.items()})

    def read(self, ids: Sequence[str]) -> Family:
        """Read and conclude one of `families`."""
        sessions = [self._sessions[one] for one in parents_first(ids, self._parents)]
        size = sum(one.file.state.size for one in sessions)
        rows = sum(self.entries[one].rows for one in ids)
        small = size <= KEPT_BYTES and rows <= self._options.kept_rows
        reading: _FilesReading[OutlineT] = _FilesReading(sessions, {} if small else None)
        placements, refused = {}, len(self.rejected)
        for number, session in enumerate(sessions):
            placements[session.id] = _place(session, reading.heard)
            self._read_session(reading, session, number * ROOM)
        work = reading.work
        return Family(
            sessions=[self._row(reading.heard[one.id], work.inherited.get(one.id, 0)) for one in sessions],
            placements=placements,
            verdicts=work.verdicts,
            compactions=work.compactions,
            inherited=work.inherited,
            row_count=sum(len(one.heard) for one in reading.heard.values()),
            batches=partial(_batches, self._form, reading),
            rows_whole=len(self.rejected) == refused and all(map(self._is_whole, reading.heard.values())),
            keeps_compacted=len(self.rejected) == refused,
        )

    def cursor(self) -> Cursor:
        """Return what every file was, and what was found in it."""
        unread = left_unread(self._told, self.location, {one.name for one in self._files})
        return {**unread, **cursor_of(self._files)}

    def portable(self) -> PortableSource:
        """Return what another process needs to read families."""
        fresh = copy(self)
        fresh.rejected, fresh.warnings = [], []
        return PlainSource(fresh)

    # -- one session -------------------------------------------------------------------------------

    def _read_session(self, reading: _FilesReading[OutlineT], session: FiledSession, first_ref: int) -> None:
        outline = self._form.outline()
        rows: list[MessageRow] = []
        names = CallNames()
        for told in _told(self._form, session.file, outline, self.rejected.append):
            heard = heard_of(told, first_ref + len(outline.heard))
            outline.heard.append(heard)
            if reading.kept is not None:
                rows.append(message_row(told, heard.ref, names))
        parent = reading.heard.get(session.parent or "")
        heard_session = HeardSession(session, outline, parent)
        reading.heard[session.id] = heard_session
        self._form.conclude(reading.work, heard_session)
        if reading.kept is not None:
            reading.kept[session.id] = rows
        for why in outline.notes:
            self.warnings.append(Warned("sessions", session.id, None, why))
        unknown = {UnknownKind("record", kind): count for kind, count in outline.unknown.items()}
        for why in unknown_sentences(unknown):
            self.warnings.append(Warned("sessions", session.id, None, why))

    def _is_whole(self, heard: HeardSession[OutlineT]) -> bool:
        """Whether a session is in the one file that it was in before, and nothing in that is odd."""
        file, parent = heard.session.file, heard.session.parent
        linked = (parent is None) == (heard.parent is None)
        return linked and not heard.outline.notes and self._before.get(heard.id) == file.name

    def _row(self, heard: HeardSession[OutlineT], copied: int) -> SessionRow:
        form = self._form
        return session_row(heard.session, heard.outline, form.source, copied, form.extra(heard))


def _place(session: FiledSession, heard: Mapping[str, object]) -> Placement:
    """Return what a session is to its parent: a delegate or a branch."""
    parent = session.parent if session.parent in heard else None
    if session.file.facts.delegate:
        return Placement(Relation.DELEGATE, parent)
    return Placement(Relation.ROOT if session.parent is None else Relation.BRANCH, parent)


def _told(
    form: FileFormat[OutlineT], file: SessionFile, outline: OutlineT, refuse: Refuse
) -> Iterator[ToldMessage]:
    """Yield the messages of a file.

    Raises:
        SourceChangedError: it is gone.
    """
    try:
        yield from form.messages(file, outline, refuse)
    except OSError as error:
        raise SourceChangedError(f"{file.path}: {error.strerror}") from error


def _batches(
    form: FileFormat[OutlineT], reading: _FilesReading[OutlineT]
) -> Iterator[tuple[str, Sequence[MessageRow]]]:
    for session in reading.sessions:
        if reading.kept is not None:
            rows: Iterable[MessageRow] = reading.kept[session.id]
        else:
            rows = _again(form, reading.heard[session.id])
        for batch in in_batches(rows):
            yield session.id, batch


def _again(form: FileFormat[OutlineT], heard: HeardSession[OutlineT]) -> Iterator[MessageRow]:
    """Read a session once more."""
    names, file = CallNames(), heard.session.file
    told = _told(form, file, form.outline(), unheard)
    for one, known in once_more(file.path, told, heard.heard):
        yield message_row(one, known.ref, names)
