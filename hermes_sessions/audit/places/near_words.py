"""The words of a text in their order, each as far from a value as a reader finds it. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import items_of_word, plain_number
from hermes_sessions.late_patterns import late_pattern

_WORD: Final = late_pattern(
    r"(?P<number>\d+(?:[.,:]\d+)*(?![^\W_]))|(?P<word>[^\W_\u2e80-\ud7ff]+)|(?P<sign>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
    r"|(?P<cut>[\n,;:!?()|、，；。（）：！？—=]|\.(?=\s|$))"
)
_CUTS: Final[Mapping[str, int]] = {
    **dict.fromkeys(",、，:：()（）=", 2),
    **dict.fromkeys(";；|", 6),
    **dict.fromkeys(".!?。！？\n", 10),
}
_FULL: Final = 4
_FADES: Final = 0.05
_THEIRS: Final = 0.35


class PlacedWord(NamedTuple):
    """What a word names, its place among the words, and where it begins in the text."""

    item: str
    place: int
    start: int


@lru_cache(maxsize=16_384)
def read_words(text: str) -> tuple[PlacedWord, ...]:
    """Return what the words of *text* name: the parts of an address or a path are words of their own."""
    return tuple(_words(text))


def _words(text: str) -> Iterator[PlacedWord]:
    at = 0
    for match in _WORD.finditer(text):
        at += 1
        kind, found = match.lastgroup, match.group()
        if kind == "cut":
            at += _CUTS.get(found, 0)
        elif kind == "number":
            yield PlacedWord(f"#{plain_number(found)}", at, match.start())
        elif kind == "sign":
            yield PlacedWord(text[match.start() : match.start() + 2], at, match.start())
        else:
            yield from (PlacedWord(item, at, match.start()) for item in items_of_word(found))


class TextSpan(NamedTuple):
    """Where a value begins and ends in a text."""

    start: int
    end: int


def near_words(text: str, value: TextSpan, rivals: Sequence[TextSpan]) -> dict[str, float]:
    """Return what *text* names beside a value, each with how much of the value it is.

    What is farther away counts for less, and so does what is nearer to one of its *rivals*.
    """
    words = read_words(text)
    own = _place_of(words, value)
    others = [_place_of(words, one) for one in rivals]
    found: dict[str, float] = {}
    for word in words:
        if value.start <= word.start < value.end:
            continue
        apart = _apart(word, own)
        part = max(0.0, 1 - _FADES * max(0, apart - _FULL))
        if any(_apart(word, one) < apart for one in others):
            part *= _THEIRS
        if part > found.get(word.item, 0.0):
            found[word.item] = part
    return found


def _place_of(words: Sequence[PlacedWord], value: TextSpan) -> tuple[int, int]:
    """Return the places of the first and the last word of a value."""
    inside = [one.place for one in words if value.start <= one.start < value.end]
    if inside:
        return inside[0], inside[-1]
    before = [one.place for one in words if one.start < value.start]
    place = before[-1] if before else 0
    return place, place


def _apart(word: PlacedWord, value: tuple[int, int]) -> int:
    return max(value[0] - word.place, word.place - value[1], 0)
