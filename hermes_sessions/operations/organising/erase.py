"""Delete conversations for real: rows, index entries, findings, prompts that nothing else uses."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Delete, Update, delete, exists, func, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.keeping.secure_erase import require_scrub
from hermes_sessions.store.schema.models import (
    Compaction,
    Message,
    Origin,
    Session,
)
from hermes_sessions.store.schema.organising import Change, ChangeItem
from hermes_sessions.store.writes import delete_conversations, drop_unused_prompts


def erase_conversations(db: DbSession, conversations: Sequence[int]) -> int:
    """Delete conversations by key, in the caller's transaction; return how many messages they had.

    What descends from them (branches, delegates) stays, without its link.
    """
    sessions = list(_sessions_of(db, conversations))
    messages = 0
    left: set[int] = set()
    for chunk in chunks(sessions):
        counted = select(func.count()).select_from(Message).where(Message.session_id.in_(chunk))
        messages += db.scalar(counted) or 0
        left.update(db.scalars(select(Session.id).where(Session.parent_id.in_(chunk))))
    _unlink(db, sessions)
    origins = {one for chunk in chunks(sessions) for one in _origins_of(db, chunk)}
    for chunk in chunks(conversations):
        delete_conversations(db, chunk, select(Session.id).where(Session.conversation_id.in_(chunk)))
    refresh_conversations(db, left - set(sessions))
    _delete_unused(db)
    read_again(db, origins)
    require_scrub(db)
    return messages


def read_again(db: DbSession, origins: Any) -> None:
    """Have the next sync of these origins look into their files, and forget what it said of them."""
    _run(db, update(Origin).where(Origin.id.in_(list(origins))).values(cursor=None, last_error=None))


def _unlink(db: DbSession, sessions: Sequence[int]) -> None:
    """Take back what points at rows that go."""
    for chunk in chunks(sessions):
        _run(db, update(Message).where(Message.session_id.in_(chunk)).values(archived_by=None, copy_of=None))
        _run(db, update(Session).where(Session.parent_id.in_(chunk)).values(parent_id=None))
        for column in (Compaction.parent_id, Compaction.child_id):
            _run(
                db,
                update(Compaction)
                .where(column.in_(chunk))
                .values({column: None, Compaction.judgement: None}),
            )
        mine = select(Message.id).where(Message.session_id.in_(chunk))
        for link in (Compaction.span_first_id, Compaction.span_last_id, Compaction.handoff_id):
            _run(db, update(Compaction).where(link.in_(mine)).values({link: None}))


def _delete_unused(db: DbSession) -> None:
    drop_unused_prompts(db)
    item = exists().where(ChangeItem.change_id == Change.id)
    _run(db, delete(Change).where(~item))


def _sessions_of(db: DbSession, conversations: Sequence[int]) -> Any:
    for chunk in chunks(conversations):
        yield from db.scalars(select(Session.id).where(Session.conversation_id.in_(chunk)))


def _origins_of(db: DbSession, sessions: Sequence[int]) -> Any:
    return db.scalars(select(Session.origin_id).where(Session.id.in_(sessions)).distinct())


def _run(db: DbSession, statement: Delete | Update) -> None:
    db.execute(statement.execution_options(synchronize_session=False))
