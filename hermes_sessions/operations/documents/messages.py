"""Messages: the one scroll, windows of it, one stored row, a system prompt, what the model saw."""

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import UNSET, UnsetType
from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import NotFoundError
from hermes_sessions.json_text import parsed_json
from hermes_sessions.messages import MessageKind, MessageState
from hermes_sessions.operations.documents.conversations import ConversationJson, conversation_value
from hermes_sessions.operations.documents.document import Document, Time, says
from hermes_sessions.store.queries.conversations import ConversationRow, get_conversation
from hermes_sessions.store.queries.find_session import find_session
from hermes_sessions.store.queries.lineage import (
    FamilySession,
    load_session,
    load_sessions,
    load_system_prompt,
)
from hermes_sessions.store.queries.transcript_rows import (
    CLIENT,
    COMMAND,
    NOTE,
    TranscriptRow,
    is_handoff_alone,
    visible_parts,
)
from hermes_sessions.store.queries.windows import Window, WindowQuery, get_row, iter_rows, load_window
from hermes_sessions.store.schema.models import Message, Session


class PartJson(Document, frozen=True, kw_only=True):
    """What a message says, or the handoff that it carries."""

    kind: Annotated[str, says("", one_of=(MessageKind.MESSAGE, MessageKind.HANDOFF))]
    text: str


class MessageJson(Document, frozen=True, kw_only=True):
    """A stored row of a transcript."""

    id: int
    origin_id: Annotated[int | str | None, says("The row's id at its agent: a number where it is one.")]
    session: Annotated[str, says("The id of its session.")]
    position: Annotated[int, says("Its place in the session, from 0.")]
    role: str
    kind: Annotated[
        str,
        says(
            "`note`: nobody said it; our engine put it there. `client`: the user's client did; `command`: it"
            " records what the user ordered.",
            one_of=(*MessageKind, NOTE, CLIENT, COMMAND),
        ),
    ]
    state: Annotated[str, says("", one_of=MessageState)]
    copy_of: Annotated[int | None, says("The message it repeats.")]
    parts: list[PartJson]
    tool_calls: Annotated[
        Any, says("JSON as the agent wrote it; the stored text where that is not valid; null without any.")
    ]
    tool_call_id: str | None
    tool_name: Annotated[str | None, says("That of its call, where a result does not say.")]
    created_at: Time
    archived_by: Annotated[int | None, says("The compaction whose span holds it.")]
    inherited: Annotated[bool | UnsetType, says("A branch took it over; left out elsewhere.")] = UNSET


class MessageWindowJson(Document, frozen=True, kw_only=True):
    """Messages of a conversation: all of them, or a window."""

    conversation: ConversationJson
    messages: list[MessageJson]
    previous: Annotated[
        str | UnsetType | None, says("`before` of the window before; left out where all are here.")
    ] = UNSET
    next: Annotated[
        str | UnsetType | None, says("`after` of the following window; left out where all are here.")
    ] = UNSET


class MessageDocumentJson(Document, frozen=True, kw_only=True):
    """One stored row, complete, with all its parts."""

    conversation: ConversationJson
    message: MessageJson


class SystemPromptJson(Document, frozen=True, kw_only=True):
    """The system prompt of one session."""

    conversation: str
    session: str
    text: Annotated[str | None, says("Null where none was stored.")]


class SeenJson(Document, frozen=True, kw_only=True):
    """The context that the model saw at a message."""

    conversation: str
    session: str
    message: int
    ids: Annotated[list[int], says("The rows' ids in order; the system prompt has none.")]
    messages: Annotated[list[dict[str, Any]], says("OpenAI-style messages; a system prompt comes first.")]
    tokens: int
    tokens_exact: bool
    tokens_method: str
    added: Annotated[
        list[int], says("Of the ids, those of lines that the agent itself wrote beside a handoff.")
    ]
    notes: Annotated[list[str], says("What was sent too and is not among the messages.")]


