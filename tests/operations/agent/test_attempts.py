"""Whatever goes wrong in a compaction is an attempt with a reason: nothing is raised into an agent's loop."""

import pytest

from hermes_sessions.errors import InvariantError
from hermes_sessions.operations.agent import compact
from hermes_sessions.store.opening.database import Database
from tests.operations.agent.agents import Agent, notes, policy


@pytest.fixture
def agent(database: Database) -> Agent:
    return Agent(database)


def test_a_context_that_cannot_be_made_to_fit_is_asked_for_once(agent: Agent) -> None:
    session = agent.store.create_session()
    agent.say(session, {"role": "user", "content": "a request that is far too long " * 900})
    tokens = 4_500
    assert agent.store.should_compact(session, policy(), tokens)
    done = agent.compact(session)
    assert (str(done.result.status), done.session_id) == ("nothing", session)
    assert "does not fit" in done.result.reason
    assert agent.compaction(done.compaction_id).status == "aborted"
    assert not agent.store.should_compact(session, policy(), tokens)
    agent.now += 61
    assert not agent.store.should_compact(session, policy(), tokens), "it would end as before"
    agent.say(session, {"role": "assistant", "content": "I read the first part."})
    assert agent.store.should_compact(session, policy(), tokens), "after the pause, with something new"


def test_a_count_that_the_engine_does_not_share_is_asked_about_once(agent: Agent) -> None:
    session = agent.talked(2)
    assert agent.store.should_compact(session, policy(), 4_500)
    done = agent.compact(session)
    assert str(done.result.status) == "nothing"
    assert agent.compaction(done.compaction_id).status == "aborted"
    assert not agent.store.should_compact(session, policy(), 4_500)
    agent.now += 61
    assert not agent.store.should_compact(session, policy(), 4_500), "nothing was said since"
    assert agent.compact(session).compaction_id is None, "nobody found it due"


def test_a_check_of_the_engine_that_fails_is_an_attempt(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **values: object) -> None:
        raise InvariantError("a tool call and its results were parted")

    session = agent.talked(20)
    before = agent.store.load(session)
    monkeypatch.setattr(compact, "compact_transcript", broken)
    done = agent.store.compact(session, policy=policy(), summarize=notes)
    assert (str(done.result.status), done.session_id) == ("aborted", session)
    assert "parted" in (agent.compaction(done.compaction_id).error or "")
    assert agent.store.load(session) == before
    agent.check()
