"""Clients of the official SDK, of both its generations, list and call every tool."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.integrations.recall.tools import TOOLS
from tests.integrations.recall import sdk_client
from tests.integrations.recall.planted import NEW, RULE
from tests.integrations.recall.running import COMMAND
from tests.integrations.recall.test_tools import CALLS

pytestmark = pytest.mark.slow

OLD_SDK = "1.26.0"


@pytest.fixture(scope="module")
def old_sdk(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python of its own with the SDK's first generation, from the package index."""
    folder = tmp_path_factory.mktemp(f"mcp-{OLD_SDK}")
    python = folder / "bin" / "python"
    venv.create(folder, with_pip=True)
    told = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", f"mcp=={OLD_SDK}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if told.returncode:
        if "mcp-1" in os.environ.get("HERMES_SESSIONS_DEMAND", "").split(","):
            pytest.fail(told.stderr[-500:], pytrace=False)
        pytest.skip(f"the package index gives no mcp {OLD_SDK}")
    return str(python)


def talk(
    python: str, url: str, calls: list[tuple[str, dict[str, Any]]], way: str = "greet"
) -> dict[str, Any]:
    script = Path(str(sdk_client.__file__))
    told = subprocess.run(
        [python, str(script), way, json.dumps(calls), *COMMAND, "--db", url],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    heard: dict[str, Any] = json.loads(told.stdout)
    return heard


@pytest.fixture(params=["old", "new"])
def python(request: pytest.FixtureRequest) -> str:
    """A Python with one generation of the SDK."""
    if request.param == "new":
        return sys.executable
    named: str = request.getfixturevalue("old_sdk")
    return named


def test_every_tool_is_listed_read_only_and_answers(python: str, planted_url: str) -> None:
    heard = talk(python, planted_url, [*CALLS, ("nothing", {})])
    assert [one["name"] for one in heard["tools"]] == [*TOOLS]
    assert all(one["annotations"]["readOnlyHint"] for one in heard["tools"])
    assert "Before you say that you do not remember" in heard["started"]["instructions"]
    *answers, refused = heard["answers"]
    assert "there is no tool 'nothing'" in json.dumps(refused)
    for answer in answers:
        assert not answer.get("isError")
        assert json.loads(answer["content"][0]["text"])["recallquote"].startswith("Quoted")


def test_the_planted_loss_is_named_and_its_words_are_quoted(python: str, planted_url: str) -> None:
    lost = talk(python, planted_url, [("lost", {"conversation": NEW})])["answers"][0]
    [rule] = [one for one in json.loads(lost["content"][0]["text"])["lost"] if "5433" in one["text"]]
    asked = ("expand", {"conversation": NEW, "around": rule["message"], "limit": 1})
    quoted = talk(python, planted_url, [asked])["answers"][0]
    assert [one["text"] for one in json.loads(quoted["content"][0]["text"])["messages"]] == [RULE]


def test_a_client_of_the_newest_protocol_needs_no_greeting(planted_url: str) -> None:
    heard = talk(sys.executable, planted_url, [("search", {"query": "5433"})], "at-once")
    assert [one["name"] for one in heard["tools"]] == [*TOOLS]
    assert RULE in heard["answers"][0]["content"][0]["text"]
