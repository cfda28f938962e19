"""What took the place of something else counts, and two values are not beside each other's words."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user

FERRY = (
    user("Put the ferry on 6 crossings a day."),
    assistant("The ferry runs 6 crossings a day."),
    user("Too many for the crew. Make it 4."),
    assistant("Done, it is 4 crossings now. Oda writes the deck log, Rune checks the anchor."),
)
KILN = (
    user("Den Ofen bitte auf Dienstag legen, 40 Teller."),
    assistant("Eingetragen: Dienstag, 40 Teller."),
    user("Lieber Donnerstag, und es werden 55 Teller."),
    assistant("Geändert: Donnerstag, 55 Teller."),
)
STALL = (
    user("在市集租一个摊位,租金每天80元。"),
    assistant("已租下,租金每天80元。"),
    user("太贵了,改成60元的。"),
    assistant("已改为每天60元。由周敏布置,冯磊不用参加。"),
)
BEDS = (
    user("Book 27 beds at the hostel."),
    assistant("27 beds are booked, 31 euros a night."),
    user("Two people cancelled, so 25 beds."),
    assistant("Changed to 25 beds."),
)
SPEAKERS = (user("司会は西田さん、受付は大野さんです。"), assistant("承知しました。"))
PARTS = (
    user("Order 24 hinges and 7 bolts for the gate."),
    assistant("Ordered: 24 hinges, 7 bolts. Requests for paint go to Sanna, not to the shop."),
)


def found(body, rows):
    told = compacted(rows, body=body).measured().deviations
    assert all(one.grade is Grade.NOT_VERBATIM for one in told if one.rule in NEW)
    return {one.rule for one in told}


NEW = {"replaced-since", "set-aside", "crosswise", "other-state"}


@pytest.mark.parametrize(
    ("rows", "faithful", "altered"),
    [
        (FERRY, "The ferry runs 4 crossings a day.", "The ferry runs 6 crossings a day."),
        (
            KILN,
            "Der Ofen ist am Donnerstag mit 55 Tellern dran.",
            "Der Ofen ist am Dienstag mit 40 Tellern dran.",
        ),
        (KILN, "The kiln is booked for Thursday, 55 plates.", "The kiln is booked for Tuesday, 40 plates."),
        (STALL, "摊位租金每天60元。", "摊位租金每天80元。"),
        (BEDS, "Hostel: 25 beds, 31 euros a night.", "Hostel: 27 beds, 31 euros a night."),
    ],
)
def test_an_earlier_value_is_noted_and_the_newest_is_not(rows, faithful, altered):
    assert "replaced-since" in found(altered, rows)
    assert not {"replaced-since", "stands-elsewhere", "bound-elsewhere"} & found(faithful, rows)


@pytest.mark.parametrize(
    "body",
    ["The ferry went from 6 to 4 crossings a day.", "The ferry was on 6 crossings a day before, now 4."],
)
def test_what_tells_both_values_is_not_noted(body):
    assert "replaced-since" not in found(body, FERRY)


@pytest.mark.parametrize(
    ("rows", "faithful", "altered"),
    [
        (SPEAKERS, "司会は西田さん、受付は大野さん。", "司会は大野さん、受付は西田さん。"),
        (PARTS, "Ordered: 7 bolts and 24 hinges.", "Ordered: 24 bolts and 7 hinges."),
        (
            FERRY,
            "Rune checks the anchor; Oda writes the deck log.",
            "Oda checks the anchor; Rune writes the deck log.",
        ),
    ],
)
def test_values_beside_each_others_words_are_noted(rows, faithful, altered):
    assert found(altered, rows)
    assert not found(faithful, rows)


@pytest.mark.parametrize(
    ("rows", "faithful", "altered"),
    [
        (PARTS, "Requests for paint go to Sanna.", "Requests for paint go to the shop."),
        (STALL, "摊位由周敏布置。", "摊位由冯磊布置。"),
    ],
)
def test_what_was_set_aside_is_not_what_was_chosen(rows, faithful, altered):
    assert "set-aside" in found(altered, rows)
    assert "set-aside" not in found(faithful, rows)


def test_a_name_in_brackets_that_nobody_said_is_noted():
    assert "not-said" in found("For the gate 24 hinges and 7 bolts are ordered (Carpentier).", PARTS)
    assert "not-said" not in found("For the gate 24 hinges and 7 bolts are ordered (Sanna).", PARTS)
