"""Amounts of Chinese, Japanese and Korean, whose parts have their own words for how much they are."""

import pytest

from hermes_sessions import extract_facts
from hermes_sessions.facts.equivalence import equal_by
from hermes_sessions.facts.quantities.amounts import Amount, read_amount


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("15万1,500円", Amount(151_500, "jpy", 1)),
        ("15万円", Amount(150_000, "jpy", 10_000)),
        ("2万5千円", Amount(25_000, "jpy", 1_000)),
        ("3억2000만원", Amount(320_000_000, "원", 10_000)),
        ("1.5万条", Amount(15_000, "条", 1_000)),
        ("-3万元", Amount(-30_000, "cny", 10_000)),
        ("48万", Amount(480_000, "", 10_000)),
    ],
)
def test_the_parts_are_added(value, expected):
    assert read_amount(value) == (expected,)


@pytest.mark.parametrize(("value", "number"), [("1,500円", 1_500), ("7条", 7), ("12 kg", 12)])
def test_a_number_without_such_a_word_is_read_as_it_is(value, number):
    assert read_amount(value)[0].number == number


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("会場費は合わせて15万1,500円、残りは14万8,500円です。", ["15万1,500円", "14万8,500円"]),
        ("押金一共2万3500元。", ["2万3500元"]),
        ("수리비는 3만5천원입니다.", ["3만5천원"]),
    ],
)
def test_a_text_is_read_with_all_parts_of_an_amount(text, values):
    found = [
        one.value for one in extract_facts({"role": "assistant", "content": text}) if one.kind == "money"
    ]
    assert found == values


def test_both_ways_to_write_an_amount_are_equal():
    assert equal_by("money", "15万1,500円", "151,500円")
    assert not equal_by("money", "15万1,500円", "151,600円")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("622,410 em vez de 622,140 km", "622,140 km"),
        ("a margin of 1.5em", "1.5em"),
        ("uma fonte de 12pt", "12pt"),
    ],
)
def test_sizes_of_letters_stand_at_their_number(text, value):
    found = [one.value for one in extract_facts({"role": "user", "content": text}) if one.kind == "number"]
    assert found[:1] == [value]
