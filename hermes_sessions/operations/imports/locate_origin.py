"""What a path names: an agent's files, or an export of ours."""

from pathlib import Path
from typing import NamedTuple

from hermes_sessions.agents.contract import Importer, Restorer
from hermes_sessions.agents.registry import importer_for
from hermes_sessions.errors import SourceError


class LocatedOrigin(NamedTuple):
    """Something that can be imported, and by whom."""

    path: Path
    importer: Importer | Restorer


def locate_origin(path: Path) -> LocatedOrigin:
    """Return what *path*, a file or a folder, names; links are followed.

    Raises:
        SourceError: nothing is there, or nothing that an agent's importer knows.
    """
    importer, located = importer_for(path)
    return LocatedOrigin(located, importer)


def label_of(located: LocatedOrigin) -> str:
    """Return a name for what is there: the folder's where that alone leads to it, else the file's own."""
    at, importer = located
    name = (at.parent.name if importer.locate(at.parent) == at else at.stem).lstrip(".")
    return name.encode(errors="replace").decode() or importer.kind  # it is shown and typed


def locate_followed(path: Path) -> Path:
    """Return what is to be followed at *path*; a file that nobody can read now may be readable later.

    Raises:
        SourceError: no file is there, and nothing that an agent's importer knows.
    """
    try:
        return locate_origin(path).path
    except SourceError:
        if path.is_file():
            return path.resolve()
        raise
