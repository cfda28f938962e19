"""What somebody else's JSON says, or nothing."""

import pytest

from hermes_sessions.agents.parsed_values import dict_of, epoch_of, text_of


@pytest.mark.parametrize("value", [None, 3, "", ["a"], {"a": 1}, True])
def test_only_text_that_is_not_empty_is_text(value: object) -> None:
    assert text_of(value) is None
    assert text_of(" a ") == " a "


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1970-01-01T00:01:00Z", 60.0),
        ("1970-01-01T00:01:00.250+00:00", 60.25),
        ("1970-01-01T01:00:00+01:00", 0.0),
        ("yesterday", None),
        ("0001-01-01T00:00:00", None),
        (60, None),
        (None, None),
    ],
)
def test_times_in_iso_8601_are_epoch_seconds(value: object, seconds: float | None) -> None:
    assert epoch_of(value) == seconds


def test_what_is_no_object_is_an_empty_one() -> None:
    assert dict_of({"a": 1}) == {"a": 1}
    assert dict_of([1]) == dict_of(None) == dict_of("a") == {}
