"""Handoffs with words of any length and shape are read to their end; what is wrong beside them is found."""

import pytest

from tests.audit.builders import assistant, compacted, user

LONG = {
    "parts": "a_" * 1_000,
    "dashes": "A-1" * 700,
    "letters": "QmFzZTY0" * 300,
    "digits": "1234567890" * 200,
    "path": "a/b.c" * 400,
    "address": "https://example.org/" + "x7" * 900 + "?sig=" + "e" * 400,
    "signs": "月3日不" * 500,
    "names": "Ana Bo " * 400,
    "days": "8. Oktober " * 200,
    "arrows": "a -> b " * 300,
    "turkish": "yapılıyor" * 200,
    "compound under a heading": "## Next\n- " + "Rechtsschutz" * 30 + " that goes",
    "line that is no heading": "abc" * 200 + "!\n- item",
    "ones": "1" * 900,
    "code": "x1" * 600 + "+",
}
TALK = (user("Set the port of the gateway to 8123."), assistant("The port of the gateway is 8123."))


@pytest.mark.parametrize("name", LONG)
def test_a_handoff_with_a_long_word_is_read(name):
    body = f"{LONG[name]}\n\nThe port of the gateway is 8132."
    values = {one.value for one in compacted(TALK, body=body).measured().deviations}
    assert any("8132" in one for one in values)


@pytest.mark.parametrize("name", LONG)
def test_a_long_word_that_both_have_is_found_again(name):
    talk = (*TALK, user(LONG[name]), assistant(f"I noted {LONG[name]} for you."))
    body = f"I noted {LONG[name]} for you.\n\nThe port of the gateway is 8123."
    assert compacted(talk, body=body).measured().inventions == ()
