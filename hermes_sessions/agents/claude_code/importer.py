"""What Claude Code's folder gives to the rest of the program."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path
from typing import Final

from hermes_sessions.agents.claude_code.records import TalkRecord, record_of
from hermes_sessions.agents.claude_code.source import ClaudeCodeSource
from hermes_sessions.agents.claude_code.survey import transcripts
from hermes_sessions.agents.contract import Cursor, Found, Importer, OpenOptions, Source
from hermes_sessions.agents.json_lines.file_state import token_of
from hermes_sessions.agents.json_lines.lines import read_lines
from hermes_sessions.agents.json_lines.places import LOOKED_AT, folders_below, where_any
from hermes_sessions.handoff.grammars.claude_code import GRAMMAR
from hermes_sessions.late_patterns import late_pattern

_SPEAKING: Final = ("user", "assistant", "system", "attachment", "progress")
_PROJECT: Final = late_pattern(r"-|[A-Za-z]--")
"""How the folder of a project begins: with what a working directory begins with, as the agent writes it."""


class ClaudeCodeImporter:
    """An `Importer` of the contract."""

    kind = "claude-code"
    grammar = GRAMMAR
    reading = 1

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield `~/.claude`, or what `CLAUDE_CONFIG_DIR` names instead, where there are projects."""
        for folder in _folders(home, env):
            if os.path.isdir(folder / "projects"):
                yield Found(folder.resolve(), self.kind)

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the homes, their folders of projects, whether or not they are there, and each project."""
        named = [(folder, folder / "projects") for folder in _folders(home, env)]
        return [one for folder, inner in named for one in (folder, inner, *folders_below(inner))]

    def locate(self, path: Path) -> Path | None:
        """Return the home, the folder of a project or the transcript that *path* is."""
        return where_any(path, _home_of, transcripts, _is_transcript, _is_named)

    def token(self, path: Path) -> str:
        """Return a digest of names, sizes and times."""
        files = transcripts(path)
        return token_of(file for one in files for file in (one, one.with_name(f"{one.stem}.meta.json")))

    @contextmanager
    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> Iterator[Source]:
        """Open a home, the folder of a project, or one transcript."""
        yield ClaudeCodeSource(path, cursor, options)

    def resume_command(self, session: str) -> str | None:
        """Return the command that continues a session; agents inside one are not continued."""
        if "/agent-" in session or session.endswith("#side"):
            return None
        return f"claude --resume {shlex.quote(session.rpartition('/')[2])}"


def _folders(home: Path, env: Mapping[str, str]) -> list[Path]:
    """Return the homes: one, or several that a variable lists."""
    told = env.get("CLAUDE_CONFIG_DIR")
    if not told:
        return [home / ".claude"]
    named = (
        [told] if Path(told).is_dir() else [one for one in told.replace(",", os.pathsep).split(os.pathsep)]
    )
    return [Path(one.strip()).expanduser() for one in named if one.strip()]


def _home_of(path: Path) -> Path:
    return path.parent if path.name == "projects" else path


def _is_named(path: Path) -> bool:
    """Whether a file lies in the folder of a project: that is called as a working directory is."""
    return any(above == "projects" and _PROJECT.match(name) for above, name in pairwise(path.parts))


def _is_transcript(path: Path) -> bool:
    try:
        lines = islice(read_lines(path, 0, path.stat().st_size), LOOKED_AT)
        return any(isinstance(found, TalkRecord) and _is_ours(found) for found in map(record_of, lines))
    except OSError:
        return False


def _is_ours(record: TalkRecord) -> bool:
    """Whether nobody else writes such a record."""
    if record.kind == "summary":
        return isinstance(record.value.get("leafUuid"), str)
    if record.kind in _SPEAKING:
        return record.session is not None and "parentUuid" in record.value
    return record.session is not None and record.kind in ("permission-mode", "queue-operation", "last-prompt")


IMPORTER: Final[Importer] = ClaudeCodeImporter()
