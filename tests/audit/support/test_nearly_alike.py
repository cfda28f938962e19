"""A contradiction in free words is a note; in nearly the words of its source, or noticed twice, a warning."""

import pytest

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.support.nearly_alike import weighed
from tests.audit.builders import assistant, compacted, user

BAN = "Do not restart the payments database before Friday."


def found(rule, value, source, **more):
    return Deviation(Grade.CONTRADICTS, "negation", value, value, rule, source, source, 7, grave=True, **more)


@pytest.mark.parametrize(
    ("told", "is_warned"),
    [
        ("Restart the payments database before Friday.", True),
        ("The payments database is restarted before Friday.", True),
        ("The payments service gets its new start on Thursday.", False),
        ("Die Zahlungsdatenbank wird neu gestartet.", False),
    ],
)
def test_a_sentence_is_warned_of_where_its_words_are_the_sources(told, is_warned):
    (one,) = weighed([found("negation", told, BAN)])
    assert (one.grade is Grade.CONTRADICTS, one.grave) == (is_warned, is_warned)


def test_what_is_noticed_in_two_ways_is_warned_of():
    told = "The payments service gets its new start on Thursday."
    twice = weighed([found("negation", told, BAN), found("turned-round", told, BAN)])
    assert {one.grade for one in twice} == {Grade.CONTRADICTS}
    other = weighed([found("negation", told, BAN), found("turned-round", told, "Wait with it.")])
    assert {one.grade for one in other} == {Grade.NOT_VERBATIM}


def test_an_exact_value_is_warned_of_whatever_stands_around_it():
    port = Deviation(
        Grade.CONTRADICTS, "port", "8433", "It listens on 8433.", "misspelt", "8123", "Gateway: 8123"
    )
    assert weighed([port]) == [port]


@pytest.mark.parametrize(
    ("kind", "value", "source", "is_warned"),
    [
        ("date", "7 October", "17 October", True),
        ("name", "Rufus", "Elsbeth", True),
        ("hash", "5ac0e71", "b7d0f42", True),
        ("number", "96", "90", False),
        ("money", "31", "30.70", False),
    ],
)
def test_what_nobody_reckons_is_warned_of_in_whatever_words(kind, value, source, is_warned):
    figure = Deviation(
        Grade.CONTRADICTS, kind, value, f"We hand it over with thanks: {value}.", "of-another", source,
        f"The deed goes to the notary: {source}.",
    )  # fmt: skip
    assert (weighed([figure])[0].grade is Grade.CONTRADICTS) == is_warned


def test_figures_crosswise_are_warned_of_beside_another_way_alone():
    told, source = (
        "90-minute tour, 3.5 of 5 km by train",
        "The tour is 5 km, of which 3.5 km by train, 90 min.",
    )
    (alone,) = weighed([found("figures-crossed", told, source)])
    assert alone.grade is Grade.NOT_VERBATIM
    both = weighed([found("figures-crossed", told, source), found("bound-otherwise", told, source)])
    assert {one.grade for one in both} == {Grade.CONTRADICTS}


def test_a_note_stays_one_and_makes_no_second_way():
    told = "The payments service gets its new start on Thursday."
    note = found("turned-round", told, BAN)._replace(grade=Grade.NOT_VERBATIM, grave=False)
    assert weighed([found("negation", told, BAN), note])[0].grade is Grade.NOT_VERBATIM


def test_the_audit_warns_by_it():
    rows = (user(BAN), assistant("Understood."))
    grades = {
        body: {one.grade for one in compacted(rows, body=body).measured().deviations}
        for body in ("Restart the payments database before Friday.", "Do not restart the payments database.")
    }
    assert Grade.CONTRADICTS in grades["Restart the payments database before Friday."]
    assert Grade.CONTRADICTS not in grades["Do not restart the payments database."]
