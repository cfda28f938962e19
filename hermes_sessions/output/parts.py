"""Unfinished files: made under names that are provably ours, locked while in use, swept when left behind.

A part that is being written is locked by its open file, so the kernel says whether it is
in use: a writer that was killed holds no lock. Where a file system has no such locks,
nothing is swept.
"""

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_NAME: Final = late_pattern(r"\.hermes-sessions-([0-9a-f]{16})([0-9a-f]{16})\.part")


@contextmanager
def new_part(folder: Path) -> Iterator[Path]:
    """Give an empty file in *folder* that is this user's alone; remove it at the end, if it is there.

    What killed writers left in the folder is swept first.

    Raises:
        OSError: the folder cannot be written.
    """
    sweep(folder)
    descriptor, path = _create(folder)
    try:
        yield path
    finally:
        with suppress(OSError):  # it was renamed, or its folder went
            path.unlink()
        os.close(descriptor)


def sweep(folder: Path) -> None:
    """Remove the parts in *folder* that a writer of this user left behind; never one in use."""
    with suppress(OSError), os.scandir(folder) as entries:
        left = [Path(entry.path) for entry in entries if _is_ours(entry.name)]
        for path in left:
            with suppress(OSError):
                _sweep_one(path)


def _create(folder: Path) -> tuple[int, Path]:
    while True:
        path = folder / _new_name()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with suppress(OSError):  # a file system without locks: then nobody sweeps there either
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            # Until it was locked, somebody's sweep may have taken it for a part that was left.
            if os.path.samestat(path.lstat(), os.fstat(descriptor)):
                return descriptor, path
        except FileNotFoundError:
            pass
        os.close(descriptor)


def _sweep_one(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        held = os.fstat(descriptor)
        if not stat.S_ISREG(held.st_mode) or held.st_uid != os.geteuid():
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises while its writer lives
        if os.path.samestat(path.lstat(), held):
            path.unlink()
    finally:
        os.close(descriptor)


def _new_name() -> str:
    number = secrets.token_hex(8)
    return f".hermes-sessions-{number}{_proof(number)}.part"


def _is_ours(name: str) -> bool:
    found = _NAME.fullmatch(name)
    return found is not None and found[2] == _proof(found[1])


def _proof(number: str) -> str:
    """Return what only we put behind *number*: a name like ours alone does not make a file ours."""
    return sha256(f"an unfinished file of hermes-sessions: {number}".encode()).hexdigest()[:16]
