"""`hermes-sessions import`, run as a user runs it."""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from tests.importers.hermes_builder import session, state_db


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that other users can reach and write (pytest's own cannot be)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


def test_a_file_without_permission_is_told_by_the_importer(runner: CliRunner, public_folder: Path) -> None:
    path = state_db(public_folder / "state.db")
    # Once before: everything is loaded while the interpreter's own files can be read.
    assert runner.invoke(main, ["import", "--db", str(public_folder / "first.db"), str(path)]).exit_code == 0
    path.chmod(0)
    superuser = os.geteuid() == 0
    if superuser:
        os.seteuid(65_534)
    try:
        result = runner.invoke(main, ["import", "--db", str(public_folder / "store.db"), str(path)])
    finally:
        if superuser:
            os.seteuid(0)
    assert result.exit_code == 2
    assert "no permission to read it" in result.stderr
    assert "Invalid value" not in result.stderr


def test_what_is_done_to_origins_comes_as_json(runner: CliRunner, tmp_path: Path) -> None:
    path = state_db(tmp_path / "state.db", sessions=[session("a")])
    assert runner.invoke(main, ["import", str(path), "--label", "mine"]).exit_code == 0
    moved = path.rename(tmp_path / "moved.db")

    def told(*words: str) -> Any:
        result = runner.invoke(main, ["origins", *words, "--json"])
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    assert told("rename", "mine", "ours") == {"origin": "ours", "was": "mine"}
    assert told("move", "ours", str(moved)) == {"origin": "ours", "location": str(moved)}
    assert told("pause", "ours") == {"origin": "ours", "paused": True}
    assert told("resume", "ours") == {"origin": "ours", "paused": False}
    assert told("remove", "ours", "--yes") == {"origin": "ours", "sessions": 1}
