"""`serve` as a service: what it logs, how it ends, a copy made while it runs."""

import json
import os
import shutil
import signal
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Lease, Session
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.cli.test_browse import Served, get
from tests.waiting import PATIENCE_SECONDS, until

pytestmark = pytest.mark.slow

TOKEN = "a-token-that-was-given"


def ask(address: str, **headers: str) -> int:
    request = urllib.request.Request(
        address, headers={name.replace("_", "-"): v for name, v in headers.items()}
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_json_lines_name_the_request_and_no_secret(tmp_path: Path) -> None:
    served = Served(tmp_path, "--no-sync", "--port", "0", "--log", "json", "--token", TOKEN)
    address = served.line().split()[2]
    assert ask(address + "api/conversations?source=private", Authorization=f"Bearer {TOKEN}") == 200
    assert ask(address + "c/a%0Ab%1b", X_Request_ID="from-a-proxy", Authorization=f"Bearer {TOKEN}") == 404
    code, errors = served.end()
    told = [json.loads(line) for line in errors.splitlines()]
    lines = [line for line in told if "method" in line]  # a busy server tells of its queue too
    assert code == 0
    assert [(line["method"], line["path"], line["status"]) for line in lines] == [
        ("GET", "/api/conversations", 200),
        ("GET", "/c/a\nb\x1b", 404),
    ]
    assert lines[1]["request"] == "from-a-proxy"
    assert len({line["request"] for line in lines}) == 2
    assert all(line["seconds"] >= 0 and line["level"] == "info" and line["time"] for line in lines)
    assert TOKEN not in errors
    assert "private" not in errors
    assert "\x1b" not in errors


def test_a_database_that_cannot_be_read_is_told_where_serve_was_typed(tmp_path: Path) -> None:
    broken = tmp_path / "pointer.db"
    broken.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    served = Served(tmp_path, str(broken), "--port", "0")
    address = served.line().split()[2]
    until(lambda: "LFS" in get(address))
    code, errors = served.end()
    assert code == 0
    assert len(errors.splitlines()) == 1
    assert "pointer.db" in errors
    assert "LFS" in errors


def test_a_home_without_a_database_is_told_where_serve_was_typed(tmp_path: Path) -> None:
    served = Served(tmp_path, "--port", "0")
    get(served.line().split()[2])
    code, errors = served.end()
    assert code == 0
    assert f"no agent's conversations found in {tmp_path}" in errors
    assert len(errors.splitlines()) == 1


def test_lines_for_people_cannot_be_forged(tmp_path: Path) -> None:
    served = Served(tmp_path, "--no-sync", "--port", "0", "--log", "text")
    address = served.line().split()[2]
    ask(address + "c/a%0A12:00:00%20info%20forged")
    _, errors = served.end()
    assert len(errors.splitlines()) == 1
    assert "404" in errors


def test_a_token_that_was_given_is_not_printed(tmp_path: Path) -> None:
    served = Served(tmp_path, "--no-sync", "--port", "0", "--host", "0.0.0.0", "--token", TOKEN)
    served.line()
    served.process.send_signal(signal.SIGTERM)
    rest, errors = served.process.communicate(timeout=PATIENCE_SECONDS)
    assert TOKEN not in rest + errors


def many(path: Path, sessions: int = 400, rows: int = 50) -> Path:
    """A database whose import takes some seconds."""
    names = [f"s{number}" for number in range(sessions)]
    return state_db(
        path,
        sessions=[session(name) for name in names],
        messages=[row(name, "user", f"line {at} of {name}") for name in names for at in range(rows)],
    )


def conversations(address: str) -> list[object]:
    found: list[object] = json.loads(get(address + "api/conversations?limit=500&kind=all"))["conversations"]
    return found


def is_served(address: str) -> bool:
    try:
        return bool(get(address + "healthz"))
    except OSError:
        return False


@pytest.mark.slow
def test_sigterm_in_the_middle_of_an_import_ends_after_the_transaction(tmp_path: Path) -> None:
    agent = many(tmp_path / "state.db")
    served = Served(tmp_path, str(agent), "--port", "0")
    address = served.line().split()[2]
    until(lambda: conversations(address))
    store = tmp_path / "store.db"
    with Database.open(str(store)) as database, database.write():
        served.process.send_signal(signal.SIGTERM)  # the import waits for its next turn
        until(lambda: not is_served(address))
    _, errors = served.process.communicate(timeout=PATIENCE_SECONDS)
    assert (served.process.returncode, errors) == (0, "")
    # Folded in and given back: it was closed, not cut off.
    assert not Path(f"{store}-wal").exists()
    with Database.open(str(store)) as database, database.read() as db:
        assert check_store(db) == []
        assert 0 < db.query(Session).count() < 400
        assert db.query(Lease).count() == 0


@pytest.mark.slow
def test_a_backup_of_a_store_in_use_can_be_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = many(tmp_path / "state.db")
    store, copy = tmp_path / "store.db", tmp_path / "copy.db"
    served = Served(tmp_path, str(agent), "--port", "0")
    address = served.line().split()[2]
    until(lambda: len(conversations(address)) >= 40)
    runner = CliRunner(env={"HERMES_SESSIONS_DB": str(store)})
    assert runner.invoke(main, ["db", "backup", str(copy)]).exit_code == 0
    served.end(signal.SIGTERM)
    assert os.stat(copy).st_mode & 0o777 == 0o600
    for file in tmp_path.glob("store.db*"):
        file.unlink()
    shutil.copy(copy, store)
    assert runner.invoke(main, ["db", "check"]).exit_code == 0
    imported = runner.invoke(main, ["import", str(agent), "--json"])
    assert json.loads(imported.stdout)["messages"] == 20_000
    assert runner.invoke(main, ["db", "check"]).exit_code == 0
