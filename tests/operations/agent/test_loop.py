"""The loop of docs/agents.md, long: thirty compactions over two thousand messages, and nothing is lost."""

from typing import Any

import pytest

from hermes_sessions import CompactionPolicy
from hermes_sessions.handoff import OWN_NOTE, split_handoff
from hermes_sessions.messages import read_message
from hermes_sessions.operations.auditing.unsaved_audit import audit_unsaved
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.operations.agent.agents import Agent, Dict

ROUNDS = 30
MESSAGES = 2_000
POLICY = CompactionPolicy(6_000, tail_tokens=600, min_tail_messages=4, encoding="none")


@pytest.fixture
def agent(database: Database) -> Agent:
    return Agent(database)


def turn(step: int) -> list[Dict]:
    """One request, worked on with narrated calls, answered in text."""
    work: list[Dict] = [{"role": "user", "content": f"Request {step}: mend src/part{step}.py and tell me."}]
    for number in range(3):
        name = f"call-{step}-{number}"
        function = {"name": "terminal", "arguments": f'{{"command": "pytest tests/test_{step}.py"}}'}
        call = {"id": name, "type": "function", "function": function}
        work.append({"role": "assistant", "content": f"Running test {number} now.", "tool_calls": [call]})
        output = f"{number + 1} passed in 0.{step} s\n" + "some output of the tool\n" * 12
        work.append({"role": "tool", "tool_call_id": name, "content": output})
    return [*work, {"role": "assistant", "content": f"Answer {step}: part {step} is mended."}]


def texts(messages: list[Dict]) -> list[str]:
    return [
        part.text
        for message in messages
        for part in split_handoff(message.get("content"))
        if part.kind == "message" and not part.text.startswith(OWN_NOTE)
    ]


def check_context(messages: list[Dict], said: list[Dict]) -> None:
    """The last request and answer are in sight, pairs are whole, roles in turn, one handoff."""
    shown = texts(messages)
    assert [text for text in texts(said) if text.startswith("Request")][-1] in shown
    assert [text for text in texts(said) if text.startswith("Answer")][-1] in shown
    read = [read_message(message) for message in messages]
    called = [name for message in read for call in message.tool_calls for name in call.ids]
    assert sorted(called) == sorted(name for message in read for name in message.result_ids)
    spoken = [message.role for message in read if message.role not in ("system", "tool")]
    assert spoken[0] == "user"
    handoffs = [
        part for message in messages for part in split_handoff(message["content"]) if part.kind == "handoff"
    ]
    assert len(handoffs) <= 1


@pytest.mark.slow
def test_thirty_rounds_over_two_thousand_messages_lose_nothing(agent: Agent) -> None:
    session = agent.store.create_session(system_prompt="You are an agent.", title="Parser")
    said: list[Dict] = []
    rounds: list[Any] = []
    for step in range(MESSAGES // 8):
        agent.now += 60
        agent.say(session, *(more := turn(step)))
        said += more
        context = agent.store.load(session)
        if len(rounds) < ROUNDS and len(said) >= MESSAGES // ROUNDS * (len(rounds) + 1):
            preview = agent.store.preview(session, policy=POLICY, summarize=ExtractiveSummarizer())
            done = agent.store.compact(
                session, policy=POLICY, summarize=ExtractiveSummarizer(), in_place=len(rounds) % 3 == 2
            )
            assert done.result.status == "committed", done.result.reason
            assert preview.plan == done.result.plan
            assert not agent.store.should_compact(done.session_id, POLICY, done.result.tokens_after)
            rounds.append(done)
            session = done.session_id
            context = agent.store.load(session)
        check_context(context, said)
    assert (len(said), len(rounds)) == (MESSAGES, ROUNDS)
    shown = agent.store.conversation(session)["messages"]
    parts = [part["text"] for one in shown for part in one["parts"] if part["kind"] == "message"]
    assert [text for text in parts if not text.startswith(OWN_NOTE)] == agent.said
    agent.check()
    assert len(agent.store.attempts(session)) == ROUNDS


def test_no_round_accuses_the_engine_of_its_own_lines(database: Database, agent: Agent) -> None:
    policy = CompactionPolicy(1_500, tail_tokens=200, min_tail_messages=4)
    session = agent.store.create_session(system_prompt="You are an agent.", title="Parser")
    for step in range(60):
        asked = f"Step {step}: read the next file and tell me about it."
        agent.say(session, {"role": "user", "content": asked})
        agent.say(session, {"role": "assistant", "content": f"Done with: {asked}"})
        if agent.store.should_compact(session, policy, 30 * len(agent.store.load(session))):
            done = agent.store.compact(session, policy=policy, summarize=ExtractiveSummarizer())
            session = done.session_id
    with database.read() as reader:
        audit = plain(audit_unsaved(reader, FindingListing()))
    judged = {"contradicts", "invented", "orders", "stale-task"}
    assert len(audit["compactions"]) >= 6
    assert [one for one in audit["findings"] if one["rule"] in judged] == []
