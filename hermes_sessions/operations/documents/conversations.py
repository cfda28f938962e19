"""Conversations, and the list of them."""

from typing import Annotated

from sqlalchemy.orm import Session as DbSession

from hermes_sessions.messages import ConversationKind
from hermes_sessions.operations.documents.document import Document, Time, says
from hermes_sessions.store.queries.conversations import (
    ConversationListing,
    ConversationRow,
    get_conversation,
    list_conversations,
)


class TokensJson(Document, frozen=True, kw_only=True):
    """Tokens by the agent's own counts."""

    input: int
    output: int


class ConversationJson(Document, frozen=True, kw_only=True):
    """A root session with its continuations."""

    id: Annotated[str, says("The id of its root session.")]
    tip: Annotated[str | None, says("The id of its newest session.")]
    kind: Annotated[str, says("", one_of=ConversationKind)]
    title: str | None
    preview: Annotated[str | None, says("How its first message begins.")]
    source: Annotated[str | None, says("Where it was held, such as cli or telegram.")]
    model: Annotated[str | None, says("The model that answered last.")]
    started_at: Time
    last_active_at: Time
    messages: Annotated[int, says("What the one scroll shows.")]
    sessions: int
    compactions: Annotated[int, says("Without prunes.")]
    prunes: Annotated[int, says("How often results of tools were cleared, and nothing summarised.")]
    origin: Annotated[str | None, says("The label of the origin it came from.")]
    cwd: Annotated[str | None, says("The folder that the agent worked in.")]
    ended_at: Time
    end_reason: str | None
    forks: Annotated[int, says("How many of its sessions are second continuations.")]
    archived: bool
    pinned: bool
    tags: Annotated[list[str], says("Given here, sorted.")]
    note: Annotated[str | None, says("Written here.")]
    gone: Annotated[bool, says("No longer at its origin.")]
    tokens: TokensJson
    cost_usd: Annotated[float | None, says("What the agent noted, else its estimate.")]


class ConversationPageJson(Document, frozen=True, kw_only=True):
    """A page of the list, newest activity first."""

    conversations: list[ConversationJson]
    next: Annotated[str | None, says("`before` of the following page; null at the end.")]


class ConversationDocumentJson(Document, frozen=True, kw_only=True):
    """One conversation without its messages."""

    conversation: ConversationJson


class ContentsEntryJson(Document, frozen=True, kw_only=True):
    """A line of a table of contents."""

    kind: Annotated[str, says("", one_of=("prompt", "compaction"))]
    id: Annotated[int, says("The message's, or the compaction's.")]
    text: Annotated[str, says("How it begins.")]
    created_at: Time
    place: Annotated[str, says("For `at` of the messages.")]


class ContentsJson(Document, frozen=True, kw_only=True):
    """The user's prompts and the compactions in the order of the one scroll, up to 500 prompts at a time."""

    conversation: str
    entries: list[ContentsEntryJson]
    next: Annotated[str | None, says("`after` of the following entries.")]


def list_document(db: DbSession, listing: ConversationListing) -> ConversationPageJson:
    """Return a page of the list."""
    page = list_conversations(db, listing)
    return ConversationPageJson(
        conversations=[conversation_value(row) for row in page.items],
        next=str(page.next) if page.next else None,
    )


def conversation_document(db: DbSession, public_id: str) -> ConversationDocumentJson:
    """Return one conversation.

    Raises:
        NotFoundError: nothing has this id.
        AmbiguousIdError: the prefix fits several conversations.
    """
    return ConversationDocumentJson(conversation=conversation_value(get_conversation(db, public_id)))


def conversation_value(row: ConversationRow) -> ConversationJson:
    """Return a conversation as documents show it."""
    return ConversationJson(
        id=row.public_id,
        tip=row.tip,
        kind=row.kind,
        title=row.title,
        preview=row.preview,
        source=row.source,
        model=row.model,
        started_at=row.started_at,
        last_active_at=row.last_active_at or None,
        messages=row.message_count,
        sessions=row.session_count,
        compactions=row.compaction_count,
        prunes=row.prune_count,
        origin=row.origin,
        cwd=row.cwd,
        ended_at=row.ended_at,
        end_reason=row.end_reason,
        forks=row.fork_count,
        archived=row.archived,
        pinned=row.pinned,
        tags=list(row.tag_names),
        note=row.note,
        gone=row.gone,
        tokens=TokensJson(input=row.input_tokens, output=row.output_tokens),
        cost_usd=row.actual_cost_usd if row.actual_cost_usd is not None else row.estimated_cost_usd,
    )
