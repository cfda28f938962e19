"""The SQLAlchemy engine of a store on PostgreSQL: connections, transactions, named errors. No queries.

All that a transaction needs is said at its beginning, in one exchange, and holds for it
alone; so a pooler between us and the server changes nothing.
"""

import logging
import selectors
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import errors as pg
from psycopg import pq
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError, InvalidatePoolError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from hermes_sessions.errors import (
    HermesSessionsError,
    InvalidQueryError,
    NotEnoughSpaceError,
    QueryTimeoutError,
    StoreBusyError,
    StoreConflictError,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
)
from hermes_sessions.json_text import dump_json
from hermes_sessions.store.engines.change_base import (
    NUMBER_CHANGES,
    TRANSACTION,
    begun_transaction,
)
from hermes_sessions.store.engines.exchange import (
    Command,
    Direct,
    Rows,
    Step,
    commands,
)
from hermes_sessions.store.engines.server_line import ServerLine
from hermes_sessions.store.engines.server_probe import Server, search_path_of
from hermes_sessions.store.engines.sqlite_engine import BUSY_SECONDS

POOL_SIZE: Final = 8
MORE_CONNECTIONS: Final = 24
READ_SECONDS: Final = 60
"""How long one question of a reader may take."""
IDLE_SECONDS: Final = 120
"""How long a writer may say nothing before its lock is taken from it."""
RESTART_SECONDS: Final = 4.0
"""How long a server that was there is waited for."""
ROW_SECONDS: Final = 60.0
"""How long a writer waits for another who has the same conversation, or for maintenance.

Longer than the longest transaction of a crowd that shares two processors: who holds a row is at work, for
who says nothing is ended after `IDLE_SECONDS`, and of two that wait for each other one gives way at once.
"""
WRITER_KEY: Final = 0x4845524D
"""The advisory lock (`HERM`) of a store: writers share it, maintenance has it alone."""

PING_SECONDS: Final = 0.25
"""A connection that was idle for longer is tried before it is used."""
_RETURNED: Final = "hermes_sessions.returned"
_LINE: Final = "hermes_sessions.line"

READ = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
    f" SET LOCAL statement_timeout = '{READ_SECONDS}s';"
    # A plan made without the values cannot know a rare word from a common one.
    " SET LOCAL plan_cache_mode = force_custom_plan"
)
PLANNED_ONCE = (
    # Planning for hundreds of schemas takes longer than asking them, whatever the values.
    "; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL jit = off"
)
_BEGIN_WRITE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE"
_ALONE: Final = f"pg_advisory_xact_lock({WRITER_KEY}, hashtext(current_schema()))"
_BESIDE: Final = f"pg_advisory_xact_lock_shared({WRITER_KEY}, hashtext(current_schema()))"
# A command of its own: the next one may have to wait for what it names before it is computed.
_WAIT: Final = "SET LOCAL lock_timeout = '{:.0f}s'"
_WAIT_FOR_ROWS: Final = _WAIT.format(ROW_SECONDS)
# The server computes columns from left to right.
_SAID_FIRST: Final = f"SELECT set_config('idle_in_transaction_session_timeout', '{IDLE_SECONDS}s', true), "
WRITE = f"{_BEGIN_WRITE}; {_WAIT.format(BUSY_SECONDS)}; {_SAID_FIRST}{_ALONE}"
_SAID_BESIDE: Final = f"{_SAID_FIRST}{_BESIDE}, {NUMBER_CHANGES}"
WRITE_BESIDE = f"{_BEGIN_WRITE}; {_WAIT_FOR_ROWS}; {_SAID_BESIDE}"
MIGRATE = f"{_BEGIN_WRITE}; {_WAIT.format(6 * BUSY_SECONDS)}; SELECT {_ALONE}"


def make_engine(server: Server) -> Engine:
    """Return an engine on *server*.

    A transaction reads one state of the database and cannot write; with the execution
    option `write` (or `migrating`) it first waits until it is the only one that writes,
    with `beside` as well it writes beside others of its kind: those lock the rows they
    work on. Each transaction sees the schema `store_schema` alone, where the URL names one: connections
    are the same for all stores of a database. With `statement_seconds` a reader's statement that takes
    longer is ended. With `planned_once` what a reader prepares is planned without its values.
    """
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: _connect(server),
        pool_size=POOL_SIZE,
        max_overflow=MORE_CONNECTIONS,
        pool_timeout=BUSY_SECONDS,
        pool_recycle=1800,
        pool_use_lifo=True,  # the connection that was used last has what it was asked planned
        json_serializer=dump_json,
        execution_options={"store_schema": server.schema},
    )
    event.listen(engine, "checkout", _try_idle)
    event.listen(engine, "checkin", _note_return)
    event.listen(engine, "begin", _begin)
    logging.getLogger("psycopg").addFilter(_is_news)
    return engine


