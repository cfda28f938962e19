"""A word is another person's name only where it is surely a name."""

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user


def warned(body, *rows):
    found = compacted(rows, body=body).measured().deviations
    return [one for one in found if one.grade is Grade.CONTRADICTS and one.kind in ("who", "name")]


def test_a_noun_that_begins_a_german_sentence_is_no_misspelt_name():
    rows = user("Der Stecken im Beet ist lose, das muss warten."), assistant("Der Stecken ist notiert.")
    assert warned("Stecker im Beet ist lose, das muss der Gärtner nicht eilig tun.", *rows) == []


def test_a_word_that_begins_a_sentence_is_nobody():
    rows = (
        user("Until then the manual labels are printed, Mirela is to do that by hand."),
        assistant("Nothing has been ordered. Mirela prints the manual labels."),
    )
    assert warned("Nothing is printed for the manual labels.", *rows) == []


def test_a_name_with_an_ending_is_the_same_name():
    rows = (
        user("Serwis firmy Termolux zmienił temperaturę pieca z 40 na 55 stopni."),
        assistant("Firma Wodnik sprawdza rury."),
    )
    assert warned("Serwis Termoluxu zmienił temperaturę pieca na 55 stopni.", *rows) == []


def test_a_second_title_is_no_name():
    rows = (
        user("Frau Dr. Brink hat den Befund geschrieben."),
        assistant("Der Befund von Frau Dr. Brink liegt vor."),
    )
    told = compacted(rows, body="Frau Dr. Sander hat den Befund geschrieben.").measured()
    assert ("Frau Dr. Sander", "Frau Dr. Brink") in {(one.value, one.source) for one in told.deviations}
    assert warned("Frau Brink hat den Befund geschrieben.", *rows) == []
