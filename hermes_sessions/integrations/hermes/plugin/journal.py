"""The journal: a line of JSON for each compaction, in the agent's home, for its owner alone.

Not here: what the lines say (`notes`), and how the importer reads them.
"""

import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

try:
    import fcntl
except ImportError:  # Windows
    _LOCKS = False
else:
    _LOCKS = True

FOLDER: Final = "hermes-sessions"
FILE_NAME: Final = "compactions.jsonl"
OLDER_SUFFIX: Final = ".1"
_MAX_BYTES: Final = 8 * 1024 * 1024
_MAX_LINE_BYTES: Final = 64 * 1024
_RECENT_BYTES: Final = 256 * 1024
_LOCK_SECONDS: Final = 1.0

_LOCK = threading.Lock()


def journal_path(home: Path) -> Path:
    """Return where the journal of the agent in *home* is; it need not exist."""
    return home / FOLDER / FILE_NAME


def append_line(home: Path, line: Mapping[str, Any]) -> None:
    """Add a line; a full journal becomes the older one first, in place of that.

    Raises:
        OSError: it cannot be written.
        ValueError: the line is longer than a reader takes.
    """
    text = json.dumps(line, ensure_ascii=False, default=str, separators=(",", ":"))
    raw = text.encode("utf-8", "replace") + b"\n"
    if len(raw) > _MAX_LINE_BYTES:
        raise ValueError(f"a line of {len(raw)} bytes is too long for the journal")
    path = journal_path(home)
    with _LOCK:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with _alone(path.parent) as alone:
            if alone:
                _make_room(path)
            _append(path, raw)


def recent_lines(home: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the newest lines, oldest first; nothing where there is no journal."""
    try:
        with journal_path(home).open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            start = stream.seek(max(0, size - _RECENT_BYTES))
            raw = stream.read(_RECENT_BYTES)
    except OSError:
        return
    lines = raw.split(b"\n")
    for one in lines[1:] if start else lines:
        try:
            found = json.loads(one)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Keep other processes out, by a lock on *folder*; yield False where one does not let go in time."""
    if not _LOCKS:
        yield True
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield _locked(descriptor)
    finally:
        os.close(descriptor)  # which lets go


def _locked(descriptor: int) -> bool:
    until = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        except OSError:  # a file system without locks
            return True
        else:
            return True


def _append(path: Path, raw: bytes) -> None:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, 0o600)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        os.lseek(descriptor, max(0, size - 1), os.SEEK_SET)
        if size and os.read(descriptor, 1) != b"\n":
            raw = b"\n" + raw
        # One write: lines of several processes do not mix.
        written = os.write(descriptor, raw)
    finally:
        os.close(descriptor)
    if written < len(raw):
        raise OSError(f"{path}: only {written} of {len(raw)} bytes were written")


def _make_room(path: Path) -> None:
    try:
        full = path.stat().st_size > _MAX_BYTES
    except FileNotFoundError:
        return
    if full:
        path.replace(path.with_name(path.name + OLDER_SUFFIX))
