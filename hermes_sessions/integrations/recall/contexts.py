"""The tools about sessions: `seen`, what the model had in front of it, and `lineage`, the family."""

from collections.abc import Mapping
from typing import Any, Final

from hermes_sessions.integrations.recall.answers import (
    LineageAnswer,
    LineageLine,
    SeenAnswer,
    SeenMessage,
    count_fitting,
    utc,
)
from hermes_sessions.integrations.recall.arguments import LineageArguments, SeenArguments
from hermes_sessions.integrations.recall.reading import Reading
from hermes_sessions.messages import content_text
from hermes_sessions.operations.auditing.context_seen import load_seen
from hermes_sessions.store.queries.conversations import ConversationRow, get_conversation
from hermes_sessions.store.queries.lineage import FamilySession, load_family

PAGE: Final = 50
MAX_FAMILY: Final = 2_000
_BEGINNING_CHARS: Final = 160


def list_seen(reading: Reading, asked: SeenArguments) -> SeenAnswer:
    """Say which messages were in the model's context at a message.

    Raises:
        NotFoundError: no such conversation within reach, or no such message in it.
    """
    conversation = reading.conversation(asked.conversation)
    seen = load_seen(reading.db, conversation.public_id, asked.message)
    prompts = len(seen.messages) - len(seen.ids)
    numbered = list(zip([*[None] * prompts, *seen.ids], seen.messages, strict=True))
    page = numbered[asked.offset : asked.offset + PAGE]
    lines = [_seen(reading, number, message, own=number in seen.added) for number, message in page]
    fitting = count_fitting(lines)
    end = asked.offset + fitting
    return SeenAnswer(
        conversation=conversation.public_id,
        session=seen.session,
        message=asked.message,
        messages_in_context=len(numbered),
        tokens=seen.tokens.tokens,
        tokens_method=seen.tokens.method,
        context=lines[:fitting],
        notes=[f"Sent too: {note}." for note in seen.notes],
        next=end if end < len(numbered) else None,
    )


def list_family(reading: Reading, asked: LineageArguments) -> LineageAnswer:
    """List the sessions that belong to a conversation's family, parents first.

    Raises:
        NotFoundError: no conversation within reach has the id.
    """
    conversation = reading.conversation(asked.conversation)
    family = load_family(reading.db, conversation.id, most=MAX_FAMILY)
    allowed: dict[str, ConversationRow | None] = {}
    sessions = [row for row in family.sessions if _is_allowed(reading, row, allowed)]
    shown = {row.public_id for row in sessions}
    page = sessions[asked.offset : asked.offset + PAGE]
    lines = [_session(reading, row, shown) for row in page]
    fitting = count_fitting(lines)
    end = asked.offset + fitting
    notes = (
        [] if family.complete else [f"The family is larger: its first {MAX_FAMILY:,} sessions are listed."]
    )
    return LineageAnswer(
        conversation=conversation.public_id,
        sessions=lines[:fitting],
        notes=notes,
        next=end if end < len(sessions) else None,
    )


def _seen(reading: Reading, number: int | None, message: Mapping[str, Any], *, own: bool) -> SeenMessage:
    text = content_text(message.get("content"))
    return SeenMessage(
        message=number,
        role=str(message["role"]),
        characters=len(text),
        begins=reading.line(text, _BEGINNING_CHARS) or "",
        own=own,
    )


def _is_allowed(reading: Reading, row: FamilySession, known: dict[str, ConversationRow | None]) -> bool:
    if not reading.reach.narrowed:
        return True
    if row.conversation not in known:
        found = get_conversation(reading.db, row.conversation, trashed=True)
        known[row.conversation] = found if reading.allows(found) else None
    return known[row.conversation] is not None


def _session(reading: Reading, row: FamilySession, shown: set[str]) -> LineageLine:
    parent = row.parent or row.parent_session_id
    return LineageLine(
        session=row.public_id,
        conversation=row.conversation,
        parent=parent if parent in shown or not reading.reach.narrowed else None,
        relation=row.relation,
        fork=row.fork,
        newest=row.is_tip,
        at=utc(row.started_at),
        messages=row.message_count,
        title=reading.line(row.title),
    )
