"""Sessions in the JSON files of OpenCode's older releases: a file for each session, message and part."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.json_lines.lines import LONGEST, ParsedLine
from hermes_sessions.agents.json_lines.places import is_begun
from hermes_sessions.agents.opencode.records import (
    MessageRecord,
    PartRecord,
    SessionRecord,
    in_order,
    session_of,
)
from hermes_sessions.agents.session_shelves.cells import parsed
from hermes_sessions.agents.session_shelves.reading import SessionState
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.agents.values import Rejected, Warned
from hermes_sessions.errors import SourceChangedError, SourceError

_SUFFIX: Final = ".json"


class _File(NamedTuple):
    """A file as it was found: its size, and when it was changed, in nanoseconds."""

    path: Path
    size: int
    modified: int


class OpenCodeStorage:
    """An `OpenCodeShelf`: the folder `storage`.

    Attributes:
        damage: what could not be read, a line each.
        unfinished: sessions whose files are half written, or not there at all.
    """

    schema_version = "files"

    def __init__(self, folder: Path, refuse: Refuse) -> None:
        self._folder = folder
        self.damage: list[str] = []
        self.unfinished: list[Warned] = []
        self._messages: dict[str, dict[str, _File]] = {}
        found: dict[str, tuple[SessionRecord, SessionState]] = {}
        for project in self._folders(folder / "session"):
            for one, file in self._files(project).items():
                read = _read(file.path)
                if read.value is None and _is_begun(file.path):
                    why = f"{read.reason}: it is read when it is whole"
                    self.unfinished.append(Warned("sessions", one, None, why))
                    continue
                if read.value is None:
                    refuse(Rejected("session", one, read.reason))
                    continue
                record = session_of(one, read.value)
                known = found.get(one)
                if known is None or (known[0].updated or 0.0) < (record.updated or 0.0):
                    found[one] = record, self._state(one, file, record)
        ordered = sorted(found, key=lambda one: (found[one][0].created or 0.0, one))
        self.sessions: Mapping[str, SessionRecord] = {one: found[one][0] for one in ordered}
        self.states: Mapping[str, SessionState] = {one: found[one][1] for one in ordered}
        awaited = {one.id for one in self.unfinished}
        for lost in self._names(folder / "message") - set(found) - awaited:
            if (folder / "session").is_dir():
                refuse(Rejected("message", lost, "its session is not there"))
            else:
                why = "there are messages of it alone: it is read when it is there"
                self.unfinished.append(Warned("sessions", lost, None, why))

    def connect(self, connection: sqlite3.Connection) -> None:
        """Do nothing: files are opened when they are read."""

    def first_message(self, session: str) -> dict[str, Any] | None:
        """Return the data of a session's first message."""
        files = self._messages.get(session, {})
        first = next(iter(in_order(files)), None)
        return _read(files[first].path).value if first is not None else None

    def message_values(self, session: str) -> Iterator[dict[str, Any]]:
        """Yield the data of a session's messages in order."""
        files = self._messages.get(session, {})
        for one in in_order(files):
            value = _read(files[one].path).value
            if value is not None:
                yield value

    def messages(self, session: str, refuse: Refuse) -> Iterator[MessageRecord]:
        """Yield a session's messages in order."""
        if not self._folder.is_dir():
            raise SourceChangedError(f"{self._folder}: no such folder")
        files = self._messages.get(session, {})
        for one in in_order(files):
            read = _read(files[one].path)
            parts: list[PartRecord] = []
            for name, file in sorted(self._files(self._folder / "part" / one).items()):
                part = _read(file.path)
                if part.value is None:
                    refuse(Rejected("part", name, f"of message {one[:80]}: {part.reason}"))
                else:
                    parts.append(PartRecord(name, part.value, part.exact))
            if read.value is None:
                refuse(Rejected("message", one, read.reason))
            else:
                yield MessageRecord(one, read.value, parts)

    # -- files -------------------------------------------------------------------------------------

    def _state(self, session: str, file: _File, record: SessionRecord) -> SessionState:
        """Return how a session is, by the names, sizes and times of its files."""
        messages = self._messages[session] = self._files(self._folder / "message" / session)
        told = blake2b(f"{file.size}.{file.modified}".encode(), digest_size=12)
        rows, newest = len(messages), 0
        for one in sorted(messages):
            parts = self._files(self._folder / "part" / one)
            rows += len(parts)
            for name, found in (((one, messages[one])), *sorted(parts.items())):
                told.update(f"{name}\0{found.size}\0{found.modified}\n".encode("utf-8", "surrogateescape"))
                newest = max(newest, found.modified)
        return SessionState(told.hexdigest(), rows, max(newest / 1e6, record.updated or 0.0) / 1000)

    def _files(self, folder: Path) -> dict[str, _File]:
        """Return the files of a folder by id; none where there is no such folder."""
        found: dict[str, _File] = {}
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.endswith(_SUFFIX) and entry.is_file():
                        stat = entry.stat()
                        name = entry.name.removesuffix(_SUFFIX)
                        found[name] = _File(Path(entry.path), stat.st_size, stat.st_mtime_ns)
        except (FileNotFoundError, NotADirectoryError):
            return found
        except OSError as error:
            line = f"{folder}: {str(error.strerror or error).lower()}"
            if line not in self.damage:
                self.damage.append(line)
        return found

    def _folders(self, folder: Path) -> list[Path]:
        return [folder / name for name in sorted(self._names(folder))]

    def _names(self, folder: Path) -> set[str]:
        try:
            with os.scandir(folder) as entries:
                return {entry.name for entry in entries if entry.is_dir()}
        except (FileNotFoundError, NotADirectoryError):
            return set()
        except OSError as error:
            raise SourceError(f"{folder}: {str(error.strerror or error).lower()}") from error


def _is_begun(path: Path) -> bool:
    try:
        return is_begun(path)
    except OSError:
        return False


def _read(path: Path) -> ParsedLine:
    """Return the object of a file, or why there is none."""
    try:
        with path.open("rb") as file:
            raw = file.read(LONGEST + 1)
    except OSError as error:
        return ParsedLine(None, str(error.strerror or error).lower())
    if len(raw) > LONGEST:
        return ParsedLine(None, f"more than {LONGEST:,} bytes long")
    return parsed(raw)
