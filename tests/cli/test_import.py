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
from tests.agents.claude_code.transcript_builder import Transcript
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
    [
        ("native", "1 compaction by the agent itself"),
        ("half_way", "1 compaction half way"),
        ("", "1 compaction of no kind"),
    ],
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
    assert words in result.stdout
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


@pytest.fixture
def claude_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of Claude Code in its usual place, which no store knows yet."""
    home = tmp_path / "elsewhere"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    talk = Transcript(home / "projects" / "-w" / "s.jsonl")
    talk.ask("hello")
    talk.write()
    return home


def origins_of(runner: CliRunner) -> dict[str, bool]:
    told = json.loads(runner.invoke(main, ["origins", "list", "--json"]).stdout)
    return {one["label"]: one["paused"] for one in told["origins"]}


def test_a_sync_finds_agents_by_itself_and_leaves_out_what_is_paused(
    runner: CliRunner, claude_home: Path
) -> None:
    result = runner.invoke(main, ["sync", "--no-discover"])
    assert "claude-code" not in result.output
    result = runner.invoke(main, ["sync", "--discover"])
    assert (result.exit_code, "claude-code: imported" in result.output) == (0, True)
    assert origins_of(runner) == {"claude-code": False}
    assert runner.invoke(main, ["origins", "pause", "claude-code"]).exit_code == 0
    (claude_home / "projects" / "-w" / "t.jsonl").write_bytes(
        (claude_home / "projects" / "-w" / "s.jsonl").read_bytes().replace(b"s-0", b"t-0")
    )
    for command in (["sync"], ["sync", "--discover"], ["import"]):
        runner.invoke(main, command)
        told = json.loads(runner.invoke(main, ["origins", "list", "--json"]).stdout)["origins"]
        assert [(one["paused"], one["sessions"]) for one in told] == [(True, 1)]
    assert runner.invoke(main, ["origins", "resume", "claude-code"]).exit_code == 0
    assert "claude-code: imported" in runner.invoke(main, ["sync"]).output


def test_an_import_of_nothing_but_what_is_paused_is_exit_code_2(runner: CliRunner, claude_home: Path) -> None:
    assert runner.invoke(main, ["import"]).exit_code == 0
    assert runner.invoke(main, ["origins", "pause", "claude-code"]).exit_code == 0
    result = runner.invoke(main, ["import"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("hermes-sessions: nothing to import: ")


def test_a_sync_says_once_what_is_wrong_with_an_origin(runner: CliRunner, claude_home: Path) -> None:
    talk = claude_home / "projects" / "-w" / "s.jsonl"
    talk.write_bytes(b'{"type": "user", "mess\n' + talk.read_bytes())
    first = runner.invoke(main, ["sync", "--discover"])
    assert (first.exit_code, "not taken:" in first.output) == (1, True)
    again = runner.invoke(main, ["sync"])
    assert (again.exit_code, len(again.stdout.splitlines())) == (0, 1)
    assert "claude-code: nothing changed since the last import" in again.stdout
    whole = runner.invoke(main, ["sync", "--full"])
    assert (whole.exit_code, "not taken:" in whole.output) == (1, True)


def test_a_sync_finds_what_is_new_unless_the_store_is_a_teams(
    runner: CliRunner, engine_name: str, claude_home: Path, tmp_path: Path
) -> None:
    path = state_db(tmp_path / "state.db", sessions=[session("a")])
    assert runner.invoke(main, ["import", str(path), "--label", "chosen"]).exit_code == 0
    assert runner.invoke(main, ["sync", "--no-discover"]).exit_code == 0
    assert origins_of(runner) == {"chosen": False}
    assert runner.invoke(main, ["sync"]).exit_code == 0
    assert ("claude-code" in origins_of(runner)) is (engine_name == "sqlite")
    assert runner.invoke(main, ["sync", "--discover"]).exit_code == 0
    assert origins_of(runner) == {"chosen": False, "claude-code": False}


@pytest.mark.parametrize("is_there", [False, True], ids=["without a store", "with an empty store"])
def test_a_sync_that_finds_no_agent_says_where_it_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    own = CliRunner(env={"HERMES_SESSIONS_DB": None})
    if is_there:
        assert own.invoke(main, ["db", "upgrade"]).exit_code == 0
    result = own.invoke(main, ["sync"])
    assert result.exit_code == (0 if is_there else 2)
    assert "no agent's conversations found in" in result.output
    assert str(tmp_path / "nothing") in result.output
    assert "--discover" not in result.output


def test_a_sync_without_looking_for_agents_says_what_to_do(claude_home: Path, tmp_path: Path) -> None:
    store = tmp_path / "new.db"
    words = ["sync", "--no-discover", "--db", str(store)]
    for exit_code in (2, 0):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == exit_code
        assert store.exists() is (exit_code == 0)
        assert "`sync --discover` with what agents have on this machine" in result.output
        assert "found in" not in result.output
        assert CliRunner().invoke(main, ["db", "upgrade", "--db", str(store)]).exit_code == 0
    assert CliRunner().invoke(main, ["sync", "--db", str(store)]).exit_code == 0


def test_removing_says_that_a_sync_may_bring_it_back(
    runner: CliRunner, claude_home: Path, tmp_path: Path
) -> None:
    path = state_db(tmp_path / "state.db", sessions=[session("a")])
    assert runner.invoke(main, ["import", str(path), "--label", "named"]).exit_code == 0
    assert runner.invoke(main, ["sync", "--discover"]).exit_code == 0
    told = {one: runner.invoke(main, ["origins", "remove", one, "--yes"]) for one in ("named", "claude-code")}
    assert {one: result.exit_code for one, result in told.items()} == {"named": 0, "claude-code": 0}
    assert told["named"].stderr == ""
    assert "origins pause" in told["claude-code"].stderr
    assert origins_of(runner) == {}
    assert "--discover" in runner.invoke(main, ["sync", "--no-discover"]).output
    assert origins_of(runner) == {}
    runner.invoke(main, ["sync", "--discover"])
    assert origins_of(runner) == {"claude-code": False}
