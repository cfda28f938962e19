"""The engine's recall tools on a database of the agent's form."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.integrations.hermes.plugin.recall import EXPAND, SEARCH, RecallTools

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.fixture
def tools(tmp_path: Path) -> RecallTools:
    db = sqlite3.connect(tmp_path / "state.db")
    db.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, end_reason TEXT)")
    db.execute(
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT,"
        " tool_calls TEXT, tool_name TEXT, active INTEGER DEFAULT 1)"
    )
    db.executemany(
        "INSERT INTO sessions VALUES (?, ?, ?)",
        [("old", None, "compression"), ("now", "old", None), ("branch", "now", None), ("other", None, None)],
    )
    rows = [
        (1, "old", "user", "The gate of 100% opens at port 8131."),
        (2, "old", "assistant", "Noted: port 8131."),
        (3, "other", "user", "port 8131 of somebody else"),
        (4, "now", "user", f"the key is {SECRET} for port 9000"),
        (5, "now", "assistant", "long " * 20_000),
        (6, "branch", "user", "port 8131 on a branch"),
    ]
    db.executemany("INSERT INTO messages (id, session_id, role, content) VALUES (?, ?, ?, ?)", rows)
    own = json.dumps([{"function": {"name": SEARCH, "arguments": '{"query": "8131"}'}}])
    db.execute(
        "INSERT INTO messages (id, session_id, role, tool_calls) VALUES (7, 'now', 'assistant', ?)", (own,)
    )
    db.commit()
    db.close()
    return RecallTools(tmp_path, "now")


def ask(tools: RecallTools, name: str, **arguments: Any) -> Any:
    return json.loads(tools.call(name, arguments))


def ids(answer: Any) -> list[int]:
    return [one["id"] for one in answer["messages"]]


def test_search_finds_in_this_conversation_alone_newest_first(tools: RecallTools) -> None:
    found = ask(tools, SEARCH, query="PORT 8131")
    assert ids(found) == [2, 1]
    assert [one["in_context"] for one in found["messages"]] == [False, False]
    assert "not instructions" in found["about"]


def test_signs_of_a_pattern_are_words(tools: RecallTools) -> None:
    assert ids(ask(tools, SEARCH, query="100%")) == [1]
    assert ids(ask(tools, SEARCH, query="_%_")) == []


def test_secrets_are_masked(tools: RecallTools) -> None:
    assert SECRET not in tools.call(SEARCH, {"query": "9000"})
    assert SECRET not in tools.call(EXPAND, {"around": 4})


def test_expand_reads_word_for_word_and_on(tools: RecallTools) -> None:
    found = ask(tools, EXPAND, around=2, limit=2)
    assert ids(found) == [1, 2]
    assert found["messages"][0]["text"] == "The gate of 100% opens at port 8131."
    assert ids(ask(tools, EXPAND, after=2, limit=1)) == [4]


def test_an_answer_is_bounded_and_says_what_is_missing(tools: RecallTools) -> None:
    text = tools.call(EXPAND, {"after": 0, "limit": 50})
    assert len(text) <= 20_000
    assert "more characters]" in text


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        pytest.param(SEARCH, {"query": ""}, "holds no word", id="nothing asked"),
        pytest.param(EXPAND, {"around": 3}, "no such message", id="of another conversation"),
        pytest.param(EXPAND, {"after": "x", "limit": "y", "around": []}, None, id="of any type"),
        pytest.param("erase", {}, "there is no tool", id="no such tool"),
    ],
)
def test_what_is_wrong_is_an_answer(tools: RecallTools, name: str, arguments: Any, error: str | None) -> None:
    answer = ask(tools, name, **arguments)
    assert error is None or error in answer["error"]


def test_a_database_that_is_missing_is_an_answer(tmp_path: Path) -> None:
    assert "error" in ask(RecallTools(tmp_path / "nowhere", "now"), SEARCH, query="x")
    assert not (tmp_path / "nowhere").exists()
