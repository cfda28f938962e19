"""Sessions in Goose's SQLite database. Columns are probed: releases have more and more."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final
from zlib import crc32

from hermes_sessions.agents.goose.records import (
    GooseMessage,
    GooseSession,
    message_of,
    session_of,
)
from hermes_sessions.agents.json_lines.lines import LONGEST
from hermes_sessions.agents.session_shelves.cells import (
    MOST_NAMED,
    bound_of,
    cells_mark,
    columns_of,
    lost_row,
    parsed,
    session_rows,
)
from hermes_sessions.agents.session_shelves.reading import SessionState
from hermes_sessions.agents.sqlite_source.expected_tables import ExpectedTables
from hermes_sessions.agents.sqlite_source.grouped_rows import rows_of
from hermes_sessions.agents.sqlite_source.readable import ReadableDatabase, naming_damage
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.agents.values import Rejected

EXPECTED: Final = ExpectedTables(
    agent="Goose",
    file_name="sessions.db",
    needs={
        "sessions": ("id", "working_dir"),
        "messages": ("id", "session_id", "role", "content_json", "created_timestamp"),
    },
    checked=("sessions", "messages"),
)
TABLES: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "sessions": (),
    "messages": [("session_id", "id")],
    "schema_version": (),
}
_SESSION: Final = (
    "id", "name", "description", "user_set_name", "session_type", "working_dir", "created_at", "updated_at",
    "archived_at",
    "input_tokens", "output_tokens", "accumulated_input_tokens", "accumulated_output_tokens",
    "accumulated_cost", "provider_name", "model_config_json", "schedule_id",
)  # fmt: skip


class GooseDatabase:
    """A `GooseShelf`; its messages are those that were there when it was made."""

    def __init__(self, readable: ReadableDatabase, refuse: Refuse) -> None:
        self._path = readable.foreign.path
        self._connection = readable.connection
        with naming_damage(self._path):
            self._known = columns_of(self._connection, "messages")
            self._bound = bound_of(self._connection, "messages")
            self._where = rows_of(self._connection, "messages", "session_id")
            marks = self._read_sessions(refuse)
            self.states: Mapping[str, SessionState] = self._states(marks, refuse)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_connection"}

    def connect(self, connection: sqlite3.Connection) -> None:
        """Read the same rows through another connection."""
        self._connection = connection
        with naming_damage(self._path):
            self._where = rows_of(connection, "messages", "session_id")

    @property
    def schema_version(self) -> str:
        """The highest version that the file records, or "unknown"."""
        try:
            [found] = self._connection.execute("SELECT max(version) FROM schema_version").fetchone()
        except sqlite3.DatabaseError:
            found = None
        return "unknown" if found is None else str(found)

    def beginning(self, session: str) -> tuple[str, float] | None:
        """Return role and time of a session's first message."""
        return self._first.get(session)

    def messages(self, session: str, refuse: Refuse) -> Iterator[GooseMessage]:
        """Yield a session's messages in order."""
        beside = ["message_id" if "message_id" in self._known else "NULL"]
        beside.append("metadata_json" if "metadata_json" in self._known else "NULL")
        asked = (
            f"SELECT id, role, content_json, created_timestamp, {', '.join(beside)} FROM messages"
            f" WHERE {self._where} AND rowid <= ? ORDER BY id"
        )
        with naming_damage(self._path):
            for row, role, raw, created, one, seen in self._connection.execute(asked, (session, self._bound)):
                found = _message(str(row), raw, {"role": role, "created": created, "id": one}, seen)
                if isinstance(found, str):
                    refuse(Rejected("messages", str(row)[:200], found))
                else:
                    yield found

    # -- what is there -----------------------------------------------------------------------------

    def _read_sessions(self, refuse: Refuse) -> dict[str, str]:
        """Read the sessions; return a mark of each one's row."""
        marks: dict[str, str] = {}
        found: list[GooseSession] = []
        for one, cells in session_rows(self._connection, "sessions", _SESSION, refuse):
            found.append(session_of(one, cells))
            marks[one] = cells_mark(tuple(cells.values()))
        found.sort(key=lambda one: (one.began or 0.0, one.id))
        self.sessions: Mapping[str, GooseSession] = {one.id: one for one in found}
        return marks

    def _states(self, marks: Mapping[str, str], refuse: Refuse) -> dict[str, SessionState]:
        """Return how sessions are. What a message says never changes under its id; who sees it does."""
        seen = "metadata_json" if "metadata_json" in self._known else "NULL"
        asked = (
            f"SELECT session_id, id, role, created_timestamp, {seen} FROM messages NOT INDEXED"
            " WHERE rowid <= ? ORDER BY rowid"
        )
        sums: dict[str, tuple[int, int, float]] = {}
        self._first: dict[str, tuple[str, float]] = {}
        lost: list[tuple[Any, Any]] = []
        for session, one, role, created, visible in self._connection.execute(asked, (self._bound,)):
            if not isinstance(session, str) or session not in marks:
                lost.append((session, one))
                continue
            told, rows, newest = sums.get(session, (0, 0, 0.0))
            at = created if type(created) is int else 0
            self._first.setdefault(session, (str(role), float(at)))
            told = crc32(repr((one, visible)).encode("utf-8", "surrogatepass"), told)
            sums[session] = told, rows + 1, max(newest, at / 1000 if at > 10**11 else float(at))
        for session, one in islice(lost, MOST_NAMED):
            refuse(lost_row("messages", one, session))
        states = {}
        for name, mark in marks.items():
            told, rows, newest = sums.get(name, (0, 0, 0.0))
            states[name] = SessionState(
                f"{mark}:{told:x}:{rows}", rows, newest or self.sessions[name].began or 0
            )
        return states


def _message(place: str, raw: Any, value: Mapping[str, Any], seen: Any) -> GooseMessage | str:
    """Return a message of the cells of its row, or why it is none."""
    if isinstance(raw, str | bytes) and len(raw) > LONGEST:
        return f"{len(raw):,} long; at most {LONGEST:,} bytes are read"
    # A list is read as what an object has, for the readers of lines take objects.
    whole = f'{{"content":{raw}}}' if isinstance(raw, str) else raw
    read = parsed(b'{"content":' + bytes(whole) + b"}" if isinstance(whole, bytes) else whole)
    if read.value is None:
        return read.reason
    told = {**value, "content": read.value.get("content"), "metadata": parsed(seen).value}
    return message_of(place, told, read.exact)
