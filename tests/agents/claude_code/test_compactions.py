"""Boundaries, summaries and what was kept; copies of other sessions; agents inside."""

import json

import pytest

from tests.agents.claude_code.transcript_builder import at as time_of


def refs(found, session, *places):
    return [found.rows[session][at].ref for at in places]


def a_compacted_talk(talk, **metadata):
    talk.ask("first")
    talk.reply("one")
    talk.ask("second")
    talk.reply("two")
    talk.compact("Summary:\nall of it", **metadata)
    talk.ask("third")
    talk.reply("three")
    return talk


def test_a_boundary_and_its_summary_are_a_compaction_of_all_before(home):
    talk = a_compacted_talk(home.talk(), postTokens=9_000, durationMs=5_000)
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.key, event.realisation, event.method, event.trigger) == ("a-4", "native", "model", "auto")
    assert event.summary == "Summary:\nall of it"
    assert (event.tokens_before, event.tokens_after) == (150_000, 9_000)
    assert (event.started_at or 0) + 5 == event.finished_at
    assert [event.span_first, event.span_last, event.handoff] == refs(found, "a", 0, 3, 4)
    assert (event.span_messages, event.tail_messages) == (4, 0)
    assert [found.verdict("a", at).state for at in range(7)] == ["compacted"] * 4 + [None] * 3
    assert [found.verdict("a", at).kind for at in range(3, 6)] == ["message", "handoff", "message"]


def test_the_next_one_begins_after_the_summary_and_takes_it_along(home):
    talk = a_compacted_talk(home.talk())
    talk.compact("Summary:\nmore")
    talk.write()
    found = home.read()
    second = found.compactions[1]
    assert [second.span_first, second.span_last] == refs(found, "a", 5, 6)
    assert (second.span_messages, found.verdict("a", 4).archived_by) == (2, second.key)


@pytest.mark.parametrize(
    "metadata",
    [
        {"preservedMessages": {"uuids": ["a-2", "a-3"]}},
        {"preservedSegment": {"headUuid": "a-2", "tailUuid": "a-3"}},
    ],
    ids=["messages", "segment"],
)
def test_messages_that_are_kept_where_they_are_end_the_span(home, metadata):
    a_compacted_talk(home.talk(), **metadata).write()
    found = home.read()
    [event] = found.compactions
    assert [event.span_first, event.span_last] == refs(found, "a", 0, 1)
    assert (event.span_messages, event.head_messages, event.tail_messages) == (2, 0, 2)
    assert [found.verdict("a", at).state for at in range(4)] == ["compacted", "compacted", None, None]


def test_messages_that_are_written_again_are_copies(home):
    talk = home.talk()
    talk.ask("first")
    talk.reply("one")
    kept = talk.reply("two")
    talk.compact("Summary:\nall")
    again = dict(next(one for one in talk.records if one["uuid"] == kept))
    talk.records.append({**again, "uuid": "fresh", "parentUuid": talk.parent})
    talk.ask("third")
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.span_messages, event.tail_messages, found.texts("a")[4]) == (2, 1, "two")
    assert found.verdict("a", 4).copy_of == found.rows["a"][2].ref
    assert (found.verdict("a", 2).state, found.verdict("a", 4).state) == ("superseded", None)


@pytest.mark.parametrize("end", ["headUuid", "tailUuid"])
def test_a_kept_run_may_end_with_a_record_that_is_no_message(home, end):
    talk = home.talk()
    talk.ask("first")
    talk.reply("one")
    before = talk.add("system", subtype="turn_duration", durationMs=5)
    head = talk.ask("second")
    tail = talk.reply("two")
    after = talk.add("system", subtype="turn_duration", durationMs=5)
    segment = {"headUuid": head, "tailUuid": tail, end: before if end == "headUuid" else after}
    talk.compact("Summary:\nall", preservedSegment=segment)
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.span_messages, event.tail_messages) == (2, 2)
    assert [found.verdict("a", at).state for at in range(4)] == ["compacted", "compacted", None, None]


def test_the_tokens_of_a_message_that_is_written_again_count_once(home):
    talk = home.talk()
    talk.ask("first")
    kept = talk.reply("one")
    talk.call("c1")
    counted = next(one for one in talk.records if one["uuid"] == kept)["message"]["usage"]["output_tokens"]
    talk.write()
    once = home.read().sessions["a"].output_tokens
    assert once >= counted > 0
    again = [dict(one) for one in talk.records[-2:]]
    talk.compact("Summary:\nall")
    for number, one in enumerate(again):
        talk.records.append({**one, "uuid": f"fresh-{number}", "parentUuid": talk.parent})
    talk.write()
    session = home.read().sessions["a"]
    assert (session.output_tokens, session.tool_call_count) == (once, 1)