def message_missing(db: DbSession, conversation: ConversationRow, message: int) -> NotFoundError:
    """Return the error that a conversation has no message of a number, with the numbers that it has."""
    numbers = (
        select(func.min(Message.id), func.max(Message.id))
        .join(Session, Session.id == Message.session_id)
        .where(Session.conversation_id == conversation.id)
    )
    first, last = db.execute(numbers).one()
    has = "it has none" if first is None else f"its messages have numbers from {first} to {last}"
    return NotFoundError(
        f"{conversation.public_id} has no message {message}; {has}, counted over the whole store:"
        f" `show {conversation.public_id}` prints them"
    )


def show_document(db: DbSession, public_id: str, *, every: bool = False) -> MessageWindowJson:
    """Return the one scroll, or every stored row.

    Raises:
        NotFoundError: nothing has this id.
        AmbiguousIdError: the prefix fits several conversations.
    """
    conversation = get_conversation(db, public_id)
    inherited = _inherited(load_sessions(db, conversation.id))
    rows = iter_rows(db, conversation.id, every=every)
    return MessageWindowJson(
        conversation=conversation_value(conversation),
        messages=[message_value(row, inherited, every=every) for row in rows],
    )


def window_document(db: DbSession, conversation: ConversationRow, query: WindowQuery) -> MessageWindowJson:
    """Return one window of one view.

    In the views of one session a merged row has all its parts, as on the page.
    """
    window = load_window(db, conversation.id, query)
    inherited = _inherited(load_sessions(db, conversation.id))
    every = not query.view.one_scroll
    return MessageWindowJson(
        conversation=conversation_value(conversation),
        messages=[message_value(row, inherited, every=every) for row in window.rows],
        previous=_place(window, 0) if window.previous else None,
        next=_place(window, -1) if window.following else None,
    )


def message_document(db: DbSession, message_id: int) -> MessageDocumentJson:
    """Return one stored row, complete, with all its parts.

    Raises:
        NotFoundError: no message has this id.
    """
    row, public_id = get_row(db, message_id)
    session = load_session(db, row.session_id)
    return MessageDocumentJson(
        conversation=conversation_value(get_conversation(db, public_id)),
        message=message_value(row, _inherited([session] if session else []), every=True),
    )


def system_prompt_document(db: DbSession, public_id: str) -> SystemPromptJson:
    """Return the system prompt of the session that the id names.

    Raises:
        NotFoundError: nothing has this id.
        AmbiguousIdError: the prefix fits several conversations.
    """
    conversation = get_conversation(db, public_id)
    found = find_session(db, public_id)
    session = load_session(db, found[0]) if found else None
    if session is None:
        raise NotFoundError(f"no session has the id {public_id!r}")
    return SystemPromptJson(
        conversation=conversation.public_id,
        session=session.public_id,
        text=load_system_prompt(db, session.id),
    )


def message_value(row: TranscriptRow, inherited: dict[int, int], *, every: bool) -> MessageJson:
    """Return a message as documents show it.

    Args:
        row: as it is stored.
        inherited: how many first rows each branch session inherited, by session key.
        every: show all parts of a merged row, also those that stand elsewhere.
    """
    alone = not every and is_handoff_alone(row)
    parts = row.parts if every else visible_parts(row)
    return MessageJson(
        id=row.id,
        origin_id=row.origin_id,
        session=row.session,
        position=row.position,
        role=row.role,
        kind=str(MessageKind.HANDOFF) if alone else row.said_as,
        state=row.state,
        copy_of=row.copy_of,
        parts=[PartJson(kind=part.kind, text=part.text) for part in parts],
        tool_calls=parsed_json(row.tool_calls, row.tool_calls) if row.tool_calls and not alone else None,
        tool_call_id=row.tool_call_id,
        tool_name=row.tool_name,
        created_at=row.created_at,
        archived_by=row.archived_by,
        inherited=True if row.position < inherited.get(row.session_id, 0) else UNSET,
    )


def _inherited(sessions: Iterable[FamilySession]) -> dict[int, int]:
    return {row.id: row.inherited_count for row in sessions if row.inherited_count}


def _place(window: Window, at: int) -> str | None:
    if not window.rows:
        return None
    row = window.rows[at]
    return f"{row.ordinal}.{row.position}"
