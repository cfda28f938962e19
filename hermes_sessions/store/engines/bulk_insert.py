"""Insert many messages fast: the statement compiled once, rows handed to the driver as they are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Dialect, Insert, bindparam, insert
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.json_text import dump_json
from hermes_sessions.store.engines.exchange import Step
from hermes_sessions.store.language.ready_messages import GIVEN, READY
from hermes_sessions.store.schema.models import Message

_COLUMNS: Final = tuple(column.name for column in Message.__table__.columns)
_READY: Final = (*READY, *GIVEN)
_Order: TypeAlias = Callable[[Mapping[str, Any]], tuple[Any, ...]]
_IN_ORDER: Final[_Order] = itemgetter(*_COLUMNS)
_INSERT: Final = insert(Message)
_INSERT_READY: Final = f"INSERT INTO messages ({', '.join(_READY)}) VALUES ({', '.join('?' * len(_READY))})"
FEW: Final = 8
"""Up to this many rows the usual way is as fast."""


def insert_messages(db: DbSession, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert message rows; each names every column.

    Twice as fast as an executemany through SQLAlchemy's Core, which builds and converts
    the parameters of every row: here only `extra` needs converting. PostgreSQL gets many
    rows as one stream (COPY).
    """
    if not rows:
        return
    connection = db.connection()
    if connection.dialect.name == "postgresql" and len(rows) > FEW:
        copy_rows(connection, "messages", _COLUMNS, (_parameters(row, _IN_ORDER) for row in rows))
        return
    if len(rows) <= FEW:
        connection.execute(_INSERT, list(rows))
        return
    statement, order = _statement(connection.dialect)
    connection.exec_driver_sql(statement, [_parameters(row, order) for row in rows])


def insert_ready_messages(db: DbSession, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert message rows with values as the driver takes them, in the order of `READY`, then `GIVEN`."""
    if not rows:
        return
    connection = db.connection()
    if connection.dialect.name == "postgresql":
        copy_rows(connection, "messages", _READY, rows)
        return
    connection.exec_driver_sql(_INSERT_READY, rows)


def insert_steps(rows: Sequence[Mapping[str, Any]]) -> list[Step]:
    """Return what inserts a few message rows; each names every column."""
    return [_insert_step(row) for row in rows]


def _insert_step(row: Mapping[str, Any]) -> Step:
    """Name what the row has alone: half of the columns are empty, and each costs driver and engine."""
    given = {name: value for name, value in row.items() if value is not None}
    if "extra" in given:
        given["extra"] = dump_json(given["extra"])
    return Step(_insert_of(tuple(given)), given)


@lru_cache(maxsize=64)
def _insert_of(names: tuple[str, ...]) -> Insert:
    return insert(Message).values({name: bindparam(name) for name in _COLUMNS if name in names})


def copy_rows(
    connection: Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Stream rows into a table of PostgreSQL, values as its text format takes them."""
    raw: Any = connection.connection.driver_connection
    with raw.cursor() as cursor, cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


@lru_cache(maxsize=4)
def _statement(dialect: Dialect) -> tuple[str, _Order | None]:
    """Return the driver's INSERT, and what puts parameters into its order where they have no names."""
    compiled = insert(Message).compile(dialect=dialect, column_keys=list(_COLUMNS))
    order = getattr(compiled, "positiontup", None)
    return str(compiled), None if order is None else itemgetter(*order)


def _parameters(row: Mapping[str, Any], order: _Order | None) -> Any:
    extra = row["extra"]
    if extra is not None:
        row = {**row, "extra": dump_json(extra)}
    return dict(row) if order is None else order(row)
