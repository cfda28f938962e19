"""Insert many messages fast: the statement compiled once, rows handed to the driver as they are."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Connection, Dialect, bindparam, insert
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.engines.exchange import Step
from hermes_sessions.store.engines.sqlite_engine import dump_json
from hermes_sessions.store.schema.models import Message

_COLUMNS: Final = tuple(column.name for column in Message.__table__.columns)
_INSERT: Final = insert(Message)
_INSERT_ALL: Final = insert(Message).values({name: bindparam(name) for name in _COLUMNS})
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
        copy_rows(connection, "messages", _COLUMNS, (_parameters(row, _COLUMNS) for row in rows))
        return
    if len(rows) <= FEW:
        connection.execute(_INSERT, list(rows))
        return
    statement, order = _statement(connection.dialect)
    connection.exec_driver_sql(statement, [_parameters(row, order) for row in rows])


def insert_steps(rows: Sequence[Mapping[str, Any]]) -> list[Step]:
    """Return what inserts a few message rows; each names every column."""
    return [Step(_INSERT_ALL, _parameters(row, None)) for row in rows]


def copy_rows(
    connection: Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Stream rows into a table of PostgreSQL, values as its text format takes them."""
    raw: Any = connection.connection.driver_connection
    with raw.cursor() as cursor, cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


@lru_cache(maxsize=4)
def _statement(dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
    """Return the driver's INSERT, and the order of its parameters where they have no names."""
    compiled = insert(Message).compile(dialect=dialect, column_keys=list(_COLUMNS))
    order = getattr(compiled, "positiontup", None)
    return str(compiled), None if order is None else tuple(order)


def _parameters(row: Mapping[str, Any], order: tuple[str, ...] | None) -> Any:
    extra = row["extra"]
    if extra is not None:
        row = {**row, "extra": dump_json(extra)}
    return dict(row) if order is None else tuple([row[name] for name in order])
