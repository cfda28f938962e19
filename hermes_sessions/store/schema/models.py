"""The tables: columns, constraints, indexes, one-line properties. No queries.

Columns marked *kept* are derived from other rows and kept up to date by
`store.keeping.conversation_upkeep`; `db check` derives them again and compares. Foreign keys that point
in a circle are deferred to the end of the transaction.
"""

from sqlalchemy import ForeignKey, Index, MetaData, UniqueConstraint
from sqlalchemy import text as sql
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from hermes_sessions.store.schema import column_types as t
from hermes_sessions.store.schema.change_number import NextChange

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def _deferred(column: str, *, circular: bool = False, ondelete: str | None = None) -> ForeignKey:
    """Return a foreign key checked at the end of the transaction.

    A circular one closes a circle of tables: left out of their order, added last.
    """
    return ForeignKey(column, deferrable=True, initially="DEFERRED", use_alter=circular, ondelete=ondelete)


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """Return an index of the rows for which *where* holds."""
    return Index(name, *columns, unique=unique, sqlite_where=sql(where), postgresql_where=sql(where))


class Base(DeclarativeBase):
    """Declarative base; every constraint has a name."""

    metadata = MetaData(naming_convention=NAMING)


class Spent(Base):
    """What a session spent, or all sessions of a conversation together."""

    __abstract__ = True

    input_tokens: Mapped[t.token_count] = mapped_column(default=0)
    output_tokens: Mapped[t.token_count] = mapped_column(default=0)
    cache_read_tokens: Mapped[t.token_count] = mapped_column(default=0)
    cache_write_tokens: Mapped[t.token_count] = mapped_column(default=0)
    reasoning_tokens: Mapped[t.token_count] = mapped_column(default=0)
    estimated_cost_usd: Mapped[t.cost | None]
    actual_cost_usd: Mapped[t.cost | None]


class Origin(Base):
    """Where rows came from: one foreign database, known by its content, not its path."""

    __tablename__ = "origins"

    id: Mapped[t.key]
    kind: Mapped[t.text]
    label: Mapped[t.text] = mapped_column(unique=True)
    location: Mapped[t.path | None]
    fingerprint: Mapped[t.text | None] = mapped_column(index=True)
    schema_version: Mapped[t.text | None]
    cursor: Mapped[t.json_object | None]
    paused: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[t.epoch]
    last_synced_at: Mapped[t.epoch | None]
    last_error: Mapped[t.text | None]


class SystemPrompt(Base):
    """The text of a system prompt, stored once under its SHA-256 (hex)."""

    __tablename__ = "system_prompts"

    hash: Mapped[t.text] = mapped_column(primary_key=True)
    text: Mapped[t.text]


