"""The tables of a Hermes `state.db`, by schema version, as far as we write them.

For the demo and for tests; importers never look here, they probe. Column names and
the version each came with are facts about the format; the text indexes and the
bookkeeping tables of the agent are left out.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, Final

_SESSION_COLUMNS: Final[tuple[tuple[int, str], ...]] = (
    (1, "id TEXT PRIMARY KEY"),
    (1, "source TEXT NOT NULL"),
    (1, "user_id TEXT"),
    (1, "model TEXT"),
    (1, "model_config TEXT"),
    (1, "system_prompt TEXT"),
    (1, "parent_session_id TEXT REFERENCES sessions(id)"),
    (1, "started_at REAL NOT NULL"),
    (1, "ended_at REAL"),
    (1, "end_reason TEXT"),
    (1, "message_count INTEGER DEFAULT 0"),
    (1, "tool_call_count INTEGER DEFAULT 0"),
    (1, "input_tokens INTEGER DEFAULT 0"),
    (1, "output_tokens INTEGER DEFAULT 0"),
    (4, "title TEXT"),
    (5, "cache_read_tokens INTEGER DEFAULT 0"),
    (5, "cache_write_tokens INTEGER DEFAULT 0"),
    (5, "reasoning_tokens INTEGER DEFAULT 0"),
    (5, "billing_provider TEXT"),
    (5, "billing_base_url TEXT"),
    (5, "billing_mode TEXT"),
    (5, "estimated_cost_usd REAL"),
    (5, "actual_cost_usd REAL"),
    (5, "cost_status TEXT"),
    (5, "cost_source TEXT"),
    (5, "pricing_version TEXT"),
    (8, "api_call_count INTEGER DEFAULT 0"),
    (11, "handoff_state TEXT"),
    (11, "handoff_platform TEXT"),
    (11, "handoff_error TEXT"),
    (14, "cwd TEXT"),
    (14, "rewind_count INTEGER NOT NULL DEFAULT 0"),
    (14, "archived INTEGER NOT NULL DEFAULT 0"),
    (16, "git_branch TEXT"),
    (16, "git_repo_root TEXT"),
    (17, "session_key TEXT"),
    (17, "chat_id TEXT"),
    (17, "chat_type TEXT"),
    (17, "thread_id TEXT"),
    (17, "compression_failure_cooldown_until REAL"),
    (17, "compression_failure_error TEXT"),
    (20, "display_name TEXT"),
    (20, "origin_json TEXT"),
    (20, "expiry_finalized INTEGER DEFAULT 0"),
    (30, "created_source TEXT"),
    (30, "system_prompt_hash TEXT REFERENCES system_prompts(hash)"),
    (30, "title_source TEXT"),
    (30, "last_activity_at REAL"),
    (30, "compression_fallback_streak INTEGER NOT NULL DEFAULT 0"),
    (30, "profile_name TEXT"),
    (30, "pinned INTEGER NOT NULL DEFAULT 0"),
    (30, "hidden INTEGER NOT NULL DEFAULT 0"),
    (30, "last_read_at REAL"),
    (30, "tool_names TEXT"),
)

_MESSAGE_COLUMNS: Final[tuple[tuple[int, str], ...]] = (
    (1, "id INTEGER PRIMARY KEY AUTOINCREMENT"),
    (1, "session_id TEXT NOT NULL REFERENCES sessions(id)"),
    (1, "role TEXT NOT NULL"),
    (1, "content TEXT"),
    (1, "tool_call_id TEXT"),
    (1, "tool_calls TEXT"),
    (1, "tool_name TEXT"),
    (1, "timestamp REAL NOT NULL"),
    (1, "token_count INTEGER"),
    (2, "finish_reason TEXT"),
    (6, "reasoning TEXT"),
    (6, "reasoning_details TEXT"),
    (6, "codex_reasoning_items TEXT"),
    (7, "reasoning_content TEXT"),
    (9, "codex_message_items TEXT"),
    (12, "platform_message_id TEXT"),
    (13, "observed INTEGER DEFAULT 0"),
    (14, "active INTEGER NOT NULL DEFAULT 1"),
    (16, "compacted INTEGER NOT NULL DEFAULT 0"),
    (20, "effect_disposition TEXT"),
    (30, "_compressed_summary INTEGER NOT NULL DEFAULT 0"),
    (30, "api_content TEXT"),
    (30, "display_kind TEXT"),
    (30, "display_metadata TEXT"),
    (30, "display_identity BLOB"),
    (30, "display_order INTEGER"),
)

_OTHER_TABLES: Final[tuple[tuple[int, str], ...]] = (
    (1, "CREATE TABLE schema_version (version INTEGER NOT NULL)"),
    (7, "CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT)"),
    (
        14,
        "CREATE TABLE compression_locks (session_id TEXT PRIMARY KEY, holder TEXT NOT NULL,"
        " acquired_at REAL NOT NULL, expires_at REAL NOT NULL)",
    ),
    (30, "CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL)"),
)

_INDEXES: Final[tuple[tuple[int, str], ...]] = (
    (1, "CREATE INDEX idx_sessions_source ON sessions(source)"),
    (1, "CREATE INDEX idx_sessions_parent ON sessions(parent_session_id)"),
    (1, "CREATE INDEX idx_messages_session ON messages(session_id, timestamp)"),
    (4, "CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL"),
    (14, "CREATE INDEX idx_messages_session_active ON messages(session_id, active, timestamp)"),
)


def session_columns(version: int) -> tuple[str, ...]:
    """Return the names of the columns of `sessions` in *version*."""
    return tuple(declaration.split()[0] for declaration in _since(_SESSION_COLUMNS, version))


def message_columns(version: int) -> tuple[str, ...]:
    """Return the names of the columns of `messages` in *version*."""
    return tuple(declaration.split()[0] for declaration in _since(_MESSAGE_COLUMNS, version))


def create_tables(connection: sqlite3.Connection, version: int) -> None:
    """Create the tables of *version* in an empty database, and say the version in it."""
    for statement in _since(_OTHER_TABLES, version):
        connection.execute(statement)
    for table, columns in (("sessions", _SESSION_COLUMNS), ("messages", _MESSAGE_COLUMNS)):
        connection.execute(f"CREATE TABLE {table} ({', '.join(_since(columns, version))})")
    for statement in _since(_INDEXES, version):
        connection.execute(statement)
    connection.execute("INSERT INTO schema_version VALUES (?)", (version,))


def insert_rows(
    connection: sqlite3.Connection, table: str, columns: Iterable[str], rows: Iterable[Mapping[str, Any]]
) -> None:
    """Insert *rows* into *table*; keys that are no column of this version are left out."""
    known = set(columns)
    for row in rows:
        names = [name for name in row if name in known]
        connection.execute(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
            [row[name] for name in names],
        )


def _since(declarations: Iterable[tuple[int, str]], version: int) -> list[str]:
    return [text for since, text in declarations if since <= version]
