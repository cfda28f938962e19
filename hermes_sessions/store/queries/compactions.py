"""Compactions with the ids a reader knows, and their places in a scroll. `ledger` lists and pages them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import ScalarSelect, Select, case, func, literal_column, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.messages import CompactionMethod, CompactionStatus, ConversationKind, Severity
from hermes_sessions.store.schema.models import Compaction, Conversation, Finding, Message, Session


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCompaction:
    """One compaction with the ids a reader knows.

    `session_ordinal` and the `..._position` fields say where it stands in its chain;
    `handoff_shown` is None where it left no handoff row. `retained`, `saved_tokens` and
    `worst_rank` are what the last audit stored, and so are the facts that matter (`matter_total`) and those
    of them that are gone; None where there was none.
    """

    id: int
    conversation_id: int
    conversation: str
    conversation_title: str | None
    conversation_preview: str | None
    ordinal: int
    """Its number among the conversation's compactions; of a prune, among the prunes."""
    realisation: str
    status: str
    method: str
    fork: bool
    session_id: int
    session: str
    session_ordinal: int
    session_fork: bool
    parent_session_id: str | None
    child_id: int | None
    child: str | None
    span_first_id: int | None
    span_last_id: int | None
    span_messages: int | None
    span_stored: bool
    span_last_session_id: int | None
    span_last_position: int | None
    head_messages: int
    tail_messages: int
    handoff_id: int | None
    handoff_shown: bool | None
    handoff_session_id: int | None
    handoff_position: int | None
    summary: str | None
    summarizer_model: str | None
    trigger: str | None
    focus: str | None
    tokens_before: int | None
    tokens_after: int | None
    tokens_method: str | None
    started_at: float | None
    finished_at: float | None
    error: str | None
    retained: float | None
    saved_tokens: int | None
    worst_rank: int | None
    matter_total: int | None
    matter_lost: int | None
    engine: str | None = None
    """The program whose engine made it, where that left a note."""
    conversation_compactions: int | None = None
    """How many compactions its conversation has, of a prune: how many prunes; this and what follows in
    ledgers alone."""
    worst_rule: str | None = None
    summary_tokens: int | None = None
    """About how many tokens its summary has, by our estimate."""

    @property
    def at(self) -> float | None:
        """When it happened, as far as is known."""
        return self.finished_at if self.finished_at is not None else self.started_at

    @property
    def is_prune(self) -> bool:
        """Whether results of tools were cleared, and nothing was summarised."""
        return self.method == CompactionMethod.PRUNE

    @property
    def is_encrypted(self) -> bool:
        """Whether a model wrote a summary of which nothing can be read: its provider encrypted it."""
        ended = self.status in (CompactionStatus.COMMITTED, CompactionStatus.UNDONE)
        wrote = ended and self.method == CompactionMethod.MODEL
        return wrote and self.handoff_id is None and not (self.summary or "").strip()

    @property
    def worst_finding(self) -> str | None:
        """The severity of its worst stored finding."""
        return list(Severity)[self.worst_rank].value if self.worst_rank is not None else None


@cache
def select_compactions() -> Select[Any]:
    """Return a statement whose rows are the fields of `CompactionRow`; made once."""
    session, child = sa_orm.aliased(Session), sa_orm.aliased(Session)
    handoff, span_last = sa_orm.aliased(Message), sa_orm.aliased(Message)
    joined = {
        "ordinal": Compaction.number,
        "conversation": Conversation.public_id,
        "conversation_title": Conversation.title,
        "conversation_preview": Conversation.preview,
        "session": session.public_id,
        "session_ordinal": session.ordinal,
        "session_fork": session.fork,
        "child": child.public_id,
        "span_last_session_id": span_last.session_id,
        "span_last_position": span_last.position,
        "handoff_shown": handoff.shown,
        "handoff_session_id": handoff.session_id,
        "handoff_position": handoff.position,
        "matter_total": Compaction.audit["matter"]["total"].as_integer(),
        "matter_lost": Compaction.audit["matter"]["lost"].as_integer(),
        "engine": Compaction.claim["engine"].as_string(),
    }
    apart = {*joined, *_JUDGED}
    own = [getattr(Compaction, name) for name in ListedCompaction.__slots__ if name not in apart]
    return (
        select(*own, *(column.label(name) for name, column in joined.items()))
        .outerjoin(Conversation, Conversation.id == Compaction.conversation_id)
        .outerjoin(session, session.id == Compaction.session_id)
        .outerjoin(child, child.id == Compaction.child_id)
        .outerjoin(handoff, handoff.id == Compaction.handoff_id)
        .outerjoin(span_last, span_last.id == Compaction.span_last_id)
    )


_JUDGED: Final = ("conversation_compactions", "worst_rule", "summary_tokens")


@cache
def select_judged() -> Select[Any]:
    """Return `select_compactions` with what the audit says of each row."""
    severity = case({one.rank: one.value for one in Severity}, value=Compaction.worst_rank)
    worst = (
        select(Finding.rule)
        .where(Finding.compaction_id == Compaction.id, Finding.severity == severity)
        .order_by(Finding.id)
        .limit(1)
        .correlate(Compaction)
        .scalar_subquery()
    )
    columns = (
        case(
            (Compaction.method == CompactionMethod.PRUNE, Conversation.prune_count),
            else_=Conversation.compaction_count,
        ),
        case((Compaction.worst_rank.is_not(None), worst)),
        Compaction.audit["sizes"]["summary"].as_integer(),
    )
    named = zip(_JUDGED, columns, strict=True)
    return select_compactions().add_columns(*(column.label(name) for name, column in named))


def count_prunes() -> ScalarSelect[Any]:
    """Return an expression: how many prunes the store holds, read from their index."""
    prunes = sa_orm.aliased(Compaction)
    return select(func.count(prunes.id)).where(prunes.method == literal_column("'prune'")).scalar_subquery()


def find_compaction(db: sa_orm.Session, compaction_id: int) -> ListedCompaction | None:
    """Return one compaction by its id, or None."""
    visible = Conversation.kind != ConversationKind.TRASH
    row = db.execute(select_compactions().where(Compaction.id == compaction_id, visible)).first()
    return None if row is None else ListedCompaction(**row._mapping)


def load_compactions(
    db: sa_orm.Session, conversation_id: int, *, newest: int | None = None
) -> tuple[ListedCompaction, ...]:
    """Return a conversation's compactions in their order: all of them, or the *newest* so many."""
    stmt = select_judged().where(Compaction.conversation_id == conversation_id)
    rows = db.execute(stmt.order_by(Compaction.ordinal.desc(), Compaction.id.desc()).limit(newest))
    return tuple(ListedCompaction(**row._mapping) for row in rows)[::-1]


def load_compactions_of(
    db: sa_orm.Session, conversation_id: int, session_ids: Sequence[int]
) -> tuple[ListedCompaction, ...]:
    """Return a conversation's compactions that belong to these sessions, in its order."""
    stmt = select_compactions().where(
        Compaction.conversation_id == conversation_id, Compaction.session_id.in_(session_ids)
    )
    rows = db.execute(stmt.order_by(Compaction.ordinal, Compaction.id))
    return tuple(ListedCompaction(**row._mapping) for row in rows)
