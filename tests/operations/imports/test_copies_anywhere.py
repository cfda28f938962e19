"""Copies anywhere: hosts insert the request again, carry single messages, merge a request."""

import pytest

from hermes_sessions.handoff import render_handoff
from hermes_sessions.web import create_app
from tests.agents.hermes.hermes_builder import calls, row, session
from tests.operations.imports.scene import again, handoff, talk

TALK = [text for turn in range(1, 6) for text in (f"ask {turn}", f"reply {turn}")]


def timed(rows, start=1_780_000_000.0):
    return [{**one, "timestamp": start + at} for at, one in enumerate(rows)]


def lines(*texts):
    return [f"{'assistant' if 'reply' in text else 'user'}: {text}" for text in texts]


def rotated(scene, before, after):
    scene.play([session("a", end_reason="compression"), session("b", parent="a")], [*before, *after])
    return scene.scroll("a")


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(1, id="right behind the handoff"),
        pytest.param(3, id="in the tail"),
        pytest.param(5, id="last"),
    ],
)
def test_the_request_that_the_host_inserted_again_is_folded(scene, place):
    old = timed(talk("a", *TALK))
    new = [handoff("b", "Summary."), *again(old[-4:], "b")]
    new.insert(place, *again([old[-2]], "b"))
    shown = rotated(scene, old, [*new, *timed(talk("b", "next"), 1_780_001_000.0)])
    assert shown == [*lines(*TALK), "handoff: Summary.", "user: next"]
    assert scene.spans("a")[0][2] == 6


def test_single_messages_that_were_carried_are_folded(scene):
    old = timed(talk("a", *TALK))
    carried = again([old[2], old[5]], "b")
    fresh = timed(talk("b", "next"), 1_780_001_000.0)
    shown = rotated(scene, old, [handoff("b", "Summary."), *carried, *again(old[-2:], "b"), *fresh])
    assert shown == [*lines(*TALK), "handoff: Summary.", "user: next"]
    assert len(scene.copies()) == 4


def test_a_request_from_far_back_that_shares_the_handoffs_row_is_folded(scene):
    work = [text for step in range(80) for text in (f"reply {step}", f"ask {step}")]
    old = timed(talk("a", "the request", *work, "reply at last"))
    merged = {**old[0], "session_id": "b", "content": f"{render_handoff('Summary.')}\n\nthe request"}
    shown = rotated(scene, old, [merged, *again(old[-2:], "b")])
    assert shown[-1] == "handoff: Summary."
    assert shown.count("user: the request") == 1


def test_a_handoff_with_the_time_of_a_blank_request_was_merged_into_it(scene):
    old = timed([*talk("a", *TALK), row("a", "user", ""), row("a", "assistant", "reply 6")])
    merged = {**old[-2], "session_id": "b", "content": render_handoff("Summary.") + "\n\n"}
    rotated(scene, old, [merged, *again(old[-1:], "b")])
    assert list(scene.kinds().values()) == ["merged"]
    assert scene.spans("a")[0][2] == 10


def test_a_handoff_alone_that_has_the_time_of_a_blank_request_stays_alone(scene):
    old = timed([*talk("a", *TALK), row("a", "user", ""), row("a", "assistant", "reply 6")])
    alone = {**old[-2], "session_id": "b", "content": render_handoff("Summary.")}
    rotated(scene, old, [alone, *again(old[-2:], "b")])
    assert list(scene.kinds().values()) == ["handoff"]
    assert scene.spans("a")[0][2] == 10


def test_calls_are_known_by_their_ids_where_times_are_new(scene):
    asked = calls(("call_1", "terminal", {"command": "make"}))
    old = [
        *talk("a", *TALK[:3]),
        row("a", "assistant", "", tool_calls=asked),
        row("a", "tool", "built", tool_call_id="call_1"),
    ]
    old = timed([*old, *talk("a", *TALK[3:], first="assistant")])
    carried = timed(again(old[3:5], "b"), 1_780_002_000.0)
    fresh = talk("b", "next", "a new reply", "and", "more")
    shown = rotated(
        scene, old, [handoff("b", "Summary."), *timed(fresh, 1_780_001_000.0)[:2], *carried, *fresh[2:]]
    )
    assert sum(line == "tool: built" for line in shown) == 1
    assert "user: next" in shown


def test_ids_that_an_agent_gives_again_and_again_say_nothing(scene):
    asked = calls(("call_0", "terminal", {"command": "make"}))
    step = [row("a", "assistant", "", tool_calls=asked), row("a", "tool", "built", tool_call_id="call_0")]
    old = timed(
        [
            *talk("a", "ask 1"),
            *step,
            *talk("a", "ask 2"),
            *step,
            *talk("a", "reply 3", "ask 3", first="assistant"),
        ]
    )
    fresh = timed([*talk("b", "next"), *again(step, "b")], 1_780_001_000.0)
    shown = rotated(scene, old, [handoff("b", "Summary."), *fresh])
    assert sum(line == "tool: built" for line in shown) == 3


