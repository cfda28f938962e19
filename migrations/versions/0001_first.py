"""Lay down the store: origins, conversations, sessions, messages, compactions, findings, leases.

There were no rows before. Downgrading drops every table and all rows in them.

Conversations and sessions, messages and compactions point at each other. SQLite
takes such a foreign key before its table exists and cannot add one later;
PostgreSQL wants it the other way round. There every text orders by its code points
(COLLATE "C"), as on SQLite, and JSON is kept as it was written: JSONB refuses an escaped
NUL and forgets how a number was spelt.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Json = sa.JSON(none_as_null=True)
Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
Epoch = sa.Float(53)

CIRCULAR = {
    "conversations": (("root_id", "sessions"), ("tip_id", "sessions")),
    "messages": (("archived_by", "compactions"),),
}
"""Table -> (column, table that does not exist yet when this one is created)."""

TABLES = (
    "leases",
    "findings",
    "compactions",
    "messages",
    "sessions",
    "conversations",
    "system_prompts",
    "origins",
)


def upgrade() -> None:
    _origins()
    _conversations()
    _sessions()
    _messages()
    _compactions()
    _findings_and_leases()
    if _on_sqlite():
        _full_text()
    else:
        _close_the_circles()
        _full_text_on_postgresql()


def downgrade() -> None:
    if _on_sqlite():
        op.execute("DROP TABLE messages_fts")
        op.execute("PRAGMA user_version = 0")
    else:
        op.drop_table("messages_fts")
        op.drop_table("messages_fts_version")
        for table, keys in CIRCULAR.items():
            for column, target in keys:
                op.drop_constraint(f"fk_{table}_{column}_{target}", table, type_="foreignkey")
    for table in TABLES:
        op.drop_table(table)


def _on_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _key(table: str, column: str, target: str, *, deferred: bool = False) -> sa.ForeignKeyConstraint:
    """Return the foreign key `fk_<table>_<column>_<target>`."""
    return sa.ForeignKeyConstraint(
        [column],
        [target],
        name=f"fk_{table}_{column}_{target.partition('.')[0]}",
        deferrable=True if deferred else None,
        initially="DEFERRED" if deferred else None,
    )


def _circular(table: str) -> list[sa.ForeignKeyConstraint]:
    if not _on_sqlite():
        return []
    return [_key(table, column, f"{target}.id", deferred=True) for column, target in CIRCULAR.get(table, ())]


def _close_the_circles() -> None:
    for table, keys in CIRCULAR.items():
        for column, target in keys:
            op.create_foreign_key(
                f"fk_{table}_{column}_{target}",
                table,
                target,
                [column],
                ["id"],
                deferrable=True,
                initially="DEFERRED",
            )


def _counters() -> list[sa.Column]:
    names = ("tool_call_count", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    types = {"tool_call_count": sa.Integer()}
    return [
        *(sa.Column(name, types.get(name, Big), nullable=False) for name in names),
        sa.Column("reasoning_tokens", Big, nullable=False),
        sa.Column("estimated_cost_usd", Epoch),
        sa.Column("actual_cost_usd", Epoch),
    ]


def _origins() -> None:
    op.create_table(
        "origins",
        sa.Column("id", Big, nullable=False),
        sa.Column("kind", Text, nullable=False),
        sa.Column("label", Text, nullable=False),
        sa.Column("location", Text),
        sa.Column("fingerprint", Text),
        sa.Column("schema_version", Text),
        sa.Column("cursor", Json),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("created_at", Epoch, nullable=False),
        sa.Column("last_synced_at", Epoch),
        sa.Column("last_error", Text),
        sa.PrimaryKeyConstraint("id", name="pk_origins"),
        sa.UniqueConstraint("label", name="uq_origins_label"),
    )
    op.create_index("ix_origins_fingerprint", "origins", ["fingerprint"])
    op.create_table(
        "system_prompts",
        sa.Column("hash", Text, nullable=False),
        sa.Column("text", Text, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_system_prompts"),
    )


def _conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", Big, nullable=False),
        sa.Column("public_id", Text, nullable=False),
        sa.Column("origin_id", Big, nullable=False),
        sa.Column("root_id", Big),
        sa.Column("tip_id", Big),
        sa.Column("kind", Text, nullable=False),
        sa.Column("title", Text),
        sa.Column("preview", Text),
        sa.Column("source", Text),
        sa.Column("model", Text),
        sa.Column("cwd", Text),
        sa.Column("started_at", Epoch),
        sa.Column("last_active_at", Epoch, nullable=False),
        sa.Column("ended_at", Epoch),
        sa.Column("end_reason", Text),
        sa.Column("message_count", sa.Integer(), nullable=False),
        sa.Column("session_count", sa.Integer(), nullable=False),
        sa.Column("fork_count", sa.Integer(), nullable=False),
        sa.Column("compaction_count", sa.Integer(), nullable=False),
        *_counters(),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.Column("worst_finding", Text),
        sa.Column("audit_mark", Text),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
        sa.UniqueConstraint("public_id", name="uq_conversations_public_id"),
        sa.UniqueConstraint("root_id", name="uq_conversations_root_id"),
        _key("conversations", "origin_id", "origins.id"),
        *_circular("conversations"),
    )
    op.create_index("ix_conversations_listing", "conversations", ["kind", "archived", "last_active_at", "id"])
    op.create_index("ix_conversations_source", "conversations", ["source", "last_active_at"])
    op.create_index("ix_conversations_origin_id", "conversations", ["origin_id", "last_active_at"])
    op.create_index("ix_conversations_last_active_at", "conversations", ["last_active_at", "id"])
    op.create_index("ix_conversations_tip_id", "conversations", ["tip_id"])


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", Big, nullable=False),
        sa.Column("origin_id", Big, nullable=False),
        sa.Column("foreign_id", Text, nullable=False),
        sa.Column("public_id", Text, nullable=False),
        sa.Column("conversation_id", Big, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("parent_session_id", Text),
        sa.Column("parent_id", Big),
        sa.Column("relation", Text, nullable=False),
        sa.Column("fork", sa.Boolean(), nullable=False),
        sa.Column("inherited_count", sa.Integer(), nullable=False),
        sa.Column("source", Text),
        sa.Column("model", Text),
        sa.Column("title", Text),
        sa.Column("cwd", Text),
        sa.Column("system_prompt_hash", Text),
        sa.Column("started_at", Epoch),
        sa.Column("ended_at", Epoch),
        sa.Column("end_reason", Text),
        sa.Column("message_count", sa.Integer(), nullable=False),
        sa.Column("shown_count", sa.Integer(), nullable=False),
        *_counters(),
        sa.Column("origin_archived", sa.Boolean(), nullable=False),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("gone_at", Epoch),
        sa.Column("last_active_at", Epoch),
        sa.Column("origin_mark", Text),
        sa.Column("extra", Json),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.UniqueConstraint("origin_id", "foreign_id", name="uq_sessions_origin_id_foreign_id"),
        sa.UniqueConstraint("public_id", name="uq_sessions_public_id"),
        _key("sessions", "origin_id", "origins.id"),
        _key("sessions", "conversation_id", "conversations.id", deferred=True),
        _key("sessions", "parent_id", "sessions.id", deferred=True),
        _key("sessions", "system_prompt_hash", "system_prompts.hash"),
    )
    op.create_index("ix_sessions_conversation_id", "sessions", ["conversation_id", "fork", "ordinal"])
    op.create_index("ix_sessions_parent_session_id", "sessions", ["origin_id", "parent_session_id"])
    op.create_index("ix_sessions_parent_id", "sessions", ["parent_id"])


def _messages() -> None:
    op.create_table(
        "messages",
        sa.Column("id", Big, nullable=False),
        sa.Column("session_id", Big, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("role", Text, nullable=False),
        sa.Column("kind", Text, nullable=False),
        sa.Column("state", Text, nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.Column("created_at", Epoch),
        sa.Column("copy_of", Big),
        sa.Column("archived_by", Big),
        sa.Column("search_key", Big),
        sa.Column("origin_row_id", Big),
        sa.Column("digest", Big),
        sa.Column("token_count", Big),
        sa.Column("tool_call_id", Text),
        sa.Column("tool_name", Text),
        sa.Column("finish_reason", Text),
        sa.Column("reply_start", sa.Integer()),
        sa.Column("reply_end", sa.Integer()),
        sa.Column("text", Text),
        sa.Column("blocks", Text),
        sa.Column("tool_calls", Text),
        sa.Column("reasoning", Text),
        sa.Column("extra", Json),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        _key("messages", "session_id", "sessions.id"),
        _key("messages", "copy_of", "messages.id", deferred=True),
        *_circular("messages"),
    )
    op.create_index("ix_messages_session_id", "messages", ["session_id", "position"], unique=True)
    op.create_index("ix_messages_scroll", "messages", ["session_id", "shown", "position"])
    op.create_index("ix_messages_origin_row_id", "messages", ["session_id", "origin_row_id"])
    _sparse_index("ix_messages_copy_of", "copy_of")
    _sparse_index("ix_messages_archived_by", "archived_by")
    _sparse_index("uq_messages_search_key", "search_key", unique=True)


def _sparse_index(name: str, column: str, *, unique: bool = False) -> None:
    given = sa.text(f"{column} IS NOT NULL")
    op.create_index(name, "messages", [column], unique=unique, sqlite_where=given, postgresql_where=given)


def _compactions() -> None:
    op.create_table(
        "compactions",
        sa.Column("id", Big, nullable=False),
        sa.Column("conversation_id", Big, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("origin_key", Text),
        sa.Column("realisation", Text, nullable=False),
        sa.Column("status", Text, nullable=False),
        sa.Column("fork", sa.Boolean(), nullable=False),
        sa.Column("session_id", Big, nullable=False),
        sa.Column("parent_session_id", Text),
        sa.Column("parent_id", Big),
        sa.Column("child_id", Big),
        sa.Column("span_first_id", Big),
        sa.Column("span_last_id", Big),
        sa.Column("span_messages", sa.Integer()),
        sa.Column("span_stored", sa.Boolean(), nullable=False),
        sa.Column("head_messages", sa.Integer(), nullable=False),
        sa.Column("tail_messages", sa.Integer(), nullable=False),
        sa.Column("handoff_id", Big),
        sa.Column("summary", Text),
        sa.Column("method", Text, nullable=False),
        sa.Column("summarizer_model", Text),
        sa.Column("trigger", Text),
        sa.Column("focus", Text),
        sa.Column("policy", Json),
        sa.Column("tokens_before", Big),
        sa.Column("tokens_after", Big),
        sa.Column("tokens_method", Text),
        sa.Column("started_at", Epoch),
        sa.Column("finished_at", Epoch),
        sa.Column("error", Text),
        sa.Column("claim", Json),
        sa.Column("retained", Epoch),
        sa.Column("audit", Json),
        sa.PrimaryKeyConstraint("id", name="pk_compactions"),
        _key("compactions", "conversation_id", "conversations.id", deferred=True),
        *(_key("compactions", name, "sessions.id") for name in ("session_id", "parent_id", "child_id")),
        *(
            _key("compactions", name, "messages.id", deferred=True)
            for name in ("span_first_id", "span_last_id", "handoff_id")
        ),
    )
    op.create_index("ix_compactions_conversation_id", "compactions", ["conversation_id", "ordinal"])
    op.create_index("ix_compactions_finished_at", "compactions", ["finished_at", "id"])
    for name in ("session_id", "parent_id", "child_id", "span_first_id", "span_last_id", "handoff_id"):
        op.create_index(f"ix_compactions_{name}", "compactions", [name])
    once = sa.text("realisation = 'rotation' AND status = 'committed' AND NOT fork")
    op.create_index(
        "uq_compactions_rotation",
        "compactions",
        ["parent_id"],
        unique=True,
        sqlite_where=once,
        postgresql_where=once,
    )


def _findings_and_leases() -> None:
    op.create_table(
        "findings",
        sa.Column("id", Big, nullable=False),
        sa.Column("rule", Text, nullable=False),
        sa.Column("severity", Text, nullable=False),
        sa.Column("rules_version", Text, nullable=False),
        sa.Column("conversation_id", Big, nullable=False),
        sa.Column("session_id", Big),
        sa.Column("compaction_id", Big),
        sa.Column("messages", Json),
        sa.Column("evidence", Json),
        sa.Column("created_at", Epoch, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_findings"),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name="fk_findings_conversation_id_conversations",
            ondelete="CASCADE",
            deferrable=True,
            initially="DEFERRED",
        ),
        *(
            sa.ForeignKeyConstraint(
                [f"{one}_id"], [f"{one}s.id"], name=f"fk_findings_{one}_id_{one}s", ondelete="CASCADE"
            )
            for one in ("session", "compaction")
        ),
    )
    for name in ("rule", "conversation_id", "session_id", "compaction_id"):
        op.create_index(f"ix_findings_{name}", "findings", [name])
    op.create_table(
        "leases",
        sa.Column("name", Text, nullable=False),
        sa.Column("holder", Text, nullable=False),
        sa.Column("acquired_at", Epoch, nullable=False),
        sa.Column("expires_at", Epoch, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )


def _full_text() -> None:
    """Create the index without a copy of the text; user_version is the segmentation's version."""
    op.execute(
        "CREATE VIRTUAL TABLE messages_fts USING fts5"
        "(text, content = '', tokenize = \"unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'\")"
    )
    op.execute("PRAGMA user_version = 1")


def _full_text_on_postgresql() -> None:
    """Create the index: one row per message; `more` has what one vector cannot hold of a long text."""
    op.create_table(
        "messages_fts",
        sa.Column("search_key", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("vector", postgresql.TSVECTOR(), nullable=False),
        sa.Column("more", postgresql.ARRAY(postgresql.TSVECTOR())),
        sa.PrimaryKeyConstraint("search_key", name="pk_messages_fts"),
    )
    op.create_index("ix_messages_fts_vector", "messages_fts", ["vector"], postgresql_using="gin")
    version = op.create_table("messages_fts_version", sa.Column("version", sa.Integer(), nullable=False))
    op.bulk_insert(version, [{"version": 1}])
