"""Plain lines: what a meeting resolved, what all agreed to, and what broke off. Pure."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hermes_sessions.compaction.economy.wording.consenting_words import consented
from hermes_sessions.compaction.economy.wording.resolving_words import (
    BREAKING,
    RESOLVING,
    broke_off,
    resolves,
)
from hermes_sessions.facts.unwrap import Form, TextPiece, Unwrapped
from hermes_sessions.facts.values import Fact, FactKind, weigh
from hermes_sessions.late_patterns import late_pattern

_ITEM: Final = late_pattern(
    r"^[ \t]{0,12}(?:[-*•>·]{1,2}|\(?\d{1,3}[.)]|[a-z]\)|(?:TOP|Item|Punto?|Point) \d{1,3}[:.]?)?[ \t]{0,4}"
)
_MOST: Final = 12
_MOST_LINES: Final = 400
_LEAST_CHARS, _MOST_CHARS = 8, 300
_FIRST: Final = late_pattern(r"[^\W\d_]|[\"“„«「(]")


def plain_lines(unwrapped: Unwrapped) -> Iterator[Fact]:
    """Yield what the lines of a tool's output resolve, and what they say broke off.

    A text with many such lines is about meetings or failures, and is none of either.
    """
    for piece in unwrapped.pieces:
        if piece.form is not Form.DATA or piece.text.count("\n") > _MOST_LINES:
            continue
        lowered = piece.text.lower()
        if stems := [stem for stem in RESOLVING if stem in lowered]:
            yield from _lines(piece, stems, resolves, FactKind.DECISION)
        if stems := [stem for stem in BREAKING if stem in lowered]:
            yield from _lines(piece, stems, broke_off, FactKind.ERROR)


def agreed_lines(unwrapped: Unwrapped) -> Iterator[Fact]:
    """Yield what somebody says and then that all agree to it."""
    for piece in unwrapped.pieces:
        if piece.form is not Form.SPEECH or piece.text.count("\n") > _MOST_LINES:
            continue
        for told in consented(piece.text):
            at = piece.start + max(0, piece.text.find(told))
            if len(told) <= _MOST_CHARS:
                weight = weigh(FactKind.DECISION, piece.speaker)
                yield Fact(FactKind.DECISION, "", told, told, piece.speaker, weight, (at, at + len(told)))


def _lines(
    piece: TextPiece, stems: Sequence[str], tells: Callable[[str], bool], kind: FactKind
) -> Iterator[Fact]:
    found: list[Fact] = []
    at = piece.start
    for line in piece.text.split("\n"):
        lowered = line.lower()
        if not any(stem in lowered for stem in stems):
            at += len(line) + 1
            continue
        bare = _ITEM.sub("", line, count=1).strip()
        if _LEAST_CHARS <= len(bare) <= _MOST_CHARS and _FIRST.match(bare) and tells(bare):
            start = at + line.find(bare)
            span = (start, start + len(bare))
            found.append(Fact(kind, "", bare, bare, piece.speaker, weigh(kind, piece.speaker), span))
        at += len(line) + 1
    yield from found if len(found) <= _MOST else ()
