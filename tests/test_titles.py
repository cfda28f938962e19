"""Titles of continuations and of chains."""

import pytest

from hermes_sessions.titles import conversation_title, next_title


@pytest.mark.parametrize(
    ("title", "others", "expected"),
    [
        pytest.param("Billing", ["Billing"], "Billing #2", id="the first"),
        pytest.param("Billing #2", ["Billing", "Billing #2", None], "Billing #3", id="the next"),
        pytest.param("Billing", ["Other #7"], "Billing #8", id="above all of the conversation"),
        pytest.param("Run #" + "9" * 5000, [], "Run #2", id="so long a number is a name"),
    ],
)
def test_a_continuation_has_the_next_number(title: str, others: list[str | None], expected: str) -> None:
    assert next_title(title, [title, *others]) == expected


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        pytest.param(["Billing", "Billing #2", "Billing #3"], "Billing", id="numbers dropped"),
        pytest.param(["Issue tracker #2"], "Issue tracker #2", id="a typed number stays"),
        pytest.param(
            ["Issue tracker #2", "Issue tracker #3"], "Issue tracker #2", id="typed, then continued"
        ),
        pytest.param([None, "Late #2"], "Late", id="titled late"),
        pytest.param(["Old", "Old #2", "Renamed"], "Renamed", id="renamed at the tip"),
        pytest.param(["Old", None], "Old", id="untitled continuation"),
        pytest.param([None], None, id="none"),
    ],
)
def test_conversation_title(titles, expected):
    assert conversation_title(titles) == expected
