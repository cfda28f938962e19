"""A pattern that is tried only where a text holds what it needs finds what it finds everywhere."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.audit.checking import denied
from hermes_sessions.audit.effects import repairs
from hermes_sessions.audit.exchanges import opposites
from hermes_sessions.audit.relations import bans
from hermes_sessions.audit.words import modality, outcomes, sides, wording
from hermes_sessions.compaction.economy import told_effects
from hermes_sessions.facts.speech import rules
from hermes_sessions.facts.wording import (
    choice_shapes,
    observations,
    promise_rules,
    rule_scopes,
    rule_shapes,
    standing_rules,
    words,
)
from hermes_sessions.facts.wording.heads import fold_case
from hermes_sessions.facts.wording.necessary import needed_by
from hermes_sessions.facts.wording.sieves import Sieve, any_sieve, sieve
from tests.facts.pattern_walk import ways_without

ROOMS = (
    *(bans, denied, modality, outcomes, repairs, sides, wording),
    *(choice_shapes, observations, promise_rules, rule_scopes, rule_shapes, rules, standing_rules),
    *(told_effects, words),
)
SIEVES = (
    {name: one for room in ROOMS for name, one in vars(room).items() if isinstance(one, Sieve)}
    | {f"{axis}.{at}": one for axis, both in opposites._SIDES.items() for at, one in enumerate(both)}
    | {f"RECOVERED.{at}": one for at, one in enumerate(repairs.RECOVERED.sieves)}
)
LETTERS = sorted({one.letters for each in SIEVES.values() for one in needed_by(each.pattern) or ()})
BETWEEN = [" ", "", "-", "'", "’", ". ", ", ", "\n", "_", "s", "İ", "ſ", "K", "不", "\u0345", "é"]
TEXTS = st.lists(
    st.tuples(st.sampled_from([*LETTERS, "the gateway", "not", "is", "you", "42"]), st.sampled_from(BETWEEN)),
    max_size=6,
).map(lambda parts: "".join(one for part in parts for one in part))


@pytest.mark.parametrize("name", [name for name, one in SIEVES.items() if needed_by(one.pattern)])
def test_no_way_through_a_pattern_leads_past_what_it_needs(name: str) -> None:
    pattern = SIEVES[name].pattern
    needed = [one.letters for one in needed_by(pattern) or ()]
    assert not ways_without(pattern, [*needed, *(one.replace("ss", "ß") for one in needed)])


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.sampled_from([str, str.upper, str.title]))
def test_what_a_pattern_finds_is_never_held_back(text: str, written: type[str]) -> None:
    text = written(text)
    for name, one in SIEVES.items():
        assert one.may_be_in(text) or one.pattern.search(text) is None, name


@pytest.mark.parametrize(
    ("shape", "needed"),
    [
        pytest.param(r"\b(?:never|nie)\b", {"|never|", "|nie|"}, id="whole words"),
        pytest.param(r"\bforbid\w*|verbot", {"|forbid", "verbot"}, id="beginnings"),
        pytest.param(r"\bcolou?r\b", {"|colo"}, id="a letter that may be left out"),
        pytest.param(r"\b(?:the )?user decided\b", {"|decided|"}, id="a word that may be left out"),
        pytest.param(r"n[’']t\b", {"|t|"}, id="behind a sign"),
        pytest.param(r"\b[Ss]top\b", {"|stop|"}, id="a class of two"),
        pytest.param(r"^\W{0,3}please", {"|please"}, id="at the beginning"),
        pytest.param(r"x(?!y)z", {"xz"}, id="what may not follow"),
        pytest.param(r"\w+ (?=soon)", {"|soon"}, id="what must follow"),
        pytest.param(r"(?<!\w)lock(?:ed)?\b", {"|lock"}, id="no letter before"),
        pytest.param(r"\bgo+d", {"|go"}, id="a letter again"),
        pytest.param(r"Straße|不要", {"strasse", "不要"}, id="folded, and signs"),
        pytest.param(r"\w+ed|no", {"ed", "no"}, id="an ending"),
        pytest.param(r"(?:^|[,;] )(?:so )?then", {"|then"}, id="at one of two places"),
        pytest.param(r"\bist (?:zu|nicht)\b", {"|ist|"}, id="the first of two that tell alike"),
    ],
)
def test_what_a_pattern_needs_is_read_from_it(shape: str, needed: set[str]) -> None:
    found = needed_by(re.compile(shape, re.I)) or ()
    assert {f"{'|' * one.begins}{one.letters}{'|' * one.ends}" for one in found} == needed


@pytest.mark.parametrize(
    ("shape", "flags"),
    [(r"\d+", 0), (r"no|\w+", 0), (r"(?:no)?", 0), (r"(a)\1", 0), (r"no", re.A), (r"n o", re.X)],
)
def test_of_what_is_not_sure_every_text_is_searched(shape: str, flags: int) -> None:
    assert needed_by(re.compile(shape, flags)) is None
    assert sieve(shape, flags).may_be_in("nothing of it")


def test_a_word_is_asked_for_as_a_whole() -> None:
    never = sieve(r"\bno\b|不要", re.I)
    assert never.may_be_in("No way")
    assert never.may_be_in("请不要重启")
    assert not never.may_be_in("nothing is known of the piano")


def test_a_sieve_answers_as_its_pattern_does() -> None:
    never = sieve(r"\bnever\b", re.I)
    for text in ("Never say never", "say it", "a " * 2_000 + "never"):
        assert [one.span() for one in never.finditer(text)] == [
            one.span() for one in never.pattern.finditer(text)
        ]
        assert (never.search(text) is None) == (never.pattern.search(text) is None)
        assert (never.match(text) is None) == (never.pattern.match(text) is None)
        assert never.sub("", text) == never.pattern.sub("", text)


def test_the_letters_that_are_needed_are_folded() -> None:
    assert all(one == fold_case(one) for one in LETTERS)


def test_a_pattern_that_comes_later_is_looked_for_in_texts_that_were_read_before() -> None:
    text = "the zzyqua and its xxzzyqub"
    assert not sieve(r"\bzzyquc").may_be_in(text)
    assert sieve(r"\bzzyqu").search(text)
    assert sieve(r"\w+zzyqub").search(text)
    assert sieve(r"\bzzyqua\b").search(text)


def test_a_sign_that_small_letters_join_to_a_word_ends_one_where_it_is_none() -> None:
    assert sieve(r"\bnever\b").search("x\u0345never")


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_patterns_of_which_any_may_match_find_what_one_of_all_finds(text: str) -> None:
    parts = [one.pattern.pattern for one in repairs.RECOVERED.sieves]
    whole = re.compile("|".join(parts), re.I).search(text)
    found = repairs.RECOVERED.search(text)
    assert (whole and whole.span()) == (found and found.span())


def test_of_two_that_begin_alike_the_first_is_found() -> None:
    found = any_sieve("gate(?:way)?", "gateways", "a gate").search("This is a gateways.")
    assert found is not None
    assert found.group() == "a gate"
    other = any_sieve("gate", "gateways").search("the gateways")
    assert other is not None
    assert other.group() == "gate"
