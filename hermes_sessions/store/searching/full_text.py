"""The full-text index: under which key a message is in it, and how it is asked.

On SQLite FTS5, without a copy of the text: removing a row needs the text it was indexed
with. On PostgreSQL the rows of `full_text_postgresql`. Keys grow with the message's time,
so the newest hits are found by walking from the end. Callers own the transaction.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BigInteger, Select, literal_column, select, table
from sqlalchemy import text as sql
from sqlalchemy.orm import Session

from hermes_sessions.store.engines.exchange import Step, exchange
from hermes_sessions.store.language.indexed_text import INDEXED, indexable
from hermes_sessions.store.language.query_terms import Term, match_expression
from hermes_sessions.store.language.query_text import parse_query
from hermes_sessions.store.language.segment import SLOT_BITS, VERSION
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.schema.models import Message
from hermes_sessions.store.searching import full_text_postgresql as postgresql

EPOCH_2010: Final = 1_262_304_000
_UNDATED_SECONDS: Final = 1 << 25
"""Seconds after 2010 (about a year) whose keys belong to rows without a usable time."""
_LATEST_SECONDS: Final = 1 << 32
_BATCH: Final = 2_000
_WALKED: Final = "hermes_sessions.walked_search_keys"
MIN_KEY: Final = 0
MAX_KEY: Final = (1 << 63) - 1
_ROWID: Final = literal_column("rowid", BigInteger)

_INSERT = "INSERT INTO messages_fts (rowid, text) VALUES (?, ?)"
_INSERT_ONE: Final = sql("INSERT INTO messages_fts (rowid, text) VALUES (:key, :text)")
_DELETE = "INSERT INTO messages_fts (messages_fts, rowid, text) VALUES ('delete', ?, ?)"
_LARGEST = sql("SELECT max(search_key) FROM messages WHERE search_key >= :low AND search_key < :high")
_LARGEST_EACH = sql(
    "SELECT s.value, (SELECT max(m.search_key) FROM messages m"
    f" WHERE m.search_key >= (s.value << {SLOT_BITS}) AND m.search_key < ((s.value + 1) << {SLOT_BITS}))"
    " FROM json_each(:seconds) AS s"
)
_RUN_END = sql(
    "SELECT m.search_key FROM messages m WHERE m.search_key >= :key"
    " AND EXISTS (SELECT 1 FROM messages n WHERE n.search_key = :key)"
    " AND NOT EXISTS (SELECT 1 FROM messages n WHERE n.search_key = m.search_key + 1)"
    " ORDER BY m.search_key LIMIT 1"
)
_TAKEN = sql("SELECT min(search_key) FROM messages WHERE search_key >= :key")
_SET_ASIDE = sql("UPDATE messages SET search_key = -1 - search_key WHERE search_key IS NOT NULL")
_ASIDE = sql("SELECT id, created_at FROM messages WHERE search_key < 0 ORDER BY search_key DESC LIMIT :limit")
_KEY = sql("UPDATE messages SET search_key = :key WHERE id = :id")
_TO_INDEX = sql(
    f"SELECT search_key, {', '.join(INDEXED)} FROM messages"
    " WHERE search_key > :after ORDER BY search_key LIMIT :limit"
)


# -- keys ------------------------------------------------------------------------------------------


def next_search_keys(db: Session, rows: Sequence[tuple[int, float | None]]) -> list[int]:
    """Return a free key for each of *rows* (key, time); rows of one second keep their order.

    A key is seconds since 2010 with four places each: close together, because the index
    stores differences, and in order of time. When a second is full the next free place
    is used, so a key never stands before its time. Store the rows before asking again:
    keys are free until a row has them. On PostgreSQL, where many write at once and differences
    cost nothing, a key is the second and the row's own key.
    """
    times = [time for _, time in rows]
    if _on_postgresql(db):
        return [postgresql.search_key(_second(time), key) for key, time in rows]
    wanted: dict[int, list[int]] = defaultdict(list)
    for index, time in enumerate(times):
        wanted[_second(time)].append(index)
    largest = _largest_keys(db, wanted)
    keys = [0] * len(times)
    last = free_below = -1
    for second in sorted(wanted):
        taken = max(largest[second], last)
        for index in wanted[second]:
            key = max(taken + 1, second << SLOT_BITS)
            if second and key >> SLOT_BITS != second and key >= free_below:
                key, free_below = _next_gap(db, key)
            keys[index] = taken = key
        last = taken
    return keys


def renumber(db: Session) -> None:
    """Give every indexed message a new key, in the order of the old ones."""
    db.execute(_SET_ASIDE)
    while rows := db.execute(_ASIDE, {"limit": _BATCH}).all():
        keys = next_search_keys(db, [(row.id, row.created_at) for row in rows])
        db.execute(_KEY, [{"id": row.id, "key": key} for row, key in zip(rows, keys, strict=True)])


def place_bits(db: Session) -> int:
    """Return how many bits of a key are the place within its second."""
    return postgresql.PLACE_BITS if _on_postgresql(db) else SLOT_BITS


def key_at(db: Session, time: float) -> int:
    """Return a key that no message of *time* or later stands before."""
    return _second(time) << place_bits(db)


def _second(time: float | None) -> int:
    """Return whole seconds since 2010; 0 for a time that is unknown or makes no sense."""
    if time is None or not EPOCH_2010 + _UNDATED_SECONDS <= time < EPOCH_2010 + _LATEST_SECONDS:
        return 0
    return int(time) - EPOCH_2010


def _largest_keys(db: Session, seconds: Collection[int]) -> dict[int, int]:
    """Return the largest key in use in each of *seconds*, -1 where there is none."""
    connection = db.connection()
    found: dict[int, int | None] = {}
    if dated := sorted(second for second in seconds if second):
        [rows] = exchange(connection, [Step(_LARGEST_EACH, {"seconds": json.dumps(dated)})])
        found = {second: key for second, key in rows}
    if len(dated) < len(seconds):
        undated = {"low": 0, "high": _UNDATED_SECONDS << SLOT_BITS}
        [[(found[0],)]] = exchange(connection, [Step(_LARGEST, undated)])
    return {second: -1 if key is None else key for second, key in found.items()}


def _next_gap(db: Session, key: int) -> tuple[int, int]:
    """Return the first free key from *key* on, and the first taken one behind it.

    The connection remembers the last row of taken keys it walked along: whoever appends
    faster than seconds have places would walk the same way again for every message. Where
    keys became free since, the remembered one is still free, and still behind its time.
    """
    connection = db.connection()
    memory = connection.info
    start, walked = memory.get(_WALKED, (key, key))
    if not start <= key <= walked:
        start = walked = key
    [run] = exchange(connection, [Step(_RUN_END, {"key": walked})])
    free = int(run[0][0]) + 1 if run else walked
    memory[_WALKED] = (start, free)
    [[(taken,)]] = exchange(connection, [Step(_TAKEN, {"key": free})])
    return free, MAX_KEY if taken is None else int(taken)


# -- writing ---------------------------------------------------------------------------------------


def index_rows(db: Session, rows: Iterable[tuple[int, str]]) -> None:
    """Add (key, what `indexed.indexable` returns) rows to the index, in one statement."""
    if _on_postgresql(db):
        postgresql.index_rows(db, rows)
        return
    # FTS5 writes its buffer out whenever a key is not above the one before.
    _execute_many(db, _INSERT, sorted(rows))


def index_steps(db: Session, rows: Iterable[tuple[int, str]]) -> list[Step]:
    """Return what adds a few rows to the index, as `index_rows` does."""
    if _on_postgresql(db):
        return postgresql.index_steps(rows)
    return [Step(_INSERT_ONE, {"key": key, "text": text}) for key, text in sorted(rows)]


def unindex_rows(db: Session, rows: Iterable[tuple[int, str]]) -> None:
    """Remove rows; each text must be the one the row was indexed with."""
    if _on_postgresql(db):
        postgresql.unindex_rows(db, [key for key, _ in rows])
        return
    _execute_many(db, _DELETE, sorted(rows))


def rebuild_index(db: Session, progress: Progress = silent) -> int:
    """Index every message that has a key again, from its row; return how many."""
    connection = db.connection()
    if _on_postgresql(db):
        postgresql.clear_index(db)
    else:
        connection.exec_driver_sql("INSERT INTO messages_fts (messages_fts) VALUES ('delete-all')")
    total = connection.execute(sql("SELECT count(search_key) FROM messages")).scalar_one()
    done, after = 0, -1
    while batch := connection.execute(_TO_INDEX, {"after": after, "limit": _BATCH}).fetchall():
        index_rows(db, ((row.search_key, indexable(row._mapping)) for row in batch))
        after = batch[-1].search_key
        done += len(batch)
        progress("index", done, total)
    if _on_postgresql(db):
        postgresql.set_version(db, VERSION)
    else:
        connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
    return done


def index_version(db: Session) -> int:
    """Return the version of the segmentation that the index was made with."""
    if _on_postgresql(db):
        return postgresql.index_version(db)
    return int(db.connection().exec_driver_sql("PRAGMA user_version").scalar_one())


def _on_postgresql(db: Session) -> bool:
    return db.connection().dialect.name == "postgresql"


def _execute_many(db: Session, statement: str, rows: list[tuple[int, str]]) -> None:
    if rows:
        db.connection().exec_driver_sql(statement, rows)


# -- asking ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Matching:
    """Which rows of the index are asked for: what must be there, what must not, keys from low to below."""

    groups: Sequence[Sequence[Term]]
    excluded: Sequence[Term] = ()
    low: int = MIN_KEY
    below: int = MAX_KEY


def select_newest(
    db: Session, asked: Matching, limit: int, near: int = postgresql.NEAR_ROWS
) -> Select[tuple[int]]:
    """Return a statement for the `key` of the newest *limit* rows, newest first.

    Without groups that is every indexed message. On a server the newest *near* rows are walked before
    the index is asked.
    """
    if not asked.groups:
        key = Message.search_key.label("key")
        stmt = select(key).where(Message.search_key >= asked.low, Message.search_key < asked.below)
        return stmt.order_by(Message.search_key.desc()).limit(limit)  # type: ignore[return-value]
    if _on_postgresql(db):
        keys = (asked.low, asked.below)
        return postgresql.select_newest(asked.groups, asked.excluded, keys, limit, near)
    rows = _matched(asked, _ROWID.label("key"))
    return rows.order_by(_ROWID.desc()).limit(limit)


def select_scored(db: Session, asked: Matching, limit: int) -> Select[tuple[int, float]]:
    """Return a statement for `key` and `score` (lower is better) of the newest *limit* rows."""
    if _on_postgresql(db):
        return postgresql.select_scored(asked.groups, asked.excluded, (asked.low, asked.below), limit)
    rows = _matched(asked, _ROWID.label("key"), literal_column("bm25(messages_fts)").label("score"))
    return rows.order_by(_ROWID.desc()).limit(limit)


def _matched(asked: Matching, *columns: Any) -> Select[Any]:
    match = sql("messages_fts MATCH :match").bindparams(match=match_expression(asked.groups, asked.excluded))
    return (
        select(*columns)
        .select_from(table("messages_fts"))
        .where(match, asked.low <= _ROWID, asked.below > _ROWID)
    )


def search(db: Session, typed: str, limit: int = 50, *, before: int | None = None) -> list[int]:
    """Return ids of messages that match the words in *typed*, newest first; `queries.search` does more.

    Args:
        db: open session.
        typed: what the user typed; it never reaches the engine's own syntax.
        limit: how many ids at most.
        before: id of the last hit of the page before.

    Raises:
        InvalidQueryError: there is nothing in *typed* to look for; the text says why.
    """
    query = parse_query(typed, datetime.now().astimezone())
    below = MAX_KEY
    if before is not None:
        last = db.get(Message, before)
        below = last.search_key if last and last.search_key is not None else below
    keys = select_newest(db, Matching(query.groups, query.excluded, below=below), limit).subquery()
    found = select(Message.id).join(keys, keys.c.key == Message.search_key)
    return list(db.scalars(found.order_by(keys.c.key.desc())))
