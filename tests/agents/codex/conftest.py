"""A home of Codex, and what is read of it."""

from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.codex.importer import IMPORTER
from tests.agents.codex.rollout_builder import BEGAN, Rollout
from tests.agents.read_home import ReadHome


class CodexHome:
    """A folder of rollouts that tests write into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, name: str, folder: str = "sessions/2026/05/28") -> Path:
        """Return where the rollout with that name is."""
        return self.path / folder / f"rollout-2026-05-28T20-26-40-{name}.jsonl"

    def talk(self, name: str = "a", began: float = BEGAN, **payload: Any) -> Rollout:
        """Begin a thread's rollout."""
        return Rollout(self.file(name), name, began=began).begin(**payload)

    def segment(self, name: str, thread: str = "a", ordinal: int = 0, **payload: Any) -> Rollout:
        """Begin a numbered segment of a thread; "" is its first."""
        path = self.file(f"{thread}_{name}" if name else thread)
        talk = Rollout(path, thread, ordinal=ordinal, began=BEGAN + 1000 * ordinal)
        return talk.begin(history_mode="paginated", **payload)

    def read(self, **options: Any) -> ReadHome:
        """Read everything."""
        return ReadHome(IMPORTER, self.path, **options)


@pytest.fixture
def home(tmp_path):
    return CodexHome(tmp_path / ".codex")
