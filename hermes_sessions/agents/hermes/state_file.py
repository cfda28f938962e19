"""Write a Hermes `state.db`: sessions and messages as stored -> the cells the agent had.

The inverse of the importer: what has a field comes from it, what was kept raw comes
back as it was, byte for byte, also text that is none and columns nobody knows.
"""

import base64
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from hermes_sessions.agents.hermes.schema import (
    COLUMNS,
    SCHEMA_VERSION,
    SENTINEL,
    UNIQUE_TITLES,
    columns_of,
    index_statements,
    table_statements,
)
from hermes_sessions.call_names import written_name
from hermes_sessions.errors import ExportError
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import MessageState

_DECLARED: Final = {table: columns_of(table) for table in COLUMNS}
_NUMERIC = late_pattern(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*")
_FLAGS: Final = {
    MessageState.LIVE: (1, 0),
    MessageState.COMPACTED: (0, 1),
    MessageState.SUPERSEDED: (0, 0),
    MessageState.REWOUND: (0, 0),
}
_SESSION_FIELDS: Final = (
    "parent_session_id", "source", "model", "title", "cwd", "started_at", "ended_at", "end_reason",
    "tool_call_count", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
    "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd",
)  # fmt: skip
_MESSAGE_FIELDS: Final = ("role", "tool_call_id", "tool_calls", "token_count", "finish_reason", "reasoning")

_SHARED_TITLES: Final = (
    "SELECT 1 FROM sessions WHERE title IS NOT NULL GROUP BY title HAVING count(*) > 1 LIMIT 1"
)

Cells = dict[str, Any]
"""Column -> value as SQLite holds it; `RawText` where it is text that is not UTF-8."""


class UndecodedText(bytes):
    """The bytes of a TEXT value that cannot be written as text of Python's."""

    __slots__ = ()


class UnfitColumnError(Exception):
    """A value does not survive the declared type of its column; nothing for the user to see."""

    def __init__(self, table: str, column: str) -> None:
        super().__init__(f"{table}.{column}")
        self.table = table
        self.column = column


def session_cells(row: Mapping[str, Any], prompt: str | None) -> Cells:
    """Return the cells of an imported session.

    Args:
        row: the stored columns by name.
        prompt: its system prompt.
    """
    extra = row["extra"] or {}
    cells: Cells = {"id": row["foreign_id"]}
    cells |= {name: row[name] for name in _SESSION_FIELDS if row[name] is not None}
    cells["archived"] = int(row["origin_archived"])
    if "system_prompt_hash" not in extra or "$inline_prompt" in extra:
        cells["system_prompt"] = prompt
    return cells | _kept(extra)


def message_cells(row: Mapping[str, Any], session_id: Any) -> Cells:
    """Return the cells of an imported message; its id is the one it had, None where it had none."""
    extra = row["extra"] or {}
    gone = extra.get("$gone")
    content = row["text"] if row["blocks"] is None else SENTINEL + row["blocks"]
    active, compacted = _FLAGS[MessageState(row["state"])]
    cells: Cells = {
        "id": gone["id"] if gone else row["origin_row_id"],
        "session_id": session_id,
        "content": content,
        "active": active,
        "compacted": compacted,
    }
    if row["created_at"] is not None:
        cells["timestamp"] = row["created_at"]
    cells |= {name: row[name] for name in _MESSAGE_FIELDS if row[name] is not None}
    if (name := written_name(row["tool_name"], extra)) is not None:
        cells["tool_name"] = name
    return cells | _kept(extra)


def raw_cell(value: Any) -> Any:
    """Return a value that an import kept raw as SQLite had it."""
    if not isinstance(value, Mapping):
        return value
    if "$b64" in value:
        return base64.b64decode(value["$b64"])
    if "$text_b64" in value:
        return UndecodedText(base64.b64decode(value["$text_b64"]))
    return float(value["$real"])


def _kept(extra: Mapping[str, Any]) -> Cells:
    return {name: raw_cell(value) for name, value in extra.items() if not name.startswith("$")}


@dataclass(slots=True)
class StateFile:
    """An unfinished `state.db`: one transaction, committed by `finish`.

    Attributes:
        free: table -> columns made without type or constraint.
        notes: what the reader of the file should know.
    """

    path: Path
    free: Mapping[str, Collection[str]]
    notes: list[str] = field(default_factory=list)
    _known: dict[str, set[str]] = field(default_factory=dict)
    _connection: sqlite3.Connection = field(init=False)

    def __post_init__(self) -> None:
        # Nobody else knows the file, and whoever made it holds a lock on it.
        address = f"{self.path.absolute().as_uri()}?nolock=1"
        self._connection = sqlite3.connect(address, uri=True, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute("BEGIN")
        for statement in table_statements(free=self.free):
            self._connection.execute(statement)
        self._connection.execute("INSERT INTO schema_version VALUES (?)", (SCHEMA_VERSION,))
        self._known = {table: set(columns) for table, columns in _DECLARED.items()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def add(self, table: str, cells: Cells) -> None:
        """Write one row of `sessions` or `messages`.

        Raises:
            UnfitColumnError: a value would be changed or refused by its column's type.
            ExportError: another row has its id.
        """
        for name, value in cells.items():
            if name not in self._known[table]:
                self._add_column(table, name)
            elif name not in self.free.get(table, ()) and not _fits(_DECLARED[table].get(name, ""), value):
                raise UnfitColumnError(table, name)
        names = ", ".join(_quoted(name) for name in cells)
        places = ", ".join(
            "CAST(? AS TEXT)" if isinstance(value, UndecodedText) else "?" for value in cells.values()
        )
        values = [bytes(value) if isinstance(value, UndecodedText) else value for value in cells.values()]
        try:
            self._connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", values)
        except sqlite3.IntegrityError as error:
            raise self._refused(table, cells, str(error)) from error

    def add_prompt(self, key: Any, prompt: Any) -> None:
        """Write a system prompt that sessions name by its hash."""
        places = ["CAST(? AS TEXT)" if isinstance(value, UndecodedText) else "?" for value in (key, prompt)]
        values = [bytes(value) if isinstance(value, UndecodedText) else value for value in (key, prompt)]
        self._connection.execute(f"INSERT OR IGNORE INTO system_prompts VALUES ({', '.join(places)})", values)

    def add_lock(self, session_id: Any, at: float | None) -> None:
        """Write the lock that an unfinished compaction left behind; it has expired."""
        when = at or 0.0
        self._connection.execute(
            "INSERT OR IGNORE INTO compression_locks VALUES (?, ?, ?, ?)", (session_id, "unknown", when, when)
        )

    def finish(self) -> None:
        """Make the indexes and commit."""
        for statement in index_statements():
            self._connection.execute(statement)
        # Asked first: without a journal a statement that fails half-way leaves its pages behind.
        if self._connection.execute(_SHARED_TITLES).fetchone() is None:
            self._connection.execute(UNIQUE_TITLES)
        else:
            self.notes.append(
                "some sessions share a title, as they did where they came from: the file has no unique"
                " index on titles, and the agent may ask for one"
            )
        self._connection.execute("COMMIT")
        with closing(self._connection.execute("PRAGMA integrity_check")) as found:
            told = found.fetchall()
        if told != [("ok",)]:
            raise ExportError(f"{self.path}: the file that was written is damaged: {told[0][0]}")

    def _add_column(self, table: str, name: str) -> None:
        self._connection.execute(f"ALTER TABLE {table} ADD COLUMN {_quoted(name)}")
        self._known[table].add(name)

    def _refused(self, table: str, cells: Cells, why: str) -> Exception:
        """Tell a column that may not be empty from a row that is there twice."""
        if why.startswith("NOT NULL constraint failed: "):
            return UnfitColumnError(table, why.rpartition(".")[2])
        return ExportError(f"{table} {cells.get('id')!r}: cannot be written beside the others: {why}")


def _fits(declaration: str, value: Any) -> bool:
    """Return whether SQLite keeps *value* as it is in a column declared so."""
    if isinstance(value, UndecodedText) or value is None:
        return True
    if declaration.startswith("TEXT"):
        return isinstance(value, str | bytes)
    if declaration.startswith(("INTEGER", "REAL")):
        if isinstance(value, str):
            return _NUMERIC.fullmatch(value) is None
        return not isinstance(value, int) or declaration.startswith("INTEGER") or int(float(value)) == value
    return True


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
