"""`Store`, as an agent's loop uses it: what goes in comes out, exactly."""

import json
import subprocess
import sys
from typing import Any

import pytest

from hermes_sessions import Store
from hermes_sessions.compaction import context_tokens
from hermes_sessions.errors import InvalidQueryError, NotFoundError, TranscriptError
from hermes_sessions.store.queries.conversations import ConversationListing
from tests.operations.agent.agents import NOW, Agent, failing, notes, policy, turns

CALL = {"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": '{"cmd": "ls'}}
SHAPES: dict[str, dict[str, Any]] = {
    "text": {"role": "user", "content": "hello"},
    "empty text": {"role": "assistant", "content": ""},
    "no content": {"role": "assistant", "content": None, "tool_calls": [CALL]},
    "no content key": {"role": "assistant", "tool_calls": [CALL]},
    "tool result": {"role": "tool", "tool_call_id": "c1", "name": "terminal", "content": "a\nb"},
    "blocks": {"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image_url", "n": 1}]},
    "plain text blocks": {"role": "user", "content": ["one", {"type": "text", "text": "two"}]},
    "unknown keys": {"role": "assistant", "content": "x", "refusal": None, "custom": {"deep": [1, 2.5]}},
    "empty values": {"role": "assistant", "content": "x", "tool_calls": [], "name": None, "reasoning": ""},
    "null calls": {"role": "assistant", "content": "x", "tool_calls": None, "tool_call_id": None},
    "reasoning": {"role": "assistant", "content": "x", "reasoning": "because", "finish_reason": "stop"},
    "number as id": {"role": "tool", "tool_call_id": 7, "content": "ok"},
    "calls as text": {"role": "assistant", "content": None, "tool_calls": "not a list"},
    "own time": {"role": "user", "content": "then", "timestamp": 1_700_000_000.25},
    "time as text": {"role": "user", "content": "then", "timestamp": "yesterday"},
    "impossible time": {"role": "user", "content": "then", "timestamp": 5e246},
    "nul": {"role": "user", "content": "a\0b", "name": "n\0"},
    "lone surrogate": {"role": "user", "content": "a\ud800b", "reasoning": "\udfff"},
    "nul in blocks": {"role": "user", "content": [{"type": "text", "text": "a\0\ud800"}]},
    "nul in unknown keys": {"role": "user", "content": "x", "custom": {"a\0": "\ud800"}},
    "odd role": {"role": "critic\0", "content": "x"},
}


@pytest.fixture
def agent(database):
    return Agent(database)


@pytest.mark.parametrize("message", SHAPES.values(), ids=SHAPES)
def test_load_gives_a_message_back_exactly(agent, message):
    session = agent.store.create_session()
    agent.store.append(session, message)
    assert agent.store.load(session) == [message]
    agent.check()


def test_an_appended_message_is_not_modified(agent):
    message = json.loads(json.dumps(SHAPES["unknown keys"]))
    agent.store.append(agent.store.create_session(), message)
    assert message == SHAPES["unknown keys"]


def test_load_gives_the_system_prompt_first(agent):
    session = agent.store.create_session(system_prompt="You are \ud800\0.")
    agent.store.append(session, SHAPES["text"])
    assert agent.store.load(session) == [{"role": "system", "content": "You are \ud800\0."}, SHAPES["text"]]


def test_an_own_timestamp_is_when_it_was_said(agent):
    session = agent.store.create_session()
    agent.store.append_many(session, [SHAPES["own time"], SHAPES["impossible time"]])
    assert [row.created_at for row in agent.rows(session)] == [1_700_000_000.25, NOW]


@pytest.mark.parametrize(
    ("message", "says"),
    [
        pytest.param({"content": "x"}, "needs a role", id="no role"),
        pytest.param({"role": "user", "content": 5}, "got int", id="content is a number"),
        pytest.param({"role": "user", "content": {"type": "text"}}, "got dict", id="content is a dict"),
        pytest.param({"role": "user", "content": b"x"}, "got bytes", id="content is bytes"),
        pytest.param({"role": "user", "content": "x", "at": object()}, "JSON", id="no JSON"),
    ],
)
def test_what_is_no_message_is_refused_and_nothing_stored(agent, message, says):
    session = agent.store.create_session()
    with pytest.raises(TranscriptError, match=says):
        agent.store.append_many(session, [SHAPES["text"], message])
    assert agent.rows(session) == []


def test_a_taken_session_id_is_refused(agent):
    agent.store.create_session(session_id="mine")
    with pytest.raises(InvalidQueryError, match="'mine' is there already"):
        agent.store.create_session(session_id="mine")


@pytest.mark.parametrize("name", ["a\ud800", "a\0b"])
def test_an_id_that_cannot_be_stored_is_refused(agent, name):
    with pytest.raises(InvalidQueryError, match="cannot have the id"):
        agent.store.create_session(session_id=name)


def test_any_other_id_is_taken_as_it_is(agent):
    name = "../a/b?c=%00&d=ü e"
    session = agent.store.create_session(session_id=name)
    agent.store.append(session, SHAPES["text"])
    assert agent.store.conversation(name)["conversation"]["id"] == name


def test_sessions_get_ids_of_their_own(agent):
    assert len({agent.store.create_session() for _ in range(20)}) == 20


