"""Which agents' files can be read, and written: folders here, and entry points of other packages.

A folder's module `importer` has an `IMPORTER`; one that can write for its agent has a module `writer`
with a `WRITER`. Removing a folder removes its agent; nothing else names it. Other packages bring an agent
of their own under the group `hermes_sessions.agents`; its object may be a `Writer` as well.
"""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final

from hermes_sessions import agents
from hermes_sessions.agents.contract import Found, Importer, Restorer, Writer
from hermes_sessions.agents.guarded import GuardedImporter
from hermes_sessions.agents.sqlite_source.file_header import describe_non_database, parse_header
from hermes_sessions.errors import ExportError, SourceError

logger = logging.getLogger(__name__)

GROUP: Final = "hermes_sessions.agents"
"""Entry points of this group name an object that is an `Importer`."""

_FIRST_BYTES: Final = 512
_ABOVE: Final = 5
"""How many folders above an agent's own the user's home may be."""
_LOOKED_INTO: Final = 200


@cache
def importers() -> tuple[Importer, ...]:
    """Return every agent's importer, our own first; one that is broken is left out with a warning."""
    found: dict[str, Importer] = {}
    guarded = ((name, GuardedImporter(one)) for name, one in _installed() if isinstance(one, Importer))
    own = ((name, one) for name, one in _own("importer") if isinstance(one, Importer))
    for name, importer in (*own, *guarded):
        if importer.kind in {*found, *(restorer.kind for restorer in restorers())}:
            logger.warning("the agent %s is left out: %r is read already", name, importer.kind)
        else:
            found[importer.kind] = importer
    return tuple(found.values())


@cache
def restorers() -> tuple[Restorer, ...]:
    """Return who brings rows of a store back; folders here alone have one."""
    return tuple(one for _, one in _own("importer") if isinstance(one, Restorer))


def importer_of(kind: str | None) -> Importer | None:
    """Return the importer of origins of a kind; None where there is none."""
    return next((one for one in importers() if one.kind == kind), None)


def kind_today(kind: str) -> str:
    """Return what an origin's kind is called now; stores of earlier releases may have another word."""
    return next((one.kind for one in restorers() if kind in one.older_kinds), kind)


def discover(home: Path, env: Mapping[str, str]) -> list[Found]:
    """Return what any agent has in its usual places, each path once; nothing is opened.

    Args:
        home: the user's home folder.
        env: the environment, in which an agent's own variables may name other places.
    """
    found: dict[Path, Found] = {}
    for importer in importers():
        # Folders that this user may not look into are somebody else's.
        with suppress(PermissionError):
            for one in importer.discover(home, env):
                found.setdefault(one.path, one)
    return list(found.values())


def discovery_folders(home: Path, env: Mapping[str, str]) -> Sequence[Path]:
    """Return the folders in which further conversations of any agent would appear."""
    return [folder for importer in importers() for folder in importer.folders(home, env)]


def importer_for(path: Path) -> tuple[Importer | Restorer, Path]:
    """Return whose files are at *path*, and what *path* means to it.

    Raises:
        SourceError: nothing is there, or nothing that anybody here knows.
    """
    _refuse_homes(path)
    known: tuple[Importer | Restorer, ...] = (*restorers(), *importers())
    for one in known:
        located = one.locate(path)
        if located is not None:
            return one, located
    emptied = _emptied_home(path)
    if emptied is not None:
        return emptied
    raise SourceError(f"{path}: {_reason(path)}")


def _refuse_homes(path: Path) -> None:
    """Refuse a folder that holds homes of agents, whose files are not to be mixed."""
    with suppress(OSError, RuntimeError):
        if not path.is_dir():
            return
        here = path.resolve()
        if here == here.parent:
            raise SourceError(f"{path}: the root of the file system; name an agent's folder or file in it")
        inner = [str(one.path) for one in discover(here, {}) if one.path.is_dir() and one.path != here]
        if inner:
            raise SourceError(f"{path}: holds the folders of agents; name one: {', '.join(inner)}")


def _emptied_home(path: Path) -> tuple[Importer, Path] | None:
    """Return whose home a folder is that lies and is called as an agent's own, and has no session in it."""
    with suppress(OSError, RuntimeError):
        here = path.resolve()
        for above in here.parents[:_ABOVE] if here.is_dir() else ():
            for importer in importers():
                for one in importer.discover(above, {}):
                    hidden = one.path.parent == here and here.name.startswith(".")
                    if (one.path == here or hidden) and one.path.is_dir():
                        return importer, one.path
    return None


@cache
def writers() -> tuple[Writer, ...]:
    """Return who can write for an agent, in the order of `importers`, then others."""
    found: dict[str, Writer] = {}
    for name, writer in (*_own("writer"), *_installed()):
        if not isinstance(writer, Writer):
            continue
        if writer.kind in found:
            logger.warning("the writer of %s is left out: %r is written already", name, writer.kind)
        else:
            found[writer.kind] = writer
    return tuple(found.values())


def get_writer(kind: str) -> Writer:
    """Return who writes for agents of a kind.

    Raises:
        ExportError: nobody does.
    """
    for writer in writers():
        if writer.kind == kind:
            return writer
    known = ", ".join(writer.kind for writer in writers()) or "none"
    raise ExportError(f"{kind!r} is not an agent's format that can be written; known: {known}")


def look_again() -> None:
    """Forget which agents were found: packages may have come or gone."""
    for found in (importers, restorers, writers, _installed):
        found.cache_clear()


def _own(module: str) -> Iterator[tuple[str, Any]]:
    for folder in iter_modules(agents.__path__):
        name = f"{agents.__name__}.{folder.name}.{module}"
        if folder.ispkg and find_spec(name) is not None:
            yield folder.name, getattr(import_module(name), module.upper())


@cache
def _installed() -> tuple[tuple[str, Any], ...]:
    """Return what entry points name: importers, writers, or both in one."""
    found = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            brought: Any = entry.load()
            if not isinstance(brought, Importer | Writer) or not isinstance(brought.kind, str):
                raise TypeError(f"{entry.value} is not an importer")
            if isinstance(brought, Importer) and not isinstance(brought.grammar.name, str):
                raise TypeError(f"the grammar of {entry.value} has no name")
            found.append((entry.name, brought))
        except Exception as error:  # somebody else's code: whatever it raises, the other agents are read
            logger.warning("the agent %s cannot be loaded (%s): %s", entry.name, type(error).__name__, error)
    return tuple(found)


def _closed_folder(folder: Path) -> Path | None:
    """Return the first folder from *folder* on into which this user may not look; None: there is none."""
    refused: list[Path] = []

    def note(error: OSError) -> None:
        if isinstance(error, PermissionError):
            refused.append(Path(error.filename or folder))

    for _ in islice(os.walk(folder, onerror=note), _LOOKED_INTO):
        if refused:
            break
    return refused[0] if refused else None


def _reason(path: Path) -> str:
    try:
        found = path.resolve()
        known = ", ".join(one.kind for one in importers()) or "none"
        if found.is_dir():
            closed = _closed_folder(found)
            if closed is not None:
                return f"no permission to read {'it' if closed == found else closed}"
            return f"nothing of a known agent in this folder ({known}); name a file in it"
        if not found.is_file():
            return "not a regular file" if found.exists() else "no such file"
        with found.open("rb") as file:
            first = file.read(_FIRST_BYTES)
        sound = parse_header(first) is not None
        return f"a database of no known agent ({known})" if sound else describe_non_database(first)
    except PermissionError:
        return "no permission to read it"
    except (OSError, RuntimeError, ValueError) as error:
        return str(getattr(error, "strerror", None) or error).lower()
