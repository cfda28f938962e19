"""Several statements in one exchange with the engine, compiled once: for what an agent waits for.

SQLAlchemy's way through one statement costs more than SQLite needs to run it, and a server
more time on the way than at work. Callers own the transaction; rows come as plain tuples.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Dialect, Insert, Select, TextClause, Update
from sqlalchemy.exc import IntegrityError

_DEFERRED: Final = "hermes_sessions.deferred"
Statement = Insert | Select[Any] | TextClause | Update


class Step(NamedTuple):
    """A statement, which is kept and compiled once, and its parameters, as the driver takes them."""

    statement: Statement
    parameters: Mapping[str, Any]


def exchange(connection: Connection, steps: Sequence[Step]) -> list[list[tuple[Any, ...]]]:
    """Run *steps* in their order and return the rows of each, [] for one that returns none."""
    if connection.dialect.name == "postgresql":
        return _pipelined(connection, _commands(connection, steps))
    raw: Any = connection.connection.dbapi_connection
    found = []
    for step in steps:
        one, given = _compiled(step.statement, connection.dialect), step.parameters
        values = {**one.fixed, **given}
        found.append(raw.execute(one.text, [values[name] for name in one.order]).fetchall())
    return found


def exchange_at_end(connection: Connection, steps: Sequence[Step]) -> None:
    """Run *steps*, whose rows nobody asks for, as the last of their transaction.

    A server gets them together with the commit: until then they are not to be seen, here neither, and what
    is wrong with them comes up then.
    """
    assert not connection.in_nested_transaction()
    if connection.dialect.name == "postgresql":
        connection.info.setdefault(_DEFERRED, []).extend(_commands(connection, steps))
    else:
        exchange(connection, steps)


def send_deferred(connection: Connection) -> None:
    """Send what `exchange_at_end` kept, and the commit with it; for the engine, right before a commit."""
    if commands := connection.info.pop(_DEFERRED, None):
        _pipelined(connection, commands, commit=True)


def drop_deferred(connection: Connection) -> None:
    """Forget what `exchange_at_end` kept; for the engine, where a transaction begins."""
    connection.info.pop(_DEFERRED, None)


def _commands(connection: Connection, steps: Sequence[Step]) -> list[tuple[str, Mapping[str, Any]]]:
    compiled = [(_compiled(step.statement, connection.dialect), step.parameters) for step in steps]
    return [(one.text, {**one.fixed, **given}) for one, given in compiled]


def _pipelined(
    connection: Connection, commands: Sequence[tuple[str, Mapping[str, Any]]], *, commit: bool = False
) -> list[list[tuple[Any, ...]]]:
    import psycopg

    raw: Any = connection.connection.driver_connection
    try:
        with raw.pipeline():
            asked = [raw.execute(text, parameters) for text, parameters in commands]
            if commit:
                raw.execute("COMMIT", prepare=False)  # `raw.commit()` would wait for an exchange of its own
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
