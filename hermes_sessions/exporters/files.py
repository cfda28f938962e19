"""Write a file whole or not at all: beside its place, its owner's alone, then renamed into it."""

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from hermes_sessions.errors import ExportError

ENDINGS: Final = {"html": "html", "markdown": "md", "jsonl": "jsonl", "hermes": "db"}
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@contextmanager
def whole_file(target: Path, *, force: bool) -> Iterator[Path]:
    """Give a private path to write to; what is there at the end takes the place of *target*.

    On any error nothing is left behind. The file is readable and writable by its owner only.

    Args:
        target: where the file goes; its folder must exist.
        force: replace a file that is there.

    Raises:
        ExportError: something is there already, or the folder cannot be written.
    """
    if target.is_dir():
        raise ExportError(f"{target}: is a folder; name a file in it")
    if not force and os.path.lexists(target):
        raise ExportError(f"{target}: is there already; --force replaces it")
    try:
        number, name = tempfile.mkstemp(prefix=f".{target.name[:80]}-", suffix=".part", dir=target.parent)
    except OSError as error:
        raise ExportError(f"{target}: cannot be written: {error.strerror}") from error
    os.close(number)
    try:
        yield Path(name)
        _sync(Path(name))
        _put(Path(name), target, force=force)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def write_text(target: Path, pieces: Iterable[str]) -> int:
    """Write *pieces* as UTF-8, each as it comes; return the bytes written."""
    with target.open("wb") as file:
        return sum(file.write(piece.encode("utf-8", "replace")) for piece in pieces)


def _put(part: Path, target: Path, *, force: bool) -> None:
    if force:
        os.replace(part, target)
        return
    try:
        # A link, unlike a rename, never takes the place of a file that came meanwhile.
        os.link(part, target)
    except FileExistsError:
        raise ExportError(f"{target}: is there already; --force replaces it") from None
    except OSError:
        # A file system without links.
        os.replace(part, target)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def file_name(public_id: str, form: str) -> str:
    """Return a harmless file name for a conversation: its id where that is one, else what is left of it."""
    stem = _UNSAFE.sub("_", public_id).strip("._")[:100] or "conversation"
    return f"{stem}.{ENDINGS[form]}"
