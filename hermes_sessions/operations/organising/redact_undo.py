"""Keep what a masking replaced, until an import or a scrub makes it final; and take it back.

The originals are items of the masking's entry in the journal, in the store's own file,
which is its owner's alone. Closing deletes them and has the file scrubbed.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import delete, exists, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import NotFoundError
from hermes_sessions.operations.organising.erase import read_again
from hermes_sessions.operations.organising.journal import MASKING, Undone
from hermes_sessions.store.engines.statements import chunks, update_rows
from hermes_sessions.store.keeping.audit_marks import forget_audits
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.keeping.secure_erase import require_scrub
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import (
    Compaction,
    Finding,
    Message,
    Origin,
    Session,
    SystemPrompt,
)
from hermes_sessions.store.schema.organising import Change, ChangeItem, Mask, SavedSearch
from hermes_sessions.store.writes import (
    add_change,
    add_change_items,
    add_prompts,
    change_messages,
    drop_unused_prompts,
)

KEPT: Final = "masked:"
"""An item with what a masking replaced has this before the name of its table."""
_MASKS: Final = f"{KEPT}masks"
_TABLES: Final[Mapping[str, Any]] = {
    one.__tablename__: one
    for one in (Message, Session, Compaction, Finding, ChangeItem, SavedSearch, Origin, SystemPrompt)
}


def find_redaction(db: DbSession) -> int | None:
    """Return the number of the masking that can be undone, or None."""
    kept = exists().where(ChangeItem.change_id == Change.id)
    return db.scalar(select(Change.id).where(Change.action == MASKING, Change.undone_at.is_(None), kept))


def open_redaction(db: DbSession, masks: Collection[int], now: float) -> int:
    """Begin to keep what is masked from here on; return the number of the change.

    Args:
        masks: keys of the masks that are new; undoing takes them away.
    """
    change = add_change(db, MASKING, now)
    _add_items(db, change, [{"field": _MASKS, "before": None, "after": sorted(masks)}])
    return change


def join_redaction(db: DbSession, change: int, masks: Collection[int]) -> int:
    """Have undoing *change* take these new masks away too; return its number."""
    _add_items(db, change, [{"field": _MASKS, "before": None, "after": sorted(masks)}])
    return change


def keep_rows(db: DbSession, change: int, table: Any, rows: Sequence[tuple[int | None, Any, Any]]) -> None:
    """Keep rows of *table*, as (session, values before, values after), in the transaction that masks them.

    Values have the row's primary key among them.
    """
    field = f"{KEPT}{table.__tablename__}"
    items = [{"session_id": one, "field": field, "before": old, "after": new} for one, old, new in rows]
    _add_items(db, change, items)


def close_redaction(db: DbSession) -> None:
    """Delete what is kept of any masking: it cannot be undone any more, and the file is to be scrubbed."""
    masking = select(Change.id).where(Change.action == MASKING)
    _run(db, delete(ChangeItem).where(ChangeItem.change_id.in_(masking)))
    _run(db, delete(Change).where(Change.action == MASKING, Change.undone_at.is_(None)))
    require_scrub(db)


def make_final(database: Database) -> None:
    """Close the masking that can be undone, if there is one."""
    with database.read() as db:
        undoable = find_redaction(db) is not None
    if undoable:
        with database.write() as db:
            close_redaction(db)


def undo_redaction(database: Database, *, now: float) -> Undone:
    """Take the last masking back: rows, the index, and its masks for later imports.

    A row that something else has changed since stays as it is, and is counted.

    Raises:
        NotFoundError: there is none, or an import or a scrub has made it final.
    """
    with database.write() as db:
        change = find_redaction(db)
        if change is None:
            raise NotFoundError(
                "no masking can be undone: there was none, or an import or scrub made it final"
            )
        found = select(ChangeItem).where(ChangeItem.change_id == change).order_by(ChangeItem.id)
        items: dict[str, list[Any]] = {}
        for one in db.scalars(found):
            items.setdefault(one.field.removeprefix(KEPT), []).append(one)
        masks = [key for one in items.pop(_MASKS.removeprefix(KEPT), ()) for key in one.after]
        restored = sum(_restore(db, _TABLES[name], rows) for name, rows in items.items())
        _run(db, delete(Mask).where(Mask.id.in_(masks)))
        _run(db, delete(ChangeItem).where(ChangeItem.change_id == change))
        _run(db, update(Change).where(Change.id == change).values(undone_at=now))
        read_again(db, db.scalars(select(Origin.id)).all())
        skipped = sum(len(rows) for rows in items.values()) - restored
        return Undone(change=change, action=MASKING, restored=restored, skipped=skipped)


def outdate_audits(db: DbSession, sessions: Collection[int]) -> None:
    """Have the conversations of these sessions audited again: what was measured was another text."""
    for chunk in chunks(sessions):
        mine = select(Session.conversation_id).where(Session.id.in_(chunk)).distinct()
        forget_audits(db, db.scalars(mine).all())


def _add_items(db: DbSession, change: int, items: Sequence[Mapping[str, Any]]) -> None:
    add_change_items(db, change, ({"session_id": None, **one} for one in items))


def _restore(db: DbSession, table: Any, items: Sequence[ChangeItem]) -> int:
    if table is SystemPrompt:
        return sum(_restore_prompt(db, one) for one in items)
    columns = table.__table__.columns
    kept = {one.after["id"]: one for one in items if one.after is not None}
    standing = []
    for chunk in chunks(kept):
        for row in db.execute(select(*columns).where(table.id.in_(chunk))):
            before, after = kept[row.id].before or {}, kept[row.id].after or {}
            if all(row._mapping[name] == value for name, value in after.items()):
                standing.append((row, {name: value for name, value in before.items() if name != "id"}))
    if table is Message:
        change_messages(db, standing)
    else:
        for row, values in standing:
            update_rows(db, table, [{"key": row.id, **values}])
    sessions = {row.id if table is Session else row.session_id for row, _ in standing if _has_session(table)}
    refresh_conversations(db, sessions)
    outdate_audits(db, sessions)
    return len(standing)


def _has_session(table: Any) -> bool:
    return table in (Message, Session, Compaction)


def _restore_prompt(db: DbSession, item: ChangeItem) -> int:
    """Give sessions their prompt back that still have the masked one."""
    old, new = item.before or {}, item.after or {}
    using = select(Session.id).where(
        Session.id.in_(old["sessions"]), Session.system_prompt_hash == new["hash"]
    )
    sessions = list(db.scalars(using))
    add_prompts(db, [{old["hash"]: old["text"]}])
    update_rows(db, Session, [{"key": key, "system_prompt_hash": old["hash"]} for key in sessions])
    outdate_audits(db, sessions)
    drop_unused_prompts(db, only=new["hash"])
    return 1


def _run(db: DbSession, statement: Any) -> None:
    db.execute(statement.execution_options(synchronize_session=False))
