"""What a compaction leaves in the store: rows, links, numbers, one scroll."""

import pytest
from sqlalchemy import select

from hermes_sessions.handoff import split_handoff
from hermes_sessions.messages import MessageKind
from hermes_sessions.store.schema.models import Message
from tests.agents.hermes.hermes_builder import row
from tests.agents.hermes.hermes_builder import session as foreign_session
from tests.operations.agent.agents import NOW, Agent, failing, notes, policy, turns
from tests.operations.imports.scene import handoff, talk


@pytest.fixture
def agent(database):
    return Agent(database)


def copies(agent, session):
    """Return the texts of a session's copies with those of the rows they repeat."""
    with agent.database.read() as db:
        return [
            (one.text, db.get_one(Message, one.copy_of).text)
            for one in agent.rows(session)
            if one.copy_of is not None
        ]


# -- rotation --------------------------------------------------------------------------------------


def test_a_rotation_ends_the_parent_and_opens_a_child(agent):
    parent = agent.talked(title="Parser", model="m", cwd="/src", source="cli")
    agent.now += 60
    child = agent.session(agent.compact(parent).session_id)
    ended = agent.session(parent)
    assert (ended.end_reason, ended.ended_at) == ("compression", agent.now)
    assert (child.parent_session_id, child.parent_id, child.relation) == (parent, ended.id, "compaction")
    assert (child.title, child.model, child.cwd, child.source) == ("Parser #2", "m", "/src", "cli")
    assert (child.started_at, child.ended_at, child.system_prompt_hash) == (
        agent.now, None, ended.system_prompt_hash,
    )  # fmt: skip


def test_load_of_the_child_is_what_the_engine_made(agent):
    done = agent.compact(agent.talked())
    assert agent.store.load(done.session_id) == done.result.messages


def test_the_parent_keeps_every_row_live(agent):
    parent = agent.talked()
    before = agent.store.load(parent)
    agent.compact(parent)
    assert agent.store.load(parent) == before


def test_the_one_scroll_shows_every_message_once(agent):
    parent = agent.talked()
    child = agent.compact(parent).session_id
    agent.say(child, *turns(3, 20))
    assert agent.scroll(parent) == agent.scroll(child) == agent.said


def test_a_child_begins_with_copies_of_the_first_occurrence_and_one_handoff(agent):
    parent = agent.talked()
    child = agent.compact(parent).session_id
    assert all(copied == first for copied, first in copies(agent, child))
    assert len(copies(agent, child)) == len(agent.rows(child)) - 1
    assert [one.kind for one in agent.handoffs(child)] == [MessageKind.HANDOFF]


def test_copies_of_copies_name_the_first_occurrence(agent):
    first = agent.talked()
    second = agent.compact(first, policy=policy(tail_tokens=900)).session_id
    third = agent.compact(second, policy=policy(tail_tokens=100, min_tail_messages=2)).session_id
    of_first = {one.id for one in agent.rows(first)}
    assert {one.copy_of for one in agent.rows(third) if one.copy_of is not None} <= of_first
    assert agent.scroll(first) == agent.said


def test_the_row_of_a_compaction_says_what_happened(agent):
    parent = agent.talked()
    agent.now += 5
    done = agent.compact(parent, focus="the parser", trigger="manual")
    row, plan = agent.compaction(done.compaction_id), done.result.plan
    rows = agent.rows(parent)
    assert (row.realisation, row.status, row.method, row.trigger) == (
        "rotation", "committed", "model", "manual",
    )  # fmt: skip
    assert (row.focus, row.policy["tail_tokens"], row.error) == ("the parser", 300, None)
    # Index 0 of the plan is the system prompt, which is no row.
    assert row.span_first_id == rows[plan.span[0] - 1].id
    assert row.span_last_id == rows[plan.span[-1] - 1].id
    assert (row.span_messages, row.head_messages) == (len(plan.span), plan.head_end - 1)
    assert row.tail_messages == len(plan.kept)
    assert row.head_messages + row.span_messages + row.tail_messages == len(rows)
    assert (row.tokens_before, row.tokens_after) == (done.result.tokens_before, done.result.tokens_after)
    assert row.summary == split_handoff(done.result.handoff)[0].text
    assert (row.started_at, row.finished_at) == (NOW + 5, NOW + 5)
    assert row.handoff_id == agent.handoffs(done.session_id)[0].id


def test_what_was_summarised_names_its_compaction(agent):
    parent = agent.talked()
    done = agent.compact(parent)
    archived = [at for at, one in enumerate(agent.rows(parent)) if one.archived_by == done.compaction_id]
    assert archived == [index - 1 for index in done.result.plan.span]


def test_three_rotations_make_one_conversation(agent):
    session = root = agent.talked(title="Parser")
    for number in range(3):
        session = agent.compact(session).session_id
        agent.say(session, *turns(15, 20 + 15 * number))
    listed = agent.store.conversations()["conversations"]
    assert [(one["id"], one["tip"], one["sessions"], one["compactions"]) for one in listed] == [
        (root, session, 4, 3)
    ]
    assert agent.session(session).title == "Parser #4"
    assert agent.scroll(root) == agent.said
    assert len(agent.handoffs(session)) == 1


