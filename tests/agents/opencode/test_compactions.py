"""Compactions: what they summarised, what stays, what failed; results that were cleared."""

import json

from hermes_sessions.messages import CompactionMethod, CompactionStatus, MessageKind, Role

GO_ON = "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed."


def states(read, session="a"):
    return [str(read.verdict(session, at).state or "live") for at in range(len(read.rows[session]))]


def talked(home, turns=3, name="a"):
    talk = home.talk(name)
    asked = []
    for at in range(turns):
        asked.append(talk.ask(f"question {at}"))
        talk.reply(f"answer {at}", tokens={"input": 1000, "output": 5, "cache": {"read": 20, "write": 0}})
    return talk, asked


def test_a_summary_stands_for_all_before_it(home):
    talk, _ = talked(home)
    marker = talk.compact("## Goal\nship it")
    talk.ask(GO_ON, synthetic=True)
    talk.ask("more")
    read = home.read()
    [one] = read.compactions
    refs = [row.ref for row in read.rows["a"]]
    assert (one.key, one.status, one.method) == (marker, CompactionStatus.COMMITTED, CompactionMethod.MODEL)
    assert (one.span_first, one.span_last, one.span_messages) == (refs[0], refs[5], 6)
    assert (one.summary, one.handoff, one.trigger) == ("## Goal\nship it", refs[6], "auto")
    assert (one.head_messages, one.tail_messages, one.tokens_before) == (0, 0, 1025)
    assert read.verdict("a", 6).kind is MessageKind.HANDOFF
    assert states(read) == ["compacted"] * 6 + ["live"] * 3
    assert read.rows["a"][7].role == Role.SESSION_META


def test_the_newest_turns_stay_where_they_are(home):
    talk, asked = talked(home)
    talk.compact("short", tail=asked[2], auto=False)
    talk.ask("more")
    read = home.read()
    [one] = read.compactions
    assert (one.span_messages, one.tail_messages, one.trigger) == (4, 2, "manual")
    assert states(read) == ["compacted"] * 4 + ["live"] * 4


def test_a_second_one_summarises_what_the_first_left(home):
    talk, asked = talked(home)
    first = talk.compact("short", tail=asked[2])
    talk.ask("more")
    second = talk.compact("shorter")
    read = home.read()
    refs = [row.ref for row in read.rows["a"]]
    by_key = {one.key: one for one in read.compactions}
    assert list(by_key) == [first, second]
    assert (by_key[second].span_first, by_key[second].span_last) == (refs[4], refs[7])
    assert by_key[second].span_messages == 3
    assert states(read) == ["compacted"] * 8 + ["live"]
    assert read.verdict("a", 6).archived_by == second


def test_a_request_that_is_sent_again_is_a_copy(home):
    talk, _ = talked(home)
    parts = [{"type": "text", "text": "too large"}, {"type": "file", "mime": "image/png", "url": "data:,"}]
    talk.say("user", *parts)
    talk.compact("short", overflow=True)
    talk.say("user", parts[0], {"type": "text", "text": "[Attached image/png: file]"})
    talk.reply("now it works")
    read = home.read()
    [one] = read.compactions
    assert (one.span_messages, one.tail_messages) == (6, 1)
    assert read.verdict("a", 8).copy_of == read.rows["a"][6].ref
    assert states(read) == ["compacted"] * 6 + ["superseded"] + ["live"] * 3


def test_another_request_after_an_overflow_is_none(home):
    talk, _ = talked(home)
    talk.compact("short", overflow=True)
    talk.ask("something else")
    read = home.read()
    assert [one.span_messages for one in read.compactions] == [6]
    assert read.verdict("a", 7).copy_of is None


def test_a_compaction_that_failed_leaves_everything(home):
    talk, _ = talked(home)
    failed = {"name": "ContextOverflowError", "data": {"message": "Session too large to compact"}}
    talk.compact("", finish="error", error=failed)
    talk.compact("half a su", finish=None)
    talk.compact(None)
    read = home.read()
    assert [(one.status, one.summary, one.span_messages) for one in read.compactions] == [
        (CompactionStatus.ABORTED, None, None),
        (CompactionStatus.INTERRUPTED, None, None),
        (CompactionStatus.INTERRUPTED, None, None),
    ]
    assert read.compactions[0].error == "ContextOverflowError: Session too large to compact"
    assert states(read)[:6] == ["live"] * 6


def test_the_words_of_an_interrupted_summary_are_summarised_by_the_next_one(home):
    talk, _ = talked(home)
    talk.compact("half a su", finish=None)
    talk.compact("short")
    read = home.read()
    assert [one.span_messages for one in read.compactions] == [None, 7]
    assert states(read) == ["compacted"] * 7 + ["live"]


def test_a_quoted_marker_is_none(home):
    talk, _ = talked(home)
    talk.ask(json.dumps({"type": "compaction", "auto": True}))
    talk.reply("## Goal\nwhat a summary looks like")
    assert home.read().compactions == []


def test_a_title_is_no_compaction(home):
    talk = home.talk()
    talk.say("user", {"type": "text", "text": "hi"}, summary={"title": "Greeting", "diffs": []})
    assert home.read().compactions == []


def test_results_cleared_together_are_one_event(home):
    talk = home.talk()
    for at in range(3):
        talk.use(f"t{at}", "long", time={"compacted": 1_780_000_900_000 + at})
    talk.use("t3", "long", time={"compacted": 1_780_009_000_000})
    read = home.read()
    found = [(one.method, one.span_messages, one.claim["compactedToolIds"]) for one in read.compactions]
    assert found == [
        (CompactionMethod.PRUNE, 3, ["t0", "t1", "t2"]),
        (CompactionMethod.PRUNE, 1, ["t3"]),
    ]
    assert read.texts("a")[1] == "long"


def test_what_is_taken_back_counts_no_more(home):
    talk, asked = talked(home)
    talk.compact("short")
    home.revert("a", asked[1])
    read = home.read()
    assert states(read) == ["live"] * 2 + ["rewound"] * 5
    assert [one.status for one in read.compactions] == [CompactionStatus.UNDONE]


def test_a_part_of_a_reply_is_taken_back(home):
    talk, _ = talked(home, 1)
    reply = talk.use("t1", "out", text="I look")
    [part] = [p for m, _, ps in home.kept.read()["a"] if m == reply for p, v in ps if v["type"] == "tool"]
    home.revert("a", reply, partID=part)
    assert states(home.read()) == ["live", "live", "live", "rewound"]
