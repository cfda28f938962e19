"""A consistent copy of a store, made while others read and write it."""

import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain, count
from pathlib import Path

from hermes_sessions.errors import NotEnoughSpaceError, StoreError
from hermes_sessions.output import find_target, whole_file
from hermes_sessions.store.engines.file_probe import Location, require_space
from hermes_sessions.store.engines.sqlite_engine import named_errors
from hermes_sessions.store.progress import Progress, silent

_PAGES_A_STEP = 2_000
_FORMAT_AT = 18
"""Where a database says how it is written and how it is read: 1 by a journal, 2 by a write-ahead log."""
_TAKEN = "exists already; a backup never replaces a file"


def back_up(location: Location, target: Path, progress: Progress = silent) -> Path:
    """Copy the store at *location* to the new file *target* and return *target*.

    The copy appears under its name when it is whole; only its owner may read it.

    Raises:
        StoreError: *target* exists, or its folder cannot be written.
        NotEnoughSpaceError: the disk cannot hold the copy.
    """
    found = find_target(target, force=False, refusal=StoreError, taken=_TAKEN)
    if not found.folder.is_dir():
        raise StoreError(f"{target.parent}: is not a folder")
    require_space(found.folder, stored_size(location.path), "a backup")
    with whole_file(target, force=False, refusal=StoreError, taken=_TAKEN) as part:
        with _named_errors(location.path, target):
            _copy(location, part, progress)
        _drop_log_flag(part)
    return target


def dated_name(path: Path, what: str = "") -> Path:
    """Return a name beside *path* for a backup made now; a second one in the same second has a number."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    name = f"{path.name}.{what}{stamp}"
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(target for one in names if not os.path.lexists(target := path.with_name(f"{one}.backup")))


def stored_size(path: Path) -> int:
    """Return the bytes of the file and its write-ahead log."""
    files = (path, path.with_name(path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def create_private(path: Path) -> None:
    """Create the empty file *path*, and its folder, for its owner alone; leave one that exists."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        reason = os.strerror(errno.ENOTDIR) if isinstance(error, FileExistsError) else error.strerror
        raise StoreError(f"{path.parent}: {reason or 'cannot be created'}") from error
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or 'cannot be created'}") from error


@contextmanager
def _named_errors(source: Path, target: Path) -> Iterator[None]:
    """Name the copy where SQLite could not write, else the store."""
    try:
        with named_errors(source):
            yield
    except (NotEnoughSpaceError, StoreError) as error:
        code = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise NotEnoughSpaceError(f"{target}: the disk is full; no backup was made") from error
        if code == sqlite3.SQLITE_IOERR:
            reason = error.__cause__
            raise StoreError(f"{source} -> {target}: the disk refused to read or write ({reason})") from error
        raise


def _copy(location: Location, part: Path, progress: Progress) -> None:
    def told(status: int, remaining: int, total: int) -> None:
        progress("backup", total - remaining, total)

    # Nobody else knows the copy, and whoever made its file holds a lock on it.
    address = f"{part.as_uri()}?nolock=1"
    with (
        closing(sqlite3.connect(location.uri, uri=True, isolation_level=None)) as source,
        closing(sqlite3.connect(address, uri=True, isolation_level=None)) as copy,
    ):
        copy.execute("PRAGMA journal_mode = OFF")
        # A read transaction pins one state; without it every foreign write starts the copy again.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(copy, pages=_PAGES_A_STEP, progress=told)
        source.execute("ROLLBACK")


def _drop_log_flag(part: Path) -> None:
    """Say in the header that there is no write-ahead log; plain, it is one file to move about."""
    with part.open("r+b") as file:
        file.seek(_FORMAT_AT)
        file.write(b"\1\1")
