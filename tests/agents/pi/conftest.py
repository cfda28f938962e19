"""A folder of Pi's, and what is read of it."""

from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.pi.importer import IMPORTER
from tests.agents.pi.session_builder import PiSession
from tests.agents.read_home import ReadHome


class PiHome:
    """A folder of sessions that tests write into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, name: str = "a") -> Path:
        """Return where a session is."""
        return self.path / "sessions" / "--home-u-app--" / f"2026-05-28T20-26-40-000Z_{name}.jsonl"

    def talk(self, name: str = "a", **header: Any) -> PiSession:
        """Begin a session."""
        return PiSession(self.file(name), **header)

    def read(self, **options: Any) -> ReadHome:
        """Read everything."""
        return ReadHome(IMPORTER, self.path, **options)


@pytest.fixture
def home(tmp_path):
    return PiHome(tmp_path / ".pi" / "agent")
