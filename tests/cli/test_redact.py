"""Masking on the command line: the secret is never an argument, and never printed."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from tests.importers.hermes_builder import session, state_db
from tests.operations.scene import talk

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