def test_records_that_are_written_again_under_their_ids_are_taken_once(home):
    talk = a_compacted_talk(home.talk())
    talk.records.extend(dict(one) for one in talk.records[:6])
    talk.compact("Summary:\nmore")
    talk.write()
    found = home.read()
    assert [event.span_messages for event in found.compactions] == [4, 2]
    assert len(found.rows["a"]) == 8
    assert [one.reason for one in found.warnings] == ["6 records were written again; each is taken once"]


def test_a_summary_without_a_boundary_is_a_compaction(home):
    talk = a_compacted_talk(home.talk())
    talk.records = [one for one in talk.records if one["type"] != "system"]
    talk.write()
    [event] = home.read().compactions
    assert (event.span_messages, event.trigger, event.summary) == (4, None, "Summary:\nall of it")


def test_a_boundary_without_a_summary_has_none(home):
    talk = a_compacted_talk(home.talk())
    talk.records = [one for one in talk.records if not one.get("isCompactSummary")]
    talk.write()
    [event] = home.read().compactions
    assert (event.span_messages, event.method, event.summary, event.handoff) == (4, "none", None, None)


def test_cleared_results_are_an_event_that_takes_nothing_away(home):
    talk = home.talk()
    for one in ("t1", "t2", "t3"):
        talk.call(one)
        talk.result(one, f"output of {one}")
    told = {"trigger": "auto", "preTokens": 98_000, "tokensSaved": 24_000, "compactedToolIds": ["t1", "t3"]}
    talk.add("system", subtype="microcompact_boundary", microcompactMetadata=told)
    talk.ask("next")
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.method, event.span_messages, event.tokens_after) == ("prune", 2, 74_000)
    assert [event.span_first, event.span_last] == refs(found, "a", 1, 5)
    assert all(found.verdict("a", at).state is None for at in range(7))


# -- copies ----------------------------------------------------------------------------------------


def copied(talk, *, session=None, **fields):
    """Return its records as another file has them."""
    return [{**one, "sessionId": session or one["sessionId"], **fields} for one in talk.records]


def test_a_fork_inherits_messages_and_compactions(home):
    talk = a_compacted_talk(home.talk())
    talk.write()
    fork = home.talk("b")
    fork.records = copied(talk, session="b", forkedFrom={"sessionId": "a"})[:6]
    fork.parent = "a-5"
    fork.ask("other way")
    fork.write()
    found = home.read()
    assert found.relations == {"a": "root", "b": "branch"}
    assert [event.session for event in found.compactions] == ["a"]
    assert found.families[0].inherited == {"b": 5}
    assert (found.sessions["b"].output_tokens, found.verdict("b", 4).kind) == (0, "handoff")
    assert found.sessions["b"].started_at == found.rows["b"][5].created_at


def test_a_file_that_goes_on_where_another_ended_is_the_same_talk(home):
    talk = home.talk()
    talk.ask("first")
    talk.reply("one")
    talk.write()
    later = home.talk("b")
    later.records = copied(talk)
    later.parent = "a-1"
    later.ask("second")
    later.reply("two")
    later.compact("Summary:\nboth")
    later.write()
    found = home.read()
    assert found.relations == {"a": "root", "b": "compaction"}
    assert [found.verdict("b", at).copy_of for at in range(2)] == refs(found, "a", 0, 1)
    [event] = found.compactions
    assert [event.session, event.span_first, event.span_messages] == ["b", *refs(found, "a", 0), 4]


def test_a_copy_whose_original_is_gone_is_all_there_is(home):
    talk = a_compacted_talk(home.talk())
    fork = home.talk("b")
    fork.records = copied(talk, session="b", forkedFrom={"sessionId": "a"})
    fork.write()
    found = home.read()
    assert (found.relations, found.entries["b"].parent) == ({"b": "branch"}, "a")
    assert [event.session for event in found.compactions] == ["b"]


def test_forks_that_name_each_other_end_somewhere(home):
    for one, other in (("a", "b"), ("b", "c"), ("c", "a")):
        talk = home.talk(one)
        talk.ask("hello", forkedFrom={"sessionId": other})
        talk.write()
    assert sorted(home.read().relations) == ["a", "b", "c"]


def test_one_id_in_two_projects_is_two_sessions(home, tmp_path):
    talk = home.talk()
    talk.ask("hello")
    talk.write()
    talk.path = home.path / "projects" / "-elsewhere" / "a.jsonl"
    talk.write()
    assert len(home.read().sessions) == 2


# -- agents inside ---------------------------------------------------------------------------------


