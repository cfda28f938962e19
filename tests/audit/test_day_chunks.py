"""What names no day of the week is seen by its chunks, each read once."""

import pytest

from hermes_sessions.audit.alignment.days import days_of, may_name_day


@pytest.mark.parametrize(
    "text",
    [
        "the bakery opens on Monday, not before",
        "(dienstags) und mittwochs",
        "am Sonntag-Morgen",
        "周一 and Tue",
        "la réunion est jeudi",
        "se ven el sábado",
        "src/monday_report.py",
        "tests/x.py: 12 passed",
        "",
    ],
)
def test_a_text_that_names_a_day_has_a_chunk_that_may(text: str) -> None:
    assert any(map(may_name_day, text.split())) or days_of(text) == ()


def test_plain_words_name_none() -> None:
    line = "2026-06-12T19:29:07Z INFO page_merge took=643ms rows=631"
    assert not any(map(may_name_day, line.split()))