def test_a_second_compaction_does_not_count_the_handoff_among_the_messages(agent):
    first = agent.talked()
    second = agent.compact(first).session_id
    agent.say(second, *turns(15, 20))
    done = agent.compact(second)
    archived = [one for one in agent.rows(second) if one.archived_by == done.compaction_id]
    assert len(archived) == agent.compaction(done.compaction_id).span_messages
    assert {one.kind for one in archived} == {MessageKind.MESSAGE}


def test_an_untitled_parent_has_an_untitled_child(agent):
    assert agent.session(agent.compact(agent.talked()).session_id).title is None


def test_a_number_that_another_session_has_is_passed_over(agent):
    root = agent.talked(title="Parser #7")
    assert agent.session(agent.compact(root).session_id).title == "Parser #8"


def test_unknown_keys_and_odd_texts_survive_a_compaction(agent):
    odd = {"role": "assistant", "content": "a\0\ud800", "custom": {"a": None}, "tool_calls": None}
    session = agent.talked()
    agent.store.append_many(session, [odd, {"role": "user", "content": [{"type": "text", "text": "\0"}]}])
    done = agent.compact(session)
    assert odd in agent.store.load(done.session_id)
    assert agent.store.load(done.session_id) == done.result.messages


def merged_talk(agent):
    """Return a session whose compaction has to merge the handoff: head ends and tail begins alike."""
    session = agent.talked(20)
    done = agent.compact(session, policy=policy(head_messages=1, tail_tokens=1, min_tail_messages=3))
    return session, done


def test_a_merged_handoff_is_shown_and_its_reply_stays_where_it_was(agent):
    session, done = merged_talk(agent)
    [carrier] = agent.handoffs(done.session_id)
    assert carrier.kind == MessageKind.MERGED
    assert carrier.copy_of in {one.id for one in agent.rows(session)}
    assert agent.scroll(session) == agent.said
    shown = agent.store.conversation(session)["messages"]
    [card] = [message for message in shown if message["kind"] == "handoff"]
    assert [part["kind"] for part in card["parts"]] == ["handoff"]
    assert (card["id"], card["copy_of"]) == (carrier.id, carrier.copy_of)


def test_a_merged_handoff_is_taken_apart_by_the_next_compaction(agent):
    session, done = merged_talk(agent)
    agent.say(done.session_id, *turns(15, 20))
    again = agent.compact(done.session_id)
    assert len(agent.handoffs(again.session_id)) == 1
    assert agent.scroll(session) == agent.said


def tool_run(count):
    """Yield one request, then *count* tool calls with their results."""
    yield {"role": "user", "content": "please repair the parser"}
    yield {"role": "assistant", "content": "I start with the tests."}
    for number in range(count):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "run", "arguments": "{}"}}
        yield {"role": "assistant", "content": None, "tool_calls": [call]}
        yield {"role": "tool", "tool_call_id": f"c{number}", "name": "run", "content": f"line {number} " * 20}


def test_carried_anchors_are_copies_of_their_first_occurrence(agent):
    session = agent.store.create_session(system_prompt="You are an agent.")
    agent.say(session, *tool_run(60))
    done = agent.compact(session, policy=policy(head_messages=0))
    assert done.result.plan.carried
    repeated = [one.copy_of for one in agent.rows(done.session_id) if one.copy_of is not None]
    first = [one.id for one in agent.rows(session)]
    assert repeated == [first[index - 1] for index in done.result.plan.kept]
    assert agent.compaction(done.compaction_id).tail_messages == len(done.result.plan.kept)
    assert agent.scroll(session) == [one for one in agent.said if one]


def test_broken_pairs_stay_in_the_parent_only(agent):
    session = agent.store.create_session(system_prompt="You are an agent.")
    agent.say(session, {"role": "user", "content": "begin"})
    agent.say(session, {"role": "tool", "tool_call_id": "nobody", "content": "orphan"})
    agent.say(session, *turns(20))
    done = agent.compact(session, policy=policy(head_messages=2))
    assert [one.what for one in done.result.omissions] == ["orphan result"]
    assert "orphan" not in [one.text for one in agent.rows(done.session_id)]
    assert agent.scroll(session) == agent.said


# -- other ends ------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_place", [False, True])
def test_an_aborted_compaction_leaves_its_reason_and_nothing_else(agent, in_place):
    session = agent.talked()
    before = agent.rows(session)
    done = agent.compact(session, summarize=failing("auth"), in_place=in_place)
    assert (done.session_id, str(done.result.status)) == (session, "aborted")
    row = agent.compaction(done.compaction_id)
    assert (row.status, row.error, row.tokens_after) == ("aborted", "the model says auth", None)
    assert [one.id for one in agent.rows(session)] == [one.id for one in before]
    assert agent.session(session).end_reason is None
    assert agent.store.conversations()["conversations"][0]["compactions"] == 0


def test_a_compaction_after_an_aborted_one_goes_through(agent):
    session = agent.talked()
    agent.compact(session, summarize=failing("connection"))
    agent.compact(session)
    assert agent.compactions() == [("rotation", "aborted"), ("rotation", "committed")]


