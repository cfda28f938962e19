"""Mend what `check` finds, from the base rows, in one transaction after a backup."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import text as sql
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.engines.backup import back_up, dated_name
from hermes_sessions.store.engines.file_probe import Location
from hermes_sessions.store.engines.row_keys import pass_taken_keys
from hermes_sessions.store.keeping.audit_marks import COLUMNS, mend_audits
from hermes_sessions.store.keeping.check import (
    IS_SEARCHABLE,
    JUDGEMENT,
    KEYS,
    TEXT,
    Disagreement,
    check_store,
)
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations, refresh_sessions
from hermes_sessions.store.keeping.fact_notes import drop_notes
from hermes_sessions.store.keeping.judgements import drop_judgements
from hermes_sessions.store.keeping.second_derivation import IS_SHOWN
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.searching.full_text import next_search_keys, rebuild_index

_BATCH: Final = 2_000
_SHOW = sql(f"UPDATE messages AS m SET shown = {IS_SHOWN} WHERE m.id = :id")
_NUMBERED = sql("SELECT id FROM messages WHERE session_id = :session ORDER BY position")
_PLACE = sql("UPDATE messages SET position = :position WHERE id = :id")
_PARENT = sql("UPDATE sessions SET parent_id = :parent WHERE id = :id")
_UNKEYED = sql(
    "SELECT m.id, m.created_at FROM messages m"
    f" WHERE m.search_key IS NULL AND {IS_SEARCHABLE} ORDER BY m.id LIMIT :limit"
)
_KEY = sql("UPDATE messages SET search_key = :key WHERE id = :id")
_UNKEY = sql(
    f"UPDATE messages AS m SET search_key = NULL WHERE m.search_key IS NOT NULL AND NOT {IS_SEARCHABLE}"
)
_SESSIONS_OF: Final = {
    "messages": sql("SELECT session_id FROM messages WHERE id = :id"),
    "compactions": sql("SELECT session_id FROM compactions WHERE id = :id"),
    "conversations": sql("SELECT id FROM sessions WHERE conversation_id = :id"),
    "sessions": sql("SELECT id FROM sessions WHERE id = :id"),
}
_FOLLOW: Final = [
    sql(
        f"UPDATE {table} SET conversation_id ="
        f" (SELECT s.conversation_id FROM sessions s WHERE s.id = {table}.session_id)"
        f" WHERE EXISTS (SELECT 1 FROM sessions s WHERE s.id = {table}.session_id"
        f" AND s.conversation_id <> {table}.conversation_id)"
    )
    for table in ("messages", "session_tags")
]
_DROP_EMPTY = sql(
    "DELETE FROM conversations WHERE NOT EXISTS"
    " (SELECT 1 FROM sessions s WHERE s.conversation_id = conversations.id)"
)


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair found, what it could not mend, and the backup it made first (None: not needed)."""

    found: list[Disagreement]
    left: list[Disagreement]
    backup: Path | None


def repair_store(database: Database, progress: Progress = silent) -> Repair:
    """Mend every value that can be derived; writers wait meanwhile.

    What cannot be derived (a damaged file, a row whose session is gone) stays and is
    returned as left.
    """
    with database.write() as db:
        found = check_store(db, progress)
        if not found or any(one.table == "(file)" or one.derived == TEXT for one in found):
            return Repair(found, found, None)
        backup = _back_up(database, progress)
        for mend in (_mend_keys, _mend_messages, _mend_facts, _mend_lineage, _mend_audits, _mend_search):
            mend(db, found, progress)
        db.flush()
        return Repair(found, check_store(db, progress), backup)


def _back_up(database: Database, progress: Progress) -> Path | None:
    if database.path is None:
        return None
    return back_up(Location(database.path), dated_name(database.path, "repair-"), progress)


def _mend_keys(db: OrmSession, found: Sequence[Disagreement], progress: Progress) -> None:
    if any(one.column == KEYS for one in found):
        pass_taken_keys(db.connection())


def _mend_messages(db: OrmSession, found: Sequence[Disagreement], progress: Progress) -> None:
    hidden = [{"id": one.id} for one in found if (one.table, one.column) == ("messages", "shown")]
    if hidden:
        db.execute(_SHOW, hidden)
    for one in found:
        if (one.table, one.column) == ("sessions", "positions"):
            _number(db, one.id)


def _mend_facts(db: OrmSession, found: Sequence[Disagreement], progress: Progress) -> None:
    """Drop notes and judgements that are none; the audit makes them again."""
    drop_notes(db, (one.id for one in found if one.table == "message_facts" and one.id is not None))
    drop_judgements(db, (one.id for one in found if one.column == JUDGEMENT and one.id is not None))


def _number(db: OrmSession, session: int | None) -> None:
    """Close the gaps; by way of negative places, since two rows may never share one."""
    ids = db.execute(_NUMBERED, {"session": session}).scalars().all()
    for first, step in ((-1, -1), (0, 1)):
        db.execute(_PLACE, [{"id": key, "position": first + step * at} for at, key in enumerate(ids)])


def _mend_lineage(db: OrmSession, found: Sequence[Disagreement], progress: Progress) -> None:
    parents = [
        {"id": one.id, "parent": one.derived}
        for one in found
        if (one.table, one.column) == ("sessions", "parent_id")
    ]
    if parents:
        db.execute(_PARENT, parents)
    touched = _touched_sessions(db, found)
    refresh_sessions(db, touched)
    refresh_conversations(db, touched)
    for statement in _FOLLOW:
        db.execute(statement)
    db.execute(_DROP_EMPTY)


def _mend_audits(db: OrmSession, found: Sequence[Disagreement], progress: Progress) -> None:
    kept = (one for one in found if (one.table, one.column) in COLUMNS)
    mend_audits(db, ((one.table, one.id, one.column, one.stored, one.derived) for one in kept if one.id))


def _touched_sessions(db: OrmSession, found: Sequence[Disagreement]) -> set[int]:
    """Return the sessions that any disagreement is about."""
    touched: set[int] = set()
    for one in found:
        if one.id is not None and one.table in _SESSIONS_OF:
            touched.update(db.execute(_SESSIONS_OF[one.table], {"id": one.id}).scalars())
    return touched


def _mend_search(db: OrmSession, found: Sequence[Disagreement], progress: Progress) -> None:
    if not any(one.table == "messages_fts" or one.column == "search_key" for one in found):
        return
    db.execute(_UNKEY)
    while rows := db.execute(_UNKEYED, {"limit": _BATCH}).all():
        keys = next_search_keys(db, [(row.id, row.created_at) for row in rows])
        db.execute(_KEY, [{"id": row.id, "key": key} for row, key in zip(rows, keys, strict=True)])
    rebuild_index(db, progress)
