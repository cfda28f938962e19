"""The SQLAlchemy engine of a store: connections, pragmas, transactions, named errors. No queries.

No ANALYZE and no `PRAGMA optimize` anywhere: without statistics SQLite plans by the
shape of the indexes, so the plans are the ones the tests show.
"""

import sqlite3
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from hermes_sessions.errors import (
    NotAStoreError,
    NotEnoughSpaceError,
    QueryTimeoutError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
)
from hermes_sessions.json_text import dump_json
from hermes_sessions.store.engines.exchange import Direct, Rows, Step, exchange, in_order
from hermes_sessions.store.engines.file_probe import Location, full_disk, network_file_system
from hermes_sessions.store.engines.writer_queue import WatchedLine, take_turn

BUSY_SECONDS: Final = 10.0
_NO_TEXT: Final = "Could not decode to UTF-8"
"""So begins what Python's sqlite3 says of text that is none; there is no code for it."""
_STEPS: Final = 10_000
"""How many of SQLite's instructions are run between two looks at the clock: less than a millisecond."""
_IDLE: Final = "hermes_sessions_idle"
_REMEMBERED: Final = 512
"""How many sessions a connection remembers."""
_PRAGMAS: Final = (
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA cache_size = -64000",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA journal_size_limit = 67108864",
)


def make_engine(location: Location) -> Engine:
    """Return an engine on *location*; connections come with their pragmas.

    A transaction begins as BEGIN; with the execution option `write` as BEGIN
    IMMEDIATE, so that two writers queue instead of failing half way; with
    `migrating` foreign keys are off as well, since rebuilding a table drops it. With
    `statement_seconds` a statement that takes longer is ended.
    """

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            location.uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        return connection

    idle = _Idle()
    engine = create_engine(
        "sqlite://",
        creator=connect,
        poolclass=QueuePool,  # "sqlite://" alone would mean memory and one connection
        pool_size=8,
        max_overflow=56,
        json_serializer=dump_json,
        execution_options={_IDLE: idle},
    )
    event.listen(engine, "engine_disposed", idle.close)
    event.listen(engine, "begin", partial(_begin, location.path))
    event.listen(engine, "before_cursor_execute", _limit_time)
    return engine


def use_wal(engine: Engine, location: Location) -> str | None:
    """Turn write-ahead logging on; return a notice for the user where that is impossible."""
    kind = network_file_system(location.path, mounts())
    if kind is not None:
        return f"{location.path}: on {kind}, a network file system; readers wait for writers there"
    mode = _journal_mode(engine)
    if mode == "wal":
        return None
    return f"{location.path}: no write-ahead log on this file system; readers wait for writers there"


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite says about the file or the disk into one of our errors.

    Mistakes of ours (a constraint, a missing column) pass through as they are.
    """
    try:
        yield
    except DBAPIError as error:
        named = _named(path, error.orig)
        if named is None:
            raise
        raise named from error
    except sqlite3.DatabaseError as error:
        named = _named(path, error)
        if named is None:
            raise
        raise named from error


def _limit_time(connection: Connection, *_: object) -> None:
    """Let the statement that comes end at its time, where the connection has one."""
    seconds = connection.get_execution_options().get("statement_seconds")
    if seconds is not None:
        end = time.monotonic() + seconds
        raw: Any = connection.connection.dbapi_connection
        raw.set_progress_handler(lambda: time.monotonic() > end, _STEPS)


def _begin(path: Path, connection: Connection) -> None:
    options = connection.get_execution_options()
    raw: Any = connection.connection.dbapi_connection
    raw.set_progress_handler(None, 0)  # of whoever had the connection before
    if options.get("migrating"):
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    if options.get("write"):
        _begin_write(path, raw)
    else:
        connection.exec_driver_sql("BEGIN")


def _begin_write(path: Path, raw: sqlite3.Connection) -> None:
    """Take the write lock in turn; what comes after it (a commit without a log) waits as SQLite does."""
    raw.execute("PRAGMA busy_timeout = 0")
    try:
        _begin_in_turn(path, raw)
    finally:
        raw.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")


def _begin_in_turn(path: Path, raw: sqlite3.Connection) -> None:
    """Take the write lock in turn, on a connection that does not wait by itself."""
    if not take_turn(path, partial(_begin_at_once, raw), seconds=BUSY_SECONDS):
        raise _still_busy(path)


def _begin_at_once(raw: sqlite3.Connection) -> bool:
    """Take the write lock where it is free; return whether it was."""
    try:
        raw.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


class _Idle(list["DirectFile"]):
    """The writers of an engine that are kept for appending, in no use now; the one used last comes first."""

    def close(self, engine: Engine) -> None:
        """Close them all."""
        while self:
            self.pop().close()


def begin_directly(engine: Engine, path: Path) -> "DirectFile":
    """Return a writer's transaction that has not begun, on a connection that was kept or a new one."""
    idle: _Idle = engine.get_execution_options()[_IDLE]
    try:
        return idle.pop()
    except IndexError:
        return DirectFile(engine, path, idle)


