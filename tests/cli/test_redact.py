"""Masking on the command line: the secret is never an argument, and never printed."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_sessions import Store
from hermes_sessions.cli import main
from hermes_sessions.store.keeping.secure_erase import require_scrub
from hermes_sessions.store.opening.database import Database
from tests.agents.hermes.hermes_builder import session, state_db
from tests.operations.imports.scene import talk

SECRET = "hunter2-Correct_Horse"


@pytest.fixture
def filled(runner: CliRunner, tmp_path: Path) -> Path:
    path = state_db(
        tmp_path / "state.db", sessions=[session("a")], messages=talk("a", f"it is {SECRET}", f"{SECRET}!")
    )
    assert runner.invoke(main, ["import", str(path)]).exit_code == 0
    return path


def run(runner: CliRunner, *args: str, code: int = 0, **more: Any) -> str:
    result = runner.invoke(main, [*args], **more)
    assert result.exit_code == code, result.output
    assert SECRET not in result.output or args[0] == "show"
    return result.output


def test_it_is_counted_first_and_masked_when_asked_to(filled: Path, runner: CliRunner) -> None:
    told = json.loads(run(runner, "redact", "--stdin", "--json", input=f"{SECRET}\n"))
    assert (told["dry_run"], told["places"]) == (True, {"messages": 2})
    assert SECRET in run(runner, "show", "a")
    run(runner, "redact", "--stdin", "--yes", input=f"{SECRET}\n")
    assert "it is [redacted:secret]" in run(runner, "show", "a")
    run(runner, "import", str(filled), "--full")
    assert SECRET not in run(runner, "show", "a")


def test_it_is_asked_for_without_an_echo_or_read_from_a_file(
    filled: Path, runner: CliRunner, tmp_path: Path
) -> None:
    assert "messages" in run(runner, "redact", input=f"{SECRET}\n")
    file = tmp_path / "leaked.txt"
    file.write_text(f"{SECRET}\r\n")
    assert json.loads(run(runner, "redact", "--file", str(file), "--json"))["rows"] == {"messages": 2}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("redact", SECRET), "unexpected extra argument"),
        (("redact", "--pattern", "nope"), "no kind of secret"),
        (("redact", "--pattern", "aws", "--stdin"), "one of --file"),
        (("redact", "--pattern", "aws", "--yes", "--dry-run"), "--dry-run or --yes"),
        (("redact", "--file", "no-such-file"), "no-such-file"),
        (("redact", "--resume", "--yes"), "nothing to mask"),
    ],
)
def test_wrong_use_is_one_line(filled: Path, runner: CliRunner, args: tuple[str, ...], said: str) -> None:
    result = runner.invoke(main, list(args))
    assert result.exit_code == 2
    assert said in result.output
    assert len(result.output.splitlines()) == 1


# -- by pattern ------------------------------------------------------------------------------------

KEY = "sk-proj-abcdefgh0123456789ABCDEFGH"


@pytest.fixture
def keyed(runner: CliRunner, tmp_path: Path) -> Path:
    rows = talk("a", f"use {KEY} please", "ok")
    path = state_db(tmp_path / "state.db", sessions=[session("a")], messages=rows)
    assert runner.invoke(main, ["import", str(path)]).exit_code == 0
    return path


def test_a_pattern_shows_examples_and_asks(keyed: Path, runner: CliRunner) -> None:
    told = run(runner, "redact", "--pattern", "openai", code=2, input="n\n")
    assert "use [sk-pro... 34 characters] please" in told
    assert "nothing was done" in told
    assert KEY not in told
    assert KEY in run(runner, "show", "a")
    assert "redact --undo" in run(runner, "redact", "--pattern", "openai", input="y\n")
    assert "use [redacted:openai] please" in run(runner, "show", "a")


def test_a_pattern_that_finds_nothing_asks_nothing(keyed: Path, runner: CliRunner) -> None:
    assert "Nothing of it is stored" in run(runner, "redact", "--pattern", "aws")


def test_a_pattern_tells_programs_the_same_and_changes_nothing(keyed: Path, runner: CliRunner) -> None:
    told = json.loads(run(runner, "redact", "--pattern", "openai", "--json"))
    assert (told["dry_run"], told["kinds"]) == (True, {"openai": 1})
    assert told["examples"][0]["before"] == "use "
    assert KEY in run(runner, "show", "a")


def test_a_pattern_is_taken_back_until_the_next_import(keyed: Path, runner: CliRunner) -> None:
    run(runner, "redact", "--pattern", "openai", "--yes")
    assert "again what they were" in run(runner, "redact", "--undo", "--yes")
    assert KEY in run(runner, "show", "a")
    run(runner, "redact", "--pattern", "openai", "--yes")
    run(runner, "import", str(keyed))
    assert "no masking can be undone" in run(runner, "redact", "--undo", "--yes", code=2)
    assert "use [redacted:openai] please" in run(runner, "show", "a")


def test_resuming_takes_the_secret_as_well(filled: Path, runner: CliRunner) -> None:
    told = run(runner, "redact", "--resume", "--stdin", "--yes", input=f"{SECRET}\n")
    assert "messages" in told


def test_a_file_still_to_be_scrubbed_is_named(filled: Path, runner: CliRunner, store_url: str) -> None:
    assert "not finished" not in run(runner, "redact", "--resume", "--dry-run")
    with Database.open(store_url) as database, database.write() as db:
        require_scrub(db)
    assert "redact --resume --yes" in run(runner, "redact", "--resume")
    run(runner, "redact", "--resume", "--yes")
    assert "not finished" not in run(runner, "redact", "--resume", "--dry-run")


def test_a_secret_in_content_blocks_is_masked_in_what_an_agent_loads(
    tmp_path: Path, runner: CliRunner
) -> None:
    secret = "bärlauch-91-im-keller"
    file = tmp_path / "blocks.db"
    with Store.open(file) as store:
        session = store.create_session()
        answer = {"type": "tool_result", "tool_use_id": "t1", "content": f"the word is {secret}"}
        store.append_many(session, [{"role": "user", "content": [answer]}])
    run(runner, "redact", "--stdin", "--yes", "--db", str(file), input=f"{secret}\n")
    with Store.open(file) as store:
        assert secret not in repr(store.load(session))
        assert "redacted" in repr(store.load(session))
