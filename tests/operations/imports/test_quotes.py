import pytest

from hermes_sessions.handoff import BRACKET, DELIM, PRIOR, render_handoff
from tests.agents.hermes.hermes_builder import row, session
from tests.operations.imports.scene import again, handoff, talk

WHOLE = render_handoff("What somebody pasted.")
QUOTES = {
    "old bracket": "[CONTEXT SUMMARY]: what does this line in my log mean?",
    "bracket": f"{BRACKET} what does this mean?",
    "prior": f"{PRIOR}\nwhat is\n\n{DELIM}\n\n{BRACKET} this?",
    "whole": WHOLE,
    "in a sentence": f"why do I see {WHOLE}",
}
quotes = pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES.keys())


@pytest.mark.slow
@quotes
@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
@pytest.mark.parametrize("place", range(4))
def test_a_quote_in_a_session_of_its_own_is_a_message(scene, quote, role, place):
    rows = talk("s", "one", "two", "three", "four")
    rows.insert(place, row("s", role, quote))
    scene.play([session("s")], rows)
    assert scene.kinds() == {}
    assert scene.events() == []
    assert scene.scroll("s")[place] == f"{role}: {quote}"


PARENT = talk("p", "start", "working", "more", "done", "and more", "done again")


@pytest.mark.slow
@quotes
@pytest.mark.parametrize("place", [1, 2, 3])
@pytest.mark.parametrize("reason", [None, "cli_close", "compression"])
def test_a_quote_in_a_delegate_does_not_make_it_a_continuation(scene, quote, place, reason):
    task = talk("d", "your task is to look", "looking", "thanks", "found it")
    task.insert(place, row("d", "user", quote))
    config = '{"_delegate_from": "p"}'
    scene.play(
        [session("p", end_reason=reason), session("d", parent="p", model_config=config)], [*PARENT, *task]
    )
    assert scene.relations()["d"] == "delegate"
    assert scene.kinds() == {}


@pytest.mark.parametrize("name", ["old bracket", "bracket", "in a sentence"])
def test_a_delegates_task_may_begin_with_a_bracket(scene, name):
    config = '{"_delegate_from": "p"}'
    task = talk("d", QUOTES[name], "a marker")
    scene.play([session("p"), session("d", parent="p", model_config=config)], [*PARENT, *task])
    assert scene.relations()["d"] == "delegate"
    assert scene.kinds() == {}


@quotes
def test_a_quote_in_a_branch_is_a_message(scene, quote):
    branch = [*again(PARENT[:4], "b"), *talk("b", "another way", "sure"), row("b", "user", quote)]
    config = '{"_branched_from": "p"}'
    scene.play([session("p"), session("b", parent="p", model_config=config)], [*PARENT, *branch])
    assert scene.relations()["b"] == "branch"
    assert scene.kinds() == {}
    assert scene.session("b").inherited_count == 4


@quotes
@pytest.mark.parametrize("summary", [True, False], ids=["handoff", "no handoff"])
def test_a_quote_after_the_tail_of_a_continuation_is_a_message(scene, quote, summary):
    child = [*again(PARENT[:1], "c"), *([handoff("c")] if summary else []), *again(PARENT[4:], "c")]
    new = [row("c", "user", quote), row("c", "assistant", "a marker")]
    scene.play([session("p", end_reason="compression"), session("c", parent="p")], [*PARENT, *child, *new])
    assert scene.scroll("p")[-2:] == [f"user: {quote}", "assistant: a marker"]
    assert len(scene.copies()) == 3
    assert len(scene.kinds()) == summary


@quotes
def test_a_quote_carried_over_by_a_rotation_is_still_a_message(scene, quote):
    old = [*PARENT, *talk("p", quote, "a marker")]
    child = [handoff("c"), *again(old[-2:], "c"), *talk("c", "go on", "done")]
    scene.play([session("p", end_reason="compression"), session("c", parent="p")], [*old, *child])
    assert scene.scroll("p").count(f"user: {quote}") == 1
    assert [line for line in scene.scroll("p") if line.startswith("handoff")] == ["handoff: What was done."]


def test_a_handoff_of_an_unknown_release_is_one_where_the_parent_was_compacted(scene):
    text = f"{BRACKET} In words that no release used so far:\n## Goal\nShip it."
    child = [row("c", "user", text), *again(PARENT[-2:], "c")]
    scene.play([session("p", end_reason="compression"), session("c", parent="p")], [*PARENT, *child])
    assert scene.kinds() == {7: "handoff"}
    assert scene.scroll("p")[-1] == "handoff: ## Goal\nShip it."
