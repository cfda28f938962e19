"""What commands ask: only a yes goes on, and who does not answer is told how to skip the question."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from tests.agents.hermes.hermes_builder import session, state_db
from tests.operations.imports.scene import talk
from tests.waiting import PATIENCE_SECONDS

QUESTIONS = [("forget", "a"), ("forget", "a", "--json"), ("trash", "empty"), ("origins", "remove", "mine")]


@pytest.fixture
def filled(runner: CliRunner, tmp_path: Path) -> None:
    rows = [*talk("a", "hello", "yes?"), *talk("old", "run", "ran")]
    path = state_db(
        tmp_path / "state.db", sessions=[session("a"), session("old", source="cron")], messages=rows
    )
    assert runner.invoke(main, ["import", str(path), "--label", "mine"]).exit_code == 0
    assert runner.invoke(main, ["prune", "--source", "cron", "--yes"]).exit_code == 0


def stored(runner: CliRunner) -> list[str]:
    found = [json.loads(runner.invoke(main, ["list", "--json", "--kind", kind]).stdout) for kind in
             ("all", "trash")]  # fmt: skip
    return [row["id"] for one in found for row in one["conversations"]]


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["n\n", "\n", "", "what\n", b"\xff\n"], ids=repr)
@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_without_a_yes_nothing_is_done(
    filled: None, runner: CliRunner, words: tuple[str, ...], answer: Any
) -> None:
    result = runner.invoke(main, list(words), input=answer)
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert "nothing was done" in line
    assert "--yes" in line
    assert stored(runner) == ["a", "old"]


def test_a_yes_goes_on_and_the_answer_stands_alone(filled: None, runner: CliRunner) -> None:
    done = json.loads(runner.invoke(main, ["forget", "a", "--json"], input="y\n").stdout)
    assert done["conversations"] == 1
    removed = runner.invoke(main, ["origins", "remove", "mine", "--json"], input="YES\n")
    assert json.loads(removed.stdout) == {"origin": "mine", "sessions": 1}


def run_program(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hermes_sessions", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
        **more,
    )


def test_a_terminal_is_asked_on_standard_error(filled: None, store_url: str) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"n\n")
    result = run_program("forget", "a", "--json", "--db", store_url, stdin=theirs)
    os.close(ours)
    os.close(theirs)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("Erase a for good? [y/N]: hermes-sessions: nothing was done")


@pytest.mark.parametrize("closed", [False, True])
def test_a_secret_that_cannot_be_asked_for_is_one_line(filled: None, store_url: str, closed: bool) -> None:
    more: dict[str, Any] = {"preexec_fn": lambda: os.close(0)} if closed else {"stdin": subprocess.DEVNULL}
    result = run_program("redact", "--db", store_url, start_new_session=True, **more)
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert "--stdin" in result.stderr
