"""What is where a file is to be written: nothing, a file, or something to write into. Writes nothing."""

import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermes_sessions.errors import ExportError, HermesSessionsError

Refusal = type[HermesSessionsError]

TAKEN: Final = "is there already; --force replaces it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A place that may be written.

    Attributes:
        asked: the path as the user named it.
        place: where a file goes, links followed: a link keeps pointing where it did.
        held: what is there now; None: nothing.
    """

    asked: Path
    place: Path
    held: os.stat_result | None

    @property
    def is_stream(self) -> bool:
        """Whether it is a device, a FIFO or a socket: written into, never replaced."""
        return self.held is not None and not stat.S_ISREG(self.held.st_mode)

    @property
    def folder(self) -> Path:
        """Where to write what goes there in the end; a device's folder is no place for files."""
        return Path(tempfile.gettempdir()) if self.is_stream else self.place.parent


def find_target(path: Path, *, force: bool, refusal: Refusal = ExportError, taken: str = TAKEN) -> Target:
    """Return what is at *path*, if it may be written.

    Args:
        path: where the user wants a file.
        force: a file that is there may be replaced.
        refusal: the error to raise.
        taken: what to say of a file that is there, without *force*.

    Raises:
        HermesSessionsError: as *refusal*: a folder, a disk, or a file that is to be kept.
    """
    try:
        held = _stat(path)
        place = Path(os.path.realpath(path))
        if held is None:
            if not force and os.path.lexists(path):
                raise refusal(f"{path}: {taken}")
            return Target(asked=path, place=place, held=None)
        _require_writable_kind(path, held, refusal)
        if not stat.S_ISREG(held.st_mode):
            return Target(asked=path, place=path, held=held)
        if not force:
            raise refusal(f"{path}: {taken}")
        if not _is_at(place, held):
            # Such as /dev/fd/3 of a file that was deleted: no name leads to it.
            raise refusal(f"{path}: the file it leads to no longer has a name; name another one")
        return Target(asked=path, place=place, held=held)
    except OSError as error:
        raise refusal(f"{path}: cannot be written: {error.strerror or error}") from error


def _require_writable_kind(path: Path, held: os.stat_result, refusal: Refusal) -> None:
    if stat.S_ISDIR(held.st_mode):
        raise refusal(f"{path}: is a folder; name a file in it")
    if stat.S_ISBLK(held.st_mode):
        raise refusal(f"{path}: is a disk; what is on it would be overwritten")


def _is_at(place: Path, held: os.stat_result) -> bool:
    now = _stat(place)
    return now is not None and os.path.samestat(now, held)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None
