"""The figures of a sentence: one value for each form, the new text of an edit, the name of a setting."""

import pytest

from hermes_sessions.audit.support.figures import is_same, keys_of, may_be, read_figures


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("34 500 руб. and 34.500,00 €", [("number money", "#34500"), ("number money", "#34500")]),
        ("am 8. Oktober, 2026-10-08, 8 October 2027, 10月8日", [("date", "10-8")] * 4),
        ("um 16 Uhr, 16:00", [("clock", "16:00")] * 2),
        ("8 TB in 8 weeks", [("number size", "#8"), ("number week", "#8")]),
        ("host 10.4.0.17 has v2.3.1", [("address", "10.4.0.17"), ("version", "2.3.1")]),
        ("commit 4be91f07c on relay-7", [("hash", "4be91f0"), ("code", "relay-7")]),
        ("sed -i 's/ttl = 60/ttl = 15/' a", [("number ", "#15")]),
        ('{"old_string": "ttl = 60", "new_string": "ttl = 15"}', [("number ", "#15")]),
    ],
)
def test_a_figure_has_one_value_in_every_form(text, expected):
    assert [(one.sort, one.value) for one in read_figures(text).figures] == expected


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("pool.size=12", "pool.size"),
        ("CACHE_TTL is 12", "CACHE_TTL"),
        ("12 rooms", ""),
        ('"limit": 12', "limit"),
    ],
)
def test_a_figure_knows_its_setting(text, key):
    assert read_figures(text).figures[0].key == key


def test_a_day_without_its_month_may_be_the_date_and_a_number_of_another_size_is_no_rival():
    date, day, large = (read_figures(one).figures[0] for one in ("14 May", "14", "4100"))
    assert is_same(date, day)
    assert not may_be(day, large)


def test_figures_that_may_say_the_same_have_a_key_in_common():
    texts = (
        "on 15 March, 15 of them",
        "commit a3f9c2e8 and a3f9c2e81b0d",
        "v2.4.1, 2.4",
        "src/a.py, a.py, 7 kg",
    )
    figures = [one for text in texts for one in read_figures(text).figures]
    same = [(one, other) for one in figures for other in figures if is_same(one, other)]
    assert len(same) > len(figures)
    assert all(not set(keys_of(one)).isdisjoint(keys_of(other)) for one, other in same)


@pytest.mark.parametrize(
    "between",
    [
        "=",
        " = ",
        ": ",
        '="',
        ": `",
        " is ",
        " to ",
        " at ",
        " auf ",
        " steht auf ",
        " est ",
        " => ",
        " на ",
    ],
)
def test_a_figure_knows_the_setting_it_is_the_value_of(between):
    (figure,) = read_figures(f"we have max_retries{between}45 since").figures[-1:]
    assert (figure.value, figure.key) == ("#45", "max_retries")


@pytest.mark.parametrize(
    "before", ["costs $ ", "costs $", "costs EUR ", "costs CHF ", "a long sentence says €"]
)
def test_a_sign_of_money_right_before_a_number_is_its_unit(before):
    assert [one.sort for one in read_figures(f"{before}45 since").figures] == ["number money"]


@pytest.mark.parametrize("text", ["3 May", "May 3", "(May 3)", "on 2026-05-03", "5月3日", "May 03, 2026"])
def test_a_day_is_one_figure_in_whatever_form(text):
    assert [one.value for one in read_figures(text).figures] == ["5-3"]
