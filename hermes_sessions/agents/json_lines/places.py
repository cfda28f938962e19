"""Files of sessions below a place, or the one that is named; whose a place is."""

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_sessions.errors import SourceError

LOOKED_AT: Final = 50
"""How many records, and how many files, are looked at for whose they are."""


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
) -> Path | None:
    """Return the *folder* that *path* means where one of its first files is the agent's.

    None where none is, or it cannot be read.
    """
    try:
        if not path.exists():
            return None
        found = folder(path)
        return found.resolve() if any(map(is_ours, islice(files(found), LOOKED_AT))) else None
    except (OSError, SourceError):
        return None
