"""Clauses that repeat one of the source but for a word of state or side, and numbers that were replaced."""

import pytest

from tests.audit.builders import assistant, user
from tests.audit.relations.test_relations import accusations, remarks

REFUND = (
    user("Process the refund for order 4471 and the chargeback for order 4480."),
    assistant("The refund for order 4471 was denied by the bank. The chargeback for order 4480 succeeded."),
)
SYNC = (user("Wie steht es um die Synchronisation der Kalender?"),
        assistant("Die Synchronisation der Kalender ist deaktiviert."))  # fmt: skip
LATER = (
    *REFUND,
    user("Try the refund again."),
    assistant("The bank took the refund for order 4471 this time."),
)
ELSE = (*REFUND, user("And now?"), assistant("It went through."))
HALL = (
    user("The hall should be booked for 72 guests, not 60 guests."),
    assistant("The caterer's deposit was raised from 400 to 550 euros."),
)
AGAIN = (*HALL, user("Back to 60 guests for the hall, please."))
MEASURED = (
    user("Why is the nightly report slow?"),
    assistant("The nightly report takes 3 s now instead of 47."),
)


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        (REFUND, "The refund for order 4471 succeeded."),
        (REFUND, "- Refund for order 4471: approved"),
        (REFUND, "The chargeback for order 4480 failed."),
        (HALL, "The hall is booked for 60 guests."),
        (HALL, "The caterer's deposit is 400 euros."),
    ],
)
def test_the_opposite_in_the_same_words_is_an_accusation(said, summary):
    assert accusations(summary, *said)


def test_where_one_word_is_another_it_is_a_note():
    assert remarks("Die Synchronisation der Kalender ist aktiviert.", *SYNC)


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        pytest.param(REFUND, "The refund for order 4471 was denied.", id="the same"),
        pytest.param(REFUND, "The refund for order 4471 was refused by the bank.", id="another word"),
        pytest.param(REFUND, "The transfer of the deposit succeeded.", id="something else"),
        pytest.param(REFUND, "The refund for order 4471 would have succeeded earlier.", id="not so"),
        pytest.param(LATER, "The refund for order 4471 succeeded.", id="spoken of again"),
        pytest.param(ELSE, "The refund for order 4471 succeeded.", id="it went through"),
        pytest.param(REFUND[:1], "The refund for order 4471 was denied.", id="nobody said how it went"),
        pytest.param(SYNC, "Die Synchronisation der Kalender ist abgeschaltet.", id="in another language"),
        pytest.param(HALL, "The hall is booked for 72 guests.", id="the new number"),
        pytest.param(HALL, "Hall: 72 guests, earlier 60 guests.", id="both"),
        pytest.param(AGAIN, "The hall is booked for 60 guests.", id="taken back"),
        pytest.param(MEASURED, "The nightly report took 47 s; find out why.", id="measured"),
    ],
)
def test_what_may_be_so_is_none(said, summary):
    assert not accusations(summary, *said)
