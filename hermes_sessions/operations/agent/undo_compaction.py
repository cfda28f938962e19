"""Take a compaction of ours back, as long as nothing was said since."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import CompactionRefusedError, NotFoundError
from hermes_sessions.messages import CompactionStatus, MessageState, Realisation
from hermes_sessions.operations.agent.append import LOCAL
from hermes_sessions.operations.agent.record_compaction import FRONT, NOTE
from hermes_sessions.store.engines.statements import chunks, update_rows
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations, refresh_sessions
from hermes_sessions.store.keeping.row_locks import lock_sessions
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Message, Origin, Session
from hermes_sessions.store.writes import release_rows, unindex_sessions


def undo_compaction(database: Database, compaction_id: int) -> str:
    """Undo a compaction made here; return the session that goes on.

    The compaction's row stays, with status `undone`; the rows it wrote go, the rows it
    archived are live again.

    Raises:
        NotFoundError: no such compaction.
        CompactionRefusedError: it is not ours, not committed, or something came after it.
    """
    return database.run(lambda db: _undo(db, compaction_id))


def _undo(db: DbSession, compaction_id: int) -> str:
    session_id = db.scalar(select(Compaction.session_id).where(Compaction.id == compaction_id))
    if session_id is not None:
        lock_sessions(db, [session_id])
    found = db.get(Compaction, compaction_id)
    if found is None:
        raise NotFoundError(f"no compaction has the id {compaction_id}")
    _require_undoable(db, found)
    written = _written_rows(db, found)
    _require_nothing_said(found, written)
    _release_rows(db, found)
    _delete_rows(db, [row.id for row in written])
    session = _reopen(db, found)
    refresh_sessions(db, [session])
    refresh_conversations(db, [session])
    public_id = db.scalar(select(Session.public_id).where(Session.id == session))
    return public_id or ""


def _require_undoable(db: DbSession, found: Compaction) -> None:
    kind = db.scalar(
        select(Origin.kind)
        .join(Session, Session.origin_id == Origin.id)
        .where(Session.id == found.session_id)
    )
    if kind != LOCAL:
        raise CompactionRefusedError(f"compaction {found.id}: the agent made it, not this store")
    if found.status != CompactionStatus.COMMITTED:
        raise CompactionRefusedError(
            f"compaction {found.id}: is {found.status}, there is nothing to take back"
        )
    child = db.scalars(select(Session.public_id).where(Session.parent_id == found.session_id)).first()
    if child is not None:
        raise CompactionRefusedError(f"compaction {found.id}: {child} continues from it; undo that first")
    later = db.scalars(
        select(Compaction.id).where(
            Compaction.session_id == found.session_id,
            Compaction.status == CompactionStatus.COMMITTED,
            Compaction.id > found.id,
        )
    ).first()
    if later is not None:
        raise CompactionRefusedError(
            f"compaction {found.id}: compaction {later} came after it; undo that first"
        )


def _written_rows(db: DbSession, found: Compaction) -> Sequence[Any]:
    """Return the rows of the new transcript and all that came after them."""
    return db.execute(
        select(Message.id, Message.position, Message.kind, Message.copy_of, Message.extra)
        .where(Message.session_id == found.session_id, Message.position >= _first_position(db, found))
        .order_by(Message.position)
    ).all()


def _first_position(db: DbSession, found: Compaction) -> int:
    """Return where in its session the transcript that a compaction wrote begins."""
    handoff = db.execute(select(Message.position, Message.extra).where(Message.id == found.handoff_id)).one()
    return int(handoff.position - handoff.extra[FRONT])


def _require_nothing_said(found: Compaction, written: Sequence[Any]) -> None:
    said = [
        row
        for row in written
        if row.copy_of is None and row.id != found.handoff_id and NOTE not in (row.extra or {})
    ]
    if said:
        raise CompactionRefusedError(
            f"compaction {found.id}: new messages after it would be lost: {len(said)}"
        )


def _release_rows(db: DbSession, found: Compaction) -> None:
    """Give the summarised rows back to the context, and in place everything that was archived."""
    release_rows(db, [found.id])
    if found.realisation == Realisation.ROTATION:
        return
    written = _written_rows(db, found)
    archived = db.scalars(
        select(Message.id).where(
            Message.session_id == found.session_id,
            Message.state == MessageState.COMPACTED,
            Message.position < written[0].position,
            Message.position >= _generation_start(db, found),
        )
    ).all()
    update_rows(db, Message, [{"key": one, "state": MessageState.LIVE.value} for one in archived])


def _generation_start(db: DbSession, found: Compaction) -> int:
    """Return where the transcript before an in-place compaction begins: the previous one's block."""
    earlier = db.scalars(
        select(Compaction)
        .where(
            Compaction.session_id == found.session_id,
            Compaction.realisation == Realisation.IN_PLACE,
            Compaction.status == CompactionStatus.COMMITTED,
            Compaction.id != found.id,
        )
        .order_by(Compaction.id.desc())
        .limit(1)
    ).first()
    return 0 if earlier is None else _first_position(db, earlier)


def _delete_rows(db: DbSession, ids: Sequence[int]) -> None:
    for chunk in chunks(ids):
        unindex_sessions(db, select(Message.search_key).where(Message.id.in_(chunk)))
        # Compactions that were undone before this one may still point at its rows.
        for column in (Compaction.handoff_id, Compaction.span_first_id, Compaction.span_last_id):
            db.execute(
                update(Compaction)
                .where(column.in_(chunk))
                .values({column: None})
                .execution_options(synchronize_session=False)
            )
        db.execute(delete(Message).where(Message.id.in_(chunk)).execution_options(synchronize_session=False))


def _reopen(db: DbSession, found: Compaction) -> int:
    """Note that the compaction is undone; a rotation's child goes and its parent is open again."""
    child, parent = found.child_id, found.parent_id or found.session_id
    db.execute(
        update(Compaction)
        .where(Compaction.id == found.id)
        .values(status=CompactionStatus.UNDONE.value, session_id=parent, child_id=None, handoff_id=None)
    )
    if found.realisation == Realisation.ROTATION and child is not None:
        parent_kind = db.scalar(
            select(Origin.kind).join(Session, Session.origin_id == Origin.id).where(Session.id == parent)
        )
        if parent_kind == LOCAL:
            db.execute(update(Session).where(Session.id == parent).values(ended_at=None, end_reason=None))
        # Attempts that changed nothing belong to whoever goes on.
        db.execute(update(Compaction).where(Compaction.session_id == child).values(session_id=parent))
        db.execute(update(Compaction).where(Compaction.parent_id == child).values(parent_id=parent))
        db.execute(delete(Session).where(Session.id == child))
    return parent