def _is_news(record: logging.LogRecord) -> bool:
    """Keep from users what the driver says of an error that is raised as well."""
    return not record.getMessage().startswith("error ignored")


class DirectServer(Direct):
    """A writer's transaction on a server, in two exchanges."""

    def __init__(self, engine: Engine, schema: str | None) -> None:
        super().__init__(engine.dialect, engine.raw_connection())
        self._schema = schema

    def ask(self, steps: Sequence[Step]) -> list[Rows]:
        """Begin, and ask."""
        first: list[Command] = [(_BEGIN_WRITE, None)]
        if self._schema is not None:
            first.append((search_path_of(self._schema), None))
        first += [(_WAIT_FOR_ROWS, None), (_SAID_BESIDE, None)]
        try:
            answers = self._begin([*first, *commands(self, steps)])
        except pg.FeatureNotSupported as error:
            raw = self.connection.driver_connection
            began = raw is not None and raw.pgconn.transaction_status != pq.TransactionStatus.IDLE
            self.invalidate(error)
            if began:
                raise
            raise _became_replica() from error
        self.transaction = begun_transaction(answers[len(first) - 1][0])
        return answers[len(first) :]

    def finish(self, steps: Sequence[Step]) -> None:
        """Write, and commit."""
        self._send([*commands(self, steps), ("COMMIT", None)])

    def _begin(self, sent: Sequence[Command]) -> list[Rows]:
        """Send what a transaction begins with; once more where the server forgot what was prepared."""
        try:
            return self._send(sent)
        except pg.InvalidSqlStatementName:
            raw = self.connection.driver_connection
            assert raw is not None
            raw.rollback()
            self._line().forget()
            return self._send(sent)

    def _send(self, sent: Sequence[Command]) -> list[Rows]:
        line = self._line()
        try:
            return line.send(sent)
        except psycopg.IntegrityError as error:
            raise IntegrityError(None, None, error) from error
        except psycopg.Error as error:
            if line.raw.closed:
                # The pool does not see this; it would roll back on a connection that is gone.
                self.invalidate(error)
            raise

    def _line(self) -> ServerLine:
        raw: Any = self.connection.driver_connection
        line: ServerLine | None = self.info.get(_LINE)
        if line is None or line.raw is not raw:
            line = self.info[_LINE] = ServerLine(raw)
        return line

    def end(self, *, clean: bool) -> None:
        """Give the connection back."""
        if not self.connection.is_valid:
            return
        raw = self.connection.driver_connection
        assert raw is not None
        try:
            if not clean:
                raw.rollback()
        except psycopg.Error as lost:
            self.invalidate(lost)
        else:
            self.connection.close()


def end_reading(connection: Connection) -> None:
    """End a transaction that only read, all having gone well, by a commit.

    After a rollback the driver has the server forget what it had prepared.
    """
    raw = connection.connection.driver_connection
    assert raw is not None
    try:
        raw.commit()
    except psycopg.Error as lost:  # what was read is read
        connection.invalidate(lost)


@contextmanager
def named_errors(server: Server) -> Iterator[None]:
    """Turn what the server says about itself into one of our errors.

    Mistakes of ours (a constraint, a missing column) pass through as they are.
    """
    try:
        yield
    except DBAPIError as error:
        named = _named(server.name, error.orig)
        if named is None:
            raise
        raise named from error
    except psycopg.Error as error:
        named = _named(server.name, error)
        if named is None:
            raise
        raise named from error
    except PoolTimeoutError as error:
        raise StoreBusyError(f"{server.name}: all connections are in use; try again") from error


def _connect(server: Server) -> psycopg.Connection[Any]:
    """Connect; the server was there when the store was opened, so a restart is waited for."""
    deadline = time.monotonic() + (RESTART_SECONDS if server.patient else 0.0)
    pause = 0.1
    while True:
        try:
            # The driver would send a BEGIN of its own, in its own exchange: ours says more, see `_begin`.
            connection = psycopg.connect(server.conninfo, autocommit=True, **server.options)
        except psycopg.OperationalError:
            if time.monotonic() + pause > deadline:
                raise
            time.sleep(pause)
            pause *= 2
        else:
            connection.server_cursor_factory = _Cursor
            return connection


class _Cursor(psycopg.ServerCursor[Any]):
    """A cursor that is closed with its connection: an end of the server is told once, by the connection."""

    def close(self) -> None:
        try:
            super().close()
        except psycopg.OperationalError:
            if not self.connection.closed:
                raise
            super().close()


