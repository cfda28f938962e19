"""Several statements in one exchange with the engine, compiled once: for what an agent waits for.

SQLAlchemy's way through one statement costs more than SQLite needs to run it, and a server
more time on the way than at work. Callers own the transaction; rows come as plain tuples.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from sqlalchemy import Dialect, Insert, Select, TextClause, Update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import PoolProxiedConnection

from hermes_sessions.store.engines.change_base import Transaction

Statement = Insert | Select[Any] | TextClause | Update
Command = tuple[str, Mapping[str, Any] | None]
"""What the driver of a server is given: a statement and its parameters, None for one without."""
Rows = list[tuple[Any, ...]]
T = TypeVar("T")
_CURSORS: Final = "hermes_sessions.cursors"
_HELD: Final = 64_000
"""Characters of a parameter that an idle connection may hold."""


class Step(NamedTuple):
    """A statement, which is kept and compiled once, and its parameters, as the driver takes them."""

    statement: Statement
    parameters: Mapping[str, Any]


class OpenLine(Protocol):
    """A connection with a transaction on it: SQLAlchemy's, or a `Direct`."""

    @property
    def dialect(self) -> Dialect:
        """Which engine it leads to."""

    @property
    def connection(self) -> PoolProxiedConnection:
        """The pool's connection, which has the driver's."""

    @property
    def info(self) -> dict[Any, Any]:
        """What is remembered with the driver's connection."""

    def invalidate(self, exception: BaseException | None = None) -> None:
        """Take note that the driver's connection is gone."""


class Direct(ABC):
    """A writer's transaction on a connection of the pool itself: first it asks, then it writes and is over.

    Attributes:
        dialect: which engine it leads to.
        connection: the pool's connection.
        transaction: which one it is on a server, as soon as something was asked.
    """

    def __init__(self, dialect: Dialect, connection: PoolProxiedConnection) -> None:
        self.dialect: Dialect = dialect
        self.connection: PoolProxiedConnection = connection
        self.transaction: Transaction | None = None

    @property
    def info(self) -> dict[Any, Any]:
        """What is remembered with the driver's connection."""
        return self.connection.info

    def invalidate(self, exception: BaseException | None = None) -> None:
        """Take note that the driver's connection is gone."""
        self.connection.invalidate(exception)

    def recall(self, key: Hashable) -> Any:
        """Return what an earlier transaction left here under *key*; None where others have written."""
        return None

    def remember(self, key: Hashable, value: Any) -> None:
        """Leave *value* for the next transaction here, once this one is committed."""
        return None

    @abstractmethod
    def ask(self, steps: Sequence[Step]) -> list[Rows]:
        """Begin, as a writer beside others, and return the rows of each step: one exchange with a server."""

    @abstractmethod
    def finish(self, steps: Sequence[Step]) -> None:
        """Run *steps*, whose rows nobody asks for, and commit: one exchange with a server."""

    @abstractmethod
    def end(self, *, clean: bool) -> None:
        """Give the connection back; *clean* where all was committed, else it is undone."""


class Planned(NamedTuple, Generic[T]):
    """What a transaction is to write, and what it returns.

    Attributes:
        steps: what is written.
        value: what whoever asked for the transaction gets.
        proof: returns a question that has rows where all was stored, for a server that forgot how it ended.
    """

    steps: Sequence[Step]
    value: T
    proof: Callable[[], Step]


def exchange(line: OpenLine, steps: Sequence[Step]) -> list[Rows]:
    """Run *steps* in their order and return the rows of each, [] for one that returns none."""
    if line.dialect.name == "postgresql":
        return send_together(line, commands(line, steps))
    raw: Any = line.connection.driver_connection
    return [raw.execute(text, values).fetchall() for text, values in in_order(line.dialect, steps)]


def in_order(dialect: Dialect, steps: Sequence[Step]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield what a driver is given for *steps* that takes parameters in their order, without names."""
    for statement, given in steps:
        text, fixed, arrange = _compiled(statement, dialect)
        yield text, arrange({**fixed, **given} if fixed else given)


def commands(line: OpenLine, steps: Sequence[Step]) -> list[Command]:
    """Return what the driver of a server is given for *steps*."""
    compiled = [(_compiled(step.statement, line.dialect), step.parameters) for step in steps]
    return [(one.text, {**one.fixed, **given} if one.fixed else given) for one, given in compiled]


def send_together(line: OpenLine, sent: Sequence[Command]) -> list[Rows]:
    """Send commands to a server in one exchange and return the rows of each."""
    import psycopg

    raw: Any = line.connection.driver_connection
    cursors = line.info.setdefault(_CURSORS, [])
    if cursors and cursors[0].connection is not raw:
        cursors.clear()
    cursors += [raw.cursor() for _ in range(len(sent) - len(cursors))]  # making one costs as much as using it
    asked = cursors[: len(sent)]
    try:
        with raw.pipeline():
            for cursor, (text, parameters) in zip(asked, sent, strict=True):
                cursor.execute(text, parameters)
        found = [cursor.fetchall() if cursor.description else [] for cursor in asked]
    except psycopg.IntegrityError as error:
        raise IntegrityError(None, None, error) from error
    except psycopg.Error as error:
        if raw.closed or raw.pgconn.pipeline_status:
            # SQLAlchemy does not see this; it would roll back on a connection that is gone.
            line.invalidate(error)
        raise
    if any(_is_long(value) for _, parameters in sent if parameters for value in parameters.values()):
        cursors.clear()  # each holds what it was given last
    return found


def _is_long(value: object) -> bool:
    if isinstance(value, list | tuple):
        return sum(len(one) for one in value if isinstance(one, str | bytes)) > _HELD
    return isinstance(value, str | bytes) and len(value) > _HELD


class _Compiled(NamedTuple):
    """A statement as the driver takes it: its text, values of its own, what puts nameless ones in order."""

    text: str
    fixed: Mapping[str, Any]
    arrange: Callable[[Mapping[str, Any]], tuple[Any, ...]]


@lru_cache(maxsize=128)
def _compiled(statement: Statement, dialect: Dialect) -> _Compiled:
    compiled = statement.compile(dialect=dialect)
    fixed = {name: value for name, value in compiled.params.items() if value is not None}
    return _Compiled(str(compiled), fixed, _arranged(getattr(compiled, "positiontup", None) or ()))


def _arranged(names: Sequence[str]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    if len(names) > 1:
        return itemgetter(*names)
    return lambda given: tuple(given[name] for name in names)