class Conversation(Spent):
    """What the user sees as one thing: a root session and its continuations. All *kept*."""

    __tablename__ = "conversations"
    __table_args__ = (
        Index("ix_conversations_listing", "kind", "archived", "last_active_at", "id"),
        Index("ix_conversations_source", "source", "last_active_at"),
        Index("ix_conversations_origin_id", "origin_id", "last_active_at"),
        Index("ix_conversations_last_active_at", "last_active_at", "id"),
        Index("ix_conversations_changed", "changed"),
        Index(
            "ix_conversations_pinned",
            "last_active_at",
            "id",
            sqlite_where=sql("pinned = 1"),
            postgresql_where=sql("pinned"),
        ),
    )

    id: Mapped[t.key]
    public_id: Mapped[t.text] = mapped_column(unique=True)
    origin_id: Mapped[t.big] = mapped_column(ForeignKey("origins.id"))
    root_id: Mapped[t.big | None] = mapped_column(_deferred("sessions.id", circular=True), unique=True)
    tip_id: Mapped[t.big | None] = mapped_column(_deferred("sessions.id", circular=True), index=True)
    kind: Mapped[t.text]
    title: Mapped[t.text | None]
    preview: Mapped[t.text | None]
    source: Mapped[t.text | None]
    model: Mapped[t.text | None]
    cwd: Mapped[t.text | None]
    started_at: Mapped[t.epoch | None]
    last_active_at: Mapped[t.epoch] = mapped_column(default=0.0)
    """0 where no time is known, so that the order stays total."""
    ended_at: Mapped[t.epoch | None]
    end_reason: Mapped[t.text | None]
    message_count: Mapped[int] = mapped_column(default=0)
    """What the one scroll shows."""
    session_count: Mapped[int] = mapped_column(default=0)
    fork_count: Mapped[int] = mapped_column(default=0)
    compaction_count: Mapped[int] = mapped_column(default=0)
    """Committed or interrupted ones; prunes are counted apart."""
    prune_count: Mapped[int] = mapped_column(default=0, server_default="0")
    tool_call_count: Mapped[int] = mapped_column(default=0)
    archived: Mapped[bool] = mapped_column(default=False)
    pinned: Mapped[bool] = mapped_column(default=False)
    note: Mapped[t.text | None]
    tags: Mapped[t.text | None]
    """Sorted, a space between them; `session_tags` is what they are searched by."""
    gone: Mapped[bool] = mapped_column(default=False)
    worst_finding: Mapped[t.text | None]
    """Severity of the worst stored finding; written by the audit, as is `audit_mark`."""
    audit_mark: Mapped[t.text | None]
    """The rules' version and a digest of what they looked at; another one means: audit again."""
    changed: Mapped[t.big] = mapped_column(default=NextChange(), onupdate=NextChange(), server_default="0")
    """Number of its last change: whatever is written of it, the number is the highest from then on."""


class Session(Spent):
    """One agent run in one context window."""

    __tablename__ = "sessions"
    __table_args__ = (
        UniqueConstraint("origin_id", "foreign_id"),
        Index("ix_sessions_conversation_id", "conversation_id", "fork", "ordinal"),
        Index("ix_sessions_parent_session_id", "origin_id", "parent_session_id"),
    )

    id: Mapped[t.key]
    origin_id: Mapped[t.big] = mapped_column(ForeignKey("origins.id"))
    foreign_id: Mapped[t.text]
    public_id: Mapped[t.text] = mapped_column(unique=True)
    conversation_id: Mapped[t.big] = mapped_column(_deferred("conversations.id"))
    """*Kept.*"""
    ordinal: Mapped[int] = mapped_column(default=0)
    """*Kept.* Place in the chain, root 0; a fork has the place it would have."""
    parent_session_id: Mapped[t.text | None]
    """The parent's foreign id, as the agent wrote it; may dangle."""
    parent_id: Mapped[t.big | None] = mapped_column(_deferred("sessions.id"), index=True)
    relation: Mapped[t.text]
    fork: Mapped[bool] = mapped_column(default=False)
    inherited_count: Mapped[int] = mapped_column(default=0)
    """How many first rows of a branch repeat its parent's; kept ones among them count, too."""
    source: Mapped[t.text | None]
    model: Mapped[t.text | None]
    title: Mapped[t.text | None]
    cwd: Mapped[t.text | None]
    system_prompt_hash: Mapped[t.text | None] = mapped_column(ForeignKey("system_prompts.hash"))
    started_at: Mapped[t.epoch | None]
    ended_at: Mapped[t.epoch | None]
    end_reason: Mapped[t.text | None]
    message_count: Mapped[int] = mapped_column(default=0)
    """*Kept.* Stored rows."""
    shown_count: Mapped[int] = mapped_column(default=0)
    """*Kept.* Rows that the one scroll shows."""
    tool_call_count: Mapped[int] = mapped_column(default=0)
    origin_archived: Mapped[bool] = mapped_column(default=False)
    """Archived by its agent; `archived` is our own mark, as are the three after it.

    They are set on a root, and count for the conversation that the session is part of.
    """
    archived: Mapped[bool] = mapped_column(default=False)
    pinned: Mapped[bool] = mapped_column(default=False)
    note: Mapped[t.text | None]
    trashed_at: Mapped[t.epoch | None]
    gone_at: Mapped[t.epoch | None]
    """When a sync first missed it at its origin."""
    last_active_at: Mapped[t.epoch | None]
    """*Kept.* Newest known time of the session and its rows."""
    origin_mark: Mapped[t.text | None]
    """What a sync compares to see a change; NULL while rows are still missing."""
    extra: Mapped[t.json_object | None]


