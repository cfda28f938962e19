"""Organising on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from tests.agents.hermes.hermes_builder import session, state_db
from tests.operations.imports.scene import talk


@pytest.fixture
def filled(runner: CliRunner, tmp_path: Path) -> None:
    rows = [row for one in "ab" for row in talk(one, f"ask {one}", "reply")]
    path = state_db(tmp_path / "state.db", sessions=[session("a"), session("b")], messages=rows)
    assert runner.invoke(main, ["import", str(path)]).exit_code == 0


def run(runner: CliRunner, *args: str, code: int = 0, **more: Any) -> str:
    result = runner.invoke(main, [*args], **more)
    assert result.exit_code == code, result.output
    return result.output


def listed(runner: CliRunner, *args: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(runner, "list", "--json", *args))["conversations"]
    return found


def test_marks_are_set_listed_and_undone(filled: None, runner: CliRunner) -> None:
    assert "pinned: 1" in run(runner, "pin", "a")
    run(runner, "tag", "a", "b", "--add", "work", "--add", "#Urgent")
    run(runner, "note", "a", "-", input="From a pipe.\n")
    assert run(runner, "note", "a") == "From a pipe.\n"
    (row,) = listed(runner, "--pinned", "yes")
    assert (row["id"], row["tags"], row["note"]) == ("a", ["urgent", "work"], "From a pipe.")
    run(runner, "tag", "b", "--remove", "work")
    assert [one["id"] for one in listed(runner, "--tag", "work")] == ["a"]
    run(runner, "archive", "a")
    assert [one["id"] for one in listed(runner)] == ["b"]
    assert [one["id"] for one in listed(runner, "--archived", "yes")] == ["a"]
    assert "(archive) undone: 1 values" in run(runner, "undo")
    assert len(listed(runner)) == 2
    run(runner, "note", "a", "--clear")
    assert run(runner, "note", "a") == "There is no note.\n"
    assert "archive" in run(runner, "undo", "--list")


def test_undo_that_restores_nothing_is_exit_code_1(filled: None, runner: CliRunner) -> None:
    first = json.loads(run(runner, "note", "a", "one", "--json"))["change"]
    run(runner, "note", "a", "two")
    undone = json.loads(run(runner, "undo", str(first), "--json", code=1))
    assert (undone["restored"], undone["skipped"]) == (0, 1)


def test_saving_and_removing_a_search_as_json(filled: None, runner: CliRunner) -> None:
    added = json.loads(run(runner, "saved", "add", "mine", "/?tag=work", "--json"))
    removed = json.loads(run(runner, "saved", "remove", "mine", "--json"))
    assert added["name"] == removed["name"] == "mine"
    assert removed["change"] > added["change"]


def test_searches_are_saved_listed_and_removed(filled: None, runner: CliRunner) -> None:
    run(runner, "saved", "add", "mine", "/?tag=work")
    assert json.loads(run(runner, "saved", "list", "--json")) == {
        "saved": [{"name": "mine", "target": "/?tag=work"}]
    }
    run(runner, "saved", "remove", "mine")
    assert run(runner, "saved", "list") == "No search is saved.\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("pin", "nope"), "nope"),
        (("tag", "a"), "--add or --remove"),
        (("tag", "a", "--add", "x", "--remove", "y"), "--add or --remove"),
        (("note", "a", "text", "--clear"), "TEXT or --clear"),
        (("undo",), "nothing to undo"),
        (("undo", "99"), "no change 99"),
        (("saved", "add", "x", "https://evil.example"), "can be saved"),
        (("saved", "add", "caf\udce9", "/?tag=work"), "printable characters (UTF-8)"),
        (("saved", "remove", "x"), "no search is saved"),
    ],
)
def test_wrong_use_is_one_line(filled: None, runner: CliRunner, args: tuple[str, ...], said: str) -> None:
    output = run(runner, *args, code=2)
    assert said in output
    assert len(output.splitlines()) == 1
