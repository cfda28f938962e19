"""What a store has of an origin's sessions before an import: marks, rows, parents, ids shared with others."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.contract import Source
from hermes_sessions.store.schema.models import Message, Origin, Session


def known_marks(db: DbSession, origin_id: int) -> dict[str, str | None]:
    """Return the mark of every stored session; None where it must be looked at."""
    rows = db.execute(
        select(Session.foreign_id, Session.origin_mark, Session.gone_at).where(Session.origin_id == origin_id)
    )
    return {row.foreign_id: row.origin_mark if row.gone_at is None else None for row in rows}


def stored_rows(db: DbSession, origin_id: int) -> dict[str, int]:
    """Return how many messages the store has of each session, those that the origin deleted included."""
    rows = db.execute(
        select(Session.foreign_id, func.count(Message.id).label("rows"))
        .join(Message, Message.session_id == Session.id)
        .where(Session.origin_id == origin_id)
        .group_by(Session.foreign_id)
    )
    return {row.foreign_id: row.rows for row in rows}


def left_parents(db: DbSession, origin_id: int, source: Source) -> set[str]:
    """Return the stored parents that a session of *source* hangs on no more."""
    rows = db.execute(
        select(Session.foreign_id, Session.parent_session_id).where(
            Session.origin_id == origin_id, Session.parent_session_id.is_not(None)
        )
    )
    entries = source.entries
    return {
        row.parent_session_id
        for row in rows
        if row.foreign_id in entries and entries[row.foreign_id].parent != row.parent_session_id
    }


def clashes(db: DbSession, origin_id: int, source: Source) -> dict[str, str]:
    """Return session ids of *source* that another origin uses too -> that origin's label."""
    ids = list(source.entries)
    found: dict[str, str] = {}
    for at in range(0, len(ids), 5000):
        rows = db.execute(
            select(Session.foreign_id, Origin.label)
            .join(Origin, Origin.id == Session.origin_id)
            .where(Session.origin_id != origin_id, Session.foreign_id.in_(ids[at : at + 5000]))
        )
        found.update({row.foreign_id: row.label for row in rows})
    return found
