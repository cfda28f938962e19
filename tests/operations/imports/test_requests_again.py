"""A request that the host writes again right before its handoff, under a new time."""

import pytest

from tests.agents.hermes.hermes_builder import row, session
from tests.operations.imports.scene import again, handoff, talk

TALK = [text for turn in range(1, 6) for text in (f"ask {turn}", f"reply {turn}")]
LATER = 1_780_001_000.0
SHOWN = [f"{'assistant' if 'reply' in text else 'user'}: {text}" for text in TALK]


def timed(rows, start=1_780_000_000.0):
    return [{**one, "timestamp": start + at} for at, one in enumerate(rows)]


def archived(rows):
    return [{**one, "active": 0, "compacted": 1} for one in rows]


def compacted(scene, old, new, *, in_place=False):
    """Play a compaction of *old* whose rows are *new*; returns the one scroll."""
    if in_place:
        scene.play([session("a")], [*archived(old), *again(new, "a")])
    else:
        scene.play([session("a", end_reason="compression"), session("b", parent="a")], [*old, *new])
    return scene.scroll("a")


@pytest.mark.parametrize("in_place", [False, True], ids=["new session", "in place"])
@pytest.mark.parametrize("head", [0, 2], ids=["no head", "with a head"])
@pytest.mark.parametrize("asked", ["ask 2", "ask 5"], ids=["an earlier request", "the last request"])
def test_it_is_folded_and_no_row_is_lost(scene, asked, head, in_place):
    old = timed(talk("a", *TALK))
    fresh = timed([row("b", "user", asked), handoff("b", "Summary."), *talk("b", "next")], LATER)
    new = [*again(old[:head], "b"), *fresh[:2], *again(old[-1:], "b"), fresh[2]]
    assert compacted(scene, old, new, in_place=in_place) == [*SHOWN, "handoff: Summary.", "user: next"]
    assert scene.copies()[10 + head + 1] == 1 + TALK.index(asked)
    assert len(scene.rows()) == len(old) + len(new)


@pytest.mark.parametrize("in_place", [False, True], ids=["new session", "in place"])
def test_a_handoff_after_the_request_that_nothing_answered_yet_is_no_quotation(scene, in_place):
    old = timed(talk("a", *TALK, "ask 6"))
    fresh = [row("b", "user", "ask 6"), handoff("b", "Summary."), row("b", "assistant", "reply 6")]
    shown = compacted(scene, old, [*again(old[:2], "b"), *timed(fresh, LATER)], in_place=in_place)
    assert shown == [*SHOWN, "user: ask 6", "handoff: Summary.", "assistant: reply 6"]
    assert len(scene.events()) == 1


def test_it_is_folded_where_later_compactions_archived_it(scene):
    first = timed(talk("a", *TALK))
    again_asked = timed([row("a", "user", "ask 5"), handoff("a", "One."), *talk("a", "ask 7")], LATER)
    second = [*first[:2], *again_asked, *timed(talk("a", "reply 7", first="assistant"), LATER + 9)]
    third = timed([row("a", "user", "ask 7"), handoff("a", "Two."), *talk("a", "next")], LATER + 20)
    scene.play([session("a")], [*archived(first), *archived(second), *first[:2], *third])
    assert scene.scroll("a") == [
        *SHOWN, "handoff: One.", "user: ask 7", "assistant: reply 7", "handoff: Two.", "user: next",
    ]  # fmt: skip
    assert scene.copies() == {11: 1, 12: 2, 13: 9, 17: 1, 18: 2, 19: 15}


@pytest.mark.parametrize(
    "between",
    [
        pytest.param([("user", "something new")], id="in other words"),
        pytest.param([("assistant", "ask 5")], id="by another role"),
        pytest.param([("user", "something new"), ("user", "ask 5")], id="after a row that nothing explains"),
        pytest.param([("user", "ask 5"), ("user", "something new")], id="before a row that nothing explains"),
    ],
)
def test_what_is_not_surely_a_copy_is_shown(scene, between):
    old = timed(talk("a", *TALK))
    said = [row("b", role, text) for role, text in between]
    fresh = timed([*said, handoff("b", "Summary.")], LATER)
    shown = compacted(scene, old, [*again(old[:2], "b"), *fresh, *again(old[-1:], "b")])
    assert shown == [*SHOWN, *(f"{role}: {text}" for role, text in between), "handoff: Summary."]


@pytest.mark.parametrize("later", [False, True], ids=["the last compaction", "an earlier one"])
def test_what_the_user_asks_again_right_before_a_compaction_in_place_is_shown_twice(scene, later):
    """It was archived with the rest, and nothing that was carried over is before it."""
    old = timed(talk("a", *TALK, "ask 5"))
    rows = [*timed([handoff("a", "Summary.")], LATER), *old[-1:], *timed(talk("a", "next"), LATER + 9)]
    again_shown = ["handoff: Summary.", "user: next"]
    if later:
        rows = [*archived(rows), *timed([handoff("a", "Two."), *talk("a", "at last")], LATER + 20)]
        again_shown += ["handoff: Two.", "user: at last"]
    scene.play([session("a")], [*archived(old), *rows])
    assert scene.scroll("a") == [*SHOWN, "user: ask 5", *again_shown]
