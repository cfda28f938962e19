"""A store that goes away while it is open: told once, whoever meets it and however often."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hermes_sessions.errors import StoreUnavailableError

QUIET_SECONDS: Final = 60.0
"""A store that comes and goes meanwhile is one outage."""


class Outage:
    """Whether a store is away; safe to use from any thread.

    Args:
        clock: returns seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._away = False
        self._last = float("-inf")
        self._tell: Callable[[str], None] | None = None

    def tell(self, tell: Callable[[str], None]) -> None:
        """Have each outage told, in one line, when it begins."""
        self._tell = tell

    def began(self, line: str) -> None:
        """Note that the store is away; *line* says how it showed."""
        with self._lock:
            now = self._clock()
            known = self._away or now - self._last < QUIET_SECONDS
            self._away, self._last = True, now
        if self._tell is not None and not known:
            self._tell(line)

    def ended(self) -> None:
        """Note that the store answers."""
        if self._away:
            with self._lock:
                self._away = False


class SameFile:
    """Watches that a path still leads to the file that was opened there.

    SQLite does not: it would go on reading and writing a file that nobody finds any more.
    """

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._opened = self._number()

    def require(self) -> None:
        """Raise StoreUnavailableError when the file was deleted or another one is in its place."""
        found = self._number()
        if found == self._opened:
            return
        what = "deleted" if found is None else "replaced by another file"
        raise StoreUnavailableError(
            f"{self._path}: was {what} while it was open; move that file back, or start this program again"
        )

    def _number(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found.st_dev, found.st_ino
