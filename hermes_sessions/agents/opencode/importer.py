"""What OpenCode's folder gives to the rest of the program."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_sessions.agents.contract import Cursor, Found, Importer, OpenOptions, Source
from hermes_sessions.agents.json_lines.file_state import token_of
from hermes_sessions.agents.opencode.database import EXPECTED, TABLES, OpenCodeDatabase
from hermes_sessions.agents.opencode.form import OpenCodeForm
from hermes_sessions.agents.opencode.storage import OpenCodeStorage
from hermes_sessions.agents.session_shelves.places import (
    ShelfDatabase,
    database_at,
    located_database,
    open_shelf,
)
from hermes_sessions.agents.session_shelves.source import ShelfFindings, ShelfSource
from hermes_sessions.agents.sqlite_source.foreign_database import change_token
from hermes_sessions.agents.sqlite_source.readable import ReadableDatabase
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.agents.values import Rejected
from hermes_sessions.errors import SourceError
from hermes_sessions.handoff.grammars.opencode import GRAMMAR

STORAGE: Final = "storage"
_FILE_NAME: Final = EXPECTED.file_name
_SESSIONS: Final = ("session", "message")
"""Folders of the storage without which it is none."""


class OpenCodeImporter:
    """An `Importer` of the contract; a folder with a database is that database, whatever lies beside it."""

    kind = "opencode"
    grammar = GRAMMAR
    reading = 1

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield the data folder, and databases of other channels in it or where `OPENCODE_DB` says."""
        folder = _folder(home, env)
        if (folder / _FILE_NAME).is_file() or (folder / STORAGE / _SESSIONS[0]).is_dir():
            yield Found(folder.resolve(), self.kind)
        others = {*sorted(folder.glob("opencode-*.db")), *_chosen(folder, env)} - {folder / _FILE_NAME}
        for other in sorted(others):
            if other.is_file():
                yield Found(other.resolve(), self.kind)

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the data folder, that of a chosen database, and where sessions of older releases appear."""
        folder = _folder(home, env)
        storage = folder / STORAGE
        chosen = [one.parent for one in _chosen(folder, env)]
        older = [] if (folder / _FILE_NAME).exists() else [storage / "session", *_below(storage / "message")]
        return [folder, *chosen, *older]

    def locate(self, path: Path) -> Path | None:
        """Return the data folder, the storage in it, or the database that *path* is."""
        try:
            found = path.resolve()
            if found.is_file():
                return located_database(found, EXPECTED)
            there = database_at(found, _FILE_NAME) or _storage(found)
            return found if there is not None else None
        except (OSError, RuntimeError, ValueError):
            return None

    def token(self, path: Path) -> str:
        """Return what changes with the database; of files, a digest of names, sizes and times."""
        database = database_at(path, _FILE_NAME)
        if database is not None:
            return change_token(database)
        below = [
            Path(folder, name) for folder, _, names in sorted(os.walk(_get_storage(path))) for name in names
        ]
        return token_of(sorted(below))

    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> AbstractContextManager[Source]:
        """Open a data folder, a storage or a database; marks of sessions say what changed, not the cursor."""
        database = database_at(path, _FILE_NAME)
        if database is None:
            rejected: list[Rejected] = []
            storage = OpenCodeStorage(_get_storage(path), rejected.append)
            found = ShelfFindings(storage.damage, rejected, unfinished=storage.unfinished)
            return nullcontext(ShelfSource(path, OpenCodeForm(storage), found, options))
        return open_shelf(path, ShelfDatabase(database, EXPECTED, TABLES), _in_database, options)

    def resume_command(self, session: str) -> str:
        """Return the command that continues a session."""
        return f"opencode --session {shlex.quote(session)}"


def _folder(home: Path, env: Mapping[str, str]) -> Path:
    data = env.get("XDG_DATA_HOME")
    return (Path(data).expanduser() if data else home / ".local" / "share") / "opencode"


def _chosen(folder: Path, env: Mapping[str, str]) -> list[Path]:
    """Return the database that the agent was told to use: a path, or a name in its data folder."""
    named = env.get("OPENCODE_DB")
    return [folder / Path(named).expanduser()] if named and named != ":memory:" else []


def _in_database(readable: ReadableDatabase, refuse: Refuse) -> OpenCodeForm:
    return OpenCodeForm(OpenCodeDatabase(readable, refuse))


def _get_storage(path: Path) -> Path:
    """Return the storage in a folder, or that the folder is; nothing need be left in it."""
    if not path.is_dir():
        raise SourceError(f"{path}: no such folder")
    return _storage(path) or (path if path.name == STORAGE else path / STORAGE)


def _storage(path: Path) -> Path | None:
    """Return the storage that a located path is, or holds; half of one is enough where it has its name."""
    for one in (path / STORAGE, path):
        if all((one / name).is_dir() for name in _SESSIONS) and any((one / _SESSIONS[0]).glob("*/*.json")):
            return one
    half = path if path.name == STORAGE else path / STORAGE
    found = (*islice(half.glob("session/*/ses_*.json"), 1), *islice(half.glob("message/ses_*/msg_*.json"), 1))
    return half if found else None


def _below(folder: Path) -> list[Path]:
    try:
        return [folder, *sorted(one for one in folder.iterdir() if one.is_dir())][:200]
    except OSError:
        return [folder]


IMPORTER: Final[Importer] = OpenCodeImporter()