def _note_return(raw: Any, record: Any) -> None:
    record.info[_RETURNED] = time.monotonic()


def _try_idle(raw: Any, record: Any, proxy: Any) -> None:
    """Find out here whether a restart of the server has ended an idle connection.

    It is asked where it has said something meanwhile, as it does at its end, or some time has passed.
    """
    returned = record.info.get(_RETURNED)
    if returned is None:  # it was made a moment ago
        return
    if time.monotonic() - returned <= PING_SECONDS and not _said_something(raw):
        return
    try:
        raw.execute(";", prepare=False)
    except psycopg.Error as error:
        raise InvalidatePoolError from error


def _said_something(raw: psycopg.Connection[Any]) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(raw.fileno(), selectors.EVENT_READ)
        return bool(selector.select(0))


def _beginning(options: Mapping[str, Any], *, numbered: bool) -> str:
    if options.get("migrating"):
        settings = MIGRATE
    elif numbered:
        settings = WRITE_BESIDE if options.get("beside") else f"{WRITE}, {NUMBER_CHANGES}"
    else:
        settings = READ + (PLANNED_ONCE if options.get("planned_once") else "")
    if (seconds := options.get("statement_seconds")) is not None:
        settings += f"; SET LOCAL statement_timeout = {max(1, round(1000 * seconds))}"
    if (schema := options.get("store_schema")) is not None:
        first, _, others = settings.partition(";")
        settings = f"{first}; {search_path_of(schema)}; {others}"
    return settings


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    numbered = bool(options.get("write")) and not options.get("migrating")
    settings = _beginning(options, numbered=numbered)
    raw = connection.connection.driver_connection
    assert raw is not None
    # Several commands in one exchange, which the driver must not try to prepare.
    try:
        begun = raw.execute(settings, prepare=False)
        if numbered:
            while begun.nextset():
                pass
            connection.info[TRANSACTION] = begun_transaction(begun.fetchone() or ())
    except psycopg.Error as error:
        if raw.closed:
            # SQLAlchemy does not see this; it would roll back on a connection that is gone.
            connection.invalidate(error)
        elif isinstance(error, pg.FeatureNotSupported):  # READ WRITE, on a server that became a replica
            connection.invalidate(error)
            raise _became_replica() from error
        raise


def _became_replica() -> psycopg.OperationalError:
    return psycopg.OperationalError("the server has become a replica")


_BY_CLASS: Final[tuple[tuple[tuple[type[psycopg.Error], ...], type[HermesSessionsError], str], ...]] = (
    (
        (pg.LockNotAvailable,),
        StoreBusyError,
        f"another process has been writing for {BUSY_SECONDS:.0f} s or more; try again",
    ),
    (
        (pg.DeadlockDetected, pg.SerializationFailure),
        StoreConflictError,
        "another process changed the same rows; try again",
    ),
    ((pg.QueryCanceled,), QueryTimeoutError, "this takes longer than a question may; ask for less"),
    ((pg.DiskFull,), NotEnoughSpaceError, "the server's disk is full; nothing of this was stored"),
    ((pg.DataCorrupted, pg.IndexCorrupted), StoreDamagedError, "the server finds damage in it; see its log"),
    ((pg.TooManyConnections,), StoreUnavailableError, "the server has no connection left; try again"),
)


def _named(name: str, error: BaseException | None) -> HermesSessionsError | None:
    for classes, ours, text in _BY_CLASS:
        if isinstance(error, classes):
            return ours(f"{name}: {text}")
    if isinstance(error, pg.InsufficientPrivilege | pg.ReadOnlySqlTransaction):
        return StoreError(f"{name}: this user may not do that ({_first_line(error)}); see docs/team.md")
    if isinstance(error, psycopg.DataError) and error.sqlstate is None and "NUL" in str(error):
        return InvalidQueryError("a NUL character cannot be asked for: nothing stored has one")
    state = getattr(error, "sqlstate", None)
    gone = isinstance(error, psycopg.OperationalError) and (state is None or state[:2] in ("08", "28", "57"))
    if gone or isinstance(error, pg.IdleInTransactionSessionTimeout | psycopg.InterfaceError):
        return StoreUnavailableError(f"{name}: cannot be reached ({_first_line(error)})")
    return None


def _first_line(error: BaseException | None) -> str:
    """Return what matters of libpq's words: the last thing it met, without its address."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    wanted = next(
        (line for line in lines if "FATAL:" in line or "failed:" in line), lines[0] if lines else ""
    )
    return wanted.rpartition("FATAL:")[2].strip() or wanted
