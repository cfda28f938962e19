"""Words that hid what a sentence says: one of another language, a deed to do read as one called off."""

import pytest

from hermes_sessions.audit.words.poles import read_poles
from tests.audit.builders import assistant, compacted, user


@pytest.mark.parametrize(
    ("text", "poles"),
    [
        ("I alter records as needed.", set()),
        ("Wir haben ein alter Server ist das.", {"era:old"}),
        ("ein alter Schlüssel", {"era:old"}),
        ("die alten Werte", {"era:old"}),
    ],
)
def test_to_alter_is_not_the_german_word_for_old(text, poles):
    assert {one for one in read_poles(text)[0] if one.startswith("era:")} == poles


def test_what_must_be_dropped_is_not_called_off():
    talk = (
        user("do NOT drop the old column in this release, the mobile app still reads it"),
        assistant("Understood: additive only in this release."),
    )
    body = "The old column must be dropped in this release because the mobile app still depends on it."
    assert compacted(talk, body=body).measured().deviations
