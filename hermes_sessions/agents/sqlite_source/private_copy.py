"""A private copy of a database file and the log beside it, taken in one state.

Files only: nothing here knows SQLite's tables. The copy is for this user alone and
is removed with its folder.
"""

import contextlib
import errno
import shutil
import struct
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermes_sessions.agents.sqlite_source.file_header import PAGE_COUNT_AT
from hermes_sessions.agents.sqlite_source.held_elsewhere import reading_bytes
from hermes_sessions.errors import NotEnoughSpaceError, SourceChangedError, SourceError

_ATTEMPTS: Final = 3
_MAX_PADDING: Final = 64_000_000
"""Up to so many bytes are made up for whatever the size of what is there."""
_SUFFIXES: Final = ("", "-wal", "-journal")
_TICK_SECONDS: Final = 0.03
"""Two writes within one tick of the kernel's clock leave the same time of change."""
_COARSE_TICK_SECONDS: Final = 2.1
"""The same on a file system that keeps whole seconds, or every second one."""


@dataclass(frozen=True, slots=True)
class PrivateCopy:
    """A folder of our own with a copy of a database in it.

    Attributes:
        source: what was copied.
        database: the copied file; its log, if any, lies beside it.
        page_size: bytes of a page.
    """

    source: Path
    database: Path
    page_size: int

    @property
    def has_wal(self) -> bool:
        """Whether a write-ahead log was copied too."""
        return self._beside("-wal").exists()

    def wal_start(self, count: int) -> bytes:
        """Return the first *count* bytes of the copied write-ahead log."""
        with self._beside("-wal").open("rb") as stream:
            return stream.read(count)

    @property
    def has_journal(self) -> bool:
        """Whether a rollback journal was copied too."""
        return self._beside("-journal").exists()

    def drop_wal(self) -> None:
        """Remove the copied log, so that the database is read without it."""
        for suffix in ("-wal", "-shm"):
            self._beside(suffix).unlink(missing_ok=True)

    def pad_to(self, page_count: int) -> None:
        """Make up for missing pages with bytes 0xFF.

        SQLite refuses a file that is shorter than its header says. Zeros would read
        as the end of a long text; 0xFF is no page, no text and no page number, so
        whatever is lost is noticed. A torn last page is lost as a whole.

        Where nearly all would be missing, it is the count in the header that is damaged:
        then the copy's is set right. A bit of it may stand for terabytes.
        """
        whole = self.database.stat().st_size // self.page_size
        page = b"\xff" * self.page_size
        with _named_errors(self.source), self.database.open("r+b") as stream:
            if (page_count - whole) * self.page_size > max(_MAX_PADDING, 4 * whole * self.page_size):
                stream.seek(PAGE_COUNT_AT)
                stream.write(struct.pack(">I", whole))
                return
            stream.seek(whole * self.page_size)
            for _ in range(whole, page_count):
                stream.write(page)

    def _beside(self, suffix: str) -> Path:
        return self.database.with_name(self.database.name + suffix)


@contextlib.contextmanager
def private_copy(source: Path, *, scratch: Path | None, page_size: int) -> Iterator[PrivateCopy]:
    """Copy *source* and its log to a private folder and remove it at the end.

    Args:
        source: the database file, links followed.
        scratch: where to make the folder; None is the system's temporary folder.
        page_size: bytes of a page of the database.

    Raises:
        SourceChangedError: the files kept changing while they were copied.
        NotEnoughSpaceError: there is no room for the copy.
        SourceError: a file cannot be read.
    """
    with contextlib.ExitStack() as stack:
        with _named_errors(source):
            folder = stack.enter_context(
                tempfile.TemporaryDirectory(
                    prefix="hermes-sessions-", dir=scratch, ignore_cleanup_errors=True
                )
            )
            _check_space(source, Path(folder))
            database = Path(folder) / "copy.db"
            with reading_bytes(source) as possible:
                if not possible:
                    raise SourceChangedError(f"{source}: is being read already; try again")
                _copy_unmoved(source, database)
        yield PrivateCopy(source, database, page_size)


@contextlib.contextmanager
def _named_errors(source: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NotEnoughSpaceError(f"{source}: no room for a private copy to read it from") from error
        raise SourceError(f"{source}: cannot be copied: {error.strerror or error}") from error


def settle(files: Sequence[Path]) -> None:
    """Wait until any later write to *files* must change their times, unless they lie in the future."""
    now, wait = time.time(), 0.0
    for file in files:
        with contextlib.suppress(OSError):
            changed = file.stat().st_mtime_ns
            tick = _TICK_SECONDS if changed % 1_000_000_000 else _COARSE_TICK_SECONDS
            age = now - changed / 1_000_000_000
            wait = max(wait, tick - age if age >= 0 else 0.0)
    time.sleep(wait)


def _copy_unmoved(source: Path, database: Path) -> None:
    """Copy all files of *source*, again when one of them moved meanwhile."""
    for _ in range(_ATTEMPTS):
        settle([source.with_name(source.name + suffix) for suffix in _SUFFIXES])
        before = _states(source)
        for suffix, state in zip(_SUFFIXES, before, strict=True):
            target = database.with_name(database.name + suffix)
            target.unlink(missing_ok=True)
            if state is not None and state[0] > 0:
                with contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(source.with_name(source.name + suffix), target)
        if _states(source) == before:
            return
    raise SourceChangedError(f"{source}: kept changing while it was copied; try again when its agent is idle")


def _states(source: Path) -> list[tuple[int, int, int] | None]:
    found: list[tuple[int, int, int] | None] = []
    for suffix in _SUFFIXES:
        try:
            stat = source.with_name(source.name + suffix).stat()
        except FileNotFoundError:
            found.append(None)
        else:
            found.append((stat.st_size, stat.st_mtime_ns, stat.st_ino))
    return found


def _check_space(source: Path, folder: Path) -> None:
    needed = sum(state[0] for state in _states(source) if state is not None)
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise NotEnoughSpaceError(
            f"{source}: needs a private copy of {needed:,} bytes in {folder.parent}, where {free:,} are free"
        )
