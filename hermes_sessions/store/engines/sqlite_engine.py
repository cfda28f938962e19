"""The SQLAlchemy engine of a store: connections, pragmas, transactions, named errors. No queries.

No ANALYZE and no `PRAGMA optimize` anywhere: without statistics SQLite plans by the
shape of the indexes, so the plans are the ones the tests show.
"""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

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
from hermes_sessions.store.engines.file_probe import Location, full_disk, network_file_system
from hermes_sessions.store.engines.writer_queue import take_turn

BUSY_SECONDS: Final = 10.0
_STEPS: Final = 10_000
"""How many of SQLite's instructions are run between two looks at the clock: less than a millisecond."""
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

    engine = create_engine(
        "sqlite://",
        creator=connect,
        poolclass=QueuePool,  # "sqlite://" alone would mean memory and one connection
        pool_size=8,
        max_overflow=56,
        json_serializer=dump_json,
    )
    event.listen(engine, "begin", partial(_begin, location.path))
    event.listen(engine, "before_cursor_execute", _limit_time)
    return engine


def dump_json(value: Any) -> str:
    """Return *value* as JSON that any engine can store, lone surrogates escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


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
        _begin_write(path, connection)
    else:
        connection.exec_driver_sql("BEGIN")


def _begin_write(path: Path, connection: Connection) -> None:
    """Take the write lock in turn; what comes after it (a commit without a log) waits as SQLite does."""
    raw: Any = connection.connection.dbapi_connection

    def begin() -> bool:
        try:
            raw.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            return False
        return True

    raw.execute("PRAGMA busy_timeout = 0")
    try:
        if not take_turn(path, begin, seconds=BUSY_SECONDS):
            raise _still_busy(path)
    finally:
        raw.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")


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
    return None