class DirectFile(Direct):
    """A writer's transactions in a file, one after the other, on a connection that does nothing else.

    So it can tell whether anyone has written since it last did, and recall what it knew then.
    """

    def __init__(self, engine: Engine, path: Path, idle: _Idle) -> None:
        super().__init__(engine.dialect, engine.raw_connection())
        self._path = path
        self._idle = idle
        self._raw = cast("sqlite3.Connection", self.connection.driver_connection)
        self._raw.set_progress_handler(None, 0)  # of whoever had the connection before
        # With a write-ahead log nothing but the lock for writing is ever waited for.
        self._queues = self._raw.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        if self._queues:
            self._raw.execute("PRAGMA busy_timeout = 0")
        self._line = WatchedLine(path)
        self._version = -1
        self._memory: dict[Hashable, Any] = {}
        self._learned: dict[Hashable, Any] = {}

    def recall(self, key: Hashable) -> Any:
        """Take the lock in turn, where that was not done, and return what is remembered."""
        if not self._raw.in_transaction:
            self._begin()
        return self._memory.get(key)

    def remember(self, key: Hashable, value: Any) -> None:
        """Keep *value* until another connection commits."""
        self._learned[key] = value

    def ask(self, steps: Sequence[Step]) -> list[Rows]:
        """Take the lock in turn, where that was not done, and ask."""
        if not self._raw.in_transaction:
            self._begin()
        return exchange(self, steps)

    def finish(self, steps: Sequence[Step]) -> None:
        """Write, and commit."""
        run = self._raw.execute
        for text, values in in_order(self.dialect, steps):
            run(text, values)
        run("COMMIT")
        if len(self._memory) > _REMEMBERED:
            self._memory.clear()
        self._memory |= self._learned

    def end(self, *, clean: bool) -> None:
        """Be kept, with nothing under way; a connection that cannot end what it began is closed."""
        if not clean:
            self._memory.clear()
            try:
                self._raw.rollback()
            except sqlite3.Error:
                self._line.close()
                self.connection.invalidate()
                return
        self._learned.clear()
        self._idle.append(self)

    def close(self) -> None:
        """Close the connection."""
        self._line.close()
        self.connection.detach()
        self.connection.close()

    def _begin(self) -> None:
        if not self._queues:
            _begin_write(self._path, self._raw)
        elif not (self._line.is_empty() and _begin_at_once(self._raw)):
            _begin_in_turn(self._path, self._raw)
        [version] = self._raw.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._memory.clear()
            self._version = version


def _journal_mode(engine: Engine) -> str:
    """Ask for WAL until nobody else holds the file; SQLite's busy timeout does not cover the switch."""
    raw = engine.raw_connection()
    try:
        cursor = raw.cursor()
        deadline = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                return str(cursor.execute("PRAGMA journal_mode = WAL").fetchone()[0])
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
    finally:
        raw.close()


def mounts() -> str:
    """Return the table of what is mounted, "" where the system has none."""
    try:
        return Path("/proc/self/mounts").read_text(errors="replace")
    except OSError:
        return ""


def _still_busy(path: Path) -> StoreBusyError:
    return StoreBusyError(f"{path}: another process has been writing for {BUSY_SECONDS:.0f} s; try again")


def _named(path: Path, error: BaseException | None) -> Exception | None:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return NotEnoughSpaceError(f"{path}: the disk is full; nothing of this was stored")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return _still_busy(path)
    if code == sqlite3.SQLITE_CORRUPT:
        return StoreDamagedError(f"{path}: the file is damaged; see `hermes-sessions db check`")
    if code == sqlite3.SQLITE_INTERRUPT:
        return QueryTimeoutError(f"{path}: this takes longer than a question may; ask for less")
    if code == sqlite3.SQLITE_NOTADB:
        return NotAStoreError(f"{path}: is not a database")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN):
        return StoreError(f"{path}: cannot be opened for writing ({error})")
    if code == sqlite3.SQLITE_IOERR:
        return full_disk(path, error) or StoreError(f"{path}: the disk refused to read or write ({error})")
    if code == sqlite3.SQLITE_OK and str(error).startswith(_NO_TEXT):
        return StoreDamagedError(
            f"{path}: holds text that is not UTF-8; `hermes-sessions db check` names the rows"
        )
    return None
