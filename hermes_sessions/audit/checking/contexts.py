"""What stands around a value, and how alike two values are written."""

from collections.abc import Sequence
from functools import lru_cache
from math import log10
from typing import Final

from hermes_sessions.facts.polarity import content_words
from hermes_sessions.facts.quantities.amounts import read_amount
from hermes_sessions.late_patterns import late_pattern

_AROUND: Final = 70
_DIGITS = late_pattern(r"\d+")
_NEXT = late_pattern(r"[ \u00a0]?([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\W\d_]{2,30})")
_TENFOLD: Final = (1.0, 2.0, 3.0)
_PART = late_pattern(r"[_.\-/@:]")
_WORD_OF_NAME = late_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CAPITALS = late_pattern(r"(?<=[\w,;] )[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]{2,}")
_PLAIN_WORDS = late_pattern(r"(?<=[\w,;] )[^\W\d_]{3,}")
_OFTEN: Final = 0.3
_THREE: Final = 3
_CUT = late_pattern(r"[.;!?。；！？]\s|[.;。；！？]$|\n")


@lru_cache(maxsize=16_384)
def words_beside(line: str, value: str) -> frozenset[str]:
    """Return the telling words near *value* in *line*, its own sentence first, without those with digits."""
    at = line.find(value)
    if at < 0:
        return frozenset()
    before, after = line[max(0, at - _AROUND) : at], line[at + len(value) : at + len(value) + _AROUND]
    ends = list(_CUT.finditer(before))
    before = before[ends[-1].end() :] if ends else before
    end = _CUT.search(after)
    after = after[: end.start()] if end else after
    return frozenset(word for word in content_words(f"{before} {after}") if not any(map(str.isdigit, word)))


def edits(one: str, other: str, most: int) -> int:
    """Return how many letters must be changed, added, dropped or swapped, `most + 1` where it is more.

    What both begin and end with is passed over: where *most* is small that is all there is to read.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    start, size = 0, min(len(one), len(other))
    while start < size and one[start] == other[start]:
        start += 1
    end = 0
    while end < size - start and one[-1 - end] == other[-1 - end]:
        end += 1
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    if not one or not other:
        return len(one) + len(other)
    if most <= 1:
        is_one = most == 1 and (len(one) == len(other) == 1 or (len(one) == 2 and one == other[::-1]))
        return 1 if is_one else most + 1
    ways = [(one[1:], other[1:]), (one[1:], other), (one, other[1:])]
    if len(one) > 1 and one[:2] == other[1::-1]:
        ways.append((one[2:], other[2:]))
    return 1 + min(edits(first, second, most - 1) for first, second in ways)


def is_misspelt(one: str, other: str) -> bool:
    """Return whether *one* can be *other* with a letter or two wrong, or a part exchanged."""
    (first, letters, parts), (second, others, pieces) = _spelling(one), _spelling(other)
    size = max(len(first), len(second))
    if first == second or size < 4:
        return False
    most = 2 if size >= 8 else 1
    return letters == others or _is_part_exchanged(parts, pieces) or edits(first, second, most) <= most


@lru_cache(maxsize=16_384)
def _spelling(word: str) -> tuple[str, list[str], list[str]]:
    """Return *word* in small letters, these in the order of the alphabet, and its parts."""
    folded = word.casefold()
    return folded, sorted(folded), _PART.split(folded)


def _is_part_exchanged(first: Sequence[str], second: Sequence[str]) -> bool:
    """`search-stg.acme.io` and `search-prd.acme.io`: of three parts or more one is another."""
    return len(first) == len(second) >= 3 and sum(a != b for a, b in zip(first, second, strict=True)) == 1


def is_renamed(one: str, other: str) -> bool:
    """`animateItem` and `animateBounds`: of two parts or more of a program's name one is another."""
    first, second = _WORD_OF_NAME.findall(one), _WORD_OF_NAME.findall(other)
    return len(first) == len(second) >= 2 and sum(a != b for a, b in zip(first, second, strict=True)) == 1


@lru_cache(maxsize=16_384)
def _digits(value: str) -> tuple[str, list[str]]:
    """Return the digits of *value*, and the same by their size."""
    found = "".join(_DIGITS.findall(value))
    return found, sorted(found)


def is_misread(one: str, other: str) -> bool:
    """Return whether two numbers of three digits or more differ by one digit, or by their order.

    With decimals two digits in another order are enough.
    """
    (first, own), (second, others) = _digits(one), _digits(other)
    if first == second:
        return False
    if max(len(first), len(second)) < _THREE:
        decimals = "." in one.replace(",", ".") and "." in other.replace(",", ".")
        return decimals and own == others
    if own == others:
        return True
    return min(len(first), len(second)) >= _THREE and edits(first, second, 1) == 1


def is_scaled(one: str, other: str) -> bool:
    """`30 s` and `300 s`: the same digits, a zero or a point apart, of a unit that means the same everywhere."""
    return any(
        first.unit == second.unit != ""
        and first.number
        and second.number
        and abs(log10(first.number / second.number)) in _TENFOLD
        for first in read_amount(one)
        for second in read_amount(other)
        if first.number * second.number > 0
    )


def word_behind(line: str, value: str) -> str:
    """Return the word after *value* in *line*: what it counts."""
    at = line.find(value)
    match = _NEXT.match(line, at + len(value)) if at >= 0 else None
    return match[1].casefold() if match else ""


def is_swapped(one: str, other: str) -> bool:
    """Return whether two numbers of two digits or more have the same digits in another order."""
    (first, own), (second, others) = _digits(one), _digits(other)
    return first != second and len(first) > 1 and own == others


def has_two_exchanged(one: str, other: str) -> bool:
    """Return whether two numbers of three digits or more are the same but for two digits in each other's place."""
    if abs(len(one) - len(other)) > _THREE:
        return False
    first, second = _digits(one)[0], _digits(other)[0]
    if len(first) != len(second) or len(first) < _THREE:
        return False
    apart = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    return len(apart) == 2 and apart[0] == apart[1][::-1]


def has_capitals_often(text: str) -> bool:
    """Return whether so many words inside a sentence have capitals that one tells no name: German, a title."""
    words = len(_PLAIN_WORDS.findall(text))
    return len(_CAPITALS.findall(text)) > max(1.0, words * _OFTEN)
