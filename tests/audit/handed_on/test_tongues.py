"""In which language a line is, by the words that join others in it."""

import pytest

from hermes_sessions.audit.words.joining_words import languages_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Felt F ble utelatt, og navnene er skrevet slik de står på steinene.", "nb"),
        ("Bilen blev hentet af smeden og er ikke klar til turen.", "da"),
        ("Klockan går inte, och det tar ett år att laga den.", "sv"),
        ("Az óra nem jár, és csak egy mester tudja.", "hu"),
        ("Hodiny nejdou, protože mistr není doma, až zítra nebo při cestě.", "cs"),
        ("Годинник стоїть, але майстер прийде від ранку, як і та жінка.", "uk"),
        ("The map is for the office and the names are as on the stones.", "en"),
    ],
)
def test_a_line_is_in_a_language(text, language):
    assert languages_of(text) == {language}


@pytest.mark.parametrize("text", ["- A greeting.", "Er kommt.", "bug 17"])
def test_what_joins_nothing_tells_no_language(text):
    assert languages_of(text) == frozenset()
