"""A consistent copy of a store, made while others read and write it."""

import errno
import os
import sqlite3
import time
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path

from hermes_sessions.errors import StoreError
from hermes_sessions.store.engine import named_errors
from hermes_sessions.store.probe import Location, require_space
from hermes_sessions.store.progress import Progress, silent

_PAGES_A_STEP = 2_000


def back_up(location: Location, target: Path, progress: Progress = silent) -> Path:
    """Copy the store at *location* to the new file *target* and return *target*.

    The copy appears under its name when it is whole; only its owner may read it.

    Raises:
        StoreError: *target* exists, or its folder cannot be written.
        NotEnoughSpaceError: the disk cannot hold the copy.
    """
    if target.exists():
        raise StoreError(f"{target}: exists already; a backup never replaces a file")
    if not target.parent.is_dir():
        raise StoreError(f"{target.parent}: is not a folder")
    require_space(target.parent, stored_size(location.path), "a backup")
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        create_private(part)
        _copy(location, part, progress)
        _sync_and_name(part, target)
    finally:
        with suppress(OSError):  # a read-only folder refuses even to remove what is not there
            part.unlink(missing_ok=True)
    return target


def dated_name(path: Path, what: str = "") -> Path:
    """Return a name beside *path* for a backup made now; a second one in the same second has a number."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    name = f"{path.name}.{what}{stamp}"
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(target for one in names if not (target := path.with_name(f"{one}.backup")).exists())


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


def _copy(location: Location, part: Path, progress: Progress) -> None:
    def told(status: int, remaining: int, total: int) -> None:
        progress("backup", total - remaining, total)

    with (
        named_errors(location.path),
        closing(sqlite3.connect(location.uri, uri=True, isolation_level=None)) as source,
        closing(sqlite3.connect(part, isolation_level=None)) as copy,
    ):
        # A read transaction pins one state; without it every foreign write starts the copy again.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(copy, pages=_PAGES_A_STEP, progress=told)
        source.execute("ROLLBACK")
        # The copy carries the WAL flag of its source; plain, it is one file to move about.
        copy.execute("PRAGMA journal_mode = DELETE")


def _sync_and_name(part: Path, target: Path) -> None:
    try:
        descriptor = os.open(part, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
        # link, unlike rename, refuses to replace a file that turned up meanwhile
        os.link(part, target)
    except FileExistsError as error:
        raise StoreError(f"{target}: exists already; a backup never replaces a file") from error
    except OSError:
        os.rename(part, target)
