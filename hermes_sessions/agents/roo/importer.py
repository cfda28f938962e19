"""What the folder of Roo Code gives to the rest of the program."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

from hermes_sessions.agents.contract import Cursor, Found, Importer, OpenOptions, Source
from hermes_sessions.agents.json_lines.file_state import token_of
from hermes_sessions.agents.json_lines.lines import parse_line
from hermes_sessions.agents.json_lines.places import LOOKED_AT, where_any
from hermes_sessions.agents.roo.beside import files_beside
from hermes_sessions.agents.roo.files import HISTORY, TASKS, histories, newest_tasks, places
from hermes_sessions.agents.roo.form import FORM
from hermes_sessions.agents.session_files.json_document import read_document
from hermes_sessions.agents.session_files.source import SessionFilesSource
from hermes_sessions.errors import SourceError
from hermes_sessions.handoff.grammars.roo import GRAMMAR


class RooImporter:
    """An `Importer` of the contract."""

    kind = "roo"
    grammar = GRAMMAR
    reading = 2

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield the extension's folder in each editor that has tasks of it."""
        for folder in places(home, env):
            if (folder / TASKS).is_dir():
                yield Found(folder.resolve(), self.kind)

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the extension's folder in each editor that is there, and its newest tasks."""
        found = places(home, env)
        return [one for folder in found for one in (folder, folder / TASKS, *newest_tasks(folder))]

    def locate(self, path: Path) -> Path | None:
        """Return the extension's folder, a task or its history that *path* is."""
        return where_any(path, _home_of, histories, _is_history, _is_named)

    def token(self, path: Path) -> str:
        """Return a digest of names, sizes and times."""
        files = histories(path)
        return token_of([one for file in files for one in (file, *files_beside(file))])

    @contextmanager
    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> Iterator[Source]:
        """Open the extension's folder, or one task."""
        yield SessionFilesSource(path, cursor, options, FORM, "json")

    def resume_command(self, session: str) -> None:
        """Return None: a task is continued in its editor."""
        return


def _home_of(path: Path) -> Path:
    return path.parent if path.name in (TASKS, HISTORY) else path


def _is_named(path: Path) -> bool:
    return path.name == HISTORY and path.parent.parent.name == TASKS


def _is_history(path: Path) -> bool:
    if path.name != HISTORY:
        return False
    try:
        found = (parse_line(one).value for one in islice(read_document(path).items, LOOKED_AT))
        return any(one is not None and _is_ours(one) for one in found)
    except (OSError, SourceError):
        return False


def _is_ours(item: Mapping[str, Any]) -> bool:
    """Whether the item of a file of this name says something, and when."""
    return item.get("role") in ("user", "assistant") and "content" in item and "ts" in item


IMPORTER: Final[Importer] = RooImporter()
