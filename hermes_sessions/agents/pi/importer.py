"""What Pi's folder gives to the rest of the program."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_sessions.agents.contract import Cursor, Found, Importer, OpenOptions, Source
from hermes_sessions.agents.json_lines.file_state import token_of
from hermes_sessions.agents.json_lines.places import LOOKED_AT, where_any
from hermes_sessions.agents.json_lines.reading import unheard
from hermes_sessions.agents.pi.entries import is_ours, read_entries
from hermes_sessions.agents.pi.files import PLACE, projects, session_files
from hermes_sessions.agents.pi.form import FORM
from hermes_sessions.agents.session_files.source import SessionFilesSource
from hermes_sessions.handoff.grammars.pi import GRAMMAR

_USUAL: Final = (".pi", ".omp")
"""Pi, and the fork of it that writes the same files."""


class PiImporter:
    """An `Importer` of the contract."""

    kind = "pi"
    grammar = GRAMMAR
    reading = 1

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield `~/.pi/agent` or what `PI_CODING_AGENT_DIR` names instead, and `~/.omp/agent`."""
        for folder in _folders(home, env):
            if os.path.isdir(folder / PLACE):
                yield Found(folder.resolve(), self.kind)

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the agents' folders, those of their sessions, and each project's."""
        return [one for folder in _folders(home, env) for one in (folder, folder / PLACE, *projects(folder))]

    def locate(self, path: Path) -> Path | None:
        """Return the agent's folder, the folder of a project or the session file that *path* is."""
        return where_any(path, _home_of, session_files, _is_session, _is_named)

    def token(self, path: Path) -> str:
        """Return a digest of names, sizes and times."""
        return token_of(session_files(path))

    @contextmanager
    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> Iterator[Source]:
        """Open the agent's folder, the folder of a project, or one session file."""
        yield SessionFilesSource(path, cursor, options, FORM, "jsonl")

    def resume_command(self, session: str) -> str:
        """Return the command that continues a session."""
        return f"pi --session {shlex.quote(session)}"


def _folders(home: Path, env: Mapping[str, str]) -> list[Path]:
    """Return where the agents are: a variable names Pi's, and what is beside it is not looked at then."""
    told = env.get("PI_CODING_AGENT_DIR")
    return [Path(told).expanduser()] if told else [home / one / "agent" for one in _USUAL]


def _home_of(path: Path) -> Path:
    folder = path.parent if path.name == PLACE else path
    return folder / "agent" if (folder / "agent" / PLACE).is_dir() else folder


def _is_named(path: Path) -> bool:
    """Whether a file lies in the folder of a project: `--PROJECT--`."""
    return any(len(one) > 4 and one.startswith("--") and one.endswith("--") for one in path.parts[:-1])


def _is_session(path: Path) -> bool:
    try:
        entries = read_entries(path, 0, path.stat().st_size, unheard)
        return any(is_ours(one) for one in islice(entries, LOOKED_AT))
    except OSError:
        return False


IMPORTER: Final[Importer] = PiImporter()
