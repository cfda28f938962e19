"""Sessions in OpenCode's SQLite database. Columns are probed; the table of events is never read."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from hermes_sessions.agents.json_lines.lines import LONGEST
from hermes_sessions.agents.opencode.records import (
    MessageRecord,
    PartRecord,
    SessionRecord,
    milliseconds,
    session_of,
    wrap_of,
)
from hermes_sessions.agents.session_shelves.cells import (
    MOST_NAMED,
    bound_of,
    cells_mark,
    columns_of,
    lost_row,
    parsed,
    row_name,
    session_rows,
)
from hermes_sessions.agents.session_shelves.reading import SessionState
from hermes_sessions.agents.sqlite_source.expected_tables import ExpectedTables
from hermes_sessions.agents.sqlite_source.grouped_rows import rows_of
from hermes_sessions.agents.sqlite_source.readable import ReadableDatabase, naming_damage
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.agents.unknown_kinds import counted
from hermes_sessions.agents.values import Rejected

EXPECTED: Final = ExpectedTables(
    agent="OpenCode",
    file_name="opencode.db",
    needs={
        "session": ("id", "parent_id", "directory", "title"),
        "message": ("id", "session_id", "data"),
        "part": ("id", "message_id", "session_id", "data"),
    },
    checked=("session", "message", "part"),
)
TABLES: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "session": [("id",)],
    "message": [("session_id", "id"), ("id",)],
    "part": [("session_id", "message_id", "id")],
    "migration": (),
}
_SESSION: Final = (
    "id", "parent_id", "project_id", "slug", "directory", "title", "version", "revert", "time_created",
    "time_updated", "time_archived", "agent", "model", "metadata",
)  # fmt: skip
_UNMARKED: Final = ("time_updated",)


@dataclass(frozen=True, slots=True)
class _Ids:
    """The messages of a session: the lowest and the highest id."""

    first: str
    last: str


class OpenCodeDatabase:
    """An `OpenCodeShelf`; its rows are those that were there when it was made."""

    def __init__(self, readable: ReadableDatabase, refuse: Refuse) -> None:
        self._path = readable.foreign.path
        self._connection = readable.connection
        self._sized = sqlite3.sqlite_version_info >= (3, 43)
        with naming_damage(self._path), self._transaction():
            self._bounds = {table: bound_of(self._connection, table) for table in ("message", "part")}
            self._wheres = self._conditions()
            marks = self._session_rows(refuse)
            self._ids: dict[str, _Ids] = {}
            self.states: Mapping[str, SessionState] = self._states(marks, refuse)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_connection"}

    def connect(self, connection: sqlite3.Connection) -> None:
        """Read the same rows through another connection."""
        self._connection = connection
        with naming_damage(self._path), self._transaction():
            self._wheres = self._conditions()

    @property
    def schema_version(self) -> str:
        """How many migrations the file has had."""
        try:
            [count] = self._connection.execute("SELECT count(*) FROM migration").fetchone()
        except sqlite3.DatabaseError:
            return "unknown"
        return counted(count, "migration")

    # -- what is there -----------------------------------------------------------------------------

    def _conditions(self) -> dict[str, str]:
        return {table: rows_of(self._connection, table, "session_id") for table in self._bounds}

    def _transaction(self) -> "_ReadTransaction":
        return _ReadTransaction(self._connection)

    def _session_rows(self, refuse: Refuse) -> dict[str, str]:
        """Read the sessions; return a mark of each one's row."""
        marks: dict[str, str] = {}
        found: list[SessionRecord] = []
        for one, cells in session_rows(self._connection, "session", _SESSION, refuse):
            found.append(session_of(one, _as_object(cells)))
            marks[one] = cells_mark([cell for name, cell in cells.items() if name not in _UNMARKED])
        found.sort(key=lambda one: (one.created or 0.0, one.id))
        self.sessions: Mapping[str, SessionRecord] = {one.id: one for one in found}
        return marks

    def _states(self, marks: Mapping[str, str], refuse: Refuse) -> dict[str, SessionState]:
        told: dict[str, list[Any]] = {one: [mark, 0, 0.0] for one, mark in marks.items()}
        for table in self._bounds:
            timed = "time_updated" in columns_of(self._connection, table)
            newest = "max(time_updated), total(time_updated % 1000003)" if timed else "0, 0"
            size = "total(octet_length(data))" if self._sized else "0"
            # From the table itself: an index may be what is damaged.
            asked = (
                f"SELECT session_id, count(*), min(id), max(id), {newest}, {size}"
                f" FROM {table} NOT INDEXED WHERE rowid <= ? GROUP BY session_id"
            )
            for session, rows, first, last, at, sums, chars in self._connection.execute(
                asked, (self._bounds[table],)
            ):
                stand = told.get(session) if isinstance(session, str) else None
                if stand is None:
                    self._name_lost(table, session, refuse)
                    continue
                stand[0] += f":{rows}:{last}:{at}:{sums:.0f}:{chars:.0f}"
                stand[1] += rows
                stand[2] = max(stand[2], milliseconds(at) or 0.0)
                if table == "message":
                    self._ids[session] = _Ids(str(first), str(last))
        updated = {one: record.updated or record.created or 0.0 for one, record in self.sessions.items()}
        return {
            one: SessionState(mark, rows, max(newest, updated[one]) / 1000)
            for one, (mark, rows, newest) in told.items()
        }

    def _name_lost(self, table: str, session: Any, refuse: Refuse) -> None:
        """Name the rows of a session that is not there."""
        asked = f"SELECT id FROM {table} WHERE session_id IS ? AND rowid <= ?"
        rows = self._connection.execute(asked, (session, self._bounds[table]))
        for (one,) in islice(rows, MOST_NAMED):
            refuse(lost_row(table, one, session))

    # -- what it says ------------------------------------------------------------------------------

    def first_message(self, session: str) -> dict[str, Any] | None:
        """Return the data of a session's first message."""
        with naming_damage(self._path):
            ids = self._ids.get(session)
            if ids is None:
                return None
            one = ids.first
            if wrap := wrap_of(ids.first, ids.last):
                asked = f"SELECT min(id) FROM message WHERE {self._wheres['message']} AND id >= ?"
                one = self._connection.execute(asked, (session, wrap)).fetchone()[0]
            row = self._connection.execute("SELECT data FROM message WHERE id = ?", (one,)).fetchone()
        return parsed(row[0]).value if row is not None else None

    def message_values(self, session: str) -> Iterator[dict[str, Any]]:
        """Yield the data of a session's messages in order."""
        with naming_damage(self._path):
            for _, _, raw, _ in self._rows("message", "id", session):
                value = parsed(raw).value
                if value is not None:
                    yield value

    def messages(self, session: str, refuse: Refuse) -> Iterator[MessageRecord]:
        """Yield a session's messages in order, read within one transaction."""
        wrap = self._wrap(session)

        def place(one: str) -> tuple[bool, str]:
            return one < wrap, one

        with naming_damage(self._path), self._transaction():
            parts = self._rows("part", "message_id", session)
            part = next(parts, None)
            for one, _, raw, size in self._rows("message", "id", session):
                mine: list[PartRecord] = []
                while part is not None and place(part[1]) <= place(one):
                    found = _part(part[0], part[2], part[3])
                    if part[1] != one:
                        refuse(
                            Rejected("part", row_name(part[0]), f"its message is not there: {part[1][:80]!r}")
                        )
                    elif isinstance(found, str):
                        refuse(Rejected("part", row_name(part[0]), f"of message {one[:80]}: {found}"))
                    else:
                        mine.append(found)
                    part = next(parts, None)
                value = parsed(raw) if raw is not None or not size else None
                if value is None or value.value is None:
                    refuse(
                        Rejected(
                            "message", row_name(one), value.reason if value is not None else _too_long(size)
                        )
                    )
                else:
                    yield MessageRecord(one, value.value, mine)
            while part is not None:
                refuse(Rejected("part", row_name(part[0]), f"its message is not there: {part[1][:80]!r}"))
                part = next(parts, None)

    def _wrap(self, session: str) -> str:
        ids = self._ids.get(session)
        return wrap_of(ids.first, ids.last) if ids is not None else ""

    def _rows(self, table: str, order: str, session: str) -> Iterator[tuple[str, str, Any, int]]:
        """Yield (id, message, data, bytes) of the rows of a session in order."""
        size = "octet_length(data)" if self._sized else "length(CAST(data AS BLOB))"
        data = f"CASE WHEN {size} <= {LONGEST} THEN data END"
        wrap = self._wrap(session)
        asked = (
            f"SELECT id, {order}, {data}, {size} FROM {table} WHERE {self._wheres[table]} AND rowid <= ?"
            f" ORDER BY {f'{order} < ?, ' if wrap else ''}{order}, id"
        )
        given = (session, self._bounds[table], *([wrap] if wrap else []))
        found = self._connection.execute(asked, given)
        return ((str(one), str(of), raw, length or 0) for one, of, raw, length in found)


