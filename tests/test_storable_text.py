"""Text that engines cannot hold is known, and replaced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.json_text import INVALID, is_json, parsed_json
from hermes_sessions.storable_text import is_storable, storable


@pytest.mark.parametrize("text", ["a\0b", "\0", "\ud800", "字\udfff", "\udc00\0"])
def test_what_cannot_be_stored_is_replaced(text: str) -> None:
    assert not is_storable(text)
    assert is_storable(storable(text))
    assert len(storable(text)) == len(text)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_what_can_be_stored_stays(text: str) -> None:
    assert is_storable(text)
    assert storable(text) is text


@pytest.mark.parametrize("text", ["", "{", "nul", "[" * 200_000, "9" * 5_000])
def test_what_is_not_json_differs_from_null(text: str) -> None:
    assert parsed_json(text, INVALID) is INVALID
    assert not is_json(text)


def test_null_is_json() -> None:
    assert parsed_json("null", INVALID) is None
    assert is_json("null")
