"""Compacting while others write: nothing lost, nothing doubled; and what is refused."""

from typing import Any

import pytest
from sqlalchemy import update

from hermes_sessions import Store
from hermes_sessions.compaction import context_tokens
from hermes_sessions.errors import (
    CompactionRefusedError,
    StaleTranscriptError,
)
from hermes_sessions.handoff import BRACKET
from hermes_sessions.store.schema.models import Message
from tests.agents.hermes.hermes_builder import session as foreign_session
from tests.operations.agent.agents import Agent, failing, notes, policy, turns
from tests.operations.imports.scene import handoff, talk

TALK = [message["content"] for message in turns(20)]


@pytest.fixture
def agent(database):
    return Agent(database)


# -- while the summary is written ------------------------------------------------------------------


@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
def test_messages_that_arrive_meanwhile_are_in_the_tail(agent, store_url, in_place):
    session = agent.talked()
    late: list[dict[str, Any]] = [
        {"role": "user", "content": "and one thing more\0", "custom": 1},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "x", "function": {"name": "f"}}]},
        {"role": "tool", "tool_call_id": "x", "content": "done"},
    ]

    def meanwhile(request):
        with Store.open(store_url) as other:
            other.append_many(session, late)
        return notes(request)

    done = agent.compact(session, summarize=meanwhile, in_place=in_place)
    assert agent.store.load(done.session_id) == [*done.result.messages, *late]
    assert agent.scroll(session) == [*agent.said, "and one thing more\ufffd", "done"]
    tail = agent.compaction(done.compaction_id).tail_messages
    assert tail == len(done.result.plan.kept) + 3
    if not in_place:
        assert agent.undo(done.compaction_id) == session
        assert agent.store.load(session)[-3:] == late


def test_a_result_whose_call_was_left_out_meanwhile_stops_the_compaction(agent, store_url):
    session = agent.talked()
    asked = {"role": "assistant", "content": None, "tool_calls": [{"id": "x", "function": {"name": "f"}}]}
    agent.store.append_many(session, [asked, {"role": "user", "content": "and be quick"}])
    before = agent.store.load(session)
    answer = {"role": "tool", "tool_call_id": "x", "content": "42 passed"}

    def meanwhile(request):
        with Store.open(store_url) as other:
            other.append(session, answer)
        return notes(request)

    with pytest.raises(StaleTranscriptError, match="the result of call x came meanwhile; run it again"):
        agent.store.compact(session, policy=policy(), summarize=meanwhile)
    assert agent.store.load(session) == [*before, answer]
    done = agent.store.compact(session, policy=policy(), summarize=notes)
    assert agent.store.load(done.session_id)[-3:] == [*before[-2:], answer]


def test_a_request_that_quotes_the_bracket_stays(agent):
    session = agent.talked()
    question = {"role": "user", "content": f"{BRACKET} is on my screen. What is it, can I delete it?"}
    agent.store.append(session, question)
    done = agent.compact(session)
    assert question in agent.store.load(done.session_id)


def test_messages_to_the_parent_after_the_rotation_are_in_the_child(agent):
    session = agent.talked()
    child = agent.compact(session).session_id
    agent.say(session, {"role": "user", "content": "late for the train"})
    assert agent.store.load(child)[-1]["content"] == "late for the train"
    assert len(agent.rows(session)) == 40


