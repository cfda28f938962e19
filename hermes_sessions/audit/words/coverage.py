"""Which part of a sentence's words another one has."""

from collections.abc import Set as AbstractSet
from typing import Final

_SAME_HEAD: Final = 5
_MARK: Final = "*"


def covered(words: frozenset[str], by: AbstractSet[str]) -> float:
    """Return which part of *words* is among others, in their form or bent: they begin with the same letters."""
    if not words:
        return 0.0
    forms = set(map(bent_form, by))
    return sum(bent_form(one) in forms for one in words) / len(words)


def bent_form(word: str) -> str:
    """Return what a word shares with its bent forms: its first letters, a whole word where it is short.

    The letters of a longer word are marked, so that a short word is not its beginning.
    """
    return word[:_SAME_HEAD] + _MARK if len(word) >= _SAME_HEAD and word.isalpha() else word
