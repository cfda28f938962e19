"""The command `mcp` besides serving: what it prints, and what it says where the SDK is not there."""

import sys

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main


def test_a_configuration_repeats_the_options_given(runner: CliRunner, store_url: str) -> None:
    told = runner.invoke(
        main, ["mcp", "--sync", "--only", "abc", "--origin", "work", "--print-config", "claude"]
    )
    assert told.exit_code == 0
    place = store_url if "://" in store_url else f"--db {store_url}"
    assert place.split("?")[0][-12:] in told.stdout
    assert told.stdout.rstrip().endswith("--sync --only abc --origin work")


def test_the_default_store_is_not_named(runner: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HERMES_SESSIONS_DB", raising=False)
    told = runner.invoke(main, ["mcp", "--print-config", "claude"], env={"HERMES_SESSIONS_DB": None})
    assert told.stdout == "claude mcp add hermes-sessions -- hermes-sessions mcp\n"


def test_the_skill_is_printed(runner: CliRunner) -> None:
    told = runner.invoke(main, ["mcp", "--print-skill"])
    assert told.stdout.startswith("---\nname: recall\n")


def test_without_the_sdk_one_line_says_what_to_install(
    runner: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [one for one in sys.modules if one == "mcp" or one.startswith("mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "hermes_sessions.integrations.recall.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp", None)
    told = runner.invoke(main, ["mcp"])
    assert told.exit_code == 2
    assert "pip install 'hermes-sessions[mcp]'" in told.stderr
    assert len(told.stderr.splitlines()) == 1
