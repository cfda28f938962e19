"""What Goose's folder gives to the rest of the program."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_sessions.agents.contract import Cursor, Found, Importer, OpenOptions, Source
from hermes_sessions.agents.goose.database import EXPECTED, TABLES, GooseDatabase
from hermes_sessions.agents.goose.form import GooseForm
from hermes_sessions.agents.goose.lines import SUFFIX, GooseFiles, is_session, session_files
from hermes_sessions.agents.json_lines.file_state import token_of
from hermes_sessions.agents.json_lines.places import LOOKED_AT, is_begun
from hermes_sessions.agents.session_shelves.places import (
    ShelfDatabase,
    database_at,
    located_database,
    open_shelf,
)
from hermes_sessions.agents.session_shelves.source import ShelfFindings, ShelfSource
from hermes_sessions.agents.sqlite_source.foreign_database import change_token
from hermes_sessions.agents.sqlite_source.readable import ReadableDatabase
from hermes_sessions.agents.sqlite_source.told_apart import is_database_of
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.errors import SourceError
from hermes_sessions.handoff.grammars.goose import GRAMMAR

_FILE_NAME: Final = EXPECTED.file_name


class GooseImporter:
    """An `Importer` of the contract; a folder with a database is that database, whatever lies beside it."""

    kind = "goose"
    grammar = GRAMMAR
    reading = 1

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield the folder of sessions, where there is a database in it, or files of older releases."""
        folder = _folder(home, env)
        try:
            database = folder / _FILE_NAME
            begun = database.is_file() and database.stat().st_size > 0
            found = begun or any(folder.glob(f"*{SUFFIX}"))
        except OSError:  # a folder of somebody else
            found = False
        if found:
            yield Found(folder.resolve(), self.kind)

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the data folder and the folder of sessions in it."""
        folder = _folder(home, env)
        return [folder.parent, folder]

    def locate(self, path: Path) -> Path | None:
        """Return the folder of sessions, the one in a data folder, or the database that *path* is."""
        try:
            found = path.resolve()
            if found.is_file():
                return located_database(found, EXPECTED)
            for folder in (found, found / "sessions"):
                if (folder / _FILE_NAME).is_file():
                    return folder if is_database_of(folder / _FILE_NAME, EXPECTED) else None
                if folder.is_dir() and any(map(_is_ours, islice(session_files(folder), LOOKED_AT))):
                    return folder
        except (OSError, RuntimeError, ValueError, SourceError):
            return None
        return None

    def token(self, path: Path) -> str:
        """Return what changes with the database; of files, a digest of names, sizes and times."""
        database = database_at(path, _FILE_NAME)
        return change_token(database) if database is not None else token_of(session_files(path))

    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> AbstractContextManager[Source]:
        """Open a folder of sessions or a database; marks of sessions say what changed, not the cursor."""
        database = database_at(path, _FILE_NAME)
        if database is None:
            files = GooseFiles(path)
            found = ShelfFindings(files.damage, [], unfinished=files.unfinished)
            return nullcontext(ShelfSource(path, GooseForm(files), found, options))
        return open_shelf(path, ShelfDatabase(database, EXPECTED, TABLES), _in_database, options)

    def resume_command(self, session: str) -> str:
        """Return the command that continues a session."""
        return f"goose session --resume --session-id {shlex.quote(session)}"


def _folder(home: Path, env: Mapping[str, str]) -> Path:
    root, data = env.get("GOOSE_PATH_ROOT"), env.get("XDG_DATA_HOME")
    if root:
        return Path(root).expanduser() / "data" / "sessions"
    return (Path(data).expanduser() if data else home / ".local" / "share") / "goose" / "sessions"


def _is_ours(path: Path) -> bool:
    """Whether a file is a session, or lies where they do and is still being begun."""
    return is_session(path) or (path.resolve().parts[-3:-1] == ("goose", "sessions") and is_begun(path))


def _in_database(readable: ReadableDatabase, refuse: Refuse) -> GooseForm:
    return GooseForm(GooseDatabase(readable, refuse))


IMPORTER: Final[Importer] = GooseImporter()
