"""Sessions in the files of Goose's older releases: a line about the session, then one for each message."""

import sqlite3
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_sessions.agents.goose.records import (
    GooseMessage,
    GooseSession,
    message_of,
    session_of,
)
from hermes_sessions.agents.json_lines.file_state import WrittenState, look_at
from hermes_sessions.agents.json_lines.lines import count_lines, parse_line, read_lines
from hermes_sessions.agents.json_lines.places import is_begun
from hermes_sessions.agents.json_lines.reading import torn_ends
from hermes_sessions.agents.session_shelves.reading import SessionState
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.agents.values import Rejected, Warned
from hermes_sessions.errors import SourceChangedError, SourceError

SUFFIX: Final = ".jsonl"
_HEAD: Final = ("working_dir", "description")
"""What the first line has that says whose file it is."""


class GooseFiles:
    """A `GooseShelf`: a folder of files; read up to their last line feed.

    Attributes:
        damage: files that cannot be read, a line each.
        unfinished: files that are still being begun, and ends of files that are no lines yet.
    """

    schema_version = "jsonl"

    def __init__(self, folder: Path) -> None:
        self.damage: list[str] = []
        self.unfinished: list[Warned] = []
        self._files: dict[str, tuple[Path, WrittenState]] = {}
        found: list[tuple[GooseSession, SessionState]] = []
        for path in session_files(folder):
            try:
                state, _ = look_at(path, None)
                head = next(iter(read_lines(path, 0, state.whole)), None)
                if head is None and is_begun(path):
                    why = "its first line is not whole yet; it is read when it is"
                    self.unfinished.append(Warned("sessions", path.stem, None, why))
                if head is None or not is_session(path):
                    continue
                self.unfinished.extend(torn_ends([(path, path.name, state)], {}))
                record = session_of(path.stem, parse_line(head).value or {})
                rows = count_lines(path, 0, state.whole) - 1
            except OSError as error:
                self.damage.append(f"{path.name}: {str(error.strerror or error).lower()}")
                continue
            self._files[record.id] = path, state
            mark = blake2b(state.mark.encode(), digest_size=12).hexdigest()
            found.append((record, SessionState(mark, rows, state.modified / 1e9)))
        self.sessions: Mapping[str, GooseSession] = {record.id: record for record, _ in found}
        self.states: Mapping[str, SessionState] = {record.id: state for record, state in found}

    def connect(self, connection: sqlite3.Connection) -> None:
        """Do nothing: files are opened when they are read."""

    def beginning(self, session: str) -> tuple[str, float] | None:
        """Return role and time of a session's first message."""
        first = next(self.messages(session, lambda told: None), None)
        return None if first is None else (first.role, first.created or 0.0)

    def messages(self, session: str, refuse: Refuse) -> Iterator[GooseMessage]:
        """Yield a session's messages in order."""
        path, state = self._files[session]
        try:
            for line in islice(read_lines(path, 0, state.whole), 1, None):
                if line.raw is not None and not line.raw.strip():
                    continue
                read = parse_line(line)
                place = f"{session}:{line.offset}"
                found = read.reason if read.value is None else message_of(place, read.value, read.exact)
                if isinstance(found, str):
                    refuse(Rejected("messages", place, found))
                else:
                    yield found
        except OSError as error:
            raise SourceChangedError(f"{path}: {error.strerror}") from error


def session_files(folder: Path) -> list[Path]:
    """Return the files of a folder that have the name of a session's; nothing is opened.

    Raises:
        SourceError: the folder cannot be read.
    """
    try:
        return sorted(one for one in folder.iterdir() if one.suffix == SUFFIX and one.is_file())
    except OSError as error:
        raise SourceError(f"{folder}: {str(error.strerror or error).lower()}") from error


def is_session(path: Path) -> bool:
    """Return whether a file begins as a session's does."""
    with path.open("rb") as file:
        size = len(file.readline(1 << 20))
    head = next(iter(read_lines(path, 0, size)), None)
    value = parse_line(head).value if head is not None else None
    return value is not None and all(name in value for name in _HEAD) and "role" not in value
