"""Days are read by the names that months have in many languages."""

import pytest

from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.quantities.amounts import read_days


@pytest.mark.parametrize(
    "text",
    [
        *("10 березня", "10 марта", "10. března", "10. marca", "10 marca", "10 mars", "10. marts"),
        *("10. maaliskuuta", "10. március", "10 martie", "10 maret", "10 μαρτίου", "10 Mart"),
    ],
)
def test_a_day_of_march(text):
    assert read_days(text) == {(0, 3, 10)}
    assert [(one.kind, one.value) for one in extract_text_facts(f"({text})")] == [("date", text)]


@pytest.mark.parametrize("text", ["10 март", "10 març"])
def test_it_is_read_in_short_forms_too(text):
    assert read_days(text) == {(0, 3, 10)}


@pytest.mark.parametrize("text", ["9 leden", "10 banks", "10 marches"])
def test_what_only_looks_like_a_month_is_none(text):
    assert read_days(text) == frozenset()
