"""Compactions: those of a conversation, and pages of the ledger."""

from typing import Annotated

from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.rules import get_rule
from hermes_sessions.compaction.plan import CompactionPlan
from hermes_sessions.compaction.result import CompactionResult
from hermes_sessions.messages import CompactionOutcome, CompactionStatus, Realisation, Severity
from hermes_sessions.operations.documents.document import Document, Time, says
from hermes_sessions.store.queries.compactions import ListedCompaction, load_compactions
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.ledger import CompactionListing, list_compactions


class SpanJson(Document, frozen=True, kw_only=True):
    """The messages that a compaction summarised."""

    first: Annotated[int | None, says("A message's id.")]
    last: Annotated[int | None, says("A message's id.")]
    messages: Annotated[int | None, says("How many they are.")]
    stored: Annotated[bool, says("False where the origin deleted them.")]


class CompactionJson(Document, frozen=True, kw_only=True):
    """A middle that was replaced by a summary."""

    id: int
    conversation: str
    ordinal: Annotated[
        int, says("Its number among the compactions of the conversation; a prune's among the prunes.")
    ]
    realisation: Annotated[str, says("How it shows in the data.", one_of=Realisation)]
    status: Annotated[str, says("How it ended.", one_of=CompactionStatus)]
    method: Annotated[str, says("Where the summary came from.")]
    encrypted: Annotated[
        bool, says("A model wrote a summary that its provider encrypted: it cannot be read.")
    ]
    engine: Annotated[str | None, says("The program whose engine made it, where that left a note.")]
    parent: Annotated[str | None, says("A foreign id, stored or not.")]
    child: str | None
    summary: str | None
    span: SpanJson
    tokens_before: int | None
    tokens_after: int | None
    created_at: Time
    session: str
    handoff: Annotated[int | None, says("The message that carries it.")]
    trigger: str | None
    fork: bool
    error: str | None
    retained: Annotated[
        float | None,
        says("Share of the facts that matter in sight after it, as the last audit found; null without one."),
    ]
    saved_tokens: Annotated[
        int | None, says("By the agent's counts where it left both, else estimated by the last audit.")
    ]
    worst_finding: Annotated[str | None, says("", one_of=Severity, or_null=True)]


class CompactionPageJson(Document, frozen=True, kw_only=True):
    """A conversation's compactions in order, or a page of the ledger."""

    compactions: list[CompactionJson]
    next: Annotated[str | None, says("`before` of the following page.")]


class PlanJson(Document, frozen=True, kw_only=True):
    """Which messages of a transcript stay; places count from 0."""

    head_end: Annotated[int, says("The head ends before this place.")]
    tail_start: Annotated[int, says("The tail begins here.")]
    carried: Annotated[list[int], says("Places between the two that stay word for word.")]
    span_messages: Annotated[int, says("How many messages are summarised.")]
    reason: Annotated[str | None, says("Why there is nothing to compact.")]


class CompactionPreviewJson(Document, frozen=True, kw_only=True):
    """What a compaction would do."""

    plan: PlanJson
    tokens_before: int
    tokens_after: int
    tokens_method: str
    handoff: Annotated[str | None, says("With the summary made by rule.")]
    session: str
    status: Annotated[str, says("", one_of=CompactionOutcome)]
    error: str | None


class CompactedJson(Document, frozen=True, kw_only=True):
    """What a compaction did."""

    status: Annotated[str, says("", one_of=CompactionOutcome)]
    compaction: Annotated[int | None, says("Null where there was nothing to do.")]
    session: Annotated[str, says("The session that continues.")]
    method: Annotated[str | None, says("Where the summary came from; null unless committed.")]
    error: Annotated[str | None, says("Why nothing was done, or what was not as wished.")]
    plan: PlanJson
    tokens_before: int
    tokens_after: int
    tokens_method: str


class CompactionUndoneJson(Document, frozen=True, kw_only=True):
    """A compaction was undone."""

    undone: Annotated[int, says("The compaction.")]
    session: Annotated[str, says("The session that continues.")]


def compactions_document(
    db: DbSession, public_id: str | None = None, listing: CompactionListing | None = None
) -> CompactionPageJson:
    """Return all of a conversation's in order, or a page of the ledger.

    Raises:
        NotFoundError: nothing has this id.
        InvalidQueryError: there is no such rule.
    """
    if public_id is not None:
        rows = load_compactions(db, get_conversation(db, public_id).id)
        return CompactionPageJson(compactions=[compaction_value(row) for row in rows], next=None)
    listing = listing or CompactionListing()
    if listing.rule is not None:
        get_rule(listing.rule)
    page = list_compactions(db, listing)
    return CompactionPageJson(
        compactions=[compaction_value(row) for row in page.items],
        next=str(page.next) if page.next else None,
    )


def compaction_value(row: ListedCompaction) -> CompactionJson:
    """Return a compaction as documents show it."""
    return CompactionJson(
        id=row.id,
        conversation=row.conversation,
        ordinal=row.ordinal,
        realisation=row.realisation,
        status=row.status,
        method=row.method,
        encrypted=row.is_encrypted,
        engine=row.engine,
        parent=row.parent_session_id,
        child=row.child,
        summary=row.summary,
        span=SpanJson(
            first=row.span_first_id,
            last=row.span_last_id,
            messages=row.span_messages,
            stored=row.span_stored,
        ),
        tokens_before=row.tokens_before,
        tokens_after=row.tokens_after,
        created_at=row.at,
        session=row.session,
        handoff=row.handoff_id,
        trigger=row.trigger,
        fork=row.fork,
        error=row.error,
        retained=row.retained,
        saved_tokens=row.saved_tokens,
        worst_finding=row.worst_finding,
    )


def preview_document(result: CompactionResult, session: str) -> CompactionPreviewJson:
    """Return what a compaction of a session would do."""
    return CompactionPreviewJson(
        plan=_plan_value(result.plan),
        tokens_before=result.tokens_before,
        tokens_after=result.tokens_after,
        tokens_method=result.tokens_method,
        handoff=result.handoff or None,
        session=session,
        status=result.status,
        error=result.reason or None,
    )


def compacted_document(result: CompactionResult, compaction: int | None, session: str) -> CompactedJson:
    """Return what a compaction did; *session* is the one that continues."""
    return CompactedJson(
        status=result.status,
        compaction=compaction,
        session=session,
        method=result.method,
        error=result.reason or None,
        plan=_plan_value(result.plan),
        tokens_before=result.tokens_before,
        tokens_after=result.tokens_after,
        tokens_method=result.tokens_method,
    )


def _plan_value(plan: CompactionPlan) -> PlanJson:
    return PlanJson(
        head_end=plan.head_end,
        tail_start=plan.tail_start,
        carried=list(plan.carried),
        span_messages=len(plan.span) if plan else 0,
        reason=plan.reason or None,
    )
