"""The engine's recall tools on a database of the agent's form."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.integrations.hermes.plugin import state_rows
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


def added(home: Path, text: str) -> None:
    db = sqlite3.connect(home / "state.db")
    with db:
        db.execute("INSERT INTO messages (session_id, role, content) VALUES ('now', 'user', ?)", (text,))
    db.close()


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


def test_a_secret_that_the_cut_goes_through_is_masked(tools: RecallTools, tmp_path: Path) -> None:
    key = "kq7Rz" * 7
    added(tmp_path, f"OPENAI_API_KEY={key} {'x ' * 90}needle")
    found = tools.call(SEARCH, {"query": "needle"})
    assert "needle" in found
    assert "kq7Rz" not in found
    added(tmp_path, "y " * 9_200 + f"OPENAI_API_KEY={key} " + "z " * 9_000)
    assert "kq7Rz" not in tools.call(EXPAND, {"after": 8, "limit": 1})


def test_a_find_in_a_very_long_message_is_shown_and_masked_around(tools: RecallTools, tmp_path: Path) -> None:
    key = "kq7Rz" * 7
    added(tmp_path, "x " * 300_000 + f"OPENAI_API_KEY={key} needle " + "z " * 200_000)
    [found] = ask(tools, SEARCH, query="needle")["messages"]
    assert "needle" in found["text"]
    assert "kq7Rz" not in found["text"]
    [found] = ask(tools, SEARCH, query=key)["messages"]
    assert "kq7Rz" not in found["text"]


def test_a_search_whose_time_is_over_gives_what_it_has_and_says_so(
    tools: RecallTools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        added(tmp_path, f"needle {number}")
    monkeypatch.setattr(state_rows, "_SECONDS", 0.0)
    answer = ask(tools, SEARCH, query="needle")
    assert [one["text"] for one in answer["messages"]] == ["needle 2"]
    assert "The time was over" in answer["note"]
    monkeypatch.undo()
    answer = ask(tools, SEARCH, query="needle")
    assert len(answer["messages"]) == 3
    assert "note" not in answer


def test_no_message_is_jumped_over(tools: RecallTools, tmp_path: Path) -> None:
    for _ in range(6):
        added(tmp_path, '"\n' * 9_000)
    seen, after = [], 0
    while "messages" in (found := ask(tools, EXPAND, after=after, limit=4)):
        seen += ids(found)
        after = seen[-1]
        assert found["next"] == f"{EXPAND}(after={after})" or len(found["messages"]) == 1
    assert seen == [1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13]


def test_a_message_longer_than_the_answer_is_read_on(tools: RecallTools, tmp_path: Path) -> None:
    text = "".join(f'"{number}"\n' for number in range(9_000))
    added(tmp_path, text)
    read, offset = "", 0
    while True:
        answer = tools.call(EXPAND, {"after": 7, "limit": 1, "offset": offset})
        assert len(answer) <= 20_000
        found = json.loads(answer)
        if "rest" not in found["messages"][0]:
            break
        assert found["next"] == found["messages"][0]["rest"]
        read += found["messages"][0]["text"].rpartition("… [")[0]
        offset = int(found["next"].rpartition("=")[2].rstrip(")"))
        assert offset == len(read)
    assert read + found["messages"][0]["text"] == text


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
