"""The full-text index: under which key a message is in it, and how it is asked.

On SQLite FTS5, without a copy of the text: removing a row needs the text it was indexed
with. On PostgreSQL the rows of `full_text_postgresql`. Keys grow with the message's time,
so the newest hits are found by walking from the end. Callers own the transaction.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import BigInteger, ColumnElement, Select, func, literal_column, select, table, true
from sqlalchemy import text as sql
from sqlalchemy.orm import Session

from hermes_sessions.store.engines.exchange import Direct, OpenLine, Step, exchange
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
_MANY: Final = 500
"""Of so many rows the index gathers in memory what it writes."""
_BUFFER: Final = 8_000_000
"""Bytes; the engine's own 1,000,000 are written out, and merged, several times for 2,000 rows."""
_GIVEN: Final = object()
"""Under which a connection that only appends remembers a second, its last key, where the next is taken."""
_WALKED: Final = "hermes_sessions.walked_search_keys"
_PLACES: Final = 1 << SLOT_BITS
MIN_KEY: Final = 0
MAX_KEY: Final = (1 << 63) - 1
_ROWID: Final = literal_column("rowid", BigInteger)

_INSERT = "INSERT INTO messages_fts (rowid, text) VALUES (?, ?)"
_INSERT_ONE: Final = sql("INSERT INTO messages_fts (rowid, text) VALUES (:key, :text)")
_DELETE = "INSERT INTO messages_fts (messages_fts, rowid, text) VALUES ('delete', ?, ?)"
_TOLD = sql("SELECT v FROM messages_fts_config WHERE k = 'hashsize'")
_TELL = sql("INSERT INTO messages_fts (messages_fts, rank) VALUES ('hashsize', :bytes)")
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
    return free_search_keys(db.connection(), rows)


def free_search_keys(line: OpenLine, rows: Sequence[tuple[int, float | None]]) -> list[int]:
    """Do what `next_search_keys` does on any connection."""
    if line.dialect.name == "postgresql":
        return [postgresql.search_key(_second(time), key) for key, time in rows]
    if isinstance(line, Direct):
        if len(rows) == 1:
            return [_place_behind(line, _second(rows[0][1]))]
        line.remember(_GIVEN, None)
    seconds = [_second(time) for _, time in rows]
    largest = _largest_keys(line, set(seconds))
    keys = [0] * len(seconds)
    taken = free_below = before = -1
    for index in sorted(range(len(seconds)), key=seconds.__getitem__):
        second = seconds[index]
        if second != before:
            before, taken = second, max(largest[second], taken)
        key = max(taken + 1, second << SLOT_BITS)
        if second and key >> SLOT_BITS != second and key >= free_below:
            key, free_below = _next_gap(line, key)
        keys[index] = taken = key
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


def _largest_keys(line: OpenLine, seconds: Collection[int]) -> dict[int, int]:
    """Return the largest key in use in each of *seconds*, -1 where there is none."""
    found: dict[int, int | None] = {}
    dated = sorted(second for second in seconds if second)
    if len(dated) == 1:
        low = dated[0] << SLOT_BITS
        [[(found[dated[0]],)]] = exchange(line, [Step(_LARGEST, {"low": low, "high": low + _PLACES})])
    elif dated:
        [rows] = exchange(line, [Step(_LARGEST_EACH, {"seconds": json.dumps(dated)})])
        found = {second: key for second, key in rows}
    if len(dated) < len(seconds):
        undated = {"low": 0, "high": _UNDATED_SECONDS << SLOT_BITS}
        [[(found[0],)]] = exchange(line, [Step(_LARGEST, undated)])
    return {second: -1 if key is None else key for second, key in found.items()}


def _place_behind(line: Direct, second: int) -> int:
    """Return a key for one row; nobody is asked where the one before, of this second, was given out here."""
    of, key, edge = line.recall(_GIVEN) or (-1, 0, 0)
    if of == second and key + 1 < edge:
        key += 1
    else:
        key = max(_largest_keys(line, {second})[second] + 1, second << SLOT_BITS)
        edge = (second + 1 if second else _UNDATED_SECONDS) << SLOT_BITS
        if second and key >= edge:
            key, edge = _next_gap(line, key)
    line.remember(_GIVEN, (second, key, edge))
    return key


