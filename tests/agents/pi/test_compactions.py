"""Compactions with what they kept, abandoned branches, forks, agents inside."""

import pytest

from tests.agents.pi.session_builder import PiSession


def refs(found, session, *places):
    return [found.rows[session][at].ref for at in places]


def a_compacted_talk(talk):
    talk.ask("first")
    talk.reply("one")
    kept = talk.ask("second")
    talk.reply("two")
    talk.compact("## Goal\nall of it", kept, details={"readFiles": ["a.py"]})
    talk.ask("third")
    return talk


def test_a_compaction_summarises_what_is_before_the_first_kept_entry(home):
    a_compacted_talk(home.talk()).write()
    found = home.read()
    [event] = found.compactions
    assert (event.key, event.realisation, event.method, event.status) == (
        "a-5",
        "native",
        "model",
        "committed",
    )
    assert (event.summary, event.tokens_before) == ("## Goal\nall of it", 150_000)
    assert event.claim == {"details": {"readFiles": ["a.py"]}}
    assert [event.span_first, event.span_last, event.handoff] == refs(found, "a", 0, 1, 4)
    assert (event.span_messages, event.head_messages, event.tail_messages) == (2, 0, 2)
    assert [found.verdict("a", at).state for at in range(6)] == ["compacted"] * 2 + [None] * 4
    assert [found.verdict("a", at).kind for at in range(3, 6)] == ["message", "handoff", "message"]


def test_the_next_one_takes_the_kept_messages_and_the_summary_along(home):
    talk = a_compacted_talk(home.talk())
    kept = talk.reply("three")
    talk.compact("more", kept)
    talk.write()
    found = home.read()
    second = found.compactions[1]
    assert [second.span_first, second.span_last] == refs(found, "a", 2, 5)
    assert (second.span_messages, second.tail_messages) == (3, 1)
    assert found.verdict("a", 4).archived_by == second.key


def test_what_was_kept_before_may_be_kept_again_and_the_older_summary_is_not(home):
    talk = a_compacted_talk(home.talk())
    talk.compact("more", "a-4")
    talk.write()
    found = home.read()
    second = found.compactions[1]
    assert (second.span_messages, second.span_first) == (1, refs(found, "a", 2)[0])
    states = [found.verdict("a", at).state for at in range(2, 7)]
    assert states == ["compacted", None, "compacted", None, None]


def test_the_first_version_counts_lines_from_the_header(home):
    talk = PiSession(home.file(), bare=True)
    for text in ("first", "second", "third"):
        talk.ask(text)
    talk.add("thinking_level_change", thinkingLevel="high")
    talk.compact("all", firstKeptEntryIndex=3)
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert [event.span_first, event.span_last] == refs(found, "a", 0, 1)
    assert (event.span_messages, event.tail_messages, event.method) == (2, 1, "model")


@pytest.mark.parametrize("kept", [None, "nowhere"])
def test_without_a_first_kept_entry_nothing_is_kept(home, kept):
    talk = home.talk()
    talk.ask("first")
    talk.ask("second")
    talk.compact("all", kept)
    talk.write()
    [event] = home.read().compactions
    assert (event.span_messages, event.tail_messages) == (2, 0)


def test_a_compaction_without_a_summary_has_no_handoff(home):
    talk = home.talk()
    talk.ask("first")
    talk.compact("")
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.method, event.handoff, event.summary, found.texts("a")) == ("none", None, None, ["first"])


def test_a_branch_that_was_left_is_taken_back_and_its_summary_is_no_compaction(home):
    talk = home.talk()
    start = talk.ask("first")
    talk.reply("wrong")
    left = talk.ask("more of it")
    talk.leaf = start
    talk.add("branch_summary", fromId=left, summary="tried the wrong way")
    talk.reply("right")
    talk.write()
    found = home.read()
    assert found.texts("a") == ["first", "wrong", "more of it", "tried the wrong way", "right"]
    states = [found.verdict("a", at).state for at in range(5)]
    assert states == [None, "rewound", "rewound", None, None]
    assert (found.verdict("a", 3).kind, found.compactions) == ("handoff", [])


