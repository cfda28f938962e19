"""Everything a store holds, without surrogate keys: two stores with the same dump hold the same."""

import json
from typing import Any

from sqlalchemy import text

from hermes_sessions.store.opening.database import Database

_KEYS = {
    "sessions": "SELECT id, public_id FROM sessions",
    "conversations": "SELECT id, public_id FROM conversations",
    "messages": "SELECT m.id, s.public_id || ':' || m.position FROM messages m"
    " JOIN sessions s ON s.id = m.session_id",
    "compactions": "SELECT c.id, s.public_id || '/' || c.origin_key FROM compactions c"
    " JOIN sessions s ON s.id = c.session_id",
    "origins": "SELECT id, label FROM origins",
}
_POINTERS = {
    "origin_id": "origins", "tip_id": "sessions", "conversation_id": "conversations",
    "parent_id": "sessions", "session_id": "sessions", "child_id": "sessions", "copy_of": "messages",
    "archived_by": "compactions", "span_first_id": "messages", "span_last_id": "messages",
    "handoff_id": "messages",
}  # fmt: skip
_JSON = {"extra", "policy", "claim", "audit"}
_LEFT_OUT = {"id", "search_key", "root_id", "created_at", "changed"}
"""Row keys; search keys and numbers of changes tell the order of arrival; an origin's time of arrival."""


def dump(database: Database) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every table, sorted, their pointers as names."""
    with database.read() as db:
        names: dict[str, dict[int, str]] = {
            table: {row[0]: row[1] for row in db.execute(text(stmt))} for table, stmt in _KEYS.items()
        }
        result = {}
        for table in ("conversations", "sessions", "messages", "compactions", "system_prompts"):
            rows = db.execute(text(f"SELECT * FROM {table}")).mappings().all()
            result[table] = sorted((_named(row, table, names) for row in rows), key=repr)
    return result


def _named(row: Any, table: str, names: dict[str, dict[int, str]]) -> dict[str, Any]:
    named = {}
    for column, value in row.items():
        if column in _JSON and isinstance(value, str):
            value = json.loads(value)  # SQLite's driver hands JSON over as text
        if column == "created_at" and table == "messages":
            named[column] = value
        elif column not in _LEFT_OUT:
            target = _POINTERS.get(column)
            named[column] = names[target].get(value, value) if target and value is not None else value
    return named
