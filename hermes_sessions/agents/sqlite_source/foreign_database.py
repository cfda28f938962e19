"""Open somebody else's SQLite file without ever writing to it or beside it.

Three ways: a database that a program has open is read in place through SQLite's own
shared locks, its shared memory read-only; one that nobody has open but whose log holds
changes is copied to a private folder with its log; any other is read as it is. Damage to
the file as a whole is mended on the copy and said in `notes`; damage to rows is
`salvage.iter_rows`. Not here: what the tables mean.
"""

import contextlib
import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from hermes_sessions.agents.sqlite_source.expected_tables import ExpectedTables
from hermes_sessions.agents.sqlite_source.file_header import (
    HEADER_BYTES,
    MAGIC,
    WAL_HEADER_BYTES,
    Header,
    describe_non_database,
    is_log_header,
    parse_header,
)
from hermes_sessions.agents.sqlite_source.held_elsewhere import is_held, reading_bytes, reading_in_place
from hermes_sessions.agents.sqlite_source.private_copy import PrivateCopy, private_copy, settle
from hermes_sessions.errors import SourceChangedError, SourceError

_BUSY_SECONDS: Final = 5.0
_PASSING_CODES: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}


class RawText(bytes):
    """A TEXT value that is not UTF-8, as its bytes; a BLOB arrives as plain `bytes`."""

    __slots__ = ()


class ReadMode(StrEnum):
    """How a foreign file is being read."""

    LIVE = "live"
    COPY = "copy"
    IMMUTABLE = "immutable"


@dataclass(frozen=True, slots=True)
class ForeignDatabase:
    """An open foreign database; every statement is its own read transaction.

    Attributes:
        connection: in autocommit; TEXT that is not UTF-8 arrives as `RawText`.
        path: the file itself, links followed, even where a copy of it is read.
        mode: how it is read.
        notes: damage to the file as a whole, one sentence each.
        padded: the file is cut off; what is lost reads as bytes 0xFF.
        token: `change_token` from before the file was opened.
    """

    connection: sqlite3.Connection
    path: Path
    mode: ReadMode
    notes: tuple[str, ...]
    padded: bool
    token: str

    def tables(self) -> tuple[str, ...]:
        """Return the names of the ordinary tables, sorted: no views, no virtual tables."""
        found = self.connection.execute("PRAGMA main.table_list").fetchall()
        names = (name for _, name, kind, *_ in found if kind == "table" and isinstance(name, str))
        return tuple(sorted(name for name in names if not name.startswith("sqlite_")))

    def columns(self, table: str) -> tuple[str, ...]:
        """Return the columns of *table* in order; empty when there is no such table."""
        found = self.connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
        return tuple(name for (name,) in found if isinstance(name, str))

    def verify(self) -> None:
        """Check that what was read so far is one state of the file.

        Cheap enough to call after every few rows. Only a file read as it is can
        change underneath; copies and live files are consistent by themselves.

        Raises:
            SourceChangedError: somebody wrote to the file since it was opened.
        """
        # The first field is the file without its log: a log that appears now is not read.
        before, now = self.token.partition("-")[0], change_token(self.path).partition("-")[0]
        if self.mode is ReadMode.IMMUTABLE and now != before:
            raise SourceChangedError(f"{self.path}: changed while it was being read; try again")


def locate_database(path: Path, name: str) -> Path:
    """Return the database file that *path* names: itself, or the file *name* in a folder.

    Links are followed, as SQLite does to find the log beside a file.

    Raises:
        SourceError: nothing is there, or something that is not a file.
    """
    try:
        found = (path / name if path.is_dir() else path).resolve()
        if found.is_file():
            return found
        if path.is_dir():
            raise SourceError(f"{path}: no {name} in this folder")
        what = "not a regular file" if found.exists() else "no such file"
    except (OSError, RuntimeError, ValueError) as error:
        raise SourceError(f"{path}: {_reason(error)}") from error
    raise SourceError(f"{path}: {what}")


def find_database(path: Path, name: str) -> Path | None:
    """Return the file that *path* names: itself, or the file *name* in a folder; None where there is none."""
    try:
        found = (path / name if path.is_dir() else path).resolve()
        return found if found.is_file() else None
    except (OSError, RuntimeError, ValueError):
        return None


def looks_like_database(path: Path) -> bool:
    """Return whether the file at *path* begins like a SQLite database, or is in use as one."""
    if _beside(path, "-shm").exists():
        return True
    try:
        with reading_bytes(path) as possible:
            return not possible or _first_bytes(path, len(MAGIC)).startswith(MAGIC[:15])
    except PermissionError:
        return True  # opening it says so
    except OSError:
        return False


