"""Copy the rows of one store into another, table by table in the order of their keys.

What `operations.move` does between its transactions: which tables, in which batches,
whether both sides hold the same. Values go through the models' types, so that each
engine gets its own kind of true, of JSON, of number.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import JSON, Connection, Table, func, insert, inspect, select, tuple_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlalchemy.schema import AddConstraint, DropConstraint, ForeignKeyConstraint

from hermes_sessions.errors import StoreDamagedError
from hermes_sessions.json_text import dump_json
from hermes_sessions.storable_text import storable
from hermes_sessions.store.engines.bulk_insert import copy_rows
from hermes_sessions.store.engines.row_keys import keep_keys
from hermes_sessions.store.schema.models import Base, Lease

BATCH_ROWS: Final = 2_000
BATCH_CHARS: Final = 8_000_000
_BROKEN: Final = (
    "{table}: rows point at missing rows; mend the source with `hermes-sessions db check --repair`"
)
_FETCHED: Final = 50
"""Rows that a server hands over at a time: a cell can be large."""


def list_tables() -> list[Table]:
    """Return the tables whose rows are the store, those first that others point at."""
    return [table for table in Base.metadata.sorted_tables if table.name != Lease.__tablename__]


def count_rows(db: Session | Connection, table: Table) -> int:
    """Return how many rows *table* has."""
    return int(db.execute(select(func.count()).select_from(table)).scalar_one())


def last_key(connection: Connection, table: Table) -> tuple[Any, ...] | None:
    """Return the key of the last row of *table*; None when it is empty."""
    keys = list(table.primary_key.columns)
    found = connection.execute(select(*keys).order_by(*(key.desc() for key in keys)).limit(1)).first()
    return None if found is None else tuple(found)


def read_batches(
    db: Session, table: Table, after: tuple[Any, ...] | None = None
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of *table* behind the key *after*, in the order of their keys, in batches."""
    batch: list[tuple[Any, ...]] = []
    size = 0
    for row in _read(db, table, after):
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, str))
        if len(batch) >= BATCH_ROWS or size >= BATCH_CHARS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def write_rows(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert *rows*, which have a value for every column in its order."""
    names = [column.name for column in table.columns]
    if connection.dialect.name != "postgresql":
        connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])
        return
    json_at = [at for at, column in enumerate(table.columns) if isinstance(column.type, JSON)]
    copy_rows(connection, table.name, names, (_as_text(row, json_at) for row in rows))


def digest_rows(db: Session, table: Table) -> tuple[int, str]:
    """Return how many rows *table* has, and a digest of all their values in the order of their keys."""
    digest = hashlib.blake2b(digest_size=16)
    count = 0
    for row in _read(db, table, None):
        digest.update(json.dumps(row, sort_keys=True).encode())
        count += 1
    return count, digest.hexdigest()


def drop_links(connection: Connection) -> None:
    """Take the foreign keys away while rows come in: they point in circles (a file has them switched off)."""
    if connection.dialect.name != "postgresql":
        return
    found = inspect(connection)
    for table in Base.metadata.sorted_tables:
        there = {one["name"] for one in found.get_foreign_keys(table.name)}
        for constraint in _links(table):
            if constraint.name in there:
                connection.execute(DropConstraint(constraint))


def restore_links(connection: Connection) -> None:
    """Put the foreign keys back, which checks every row; give out new keys behind the highest.

    Raises:
        StoreDamagedError: a row points at one that is not there.
    """
    if connection.dialect.name != "postgresql":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise StoreDamagedError(_BROKEN.format(table=broken[0][0]))
        return
    for table in Base.metadata.sorted_tables:
        try:
            for constraint in _links(table):
                connection.execute(AddConstraint(constraint))
        except IntegrityError as error:
            raise StoreDamagedError(_BROKEN.format(table=table.name)) from error
    keep_keys(connection, *(one.class_ for one in Base.registry.mappers if "id" in one.local_table.columns))
    names = ", ".join(table.name for table in Base.metadata.sorted_tables)
    connection.exec_driver_sql(f"ANALYZE {names}, messages_fts")  # the server plans by what it has counted


def clear_tables(connection: Connection) -> None:
    """Remove all rows; only while the foreign keys are away."""
    for table in reversed(list_tables()):
        connection.execute(table.delete())


def _links(table: Table) -> list[ForeignKeyConstraint]:
    return sorted(table.foreign_key_constraints, key=lambda one: str(one.name))


def _read(db: Session, table: Table, after: tuple[Any, ...] | None) -> Iterator[tuple[Any, ...]]:
    keys = list(table.primary_key.columns)
    stmt = select(table).order_by(*keys).execution_options(yield_per=_FETCHED)
    if after is not None:
        stmt = stmt.where(keys[0] > after[0] if len(keys) == 1 else tuple_(*keys) > tuple_(*after))
    for row in db.execute(stmt):
        # An older file may hold a NUL that the other engine cannot.
        yield tuple(storable(value) if isinstance(value, str) else value for value in row)


def _as_text(row: tuple[Any, ...], json_at: Sequence[int]) -> tuple[Any, ...]:
    if not json_at:
        return row
    values = list(row)
    for at in json_at:
        if values[at] is not None:
            values[at] = dump_json(values[at])
    return tuple(values)
