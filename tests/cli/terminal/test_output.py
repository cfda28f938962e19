"""What is printed: nothing stored steers a terminal, and everything stays readable."""

import json

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import COMMANDS, main
from hermes_sessions.cli.terminal.output import clean, clean_block, print_json, print_table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("two\nlines\there", "two lines here"),
        ("\x1b[31mred\x1b[0m", "[31mred [0m"),
        ("\x9b2Jc1", "2Jc1"),
        ("right\u202eleft", "right left"),
        ("half \ud800", "half �"),
        ("漢字 🎉", "漢字 🎉"),
    ],
)
def test_clean(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_clean_block_keeps_lines() -> None:
    assert clean_block("a\r\n\tb\x07\x1b]0;title\x07") == "a\n\tb]0;title"


@pytest.mark.parametrize("text", ["\x1b[31m", "\x9b", "\u202e", "half \ud800", "漢字"])
def test_json_is_exact_and_harmless(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"text": text})
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"text": text}
    assert not set(printed) & set("\x1b\x9b\u202e")


def test_a_table_into_a_pipe_is_aligned_and_uncut(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("name", "n"), [("x" * 200, 5), ("y", None), ("a\x1bb", 1000)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "n"]
    assert lines[1] == "x" * 200 + "     5"
    assert lines[2] == "y"
    assert lines[3].split() == ["a", "b", "1000"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(runner: CliRunner, name: str) -> None:
    result = runner.invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert "Usage: " in result.stdout


def test_help_names_every_command(runner: CliRunner) -> None:
    shown = runner.invoke(main, ["--help"]).stdout
    assert all(f"  {name} " in shown for name in COMMANDS)
