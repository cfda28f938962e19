"""Numbers and names beside which a handoff puts what the source denies of them, and says of another one.

The source has `2525: ok (no STARTTLS)` and `587: STARTTLS ok`, and a handoff *2525 with STARTTLS*.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.facts.page import line_around
from hermes_sessions.late_patterns import late_pattern

_NO: Final = (
    r"(?:\b(?:no|not|without|lacks?|ohne|kein\w{0,2}|sans|pas de|sin|senza|sem|bez|brak|zonder"
    r"|geen|без|нет)\s"
    r"|(?:没有|无|不支持|なし))[`'\"*(]{0,2}"
)
_DENIED: Final = late_pattern(rf"{_NO}(?P<word>[^\W\d_][\w-]{{3,30}})", re.I)
_WORD: Final = late_pattern(r"[^\W\d_][\w-]{3,30}")
_VALUE: Final = late_pattern(r"(?<![\w.,:/@-])(?:\d{2,6}|[^\W_][\w.-]{0,40}\d[\w-]{0,20})(?![\w/@-]|[.,:]\d)")
_CLAUSE: Final = late_pattern(r"[;；。]|[.!?]\s")
_REACH: Final = 120
_MOST: Final = 20
_MOST_LINES: Final = 400
_NEAREST: Final = 2
_MOST_LOOKED_FOR: Final = 40


class _DeniedLine(NamedTuple):
    """A line of the source that denies something of a value."""

    value: str
    word: str
    message: int
    line: str


def denied_beside(claims: Sequence[Statement], texts: Sequence[tuple[int, str]]) -> Iterator[Deviation]:
    """Yield the values beside which a clause has what the source denies of them, and has of another one.

    Args:
        claims: the sentences of the handoff.
        texts: everything that was said, called and returned, each with its message.
    """
    written = {value for claim in claims for value in _VALUE.findall(claim.text)}
    denied = [one for one in _denied_lines(texts) if one.value in written][-_MOST_LINES:]
    looked_for = 0
    for claim in claims if denied else ():
        if claim.mode is Mode.PLANNED or is_heading(claim.text):
            continue
        for clause in _CLAUSE.split(claim.text):
            values = set(_VALUE.findall(clause))
            words = {one.casefold() for one in _WORD.findall(clause)}
            for one in denied:
                if one.value not in values or one.word not in words or _DENIED.search(clause):
                    continue
                looked_for += 1
                other = _having(one, texts) if looked_for <= _MOST_LOOKED_FOR else None
                if other is not None and other.value not in values:
                    yield Deviation(
                        Grade.NOT_VERBATIM, "value", one.value, claim.text, "denied-of-it",
                        other.value, other.line, other.message or None,
                    )  # fmt: skip
                    break


def _denied_lines(texts: Sequence[tuple[int, str]]) -> Iterator[_DeniedLine]:
    """Yield what lines deny, with the values nearest before it."""
    for message, text in texts:
        for match in _DENIED.finditer(text):
            start, _ = line_around(text, *match.span())
            before = text[max(start, match.start() - _REACH) : match.start()]
            for value in _VALUE.findall(before)[-_NEAREST:]:
                yield _DeniedLine(value, match["word"].casefold(), message, before)


def _having(denied: _DeniedLine, texts: Sequence[tuple[int, str]]) -> _DeniedLine | None:
    """Return the last line that has the word and another value of the form, and denies nothing."""
    found = None
    shape = re.compile(rf"(?<!\w){re.escape(denied.word)}(?!\w)", re.I)
    for message, text in texts:
        for match in [*shape.finditer(text)][-_MOST:]:
            start, end = line_around(text, *match.span())
            line = text[max(start, match.start() - _REACH) : min(end, match.end() + _REACH)]
            if _DENIED.search(line):
                continue
            values = [one for one in _VALUE.findall(line) if one.isdigit() == denied.value.isdigit()]
            if values and denied.value not in values:
                found = _DeniedLine(values[0], denied.word, message, line.strip())
    return found
