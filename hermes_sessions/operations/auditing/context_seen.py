"""The context that the model had in front of it at one message, reconstructed from stored rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.spans import cut_generations
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.errors import NotFoundError
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageState,
    Realisation,
    Role,
    read_message,
)
from hermes_sessions.operations.auditing.conversation_case import (
    in_place_compactions,
    inherited_compactions,
    load_rows,
)
from hermes_sessions.operations.documents.audit import SeenJson
from hermes_sessions.operations.transcript import lead_of, message_of
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.lineage import load_system_prompt
from hermes_sessions.store.schema.models import Compaction, Message, Session
from hermes_sessions.tokens import Count, count_messages


@dataclass(frozen=True, slots=True)
class SeenContext:
    """What the model saw at a message.

    Attributes:
        conversation: public id.
        session: public id of the session whose context it was.
        message: key of the message.
        ids: keys of the rows, in order; the system prompt has none.
        messages: OpenAI-style dicts, the system prompt first where one is stored and the rows do not
            begin with it.
        tokens: what they cost together.
    """

    conversation: str
    session: str
    message: int
    ids: tuple[int, ...]
    messages: tuple[Mapping[str, Any], ...]
    tokens: Count


def load_seen(db: DbSession, public_id: str, message_id: int) -> SeenContext:
    """Return the context at a message of a conversation.

    For what the assistant wrote there it is what stood before it; for anything else, a
    handoff or a row that was carried over included, it ends with the row itself. Rows
    that had been rewound by then are left out. After a compaction the context is head,
    handoff and tail as the agent sends them: where it stored no tail, none is invented,
    and what it left before the handoff stands where it sends it.

    Raises:
        NotFoundError: no such conversation, or no such message in it.
        AmbiguousIdError: the prefix fits several conversations.
    """
    conversation = get_conversation(db, public_id)
    wanted = (
        select(Message.session_id, Session.public_id)
        .join(Session, Session.id == Message.session_id)
        .where(Message.id == message_id, Session.conversation_id == conversation.id)
    )
    place = db.execute(wanted).first() if 0 <= message_id < 2**63 else None
    if place is None:
        raise NotFoundError(f"{conversation.public_id} has no message {message_id}")
    keys = _seen_rows(db, place.session_id, message_id)
    seen = set(keys)
    whole = select(Message).where(Message.session_id == place.session_id).order_by(Message.position)
    told = {row.id: message_of(row) for row in db.scalars(whole) if row.id in seen}
    messages = [told[one] for one in keys]
    messages = [*lead_of(load_system_prompt(db, place.session_id), messages), *messages]
    return SeenContext(
        conversation=conversation.public_id,
        session=place.public_id,
        message=message_id,
        ids=tuple(keys),
        messages=tuple(messages),
        tokens=count_messages(read_message(one) for one in messages),
    )


def seen_document(seen: SeenContext) -> SeenJson:
    """Return the context as documents show it."""
    return SeenJson(
        conversation=seen.conversation,
        session=seen.session,
        message=seen.message,
        ids=list(seen.ids),
        messages=[dict(one) for one in seen.messages],
        tokens=seen.tokens.tokens,
        tokens_exact=seen.tokens.exact,
        tokens_method=seen.tokens.method,
    )


def _seen_rows(db: DbSession, session_id: int, message_id: int) -> list[int]:
    """Return the keys of the rows that were in the context, in order."""
    rows = load_rows(db, session_id)
    at = next(index for index, row in enumerate(rows) if row.id == message_id)
    compactions = [*inherited_compactions(db, session_id, rows), *in_place_compactions(db, session_id)]
    generations = cut_generations(rows, compactions)
    mine = max((one for one in generations if one.start <= at), key=lambda one: (one.start, one.end))
    start = mine.start
    rewound = at
    if rows[at].state == MessageState.REWOUND:
        # What was undone together with it was still there when it was written.
        while rewound > start and rows[rewound - 1].state == MessageState.REWOUND:
            rewound -= 1
    left = {
        *_left_without_handoff(db, session_id, rows, at),
        *_left_where_it_was_copied(db, session_id, rows, at),
    }
    written = rows[at].role == Role.ASSISTANT and not rows[at].is_copy and not rows[at].handoff
    end = at if written else at + 1
    return [
        row.id
        for index, row in ((index, rows[index]) for index in mine.places if index < end)
        if row.role != Role.SESSION_META and (row.is_in_context or index >= rewound) and row.id not in left
    ]


def _left_where_it_was_copied(
    db: DbSession, session_id: int, rows: Sequence[AuditMessage], at: int
) -> set[int]:
    """Return the inherited rows that compactions took where they come from: those are not this session's."""
    inherited = db.scalar(select(Session.inherited_count).where(Session.id == session_id)) or 0
    handoffs = [place for place, row in enumerate(rows[: min(inherited, at + 1)]) if row.handoff]
    end = inherited if at >= inherited else max(handoffs, default=0)
    return {row.id for row in rows[:end] if row.state == MessageState.COMPACTED and row.archived_by is None}


def _left_without_handoff(db: DbSession, session_id: int, rows: Sequence[AuditMessage], at: int) -> set[int]:
    """Return the rows that compactions before a place took away without a handoff, such as encrypted ones.

    What they kept is among what they took, and belongs to no block: a handoff would begin one.
    """
    asked = select(Compaction.id, Compaction.span_last_id, Compaction.finished_at).where(
        Compaction.session_id == session_id,
        Compaction.handoff_id.is_(None),
        Compaction.realisation != Realisation.ROTATION,
        Compaction.status == CompactionStatus.COMMITTED,
        Compaction.method != CompactionMethod.PRUNE,
    )
    places = {row.id: index for index, row in enumerate(rows)}
    written = rows[at].created_at
    before = [
        row.id
        for row in db.execute(asked)
        if places.get(row.span_last_id, at) < at
        and (row.finished_at is None or written is None or row.finished_at <= written)
    ]
    mine = select(Message.id).where(Message.session_id == session_id)
    found: set[int] = set()
    for chunk in chunks(before):
        found.update(db.scalars(mine.where(Message.archived_by.in_(chunk))))
    return found
