"""Notice at once when something changes in some folders, by the operating system's own notices."""

import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from watchfiles import watch

logger = logging.getLogger(__name__)

STEP_MILLISECONDS: Final = 100
"""Notices are gathered this long, and so long it may take to stop."""

MOST_BELOW: Final = 200
_MOST_SEEN: Final = 5_000

IGNORED_SUFFIXES: Final = ("-shm",)
"""Shared memory beside a database: readers change it too."""


def folders_below(root: Path) -> list[Path]:
    """Return *root* and the folders at any depth in it that changed last, at most `MOST_BELOW` of them.

    A folder changes when a file in it is made, so these are where agents write now. Of a tree of many
    thousands of folders the first ones are looked at; links are not followed.
    """
    found: list[tuple[int, Path]] = []
    waiting = deque([root])
    while waiting and len(found) < _MOST_SEEN:
        try:
            with os.scandir(waiting.popleft()) as entries:
                inside = [one for one in entries if one.is_dir(follow_symlinks=False)]
                found += [(-one.stat(follow_symlinks=False).st_mtime_ns, Path(one.path)) for one in inside]
        except OSError:
            continue
        waiting.extend(Path(one.path) for one in inside)
    return [root, *(path for _, path in sorted(found)[:MOST_BELOW])]


class FolderWatch:
    """Watches folders, not what lies deeper, and calls back when something in them changes."""

    def __init__(self, noticed: Callable[[], None]) -> None:
        self._noticed = noticed
        self._folders: frozenset[Path] = frozenset()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def works(self) -> bool:
        """Whether changes are being noticed now."""
        return self._thread is not None and self._thread.is_alive()

    def follow(self, folders: Collection[Path]) -> None:
        """Watch these folders from here on; ones that are not there are left out."""
        wanted = frozenset(folder for folder in folders if folder.is_dir())
        if wanted == self._folders and (self.works or not wanted):
            return
        self.stop()
        self._folders = wanted
        if not wanted:
            return
        self._stopping = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(sorted(wanted), self._stopping), name="watch origins", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop watching."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(5)
        self._thread, self._folders = None, frozenset()

    def _run(self, folders: Collection[Path], stopping: threading.Event) -> None:
        try:
            for _ in watch(
                *folders,
                watch_filter=lambda _, path: not path.endswith(IGNORED_SUFFIXES),
                debounce=2 * STEP_MILLISECONDS,
                step=STEP_MILLISECONDS,
                stop_event=stopping,
                recursive=False,
                ignore_permission_denied=True,
            ):
                self._noticed()
        except (OSError, RuntimeError) as error:
            # Too many watches, or a file system that has none: whoever asked polls.
            logger.info("changes of files are not noticed here (%s); looking from time to time", error)
