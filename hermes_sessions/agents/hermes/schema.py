"""The tables of a Hermes `state.db`, version by version: the one place that has them.

The reader takes from here what a table needs and what is 0 by default, and otherwise probes; the writer
and the demo make tables of a version. Columns are in their order with their types. The agent's text
indexes are left out: a runtime without them makes none, and one that has them builds its own.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from hermes_sessions.agents.sqlite_source.expected_tables import ExpectedTables

SCHEMA_VERSION: Final = 30
SENTINEL: Final = "\x00json:"
"""How the text of structured content begins."""


class StateColumn(NamedTuple):
    """A column, and the first version that is known to have it."""

    name: str
    declaration: str
    since: int = 1


SESSIONS: Final = (
    StateColumn("id", "TEXT PRIMARY KEY"),
    StateColumn("source", "TEXT NOT NULL"),
    StateColumn("created_source", "TEXT", since=30),
    StateColumn("user_id", "TEXT"),
    StateColumn("session_key", "TEXT", since=17),
    StateColumn("chat_id", "TEXT", since=17),
    StateColumn("chat_type", "TEXT", since=17),
    StateColumn("thread_id", "TEXT", since=17),
    StateColumn("display_name", "TEXT", since=20),
    StateColumn("origin_json", "TEXT", since=20),
    StateColumn("expiry_finalized", "INTEGER DEFAULT 0", since=20),
    StateColumn("model", "TEXT"),
    StateColumn("model_config", "TEXT"),
    StateColumn("system_prompt", "TEXT"),
    StateColumn("system_prompt_hash", "TEXT", since=30),
    StateColumn("parent_session_id", "TEXT"),
    StateColumn("started_at", "REAL NOT NULL"),
    StateColumn("ended_at", "REAL"),
    StateColumn("end_reason", "TEXT"),
    StateColumn("message_count", "INTEGER DEFAULT 0"),
    StateColumn("tool_call_count", "INTEGER DEFAULT 0"),
    StateColumn("input_tokens", "INTEGER DEFAULT 0"),
    StateColumn("output_tokens", "INTEGER DEFAULT 0"),
    StateColumn("cache_read_tokens", "INTEGER DEFAULT 0", since=5),
    StateColumn("cache_write_tokens", "INTEGER DEFAULT 0", since=5),
    StateColumn("reasoning_tokens", "INTEGER DEFAULT 0", since=5),
    StateColumn("cwd", "TEXT", since=14),
    StateColumn("git_branch", "TEXT", since=16),
    StateColumn("git_repo_root", "TEXT", since=16),
    StateColumn("git_metadata_generation", "INTEGER NOT NULL DEFAULT 0", since=30),
    StateColumn("billing_provider", "TEXT", since=5),
    StateColumn("billing_base_url", "TEXT", since=5),
    StateColumn("billing_mode", "TEXT", since=5),
    StateColumn("estimated_cost_usd", "REAL", since=5),
    StateColumn("actual_cost_usd", "REAL", since=5),
    StateColumn("cost_status", "TEXT", since=5),
    StateColumn("cost_source", "TEXT", since=5),
    StateColumn("pricing_version", "TEXT", since=5),
    StateColumn("title", "TEXT", since=4),
    StateColumn("title_source", "TEXT", since=30),
    StateColumn("last_activity_at", "REAL", since=30),
    StateColumn("last_activity_description", "TEXT", since=30),
    StateColumn("last_activity_provenance", "TEXT", since=30),
    StateColumn("api_call_count", "INTEGER DEFAULT 0", since=8),
    StateColumn("handoff_state", "TEXT", since=11),
    StateColumn("handoff_platform", "TEXT", since=11),
    StateColumn("handoff_error", "TEXT", since=11),
    StateColumn("compression_failure_cooldown_until", "REAL", since=17),
    StateColumn("compression_failure_error", "TEXT", since=17),
    StateColumn("compression_fallback_streak", "INTEGER NOT NULL DEFAULT 0", since=30),
    StateColumn("compression_ineffective_count", "INTEGER NOT NULL DEFAULT 0", since=30),
    StateColumn("compression_recovery_deadline", "REAL", since=30),
    StateColumn("compression_overload_streak", "INTEGER NOT NULL DEFAULT 0", since=30),
    StateColumn("profile_name", "TEXT", since=30),
    StateColumn("transport_profile", "TEXT", since=30),
    StateColumn("rewind_count", "INTEGER NOT NULL DEFAULT 0", since=14),
    StateColumn("archived", "INTEGER NOT NULL DEFAULT 0", since=14),
    StateColumn("pinned", "INTEGER NOT NULL DEFAULT 0", since=30),
    StateColumn("hidden", "INTEGER NOT NULL DEFAULT 0", since=30),
    StateColumn("last_read_at", "REAL", since=30),
    StateColumn("tool_names", "TEXT", since=30),
)
MESSAGES: Final = (
    StateColumn("id", "INTEGER PRIMARY KEY AUTOINCREMENT"),
    StateColumn("session_id", "TEXT NOT NULL REFERENCES sessions(id)"),
    StateColumn("role", "TEXT NOT NULL"),
    StateColumn("content", "TEXT"),
    StateColumn("tool_call_id", "TEXT"),
    StateColumn("tool_calls", "TEXT"),
    StateColumn("tool_name", "TEXT"),
    StateColumn("effect_disposition", "TEXT", since=20),
    StateColumn("timestamp", "REAL NOT NULL"),
    StateColumn("token_count", "INTEGER"),
    StateColumn("finish_reason", "TEXT", since=2),
    StateColumn("reasoning", "TEXT", since=6),
    StateColumn("reasoning_content", "TEXT", since=7),
    StateColumn("reasoning_details", "TEXT", since=6),
    StateColumn("codex_reasoning_items", "TEXT", since=6),
    StateColumn("codex_message_items", "TEXT", since=9),
    StateColumn("platform_message_id", "TEXT", since=12),
    StateColumn("observed", "INTEGER DEFAULT 0", since=13),
    StateColumn("_compressed_summary", "INTEGER NOT NULL DEFAULT 0", since=30),
    StateColumn("active", "INTEGER NOT NULL DEFAULT 1", since=14),
    StateColumn("compacted", "INTEGER NOT NULL DEFAULT 0", since=16),
    StateColumn("api_content", "TEXT", since=30),
    StateColumn("display_kind", "TEXT", since=30),
    StateColumn("display_metadata", "TEXT", since=30),
    StateColumn("display_identity", "BLOB", since=30),
    StateColumn("display_order", "INTEGER", since=30),
)
COLUMNS: Final = {"sessions": SESSIONS, "messages": MESSAGES}
FORMER_ZEROS: Final = {"handoff_pending"}
"""Columns that some release had and later ones have not, 0 by default."""

_SESSION_LINKS: Final = (
    (1, "FOREIGN KEY (parent_session_id) REFERENCES sessions(id)"),
    (30, "FOREIGN KEY (system_prompt_hash) REFERENCES system_prompts(hash)"),
)
_OTHER_TABLES: Final = (
    (1, "CREATE TABLE schema_version (version INTEGER NOT NULL)"),
    (30, "CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL)"),
    (
        30,
        "CREATE TABLE session_model_usage (session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE"
        " CASCADE, model TEXT NOT NULL, billing_provider TEXT NOT NULL DEFAULT '', billing_base_url TEXT"
        " NOT NULL DEFAULT '', billing_mode TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT '',"
        " api_call_count INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0,"
        " output_tokens INTEGER NOT NULL DEFAULT 0, cache_read_tokens INTEGER NOT NULL DEFAULT 0,"
        " cache_write_tokens INTEGER NOT NULL DEFAULT 0, reasoning_tokens INTEGER NOT NULL DEFAULT 0,"
        " estimated_cost_usd REAL NOT NULL DEFAULT 0, actual_cost_usd REAL NOT NULL DEFAULT 0, cost_status"
        " TEXT, cost_source TEXT, first_seen REAL, last_seen REAL, PRIMARY KEY (session_id, model,"
        " billing_provider, billing_base_url, billing_mode, task))",
    ),
    (7, "CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT)"),
    (
        30,
        "CREATE TABLE gateway_routing (scope TEXT NOT NULL DEFAULT '', session_key TEXT NOT NULL,"
        " entry_json TEXT NOT NULL, updated_at REAL NOT NULL, PRIMARY KEY (scope, session_key))",
    ),
    (
        14,
        "CREATE TABLE compression_locks (session_id TEXT PRIMARY KEY, holder TEXT NOT NULL,"
        " acquired_at REAL NOT NULL, expires_at REAL NOT NULL)",
    ),
    (
        30,
        "CREATE TABLE session_turn_leases (conversation_id TEXT PRIMARY KEY, holder TEXT NOT NULL,"
        " acquired_at REAL NOT NULL, expires_at REAL NOT NULL)",
    ),
    (
        30,
        "CREATE TABLE async_delegations (delegation_id TEXT PRIMARY KEY, origin_session TEXT NOT NULL,"
        " origin_ui_session_id TEXT NOT NULL DEFAULT '', parent_session_id TEXT, state TEXT NOT NULL,"
        " dispatched_at REAL NOT NULL, completed_at REAL, updated_at REAL NOT NULL, event_json TEXT,"
        " result_json TEXT, delivery_state TEXT NOT NULL DEFAULT 'pending', delivery_attempts INTEGER NOT"
        " NULL DEFAULT 0, delivered_at REAL, owner_pid INTEGER, owner_started_at INTEGER, task_json TEXT,"
        " delivery_claim TEXT, delivery_claimed_at REAL, origin_session_id TEXT NOT NULL DEFAULT '')",
    ),
)
_INDEXES: Final = (
    (1, "CREATE INDEX idx_sessions_source ON sessions(source)"),
    (1, "CREATE INDEX idx_sessions_parent ON sessions(parent_session_id)"),
    (30, "CREATE INDEX idx_sessions_started ON sessions(started_at DESC)"),
    (
        30,
        "CREATE INDEX idx_sessions_effective_activity ON sessions(COALESCE(last_activity_at, started_at)"
        " DESC, started_at DESC)",
    ),
    (1, "CREATE INDEX idx_messages_session ON messages(session_id, timestamp)"),
    (30, "CREATE INDEX idx_messages_session_id ON messages(session_id, id)"),
    (14, "CREATE INDEX idx_messages_session_active ON messages(session_id, active, timestamp)"),
)
UNIQUE_TITLES: Final = (
    "CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL"
)
UNIQUE_TITLES_SINCE: Final = 4

EXPECTED: Final = ExpectedTables(
    agent="Hermes",
    file_name="state.db",
    needs={"sessions": ("id",), "messages": ("session_id", "role", "content")},
    checked=("sessions", "messages", "schema_version"),
)
"""The columns that every release has had; a file that lost others is read all the same."""


def columns_of(table: str, version: int = SCHEMA_VERSION) -> dict[str, str]:
    """Return the columns that *table* has in *version*, with their declarations."""
    return {one.name: one.declaration for one in COLUMNS[table] if one.since <= version}


def zero_by_default() -> set[str]:
    """Return the columns whose value 0 says nothing."""
    columns = (one for table in COLUMNS.values() for one in table)
    return {one.name for one in columns if one.declaration.endswith("DEFAULT 0")} | FORMER_ZEROS


def table_statements(
    version: int = SCHEMA_VERSION, free: Mapping[str, Collection[str]] | None = None
) -> list[str]:
    """Return the statements that make the tables of *version*.

    Args:
        free: table -> columns that are made without type or constraint, because a value
            that was imported would not survive theirs.
    """
    statements = _since(_OTHER_TABLES, version)
    for table in COLUMNS:
        loose = (free or {}).get(table, ())
        parts = [
            f"{name} {_declared(name, declaration, free=name in loose)}".rstrip()
            for name, declaration in columns_of(table, version).items()
        ]
        links = _since(_SESSION_LINKS, version) if table == "sessions" else []
        statements.append(f"CREATE TABLE {table} ({', '.join((*parts, *links))})")
    return statements


def index_statements(version: int = SCHEMA_VERSION) -> list[str]:
    """Return the statements that make the indexes of *version*, without the unique one on titles."""
    return _since(_INDEXES, version)


def _since(statements: Iterable[tuple[int, str]], version: int) -> list[str]:
    return [text for since, text in statements if since <= version]


def _declared(name: str, declaration: str, *, free: bool) -> str:
    if not free:
        return declaration
    return "PRIMARY KEY" if name == "id" else ""
