"""Whether a program has a foreign SQLite database open, asked of the locks that SQLite keeps.

Whoever has a database with a write-ahead log open holds a read lock on one byte of the
shared memory beside it (`-shm`), from its first statement to its end. The kernel drops it
with the process, so a killed holder does not count. Asking changes nothing: no lock is
taken, nothing is written. Not here: opening the database.

Source: SQLite's file `os_unix.c` (the "dead man's switch") and page "WAL-mode File Format", section 2.3.1.
"""

import fcntl
import os
import platform
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_LOCKS_AT: Final = 120
_LOCKS: Final = 9
"""Eight locks of readers and writers, then the one that every holder has."""
_LINUX_ORDER: Final = "hhqqi0q"
_BSD_ORDER: Final = "qqihh"
_ON_LINUX: Final = platform.system() == "Linux"

_guard: Final = threading.Lock()
_ours: Final[Counter[tuple[int, int]]] = Counter()
"""Databases that this process reads in place, by device and number of the file."""


def is_held(database: Path) -> bool:
    """Return whether a program, this one included, has *database* open together with its shared memory.

    False where there is none, or where it cannot be told: then nobody's lock is known.
    """
    with _guard:
        return _ours[_identity(database)] > 0 or _is_locked(database.with_name(f"{database.name}-shm"))


@contextmanager
def reading_in_place(database: Path) -> Iterator[None]:
    """Note that this process has *database* open; enter before SQLite opens it, leave when it has closed."""
    key = _identity(database)
    with _guard:
        _ours[key] += 1
    try:
        yield
    finally:
        with _guard:
            _ours[key] -= 1
            if not _ours[key]:
                del _ours[key]


@contextmanager
def reading_bytes(database: Path) -> Iterator[bool]:
    """Give whether the file's bytes may be read without SQLite; nothing of ours opens it in place meanwhile.

    When a process closes any descriptor of a file, it loses all its locks on that file:
    those of its own open connection as well.
    """
    with _guard:
        yield not _ours[_identity(database)]


def _identity(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return (-1, -1)
    return stat.st_dev, stat.st_ino


def _is_locked(path: Path) -> bool:
    """Ask the kernel for a lock that would be in the way of a write lock on any of SQLite's bytes."""
    with suppress(OSError):  # no such file, no right to read it, or a file system without locks
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            answer = fcntl.fcntl(file, fcntl.F_GETLK, _pack(fcntl.F_WRLCK))
        finally:
            os.close(file)
        return _kind(answer) != fcntl.F_UNLCK
    return False


def _pack(kind: int) -> bytes:
    """Return C's `struct flock`; its fields have another order on macOS and the BSDs."""
    if _ON_LINUX:
        return struct.pack(_LINUX_ORDER, kind, os.SEEK_SET, _LOCKS_AT, _LOCKS, 0)
    return struct.pack(_BSD_ORDER, _LOCKS_AT, _LOCKS, 0, kind, os.SEEK_SET)


def _kind(answer: bytes) -> int:
    if _ON_LINUX:
        return int(struct.unpack(_LINUX_ORDER, answer)[0])
    return int(struct.unpack(_BSD_ORDER, answer)[3])
