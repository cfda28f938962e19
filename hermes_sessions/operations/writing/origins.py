"""Origins in a store: recognise, list, rename, move, pause, remove."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.contract import Opening
from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation, Message, Origin, Session
from hermes_sessions.store.writes import delete_conversations, drop_unused_prompts


@dataclass(frozen=True, slots=True)
class OriginSummary:
    """What a list of origins shows of one."""

    id: int
    label: str
    kind: str
    location: str | None
    schema_version: str | None
    paused: bool
    last_synced_at: float | None
    last_error: str | None
    sessions: int
    conversations: int


def first_stored(db: DbSession, kind: str, most: int = 20) -> set[str]:
    """Return the ids of the sessions that each origin of a kind was known by first.

    Of an import that was killed they are all there is: the newest, not the first of the file.
    """
    found: set[str] = set()
    for origin in db.scalars(select(Origin.id).where(Origin.kind == kind)):
        ids = select(Session.foreign_id).where(Session.origin_id == origin).order_by(Session.id)
        found.update(db.scalars(ids.limit(most)))
    return found


def recognise_origin(
    db: DbSession, kind: str, location: str, openings: Mapping[str, Opening], *, is_home: bool = False
) -> Origin | None:
    """Return the origin a foreign database was imported as before, or None.

    Known by content, so that a moved or backed-up database is the same origin, and
    another database at the same path, or with the same ids, is not. A folder stays the same
    origin whatever is in it: agents delete what is old, and all that was known may be gone at once.

    Args:
        openings: how sessions of the database begin: its first, and those of `first_stored`.
        is_home: what is at the location is a folder.
    """
    candidates = db.scalars(select(Origin).where(Origin.kind == kind).order_by(Origin.id)).all()
    here_first = sorted(candidates, key=lambda origin: origin.location != location)
    for origin in here_first:
        if _shares_sessions(db, origin, location, openings):
            return origin
    for origin in here_first:
        empty = not openings or not _has_sessions(db, origin.id)
        if origin.location == location and (is_home or empty):
            return origin
    return None


def _shares_sessions(db: DbSession, origin: Origin, location: str, openings: Mapping[str, Opening]) -> bool:
    """Whether most of the session ids known to both begin the same way in both.

    At the origin's own path the time alone decides, for an agent may rewrite a session's
    rows; so it does where an import was stopped ahead of the session's rows.
    """
    known = db.execute(
        select(Session.foreign_id, Session.started_at, Session.origin_mark, Message.role, Message.text)
        .outerjoin(Message, (Message.session_id == Session.id) & (Message.position == 0))
        .where(Session.origin_id == origin.id, Session.foreign_id.in_(openings))
    ).all()
    alike = 0
    for row in known:
        opening = openings[row.foreign_id]
        incomplete = row.origin_mark is None and row.role is None
        if opening.started_at == row.started_at and (location == origin.location or incomplete):
            alike += 1
        else:
            alike += opening == Opening(row.started_at, row.role, row.text)
    return bool(known) and 2 * alike >= len(known)


def _has_sessions(db: DbSession, origin_id: int) -> bool:
    return db.scalar(select(Session.id).where(Session.origin_id == origin_id).limit(1)) is not None


def free_label(db: DbSession, wanted: str) -> str:
    """Return *wanted*, with a number where another origin has it."""
    taken = set(db.scalars(select(Origin.label)))
    label, number = wanted, 2
    while label in taken:
        label, number = f"{wanted}-{number}", number + 1
    return label


def list_origins(database: Database) -> list[OriginSummary]:
    """Return all origins by label."""
    with database.read() as db:
        sessions = _counts(db, Session)
        conversations = _counts(db, Conversation)
        return [
            OriginSummary(
                id=origin.id,
                label=origin.label,
                kind=origin.kind,
                location=origin.location,
                schema_version=origin.schema_version,
                paused=origin.paused,
                last_synced_at=origin.last_synced_at,
                last_error=origin.last_error,
                sessions=sessions.get(origin.id, 0),
                conversations=conversations.get(origin.id, 0),
            )
            for origin in db.scalars(select(Origin).order_by(Origin.label))
        ]


def _counts(db: DbSession, table: Any) -> dict[int, int]:
    found = db.execute(select(table.origin_id, func.count().label("rows")).group_by(table.origin_id))
    return {row.origin_id: row.rows for row in found}


def get_origin(db: DbSession, label: str) -> Origin:
    """Return the origin called *label*.

    Raises:
        NotFoundError: there is none.
    """
    origin = db.scalar(select(Origin).where(Origin.label == label))
    if origin is None:
        known = ", ".join(db.scalars(select(Origin.label).order_by(Origin.label))) or "none"
        raise NotFoundError(f"no origin is called {label!r}; known: {known}")
    return origin


def rename_origin(database: Database, label: str, new: str) -> None:
    """Give an origin another label; public ids that carry the old one stay as they are."""
    if not new.strip() or ":" in new:
        raise InvalidQueryError("an origin's label is not empty and has no colon: ids are written label:id")
    with database.write() as db:
        origin = get_origin(db, label)
        if label != new and db.scalar(select(Origin.id).where(Origin.label == new)) is not None:
            raise InvalidQueryError(f"another origin is called {new!r}")
        origin.label = new


def move_origin(database: Database, label: str, path: Path) -> None:
    """Say that an origin's database is at *path* now."""
    with database.write() as db:
        origin = get_origin(db, label)
        origin.location = str(path)
        origin.cursor = None
        origin.last_error = None


def pause_origin(database: Database, label: str, *, paused: bool) -> None:
    """Leave an origin out of syncs, or take it in again."""
    with database.write() as db:
        get_origin(db, label).paused = paused


def remove_origin(database: Database, label: str) -> int:
    """Remove an origin with everything imported from it; return how many sessions that were.

    Raises:
        InvalidQueryError: sessions made here continue some of its sessions.
    """
    with database.write() as db:
        origin = get_origin(db, label)
        mine = select(Session.id).where(Session.origin_id == origin.id).scalar_subquery()
        strangers = db.scalar(
            select(func.count())
            .select_from(Session)
            .where(Session.parent_id.in_(mine), Session.origin_id != origin.id)
        )
        if strangers:
            raise InvalidQueryError(
                f"{label}: {strangers} sessions compacted here continue its sessions; undo those first"
            )
        return _delete_origin(db, origin.id)


def _delete_origin(db: DbSession, origin_id: int) -> int:
    mine = select(Session.id).where(Session.origin_id == origin_id)
    conversations = select(Conversation.id).where(Conversation.origin_id == origin_id)
    removed = db.scalar(select(func.count()).select_from(mine.subquery())) or 0
    delete_conversations(db, conversations, mine)
    db.execute(delete(Origin).where(Origin.id == origin_id))
    drop_unused_prompts(db)
    return removed
