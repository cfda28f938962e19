"""Write small `state.db` files shaped like those of a Hermes release.

    path = state_db(
        tmp_path / "state.db",
        version=17,
        sessions=[session("a", end_reason="compression"), session("b", parent="a")],
        messages=[row("a", "user", "Hello"), row("a", "assistant", "Hello back")],
    )

A column that the version did not have yet is left out, so one story can be told to
every version. Times are counted up from START unless said.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hermes_sessions.demo.agent_tables import create_tables, insert_rows, message_columns, session_columns

START = 1_780_000_000.0
VERSIONS = (1, 4, 6, 9, 11, 14, 16, 17, 30)
JSON_SENTINEL = "\0json:"


def session(
    session_id: str, *, parent: str | None = None, source: str = "cli", **columns: Any
) -> dict[str, Any]:
    """Return a row of `sessions`; `columns` are any others, by name."""
    return {"id": session_id, "parent_session_id": parent, "source": source, **columns}


def row(session_id: str, role: str, text: Any = None, **columns: Any) -> dict[str, Any]:
    """Return a row of `messages`; a list as *text* is stored as structured content."""
    content = JSON_SENTINEL + json.dumps(text) if isinstance(text, list) else text
    return {"session_id": session_id, "role": role, "content": content, **columns}


def calls(*named: tuple[str, str, Mapping[str, Any]]) -> str:
    """Return the JSON of tool calls given as (id, name, arguments)."""
    return json.dumps(
        [
            {
                "id": call_id,
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for call_id, name, arguments in named
        ]
    )


def state_db(
    path: Path,
    *,
    version: int = 17,
    sessions: Iterable[Mapping[str, Any]] = (),
    messages: Iterable[Mapping[str, Any]] = (),
    wal: bool = False,
) -> Path:
    """Write a `state.db` of *version* to *path* and return it.

    Args:
        path: where; must not exist.
        version: schema version, which decides the columns.
        sessions: rows from `session`, parents before children or after.
        messages: rows from `row`; ids count from 1 in this order unless given.
        wal: leave the file in WAL mode, as the agent does.
    """
    connection = sqlite3.connect(path)
    try:
        if wal:
            connection.execute("PRAGMA journal_mode = WAL")
        create_tables(connection, version)
        timed_sessions = [{"started_at": START + 3600.0 * n} | dict(one) for n, one in enumerate(sessions)]
        timed_messages = [{"timestamp": START + 10.0 * n} | dict(one) for n, one in enumerate(messages)]
        insert_rows(connection, "sessions", session_columns(version), timed_sessions)
        insert_rows(connection, "messages", message_columns(version), timed_messages)
        connection.commit()
    finally:
        connection.close()
    return path