class Message(Base):
    """One row of a session's transcript."""

    __tablename__ = "messages"
    __table_args__ = (
        Index("ix_messages_session_id", "session_id", "position", unique=True),
        Index("ix_messages_scroll", "session_id", "shown", "position"),
        Index("uq_messages_origin_key", "session_id", "origin_key", unique=True),
        _partial("ix_messages_copy_of", "copy_of", where="copy_of IS NOT NULL"),
        _partial("ix_messages_archived_by", "archived_by", where="archived_by IS NOT NULL"),
        _partial("uq_messages_search_key", "search_key", unique=True, where="search_key IS NOT NULL"),
    )

    id: Mapped[t.key]
    session_id: Mapped[t.big] = mapped_column(ForeignKey("sessions.id"))
    conversation_id: Mapped[t.big]
    """*Kept*: its session's. No foreign key: deleting a conversation would look through all messages."""
    position: Mapped[int]
    """Place in the session, from 0, in the origin's order."""
    role: Mapped[t.text]
    kind: Mapped[t.text]
    handoff_grammar: Mapped[t.text | None]
    """Name of the grammar that framed it, where it is a handoff or holds one."""
    state: Mapped[t.text]
    shown: Mapped[bool]
    """*Kept.* The one scroll shows it."""
    created_at: Mapped[t.epoch | None]
    copy_of: Mapped[t.big | None] = mapped_column(_deferred("messages.id"))
    archived_by: Mapped[t.big | None] = mapped_column(_deferred("compactions.id", circular=True))
    search_key: Mapped[t.big | None]
    """Row id in the full-text index; grows with time. NULL: not indexed."""
    origin_key: Mapped[t.text | None]
    """What its origin knows it by, unique in the session. NULL: made here, or deleted there."""
    origin_row_id: Mapped[t.big | None]
    """Its place in the origin's order."""
    digest: Mapped[t.big | None]
    """First 8 bytes of a BLAKE2b over the row as the origin had it."""
    token_count: Mapped[t.token_count | None]
    tool_call_id: Mapped[t.text | None]
    tool_name: Mapped[t.text | None]
    finish_reason: Mapped[t.text | None]
    reply_start: Mapped[int | None]
    """Offsets of the reply in `text` of a merged row, where the text alone cannot tell."""
    reply_end: Mapped[int | None]
    text: Mapped[t.text | None]
    blocks: Mapped[t.text | None]
    """Structured content: a JSON list (or object), as written."""
    tool_calls: Mapped[t.text | None]
    """JSON as written, valid or not."""
    reasoning: Mapped[t.text | None]
    extra: Mapped[t.json_object | None]


class MessageFacts(Base):
    """Where the facts of a message stand, kept by whoever looked for them.

    A message without such a row has not been asked for its facts. A row counts only while its
    digest is that of the message and of the rules that are asked now.
    """

    __tablename__ = "message_facts"

    message_id: Mapped[t.big] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    digest: Mapped[t.big]
    """First 8 bytes of a BLAKE2b over the version of the rules and over what was said."""
    places: Mapped[t.text]
    """JSON: kinds, offsets and keys, as `facts.placed` writes them; '' where there is no fact."""