class _ReadTransaction:
    """One state of the database, as long as it lasts; inside another one it is that."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._outer = True

    def __enter__(self) -> None:
        self._outer = not self._connection.in_transaction
        if self._outer:
            self._connection.execute("BEGIN")

    def __exit__(self, *_: object) -> None:
        if self._outer and self._connection.in_transaction:
            self._connection.execute("COMMIT")


def _part(one: str, raw: Any, size: int) -> PartRecord | str:
    if raw is None and size:
        return _too_long(size)
    found = parsed(raw)
    return found.reason if found.value is None else PartRecord(one, found.value, found.exact)


def _too_long(size: int) -> str:
    return f"{size:,} bytes long; at most {LONGEST:,} are read"


def _as_object(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of the table as the object that older releases wrote."""
    return {
        "parentID": cells.get("parent_id"),
        "projectID": _plain(cells.get("project_id")),
        "directory": cells.get("directory"),
        "title": cells.get("title"),
        "version": _plain(cells.get("version")),
        "slug": _plain(cells.get("slug")),
        "agent": _plain(cells.get("agent")),
        "model": _object(cells.get("model")),
        "metadata": _object(cells.get("metadata")),
        "revert": _object(cells.get("revert")),
        "time": {
            "created": cells.get("time_created"),
            "updated": cells.get("time_updated"),
            "archived": cells.get("time_archived"),
        },
    }


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int) else None


def _object(value: Any) -> Any:
    if not isinstance(value, str):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
