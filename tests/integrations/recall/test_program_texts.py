"""What other programs are given is in their own syntax, and names the command to the letter."""

import json
import shlex
import tomllib

import pytest
import yaml

from hermes_sessions.integrations.recall.program_texts import list_programs, read_skill, render_config
from hermes_sessions.integrations.recall.tools import TOOLS

COMMAND = ["hermes-sessions", "mcp", "--db", '/a "b" $c ключ.db', "--only", "it's"]


def test_four_programs_are_known() -> None:
    assert list_programs() == ["claude", "codex", "hermes", "opencode"]


def test_claude_is_given_a_command_line() -> None:
    words = shlex.split(render_config("claude", COMMAND))
    assert words[: words.index("--")] == ["claude", "mcp", "add", "hermes-sessions"]
    assert words[words.index("--") + 1 :] == COMMAND


def test_codex_is_given_toml() -> None:
    made = tomllib.loads(render_config("codex", COMMAND))["mcp_servers"]["hermes-sessions"]
    assert [made["command"], *made["args"]] == COMMAND


def test_the_agent_with_yaml_is_given_yaml() -> None:
    made = yaml.safe_load(render_config("hermes", COMMAND))["mcp_servers"]["hermes-sessions"]
    assert [made["command"], *made["args"]] == COMMAND


def test_opencode_is_given_json() -> None:
    made = json.loads(render_config("opencode", COMMAND))["mcp"]["hermes-sessions"]
    assert (made["type"], made["command"]) == ("local", COMMAND)


def test_the_skill_is_short_and_names_tools_that_are_there() -> None:
    text = read_skill()
    assert len(text.splitlines()) <= 20
    named = {word for word in text.split("`")[1::2] if word.isalpha()}
    assert {"expand", "lost", "search", "list"} <= named
    assert named - {"around", "compaction", "next", "cursor", "offset"} <= {*TOOLS}


@pytest.mark.parametrize("program", list_programs())
def test_a_configuration_ends_its_last_line(program: str) -> None:
    assert render_config(program, COMMAND).endswith("\n")