def turns(session_id, *numbers, start=1_780_000_000.0):
    """Return turns in the same words and with the same id of a call; only arguments and results differ."""
    steps = [
        [
            row(session_id, "user", "go on"),
            row(session_id, "assistant", None, tool_calls=calls(("call_1", "read_file", {"path": f"f{at}"}))),
            row(session_id, "tool", f"lines of f{at}", tool_call_id="call_1"),
            row(session_id, "assistant", "Done."),
        ]
        for at in numbers
    ]
    return timed([one for step in steps for one in step], start)


def results(shown):
    return [line for line in shown if line.startswith("tool: ")]


def test_turns_whose_calls_have_the_same_ids_are_no_head_that_was_carried_over(scene):
    old = turns("a", *range(9))
    archived = [{**one, "active": 0, "compacted": 1} for one in old]
    fresh = turns("a", 9, 10, start=1_780_001_000.0)
    scene.play([session("a")], [*archived, handoff("a", "Summary."), *again(old[-4:], "a"), *fresh])
    assert results(scene.scroll("a")) == [f"tool: lines of f{at}" for at in range(11)]
    assert sorted(scene.copies().values()) == [33, 34, 35, 36]
    assert scene.spans("a") == [(1, 32, 32)]


def test_new_turns_whose_calls_have_the_same_ids_are_no_copies_of_the_tail(scene):
    old = turns("a", 0, 1, 2)
    fresh = turns("b", 3, 4, start=1_780_001_000.0)
    shown = rotated(scene, old, [handoff("b", "Summary."), *fresh])
    assert results(shown) == [f"tool: lines of f{at}" for at in range(5)]
    assert scene.copies() == {}


@pytest.mark.parametrize("result", ["other lines", "lines of f0"], ids=["new", "the same words"])
def test_a_session_that_numbers_its_calls_anew_repeats_nothing(scene, result):
    """Each id was given once in either session: only what was called tells them apart."""
    old = timed(
        [
            *talk("a", "read it"),
            row("a", "assistant", "I read.", tool_calls=calls(("call_1", "read_file", {"path": "f0"}))),
            row("a", "tool", "lines of f0", tool_call_id="call_1"),
            *talk("a", "reply 0", "ask 1")[:2],
        ]
    )
    fresh = timed(
        [
            *talk("b", "read another"),
            row("b", "assistant", "I look.", tool_calls=calls(("call_1", "read_file", {"path": "g0"}))),
            row("b", "tool", result, tool_call_id="call_1"),
        ],
        1_780_001_000.0,
    )
    shown = rotated(scene, old, [handoff("b", "Summary."), *fresh])
    assert results(shown) == ["tool: lines of f0", f"tool: {result}"]
    assert scene.copies() == {}


def test_a_result_that_the_agent_cut_is_a_copy_by_the_id_of_its_call(scene):
    old = timed(
        [
            one
            for at in range(4)
            for one in (
                *talk("a", f"ask {at}"),
                row("a", "assistant", "", tool_calls=calls((f"call_{at}", "terminal", {"command": "make"}))),
                row("a", "tool", f"built {at}, at length", tool_call_id=f"call_{at}"),
            )
        ]
    )
    carried = timed(again(old[-6:], "b"), 1_780_001_000.0)
    cut = [{**one, "content": "built"} if one["role"] == "tool" else one for one in carried]
    shown = rotated(scene, old, [handoff("b", "Summary."), *cut, *talk("b", "next")])
    assert results(shown) == [f"tool: built {at}, at length" for at in range(4)]
    assert shown[-1] == "user: next"


def test_what_the_user_says_twice_is_there_twice(scene):
    old = timed(talk("a", *TALK, "continue", "reply 6", "continue", "reply 7"))
    fresh = timed(talk("b", "continue", "a new reply", "continue"), 1_780_001_000.0)
    shown = rotated(scene, old, [handoff("b", "Summary."), *again(old[-2:], "b"), *fresh])
    assert sum(line == "user: continue" for line in shown) == 4


def test_a_handoff_of_another_kind_has_its_request_and_its_reply_folded(scene):
    old = timed(talk("a", *TALK))
    other = row("b", "user", "[NOTES SO FAR] What was done.", _compressed_summary=1)
    scene.play(
        [session("a", end_reason="compression"), session("b", parent="a")],
        [*old, other, *again(old[-2:], "b"), *timed(talk("b", "next"), 1_780_001_000.0)],
        version=30,
    )
    assert scene.scroll("a") == [*lines(*TALK), "handoff: [NOTES SO FAR] What was done.", "user: next"]


def test_a_merged_row_of_which_the_handoff_is_shown_has_no_calls(scene):
    asked = calls(("call_1", "terminal", {"command": "make"}))
    turn = [
        row("a", "assistant", "reply 6", tool_calls=asked),
        row("a", "tool", "built", tool_call_id="call_1"),
    ]
    old = timed([*talk("a", *TALK), *talk("a", "ask 6"), *turn])
    merged = {**old[-2], "session_id": "b", "content": f"{render_handoff('Summary.')}\n\nreply 6"}
    rotated(scene, old, [merged, *again(old[-1:], "b")])
    assert [one["tool_calls"] is not None for one in scene.messages("a")][-3:] == [True, False, False]
    page = create_app(scene.database).test_client().get("/c/a").text
    assert page.count('class="tool-name"') == 1