def test_a_compaction_on_a_branch_that_was_left_is_undone(home):
    talk = home.talk()
    start = talk.ask("first")
    kept = talk.reply("one")
    talk.compact("all", kept)
    talk.ask("after it")
    talk.leaf = start
    talk.reply("another way")
    talk.write()
    found = home.read()
    [event] = found.compactions
    assert (event.status, event.span_messages, event.span_first) == ("undone", 1, refs(found, "a", 0)[0])
    states = [found.verdict("a", at).state for at in range(5)]
    assert states == [None, "rewound", "rewound", "rewound", None]


def test_an_entry_whose_parent_is_not_there_follows_the_one_before_it(home):
    talk = home.talk()
    talk.ask("first")
    talk.reply("one")
    del talk.lines[2]
    talk.ask("second")
    talk.write()
    found = home.read()
    assert [found.verdict("a", at).state for at in range(2)] == [None, None]
    assert [one.reason for one in found.warnings] == [
        "1 entry follows one that is not there; it follows the one before it"
    ]


def test_a_fork_inherits_what_it_copied_and_its_compactions(home):
    talk = a_compacted_talk(home.talk())
    talk.write()
    fork = home.talk("b", parentSession=f"/elsewhere/{talk.path.name}")
    fork.lines += [dict(one) for one in talk.lines[1:]]
    fork.leaf = talk.leaf
    fork.reply("other way")
    fork.write()
    found = home.read()
    assert found.relations == {"a": "root", "b": "branch"}
    assert found.sessions["b"].parent_session_id == "a"
    assert found.families[0].inherited == {"b": 6}
    assert [one.session for one in found.compactions] == ["a"]
    assert (found.sessions["b"].output_tokens, found.sessions["a"].output_tokens) == (10, 20)
    assert found.verdict("b", 0).state == "compacted"


def test_a_fork_whose_parent_is_gone_keeps_what_it_copied(home):
    talk = a_compacted_talk(home.talk("b", parentSession="C:\\s\\2026-05-28T20-26-40-000Z_gone.jsonl"))
    talk.write()
    found = home.read()
    assert (found.relations, found.sessions["b"].parent_session_id) == ({"b": "branch"}, "gone")
    assert (found.families[0].inherited, len(found.compactions)) == ({}, 1)


def test_a_session_in_the_folder_of_another_worked_for_it(home):
    home.talk().write()
    inner = PiSession(home.file().with_suffix("") / "2026-05-28T20-26-50-000Z_task.jsonl")
    inner.ask("find it")
    inner.write()
    found = home.read()
    assert found.relations == {"a": "root", "task": "delegate"}
    assert found.sessions["task"].parent_session_id == "a"


def test_of_two_files_with_one_id_a_copy_is_not_listed_and_another_talk_is(home):
    talk = home.talk()
    talk.ask("hello")
    talk.write()
    first = talk.path.read_text()
    talk.path = home.path / "sessions" / "--other--" / talk.path.name
    talk.write()
    assert len(home.read().sessions) == 1
    talk.path.write_text(first.replace("hello", "something else"))
    assert len(home.read().sessions) == 2


def test_a_tree_of_thousands_of_abandoned_compactions_is_read_in_time_that_grows_with_it(home):
    talk = home.talk()
    for at in range(1500):
        start = talk.ask(f"question {at}")
    for _ in range(1500):
        talk.leaf = start
        talk.compact("all")
    talk.leaf = start
    talk.reply("on")
    talk.write()
    found = home.read()
    assert len(found.compactions) == 1500
    assert sum(one.span_messages or 0 for one in found.compactions) < 5 * 3000


def test_compactions_are_in_the_order_of_the_file_whichever_was_abandoned(home):
    talk = home.talk()
    asked = talk.ask("q1")
    talk.reply("r1")
    talk.compact("abandoned")
    talk.leaf = asked
    talk.reply("r2")
    talk.compact("in the branch")
    talk.write()
    assert [one.summary for one in home.read().compactions] == ["abandoned", "in the branch"]
