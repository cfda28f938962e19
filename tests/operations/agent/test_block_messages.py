"""Messages of content blocks: stored as what they are, loaded as they were given."""

import json

import pytest
from sqlalchemy import select

from hermes_sessions.store.schema.models import Message
from tests.operations.agent.agents import Agent

CALLED = {
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "The quay first.", "signature": "x"},
        {"type": "text", "text": "I look at the berths."},
        {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "harbour/berths.csv"}},
        {"type": "tool_use", "id": "t2", "name": "terminal", "input": {"command": "wc -l harbour/tides.log"}},
    ],
}
ANSWERED = {
    "role": "user",
    "content": [
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "Sandpiper,14"}]},
        {"type": "tool_result", "tool_use_id": "t2", "content": "3120 harbour/tides.log"},
    ],
}
TALK = [
    {"role": "user", "content": [{"type": "text", "text": "How many berths?"}]},
    CALLED,
    ANSWERED,
    {"role": "assistant", "content": [{"type": "text", "text": "Fourteen."}]},
]


@pytest.fixture
def agent(database):
    return Agent(database)


def stored(agent):
    columns = (Message.role, Message.text, Message.tool_calls, Message.tool_call_id, Message.tool_name)
    with agent.database.read() as db:
        return db.execute(select(*columns).order_by(Message.id)).all()


def test_blocks_are_loaded_as_they_were_given(agent):
    session = agent.store.create_session()
    agent.store.append_many(session, TALK)
    assert agent.store.load(session) == TALK


FOUND = {"Sandpiper": 1, "3120": 1, "berths.csv": 1, '"wc -l"': 1, "role:tool": 1, "berths": 2}


@pytest.mark.parametrize(("words", "count"), FOUND.items())
def test_what_a_tool_was_given_and_answered_is_found(agent, words, count):
    session = agent.store.create_session()
    agent.store.append_many(session, TALK)
    assert len(agent.store.search(words)["hits"]) == count


def test_calls_are_calls_and_results_are_results(agent):
    session = agent.store.create_session()
    agent.store.append_many(session, TALK)
    asked, called, answered, said = stored(agent)
    assert (asked.role, asked.text, asked.tool_calls) == ("user", "How many berths?", None)
    assert called.text == "I look at the berths."
    assert [one["function"]["name"] for one in json.loads(called.tool_calls)] == ["read_file", "terminal"]
    assert (answered.role, answered.text) == ("tool", "Sandpiper,14\n3120 harbour/tides.log")
    assert (answered.tool_call_id, answered.tool_name) == ("t1", "read_file")
    assert said.text == "Fourteen."


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": [*ANSWERED["content"], {"type": "text", "text": "Go on with the pier."}]},
        {"role": "user", "content": [{"type": "text", "text": 'What is "tool_use"?'}]},
        {"role": "tool", "tool_call_id": "t9", "content": [{"type": "text", "text": '{"tool_calls": 3}'}]},
    ],
    ids=["result and words", "words about calls", "a result in the other form"],
)
def test_words_beside_results_and_words_about_calls_are_words(agent, message):
    session = agent.store.create_session()
    agent.store.append_many(session, [*TALK[:2], message])
    row = stored(agent)[-1]
    assert (row.role, row.tool_call_id) == (message["role"], message.get("tool_call_id"))
    assert row.text == message["content"][-1]["text"]
    assert agent.store.load(session)[-1] == message


def test_a_reminder_of_the_agent_beside_a_result_does_not_hide_it(agent):
    session = agent.store.create_session()
    reminder = {"type": "text", "text": "<system-reminder>The file berths.csv has changed.</system-reminder>"}
    talk = [*TALK[:2], {**ANSWERED, "content": [*ANSWERED["content"], reminder]}]
    agent.store.append_many(session, talk)
    assert stored(agent)[-1].role == "tool"
    assert len(agent.store.search("Sandpiper")["hits"]) == 1
    assert agent.store.load(session) == talk
