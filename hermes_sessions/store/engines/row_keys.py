"""Surrogate keys for new rows, given out by whoever writes them. No other writes."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, func, select
from sqlalchemy import text as sql
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.engines.exchange import OpenLine, Step, exchange
from hermes_sessions.store.engines.server_probe import quoted_name

_SEQUENCES: Final = sql(
    "SELECT left(sequencename, -length('_id_seq')) FROM pg_sequences"
    " WHERE schemaname = current_schema() AND sequencename LIKE '%\\_id\\_seq'"
    " AND has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'SELECT') ORDER BY 1"
)
_COUNTED_BY_HAND: Final = frozenset({"masks"})
"""Tables whose rows are written alone, under the highest key plus one: their sequences are not asked."""
_FROM_SEQUENCE: Final = sql("SELECT nextval(CAST(:sequence AS regclass)) FROM generate_series(1, :count)")


def next_keys(db: DbSession, table: type[Any], count: int) -> Sequence[int]:
    """Return *count* keys for new rows of *table*, ascending and above all that this writer has seen.

    SQLite gives them out from the highest in use, for it has one writer at a time; PostgreSQL
    from the table's sequence, where other writers' keys may lie between them.
    """
    line = db.connection()
    return read_keys(line, exchange(line, [key_step(line, table, count)])[0], count)


def key_step(line: OpenLine, table: type[Any], count: int) -> Step:
    """Return the question for *count* keys, as a step of an exchange; `read_keys` reads the answer."""
    if line.dialect.name == "postgresql":
        return Step(_FROM_SEQUENCE, {"sequence": f"{table.__tablename__}_id_seq", "count": count})
    return Step(_highest(table.__table__), {})


def read_keys(line: OpenLine, found: Sequence[tuple[Any, ...]], count: int) -> Sequence[int]:
    """Return the *count* keys that the answer to `key_step` means."""
    if line.dialect.name == "postgresql":
        return [key for (key,) in found]
    highest = found[0][0] or 0
    return range(highest + 1, highest + 1 + count)


@lru_cache
def _highest(table: Any) -> Select[tuple[int]]:
    return select(func.max(table.c.id))


def next_key(db: DbSession, table: type[Any]) -> int:
    """Return a key for one new row of *table*; see `next_keys`."""
    return next_keys(db, table, 1)[0]


def keep_keys(connection: Connection, *models: type[Any]) -> None:
    """Note that keys of *models* were given out one after the other; for whoever writes alone."""
    if connection.dialect.name != "postgresql":
        return
    for table in (model.__table__ for model in models):
        # Two questions: a cluster sends one about rows to another node, where the sequence is not counted.
        if highest := connection.scalar(_highest(table)):
            # Never back: keys of rows that are gone are not given out again.
            sequence = f"{table.name}_id_seq"
            kept = f"SELECT setval('{sequence}', greatest(:highest, (SELECT last_value FROM {sequence})))"
            connection.execute(sql(kept), {"highest": highest})


class KeysBehind(NamedTuple):
    """A table whose sequence is behind its rows: the last key given out, and the highest in use."""

    table: str
    last: int
    highest: int


def find_keys_behind(connection: Connection) -> list[KeysBehind]:
    """Return the tables, by name, whose next key may be taken; a file has none.

    An agent of a version before the sequences (revision 0007) gives out the highest in use plus one, as
    long as it keeps its store open. What this user may not ask is left out.
    """
    if connection.dialect.name != "postgresql":
        return []
    found = []
    for table in connection.scalars(_SEQUENCES).all():
        if table in _COUNTED_BY_HAND:
            continue
        sequence = quoted_name(f"{table}_id_seq")
        last = connection.scalar(sql(f"SELECT last_value - (NOT is_called)::int FROM {sequence}")) or 0
        highest = connection.scalar(sql(f"SELECT max(id) FROM {quoted_name(table)}")) or 0
        if last < highest:
            found.append(KeysBehind(table, last, highest))
    return found


def pass_taken_keys(connection: Connection) -> None:
    """Have keys begin behind those in use, in every table where they do not."""
    for table, _, highest in find_keys_behind(connection):
        name = quoted_name(f"{table}_id_seq")
        # Another may have passed them meanwhile. Going back for a moment is mended as this was.
        passed = sql(
            f"SELECT setval(CAST(:name AS regclass), :highest) FROM {name} WHERE last_value < :highest"
        )
        connection.execute(passed, {"name": name, "highest": highest})
