"""The context that the model had in front of it at one message, reconstructed from stored rows."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.spans import Generation, cut_generations
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.handoff.grammars.habits import Habits
from hermes_sessions.handoff.grammars.registry import grammar_named
from hermes_sessions.messages import (
    SENT,
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
from hermes_sessions.operations.documents.messages import SeenJson, message_missing
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
        added: of the rows, those of lines that the agent itself wrote beside a handoff.
        notes: what was sent too and is not among the messages, a phrase each.
    """

    conversation: str
    session: str
    message: int
    ids: tuple[int, ...]
    messages: tuple[Mapping[str, Any], ...]
    tokens: Count
    added: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


def load_seen(db: DbSession, public_id: str, message_id: int) -> SeenContext:
    """Return the context at a message of a conversation.

    For what the assistant wrote there it is what stood before it; for anything else, a
    handoff or a row that was carried over included, it ends with the row itself. Rows
    that had been rewound by then are left out. After a compaction the context is head,
    handoff and tail as the agent sends them: where it stored no tail, none is invented,
    and what it left before the handoff stands where it sends it. A line that the agent
    itself puts beside a handoff is there, in the role in which it is sent.

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
        raise message_missing(db, conversation, message_id)
    found = _seen_rows(db, place.session_id, message_id)
    keys, seen = found.keys, set(found.keys)
    whole = select(Message).where(Message.session_id == place.session_id).order_by(Message.position)
    told = {row.id: _as_sent(row) for row in db.scalars(whole) if row.id in seen}
    messages = [told[one] for one in keys]
    messages = [*lead_of(load_system_prompt(db, place.session_id), messages), *messages]
    return SeenContext(
        conversation=conversation.public_id,
        session=place.public_id,
        message=message_id,
        ids=tuple(keys),
        messages=tuple(messages),
        tokens=count_messages(read_message(one) for one in messages),
        added=found.added,
        notes=found.notes,
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
        added=list(seen.added),
        notes=list(seen.notes),
    )


class _Seen(NamedTuple):
    """The keys of the rows that were in the context, in order, and what belongs to them."""

    keys: tuple[int, ...]
    added: tuple[int, ...]
    notes: tuple[str, ...]


def _as_sent(row: Message) -> dict[str, Any]:
    """Return the message of a row; an agent's own line has the role in which it is sent."""
    message = message_of(row)
    if row.role == Role.SESSION_META:
        wrote = (row.extra or {}).get("role")
        message["role"] = wrote if wrote in (Role.USER, Role.ASSISTANT) else Role.ASSISTANT.value
    return message


def _seen_rows(db: DbSession, session_id: int, message_id: int) -> _Seen:
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
    gone = _compacted_without_handoff(db, session_id, rows, at)
    left = {
        *_left_without_handoff(db, session_id, [one.id for one in gone]),
        *_left_where_it_was_copied(db, session_id, rows, at),
    }
    written = rows[at].role == Role.ASSISTANT and not rows[at].is_copy and not rows[at].handoff
    end = at if written else at + 1
    habits = grammar_named(rows[start].grammar).habits if mine.begun_by is not None else None
    notes = _sent_notes(db, session_id)
    own = {
        index
        for index in mine.places
        if start <= index < end and (rows[index].id in notes or _is_own_line(rows[index], habits))
    }
    sent = [
        row.id
        for index, row in ((index, rows[index]) for index in _as_answered(mine, own, habits) if index < end)
        if (row.role != Role.SESSION_META or index in own)
        and (row.state != MessageState.REWOUND or index >= rewound)
        and row.id not in left
    ]
    added = {rows[index].id for index in own}
    return _Seen(
        tuple(sent), tuple(one for one in sent if one in added), tuple(_unstored(rows, mine, gone, habits))
    )


def _sent_notes(db: DbSession, session_id: int) -> set[int]:
    """Return the notes of a session of which their importer says that they are sent."""
    notes = select(Message.id, Message.extra).where(
        Message.session_id == session_id, Message.role == Role.SESSION_META
    )
    return {row.id for row in db.execute(notes) if (row.extra or {}).get(SENT)}


def _is_own_line(row: AuditMessage, habits: Habits | None) -> bool:
    """Whether the agent itself wrote a row, and sends it beside its handoff."""
    return (
        habits is not None and row.role == Role.SESSION_META and habits.is_inserted((row.text or "").lstrip())
    )


def _as_answered(generation: Generation, own: Collection[int], habits: Habits | None) -> Iterator[int]:
    """Yield the places of a generation as they are sent; the agent's answer follows the handoff at once."""
    first = generation.start + 1
    answer = habits is not None and habits.answers and generation.handoff_first and first in own
    for index in generation.places:
        if not (answer and index == first):
            yield index
        if answer and index == generation.start:
            yield first


def _unstored(
    rows: Sequence[AuditMessage], generation: Generation, gone: Sequence[Any], habits: Habits | None
) -> Iterator[str]:
    """Yield what the agent sends that is not among the rows."""
    if habits is not None and habits.unstored:
        yield habits.unstored
    places = {row.id: index for index, row in enumerate(rows)}
    last = max(gone, key=lambda one: one.ordinal, default=None)
    if last is None or places.get(last.span_last_id, 0) < generation.start:
        return
    claim = last.claim if isinstance(last.claim, dict) else {}
    if claim.get("summary") == "encrypted":
        size = claim.get("encrypted_bytes")
        size = f" of {size:,} bytes" if isinstance(size, int) else ""
        yield f"an encrypted item{size}, the summary, which its provider alone can read"


def _left_where_it_was_copied(
    db: DbSession, session_id: int, rows: Sequence[AuditMessage], at: int
) -> set[int]:
    """Return the inherited rows that compactions took where they come from: those are not this session's."""
    inherited = db.scalar(select(Session.inherited_count).where(Session.id == session_id)) or 0
    handoffs = [place for place, row in enumerate(rows[: min(inherited, at + 1)]) if row.handoff]
    end = inherited if at >= inherited else max(handoffs, default=0)
    return {row.id for row in rows[:end] if row.state == MessageState.COMPACTED and row.archived_by is None}


def _compacted_without_handoff(
    db: DbSession, session_id: int, rows: Sequence[AuditMessage], at: int
) -> list[Any]:
    """Return the compactions before a place that have no handoff, such as encrypted ones."""
    asked = select(
        Compaction.id, Compaction.ordinal, Compaction.span_last_id, Compaction.finished_at, Compaction.claim
    ).where(
        Compaction.session_id == session_id,
        Compaction.handoff_id.is_(None),
        Compaction.realisation != Realisation.ROTATION,
        Compaction.status == CompactionStatus.COMMITTED,
        Compaction.method != CompactionMethod.PRUNE,
    )
    places = {row.id: index for index, row in enumerate(rows)}
    written = rows[at].created_at
    return [
        row
        for row in db.execute(asked)
        if places.get(row.span_last_id, at) < at
        and (row.finished_at is None or written is None or row.finished_at <= written)
    ]


def _left_without_handoff(db: DbSession, session_id: int, compactions: Sequence[int]) -> set[int]:
    """Return the rows that compactions without a handoff took away.

    What they kept is among what they took, and belongs to no block: a handoff would begin one.
    """
    mine = select(Message.id).where(Message.session_id == session_id)
    found: set[int] = set()
    for chunk in chunks(compactions):
        found.update(db.scalars(mine.where(Message.archived_by.in_(chunk))))
    return found
