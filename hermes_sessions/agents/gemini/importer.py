"""What the folder of Gemini CLI gives to the rest of the program."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_sessions.agents.contract import Cursor, Found, Importer, OpenOptions, Source
from hermes_sessions.agents.gemini.files import CHATS, PLACE, chat_files, projects, root_file
from hermes_sessions.agents.gemini.form import FORM
from hermes_sessions.agents.gemini.records import TYPES, GeminiRecord, read_records
from hermes_sessions.agents.json_lines.file_state import token_of
from hermes_sessions.agents.json_lines.places import LOOKED_AT, where_any
from hermes_sessions.agents.json_lines.reading import unheard
from hermes_sessions.agents.session_files.source import SessionFilesSource
from hermes_sessions.errors import SourceError
from hermes_sessions.handoff.grammars.gemini import GRAMMAR


class GeminiImporter:
    """An `Importer` of the contract."""

    kind = "gemini"
    grammar = GRAMMAR
    reading = 1

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield `~/.gemini`, or that of the home that `GEMINI_CLI_HOME` names instead, where it has chats."""
        folder = _folder(home, env)
        if any(os.path.isdir(one) for one in projects(folder)):
            yield Found(folder.resolve(), self.kind)

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the home, the folder of its projects, each project and its chats."""
        folder = _folder(home, env)
        return [folder, folder / PLACE, *(one for chats in projects(folder) for one in (chats.parent, chats))]

    def locate(self, path: Path) -> Path | None:
        """Return the home, a folder of projects or chats, or the session file that *path* is."""
        return where_any(path, _home_of, chat_files, _is_session, _is_named)

    def token(self, path: Path) -> str:
        """Return a digest of names, sizes and times."""
        files = chat_files(path)
        return token_of([*files, *sorted({root_file(one) for one in files})])

    @contextmanager
    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> Iterator[Source]:
        """Open a home, a folder of projects or chats, or one session file."""
        yield SessionFilesSource(path, cursor, options, FORM, "jsonl")

    def resume_command(self, session: str) -> str:
        """Return the command that continues a session."""
        return f"gemini --resume {shlex.quote(session)}"


def _folder(home: Path, env: Mapping[str, str]) -> Path:
    told = env.get("GEMINI_CLI_HOME")
    return (Path(told).expanduser() if told else home) / ".gemini"


def _home_of(path: Path) -> Path:
    return path.parent if path.name == PLACE and projects(path.parent) else path


def _is_named(path: Path) -> bool:
    return path.parent.name == CHATS and path.name.startswith("session-")


def _is_session(path: Path) -> bool:
    try:
        records = read_records(path, path.stat().st_size, unheard)
        found = list(islice(records, LOOKED_AT))
    except (OSError, SourceError):
        return False
    return any(map(_is_ours, found))


def _is_ours(record: GeminiRecord) -> bool:
    """Whether nobody else writes such a line: of a file that is one object, such a message."""
    value = record.value
    if record.kind == "header":
        return "projectHash" in value and "startTime" in value
    ours = record.kind == "message" and record.id is not None and value.get("type") in TYPES
    return ours and "content" in value and "timestamp" in value and "uuid" not in value


IMPORTER: Final[Importer] = GeminiImporter()
