"""A number that a later one replaced, a file in another folder, a deed that was held back."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user

TAX = (
    user("Bitte die Voranmeldung vorbereiten."),
    assistant("Die Zahllast ist 7.315,23 EUR. Die Liste liegt in belege/oktober_liste.csv."),
    user("ER-1190 war privat."),
    assistant("Dann steigt die Zahllast auf 7.357,03 EUR."),
)
PUSH = (
    user("Commit it, and hold back the push until Priya has tried it."),
    assistant("Committed as 4be91d7. Not pushed."),
)


def accusations(body, *rows):
    told = compacted(rows, body=body).measured().deviations
    return {one.rule for one in told if one.grade is not Grade.NOT_VERBATIM}


@pytest.mark.parametrize(
    ("body", "rows", "rule"),
    [
        ("Die Liste liegt in anlagen/oktober_liste.csv.", TAX, "same-line"),
        ("4be91d7 was committed and has been pushed.", PUSH, "held-back"),
    ],
)
def test_what_is_tied_to_its_source_is_accused(body, rows, rule):
    assert rule in accusations(body, *rows)


def test_a_former_value_in_other_words_is_noted():
    told = compacted(TAX, body="Die Zahllast beträgt 7.315,23 EUR.").measured().deviations
    assert {one.grade for one in told} == {Grade.NOT_VERBATIM}


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        ("Die Zahllast beträgt 7.357,03 EUR.", TAX),
        ("Die Zahllast war zuvor 7.315,23 EUR, jetzt 7.357,03 EUR.", TAX),
        ("Die Liste liegt in oktober_liste.csv.", TAX),
        ("Die Liste liegt in /home/ute/belege/oktober_liste.csv.", TAX),
        ("4be91d7 was committed, the push is held back.", PUSH),
    ],
)
def test_what_is_said_in_another_way_is_not(body, rows):
    assert accusations(body, *rows) == set()
