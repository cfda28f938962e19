"""Lists that are put into the place of others: compactions, cleared results, turns taken back."""

from tests.agents.gemini.chat_builder import THANKS


def refs(found, session, *places):
    return [found.rows[session][at].ref for at in places]


def states(found, session):
    return [found.verdict(session, at).state for at in range(len(found.rows[session]))]


def a_shortened_talk(talk):
    talk.ask("first")
    talk.reply("one")
    kept = talk.ask("second")
    talk.shorten("all of it", kept)
    talk.reply("two")
    return talk


def test_a_list_that_begins_with_a_snapshot_is_a_compaction(home):
    a_shortened_talk(home.talk()).write()
    found = home.read()
    [event] = found.compactions
    assert (event.key, event.realisation, event.method, event.status) == (
        "a-4",
        "native",
        "model",
        "committed",
    )
    assert event.summary == "<state_snapshot>\nall of it\n</state_snapshot>"
    assert [event.span_first, event.span_last, event.handoff] == refs(found, "a", 0, 1, 3)
    assert (event.span_messages, event.head_messages, event.tail_messages) == (2, 0, 1)
    assert states(found, "a") == ["compacted", "compacted", None, None, None, None]
    assert [(row.role, row.text) for row in found.rows["a"][2:]] == [
        ("user", "second"), ("user", event.summary), ("session_meta", THANKS), ("assistant", "two"),
    ]  # fmt: skip
    assert [found.verdict("a", at).kind for at in range(2, 5)] == ["message", "handoff", "message"]


def test_the_next_one_takes_the_summary_along(home):
    talk = a_shortened_talk(home.talk())
    talk.shorten("more")
    talk.write()
    found = home.read()
    second = found.compactions[1]
    assert [second.span_first, second.span_last, second.span_messages] == [*refs(found, "a", 2, 5), 2]
    assert found.verdict("a", 3).archived_by == second.key


def test_a_list_that_lacks_messages_without_a_snapshot_is_a_compaction_without_a_summary(home):
    talk = home.talk()
    talk.ask("first")
    kept = talk.ask("second")
    talk.shorten(None, kept)
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.method, event.handoff, event.summary, event.span_messages) == ("none", None, None, 1)
    assert states(found, "a") == ["compacted", None]


def test_somebody_who_quotes_a_snapshot_compacts_nothing(home):
    talk = home.talk()
    talk.ask("first")
    talk.ask("<state_snapshot>\nquoted\n</state_snapshot>")
    talk.write()
    found = home.read()
    assert (found.compactions, found.verdict("a", 1).kind) == ([], "message")


def test_a_list_with_all_messages_and_other_results_cleared_results(home):
    talk = home.talk()
    first = talk.call("t1", "a long output")
    second = talk.call("t2", "another")
    listed = [dict(one) for one in talk.said]
    listed[0]["toolCalls"] = [talk.called("t1", "<tool_output_masked>\n")]
    talk.set(messages=listed)
    talk.ask("next")
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.method, event.span_messages, event.claim) == ("prune", 1, {"compactedToolIds": ["t1"]})
    assert [event.span_first, event.span_last] == refs(found, "a", 1, 1)
    assert (found.texts("a"), states(found, "a")) == (
        ["", "a long output", "", "another", "next"],
        [None] * 5,
    )
    assert first != second


def test_a_list_that_says_the_same_changes_nothing(home):
    talk = home.talk()
    talk.call("t1", "out")
    talk.set(messages=[dict(one) for one in talk.said])
    talk.write()
    assert home.read().compactions == []


def test_what_was_taken_back_is_rewound(home):
    talk = home.talk()
    talk.ask("first")
    left = talk.ask("wrong")
    talk.call("t1", "out")
    talk.rewind(left)
    talk.ask("right")
    talk.write()
    assert states(home.read(), "a") == [None, "rewound", "rewound", "rewound", None]


def test_an_unknown_id_takes_all_back(home):
    talk = home.talk()
    talk.ask("first")
    talk.rewind("nobody")
    talk.ask("second")
    talk.write()
    assert states(home.read(), "a") == ["rewound", None]


def test_a_message_that_was_taken_back_and_is_written_again_is_live(home):
    talk = home.talk()
    name = talk.ask("first")
    talk.rewind(name)
    talk.again(name)
    talk.write()
    assert states(home.read(), "a") == [None]


def test_a_message_that_was_taken_back_and_is_in_a_new_list_is_live(home):
    talk = home.talk()
    kept = talk.ask("first")
    name = talk.ask("second")
    talk.rewind(name)
    talk.set(messages=[dict(one) for one in talk.said if one["id"] in (kept, name)])
    talk.write()
    found = home.read()
    assert (states(found, "a"), found.compactions) == ([None, None], [])


def test_messages_that_left_the_list_and_came_back_are_live(home):
    talk = home.talk()
    name = talk.ask("first")
    talk.shorten("all")
    talk.set(messages=[dict(one) for one in talk.said if one["id"] == name])
    talk.write()
    found = home.read()
    assert found.verdict("a", 0).state is None
    assert [one.method for one in found.compactions] == ["model", "none"]


def test_an_object_that_begins_with_a_snapshot_was_compacted_before(home):
    talk = home.talk(suffix=".json")
    talk.say("user", [{"text": "<state_snapshot>\nall\n</state_snapshot>"}])
    talk.reply("on")
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.span_stored, event.span_messages, event.method) == (False, None, "model")
    assert (found.verdict("a", 0).kind, found.verdict("a", 1).kind) == ("handoff", "message")


def test_thousands_of_changes_are_read_in_time_that_grows_with_them(home):
    talk = home.talk()
    for at in range(2_000):
        talk.ask(f"question {at}")
    for one in reversed([str(one["id"]) for one in talk.said]):
        talk.rewind(one)
        talk.again(one)
        talk.rewind(one)
    talk.write()
    assert set(states(home.read(), "a")) == {"rewound"}
