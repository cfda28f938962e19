"""What a compaction in place carried over, with bookkeeping, undone turns and merged replies between.

Later releases switch off the originals of carried rows as a rewind does (0/0), so both look alike.
"""

import json

import pytest

from hermes_sessions.handoff import DELIM, PRIOR, render_handoff
from tests.agents.hermes.hermes_builder import row, session
from tests.operations.imports.scene import again, handoff, talk

ARCHIVED = {"active": 0, "compacted": 1}
UNDONE = {"active": 0, "compacted": 0}
TALK = [text for turn in range(1, 6) for text in (f"ask {turn}", f"reply {turn}")]
SHAPES = {
    "summary first": lambda text: f"{render_handoff('Summary.')}\n\n{text}",
    "reply first": lambda text: f"{PRIOR}\n{text}\n\n{DELIM}\n\n{render_handoff('Summary.')}",
}


def off(rows, **flags):
    return [{**one, **(flags or ARCHIVED)} for one in rows]


def lines(*texts):
    return [f"{'assistant' if 'reply' in text else 'user'}: {text}" for text in texts]


@pytest.mark.parametrize("version", [17, 30])
@pytest.mark.parametrize(
    ("place", "between"),
    [
        pytest.param(0, [row("s", "session_meta", None, **ARCHIVED)], id="bookkeeping first"),
        pytest.param(1, [row("s", "session_meta", None, **ARCHIVED)], id="bookkeeping second"),
        pytest.param(0, off(talk("s", "wrong", "sorry"), **UNDONE), id="an undone turn first"),
        pytest.param(2, off(talk("s", "wrong", "sorry"), **UNDONE), id="an undone turn in the head"),
    ],
)
def test_the_head_is_found_behind_what_was_not_carried_over(scene, version, place, between):
    rows = talk("s", *TALK)
    body = [*rows[:3], handoff("s", "Summary.", role="assistant"), *rows[-2:], *talk("s", "next", "ok")]
    old = off(rows)
    scene.play([session("s")], [*old[:place], *between, *old[place:], *body], version=version)
    assert scene.events() == [("in_place", "committed")]
    assert len(scene.copies()) == 5
    assert scene.scroll("s") == [*lines(*TALK), "handoff: Summary.", "user: next", "assistant: ok"]
    assert scene.spans("s")[0][2] == 5


def test_before_there_was_a_flag_bookkeeping_in_the_head_hides_nothing(scene):
    rows = talk("s", *TALK)
    meta = row("s", "session_meta", None, active=0)
    body = [*rows[:3], handoff("s", "Summary.", role="assistant"), *rows[-2:]]
    scene.play([session("s")], [meta, *off(rows, active=0), *body], version=14)
    assert scene.events() == [("in_place", "committed")]
    assert scene.scroll("s") == [*lines(*TALK), "handoff: Summary."]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tail", [1, 3])
@pytest.mark.parametrize("more", [False, True])
def test_a_merged_reply_whose_original_looks_undone_is_shown_where_it_was(scene, shape, tail, more):
    rows = talk("s", *TALK)
    first = [*off(rows[:-tail]), *off(rows[-tail:], **UNDONE)]
    merged = row("s", "assistant", SHAPES[shape](rows[-tail]["content"]))
    body = [merged, *rows[len(rows) - tail + 1 :], *talk("s", "next", "ok")]
    later = [handoff("s", "Again."), *body[-2:]] if more else []
    body = [*off(body[:-2]), *off(body[-2:], **UNDONE)] if more else body
    scene.play([session("s")], [*first, *body, *later], version=22)
    told = [*lines(*TALK), "handoff: Summary.", "user: next", "assistant: ok"]
    at = len(TALK) + 1
    assert scene.scroll("s") == ([*told, "handoff: Again."] if more else told)[: at + 3]
    assert set(scene.states().values()) == {"compacted", "superseded"}
    assert scene.events() == [("in_place", "committed")] * (1 + more)


