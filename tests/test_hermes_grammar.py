import pytest

from hermes_sessions.handoff import merge_handoff, render_handoff, split_handoff
from hermes_sessions.handoff.grammars.grammar import HandoffGrammar
from hermes_sessions.handoff.grammars.hermes import HermesGrammar

GRAMMAR: HandoffGrammar = HermesGrammar()
TEXTS = {
    "alone": render_handoff("Goal: ship."),
    "a reply after it": merge_handoff(render_handoff("Goal: ship."), "go on"),
    "an old one": "[CONTEXT SUMMARY]: Goal: ship.",
    "a message": "Goal: ship.",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_spans_are_the_handoffs_that_splitting_finds(text):
    parts = [part.raw for part in split_handoff(text) if part.kind == "handoff"]
    assert [text[span.start : span.end] for span in GRAMMAR.spans(text)] == parts
    assert GRAMMAR.starts(text) == bool(parts)


def test_a_body_is_found_again_in_its_frame():
    framed = GRAMMAR.frame("Goal: ship.")
    assert framed is not None
    [span] = GRAMMAR.spans(framed)
    assert framed[span.body_start : span.body_end] == "Goal: ship."
    assert GRAMMAR.is_known(framed)
