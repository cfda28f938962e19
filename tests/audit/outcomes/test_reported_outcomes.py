"""Outcomes and deeds in words that nobody used, or that belong to something else."""

import pytest

from hermes_sessions.audit.notices.polarity import AXES
from tests.audit.builders import assistant, call, tool, user
from tests.audit.spot_rules import spot_rules_of

CLOCK = (
    user("Please check the tower clock of Ebnat and the bell. The escapement was complete in May."),
    assistant("The escapement is complete. I oiled the wheels of the tower clock."),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The tower clock was checked. A carillon was donated.", True),
        ("The tower clock was checked. I varnished the bell.", True),
        ("The tower clock was checked. I oiled the wheels.", False),
        ("The tower clock was checked. The bell was not varnished.", False),
        ("The tower clock was checked. The bell should be varnished.", False),
    ],
)
def test_a_deed_that_nobody_named_is_noted(body, noted):
    assert ("unheard-deed" in spot_rules_of(CLOCK, body)) is noted


def test_a_deed_in_another_language_is_noted_only_where_its_meaning_has_a_name():
    talk = (user("Bitte prüfe die Turmuhr und die Glocke und gib mir danach kurz Bescheid, danke."),)
    assert "unheard-deed" in spot_rules_of(talk, "The bell is to be checked. I deleted the ledger of it.")
    assert "unheard-deed" not in spot_rules_of(
        talk, "The bell is to be checked. I varnished the ledger of it."
    )


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("The escapement is incomplete.", True),
        ("The escapement is complete.", False),
        ("The escapement is not incomplete.", False),
        ("The bell rope is incomplete.", False),
    ],
)
def test_the_opposite_of_a_word_by_its_prefix_is_noted(body, noted):
    assert ("opposite-form" in spot_rules_of(CLOCK, body)) is noted


def test_opposite_prefixes_of_other_languages():
    talk = (user("Die Heizung im Chor ist eingeschaltet. La batterie est chargée."),)
    assert "opposite-form" in spot_rules_of(talk, "Die Heizung im Chor ist ausgeschaltet.")
    assert "opposite-form" in spot_rules_of(talk, "La batterie est déchargée.")
    assert "opposite-form" not in spot_rules_of(talk, "La batterie est chargée.")


COUNTED = (
    user("Scan the ledgers."),
    assistant("", call("scan")),
    tool("c1", "scanned 3 of 11 ledgers"),
    assistant("", call("scan", "c2")),
    tool("c2", "scanned 9 of 11 ledgers; checked 11/11 seals"),
)


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("All 11 ledgers are scanned.", True),
        ("Alle 11 Hefte sind gescannt.", True),
        ("9 of 11 ledgers are scanned.", False),
        ("Not all 11 ledgers are scanned.", False),
        ("All 12 shelves are dusted.", False),
    ],
)
def test_all_of_what_was_some_is_noted(body, noted):
    talk = (*COUNTED[:-1], tool("c2", "scanned 9 of 11 ledgers"))
    assert ("all-of-some" in spot_rules_of(talk, body)) is noted


def test_all_of_what_was_all_last_is_right():
    assert "all-of-some" not in spot_rules_of(COUNTED, "All 11 ledgers are scanned.")


@pytest.mark.parametrize(
    ("body", "noted"),
    [
        ("Lindgren drumsticks mended, Okonjo trumpet scrapped.", True),
        ("Lindgren drumsticks scrapped, Okonjo trumpet mended.", False),
        ("Okonjo trumpet mended, Lindgren drumsticks scrapped.", False),
    ],
)
def test_words_of_two_clauses_crosswise_are_noted(body, noted):
    talk = (user("Of the instruments: Lindgren scrapped, Okonjo mended, and nothing else is known."),)
    assert ("crossed-words" in spot_rules_of(talk, body)) is noted


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("opinia pozytywna", "opinia negatywna"),
        ("мнение положительное", "мнение отрицательное"),
        ("parere favorevole", "parere contrario"),
        ("検査は陽性", "検査は陰性"),
    ],
)
def test_positive_and_negative_are_two_sides_in_more_languages(one, other):
    sides = [(read(one), read(other)) for axis, read in AXES.items() if axis.startswith("side")]
    assert (frozenset({False}), frozenset({True})) in sides
