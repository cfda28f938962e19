"""How nearly two sentences say the same but for the word that turns one of them round."""

import pytest

from hermes_sessions.audit.checking.agreement import agreement
from hermes_sessions.audit.checking.denied import denied_list, is_denied

ENOUGH = 0.6


@pytest.mark.parametrize(
    ("line", "source"),
    [
        pytest.param("Rinse the copper still.", "Never rinse the copper still.", id="a denial"),
        pytest.param(
            "Bottles are labelled by Rosa; rinse the copper still, then dry it.",
            "Don't rinse the copper still, the lining is new.",
            id="one clause of each",
        ),
        pytest.param("Котёл промыт.", "Котла я не промывал.", id="other endings"),
        pytest.param("De kraan is open.", "De kraan is gesloten.", id="two words"),
    ],
)
def test_what_differs_by_the_word_that_turns_it_agrees(line, source):
    assert agreement(line, source) >= ENOUGH


@pytest.mark.parametrize(
    ("line", "source"),
    [
        pytest.param("The still is sold.", "Nobody rinses bottles.", id="nothing"),
        pytest.param(
            "Labels must carry no address such as that of the growers' office.",
            "Put an address on labels of the export crates for the harbour master.",
            id="a few words of many",
        ),
    ],
)
def test_a_part_of_the_words_does_not_agree(line, source):
    assert agreement(line, source) < ENOUGH


def test_it_is_asked_both_ways():
    short, long = "Rinse stills.", "Rinse stills behind cellar seven using vinegar from Modena every spring"
    assert agreement(short, long) == agreement(long, short) < ENOUGH


@pytest.mark.parametrize(
    "text",
    [
        "Crates are to be free of wood dust.",
        "Die Kisten sind frei von Staub.",
        "Las cajas, libres de polvo.",
        "De kisten zijn niet open.",
        "A second pressing is impossible.",
    ],
)
def test_what_something_is_free_of_is_denied(text):
    assert is_denied(text)


@pytest.mark.parametrize("text", ["Feel free to open the crates.", "Die Kiste ist frei."])
def test_what_is_free_otherwise_is_not(text):
    assert not is_denied(text)


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("Rosa may not press, bottle or ship it.", "bottle or ship it."),
        ("Nicht pressen, abfüllen oder verschicken.", "abfüllen oder verschicken."),
        ("Don't press it, bottle it.", ""),
        ("Press, bottle or ship it.", ""),
    ],
)
def test_a_denial_reaches_to_the_end_of_a_list_that_or_closes(text, reached):
    assert denied_list(text) == reached
