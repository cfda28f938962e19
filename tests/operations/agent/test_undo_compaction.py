"""Undo: exactly the state before, or one line that says what stands in the way."""

import pytest
from sqlalchemy import select

from hermes_sessions import Store
from hermes_sessions.errors import CompactionRefusedError, NotFoundError
from hermes_sessions.store.schema.models import Compaction
from tests.agents.hermes.hermes_builder import session as foreign_session
from tests.operations.agent.agents import Agent, failing, policy, turns
from tests.operations.imports.scene import handoff, talk


@pytest.fixture
def agent(database):
    return Agent(database)


def state(agent, session):
    """Return what must be the same after an undo."""
    rows = [
        (one.id, one.position, one.state, one.shown, one.copy_of, one.archived_by, one.search_key)
        for one in agent.rows(session)
    ]
    row = agent.session(session)
    listed = agent.store.conversations()["conversations"]
    tables = agent.everything()
    return (
        rows,
        (row.end_reason, row.ended_at, row.message_count, row.shown_count),
        agent.store.load(session),
        agent.scroll(session),
        [{**one, "last_active_at": None} for one in listed],
        (len(tables["messages"]), len(tables["sessions"]), tables["index"]),
    )


MERGING = {"head_messages": 1, "tail_tokens": 1, "min_tail_messages": 3}


@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
@pytest.mark.parametrize("sizes", [{}, {"head_messages": 0}, MERGING], ids=["head", "no head", "merged"])
def test_undo_restores_exactly_what_was(agent, in_place, sizes):
    session = agent.talked(title="Parser")
    before = state(agent, session)
    done = agent.compact(session, in_place=in_place, policy=policy(**sizes))
    assert agent.undo(done.compaction_id) == session
    assert state(agent, session) == before
    assert agent.compaction(done.compaction_id).status == "undone"


@pytest.mark.parametrize("sizes", [{}, MERGING], ids=["standalone", "merged"])
def test_undo_of_the_second_in_place_keeps_the_first(agent, sizes):
    session = agent.talked()
    agent.compact(session, in_place=True, policy=policy(**sizes))
    agent.say(session, *turns(15, 20))
    before = state(agent, session)
    done = agent.compact(session, in_place=True, policy=policy(**sizes))
    agent.undo(done.compaction_id)
    assert state(agent, session) == before


def test_undo_of_an_in_place_one_whose_head_lost_a_broken_result(agent):
    session = agent.store.create_session(system_prompt="You are an agent.")
    agent.say(session, {"role": "user", "content": "begin"})
    agent.say(session, {"role": "tool", "tool_call_id": "nobody", "content": "orphan"})
    agent.say(session, *turns(20))
    before = state(agent, session)
    done = agent.compact(session, in_place=True, policy=policy(head_messages=2))
    assert done.result.omissions
    agent.undo(done.compaction_id)
    assert state(agent, session) == before


def test_two_in_place_compactions_are_undone_one_after_the_other(agent):
    session = agent.talked()
    before = state(agent, session)
    first = agent.compact(session, in_place=True, policy=policy(tail_tokens=900, **{"head_messages": 1}))
    second = agent.compact(session, in_place=True, policy=policy(**MERGING))
    with pytest.raises(CompactionRefusedError, match=f"compaction {second.compaction_id} came after it"):
        agent.store.undo(first.compaction_id)
    agent.undo(second.compaction_id)
    agent.undo(first.compaction_id)
    assert state(agent, session) == before


def test_a_rotation_is_undone_although_something_in_its_child_was(agent):
    session = agent.talked()
    before = state(agent, session)
    first = agent.compact(session, policy=policy(tail_tokens=900))
    inside = agent.compact(first.session_id, in_place=True, policy=policy(tail_tokens=100))
    agent.compact(first.session_id, summarize=failing("auth"), policy=policy(tail_tokens=100))
    agent.undo(inside.compaction_id)
    agent.undo(first.compaction_id)
    assert state(agent, session) == before


def test_after_an_undo_the_session_goes_on_and_can_be_compacted_again(agent):
    session = agent.talked()
    agent.undo(agent.compact(session).compaction_id)
    agent.say(session, *turns(2, 20))
    child = agent.compact(session).session_id
    assert agent.scroll(child) == agent.said
    assert agent.compactions() == [("rotation", "undone"), ("rotation", "committed")]


@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
def test_new_messages_stand_in_the_way(agent, in_place):
    session = agent.talked()
    done = agent.compact(session, in_place=in_place)
    agent.say(session, *turns(1, 20))
    before = agent.everything()
    with pytest.raises(CompactionRefusedError, match="new messages after it would be lost: 2"):
        agent.store.undo(done.compaction_id)
    assert agent.everything() == before


def test_a_later_rotation_stands_in_the_way(agent):
    session = agent.talked()
    first = agent.compact(session, policy=policy(tail_tokens=900))
    second = agent.compact(first.session_id, policy=policy(tail_tokens=100))
    with pytest.raises(CompactionRefusedError, match=f"{second.session_id} continues from it"):
        agent.store.undo(first.compaction_id)


def test_an_undone_one_is_not_undone_again(agent):
    done = agent.compact(agent.talked())
    agent.undo(done.compaction_id)
    with pytest.raises(CompactionRefusedError, match="is undone"):
        agent.store.undo(done.compaction_id)


def test_an_aborted_one_is_not_undone(agent):
    done = agent.compact(agent.talked(), summarize=failing("auth"))
    with pytest.raises(CompactionRefusedError, match="is aborted"):
        agent.store.undo(done.compaction_id)


def test_an_unknown_one_is_named(agent):
    with pytest.raises(NotFoundError, match="compaction has the id 99"):
        agent.store.undo(99)


def test_one_of_the_agents_own_is_not_undone(scene):
    scene.play(
        [foreign_session("a", end_reason="compression"), foreign_session("b", parent="a")],
        [*talk("a", "do it", "done", "more"), handoff("b"), *talk("b", "ok", first="assistant")],
    )
    with scene.database.read() as db:
        key = db.scalars(select(Compaction.id)).one()
    with pytest.raises(CompactionRefusedError, match="the agent made it"):
        Store(scene.database).undo(key)


def test_undo_gives_an_imported_session_back_untouched(scene):
    scene.play([foreign_session("a")], talk("a", *(one["content"] for one in turns(20))))
    agent = Agent(scene.database)
    before = state(agent, "a")
    agent.undo(agent.compact("a").compaction_id)
    assert state(agent, "a") == before
