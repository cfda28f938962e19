"""`hermes-sessions import`, run as a user runs it."""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from hermes_sessions.cli import main
from hermes_sessions.demo import write_demo_home
from hermes_sessions.store.schema.models import Compaction, Origin
from tests.agents.hermes.hermes_builder import session, state_db


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


@pytest.mark.parametrize(
    ("realisation", "words"),
    [("native", "compactions by the agent itself"), ("half_way", "compactions half way"), ("", "of no kind")],
)
def test_a_compaction_of_any_kind_is_counted(runner, database, tmp_path, realisation, words):
    path = write_demo_home(tmp_path / "agent", seed=7, now=1_760_000_000.0)
    before = json.loads(runner.invoke(main, ["import", str(path), "--json"]).stdout)["compactions"]
    with database.write() as db:
        # An interrupted one is counted as that, whatever its kind.
        rotated = select(Compaction.id).where(
            Compaction.realisation == "rotation", Compaction.status == "committed"
        )
        one = db.scalars(rotated.order_by(Compaction.id)).first()
        db.execute(update(Compaction).where(Compaction.id == one).values(realisation=realisation))
        db.execute(update(Origin).values(cursor=None))
    result = runner.invoke(main, ["import", str(path)])
    assert result.exit_code == 0, result.output
    assert any(words in line and line.split()[-1] == "1" for line in result.stdout.splitlines())
    after = json.loads(runner.invoke(main, ["import", str(path), "--json"]).stdout)["compactions"]
    assert after == before | {"rotation": before["rotation"] - 1, realisation: 1}


def test_a_folder_whose_name_is_no_text_is_an_origin(runner, tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    write_demo_home(tmp_path / "agent", seed=7, now=1_760_000_000.0)
    (tmp_path / "agent" / "state.db").rename(folder / "state.db")
    for unchanged in (False, True):
        result = runner.invoke(main, ["import", str(folder), "--json"])
        told = json.loads(result.stdout)
        assert (told["location"], told["unchanged"]) == (str(folder / "state.db"), unchanged)
    assert runner.invoke(main, ["sync"]).exit_code == 0


@pytest.mark.parametrize("told", ["0", "65", "many", "-1", "\u00b2"])
def test_a_number_of_processes_that_is_none_is_refused(
    runner: CliRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: str
) -> None:
    monkeypatch.setenv("HERMES_SESSIONS_JOBS", told)
    result = runner.invoke(main, ["import", str(state_db(tmp_path / "state.db"))])
    assert (result.exit_code, "HERMES_SESSIONS_JOBS" in result.output) == (2, True)


def test_the_option_for_processes_wins(
    runner: CliRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HERMES_SESSIONS_JOBS", "many")
    path = state_db(tmp_path / "state.db", sessions=[session("a")])
    assert runner.invoke(main, ["import", "--jobs", "2", str(path)]).exit_code == 0
