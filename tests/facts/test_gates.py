"""Gates: the words of every rule are found in one pass, and no pattern matches without one of its own."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes_sessions.facts.gates import GatedShape, gate, gated, holds, open_gates, present
from hermes_sessions.facts.kinds import names
from hermes_sessions.facts.wording import change_shapes, failure_shapes, request_shapes, rule_shapes

MINE = gate("never", "do not", "n't", "không", "不要", "- [ ]", "err!", "é", "a-b", "1")
ROOMS = (failure_shapes, request_shapes, rule_shapes, names)
SHAPES = [
    pytest.param(one, id=f"{room.__name__.rpartition('.')[2]}.{name}.{one.gate.words[0]}")
    for room in ROOMS
    for name, value in vars(room).items()
    if isinstance(value, tuple)
    for one in value
    if isinstance(one, GatedShape)
]


@given(
    st.lists(st.one_of(st.sampled_from(MINE.words), st.text(max_size=6)), max_size=8),
    st.sampled_from(["", " ", "x", "不"]),
)
def test_a_gate_is_open_to_exactly_the_words_in_the_text(pieces: list[str], between: str) -> None:
    lower = between.join(pieces).lower()
    assert list(open_gates(lower).get(MINE, ())) == [word for word in MINE.words if word in lower]


def test_a_long_token_and_half_a_character_are_read_like_any_other() -> None:
    assert list(open_gates("x" * 100 + "never" + "\udc80x")[MINE]) == ["never"]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_pattern_matches_nothing_without_a_word_of_its_gate(shape: GatedShape) -> None:
    @settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
    @given(st.from_regex(shape.pattern))
    def has_a_word(text: str) -> None:
        if match := shape.pattern.search(text):
            lower = text.lower().replace("ı", "i")  # `I` is the capital of both
            assert any(word.replace("ı", "i") in lower for word in shape.gate.words), match.group()

    has_a_word()


@settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.from_regex(change_shapes.CHANGED))
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