def change_token(path: Path) -> str:
    """Return a text that changes whenever the database at *path* does, without opening it.

    Made of sizes, times, the change counter and the header of the log.

    Raises:
        SourceError: the file is gone or cannot be read.
    """
    wal = _beside(path, "-wal")
    try:
        stat = path.stat()
        parts = [f"{stat.st_size}.{stat.st_mtime_ns}"]
        if not _beside(path, "-shm").exists():
            # Closing any descriptor of a file drops this process's locks on it, so the
            # header of a live file is left alone; it does not move with commits anyway.
            parts.append(_first_bytes(path, HEADER_BYTES)[24:28].hex())
        with contextlib.suppress(FileNotFoundError):
            wal_stat = wal.stat()
            parts += [f"{wal_stat.st_size}.{wal_stat.st_mtime_ns}", _first_bytes(wal, WAL_HEADER_BYTES).hex()]
    except OSError as error:
        raise SourceError(f"{path}: {_reason(error)}") from error
    return "-".join(parts)


@contextlib.contextmanager
def open_foreign(
    path: Path, expected: ExpectedTables, *, scratch: Path | None = None
) -> Iterator[ForeignDatabase]:
    """Open the SQLite database at *path* for reading and close it again.

    Args:
        path: a file, or a folder that holds one of the expected name.
        expected: whose database it is to be.
        scratch: folder for private copies; None is the system's temporary folder.

    Raises:
        SourceError: it cannot be read, or is not what is expected.
        SourceChangedError: it changed while it was copied, or until the end of reading.
        NotEnoughSpaceError: no room for a private copy.
    """
    source = locate_database(path, expected.file_name)
    with contextlib.ExitStack() as stack:
        foreign = _open(stack, source, _Copying(scratch, expected.checked))
        _check_tables(foreign, expected)
        yield foreign
        foreign.verify()


