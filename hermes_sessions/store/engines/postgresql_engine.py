"""The SQLAlchemy engine of a store on PostgreSQL: connections, transactions, named errors. No queries.

All that a transaction needs is said at its beginning, in one exchange, and holds for it
alone; so a pooler between us and the server changes nothing.
"""

import selectors
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import errors as pg
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
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
from hermes_sessions.store.engines.change_base import NUMBER_CHANGES, TRANSACTION, begun_transaction
from hermes_sessions.store.engines.exchange import drop_deferred, send_deferred
from hermes_sessions.store.engines.server_probe import Server, search_path_of
from hermes_sessions.store.engines.sqlite_engine import BUSY_SECONDS, dump_json

POOL_SIZE: Final = 8
MORE_CONNECTIONS: Final = 24
READ_SECONDS: Final = 60
"""How long one question of a reader may take."""
IDLE_SECONDS: Final = 120
"""How long a writer may say nothing before its lock is taken from it."""
RESTART_SECONDS: Final = 4.0
"""How long a server that was there is waited for."""
WRITER_KEY: Final = 0x4845524D
"""The advisory lock (`HERM`) of a store: writers share it, maintenance has it alone."""

PING_SECONDS: Final = 0.25
"""A connection that was idle for longer is tried before it is used."""
_RETURNED: Final = "hermes_sessions.returned"

READ = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
    f" SET LOCAL statement_timeout = '{READ_SECONDS}s';"
    # A plan made without the values cannot know a rare word from a common one.
    " SET LOCAL plan_cache_mode = force_custom_plan"
)
_ALONE = f" SELECT pg_advisory_xact_lock({WRITER_KEY}, hashtext(current_schema()))"
_BESIDE = f" SELECT pg_advisory_xact_lock_shared({WRITER_KEY}, hashtext(current_schema()))"
_WAITING = (
    "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE;"
    f" SET LOCAL lock_timeout = '{BUSY_SECONDS:.0f}s';"
    f" SET LOCAL idle_in_transaction_session_timeout = '{IDLE_SECONDS}s';"
)
WRITE = _WAITING + _ALONE
WRITE_BESIDE = _WAITING + _BESIDE
MIGRATE = (
    f"BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE; SET LOCAL lock_timeout = '{6 * BUSY_SECONDS:.0f}s';"
) + _ALONE


def make_engine(server: Server) -> Engine:
    """Return an engine on *server*.

    A transaction reads one state of the database and cannot write; with the execution
    option `write` (or `migrating`) it first waits until it is the only one that writes,
    with `beside` as well it writes beside others of its kind: those lock the rows they
    work on. Each transaction sees the schema `store_schema` alone, where the URL names one: connections
    are the same for all stores of a database. With `statement_seconds` a reader's statement that takes
    longer is ended.
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
    event.listen(engine, "commit", send_deferred)
    return engine


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


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    numbered = bool(options.get("write")) and not options.get("migrating")
    settings = READ
    if options.get("migrating"):
        settings = MIGRATE
    elif numbered:
        settings = WRITE_BESIDE if options.get("beside") else WRITE
        settings += f"; {NUMBER_CHANGES}"
    if (seconds := options.get("statement_seconds")) is not None:
        settings += f"; SET LOCAL statement_timeout = {max(1, round(1000 * seconds))}"
    if (schema := options.get("store_schema")) is not None:
        first, _, others = settings.partition(";")
        settings = f"{first}; {search_path_of(schema)}; {others}"
    raw = connection.connection.driver_connection
    assert raw is not None
    drop_deferred(connection)
    # Several commands in one exchange, which the driver must not try to prepare.
    try:
        begun = raw.execute(settings, prepare=False)
        if numbered:
            connection.info[TRANSACTION] = begun_transaction(begun)
    except psycopg.Error as error:
        if raw.closed:
            # SQLAlchemy does not see this; it would roll back on a connection that is gone.
            connection.invalidate(error)
        elif isinstance(error, pg.FeatureNotSupported):  # READ WRITE, on a server that became a replica
            connection.invalidate(error)
            raise psycopg.OperationalError("the server has become a replica") from error
        raise


_BY_CLASS: Final[tuple[tuple[tuple[type[psycopg.Error], ...], type[HermesSessionsError], str], ...]] = (
    (
        (pg.LockNotAvailable,),
        StoreBusyError,
        f"another process has been writing for {BUSY_SECONDS:.0f} s; try again",
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
