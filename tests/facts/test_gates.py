"""Gates: the words of every rule are found in one pass, and no pattern matches without one of its own."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_sessions.facts.extract import extract_facts
from hermes_sessions.facts.gates import GatedShape, gate, gated, holds, open_gates, present
from hermes_sessions.facts.idioms import barring
from hermes_sessions.facts.kinds import names
from hermes_sessions.facts.wording import (
    change_shapes,
    choice_shapes,
    failure_shapes,
    request_shapes,
    rule_shapes,
    standing_rules,
    words,
)
from tests.facts.pattern_walk import ways_without

MINE = gate("never", "do not", "n't", "không", "不要", "- [ ]", "err!", "é", "a-b", "1")
ROOMS = (choice_shapes, failure_shapes, request_shapes, rule_shapes, standing_rules, barring, names)
SHAPES_OF_WORDS = {
    "decision": (words.DECISION.pattern, words.DECISION_WORDS),
    "todo": (words.TODO.pattern, words.TODO_WORDS),
    "next": (words.NEXT.pattern, words.NEXT_WORDS),
    "changed": (change_shapes.CHANGED, change_shapes.CHANGED_WORDS),
}
KINDS_OF_NOTES = [kind for kind in words.HEADINGS if kind not in ("", "constraint")]
SHAPES = [
    pytest.param(one, id=f"{room.__name__.rpartition('.')[2]}.{name}.{one.gate.words[0]}")
    for room in ROOMS
    for name, value in vars(room).items()
    if isinstance(value, tuple)
    for one in value
    if isinstance(one, GatedShape)
]


def texts_with(shape: re.Pattern[str]) -> st.SearchStrategy[str]:
    return st.from_regex(re.compile(shape.pattern, shape.flags))


@given(
    st.lists(st.one_of(st.sampled_from(MINE.words), st.text(max_size=6)), max_size=8),
    st.sampled_from(["", " ", "x", "不"]),
)
def test_a_gate_is_open_to_exactly_the_words_in_the_text(pieces: list[str], between: str) -> None:
    lower = between.join(pieces).lower()
    assert list(open_gates(lower).get(MINE, ())) == [word for word in MINE.words if word in lower]


def test_a_long_token_and_half_a_character_are_read_like_any_other() -> None:
    assert list(open_gates("x" * 100 + "never" + "\udc80x")[MINE]) == ["never"]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_way_through_a_pattern_leads_past_the_words_of_its_gate(shape: GatedShape) -> None:
    assert not ways_without(shape.pattern, shape.gate.words)


@pytest.mark.parametrize("kind", SHAPES_OF_WORDS)
def test_no_way_of_saying_a_kind_leads_past_the_words_of_its_gate(kind: str) -> None:
    pattern, words_of_kind = SHAPES_OF_WORDS[kind]
    assert not ways_without(pattern, words_of_kind.words)


@pytest.mark.parametrize("shape", [words.MARKER, *(words.HEADINGS[kind] for kind in KINDS_OF_NOTES)])
def test_no_marker_or_heading_of_a_note_leads_past_its_gate(shape: re.Pattern[str]) -> None:
    assert not ways_without(shape, words.NOTED_WORDS.words)


@pytest.mark.parametrize(
    ("pattern", "words_of_gate", "ways"),
    [
        (r"\bd['’]ora in poi\b", ("d'ora in poi",), {"d’ora in poi"}),
        (r"\bd['’]ora in poi\b", ("ora in poi",), set()),
        (r"keep \w+ (?:off|shut)", ("keep ",), set()),
        (r"(?:keep )?\w+ (?:off|shut)", ("keep ", " off"), {" shut"}),
        (r"(?i)никого|nobody", ("nobody",), {"никого"}),
        (r"no(?:ne|body)?", ("nobody", "none"), {"no"}),
        (r"^(?=.*ğ).*me$", ("ğ",), set()),
        (r"re[ds]{1,2}o", ("edo", "eso", "ddo", "sso"), {"esdo", "edso"}),
    ],
)
def test_ways_through_a_pattern_are_walked_one_by_one(
    pattern: str, words_of_gate: tuple[str, ...], ways: set[str]
) -> None:
    reach = max(map(len, words_of_gate))
    assert ways_without(re.compile(pattern), words_of_gate) == {way[-reach:] for way in ways}


@pytest.mark.parametrize(
    "sentence",
    [
        "D’ora in poi i rilasci passano da Marta.",
        "Put everything before legal.",
        "Check with Priya ahead of any migration.",
        "Cualquier cambio es revisado antes de subir, sin prisa.",
        "Niemand opent de kluis.",
        "El certificado no me lo muestres a nadie.",
        "谁都不能改价目表。",
        "Every refund needs a yes.",
    ],
)
def test_rules_whose_gate_was_narrower_are_read(sentence: str) -> None:
    found = extract_facts({"role": "user", "content": sentence})
    assert [fact.value for fact in found if fact.kind == "constraint"] == [sentence.rstrip(".。")]


@pytest.mark.parametrize(
    "sentence",
    [
        "We settled for the blue crates.",
        "We are going to keep the old pump.",
        "We went for route B.",
        "Hemos escogido la variante con dos hornos.",
    ],
)
def test_decisions_whose_gate_was_narrower_are_read(sentence: str) -> None:
    found = extract_facts({"role": "user", "content": sentence})
    assert [fact.value for fact in found if fact.kind == "decision"] == [sentence.rstrip(".")]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_pattern_matches_nothing_without_a_word_of_its_gate(shape: GatedShape) -> None:
    @settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
    @given(texts_with(shape.pattern))
    def has_a_word(text: str) -> None:
        if match := shape.pattern.search(text):
            lower = text.lower().replace("ı", "i")  # `I` is the capital of both
            assert any(word.replace("ı", "i") in lower for word in shape.gate.words), match.group()

    has_a_word()


@settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(texts_with(change_shapes.CHANGED))
def test_what_tells_a_change_has_a_word_of_its_gate(text: str) -> None:
    if match := change_shapes.CHANGED.search(text):
        lower = match.group().lower().replace("ı", "i").replace("ſ", "s")  # as letters of any case match
        words = [word.replace("ı", "i") for word in change_shapes.CHANGED_WORDS.words]
        assert any(word in lower for word in words), match.group()


def test_a_pattern_is_tried_only_where_its_gate_is_open() -> None:
    shapes = gated((("stop",), r"\bstop\b"), (("never",), r"."))
    lower = "please stop"
    found = present(shapes, open_gates(lower))
    assert [pattern.pattern for _, pattern in found] == [r"\bstop\b"]
    assert holds(found, lower, lower)
    assert not holds(found, "go on", "go on")
