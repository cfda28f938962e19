"""Throwing away on the command line: it says what it would do, and does it when asked to."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from tests.agents.hermes.hermes_builder import session, state_db
from tests.operations.imports.scene import talk


@pytest.fixture
def filled(runner: CliRunner, tmp_path: Path) -> Path:
    rows = [*talk("job", "run", "ran"), *talk("part", "a part", "done"), *talk("chat", "hello", "x" * 5_000)]
    path = state_db(
        tmp_path / "state.db",
        sessions=[
            session("job", source="cron"),
            session("part", parent="job", source="tool"),
            session("chat"),
        ],
        messages=rows,
    )
    assert runner.invoke(main, ["import", str(path)]).exit_code == 0
    return path


def run(runner: CliRunner, *args: str, code: int = 0, **more: Any) -> str:
    result = runner.invoke(main, [*args], **more)
    assert result.exit_code == code, result.output
    return result.output


def listed(runner: CliRunner, kind: str = "all") -> set[str]:
    rows = json.loads(run(runner, "list", "--json", "--kind", kind))["conversations"]
    return {row["id"] for row in rows}


def test_a_dry_run_lists_whole_families_and_changes_nothing(filled: Path, runner: CliRunner) -> None:
    (family,) = json.loads(run(runner, "prune", "--source", "cron", "--json"))["families"]
    assert (family["id"], family["conversations"], family["messages"]) == ("job", 2, 4)
    assert family["bytes"] == len("run" + "ran" + "a part" + "done")
    assert "Nothing was changed" in run(runner, "prune", "--source", "cron", "--dry-run")
    assert listed(runner) == {"job", "part", "chat"}


def test_pruned_restored_and_emptied(filled: Path, runner: CliRunner) -> None:
    run(runner, "prune", "--source", "cron", "--yes")
    assert (listed(runner), listed(runner, "trash")) == ({"chat"}, {"job", "part"})
    assert "1 families, 2 conversations" in run(runner, "trash", "list")
    run(runner, "restore", "part")
    assert listed(runner) == {"job", "part", "chat"}
    run(runner, "undo")
    run(runner, "trash", "empty", code=2, input="n\n")
    assert listed(runner, "trash") == {"job", "part"}
    done = json.loads(run(runner, "trash", "empty", "--yes", "--json"))
    assert (done["conversations"], done["messages"], done["clean"]) == (2, 4, True)
    report = json.loads(run(runner, "import", str(filled), "--full", "--json"))
    assert (report["forgotten"], report["sessions"]) == (2, 1)
    assert listed(runner) == {"chat"}


@pytest.mark.sqlite_only("a backup beside the store's file")
def test_backups_that_still_hold_it_are_named(filled: Path, runner: CliRunner, tmp_path: Path) -> None:
    (tmp_path / "store.db.0001-20260101-000000.backup").write_text("an old one")
    assert "still in the backup" in run(runner, "forget", "job", "--yes")


def test_forgotten_and_remembered(filled: Path, runner: CliRunner) -> None:
    assert "1 branches and delegates stay" in run(runner, "forget", "job", "--yes")
    assert "1 session forgotten here, not taken" in run(runner, "import", str(filled))
    assert listed(runner) == {"part", "chat"}
    assert run(runner, "remember") == "1 sessions are forgotten\n"
    run(runner, "remember", "job")
    run(runner, "import", str(filled))
    assert listed(runner) == {"job", "part", "chat"}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("prune",), "say what to prune"),
        (("prune", "--older-than", "soon"), "such as 90d"),
        (("prune", "--larger-than", "huge"), "such as 5MB"),
        (("prune", "--source", "cron", "--yes", "--dry-run"), "--dry-run or --yes"),
        (("forget", "nope", "--yes"), "nope"),
        (("remember", "nope"), "give the whole id"),
        (("remember", "nope", "--all"), "ID or --all"),
        (("restore", "nope"), "nope"),
    ],
)
def test_wrong_use_is_one_line(filled: Path, runner: CliRunner, args: tuple[str, ...], said: str) -> None:
    output = run(runner, *args, code=2)
    assert said in output
    assert len(output.splitlines()) == 1


@pytest.mark.parametrize(("size", "found"), [("5KB", {"chat"}), ("5.1KB", set()), ("1", {"chat", "job"})])
def test_sizes_are_read(filled: Path, runner: CliRunner, size: str, found: set[str]) -> None:
    families = json.loads(run(runner, "prune", "--larger-than", size, "--json"))["families"]
    assert {one["id"] for one in families} == found


def test_ages_are_read(filled: Path, runner: CliRunner) -> None:
    assert json.loads(run(runner, "prune", "--older-than", "99999d", "--json"))["families"] == []
