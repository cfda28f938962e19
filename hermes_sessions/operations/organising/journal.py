"""The journal of what the user changed: values before and after, and taking a change back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.store.engines.statements import chunks, update_rows
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from hermes_sessions.store.schema.organising import Change, ChangeItem, SavedSearch, SessionTag
from hermes_sessions.store.writes import add_change, add_change_items, add_rows

KEPT_CHANGES: Final = 1_000
"""Older changes cannot be taken back."""

MASKING: Final = "redact"
"""The action of a change that masked secrets; its items are for `redact_undo`."""

MARKS: Final = ("pinned", "archived", "note", "trashed_at")
SEARCH: Final = "search:"
"""An item about a saved search has this before its name instead of a mark's name."""


@dataclass(frozen=True, slots=True)
class Item:
    """One value that is replaced: a mark or the tags of a session, or a saved search (no session)."""

    session: int | None
    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One entry of the journal.

    Attributes:
        conversations: how many it changed; 0 for one about a saved search.
    """

    id: int
    action: str
    created_at: float
    undone_at: float | None
    conversations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What taking a change back did.

    Attributes:
        restored: how many values are again what they were.
        skipped: how many something else has changed since; they stay.
    """

    change: int
    action: str
    restored: int
    skipped: int


def read_marks(db: DbSession, sessions: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return the marks and tags of sessions, by key."""
    found: dict[int, dict[str, Any]] = {}
    columns = [getattr(Session, name) for name in MARKS]
    for chunk in chunks(sessions):
        for row in db.execute(select(Session.id, *columns).where(Session.id.in_(chunk))):
            found[row.id] = {**{name: getattr(row, name) for name in MARKS}, "tags": []}
        tagged = select(SessionTag.session_id, SessionTag.tag).where(SessionTag.session_id.in_(chunk))
        for row in db.execute(tagged.order_by(SessionTag.tag)):
            found[row.session_id]["tags"].append(row.tag)
    return found


def apply_items(db: DbSession, items: Sequence[Item]) -> None:
    """Give every item's session its value after, and bring the conversations up to date."""
    for name in MARKS:
        rows = [{"key": one.session, name: one.after} for one in items if one.field == name]
        update_rows(db, Session, rows)
    tagged = {one.session: one.after for one in items if one.field == "tags"}
    for chunk in chunks(key for key in tagged if key is not None):
        db.execute(
            delete(SessionTag)
            .where(SessionTag.session_id.in_(chunk))
            .execution_options(synchronize_session=False)
        )
    owners = _conversations_of(db, tagged)
    rows = [
        {"session_id": key, "conversation_id": owners[key], "tag": tag}
        for key, tags in tagged.items()
        for tag in tags or ()
    ]
    add_rows(db, SessionTag, rows)
    refresh_conversations(db, {one.session for one in items if one.session is not None})


def _conversations_of(db: DbSession, sessions: Iterable[int | None]) -> dict[int | None, int]:
    found: dict[int | None, int] = {}
    for chunk in chunks(key for key in sessions if key is not None):
        rows = db.execute(select(Session.id, Session.conversation_id).where(Session.id.in_(chunk)))
        found.update({row.id: row.conversation_id for row in rows})
    return found


def record_change(db: DbSession, action: str, items: Sequence[Item], now: float) -> int | None:
    """Write a change into the journal; return its number, None where there is nothing to take back."""
    if not items:
        return None
    change = add_change(db, str(action), now)
    add_change_items(
        db,
        change,
        (
            {"session_id": one.session, "field": one.field, "before": one.before, "after": one.after}
            for one in items
        ),
    )
    # Oldest first, items before the change they belong to: that is what the key asks for.
    old = select(Change.id).where(Change.id <= change - KEPT_CHANGES, Change.action != MASKING)
    db.execute(delete(ChangeItem).where(ChangeItem.change_id.in_(old)))
    db.execute(delete(Change).where(Change.id.in_(old)))
    return change


def list_changes(db: DbSession, limit: int = 50) -> list[ChangeLine]:
    """Return the newest changes, the newest first."""
    stmt = select(Change).order_by(Change.id.desc()).limit(limit)
    return [_line(db, change) for change in db.scalars(stmt)]


def find_change(db: DbSession, number: int) -> ChangeLine | None:
    """Return an entry of the journal, or None."""
    change = db.get(Change, number)
    return None if change is None else _line(db, change)


def _line(db: DbSession, change: Change) -> ChangeLine:
    conversations = db.scalar(
        select(func.count(func.distinct(Session.conversation_id)))
        .join(ChangeItem, ChangeItem.session_id == Session.id)
        .where(ChangeItem.change_id == change.id)
    )
    return ChangeLine(
        id=change.id,
        action=change.action,
        created_at=change.created_at,
        undone_at=change.undone_at,
        conversations=conversations or 0,
    )


def undo_change(database: Database, number: int | None = None, *, now: float) -> Undone:
    """Take a change back: the one with this number, else the newest that still stands.

    What was changed again since stays as it is now.

    Raises:
        NotFoundError: there is no such change, or none at all.
        InvalidQueryError: it was taken back already.
    """
    with database.write() as db:
        change = _undoable(db, number)
        rows = db.scalars(select(ChangeItem).where(ChangeItem.change_id == change.id).order_by(ChangeItem.id))
        items = [Item(row.session_id, row.field, row.after, row.before) for row in rows]
        restored = _restore_marks(db, [one for one in items if one.session is not None])
        restored += sum(_restore_search(db, one, now) for one in items if one.session is None)
        db.execute(update(Change).where(Change.id == change.id).values(undone_at=now))
        return Undone(
            change=change.id, action=change.action, restored=restored, skipped=len(items) - restored
        )


def _undoable(db: DbSession, number: int | None) -> Change:
    if number is None:
        standing = select(Change).where(Change.undone_at.is_(None), Change.action != MASKING)
        change = db.scalars(standing.order_by(Change.id.desc()).limit(1)).first()
        if change is None:
            raise NotFoundError("there is nothing to undo")
        return change
    change = db.get(Change, number)
    if change is None:
        raise NotFoundError(f"there is no change {number}, or it is too long ago to undo")
    if change.action == MASKING:
        raise InvalidQueryError(f"change {number} masked secrets; `redact --undo` takes that back")
    if change.undone_at is not None:
        raise InvalidQueryError(f"change {number} was undone already")
    return change


def _restore_marks(db: DbSession, items: Sequence[Item]) -> int:
    now = read_marks(db, {one.session for one in items if one.session is not None})
    standing = [one for one in items if one.session is not None and now[one.session][one.field] == one.before]
    apply_items(db, standing)
    return len(standing)


def _restore_search(db: DbSession, item: Item, now: float) -> bool:
    """Give a saved search its target back, or take it away where there was none."""
    name = item.field.removeprefix(SEARCH)
    current = db.scalar(select(SavedSearch.target).where(SavedSearch.name == name))
    if current != item.before:
        return False
    write_search(db, name, item.after, now)
    return True


def write_search(db: DbSession, name: str, target: str | None, now: float) -> None:
    """Store a search under a name; None takes it away."""
    db.execute(delete(SavedSearch).where(SavedSearch.name == name))
    if target is not None:
        db.execute(insert(SavedSearch).values(name=name, target=target, created_at=now))
