"""A folder of Goose's sessions, in both of its forms, and what is read of it."""

from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.goose.importer import IMPORTER
from tests.agents.goose.session_builder import GooseInDatabase, GooseInFiles, GooseTalk, KeptSessions
from tests.agents.read_home import ReadHome


class GooseHome:
    """A folder of sessions that tests write into."""

    def __init__(self, path: Path, kept: KeptSessions) -> None:
        self.path = path
        self.kept = kept

    def talk(self, name: str = "a", **fields: Any) -> GooseTalk:
        """Begin a session, or continue it."""
        return GooseTalk(self.kept, name, **fields)

    def read(self, **options: Any) -> ReadHome:
        """Read everything."""
        return ReadHome(IMPORTER, self.path, **options)


@pytest.fixture(params=["database", "files", "without ids"])
def home(request, tmp_path):
    path = tmp_path / "sessions"
    if request.param == "files":
        return GooseHome(path, GooseInFiles(path))
    named = request.param == "database"
    return GooseHome(path, GooseInDatabase(path / "sessions.db", named=named))
