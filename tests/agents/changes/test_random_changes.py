"""Whatever happens to the files of any agent: the store ends as if they were imported today."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_sessions.errors import SourceError
from hermes_sessions.store.opening.database import Database
from tests.agents.changes.claude_code import ClaudeCodePlayer
from tests.agents.changes.codex import CodexPlayer, SegmentsPlayer
from tests.agents.changes.player import Player
from tests.agents.changes.present import bring, differences
from tests.agents.changes.session_files import GeminiPlayer, OldGeminiPlayer, PiPlayer, RooPlayer
from tests.agents.changes.shelves import (
    GooseFilesPlayer,
    GoosePlayer,
    HermesPlayer,
    OpenCodeFilesPlayer,
    OpenCodePlayer,
    UnnamedGoosePlayer,
)

PLAYERS: dict[str, Callable[[Path, int], Player]] = {
    "claude-code": ClaudeCodePlayer,
    "codex": CodexPlayer,
    "codex in segments": SegmentsPlayer,
    "pi": PiPlayer,
    "gemini": GeminiPlayer,
    "gemini, one object": OldGeminiPlayer,
    "roo": RooPlayer,
    "opencode": OpenCodePlayer,
    "opencode, files": OpenCodeFilesPlayer,
    "goose": GoosePlayer,
    "goose without ids": UnnamedGoosePlayer,
    "goose, files": GooseFilesPlayer,
    "hermes": HermesPlayer,
}
STEPS = 7
SEEDS = 3
MORE_SEEDS = 6


def play(kind: str, seed: int, folder: Path) -> list[str]:
    """Play one sequence; return what the store says differently after the first step where it does."""
    player = PLAYERS[kind](folder / "home", seed)
    with Database.open(str(folder / "store.db")) as database:
        bring(database, player.path)
        for step in range(STEPS):
            player.step()
            with Database.open(str(folder / f"fresh-{step}.db")) as fresh:
                try:
                    bring(fresh, player.path)
                except SourceError:  # the only file is half written: it is named, and nothing is taken back
                    continue
                bring(database, player.path)
                found = differences(database, fresh, player.unread)
            if found:
                return [f"{kind}, seed {seed}: {'; '.join(player.told)}", *found]
    return []


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("kind", PLAYERS)
def test_the_store_ends_as_if_all_were_imported_today(kind, seed, tmp_path):
    assert play(kind, seed, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS, MORE_SEEDS))
@pytest.mark.parametrize("kind", PLAYERS)
def test_so_it_does_with_many_more_seeds(kind, seed, tmp_path):
    assert play(kind, seed, tmp_path) == []