def _next_gap(line: OpenLine, key: int) -> tuple[int, int]:
    """Return the first free key from *key* on, and the first taken one behind it.

    The connection remembers the last row of taken keys it walked along: whoever appends
    faster than seconds have places would walk the same way again for every message. Where
    keys became free since, the remembered one is still free, and still behind its time.
    """
    memory = line.info
    start, walked = memory.get(_WALKED, (key, key))
    if not start <= key <= walked:
        start = walked = key
    [run] = exchange(line, [Step(_RUN_END, {"key": walked})])
    free = int(run[0][0]) + 1 if run else walked
    memory[_WALKED] = (start, free)
    [[(taken,)]] = exchange(line, [Step(_TAKEN, {"key": free})])
    return free, MAX_KEY if taken is None else int(taken)


# -- writing ---------------------------------------------------------------------------------------


def index_rows(db: Session, rows: Iterable[tuple[int, str]]) -> None:
    """Add (key, what `indexed.indexable` returns) rows to the index, in one statement."""
    if _on_postgresql(db):
        postgresql.index_rows(db, rows)
        return
    # FTS5 writes its buffer out whenever a key is not above the one before.
    ordered = sorted(rows, key=itemgetter(0))
    if len(ordered) >= _MANY:
        _widen_buffer(db)
    _execute_many(db, _INSERT, ordered)


def index_steps(line: OpenLine, rows: Iterable[tuple[int, str]]) -> list[Step]:
    """Return what adds a few rows to the index, as `index_rows` does."""
    if line.dialect.name == "postgresql":
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


def _widen_buffer(db: Session) -> None:
    """Have the index gather more before it writes: as much as one transaction of an import has."""
    connection = db.connection()
    told = connection.execute(_TOLD).scalar()
    if told != _BUFFER:
        connection.execute(_TELL, {"bytes": _BUFFER})


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


def select_newest(db: Session, asked: Matching, limit: int) -> Select[tuple[int]]:
    """Return a statement for the `key` of the newest *limit* rows, newest first.

    Without groups that is every indexed message.
    """
    if not asked.groups:
        key = Message.search_key.label("key")
        stmt = select(key).where(Message.search_key >= asked.low, Message.search_key < asked.below)
        return stmt.order_by(Message.search_key.desc()).limit(limit)  # type: ignore[return-value]
    if _on_postgresql(db):
        keys = (asked.low, asked.below)
        return postgresql.select_newest(asked.groups, asked.excluded, keys, limit)
    rows = _matched(asked, _ROWID.label("key"))
    return rows.order_by(_ROWID.desc()).limit(limit)


def select_gathered(
    asked: Matching, below: ColumnElement[int], rows: int, *, by_walking: bool
) -> Select[Any]:
    """Return a statement, for a server, with one row: `keys` of matches, down to `edge`, of so many `rows`.

    There are none further down where it looked at fewer than *rows*.

    Args:
        below: where it begins; the bound of *asked* is not looked at.
        by_walking: the newest *rows* rows are looked at, which is quick where a word is in many; else
            the newest *rows* matches are had from the index, which is quick where it is in few.
    """
    if not asked.groups:
        key = Message.search_key
        stmt = select(key.label("key"), true().label("fits")).where(key >= asked.low, key < below)
        newest: Any = stmt.order_by(key.desc()).limit(rows)
    else:
        condition = postgresql.matches(asked.groups, asked.excluded)
        of = postgresql.select_near if by_walking else postgresql.select_far
        newest = of(condition, asked.low, below, rows)
    found = newest.subquery("found")
    keys = func.array_agg(found.c.key).filter(found.c.fits)
    edge, count = func.min(found.c.key).label("edge"), func.count().label("rows")
    columns: list[Any] = [keys.label("keys"), edge, count]
    return select(*columns)


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
