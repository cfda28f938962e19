"""What Hermes' folder gives to the rest of the program."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from hermes_sessions.agents.contract import Cursor, Found, Importer, OpenOptions, Source
from hermes_sessions.agents.hermes.discover import discover_databases, discovery_folders
from hermes_sessions.agents.hermes.journal import journal_token
from hermes_sessions.agents.hermes.schema import EXPECTED
from hermes_sessions.agents.hermes.source import open_hermes
from hermes_sessions.agents.sqlite_source.foreign_database import (
    change_token,
    find_database,
    looks_like_database,
)
from hermes_sessions.agents.sqlite_source.told_apart import is_database_of_another
from hermes_sessions.handoff.grammars.hermes import GRAMMAR

_FILE_NAME: Final = EXPECTED.file_name


class HermesImporter:
    """An `Importer` of the contract."""

    kind = "hermes"
    grammar = GRAMMAR

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield every `state.db` of an installation: `$HERMES_HOME`, `~/.hermes`, their profiles."""
        yield from discover_databases(home, _chosen_home(env))

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the homes, their profiles, and the folders of those."""
        return discovery_folders(home, _chosen_home(env))

    def locate(self, path: Path) -> Path | None:
        """Return the database that *path* names: itself, or the `state.db` in a folder."""
        found = find_database(path, _FILE_NAME)
        if found is None or found.name == _FILE_NAME:
            return found
        return found if looks_like_database(found) and not is_database_of_another(found, EXPECTED) else None

    def token(self, path: Path) -> str:
        """Return sizes and times, of the journal too, the change counter and the header of the log."""
        return "-".join(part for part in (change_token(path), journal_token(path)) if part)

    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> AbstractContextManager[Source]:
        """Open a database; what changed is found by the marks of its sessions, without a cursor."""
        return open_hermes(path, options)

    def resume_command(self, session: str) -> str:
        """Return the shell command that continues a session."""
        return f"hermes --resume {shlex.quote(session)}"


def _chosen_home(env: Mapping[str, str]) -> Path | None:
    chosen = env.get("HERMES_HOME")
    return Path(chosen).expanduser() if chosen else None


IMPORTER: Final[Importer] = HermesImporter()