def test_a_fallback_is_recorded_with_its_reason(agent):
    done = agent.compact(agent.talked(), summarize=failing("timeout"))
    row = agent.compaction(done.compaction_id)
    assert (row.status, row.method, row.error) == ("committed", "fallback", "the model says timeout")


def test_nothing_to_compact_leaves_no_row(agent):
    session = agent.talked(1)
    done = agent.compact(session)
    assert (done.compaction_id, done.session_id, str(done.result.status)) == (None, session, "nothing")
    assert agent.compactions() == []


# -- in place --------------------------------------------------------------------------------------


def test_in_place_the_session_goes_on_with_the_new_transcript(agent):
    session = agent.talked()
    done = agent.compact(session, in_place=True)
    assert done.session_id == session
    assert agent.store.load(session) == done.result.messages
    assert agent.scroll(session) == agent.said
    assert (agent.session(session).end_reason, len(agent.handoffs(session))) == (None, 1)


def test_in_place_old_rows_are_archived_in_front_of_the_new(agent):
    session = agent.talked()
    before = len(agent.rows(session))
    agent.compact(session, in_place=True)
    rows = agent.rows(session)
    assert {one.state for one in rows[:before]} == {"compacted"}
    assert {one.state for one in rows[before:]} == {"live"}


def test_in_place_twice_keeps_one_live_handoff_and_one_scroll(agent):
    session = agent.talked()
    agent.compact(session, in_place=True)
    agent.say(session, *turns(15, 20))
    done = agent.compact(session, in_place=True)
    agent.say(session, *turns(2, 35))
    assert agent.store.load(session)[: len(done.result.messages)] == done.result.messages
    assert [one.state for one in agent.handoffs(session)] == ["compacted", "live"]
    assert agent.scroll(session) == agent.said
    assert agent.compactions() == [("in_place", "committed")] * 2


def test_in_place_and_rotation_follow_each_other(agent):
    session = agent.talked()
    agent.compact(session, in_place=True)
    agent.say(session, *turns(15, 20))
    child = agent.compact(session).session_id
    agent.say(child, *turns(15, 35))
    agent.compact(child, in_place=True)
    assert agent.scroll(session) == agent.said
    assert [one["realisation"] for one in compactions(agent, session)] == ["in_place", "rotation", "in_place"]


def compactions(agent, any_id):
    from hermes_sessions.operations.documents.compactions import compactions_document
    from hermes_sessions.operations.documents.encoding import plain

    with agent.database.read() as db:
        return plain(compactions_document(db, any_id))["compactions"]


# -- imported sessions -----------------------------------------------------------------------------

TALK = [message["content"] for message in turns(20)]


def test_an_imported_parent_is_not_ended_by_us(scene):
    scene.play([foreign_session("a", title="Parser")], talk("a", *TALK))
    before = scene.session("a")
    agent = Agent(scene.database)
    child = agent.session(agent.compact("a").session_id)
    after = scene.session("a")
    assert (after.end_reason, after.ended_at, after.title) == (None, None, "Parser")
    assert (after.origin_id, after.origin_mark) == (before.origin_id, before.origin_mark)
    assert (child.title, child.parent_id, child.parent_session_id) == ("Parser #2", after.id, "a")
    assert child.origin_id != after.origin_id


def test_an_imported_history_is_compacted_without_its_archived_rows(scene):
    live = [
        row("a", "user", text) if at % 2 == 0 else row("a", "assistant", text) for at, text in enumerate(TALK)
    ]
    archived = [
        {**one, "active": 0, "compacted": 1} for one in talk("a", "old question", "old answer", "go on")
    ]
    scene.play([foreign_session("a")], [*archived, handoff("a", role="assistant"), *live], version=17)
    agent = Agent(scene.database)
    before = scene.scroll("a")
    done = agent.compact("a")
    assert "old question" not in [message["content"] for message in done.result.messages]
    shown = [line for line in scene.scroll("a") if not line.startswith("handoff")]
    assert shown == [line for line in before if not line.startswith("handoff")]
    with scene.database.read() as db:
        kinds = set(db.scalars(select(Message.kind).where(Message.archived_by == done.compaction_id)))
    assert kinds == {MessageKind.MESSAGE}


def test_an_imported_merged_row_goes_on_as_the_reply_alone(scene):
    from hermes_sessions.handoff import merge_handoff, render_handoff

    carrier = merge_handoff(render_handoff("Earlier."), "the reply that was merged")
    scene.play(
        [foreign_session("a", end_reason="compression"), foreign_session("b", parent="a")],
        [*talk("a", "do it", "done"), row("b", "user", carrier), *talk("b", "ok", *TALK, first="assistant")],
    )
    agent = Agent(scene.database)
    before = [line for line in scene.scroll("a") if not line.startswith("handoff")]
    done = agent.compact("b", summarize=notes)
    assert [line for line in scene.scroll("a") if not line.startswith("handoff")] == before
    merged = next(one for one in agent.rows("b") if one.kind == MessageKind.MERGED)
    assert merged.archived_by == done.compaction_id
