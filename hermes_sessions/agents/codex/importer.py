"""What Codex's folder gives to the rest of the program."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from hermes_sessions.agents.codex.records import EVENT, ITEM, META, RolloutLine, line_of, rollout_lines
from hermes_sessions.agents.codex.source import CodexSource
from hermes_sessions.agents.codex.survey import PLACES, is_rollout_name, rollouts
from hermes_sessions.agents.codex.titles import INDEX
from hermes_sessions.agents.contract import Cursor, Found, Importer, OpenOptions, Source
from hermes_sessions.agents.json_lines.file_state import token_of
from hermes_sessions.agents.json_lines.opened import DAMAGED
from hermes_sessions.agents.json_lines.places import LOOKED_AT, where_any
from hermes_sessions.handoff.grammars.codex import GRAMMAR

_WATCHED_DAYS: Final = 40
"""Folders of the latest days in which rollouts are continued; older ones are looked at from time to time."""


class CodexImporter:
    """An `Importer` of the contract."""

    kind = "codex"
    grammar = GRAMMAR
    reading = 2

    def discover(self, home: Path, env: Mapping[str, str]) -> Iterator[Found]:
        """Yield `~/.codex`, or what `CODEX_HOME` names instead, where there are rollouts."""
        folder = _folder(home, env)
        if any(os.path.isdir(folder / place) for place in PLACES):
            yield Found(folder.resolve(), self.kind)

    def folders(self, home: Path, env: Mapping[str, str]) -> Sequence[Path]:
        """Return the home, its places, years and months, and the latest days."""
        folder = _folder(home, env)
        return [folder, *(folder / place for place in PLACES), *_days(folder / PLACES[0])]

    def locate(self, path: Path) -> Path | None:
        """Return the home, a folder of rollouts or the rollout that *path* is."""
        return where_any(path, _home_of, rollouts, _is_rollout, is_rollout_name)

    def token(self, path: Path) -> str:
        """Return a digest of names, sizes and times."""
        return token_of([*rollouts(path), path / INDEX])

    @contextmanager
    def open(self, path: Path, cursor: Cursor | None, options: OpenOptions) -> Iterator[Source]:
        """Open a home, a folder of rollouts, or one rollout."""
        yield CodexSource(path, cursor, options)

    def resume_command(self, session: str) -> str:
        """Return the command that continues a thread."""
        return f"codex resume {shlex.quote(session)}"


def _folder(home: Path, env: Mapping[str, str]) -> Path:
    return Path(env.get("CODEX_HOME") or home / ".codex").expanduser()


def _days(root: Path) -> list[Path]:
    """Return the folders of years and months, and the latest of days."""
    years = _below([root])
    months = _below(years)
    return [*years, *months, *_below(months)[-_WATCHED_DAYS:]]


def _below(folders: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for folder in folders:
        try:
            found += [one for one in folder.iterdir() if one.name.isdigit() and one.is_dir()]
        except OSError:
            continue
    return sorted(found)


def _home_of(path: Path) -> Path:
    return path.parent if path.name in PLACES else path


def _is_rollout(path: Path) -> bool:
    try:
        lines = islice(rollout_lines(path, 0, 1 << 62), LOOKED_AT)
        return any(isinstance(found, RolloutLine) and _is_ours(found) for found in map(line_of, lines))
    except (OSError, *DAMAGED):
        return False


def _is_ours(line: RolloutLine) -> bool:
    """Whether nobody else writes such a line."""
    if line.kind == META:
        return isinstance(line.value.get("id"), str) and "timestamp" in line.value
    says = "role" in line.value or line.sort != "message"
    return line.kind in (ITEM, EVENT) and bool(line.sort) and says


IMPORTER: Final[Importer] = CodexImporter()
