"""Writers of a SQLite store wait in line: who came first writes first. No SQL.

SQLite has no line. A writer that finds the store busy sleeps longer and longer between
its tries, and whoever just committed takes the lock again before it wakes. So writers
draw a number from a small file beside the store, and each waits for the one before it.

The line rules nothing but the order. SQLite's own lock still decides who writes, so that
a writer that cannot stand in line (an older version, a file system without these locks)
is merely impolite. The kernel takes a writer's place away when the writer dies, and one
that stands still, suspended by its user, is overtaken.
"""

import fcntl
import os
import random
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

SUFFIX: Final = "-turn"
PATIENCE_SECONDS: Final = 2.0
"""Who has waited for so long takes SQLite's lock when it can, whoever is before it."""
HAVE_PLACES: Final = hasattr(fcntl, "F_OFD_SETLK") and sys.maxsize > 2**32
"""Linux has locks that belong to an open file, not to a process; threads need those."""

_COUNTERS: Final = struct.Struct("<qq")
_LOCK: Final = struct.Struct("hhqqi4x")
_FIRST_PLACE: Final = 1024
_ALL: Final = _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
"""Asks for a lock that any place in the line, or drawing a number, is in the way of."""
_NONE: Final = _LOCK.pack(fcntl.F_UNLCK, os.SEEK_SET, 0, 0, 0)
_STEP_SECONDS: Final = 0.000_5
_LONGEST_SECONDS: Final = 0.004
_RANDOM_SECONDS: Final = (0.001, 0.008)


def take_turn(path: Path, begin: Callable[[], bool], *, seconds: float) -> bool:
    """Call *begin* until it returns True, first come first served; False when *seconds* are over.

    Args:
        path: the store's file; the line is the file beside it with `-turn` at its end.
        begin: tries to take SQLite's lock without waiting; whether it did.
    """
    now = time.monotonic()
    deadline = now + seconds
    with _place(path) as place:
        if place is None:
            return _insist(begin, deadline, lambda tries: random.uniform(*_RANDOM_SECONDS))
        with suppress(OSError):  # no such locks here, or a disk too full for sixteen bytes
            place.wait(min(deadline, now + PATIENCE_SECONDS))
        return _insist(begin, deadline, lambda tries: min(_STEP_SECONDS * (1 + tries / 8), _LONGEST_SECONDS))


class WatchedLine:
    """The line of a store as who writes often looks at it: through a file that stays open. It takes no place.

    Args:
        path: the store's file.
    """

    def __init__(self, path: Path) -> None:
        self._path = f"{path}{SUFFIX}"
        self._file = -1

    def is_empty(self) -> bool:
        """Return whether it is certain that nobody stands in line: who then takes the lock passes nobody."""
        if not HAVE_PLACES:
            return False
        try:
            if self._file < 0:
                self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
            if os.fstat(self._file).st_nlink:
                return fcntl.fcntl(self._file, fcntl.F_OFD_GETLK, _ALL) == _NONE
        except OSError:
            pass  # nobody made it yet, or something else has its name
        self.close()
        return False

    def close(self) -> None:
        """Close the file; the next look opens it again."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class _Place:
    """A place in the line; closing the file gives it up."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._number = 0

    def close(self) -> None:
        os.close(self._file)

    def wait(self, deadline: float) -> None:
        """Draw a number and wait until nobody is before it, or *deadline* has passed."""
        if not _insist(lambda: self._lock(0), deadline, lambda tries: _STEP_SECONDS):
            return
        self._number, _ = self._counters()
        # Held before the next number can be drawn: whoever comes after us finds us there.
        self._lock(self._number + _FIRST_PLACE)
        self._write(0, self._number + 1)
        self._lock(0, fcntl.F_UNLCK)
        if _insist(self._is_first, deadline, self._nap):
            self._write(1, self._number)

    def _is_first(self) -> bool:
        before = self._number - 1 + _FIRST_PLACE
        if not self._lock(before):
            return False
        self._lock(before, fcntl.F_UNLCK)
        return True

    def _nap(self, tries: int) -> float:
        """Those at the end look seldom, or the looking would take more time than the writing."""
        _, serving = self._counters()
        return min(max(1, self._number - serving) * _STEP_SECONDS, _LONGEST_SECONDS)

    def _counters(self) -> tuple[int, int]:
        """Return the next number, and whose turn it was last; an odd file counts from the start."""
        held = os.pread(self._file, _COUNTERS.size, 0)
        held += bytes(_COUNTERS.size - len(held))
        number, serving = _COUNTERS.unpack(held)
        return (number, serving) if 0 < number < 2**61 else (1, 0)

    def _write(self, at: int, value: int) -> None:
        os.pwrite(self._file, struct.pack("<q", value), 8 * at)

    def _lock(self, at: int, kind: int = fcntl.F_WRLCK) -> bool:
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _LOCK.pack(kind, os.SEEK_SET, at, 1, 0))
        except (BlockingIOError, PermissionError):  # the two ways to say that it is taken
            return False
        return True


@contextmanager
def _place(path: Path) -> Iterator[_Place | None]:
    """Open the line of a store; None where there cannot be one."""
    try:
        file = os.open(f"{path}{SUFFIX}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600) if HAVE_PLACES else -1
    except OSError:
        file = -1
    if file < 0:
        yield None
        return
    with closing(_Place(file)) as place:
        yield place


def _insist(attempt: Callable[[], bool], deadline: float, nap: Callable[[int], float]) -> bool:
    tries = 0
    while not attempt():
        if time.monotonic() >= deadline:
            return False
        time.sleep(nap(tries))
        tries += 1
    return True
