"""Rows that the origin no longer has: kept and marked; the scroll shows those that a compaction took."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.messages import MessageKind, MessageState, Role
from hermes_sessions.operations.imports.merge_compactions import Merge
from hermes_sessions.store.engines.statements import update_rows
from hermes_sessions.store.keeping.audit_marks import forget_audits
from hermes_sessions.store.keeping.conversation_values import is_shown
from hermes_sessions.store.schema.models import Compaction, Message, Session


def mark_gone_rows(db: DbSession, merge: Merge, session: str, present: Collection[str]) -> list[int]:
    """Keep rows that the origin deleted: no longer live, and no longer waited for.

    Undo, retry and the older way of compacting delete a session's rows and write others. What a
    compaction took stays in the scroll, unless that compaction is gone as well, or the files say all.

    Returns:
        The keys of those that were live.
    """
    mine = [Message.session_id == merge.keys.sessions[session], Message.origin_key.is_not(None)]
    if merge.family.since is not None:
        mine.append(Message.origin_row_id >= merge.family.since)
    columns = ("id", "origin_key", "origin_row_id", "extra", "state", "shown", "archived_by")
    known = db.execute(select(*(getattr(Message, name) for name in columns)).where(*mine))
    gone = [row for row in known if row.origin_key not in present]
    live = [row.id for row in gone if row.state == MessageState.LIVE]
    earlier = {row.id for row in gone if row.state != MessageState.LIVE}
    left = {*live, *(earlier if merge.is_told_whole else earlier & merge.released)}
    update_rows(
        db,
        Message,
        [
            {
                "key": row.id,
                "origin_key": None,
                "origin_row_id": None,
                "state": MessageState.REWOUND.value if row.id in left else row.state,
                "archived_by": None if row.id in left else row.archived_by,
                "shown": row.shown and row.id not in left,
                "extra": {**(row.extra or {}), "$gone": _gone(row)},
            }
            for row in gone
        ],
    )
    merge.deleted.update(row.id for row in gone)
    if earlier & left:
        asked = select(Session.conversation_id).where(Session.id == merge.keys.sessions[session])
        forget_audits(db, db.scalars(asked).all())
    return live


def _gone(row: Any) -> dict[str, Any]:
    """Return what is kept of a deleted row: its number, its key where that is another, its state."""
    told = {"id": row.origin_row_id, "state": row.state}
    return told if row.origin_key == str(row.origin_row_id) else {**told, "key": row.origin_key}


def join_deleted_span(db: DbSession, session_id: int, gone: Collection[int], compaction: int) -> None:
    """Make the rows *gone* what a compaction took whose agent wrote its file anew, without them.

    Args:
        gone: keys of rows that were live when the agent deleted them.
        compaction: the one that the file begins with.
    """
    columns = ("id", "position", "origin_key", "role", "kind", "copy_of", "text", "tool_calls")
    asked = select(*(getattr(Message, name) for name in columns)).where(Message.session_id == session_id)
    rows = db.execute(asked.order_by(Message.position)).all()
    lost = [row for row in rows if row.id in gone]
    taken = {"state": MessageState.COMPACTED.value, "archived_by": compaction}
    update_rows(
        db,
        Message,
        [{"key": row.id, **taken, "shown": is_shown({**row._mapping, **taken})} for row in lost],
    )
    _place_before(db, rows, db.get_one(Compaction, compaction).handoff_id)
    span = [row.id for row in lost if row.role != Role.SESSION_META and row.kind != MessageKind.HANDOFF]
    if span:
        told = {"span_first_id": span[0], "span_last_id": span[-1], "span_messages": len(span)}
        update_rows(db, Compaction, [{"key": compaction, **told, "span_stored": True}])


def _place_before(db: DbSession, rows: Sequence[Any], handoff: int | None) -> None:
    """Put what is gone before the handoff that the session now begins with."""
    if handoff is None:
        return
    older = [row for row in rows if row.origin_key is None]
    ordered = [*older, *(row for row in rows if row.origin_key is not None)]
    moves = [(row.id, place) for place, row in enumerate(ordered) if row.position != place]
    # The index on positions is unique: step aside first, then take the place.
    update_rows(db, Message, [{"key": one, "position": -1 - place} for one, place in moves])
    update_rows(db, Message, [{"key": one, "position": place} for one, place in moves])
