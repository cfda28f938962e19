"""Text for people: on one line, without colours, and the lines of it that report an error."""

from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.kinds.failures import failure_marks
from hermes_sessions.facts.page import line_around, make_page
from hermes_sessions.facts.unwrap import Form, TextPiece
from hermes_sessions.facts.wrapping import plain_text
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MAX_LINE_CHARS: Final = 200
_ESCAPE = late_pattern(r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]")
WORD_CHARS: Final = "0-9A-Za-z_À-ÖØ-öø-\u052fḀ-\u1fff"
"""Characters of words between blanks: Latin, Greek, Cyrillic. A fact ends where another script begins,
as Chinese or Japanese prose stands right beside it."""


def without_escapes(text: str) -> str:
    """Return *text* without a terminal's colours and cursor movements; `0m` of a colour is no length."""
    return _ESCAPE.sub("", text) if "\x1b[" in text or "\x9b" in text else text


def shorten_line(text: str, max_chars: int = _MAX_LINE_CHARS) -> str:
    """Return *text* on one line, white space collapsed, cut at a word with an ellipsis."""
    line = " ".join(text[: max_chars * 8].split())
    if len(line) <= max_chars:
        return line
    cut = line[: max_chars - 1]
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut[max_chars // 2 :] else cut}…"


def error_lines(text: str) -> Iterator[str]:
    """Yield the lines of a tool's output that report an error, each shortened."""
    page = make_page(TextPiece(plain_text(text), 0, Form.DATA, Role.TOOL), looks="")
    for mark in failure_marks(page):
        first, last = line_around(page.text, mark.start, mark.end)
        yield shorten_line(page.text[first:last])