def is_passing(error: sqlite3.Error) -> bool:
    """Return whether *error* only means that another process holds a lock."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _PASSING_CODES


class _Copying(NamedTuple):
    """How a private copy is made: where, and which tables are checked in it."""

    scratch: Path | None
    checked: Collection[str]


def _open(stack: contextlib.ExitStack, source: Path, copying: _Copying) -> ForeignDatabase:
    """Open *source* in the way that touches nothing, as long as one way stays the right one."""
    live = _open_live(stack, source)
    if live is not None:
        return live
    try:
        header = _read_header(source)
        return _open_resting(stack, source, header) or _open_copy(stack, source, header, copying)
    except SourceChangedError:
        live = _open_live(stack, source)  # a program has opened it meanwhile
        if live is None:
            raise
        return live


def _open_live(stack: contextlib.ExitStack, source: Path) -> ForeignDatabase | None:
    """Open *source* in place where a program has it open; None where nobody has, or it cannot be read so.

    Only then: the first to open a log with its shared memory makes that memory anew. Read-only, it
    is never written, not even should the holder end just now; SQLite reads the log itself then.
    """
    if not is_held(source):
        return None
    token = change_token(source)
    # A log that is torn, or just being recovered, makes this fail; a copy can still be read.
    with contextlib.suppress(sqlite3.DatabaseError), contextlib.ExitStack() as opening:
        opening.enter_context(reading_in_place(source))
        connection, notes = connect_foreign(opening, source, "mode=ro&readonly_shm=1")
        stack.push(opening.pop_all())
        return ForeignDatabase(connection, source, ReadMode.LIVE, notes, False, token)
    return None


def _open_resting(stack: contextlib.ExitStack, source: Path, header: Header) -> ForeignDatabase | None:
    """Open *source* as it is, or return None where a log has changes or pages are missing."""
    settle([source])
    token = change_token(source)
    waiting = any(_has_bytes(_beside(source, suffix)) for suffix in ("-journal", "-wal"))
    if waiting or _missing_pages(source, header):
        return None
    try:
        connection, notes = connect_foreign(stack, source, "mode=ro&immutable=1")
    except sqlite3.DatabaseError as error:
        raise SourceError(f"{source}: {error}") from error
    return ForeignDatabase(connection, source, ReadMode.IMMUTABLE, notes, False, token)


def _open_copy(
    stack: contextlib.ExitStack, source: Path, header: Header, copying: _Copying
) -> ForeignDatabase:
    """Open a private copy of *source* with its log, or without one that is not its own."""
    token = change_token(source)
    missing = _missing_pages(source, header)
    copy = stack.enter_context(private_copy(source, scratch=copying.scratch, page_size=header.page_size))
    notes = []
    if missing:
        copy.pad_to(header.page_count)
        notes.append(f"the file is cut off: it lacks {missing} of its {header.page_count} pages")
    try:
        if copy.has_wal and not is_log_header(copy.wal_start(WAL_HEADER_BYTES)):
            copy.drop_wal()
            notes.append("the log beside the file is damaged; what waited in it is lost")
        elif copy.has_wal and not _wal_belongs(copy, copying.checked):
            copy.drop_wal()
            notes.append("the log beside the file belongs to another database; read without it")
        connection, more = connect_foreign(stack, copy.database, "mode=rw" if copy.has_journal else "mode=ro")
    except sqlite3.DatabaseError as error:
        raise SourceError(f"{source}: {error}") from error
    return ForeignDatabase(connection, source, ReadMode.COPY, (*notes, *more), bool(missing), token)


def connect_foreign(
    stack: contextlib.ExitStack, database: Path, options: str
) -> tuple[sqlite3.Connection, tuple[str, ...]]:
    """Connect and load the schema; a malformed one is loaded as far as it goes, and noted."""
    connection = sqlite3.connect(
        f"{database.as_uri()}?{options}", uri=True, timeout=_BUSY_SECONDS, isolation_level=None
    )
    closing = contextlib.ExitStack()
    closing.callback(connection.close)
    with closing:
        connection.text_factory = _decode
        connection.execute("PRAGMA trusted_schema = OFF")
        notes = _load_schema(connection)
        stack.push(closing.pop_all())
    return connection, notes


def _load_schema(connection: sqlite3.Connection) -> tuple[str, ...]:
    try:
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        reason = str(error)
        if isinstance(error, UnicodeDecodeError):
            # A complaint that quotes a damaged name is no text: Python could not make the error of it.
            reason = "the schema is damaged"
        elif is_passing(error) or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        # With this flag SQLite takes the part of the schema that it understood. The
        # connection is read-only (or to a copy): nothing is written by it.
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
        return (f"{reason}; read as far as it goes",)
    return ()


def _wal_belongs(copy: PrivateCopy, tables: Collection[str]) -> bool:
    """Return whether the log makes sense on its database.

    A log of another database has valid checksums of its own and lays foreign pages
    over ours: then the tables are sound without it and broken with it.
    """
    with_log = _is_sound(copy.database, "mode=ro", tables)
    return with_log or not _is_sound(copy.database, "mode=ro&immutable=1", tables)


def _is_sound(database: Path, options: str, checked: Collection[str]) -> bool:
    try:
        with contextlib.ExitStack() as stack:
            connection, notes = connect_foreign(stack, database, options)
            tables = connection.execute("PRAGMA main.table_list").fetchall()
            names = [name for _, name, kind, *_ in tables if kind == "table"]
            checks = [
                connection.execute("SELECT * FROM pragma_quick_check(?)", (name,)).fetchone()
                for name in names
                if name in checked
            ]
            return not notes and all(check == ("ok",) for check in checks)
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False


def _check_tables(foreign: ForeignDatabase, expected: ExpectedTables) -> None:
    needs, agent = expected.needs, expected.agent
    try:
        tables = foreign.tables()
        missing = [table for table in needs if table not in tables]
        lacking = [
            f"{table}.{column}"
            for table, columns in needs.items()
            if table in tables
            for column in sorted(set(columns) - set(foreign.columns(table)))
        ]
    except sqlite3.DatabaseError as error:
        raise SourceError(f"{foreign.path}: {error}") from error
    if not missing and not lacking:
        return
    if foreign.notes and not tables:
        raise SourceError(f"{foreign.path}: no table can be read: {'; '.join(foreign.notes)}")
    if not tables:
        raise SourceError(f"{foreign.path}: no {agent} tables: the database is empty")
    if {"conversations", "origins", "compactions"} <= set(tables):
        raise SourceError(f"{foreign.path}: a hermes_sessions store, not an agent's database; use --db")
    names = ", ".join(missing or lacking)
    raise SourceError(f"{foreign.path}: no {agent} tables: a database of something else (no {names})")


def _read_header(source: Path) -> Header:
    try:
        with reading_bytes(source) as possible:
            if not possible:
                raise SourceChangedError(f"{source}: is being read already; try again")
            first = _first_bytes(source, 512)
    except OSError as error:
        raise SourceError(f"{source}: {_reason(error)}") from error
    header = parse_header(first)
    if header is None:
        raise SourceError(f"{source}: {describe_non_database(first)}")
    return header


def _missing_pages(source: Path, header: Header) -> int:
    return max(0, header.page_count - source.stat().st_size // header.page_size)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _has_bytes(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _first_bytes(path: Path, count: int) -> bytes:
    with path.open("rb") as stream:
        return stream.read(count)


def _reason(error: Exception) -> str:
    if isinstance(error, PermissionError):
        return "no permission to read it"
    return str(getattr(error, "strerror", None) or error).lower()


def _decode(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return RawText(value)
