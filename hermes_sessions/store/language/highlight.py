"""Where in a text the words of a query stand, by the rules the index was made with. Pure.

Every character is folded to exactly one, so places in the folded text are places in
the text itself. What is returned are pieces of text; who shows them escapes them.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Self

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.store.language.segment import OPTIONAL, PICTURES, UNSPACED, is_unspaced

SNIPPET_CHARS: Final = 240
_SKIPPED: Final = "\0"
"""Stands for a character that the index leaves out: an accent of its own, a vowel point."""
_OPTIONAL = late_pattern(f"[{OPTIONAL}]")
_ATOM = late_pattern(f"[{UNSPACED}]+|[{PICTURES}]|[^\\W_{UNSPACED}]+")
_BEFORE: Final = f"(?<![^\\W_{UNSPACED}])"
_AFTER: Final = f"(?![^\\W_{UNSPACED}])"
# A picture is a word: were it part of a gap, a row of them could be cut in too many ways.
_BETWEEN: Final = f"(?:[^\\w{PICTURES}]|_)"
_GAP: Final = f"{_BETWEEN}*?"
_BREAK: Final = f"{_BETWEEN}+?"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text, marked where it is what was looked for."""

    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Highlighter:
    """Finds the terms of a query in texts; falsy when there is none to find."""

    pattern: re.Pattern[str] | None

    @classmethod
    def of(cls, terms: Iterable[Term]) -> Self:
        """Make one for *terms*; marks are no text and do not count."""
        patterns = [found for term in terms if not term.mark and (found := _pattern(term))]
        patterns.sort(key=len, reverse=True)
        return cls(re.compile("|".join(patterns)) if patterns else None)

    def __bool__(self) -> bool:
        return self.pattern is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return begin and end of each place, in order, in the NFC form of *text*."""
        if self.pattern is None:
            return []
        found = self.pattern.finditer(fold(text))
        return [(match.start(), _past_marks(text, match.end())) for match in found if match.group()]

    def pieces(self, text: str) -> tuple[Piece, ...]:
        """Return the whole of *text* (in its NFC form), cut at the places."""
        text = _composed(text)
        return tuple(_cut(text, self.spans(text), 0, len(text)))

    def snippet(self, text: str, chars: int = SNIPPET_CHARS) -> tuple[Piece, ...] | None:
        """Return about *chars* characters around the first place, or None where there is none."""
        text = _composed(text)
        spans = self.spans(text)
        if not spans:
            return None
        start = _word_start(text, max(0, spans[0][0] - chars // 3))
        end = min(len(text), start + chars)
        pieces = list(_cut(text, spans, start, end))
        if start:
            pieces.insert(0, Piece("… "))
        if end < len(text):
            pieces.append(Piece(" …"))
        return tuple(pieces)


def fold(text: str) -> str:
    """Return *text*, in NFC, with each character as the index compares it; as long as before."""
    if text.isascii():
        return text.lower()
    return _composed(text).translate(_FOLDED)


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _cut(text: str, spans: Sequence[tuple[int, int]], start: int, end: int) -> Iterable[Piece]:
    at = start
    for first, last in spans:
        if first >= end:
            break
        if last <= at:
            continue
        if first > at:
            yield Piece(text[at:first])
        yield Piece(text[max(first, at) : min(last, end)], True)
        at = min(last, end)
    if at < end:
        yield Piece(text[at:end])


def _past_marks(text: str, at: int) -> int:
    """Return the end of the letter that ends at *at*: its vowel signs and accents belong to it."""
    while at < len(text) and not text[at].isascii() and unicodedata.category(text[at]) in ("Mn", "Mc"):
        at += 1
    return at


def _word_start(text: str, at: int) -> int:
    """Return the beginning of the next word within a few characters, so that none is cut in two."""
    if at == 0:
        return 0
    space = re.compile(r"\s").search(text, at, at + 20)
    return space.end() if space else at


# -- terms -----------------------------------------------------------------------------------------


def _pattern(term: Term) -> str:
    """Return the expression for one term over folded text, '' when no word is left of it."""
    words = _ATOM.findall(fold(term.text).replace(_SKIPPED, ""))
    if not words:
        return ""
    pieces = [_letters(word) for word in words]
    pattern = pieces[0]
    for (before, after), piece in zip(pairwise(words), pieces[1:], strict=True):
        # Between letters of one kind there is a gap, or they would be one word.
        together = is_unspaced(before[-1]) or is_unspaced(after[0])
        pattern += (_GAP if together else _BREAK) + piece
    left = "" if is_unspaced(words[0][0]) else _BEFORE
    last = words[-1][-1]
    right = "" if term.prefix or is_unspaced(last) else _AFTER
    return f"{left}{pattern}{right}"


def _letters(word: str) -> str:
    """Return an expression for the letters of *word*, with whatever the index leaves out between."""
    if word.isascii():
        return f"{_SKIPPED}*".join(word)
    return f"{_SKIPPED}*".join(map(re.escape, word))


class _FoldedCharacters(dict[int, str]):
    """Code point -> the one character it is compared as."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_one(chr(code))
        return folded


def _fold_one(character: str) -> str:
    if _OPTIONAL.match(character) or "\u0300" <= character <= "\u036f":
        return _SKIPPED
    composed = unicodedata.normalize("NFKC", character)[:1] or character
    apart = unicodedata.normalize("NFD", composed)
    if len(apart) > 1 and all("\u0300" <= one <= "\u036f" for one in apart[1:]):
        composed = apart[0]
    return composed.lower()[:1] or character


_FOLDED: Final = _FoldedCharacters()
