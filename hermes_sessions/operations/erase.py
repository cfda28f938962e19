"""Delete conversations for real: rows, index entries, findings, prompts that nothing else uses."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Delete, Update, delete, exists, func, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.operations.origins import unindex_sessions
from hermes_sessions.store.models import (
    Compaction,
    Conversation,
    Finding,
    Message,
    Origin,
    Session,
    SystemPrompt,
)
from hermes_sessions.store.organising import Change, ChangeItem
from hermes_sessions.store.scrub import require_scrub
from hermes_sessions.store.statements import chunks
from hermes_sessions.store.upkeep import refresh_conversations


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
        unindex_sessions(
            db,
            select(Message.search_key).where(Message.session_id.in_(chunk), Message.search_key.is_not(None)),
        )
    _unlink(db, sessions)
    for chunk in chunks(conversations):
        _run(db, delete(Finding).where(Finding.conversation_id.in_(chunk)))
        _run(db, update(Conversation).where(Conversation.id.in_(chunk)).values(root_id=None, tip_id=None))
    for chunk in chunks(sessions):
        _run(db, delete(Compaction).where(Compaction.session_id.in_(chunk)))
        _run(db, delete(Message).where(Message.session_id.in_(chunk)))
    origins = {one for chunk in chunks(sessions) for one in _origins_of(db, chunk)}
    for chunk in chunks(sessions):
        _run(db, delete(Session).where(Session.id.in_(chunk)))
    for chunk in chunks(conversations):
        _run(db, delete(Conversation).where(Conversation.id.in_(chunk)))
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
            _run(db, update(Compaction).where(column.in_(chunk)).values({column: None}))
        mine = select(Message.id).where(Message.session_id.in_(chunk))
        for link in (Compaction.span_first_id, Compaction.span_last_id, Compaction.handoff_id):
            _run(db, update(Compaction).where(link.in_(mine)).values({link: None}))


def _delete_unused(db: DbSession) -> None:
    used = exists().where(Session.system_prompt_hash == SystemPrompt.hash)
    _run(db, delete(SystemPrompt).where(~used))
    item = exists().where(ChangeItem.change_id == Change.id)
    _run(db, delete(Change).where(~item))


def _sessions_of(db: DbSession, conversations: Sequence[int]) -> Any:
    for chunk in chunks(conversations):
        yield from db.scalars(select(Session.id).where(Session.conversation_id.in_(chunk)))


def _origins_of(db: DbSession, sessions: Sequence[int]) -> Any:
    return db.scalars(select(Session.origin_id).where(Session.id.in_(sessions)).distinct())


def _run(db: DbSession, statement: Delete | Update) -> None:
    db.execute(statement.execution_options(synchronize_session=False))
