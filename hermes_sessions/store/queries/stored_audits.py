"""Audit results as they are stored, and what tells whether they are still true."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, case, func, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.messages import ConversationKind, Severity
from hermes_sessions.store.schema.models import Compaction, Conversation, Finding, Origin, Session

CHUNK = 400
_SESSION = (
    Session.id, Session.conversation_id, Session.message_count, Session.shown_count, Session.origin_mark,
    Session.parent_id, Session.parent_session_id, Session.relation, Session.fork, Session.ended_at,
    Session.end_reason, Session.ordinal,
)  # fmt: skip
_COMPACTION = (
    Compaction.id, Compaction.conversation_id, Compaction.ordinal, Compaction.status, Compaction.method,
    Compaction.realisation, Compaction.fork, Compaction.handoff_id, Compaction.span_first_id,
    Compaction.span_last_id, Compaction.span_messages, Compaction.head_messages, Compaction.tail_messages,
    Compaction.finished_at,
    Compaction.tokens_before, Compaction.tokens_after, Compaction.summary,
)  # fmt: skip
_WORST_FIRST = case({one.value: -one.rank for one in Severity}, value=Finding.severity, else_=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingListing:
    """Which stored findings to list, the worst first, the newest conversation first.

    Attributes:
        conversation_id, compaction_id: of this one only.
        rule: with this code only.
        origin: from the origin with this label.
        since: of conversations active at this time or later.
    """

    conversation_id: int | None = None
    compaction_id: int | None = None
    rule: str | None = None
    origin: str | None = None
    since: float | None = None

    def narrow(self, stmt: Select[Any]) -> Select[Any]:
        """Leave out the conversations that the listing is not about, and those in the trash."""
        stmt = stmt.where(Conversation.kind != ConversationKind.TRASH)
        if self.conversation_id is not None:
            stmt = stmt.where(Conversation.id == self.conversation_id)
        if self.origin is not None:
            stmt = stmt.where(
                Conversation.origin_id.in_(select(Origin.id).where(Origin.label == self.origin))
            )
        if self.since is not None:
            stmt = stmt.where(Conversation.last_active_at >= self.since)
        return stmt


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFinding:
    """One audit result with the ids a reader knows."""

    id: int
    rule: str
    severity: str
    conversation: str
    session: str | None
    compaction: int | None
    messages: list[Any] | None
    evidence: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAudit:
    """The measurements of one compaction."""

    id: int
    conversation: str
    ordinal: int
    retained: float | None
    audit: dict[str, Any]


def iter_conversations(db: sa_orm.Session, listing: FindingListing) -> Iterator[tuple[int, str | None]]:
    """Yield key and audit mark of every conversation of a listing, the newest activity first."""
    columns: list[Any] = [Conversation.id, Conversation.audit_mark]
    stmt = select(*columns)
    if listing.compaction_id is not None:
        stmt = stmt.where(
            Conversation.id.in_(
                select(Compaction.conversation_id).where(Compaction.id == listing.compaction_id)
            )
        )
    order = (Conversation.last_active_at.desc(), Conversation.id.desc())
    for row in db.execute(listing.narrow(stmt).order_by(*order)):
        yield row.id, row.audit_mark


def digest_conversations(db: sa_orm.Session, keys: Sequence[int]) -> dict[int, str]:
    """Return, by conversation, a digest that changes with everything an audit looks at.

    No message is read: rows are counted per session, and what a sync or an append changes
    moves a mark or a count of its session.
    """
    digests = {key: hashlib.blake2b(digest_size=12) for key in keys}
    for columns, table in ((_SESSION, Session), (_COMPACTION, Compaction)):
        for start in range(0, len(keys), CHUNK):
            chunk = keys[start : start + CHUNK]
            stmt = select(*columns).where(table.conversation_id.in_(chunk)).order_by(table.id)
            for row in db.execute(stmt):
                text = json.dumps(list(row), ensure_ascii=True)
                digests[row.conversation_id].update(f"{table.__tablename__}{text}\n".encode())
    return {key: digest.hexdigest() for key, digest in digests.items()}


def list_findings(db: sa_orm.Session, listing: FindingListing) -> Iterator[StoredFinding]:
    """Yield the stored findings of a listing, the worst first."""
    stmt = _findings()
    if listing.compaction_id is not None:
        stmt = stmt.where(Finding.compaction_id == listing.compaction_id)
    if listing.rule is not None:
        stmt = stmt.where(Finding.rule == listing.rule)
    order = (_WORST_FIRST, Conversation.last_active_at.desc(), Finding.conversation_id, Finding.id)
    for row in db.execute(listing.narrow(stmt).order_by(*order)):
        yield StoredFinding(**row._mapping)


def load_findings(db: sa_orm.Session, conversation_ids: Sequence[int]) -> tuple[StoredFinding, ...]:
    """Return the stored audit results about these conversations, in the order they were found."""
    found: list[StoredFinding] = []
    for first in range(0, len(conversation_ids), CHUNK):
        chunk = conversation_ids[first : first + CHUNK]
        stmt = _findings().where(Finding.conversation_id.in_(chunk)).order_by(Finding.id)
        found += [StoredFinding(**row._mapping) for row in db.execute(stmt)]
    return tuple(found)


def _findings() -> Select[Any]:
    """Return the question for findings with the ids a reader knows."""
    columns: list[Any] = [
        Finding.id,
        Finding.rule,
        Finding.severity,
        Conversation.public_id.label("conversation"),
        Session.public_id.label("session"),
        Finding.compaction_id.label("compaction"),
        Finding.messages,
        Finding.evidence,
    ]
    return (
        select(*columns)
        .join(Conversation, Conversation.id == Finding.conversation_id)
        .outerjoin(Session, Session.id == Finding.session_id)
    )


def list_audits(db: sa_orm.Session, listing: FindingListing) -> Iterator[StoredAudit]:
    """Yield the measurements of a listing's compactions, conversation by conversation, in their order."""
    columns: list[Any] = [
        Compaction.id,
        Conversation.public_id.label("conversation"),
        Compaction.number.label("ordinal"),
        Compaction.retained,
        Compaction.audit,
    ]
    stmt = (
        select(*columns)
        .join(Conversation, Conversation.id == Compaction.conversation_id)
        .where(Compaction.audit.is_not(None))
    )
    if listing.compaction_id is not None:
        stmt = stmt.where(Compaction.id == listing.compaction_id)
    order = (Conversation.last_active_at.desc(), Conversation.id, Compaction.ordinal)
    for row in db.execute(listing.narrow(stmt).order_by(*order)):
        yield StoredAudit(**row._mapping)


def count_findings(db: sa_orm.Session) -> Mapping[tuple[str, str], int]:
    """Return how many findings are stored, by rule and severity."""
    stmt = (
        select(Finding.rule, Finding.severity, func.count())
        .join(Conversation, Conversation.id == Finding.conversation_id)
        .where(Conversation.kind != ConversationKind.TRASH)
        .group_by(Finding.rule, Finding.severity)
    )
    return {(rule, severity): count for rule, severity, count in db.execute(stmt)}
