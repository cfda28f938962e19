"""Keep what is derived: which sessions make a conversation, and everything a list shows of it.

Called inside the transaction of whoever changed sessions or messages, so that no page
ever walks a chain. `check` derives the same a second time, in its own way.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.lineage import Lineage, Placement, Relation
from hermes_sessions.messages import CompactionMethod, MessageKind, Role
from hermes_sessions.store.engines.row_keys import next_keys
from hermes_sessions.store.engines.statements import chunks, update_rows
from hermes_sessions.store.keeping.conversation_values import (
    COSTS,
    PREVIEW_CHARS,
    SUMMED,
    ConversationSessions,
    conversation_values,
    decided_values,
    newest_time,
    preview_of,
)
from hermes_sessions.store.keeping.row_locks import lock_conversations, lock_sessions
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Session
from hermes_sessions.store.schema.organising import SessionTag

MOST_ORDINAL: Final = 2**31
"""Where a compaction is that has no place yet: behind all others of its session."""

_FIELDS = (
    Session.id, Session.public_id, Session.origin_id, Session.conversation_id, Session.ordinal,
    Session.parent_id, Session.relation, Session.fork, Session.source, Session.model, Session.title,
    Session.cwd, Session.started_at, Session.ended_at, Session.end_reason, Session.shown_count,
    Session.last_active_at, Session.origin_archived, Session.archived, Session.pinned, Session.note,
    Session.trashed_at, Session.gone_at,
    *(getattr(Session, name) for name in (*SUMMED, *COSTS)),
)  # fmt: skip


def refresh_sessions(db: DbSession, session_ids: Iterable[int]) -> None:
    """Count the rows of sessions again: message_count, shown_count, last_active_at."""
    session_ids = set(session_ids)
    lock_sessions(db, session_ids)
    for chunk in chunks(session_ids):
        counted = {
            row.session_id: row
            for row in db.execute(
                select(
                    Message.session_id,
                    func.count().label("rows"),
                    func.count().filter(Message.shown).label("shown"),
                    func.max(Message.created_at).label("newest"),
                )
                .where(Message.session_id.in_(chunk))
                .group_by(Message.session_id)
            )
        }
        sessions = db.execute(
            select(Session.id, Session.started_at, Session.ended_at).where(Session.id.in_(chunk))
        ).all()
        values = []
        for one in sessions:
            row = counted.get(one.id)
            newest = row.newest if row is not None else None
            values.append(
                {
                    "key": one.id,
                    "message_count": row.rows if row is not None else 0,
                    "shown_count": row.shown if row is not None else 0,
                    "last_active_at": newest_time(one.started_at, one.ended_at, newest),
                }
            )
        update_rows(db, Session, values)


def refresh_conversations(
    db: DbSession, session_ids: Iterable[int], previews: Mapping[int, str] | None = None
) -> Mapping[int, int]:
    """Group sessions into conversations and derive everything kept about those.

    Args:
        session_ids: sessions that are new or changed; what they belong to is found.
        previews: root session -> preview, where the caller knows it already.

    Returns:
        Session -> conversation, of all that was looked at.
    """
    wanted = set(session_ids)
    rows = _closure(db, wanted)
    while lock_conversations(db, {row.conversation_id for row in rows.values()}):
        rows = _closure(db, wanted)  # as they are now that nobody else writes to them
    if not rows:
        return {}
    lineage = Lineage(
        {
            str(row.id): Placement(
                Relation(row.relation), str(row.parent_id) if row.parent_id in rows else None, row.fork
            )
            for row in rows.values()
        },
        order={str(row.id): (row.started_at or 0.0, row.id) for row in rows.values()},
    )
    groups = [ConversationSessions.of(lineage, rows, root) for root in lineage.roots()]
    claimed = _claim_conversations(db, groups)
    events = _Belongings(_order_compactions(db, groups), _load_tags(db, rows))
    _write_groups(db, groups, claimed, events, previews or {})
    owners = {row.id: claimed[group.root.id] for group in groups for row, _ in group.members}
    _follow(db, {row.id: owners[row.id] for row in rows.values() if row.conversation_id != owners[row.id]})
    _drop_unused(db, {row.conversation_id for row in rows.values()} - set(claimed.values()))
    return owners


@dataclass(frozen=True, slots=True)
class _Belongings:
    """What hangs on sessions: compactions by root session, tags by session."""

    compactions: Mapping[int, Sequence[Any]]
    tags: Mapping[int, Sequence[str]]


def _closure(db: DbSession, wanted: set[int]) -> dict[int, Any]:
    """Load *wanted* with everything that is, was or becomes part of the same conversations."""
    rows: dict[int, Any] = {}
    while wanted:
        found: dict[int, Any] = {}
        for chunk in chunks(wanted):
            found |= {row.id: row for row in db.execute(select(*_FIELDS).where(Session.id.in_(chunk)))}
        rows |= found
        parents = {
            row.parent_id
            for row in found.values()
            if row.relation == Relation.COMPACTION and row.parent_id is not None
        }
        conversations = {row.conversation_id for row in found.values()} - {0}
        wanted = parents - rows.keys()
        for chunk in chunks(found):
            wanted.update(
                db.scalars(
                    select(Session.id).where(
                        Session.parent_id.in_(chunk), Session.relation == Relation.COMPACTION
                    )
                )
            )
        for chunk in chunks(conversations):
            wanted.update(db.scalars(select(Session.id).where(Session.conversation_id.in_(chunk))))
        wanted -= rows.keys()
    return rows


def _claim_conversations(db: DbSession, groups: Sequence[ConversationSessions]) -> dict[int, int]:
    """Return root session -> conversation: the root's own, else a member's, else a new one.

    A conversation keeps its key when a root turns up late or families merge.
    """
    known = {row.conversation_id for group in groups for row, _ in group.members} - {0}
    existing: dict[int, int | None] = {}
    for chunk in chunks(known):
        found = db.execute(select(Conversation.id, Conversation.root_id).where(Conversation.id.in_(chunk)))
        existing.update({row.id: row.root_id for row in found})
    own = {root: conversation for conversation, root in existing.items() if root is not None}
    claimed = {group.root.id: own[group.root.id] for group in groups if group.root.id in own}
    taken = set(claimed.values())
    unplaced = []
    for group in groups:
        if group.root.id in claimed:
            continue
        for row, _ in group.members:
            if row.conversation_id in existing and row.conversation_id not in taken:
                claimed[group.root.id] = row.conversation_id
                break
        else:
            unplaced.append(group.root.id)
            continue
        taken.add(claimed[group.root.id])
    claimed.update(zip(unplaced, next_keys(db, Conversation, len(unplaced)), strict=True))
    return claimed


def _order_compactions(db: DbSession, groups: Sequence[ConversationSessions]) -> dict[int, list[Any]]:
    """Return root session -> its conversation's compactions in the order they happened.

    Within a session it is the order that their ordinals have: who imports says where an older one belongs.
    """
    # A fork comes after what goes on, whichever of them was imported first.
    places = {
        row.id: (group.root.id, ordinal, row.fork, row.started_at or 0.0)
        for group in groups
        for row, ordinal in group.members
    }
    found: dict[int, list[Any]] = defaultdict(list)
    for chunk in chunks(places):
        for row in db.execute(
            select(
                Compaction.id,
                Compaction.session_id,
                Compaction.realisation,
                Compaction.status,
                Compaction.child_id,
                Compaction.conversation_id,
                Compaction.ordinal,
                Compaction.number,
                Compaction.method,
            ).where(Compaction.session_id.in_(chunk))
        ):
            found[places[row.session_id][0]].append(row)
    for rows in found.values():
        rows.sort(
            key=lambda row: (
                places[row.session_id][1],
                row.child_id is None,
                row.realisation != "rotation",
                *places[row.session_id][2:],
                row.ordinal or MOST_ORDINAL,
                row.id,
            )
        )
    return found


def _load_tags(db: DbSession, session_ids: Iterable[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for chunk in chunks(session_ids):
        stmt = select(SessionTag.session_id, SessionTag.tag).where(SessionTag.session_id.in_(chunk))
        for row in db.execute(stmt):
            found[row.session_id].append(row.tag)
    return found


def _write_groups(
    db: DbSession,
    groups: Sequence[ConversationSessions],
    claimed: Mapping[int, int],
    belongings: _Belongings,
    previews: Mapping[int, str],
) -> None:
    existing: set[int] = set()
    for chunk in chunks(claimed.values()):
        existing.update(db.scalars(select(Conversation.id).where(Conversation.id.in_(chunk))))
    new, changed, sessions, ordered = [], [], [], []
    for group in groups:
        conversation = claimed[group.root.id]
        events = belongings.compactions.get(group.root.id, ())
        values = conversation_values(group, events) | decided_values(group, belongings.tags)
        if group.root.id in previews:
            values["preview"] = previews[group.root.id]
        else:
            values["preview"] = _find_preview(db, group)
        if conversation in existing:
            changed.append({"key": conversation, **values})
        else:
            new.append({"id": conversation, **values})
        sessions += [
            {"key": row.id, "conversation_id": conversation, "ordinal": ordinal}
            for row, ordinal in group.members
            if (row.conversation_id, row.ordinal) != (conversation, ordinal)
        ]
        ordered += [
            {"key": event.id, "conversation_id": conversation, "ordinal": place, "number": number}
            for place, (event, number) in enumerate(zip(events, _numbers(events), strict=True), start=1)
            if (event.conversation_id, event.ordinal, event.number) != (conversation, place, number)
        ]
    # Public ids may change hands between conversations: free them before they are given.
    update_rows(db, Conversation, [{"key": row["key"], "public_id": f"\x01{row['key']}"} for row in changed])
    update_rows(db, Conversation, [{"key": row["key"], "root_id": None} for row in changed])
    if new:
        db.connection().execute(insert(Conversation), new)
    update_rows(db, Conversation, changed)
    update_rows(db, Session, sessions)
    update_rows(db, Compaction, ordered)


def _numbers(events: Sequence[Any]) -> Iterator[int]:
    """Yield the number of each compaction among the compactions, of each prune among the prunes."""
    counts = {True: 0, False: 0}
    for event in events:
        is_prune = event.method == CompactionMethod.PRUNE
        counts[is_prune] += 1
        yield counts[is_prune]


def _follow(db: DbSession, moved: Mapping[int, int]) -> None:
    """Have what sessions hold follow them into another conversation; a new session holds nothing yet."""
    rows = [{"session": session, "conversation": owner} for session, owner in moved.items()]
    if not rows:
        return
    tables: tuple[type[Message] | type[SessionTag], ...] = (Message, SessionTag)
    for table in tables:
        statement = (
            update(table)
            .where(
                table.session_id == bindparam("session"), table.conversation_id != bindparam("conversation")
            )
            .values(conversation_id=bindparam("conversation"))
        )
        db.connection().execute(statement, rows)


def _find_preview(db: DbSession, group: ConversationSessions) -> str | None:
    """Return the beginning of what the user first said, else of the first message with text."""
    for role in (Message.role == Role.USER, Message.role != ""):
        for row in group.chain:
            if not row.shown_count:
                continue
            text = db.scalar(
                select(func.substr(Message.text, 1, PREVIEW_CHARS * 4))
                .where(Message.session_id == row.id, Message.shown, role)
                .where(Message.kind == MessageKind.MESSAGE, Message.text != "")
                .order_by(Message.position)
                .limit(1)
            )
            if text:
                return preview_of(text)
    return None


def _drop_unused(db: DbSession, suspects: set[int]) -> None:
    for chunk in chunks(suspects - {0}):
        used = set(
            db.scalars(select(Session.conversation_id).where(Session.conversation_id.in_(chunk)).distinct())
        )
        unused = [one for one in chunk if one not in used]
        if unused:
            db.execute(
                delete(Conversation)
                .where(Conversation.id.in_(unused))
                .execution_options(synchronize_session=False)
            )
