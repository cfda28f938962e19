"""Write a file whole or not at all: beside its place, then renamed; into a device, once it is whole."""

import errno
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from hermes_sessions.errors import ExportError, HermesSessionsError, NotEnoughSpaceError
from hermes_sessions.output.parts import new_part
from hermes_sessions.output.targets import TAKEN, Refusal, Target, find_target

_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
_PIECE_BYTES: Final = 65_536


@contextmanager
def whole_file(
    path: Path, *, force: bool, refusal: Refusal = ExportError, taken: str = TAKEN
) -> Iterator[Path]:
    """Give a private path to write to; what is there at the end goes to *path*.

    A new file is readable and writable by its owner only; one that is replaced keeps its
    mode and owner. A symbolic link keeps pointing where it did. A device, a FIFO or a
    socket is written into, when all is ready. On any error nothing is left behind. The
    path that is given is locked: take no locks on it.

    Args:
        path: where the file goes; its folder must exist.
        force: replace a file that is there.
        refusal: the error to raise where the place is no good.
        taken: what to say of a file that is there, without *force*.

    Raises:
        HermesSessionsError: as *refusal*: the place cannot be written; the line names it.
        NotEnoughSpaceError: the disk is full.
    """
    target = find_target(path, force=force, refusal=refusal, taken=taken)
    with ExitStack() as stack:
        with _named_errors(target, refusal):
            part = stack.enter_context(new_part(target.folder))
        try:
            yield part
        except OSError as error:
            if error.filename is not None and error.filename not in (part, str(part)):
                raise  # about another file, which it names
            raise _failed(_written(target), error, refusal) from error
        with _named_errors(target, refusal):
            if target.is_stream:
                _write_into(target, part, refusal)
                return
            _take_over(target, part, refusal)
            _sync(part)
            if target.held is None and not force:
                _put_new(part, target, f"{path}: {taken}", refusal)
            else:
                _replace(part, target, refusal)


def _failed(path: Path, error: OSError, refusal: Refusal = ExportError) -> HermesSessionsError:
    """Return what to raise when writing to *path* failed with *error*."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return NotEnoughSpaceError(f"{path}: cannot be written: {reason}")
    return refusal(f"{path}: cannot be written: {reason}")


@contextmanager
def _named_errors(target: Target, refusal: Refusal) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _failed(target.asked, error, refusal) from error


def _written(target: Target) -> Path:
    """Return what a user should look at when the part cannot be written."""
    return target.folder if target.is_stream else target.asked


def _write_into(target: Target, part: Path, refusal: Refusal) -> None:
    """Copy the finished *part* into a device, a FIFO or a socket."""
    assert target.held is not None
    with part.open("rb") as source:
        if stat.S_ISSOCK(target.held.st_mode):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.connect(os.fsencode(target.place))
                connection.sendfile(source)
            return
        # Neither created nor cut: should a file have taken the place, it stays as it is.
        descriptor = os.open(target.place, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
        with os.fdopen(descriptor, "wb", buffering=0) as device:
            if not _is_same_stream(os.fstat(descriptor), target.held):
                raise refusal(f"{target.asked}: something else took its place meanwhile; nothing was written")
            for piece in iter(lambda: source.read(_PIECE_BYTES), b""):
                rest = memoryview(piece)
                while rest:
                    rest = rest[device.write(rest) or 0 :]


def _is_same_stream(now: os.stat_result, held: os.stat_result) -> bool:
    return os.path.samestat(now, held) and stat.S_IFMT(now.st_mode) == stat.S_IFMT(held.st_mode)


def _take_over(target: Target, part: Path, refusal: Refusal) -> None:
    """Give *part* the owner and the mode of the file that it replaces."""
    held = target.held
    if held is None:
        return
    mode = stat.S_IMODE(held.st_mode) & 0o777
    mine = part.stat()
    if held.st_uid != mine.st_uid:
        try:
            os.chown(part, held.st_uid, -1)
        except PermissionError as error:
            raise refusal(
                f"{target.asked}: belongs to another user and would not after this; name another file"
            ) from error
    if held.st_gid != mine.st_gid:
        try:
            os.chown(part, -1, held.st_gid)
        except PermissionError:
            mode &= ~0o070  # it was meant for that group, not for ours
    os.chmod(part, mode)


def _replace(part: Path, target: Target, refusal: Refusal) -> None:
    """Put *part* in the place of a file, and of nothing that became something else meanwhile."""
    if os.path.lexists(target.place) and not stat.S_ISREG(target.place.lstat().st_mode):
        raise refusal(f"{target.asked}: something else took its place meanwhile; nothing was written")
    os.replace(part, target.place)


def _put_new(part: Path, target: Target, taken: str, refusal: Refusal) -> None:
    try:
        # A link, unlike a rename, never takes the place of a file that came meanwhile.
        os.link(part, target.place)
        return
    except FileExistsError:
        raise refusal(taken) from None
    except OSError:
        pass  # a file system without links: an empty file holds the place
    try:
        os.close(os.open(target.place, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        raise refusal(taken) from None
    try:
        os.replace(part, target.place)
    except OSError:
        with suppress(OSError):
            target.place.unlink()
        raise


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
