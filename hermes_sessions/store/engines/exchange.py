"""Several statements in one exchange with the engine, compiled once: for what an agent waits for.

SQLAlchemy's way through one statement costs more than SQLite needs to run it, and a server
more time on the way than at work. Callers own the transaction; rows come as plain tuples.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect, Insert, Select, TextClause, Update
from sqlalchemy.exc import IntegrityError

Statement = Insert | Select[Any] | TextClause | Update


class Step(NamedTuple):
    """A statement, which is kept and compiled once, and its parameters, as the driver takes them."""

    statement: Statement
    parameters: Mapping[str, Any]


def exchange(connection: Connection, steps: Sequence[Step]) -> list[list[tuple[Any, ...]]]:
    """Run *steps* in their order and return the rows of each, [] for one that returns none."""
    dialect = connection.dialect
    commands = [(_compiled(step.statement, dialect), step.parameters) for step in steps]
    if dialect.name == "postgresql":
        return _pipelined(connection, [(one.text, {**one.fixed, **given}) for one, given in commands])
    raw: Any = connection.connection.dbapi_connection
    found = []
    for one, given in commands:
        values = {**one.fixed, **given}
        found.append(raw.execute(one.text, [values[name] for name in one.order]).fetchall())
    return found


def _pipelined(
    connection: Connection, commands: Sequence[tuple[str, Mapping[str, Any]]]
) -> list[list[tuple[Any, ...]]]:
    import psycopg

    raw: Any = connection.connection.driver_connection
    try:
        with raw.pipeline():
            asked = [raw.execute(text, parameters) for text, parameters in commands]
        return [cursor.fetchall() if cursor.description else [] for cursor in asked]
    except psycopg.IntegrityError as error:
        raise IntegrityError(None, None, error) from error
    except psycopg.Error as error:
        if raw.closed:
            # SQLAlchemy does not see this; it would roll back on a connection that is gone.
            connection.invalidate(error)
        raise


class _Compiled(NamedTuple):
    """A statement as the driver takes it: its text, values of its own, the order of what has no name."""

    text: str
    fixed: Mapping[str, Any]
    order: tuple[str, ...]


@lru_cache(maxsize=64)
def _compiled(statement: Statement, dialect: Dialect) -> _Compiled:
    compiled = statement.compile(dialect=dialect)
    fixed = {name: value for name, value in compiled.params.items() if value is not None}
    return _Compiled(str(compiled), fixed, tuple(getattr(compiled, "positiontup", None) or ()))