CHANGES = {
    "rewound": {"state": "rewound", "shown": False},
    "text": {"text": "said otherwise"},
    "archived": {"state": "compacted"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_row_that_changed_meanwhile_stops_the_compaction(agent, change):
    session = agent.talked()
    stored = {}

    def meanwhile(request):
        with agent.database.write() as db:
            key = agent.rows(session)[10].id
            db.execute(update(Message).where(Message.id == key).values(**change))
        stored.update(agent.everything())
        return notes(request)

    with pytest.raises(StaleTranscriptError, match="changed meanwhile; run it again"):
        agent.store.compact(session, policy=policy(), summarize=meanwhile)
    assert agent.everything() == stored


def test_an_undo_meanwhile_stops_the_compaction(agent):
    session = agent.talked()
    first = agent.compact(session, policy=policy(tail_tokens=900))

    def meanwhile(request):
        agent.store.undo(first.compaction_id)
        return notes(request)

    with pytest.raises(StaleTranscriptError, match="taken away meanwhile"):
        agent.store.compact(first.session_id, policy=policy(tail_tokens=100), summarize=meanwhile)
    agent.check()
    assert agent.scroll(session) == agent.said


def test_a_summariser_that_breaks_leaves_a_fallback(agent):
    def broken(request):
        raise RuntimeError("no such luck")

    done = agent.compact(agent.talked(), summarize=broken)
    assert agent.compaction(done.compaction_id).error == "the summariser failed: RuntimeError: no such luck"


# -- refused ---------------------------------------------------------------------------------------


def test_a_compacted_session_is_not_compacted_again(agent):
    session = agent.talked()
    child = agent.compact(session).session_id
    with pytest.raises(CompactionRefusedError, match=f"continues in {child}"):
        agent.store.compact(session, policy=policy(), summarize=notes)


def test_an_imported_session_is_not_compacted_in_place(scene):
    scene.play([foreign_session("a")], talk("a", *TALK))
    agent = Agent(scene.database)
    before = agent.everything()
    with pytest.raises(CompactionRefusedError, match="an imported session is not changed"):
        agent.store.compact("a", policy=policy(), summarize=notes, in_place=True)
    assert agent.everything() == before


def test_an_imported_session_that_its_agent_compacted_is_not_compacted(scene):
    scene.play(
        [foreign_session("a", end_reason="compression"), foreign_session("b", parent="a")],
        [*talk("a", *TALK), handoff("b"), *talk("b", "ok", first="assistant")],
    )
    with pytest.raises(CompactionRefusedError, match="continues in b"):
        Agent(scene.database).store.compact("a", policy=policy(), summarize=notes)


# -- preview ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "systems"), [("You are an agent.", 1), ("You are kind.", 2)])
@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
def test_a_system_prompt_that_is_a_row_too_is_kept_once(agent, first, systems, in_place):
    session = agent.talked(0)
    agent.say(session, {"role": "system", "content": first}, *turns(20))
    done = agent.compact(session, in_place=in_place)
    roles = [one["role"] for one in agent.store.load(done.session_id)]
    assert roles[: systems + 1] == [*["system"] * systems, "user"]
    assert roles.count("system") == systems
    spans = [row for row in agent.rows(session) if row.archived_by == done.compaction_id]
    plan = done.result.plan
    assert len(spans) == len(plan.span)
    assert [row.position for row in spans] == [index - systems + 1 for index in plan.span]


def test_a_preview_is_what_happens_and_stores_nothing(agent):
    session = agent.talked()
    before = agent.everything()
    preview = agent.store.preview(session, policy=policy(), summarize=notes)
    assert agent.everything() == before
    done = agent.compact(session)
    assert (preview.plan, preview.result) == (done.result.plan, done.result)


def test_a_context_costs_what_the_engine_says(agent):
    session = agent.talked()
    preview = agent.store.preview(session, policy=policy(), summarize=notes)
    assert context_tokens(agent.store.load(session)) == preview.result.tokens_before


def test_a_policy_may_ask_for_no_change_without_a_summary(agent):
    session = agent.talked()
    done = agent.compact(session, summarize=failing("empty"), policy=policy(abort_on_summary_failure=True))
    assert agent.compactions() == [("rotation", "aborted")]
    assert done.session_id == session


# -- sync ------------------------------------------------------------------------------------------


def ours(agent, child):
    """Return what a sync must not touch."""
    tables = agent.everything()
    key = agent.session(child).id
    return (
        [one for one in tables["messages"] if one[1] == key],
        tables["compactions"],
        agent.store.load(child),
    )


@pytest.mark.parametrize("full", [False, True], ids=["sync", "full sync"])
def test_a_sync_touches_neither_parent_nor_child(scene, full):
    path = scene.write([foreign_session("a")], talk("a", *TALK))
    scene.bring(path)
    agent = Agent(scene.database)
    child = agent.compact("a").session_id
    before, tables = ours(agent, child), agent.everything()
    scene.bring(path, full=full)
    assert ours(agent, child) == before
    assert agent.everything()["messages"] == tables["messages"]


def test_rows_that_the_agent_adds_to_a_parent_keep_our_marks(scene):
    scene.play([foreign_session("a")], talk("a", *TALK))
    agent = Agent(scene.database)
    done = agent.compact("a")
    before = ours(agent, done.session_id)
    scene.alter(
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a', 'user', 'more', 1780009999)"
    )
    assert ours(agent, done.session_id) == before
    marked = [one for one in agent.rows("a") if one.archived_by == done.compaction_id]
    assert len(marked) == agent.compaction(done.compaction_id).span_messages
    assert scene.scroll("a").count("user: more") == 1


@pytest.fixture
def overtaken(scene):
    """An imported session that was compacted here, then by its agent: (agent, our compaction)."""
    scene.play([foreign_session("a")], talk("a", *TALK))
    agent = Agent(scene.database)
    done = agent.compact("a")
    agent.say(done.session_id, {"role": "user", "content": "said to ours"})
    later = [*talk("a", *TALK), handoff("b"), *talk("b", "the agent goes on", first="assistant")]
    scene.bring(
        scene.write([foreign_session("a", end_reason="compression"), foreign_session("b", parent="a")], later)
    )
    return agent, done


def test_where_the_agent_goes_on_itself_ours_becomes_the_fork(scene, overtaken):
    agent, done = overtaken
    assert scene.relations() == {"a": "root", done.session_id: "compaction*", "b": "compaction"}
    assert agent.store.load(done.session_id)[-1]["content"] == "said to ours"
    assert scene.scroll("a")[-1] == "assistant: the agent goes on"
    assert agent.compaction(done.compaction_id).fork


def test_a_fork_of_ours_is_compacted_into_a_fork(overtaken):
    agent, done = overtaken
    fork = done.session_id
    agent.say(fork, *turns(15, 20))
    child = agent.compact(fork).session_id
    assert agent.session(child).fork
    agent.say(fork, {"role": "user", "content": "to the fork"})
    assert agent.store.load(child)[-1]["content"] == "to the fork"
    with pytest.raises(CompactionRefusedError, match=f"continues in {child}"):
        agent.store.compact(fork, policy=policy(), summarize=notes)
    agent.check()


def test_what_becomes_a_fork_can_be_taken_back(scene):
    scene.play([foreign_session("a")], talk("a", *TALK))
    agent = Agent(scene.database)
    done = agent.compact("a")
    later = [*talk("a", *TALK), handoff("b"), *talk("b", "the agent goes on", first="assistant")]
    scene.bring(
        scene.write([foreign_session("a", end_reason="compression"), foreign_session("b", parent="a")], later)
    )
    agent.undo(done.compaction_id)
    assert scene.relations() == {"a": "root", "b": "compaction"}
