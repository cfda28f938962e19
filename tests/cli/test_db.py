"""`hermes-sessions db`, run as a user runs it."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from hermes_sessions import paths
from hermes_sessions.cli import main
from hermes_sessions.store.engines.file_probe import list_revisions
from hermes_sessions.store.opening.database import Database
from tests.builders import a_conversation

HEAD = list_revisions(paths.migrations())[-1]
pytestmark = pytest.mark.sqlite_only("about the store's file; a server's store is in test_db_postgresql.py")


@pytest.fixture
def store(runner: CliRunner, tmp_path: Path) -> Path:
    """The runner's store, with one conversation."""
    path = tmp_path / "store.db"
    with Database.open(str(path)) as database, database.write() as db:
        a_conversation(db, id="one")
    return path


def run_program(*arguments: str, store: Path | None = None) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "HERMES_SESSIONS_DB": str(store)} if store else None
    command = [sys.executable, "-m", "hermes_sessions", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environ, check=False)


def test_upgrade_says_that_an_index_of_another_version_was_made_anew(runner: CliRunner, store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA user_version = 1")
    told = runner.invoke(main, ["db", "upgrade"]).stdout
    assert "backup: " in told
    assert told.endswith("the search index was rebuilt\n")
    assert "nothing to do" in runner.invoke(main, ["db", "upgrade"]).stdout


def test_upgrade_makes_the_default_store(runner: CliRunner, tmp_path: Path) -> None:
    result = runner.invoke(main, ["db", "upgrade"])
    assert result.exit_code == 0
    assert result.stdout.endswith(f"no schema -> {HEAD}\n")
    assert (tmp_path / "store.db").is_file()


def test_upgrade_twice_has_nothing_to_do(runner: CliRunner, store: Path) -> None:
    assert "nothing to do" in runner.invoke(main, ["db", "upgrade"]).stdout


def test_upgrade_as_json(runner: CliRunner, tmp_path: Path) -> None:
    shown = json.loads(runner.invoke(main, ["db", "upgrade", "--json"]).stdout)
    place = str(tmp_path / "store.db")
    revisions = list(list_revisions(paths.migrations()))
    assert shown == {"path": place, "before": None, "revision": HEAD, "applied": revisions, "backup": None}
    again = json.loads(runner.invoke(main, ["db", "upgrade", "--json"]).stdout)
    assert again == {"path": place, "before": HEAD, "revision": HEAD, "applied": [], "backup": None}


def test_backup_as_json(runner: CliRunner, store: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    shown = json.loads(runner.invoke(main, ["db", "backup", str(target), "--json"]).stdout)
    assert shown == {"path": str(store), "backup": str(target)}


def test_current_as_json(runner: CliRunner, store: Path) -> None:
    shown = json.loads(runner.invoke(main, ["db", "current", "--json"]).stdout)
    assert shown == {"path": str(store), "revision": HEAD, "head": HEAD, "pending": []}


def test_check_of_a_sound_store(runner: CliRunner, store: Path) -> None:
    result = runner.invoke(main, ["db", "check"])
    assert (result.exit_code, result.stdout) == (0, "everything agrees\n")


def test_check_lists_and_repair_mends(runner: CliRunner, store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE conversations SET title = 'x\x1b[31m'")
    found = runner.invoke(main, ["db", "check"])
    assert found.exit_code == 1
    assert "conversations" in found.stdout
    assert "\x1b" not in found.stdout
    mended = runner.invoke(main, ["db", "check", "--repair"])
    assert mended.exit_code == 0
    assert "1 values disagreed and were mended" in mended.stdout
    assert runner.invoke(main, ["db", "check"]).exit_code == 0


def test_check_as_json(runner: CliRunner, store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE conversations SET session_count = 5")
    shown = json.loads(runner.invoke(main, ["db", "check", "--json"]).stdout)
    assert shown["left"] == shown["disagreements"]
    assert shown["left"] == [
        {"table": "conversations", "id": 1, "column": "session_count", "stored": 5, "derived": 1}
    ]


def test_backup_goes_where_it_is_told(runner: CliRunner, store: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    assert runner.invoke(main, ["db", "backup", str(target)]).exit_code == 0
    assert runner.invoke(main, ["db", "check", "--db", str(target)]).exit_code == 0


def test_backup_by_default_stands_beside(runner: CliRunner, store: Path) -> None:
    runner.invoke(main, ["db", "backup"])
    assert len(list(store.parent.glob("store.db.*.backup"))) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["db", "current"], "there is no store yet"),
        (["db", "check", "--db", "/"], "is a folder"),
        (["db", "upgrade", "--db", "mysql://x"], "keeps its store in SQLite"),
        (["db", "nope"], "No such command 'nope'"),
        (["nope"], "No such command 'nope'"),
        (["db", "check", "--nope"], "No such option"),
    ],
)
def test_errors_are_one_line_and_exit_two(runner: CliRunner, arguments: list[str], says: str) -> None:
    result = runner.invoke(main, arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_an_error_cannot_steer_the_terminal(runner: CliRunner) -> None:
    result = runner.invoke(main, ["db", "current", "--db", "/tmp/\x1b[2Jx"])
    assert "\x1b" not in result.stderr


def test_the_program_runs_as_a_module(store: Path) -> None:
    result = run_program("db", "check", store=store)
    assert (result.returncode, result.stdout, result.stderr) == (0, "everything agrees\n", "")


def test_a_reader_that_leaves_early_is_no_error(store: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "hermes_sessions", "db", "current", "--db", str(store)]
    result = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, b"")