@pytest.mark.parametrize("kept_times", [False, True])
def test_an_undone_turn_among_carried_ones_hides_none_of_them(scene, kept_times):
    rows = talk("s", *TALK)
    for at, one in enumerate(rows):
        one["timestamp"] = 1_780_000_000.0 + 10 * at
    first = [*off(rows[:4]), *off(rows[4:], **UNDONE)]
    copies = [*rows[4:6], *rows[8:]]  # the fourth turn was taken back
    if not kept_times:
        copies = [{**one, "timestamp": 1_780_009_000.0 + at} for at, one in enumerate(copies)]
    body = [handoff("s", "Summary."), *copies, *talk("s", "next", "ok")]
    scene.play([session("s")], [*first, *body], version=30)
    assert scene.scroll("s") == [
        *lines(*TALK[:6], *TALK[8:]), "handoff: Summary.", "user: next", "assistant: ok",
    ]  # fmt: skip
    assert {at: state for at, state in scene.states().items() if state == "rewound"} == {
        7: "rewound",
        8: "rewound",
    }


def test_a_replayed_handoff_at_the_top_of_the_head_is_not_the_new_one(scene):
    parent = talk("p", *TALK)
    child = [
        handoff("s", "First."),
        *again(parent[-3:], "s"),
        *talk("s", "ask 6", "reply 6", "ask 7", "reply 7"),
    ]
    body = [*child[:3], handoff("s", "Second."), *child[-2:], *talk("s", "next", "ok")]
    scene.play(
        [session("p", end_reason="compression"), session("s", parent="p")], [*parent, *off(child), *body]
    )
    assert scene.events() == [("rotation", "committed"), ("in_place", "committed")]
    assert [one["summary"] for one in scene.compactions("p")] == ["First.", "Second."]
    told = lines(*TALK, "ask 6", "reply 6", "ask 7", "reply 7")
    told.insert(len(TALK), "handoff: First.")
    assert scene.scroll("p") == [*told, "handoff: Second.", "user: next", "assistant: ok"]


def test_a_copy_that_lost_one_of_its_calls_is_a_copy(scene):
    def calls(*ids):
        return json.dumps([{"id": one, "function": {"name": "terminal", "arguments": "{}"}} for one in ids])

    answers = [row("s", "tool", f"result of {one}", tool_call_id=one) for one in ("c1", "c2")]
    asked = row("s", "assistant", "let me look", tool_calls=calls("c1", "c2", "c3"))
    rows = [*talk("s", *TALK), row("s", "user", "look"), asked, *answers, row("s", "assistant", "seen")]
    parent = again(rows, "p")
    tail = [rows[-5], {**asked, "tool_calls": calls("c1", "c2")}, *rows[-3:]]
    child = [handoff("s", "Summary."), *tail, *talk("s", "next", "ok")]
    scene.play([session("p", end_reason="compression"), session("s", parent="p")], [*parent, *child])
    assert len(scene.copies()) == 5
    assert scene.scroll("p")[-3:] == ["handoff: Summary.", "user: next", "assistant: ok"]
    assert scene.spans("p")[0][2] == len(TALK)


def timed(rows):
    return [{**one, "timestamp": 1_780_000_000.0 + 10 * at} for at, one in enumerate(rows)]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_short_reply_said_before_does_not_hide_what_was_carried_over(scene, shape):
    rows = timed(talk("s", *TALK[:4], "one", "reply done", "two", "reply done", "three", "reply at last"))
    merged = row("s", "user", SHAPES[shape]("two"), timestamp=1_780_005_000.0)
    later = talk("s", "next", "ok")
    scene.play(
        [session("s")],
        [*off(rows[:-4]), *off(rows[-4:], **UNDONE), merged, *rows[-3:], *later],
        version=30,
    )
    said = [f"{one['role']}: {one['content']}" for one in rows]
    assert scene.scroll("s") == [*said, "handoff: Summary.", "user: next", "assistant: ok"]
    assert set(scene.states().values()) == {"compacted", "superseded"}
    assert scene.copies()[12] == 8


def test_a_question_asked_again_after_it_was_undone_is_no_copy(scene):
    rows = timed(talk("s", *TALK, "again", "reply wrong"))
    asked = talk("s", "again", "reply right")
    old = [*off(rows[:-2]), *off(rows[-2:], **UNDONE)]
    scene.play([session("s")], [*old, handoff("s", "Summary."), *rows[8:10], *asked], version=30)
    assert scene.scroll("s") == [*lines(*TALK), "handoff: Summary.", "user: again", "assistant: reply right"]
