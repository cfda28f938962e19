"""A folder of Roo Code's, and what is read of it."""

from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.roo.importer import IMPORTER
from tests.agents.read_home import ReadHome
from tests.agents.roo.task_builder import RooTask


class RooHome:
    """A folder of tasks that tests write into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def task(self, name: str = "a") -> RooTask:
        """Begin a task."""
        return RooTask(self.path / "tasks" / name)

    def read(self, **options: Any) -> ReadHome:
        """Read everything."""
        return ReadHome(IMPORTER, self.path, **options)


@pytest.fixture
def home(tmp_path):
    return RooHome(tmp_path / ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline")
