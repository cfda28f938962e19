"""Files of sessions below a place, or the one that is named; whose a place is."""

import json
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_sessions.errors import SourceError

LOOKED_AT: Final = 50
"""How many records, and how many files, are looked at for whose they are."""
_BEGINNING: Final = 1 << 20


def files_below(place: Path, listed: Callable[[Path], Iterable[Path]]) -> list[Path]:
    """Return the files that *listed* gives of a folder, sorted, or the one that is named.

    Raises:
        SourceError: the folder cannot be read.
    """
    try:
        if not place.is_dir():
            place.stat()
            return [place]
        return sorted(listed(place), key=lambda one: one.parts)
    except OSError as error:
        raise SourceError(f"{place}: {error.strerror}") from error


def name_below(path: Path, place: Path) -> str:
    """Return the path of a file from a place on, with slashes; where it is the place, its name."""
    inner = path.parts[len(place.parts) :]
    return "/".join(inner) if inner else path.name


def folders_below(folder: Path) -> list[Path]:
    """Return the folders in a folder, sorted; none where it cannot be read."""
    try:
        return sorted(one for one in folder.iterdir() if one.is_dir())
    except OSError:
        return []


def where_any(
    path: Path,
    folder: Callable[[Path], Path],
    files: Callable[[Path], Iterable[Path]],
    is_ours: Callable[[Path], bool],
    is_named: Callable[[Path], bool],
) -> Path | None:
    """Return the *folder* that *path* means where one of its first files is the agent's.

    None where none is, or it cannot be read.

    Args:
        is_named: whether a file lies where the agent's do and is called as they are: it is known
            before its first line is whole.
    """
    try:
        if not path.exists():
            return None
        found = folder(path)
        first = list(islice(files(found), LOOKED_AT))
        ours = any(map(is_ours, first)) or any(is_named(one.resolve()) and is_begun(one) for one in first)
        return found.resolve() if ours else None
    except (OSError, SourceError):
        return None


def is_begun(path: Path) -> bool:
    """Whether the first record of a file is still being written: it begins, and has no end."""
    with path.open("rb") as file:
        start = file.read(_BEGINNING)
        if path.suffix != ".json":
            return start.lstrip()[:1] == b"{" and b"\n" not in start
        return start.lstrip()[:1] in (b"{", b"[") and len(start) < _BEGINNING and not _is_json(start)


def _is_json(written: bytes) -> bool:
    try:
        json.loads(written)
    except (ValueError, RecursionError):
        return False
    return True
