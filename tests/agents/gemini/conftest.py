"""A home of Gemini CLI, and what is read of it."""

from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.gemini.importer import IMPORTER
from tests.agents.gemini.chat_builder import GeminiChat
from tests.agents.read_home import ReadHome


class GeminiHome:
    """A folder of projects that tests write into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, name: str = "a", suffix: str = ".jsonl") -> Path:
        """Return where a session is."""
        return self.path / "tmp" / "app" / "chats" / f"session-2026-05-28T20-26-{name}{suffix}"

    def talk(self, name: str = "a", suffix: str = ".jsonl", **header: Any) -> GeminiChat:
        """Begin a session."""
        return GeminiChat(self.file(name, suffix), **header)

    def read(self, **options: Any) -> ReadHome:
        """Read everything."""
        return ReadHome(IMPORTER, self.path, **options)


@pytest.fixture
def home(tmp_path):
    return GeminiHome(tmp_path / ".gemini")
