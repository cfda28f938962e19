"""A pattern that is tried on small letters finds what it finds in any case."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.audit.words.wording import FORBIDS, RESTRICTS
from hermes_sessions.facts.wording.sieves import AnyCase, any_case, in_small_letters
from tests.facts.test_sieves import SIEVES

SMALL = {
    name: (one.pattern, small)
    for name, one in SIEVES.items()
    if (small := in_small_letters(one.pattern)) is not None
}
WORDS = sorted({word for one, _ in SMALL.values() for word in re.findall(r"[a-z']{2,12}", one.pattern)})
TEXTS = st.lists(
    st.sampled_from([*WORDS, *(one.title() for one in WORDS), "NOT", "I", "5", "x_Y"]), max_size=6
)


def tried(pattern: str, flags: int = re.I) -> AnyCase:
    """A pattern that was tried often before."""
    one = any_case(pattern, flags)
    for _ in range(300):
        assert one.search("-") is None
    return one


@pytest.mark.parametrize("name", sorted(SMALL))
@settings(max_examples=60)
@given(words=TEXTS, joint=st.sampled_from([" ", ", ", ". ", "-"]))
def test_the_same_is_found(name: str, words: list[str], joint: str) -> None:
    pattern, small = SMALL[name]
    text = joint.join(words)
    found, small_found = pattern.search(text), small.search(text.lower())
    assert (found and found.span()) == (small_found and small_found.span())


def test_what_is_found_is_of_the_text_as_it_stands() -> None:
    found = tried(r"(?<=x )\bonly\b( now)?").search("say X Only Now")
    assert found is not None
    assert found.group() == "Only Now"
    assert found.span() == (6, 14)


def test_at_the_beginning_alone() -> None:
    one = tried(r"after\b")
    assert one.match("AFTER all") is not None
    assert one.match("not after") is None


def test_letters_that_are_no_ascii_have_two_cases_too() -> None:
    one = tried("größe|été|nicht|всё")
    assert one.search("Die GRÖSSE") is None
    assert one.search("Die GRÖßE") is not None
    assert one.search("L'Été") is not None
    assert one.search("ВСЁ") is not None


@pytest.mark.parametrize("text", ["İ NİCHT", "nıcht", "ſo niCht", "Σ nicht", "ᲀ NICHT"])
def test_odd_letters_are_read_as_the_pattern_reads_them(text: str) -> None:
    one = tried("nicht")
    found, wanted = one.search(text), one.pattern.search(text)
    assert (found and found.span()) == (wanted and wanted.span())


@given(sign=st.characters(exclude_categories=["Cs"]))
def test_every_other_letter_is_its_small_one(sign: str) -> None:
    for letter in {sign, sign.upper(), sign.lower(), "i", "s", "k"}:
        if len(letter) == 1 and (small := in_small_letters(re.compile(re.escape(letter.lower()), re.I))):
            one = tried(re.escape(letter.lower())) if letter != "-" else any_case("-", re.I)
            assert bool(one.search(f"x{sign}")) is bool(one.pattern.search(f"x{sign}"))
            assert small.flags & re.I == 0


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("yapıldı", id="a letter of which an ASCII one is the capital"),
        pytest.param("[A-Z]x", id="a class of capitals"),
        pytest.param("[!-Z]x", id="a range that ends in capitals"),
        pytest.param("[à-ʯ]x", id="a range with such a letter"),
        pytest.param(r"[\x21-\x5a]", id="a range by numbers"),
        pytest.param("(?-i:x)y", id="a part in its own case"),
    ],
)
def test_what_holds_one_case_alone_is_left_as_it_is(pattern: str) -> None:
    assert in_small_letters(re.compile(pattern, re.I)) is None


def test_a_pattern_in_its_own_case_is_left_as_it_is() -> None:
    assert in_small_letters(re.compile("only")) is None
    assert tried("only", 0).search("Only") is None


@pytest.mark.parametrize("one", [RESTRICTS, FORBIDS])
def test_the_longest_patterns_are_tried_so(one: AnyCase) -> None:
    assert in_small_letters(one.pattern) is not None
