"""Where the rows of a session stand in the store: in the order of its origin, ours with their neighbours."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.engines.statements import update_rows
from hermes_sessions.store.schema.models import Message, Session


def place_rows(db: DbSession, session_id: int, new: Sequence[dict[str, Any]], *, moved: bool) -> None:
    """Give new rows their positions: nearly always behind all others; else the others move.

    Args:
        moved: rows that are stored have other places at the origin now.
    """
    if not new and not moved:
        return
    mine = Message.session_id == session_id
    free = db.scalar(select(func.max(Message.position)).where(mine))
    for at, values in enumerate(new, start=0 if free is None else free + 1):
        values["position"] = at
    # Rows of an origin are in its order, so the last of them is the highest.
    last = db.scalar(
        select(Message.origin_row_id)
        .where(mine, Message.origin_row_id.is_not(None))
        .order_by(Message.position.desc())
        .limit(1)
    )
    if not moved and (last is None or new[0]["origin_row_id"] >= last):
        return
    _renumber(db, session_id, [(values["origin_row_id"], values) for values in new])


def _renumber(db: DbSession, session_id: int, new: Iterable[tuple[int, dict[str, Any]]]) -> None:
    """Put rows that turned up late where the origin's order has them; rows of ours keep their neighbours."""
    stored = db.execute(
        select(Message.id, Message.position, Message.origin_row_id)
        .where(Message.session_id == session_id)
        .order_by(Message.position)
    ).all()
    ordered: list[tuple[int, int, Any]] = []
    before = -(2**63)
    for at, row in enumerate(stored):
        before = row.origin_row_id if row.origin_row_id is not None else before
        ordered.append((before, at, row))
    ordered += [(one, len(stored) + at, values) for at, (one, values) in enumerate(new)]
    ordered.sort(key=lambda item: item[:2])
    moves = []
    for position, (_, _, item) in enumerate(ordered):
        if isinstance(item, dict):
            item["position"] = position
        elif item.position != position:
            moves.append((item.id, position))
    # The index on positions is unique: step aside first, then take the place.
    update_rows(db, Message, [{"key": one, "position": -1 - position} for one, position in moves])
    update_rows(db, Message, [{"key": one, "position": position} for one, position in moves])


def place_inherited(db: DbSession, inherited: Mapping[int, int]) -> None:
    """Say how far the rows reach that sessions have from their parents: kept ones are among them.

    Args:
        inherited: session -> how many of the rows that are at its origin are its parent's.
    """
    changed = []
    for session, count in inherited.items():
        mine = (Message.session_id == session, Message.origin_key.is_not(None))
        places = select(Message.position).where(*mine).order_by(Message.position)
        last = db.scalar(places.offset(count - 1).limit(1))
        if last is not None and last + 1 != count:
            changed.append({"key": session, "inherited_count": last + 1})
    update_rows(db, Session, changed)