def test_a_list_shows_title_and_first_request(agent):
    session = agent.store.create_session(title="Parser", model="m", cwd="/src", source="cli")
    agent.store.append_many(session, [{"role": "assistant", "content": "Welcome."}, SHAPES["text"]])
    [listed] = agent.store.conversations()["conversations"]
    assert (listed["title"], listed["preview"], listed["model"], listed["cwd"], listed["source"]) == (
        "Parser", "hello", "m", "/src", "cli",
    )  # fmt: skip
    agent.check()


@pytest.mark.parametrize("method", ["load", "attempts"])
def test_an_unknown_session_is_named(agent, method):
    with pytest.raises(NotFoundError, match="'nobody'"):
        getattr(agent.store, method)("nobody")


def test_search_finds_what_was_appended_and_once_what_was_carried_over(agent):
    session = agent.talked()
    agent.say(session, {"role": "user", "content": "the zeppelin is late"})
    child = agent.compact(session).session_id
    agent.say(child, {"role": "assistant", "content": "the zeppelin has landed"})
    found = [one for one in agent.store.search("zeppelin -in:handoff")["hits"]]
    assert [(one["session"], one["role"]) for one in found[:1]] == [(child, "assistant")]
    assert [one["session"] for one in found[1:]] == [session]


@pytest.mark.parametrize("limit", [0, -1, -50, 2**63])
def test_a_page_without_room_is_refused(agent, limit):
    agent.talked()
    for ask in (
        lambda: agent.store.search("turn", limit=limit),
        lambda: agent.store.search("turn", limit=limit, order="relevance"),
        lambda: agent.store.conversations(ConversationListing(limit=limit)),
    ):
        with pytest.raises(InvalidQueryError, match="limit is a number from 1"):
            ask()


def test_an_unknown_order_is_refused(agent):
    with pytest.raises(InvalidQueryError, match="order is one of newest, relevance"):
        agent.store.search("turn", order="oldest")


def test_a_store_opens_by_path_and_closes(tmp_path):
    with Store.open(str(tmp_path / "new" / "agent.db")) as store:
        session = store.create_session()
        store.append(session, SHAPES["text"])
    with Store.open(str(tmp_path / "new" / "agent.db")) as store:
        assert store.load(session) == [SHAPES["text"]]


# -- when to compact -------------------------------------------------------------------------------


def test_a_full_context_is_due(agent):
    session = agent.talked()
    assert agent.store.should_compact(session, policy(), 3_000)
    assert not agent.store.should_compact(session, policy(), 100)


def test_a_failed_attempt_is_followed_by_a_pause(agent):
    session = agent.talked()
    agent.compact(session, summarize=failing("auth"))
    agent.now += 59
    assert not agent.store.should_compact(session, policy(), 3_000)
    agent.now += 2
    assert agent.store.should_compact(session, policy(), 3_000)


def test_what_a_provider_counts_besides_asks_for_no_idle_compaction(agent):
    session = agent.store.create_session()
    agent.store.append_many(session, [*turns(3), {"role": "user", "content": "big request " + "w " * 1_780}])
    given = policy(tail_tokens=100, min_tail_messages=0, min_saving=0.0)
    for step in range(4):
        name = f"c{step}"
        calls = [{"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}}]
        agent.store.append(session, {"role": "assistant", "content": None, "tool_calls": calls})
        agent.store.append(session, {"role": "tool", "tool_call_id": name, "content": "ok " * 80})
    session = agent.store.compact(session, policy=given, summarize=notes).session_id
    [attempt] = agent.store.attempts(session)
    assert not attempt.failed
    assert attempt.tokens_after > given.threshold_tokens, attempt
    own = context_tokens(agent.store.load(session), given.encoding)
    assert not agent.store.should_compact(session, given, own)
    assert not agent.store.should_compact(session, given, own + 1_000)
    agent.store.append(session, {"role": "assistant", "content": "and more " * 150})
    assert agent.store.should_compact(session, given, own + 1_000)


def test_a_success_ends_the_pause(agent):
    session = agent.talked()
    agent.compact(session, summarize=failing("connection"))
    agent.now += 1
    agent.compact(session, in_place=True)
    assert [one.failed for one in agent.store.attempts(session)] == [True, False]
    assert not agent.store.should_compact(session, policy(), 3_000), "nothing was said behind it"
    agent.say(session, *turns(4, 90))
    assert agent.store.should_compact(session, policy(), 3_000)


def test_a_compaction_that_would_save_too_little_is_no_failure(agent):
    session = agent.talked()
    agent.compact(session, policy=policy(min_saving=0.99))
    [attempt] = agent.store.attempts(session)
    assert (attempt.failed, attempt.tokens_after) == (False, attempt.tokens_before)


def test_attempts_are_those_of_the_whole_conversation(agent):
    session = agent.talked()
    child = agent.compact(session).session_id
    agent.say(child, *turns(20, 20))
    agent.now += 100
    agent.compact(child, summarize=failing("auth"))
    assert [one.failed for one in agent.store.attempts(child)] == [False, True]


def test_the_loop_in_the_documentation_runs(tmp_path, pytestconfig):
    page = (pytestconfig.rootpath / "docs" / "agents.md").read_text()
    code = page.split("```python\n")[1].split("```")[0]
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(pytestconfig.rootpath)},
        capture_output=True,
        text=True,
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.endswith(" continues\n")
    with Store.open(str(tmp_path / "agent.db")) as store:
        [listed] = store.conversations()["conversations"]
        shown = [one for one in store.conversation(listed["id"])["messages"] if one["kind"] == "message"]
        assert [one["role"] for one in shown] == ["user", "assistant"] * 60
        assert listed["compactions"] >= 2
        assert listed["title"] == "Parser"
