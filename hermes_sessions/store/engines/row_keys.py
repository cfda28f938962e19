"""Surrogate keys for new rows, given out by whoever writes them. No other writes."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Select, func, select
from sqlalchemy import text as sql
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.engines.exchange import Step, exchange

_FROM_SEQUENCE: Final = sql("SELECT nextval(CAST(:sequence AS regclass)) FROM generate_series(1, :count)")


def next_keys(db: DbSession, table: type[Any], count: int) -> Sequence[int]:
    """Return *count* keys for new rows of *table*, ascending and above all that this writer has seen.

    SQLite gives them out from the highest in use, for it has one writer at a time; PostgreSQL
    from the table's sequence, where other writers' keys may lie between them.
    """
    return read_keys(db, exchange(db.connection(), [key_step(db, table, count)])[0], count)


def key_step(db: DbSession, table: type[Any], count: int) -> Step:
    """Return the question for *count* keys, as a step of an exchange; `read_keys` reads the answer."""
    if db.connection().dialect.name == "postgresql":
        return Step(_FROM_SEQUENCE, {"sequence": f"{table.__tablename__}_id_seq", "count": count})
    return Step(_highest(table.__table__), {})


def read_keys(db: DbSession, found: Sequence[tuple[Any, ...]], count: int) -> Sequence[int]:
    """Return the *count* keys that the answer to `key_step` means."""
    if db.connection().dialect.name == "postgresql":
        return [key for (key,) in found]
    highest = found[0][0] or 0
    return range(highest + 1, highest + 1 + count)


@lru_cache
def _highest(table: Any) -> Select[tuple[int]]:
    return select(func.max(table.c.id))


def next_key(db: DbSession, table: type[Any]) -> int:
    """Return a key for one new row of *table*; see `next_keys`."""
    return next_keys(db, table, 1)[0]


def keep_keys(db: DbSession, table: type[Any]) -> None:
    """Note that keys of *table* were given out one after the other; for whoever writes alone."""
    if db.connection().dialect.name == "postgresql":
        name = table.__tablename__
        # Never back: keys of rows that are gone are not given out again.
        highest = f"greatest(max(id), (SELECT last_value FROM {name}_id_seq))"
        db.execute(sql(f"SELECT setval('{name}_id_seq', {highest}) FROM {name} HAVING max(id) IS NOT NULL"))
