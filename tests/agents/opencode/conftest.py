"""A data folder of OpenCode, in both of its forms, and what is read of it."""

from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.opencode.importer import IMPORTER
from tests.agents.opencode.session_builder import BEGAN, Kept, KeptInDatabase, KeptInFiles, Talk
from tests.agents.read_home import ReadHome


class OpenCodeHome:
    """A data folder that tests write into."""

    def __init__(self, path: Path, kept: Kept) -> None:
        self.path = path
        self.kept = kept

    def talk(self, name: str = "a", **fields: Any) -> Talk:
        """Begin a session, or continue it."""
        return Talk(self.kept, name, **fields)

    def revert(self, name: str, message: str, **told: str) -> None:
        """Take a session back to before a message."""
        self.kept.put_session(name, created=BEGAN, revert={"messageID": message, **told})

    def read(self, **options: Any) -> ReadHome:
        """Read everything."""
        return ReadHome(IMPORTER, self.path, **options)


@pytest.fixture(params=["database", "files", "without indexes"])
def home(request, tmp_path):
    path = tmp_path / "opencode"
    if request.param == "files":
        return OpenCodeHome(path, KeptInFiles(path / "storage"))
    indexes = request.param == "database"
    return OpenCodeHome(path, KeptInDatabase(path / "opencode.db", indexes=indexes))


@pytest.fixture
def database_home(tmp_path):
    path = tmp_path / "opencode"
    return OpenCodeHome(path, KeptInDatabase(path / "opencode.db"))
