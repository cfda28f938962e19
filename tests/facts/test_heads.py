"""Text in which nothing begins as a pattern's words do need not be searched."""

import re

import pytest

from hermes_sessions.audit.words.sides import DAYS, PERIODS, RELATIVE
from hermes_sessions.facts.wording.heads import alternatives, fold_case, heads_of, is_in, may_hold

TEXTS = (
    "See you on MONDAY, or dienstags", "每天一次", "the evening before", "am Abend zuvor", "KIŞ geldi, yarın",
    "twice a  year", "a year", "le lendemain matin", "segunda-feira", "в неделю", "p.a. only", "İLUNDI",
)  # fmt: skip


@pytest.mark.parametrize("pattern", [*DAYS, *PERIODS, RELATIVE])
def test_what_a_pattern_finds_is_never_ruled_out(pattern: re.Pattern[str]) -> None:
    assert heads_of(pattern)
    for text in TEXTS:
        assert may_hold(pattern, fold_case(text)) or pattern.search(text) is None


@pytest.mark.parametrize("pattern", [*DAYS, *PERIODS, RELATIVE, re.compile("[ab]c")])
def test_a_pattern_is_found_at_its_heads_as_it_is_anywhere(pattern: re.Pattern[str]) -> None:
    for text in (*TEXTS, "Grüße, große Straße am Montag", "nomonday mondayx", "\n".join(TEXTS)):
        assert is_in(pattern, text, fold_case(text)) == (pattern.search(text) is not None)


@pytest.mark.parametrize(
    ("shape", "heads"),
    [
        (r"\b(?:mondays?|lun(?:di|es))\b", ("lun", "monday")),
        (r"(?<!x)(?:next|previous) day|月曜", ("next", "previous", "月曜")),
        (r"\b[ab]c\b|monday", ()),
        (r"(?:not )?yet", ()),
        (r"Straße|p\.a", ("p.a", "strasse")),
    ],
)
def test_heads_are_what_each_alternative_begins_with(shape: str, heads: tuple[str, ...]) -> None:
    assert heads_of(re.compile(shape, re.I)) == heads


def test_a_text_without_any_head_is_ruled_out() -> None:
    assert not may_hold(DAYS[0], fold_case("the gateway listens on 8123"))


def test_a_bar_or_a_bracket_in_a_class_of_signs_cuts_nothing() -> None:
    shape = r"a(?:b|c)[.|)]|d[)]e|(?:x|y) on(?=[.,;)]|$)|z"
    assert [*alternatives(shape)] == ["a(?:b|c)[.|)]", "d[)]e", "(?:x|y) on(?=[.,;)]|$)", "z"]
