"""Compare what is stored with what the base rows say. Reads only; `repair` mends."""

import itertools
import math
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection
from sqlalchemy import text as sql
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.engines.row_keys import find_keys_behind
from hermes_sessions.store.keeping.audit_marks import compare_audits
from hermes_sessions.store.keeping.fact_notes import find_damaged
from hermes_sessions.store.keeping.judgements import find_damaged_judgements
from hermes_sessions.store.keeping.second_derivation import (
    IS_NOTE,
    IS_SHOWN,
    Member,
    RederivedSessions,
    conversation_columns,
    derive_parents,
    group_members,
    load_members,
)
from hermes_sessions.store.language.segment import VERSION
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.schema.models import Base
from hermes_sessions.store.searching.full_text import index_version

KEYS: Final = "last key given out"
JUDGEMENT: Final = "judgement"
TEXT: Final = "text in UTF-8"
_SHOWN_BYTES: Final = 40
IS_SEARCHABLE: Final = (
    f"(m.role <> 'session_meta' AND ((m.copy_of IS NULL AND NOT {IS_NOTE}) OR m.kind = 'merged'))"
)
"""Which messages the full-text index covers, over the alias m."""

_SHOWN = sql(f"SELECT m.id, m.shown, {IS_SHOWN} FROM messages m WHERE m.shown <> {IS_SHOWN}")
_GAPS = sql(
    "SELECT session_id, min(position), max(position), count(*) FROM messages GROUP BY session_id"
    " HAVING min(position) <> 0 OR max(position) <> count(*) - 1"
)
_OUT_OF_ORDER = sql(
    "SELECT id, position, origin_row_id, before FROM"
    " (SELECT id, position, origin_row_id,"
    "  max(origin_row_id) OVER (PARTITION BY session_id ORDER BY position"
    "   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM messages) AS walked"
    " WHERE origin_row_id < before"
)
_UNFRAMED = sql(
    "SELECT id, kind, handoff_grammar FROM messages"
    " WHERE (kind IN ('handoff', 'merged')) <> (handoff_grammar IS NOT NULL)"
)
_KEYS = sql(
    f"SELECT m.id, m.search_key, {IS_SEARCHABLE} FROM messages m"
    f" WHERE (m.search_key IS NOT NULL) <> {IS_SEARCHABLE}"
)
_INDEX_ROWS: Final = {
    "sqlite": "SELECT id FROM messages_fts_docsize",
    "postgresql": "SELECT search_key AS id FROM messages_fts",
}
_NOT_INDEXED: Final = (
    "SELECT m.id, m.search_key FROM messages m WHERE m.search_key IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM ({rows}) AS d WHERE d.id = m.search_key)"
)
_STRAY: Final = (
    "SELECT d.id FROM ({rows}) AS d WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.search_key = d.id)"
)
_WITHOUT_SESSIONS = sql(
    "SELECT c.id FROM conversations c"
    " WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.conversation_id = c.id)"
)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A stored value that its base rows contradict.

    Attributes:
        table: where; `(file)` for the database file as a whole.
        id: key of the row, None where there is none.
        column: which value.
        stored: what is there.
        derived: what should be; None for a row that should not be there.
    """

    table: str
    id: int | None
    column: str
    stored: Any
    derived: Any


Check = Callable[[OrmSession], Iterator[Disagreement]]


def check_store(db: OrmSession, progress: Progress = silent) -> list[Disagreement]:
    """Return all that disagrees, in the order of dependence: file, text, rows, lineage, audits, index."""
    rows = (_foreign_keys, _keys, _messages, _facts, _sessions_and_conversations, _judgements, _audits)
    checks: tuple[Check, ...] = (_file, _texts, *rows, _search)
    found: list[Disagreement] = []
    for number, check in enumerate(checks):
        progress("check", number, len(checks))
        found += check(db)
        if found and check in (_file, _texts):
            break  # what a damaged file says about the rest is worth nothing; what is no text cannot be read
    progress("check", len(checks), len(checks))
    return found


def _file(db: OrmSession) -> Iterator[Disagreement]:
    connection = db.connection()
    if connection.dialect.name != "sqlite":
        return  # a server looks after its own files
    try:
        _check_index(connection)
        rows = connection.exec_driver_sql("PRAGMA integrity_check").fetchall()
    except DatabaseError as error:
        # What is no "malformed" file may still be a full-text index that its own code does not know.
        if not any(word in str(error.orig) for word in ("malformed", "fts5")):
            raise
        yield Disagreement("(file)", None, "integrity", str(error.orig), "ok")
        return
    for (message,) in rows:
        if message != "ok":
            yield Disagreement("(file)", None, "integrity", message, "ok")


def _texts(db: OrmSession) -> Iterator[Disagreement]:
    connection = db.connection()
    if connection.dialect.name != "sqlite":
        return  # a server takes nothing else
    raw: Any = connection.connection.driver_connection
    unreadable: list[_NoText] = []

    def read(stored: bytes) -> str:
        try:
            return stored.decode()
        except UnicodeDecodeError:
            unreadable.append(_NoText(repr(stored[:_SHOWN_BYTES])))
            return unreadable[-1]

    raw.text_factory = read
    try:
        for table in Base.metadata.sorted_tables:
            rows = raw.execute(f'SELECT rowid, * FROM "{table.name}"')
            names = [column[0] for column in rows.description]
            for row in rows:
                if not unreadable:
                    continue  # rows are many, and nearly all are right
                unreadable.clear()
                for name, stored in zip(names, row, strict=True):
                    if isinstance(stored, _NoText):
                        yield Disagreement(table.name, row[0], name, str(stored), TEXT)
    finally:
        raw.text_factory = str


class _NoText(str):
    """What is stored as text and is none, its bytes written out."""


def _check_index(connection: Connection) -> None:
    try:
        # An INSERT by its form only; first of all, while nobody can have the write lock before us.
        connection.exec_driver_sql("INSERT INTO messages_fts (messages_fts) VALUES ('integrity-check')")
    except DatabaseError as error:
        # By that form it is refused in a store that is read-only; its rows are still compared.
        if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_READONLY:
            raise


def _foreign_keys(db: OrmSession) -> Iterator[Disagreement]:
    if db.connection().dialect.name != "sqlite":
        return  # a server never lets them be broken
    for table, row, target, _ in db.connection().exec_driver_sql("PRAGMA foreign_key_check").fetchall():
        yield Disagreement(table, row, "foreign key", f"a row of {target} that is missing", None)


def _keys(db: OrmSession) -> Iterator[Disagreement]:
    for table, last, highest in find_keys_behind(db.connection()):
        yield Disagreement(table, None, KEYS, last, highest)


def _messages(db: OrmSession) -> Iterator[Disagreement]:
    for key, stored, derived in db.execute(_SHOWN):
        yield Disagreement("messages", key, "shown", bool(stored), bool(derived))
    for key, kind, grammar in db.execute(_UNFRAMED):
        wanted = f"the name of a grammar, for a {kind} row" if grammar is None else None
        yield Disagreement("messages", key, "handoff_grammar", grammar, wanted)
    for session, low, high, count in db.execute(_GAPS):
        yield Disagreement("sessions", session, "positions", f"{low} to {high}", f"0 to {count - 1}")
    for key, position, row_id, before in db.execute(_OUT_OF_ORDER):
        yield Disagreement(
            "messages", key, "position", position, f"before the origin's row {before}, as {row_id}"
        )


def _facts(db: OrmSession) -> Iterator[Disagreement]:
    for key, places in find_damaged(db):
        yield Disagreement("message_facts", key, "places", places, None)


def _sessions_and_conversations(db: OrmSession) -> Iterator[Disagreement]:
    members = load_members(db)
    for key, parent in derive_parents(db, members):
        yield Disagreement("sessions", key, "parent_id", members[key].row.parent_id, parent)
    groups = group_members(db, members)
    stored = {row.id: row for row in db.execute(sql("SELECT * FROM conversations"))}
    by_root = {row.root_id: row for row in stored.values()}
    for root, group in groups.items():
        row = by_root.get(root) or stored.get(members[root].row.conversation_id)
        if row is not None and row.root_id != root and row.root_id in groups:
            row = None  # another conversation's; this one has no row of its own
        yield from _members(group, None if row is None else row.id)
        if row is not None:
            yield from _differences("conversations", row, conversation_columns(db, group))
    for (key,) in db.execute(_WITHOUT_SESSIONS):
        yield Disagreement("conversations", key, "id", key, None)


def _members(group: RederivedSessions, conversation: int | None) -> Iterator[Disagreement]:
    for one in group.members:
        yield from _differences("sessions", one.row, _session_columns(one, conversation))
        for table, stored, key in one.owners:
            if stored != conversation:
                yield Disagreement(table, key, "conversation_id", stored, conversation)
    numbers = {False: itertools.count(1), True: itertools.count(1)}
    for place, row in enumerate(group.compactions, start=1):
        number = next(numbers[row.method == "prune"])
        derived = {"conversation_id": conversation, "ordinal": place, "number": number}
        yield from _differences("compactions", row, derived)


def _session_columns(one: Member, conversation: int | None) -> dict[str, Any]:
    return {
        "conversation_id": conversation,
        "ordinal": one.ordinal,
        "message_count": one.message_count,
        "shown_count": one.shown_count,
        "last_active_at": one.last_active_at,
    }


def _differences(table: str, row: Any, derived: Mapping[str, Any]) -> Iterator[Disagreement]:
    for column, value in derived.items():
        stored = getattr(row, column)
        if not _same(stored, value):
            yield Disagreement(table, row.id, column, stored, value)


def _same(stored: Any, derived: Any) -> bool:
    if isinstance(stored, float) and isinstance(derived, float):
        # Sums of costs depend on the order they are added in.
        return math.isclose(stored, derived, rel_tol=1e-9)
    return bool(stored == derived)


def _audits(db: OrmSession) -> Iterator[Disagreement]:
    yield from (Disagreement(*one) for one in compare_audits(db))


def _judgements(db: OrmSession) -> Iterator[Disagreement]:
    for key in find_damaged_judgements(db):
        yield Disagreement("compactions", key, JUDGEMENT, "no judgement", None)


def _search(db: OrmSession) -> Iterator[Disagreement]:
    for key, search_key, searchable in db.execute(_KEYS):
        yield Disagreement("messages", key, "search_key", search_key, "a key" if searchable else None)
    rows = _INDEX_ROWS[db.connection().dialect.name]
    for key, search_key in db.execute(sql(_NOT_INDEXED.format(rows=rows))):
        yield Disagreement("messages_fts", search_key, "row", None, f"message {key}")
    for (key,) in db.execute(sql(_STRAY.format(rows=rows))):
        yield Disagreement("messages_fts", key, "row", "indexed", None)
    version = index_version(db)
    if version != VERSION:
        yield Disagreement("messages_fts", None, "version", version, VERSION)
