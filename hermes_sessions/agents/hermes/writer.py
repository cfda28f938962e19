"""Write stored rows as a `state.db`: imported rows as they were, others as Hermes would have written them.

The file itself and the cells of imported rows are `state_file`.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.contract import (
    Columns,
    WritableMessage,
    WritableRows,
    WritableSession,
    Writer,
    Written,
)
from hermes_sessions.agents.hermes.framing import SPEAKERS, framed_content
from hermes_sessions.agents.hermes.schema import SCHEMA_VERSION, SENTINEL, columns_of
from hermes_sessions.agents.hermes.state_file import (
    Cells,
    StateFile,
    UnfitColumnError,
    message_cells,
    raw_cell,
    session_cells,
)
from hermes_sessions.call_names import written_name
from hermes_sessions.errors import ExportError, HermesSessionsError, NotEnoughSpaceError
from hermes_sessions.messages import MessageKind, Role

_COLUMNS: Final = columns_of("messages")
_OWN_KEYS: Final = {"role", "content", "tool_calls", "tool_call_id", "name", "finish_reason", "reasoning"}


class HermesWriter:
    """A `Writer` of the contract."""

    kind = "hermes"
    file_type = "a state.db"
    suffix = ".db"

    def write(self, path: Path, rows: WritableRows) -> Written:
        """Write everything into *path*; see `Writer.write`."""
        free: dict[str, set[str]] = defaultdict(set)
        while True:
            try:
                return Written(SCHEMA_VERSION, _write(path, rows, free))
            except UnfitColumnError as unfit:
                if unfit.column in free[unfit.table]:
                    raise ExportError(f"{unfit} cannot be written") from unfit
                # A value that was imported is worth more than the declaration of its column.
                free[unfit.table].add(unfit.column)
                path.write_bytes(b"")
            except sqlite3.OperationalError as error:  # of the new file: nothing else here is SQLite's
                raise _unwritten(error) from error


WRITER: Final[Writer] = HermesWriter()


@dataclass(slots=True)
class _Writing:
    """One file on its way."""

    file: StateFile
    next_id: int
    dropped: set[str] = field(default_factory=set)


def _write(path: Path, rows: WritableRows, free: Mapping[str, set[str]]) -> list[str]:
    """Write the file and return what its reader should know."""
    with StateFile(path, free) as file:
        writing = _Writing(file, max(rows.next_row_id, 1))
        for session in rows.sessions():
            _write_session(writing, session)
        for columns, started_at in rows.interrupted():
            file.add_lock(_session_id(columns), started_at)
        file.finish()
        notes = list(file.notes)
    if writing.dropped:
        names = ", ".join(sorted(writing.dropped))
        notes.append(f"a state.db has no place for these keys of messages made here: {names}")
    if any(free.values()):
        names = ", ".join(sorted(f"{table}.{name}" for table, columns in free.items() for name in columns))
        notes.append(f"declared without type, for what they hold: {names}")
    return notes


def _write_session(writing: _Writing, session: WritableSession) -> None:
    extra = session.columns["extra"] or {}
    session_id = _session_id(session.columns) if session.own else session.columns["foreign_id"]
    if "$placeholder" not in extra:
        prompt = session.prompt
        writing.file.add(
            "sessions", session_cells(session.columns, prompt) if session.own else _made(session)
        )
        if "system_prompt_hash" in extra and prompt is not None and session.own:
            exact = raw_cell(extra.get("$prompt", prompt))
            writing.file.add_prompt(raw_cell(extra["system_prompt_hash"]), exact)
    for message in session.messages():
        if message.said is None:
            cells = message_cells(message.columns, session_id)
        else:
            cells = _made_message(writing, message, message.said, session_id)
        if cells["id"] is None:
            cells["id"] = writing.next_id
            writing.next_id += 1
        writing.file.add("messages", cells)


def _session_id(columns: Columns) -> Any:
    """Return the id as the agent had it; it need not be text."""
    extra = columns["extra"] or {}
    return raw_cell(extra["id"]) if "id" in extra else columns["foreign_id"]


def _made(session: WritableSession) -> Cells:
    """Return a session that the agent does not know as it would have written it."""
    cells = session_cells({**session.columns, "extra": None}, session.prompt)
    return {"source": session.origin, **cells, "message_count": session.live}


def _made_message(
    writing: _Writing, message: WritableMessage, said: Mapping[str, Any], session_id: str
) -> Cells:
    """Return a message that the agent does not know as it would have written it."""
    name = written_name(message.columns["tool_name"], message.columns["extra"])
    cells = message_cells({**message.columns, "tool_name": name, "extra": None}, session_id)
    content = framed_content(message.columns, said.get("content"))
    cells["id"] = None
    cells["content"] = SENTINEL + json.dumps(content) if isinstance(content, list) else _text(content)
    for key, value in said.items():
        if key in _COLUMNS and key not in _OWN_KEYS and key not in cells:
            cells[key] = value if isinstance(value, str | int | float) else json.dumps(value)
        elif key not in _OWN_KEYS and key not in _COLUMNS:
            writing.dropped.add(key)
    if message.columns["kind"] != MessageKind.MESSAGE:
        cells["_compressed_summary"] = 1
        if cells["role"] not in SPEAKERS:
            cells["role"] = Role.USER.value
    return cells


def _text(content: Any) -> str | None:
    """Return content as SQLite holds it: lone surrogates, which no UTF-8 has, are replaced."""
    return None if content is None else str(content).encode("utf-8", "replace").decode()


def _unwritten(error: sqlite3.OperationalError) -> HermesSessionsError:
    kind = NotEnoughSpaceError if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL else ExportError
    return kind(f"cannot be written: {error}")