def test_an_agents_transcript_is_a_delegate_with_its_own_compactions(home):
    home.talk().write()
    agent = a_compacted_talk(home.agent("x1"))
    path = agent.write()
    path.with_name("agent-x1.meta.json").write_text(json.dumps({"agentType": "Explore", "toolUseId": "t1"}))
    found = home.read()
    assert found.relations == {"a": "root", "a/agent-x1": "delegate"}
    assert [event.session for event in found.compactions] == ["a/agent-x1"]
    extra = found.sessions["a/agent-x1"].extra or {}
    assert (extra["agentType"], extra["toolUseId"]) == ("Explore", "t1")


def test_an_agent_beside_the_session_hangs_on_the_one_that_it_names(home):
    home.talk().write()
    agent = home.talk("agent-x1", session="a", isSidechain=True, agentId="x1")
    agent.ask("find it")
    agent.write()
    found = home.read()
    assert found.relations == {"a": "root", "a/agent-x1": "delegate"}
    assert found.texts("a/agent-x1") == ["find it"]


def test_an_agent_in_the_sessions_file_is_a_delegate(home):
    talk = home.talk()
    talk.ask("do it")
    talk.ask("find it", isSidechain=True)
    talk.reply("found", isSidechain=True)
    talk.reply("done")
    talk.write()
    found = home.read()
    assert found.relations == {"a": "root", "a#side": "delegate"}
    assert (found.texts("a"), found.texts("a#side")) == (["do it", "done"], ["find it", "found"])


def test_who_wrote_the_summary_is_hidden(home):
    home.talk().write()
    agent = home.agent("acompact-1")
    agent.ask("summarise")
    agent.write()
    assert {one: row.archived for one, row in home.read().sessions.items()} == {
        "a": False,
        "a/agent-acompact-1": True,
    }


def test_times_go_back_and_the_order_of_the_file_holds(home):
    talk = home.talk()
    talk.ask("first", timestamp=time_of(2_000_000_000))
    talk.reply("second", timestamp=time_of(1_000_000_000))
    talk.write()
    assert home.read().texts("a") == ["first", "second"]


def a_rewound_talk(talk, *, from_place, **metadata):
    """Ask again after the compaction, from the record *from_place* before it."""
    a_compacted_talk(talk, **metadata)
    talk.parent = f"a-{from_place}"
    talk.ask("another")
    talk.reply("another answer")
    return talk


@pytest.mark.parametrize("place", [1, 3], ids=["from an earlier request", "from right before"])
def test_a_rewind_to_before_a_compaction_undoes_it(home, place):
    a_rewound_talk(home.talk(), from_place=place).write()
    found = home.read()
    [event] = found.compactions
    assert (event.status, event.span_messages, event.key) == ("undone", 4, "a-4")
    assert [event.span_first, event.span_last, event.handoff] == refs(found, "a", 0, 3, 4)
    states = [found.verdict("a", at).state for at in range(9)]
    assert states == [None] * (place + 1) + ["rewound"] * (6 - place) + [None] * 2
    assert all(found.verdict("a", at).archived_by is None for at in range(9))
    assert found.verdict("a", 4).kind == "handoff"


def test_what_was_asked_behind_kept_messages_undoes_nothing(home):
    talk = a_compacted_talk(home.talk(), preservedMessages={"uuids": ["a-2", "a-3"]})
    talk.parent = "a-3"
    talk.ask("it goes on behind the kept ones")
    talk.reply("so it does")
    talk.write()
    assert [one.status for one in home.read().compactions] == ["committed"]


def test_a_request_that_nobody_answered_undoes_nothing(home):
    talk = a_compacted_talk(home.talk())
    talk.parent = "a-3"
    talk.ask("typed meanwhile")
    talk.write()
    assert [one.status for one in home.read().compactions] == ["committed"]


def test_the_next_compaction_takes_what_an_undone_one_had_summarised(home):
    talk = a_rewound_talk(home.talk(), from_place=1)
    talk.compact("Summary:\nthe other side")
    talk.write()
    found = home.read()
    first, second = found.compactions
    assert (first.status, second.status, second.span_messages) == ("undone", "committed", 4)
    assert [found.verdict("a", at).archived_by for at in (0, 1, 7, 8)] == [second.key] * 4


def test_a_file_that_begins_with_a_boundary_says_nothing_of_the_span(home):
    talk = home.talk()
    talk.parent = "gone"
    talk.compact("Summary:\nall of it")
    talk.ask("third")
    talk.write()
    [event] = home.read().compactions
    assert (event.span_messages, event.span_stored, event.span_first) == (None, False, None)


def test_what_was_typed_with_the_command_is_the_focus(home):
    a_compacted_talk(home.talk(), trigger="manual", userContext="the port").write()
    assert home.read().compactions[0].focus == "the port"
