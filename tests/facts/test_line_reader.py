"""A reader of lines quotes what `line_around` finds."""

import pytest

from hermes_sessions.facts.page import LineReader, line_around

LONG = "word " * 200


@pytest.mark.parametrize(
    "text",
    ["one line", "  a b \n\n c d e\n", f"{LONG}\nshort one\n{LONG}", f"a\n{' ' * 500}b c\nd", "\n\n  \n x"],
)
def test_every_place_has_the_line_that_stands_around_it(text: str) -> None:
    lines = LineReader(text)
    for start in range(0, len(text), 3):
        for size in (1, 4, 30):
            end = min(len(text), start + size)
            first, last = line_around(text, start, end)
            assert lines.around(start, end) == text[first:last]
