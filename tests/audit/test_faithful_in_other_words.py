"""Faithful summaries in words, forms and languages that a rule of the audit once took for something else."""

import pytest

from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Grade
from hermes_sessions.audit.last_request import RequestState, find_request_state, last_request
from hermes_sessions.audit.words.headings import PartKind, classify_heading
from tests.audit.builders import assistant, compacted, tool, user

MOORING = (
    user("Deadline 4 May, after that their berth goes to the visitors' list."),
    assistant("Noted. I lowered the fee to 85, the harbour board asked for it."),
)
FAITHFUL = [
    (MOORING, "The late have until 4 May, then their berths go to the visitors' list."),
    (MOORING, "The fee is 85 now, as the harbour board had asked."),
    (
        (user("Messt bis zum 12. Juni nach, um 8:15."), tool("c1", "count 41\nnacht 7.81 day 6.20\n")),
        "Termin mit Frau Dorval am 12. Juni um 8 h 15.",
    ),
    (
        (user("朝の点検は 06:40 から始めてください。"), assistant("点検の開始 06:40 は変更しません。")),
        "点検の開始は 06:40 のまま。",
    ),
]  # fmt: skip
ALTERED = [
    (MOORING, "Their berth goes to the visitors' list before the deadline of 4 May.", "exchanged"),
    ((user("Warte bitte."), assistant("Gewartet habe ich 75 ms.")), "Gewartet wurde 75 h.", "other-unit"),
]


def accusations(rows, body):
    """Return the rules by which *body* is accused."""
    told = compacted(rows, body=body).measured().deviations
    return [one.rule for one in told if one.grade is not Grade.NOT_VERBATIM]


@pytest.mark.parametrize(("rows", "body"), FAITHFUL)
def test_what_is_faithful_is_not_accused(rows, body):
    assert accusations(rows, body) == []


@pytest.mark.parametrize(("rows", "body", "rule"), ALTERED)
def test_what_the_same_rules_find_is_found(rows, body, rule):
    assert rule in accusations(rows, body)


@pytest.mark.parametrize(
    "heading", ["Suite", "Volgende stappen", "Następne kroki", "Nästa steg", "Sonraki adımlar"]
)
def test_headings_of_what_comes_next(heading):
    assert classify_heading(heading) is PartKind.NEXT


@pytest.mark.parametrize("heading", ["Openstaand", "Do zrobienia", "Att göra", "Yapılacaklar"])
def test_headings_of_what_is_open(heading):
    assert classify_heading(heading) is PartKind.PENDING


@pytest.mark.parametrize(
    ("text", "word"),
    [("voorzitter van de roeiclub", "van"), ("penge til båden", "til"), ("bir kürek", "bir")],
)
def test_small_words_name_nothing(text, word):
    assert word not in read_items(text).all


def test_a_suite_of_tests_is_no_next_step():
    assert classify_heading("Test suite") is PartKind.OTHER


def test_a_request_under_the_next_heading_of_another_language_is_in_the_summary():
    rows = (
        user("Count the members."),
        assistant("There are 166 of them."),
        user("Good. Then we draft the chapter on tides, begin with the gauges."),
    )
    body = "166 membres.\n\n## Suite\nRédiger le chapitre des marées, en commençant par les échelles."
    measured = compacted(rows, keep=[], body=body).measured()
    request = last_request(measured.case.before)
    assert request is not None
    assert find_request_state(measured, request) is RequestState.IN_SUMMARY