class Compaction(Base):
    """One compaction: what it summarised, into what, and how it ended."""

    __tablename__ = "compactions"
    __table_args__ = (
        Index("ix_compactions_conversation_id", "conversation_id", "ordinal"),
        Index("ix_compactions_finished_at", "finished_at", "id"),
        Index("ix_compactions_retained", "retained", "id"),
        Index("ix_compactions_saved_tokens", "saved_tokens", "id"),
        Index("ix_compactions_worst_rank", "worst_rank", "id"),
        _partial("ix_compactions_prunes", "id", where="method = 'prune'"),
        _partial(
            "uq_compactions_rotation",
            "parent_id",
            unique=True,
            where="realisation = 'rotation' AND status = 'committed' AND NOT fork",
        ),
    )

    id: Mapped[t.key]
    conversation_id: Mapped[t.big] = mapped_column(_deferred("conversations.id"))
    """*Kept.*"""
    ordinal: Mapped[int] = mapped_column(default=0)
    """*Kept.* Place among the conversation's compactions and prunes, from 1."""
    number: Mapped[int] = mapped_column(default=0, server_default="0")
    """*Kept.* What a reader calls it: its number among the compactions, or among the prunes, from 1."""
    origin_key: Mapped[t.text | None]
    """What makes an imported compaction the same on the next sync."""
    realisation: Mapped[t.text]
    status: Mapped[t.text]
    fork: Mapped[bool] = mapped_column(default=False)
    session_id: Mapped[t.big] = mapped_column(ForeignKey("sessions.id"), index=True)
    """The session it belongs to: a rotation's child, else the session itself."""
    parent_session_id: Mapped[t.text | None]
    parent_id: Mapped[t.big | None] = mapped_column(ForeignKey("sessions.id"), index=True)
    child_id: Mapped[t.big | None] = mapped_column(ForeignKey("sessions.id"), index=True)
    span_first_id: Mapped[t.big | None] = mapped_column(_deferred("messages.id"), index=True)
    span_last_id: Mapped[t.big | None] = mapped_column(_deferred("messages.id"), index=True)
    span_messages: Mapped[int | None]
    span_stored: Mapped[bool] = mapped_column(default=True)
    head_messages: Mapped[int] = mapped_column(default=0)
    tail_messages: Mapped[int] = mapped_column(default=0)
    handoff_id: Mapped[t.big | None] = mapped_column(_deferred("messages.id"), index=True)
    summary: Mapped[t.text | None]
    method: Mapped[t.text]
    summarizer_model: Mapped[t.text | None]
    trigger: Mapped[t.text | None]
    focus: Mapped[t.text | None]
    policy: Mapped[t.json_object | None]
    tokens_before: Mapped[t.token_count | None]
    tokens_after: Mapped[t.token_count | None]
    tokens_method: Mapped[t.text | None]
    started_at: Mapped[t.epoch | None]
    finished_at: Mapped[t.epoch | None]
    error: Mapped[t.text | None]
    claim: Mapped[t.json_object | None]
    """What the agent's own log says about it; not checked against the rows."""
    retained: Mapped[t.share | None]
    """Share of the span's exact facts still in sight after it; written by the audit, as is all below."""
    saved_tokens: Mapped[t.token_count | None]
    """Tokens before less tokens after: as the agent counted them where it left both, else estimated."""
    worst_rank: Mapped[int | None]
    """The `Severity.rank` of its worst stored finding; NULL where it has none."""
    audit: Mapped[t.json_object | None]
    """Measurements of the audit: retention by kind, inventions, fates, sizes."""
    judgement: Mapped[t.text | None] = mapped_column(deferred=True, deferred_raiseload=True)
    """JSON: where its handoff departs from its source, and a digest of all that this was judged by."""


class Finding(Base):
    """One audit result about a compaction, a session or a message."""

    __tablename__ = "findings"

    id: Mapped[t.key]
    rule: Mapped[t.text] = mapped_column(index=True)
    severity: Mapped[t.text]
    rules_version: Mapped[t.text]
    conversation_id: Mapped[t.big] = mapped_column(
        _deferred("conversations.id", ondelete="CASCADE"), index=True
    )
    session_id: Mapped[t.big | None] = mapped_column(
        ForeignKey("sessions.id", ondelete="CASCADE"), index=True
    )
    compaction_id: Mapped[t.big | None] = mapped_column(
        ForeignKey("compactions.id", ondelete="CASCADE"), index=True
    )
    messages: Mapped[t.json_list | None]
    evidence: Mapped[t.json_object | None]
    created_at: Mapped[t.epoch]


class Lease(Base):
    """One holder at a time for a named piece of work, until it expires."""

    __tablename__ = "leases"

    name: Mapped[t.text] = mapped_column(primary_key=True)
    holder: Mapped[t.text]
    acquired_at: Mapped[t.epoch]
    expires_at: Mapped[t.epoch]
