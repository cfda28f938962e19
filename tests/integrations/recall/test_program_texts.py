"""What other programs are given is in their own syntax, and names the command to the letter."""

import json
import shlex
import tomllib

import pytest
import yaml
from ruamel.yaml import YAML

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


ODD = [
    "\t\n\r",
    "\x00\x1b",
    "\x7f",
    "\x85",
    "\x9f",
    "\u2028",
    "\ufeff",
    "\ufffe",
    "a: b # c",
    "- {x}",
    "${x} %h",
    "\\",
]


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_odd_characters_reach_every_program(odd: str) -> None:
    command = ["hermes-sessions", "mcp", "--db", f"/srv/{odd}/x.db"]
    made = tomllib.loads(render_config("codex", command))["mcp_servers"]["hermes-sessions"]
    assert [made["command"], *made["args"]] == command
    text = render_config("hermes", command)
    for read in (yaml.safe_load, YAML(typ="safe").load):
        made = read(text)["mcp_servers"]["hermes-sessions"]
        assert [made["command"], *made["args"]] == command
    assert json.loads(render_config("opencode", command))["mcp"]["hermes-sessions"]["command"] == command
    assert shlex.split(render_config("claude", command))[-4:] == command


def test_the_skill_is_short_and_names_tools_that_are_there() -> None:
    text = read_skill()
    assert len(text.splitlines()) <= 20
    named = {word for word in text.split("`")[1::2] if word.isalpha()}
    assert {"expand", "lost", "search", "list"} <= named
    assert named - {"around", "compaction", "next", "cursor", "offset"} <= {*TOOLS}


@pytest.mark.parametrize("program", list_programs())
def test_a_configuration_ends_its_last_line(program: str) -> None:
    assert render_config(program, COMMAND).endswith("\n")
