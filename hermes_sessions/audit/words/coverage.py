"""Which part of a sentence's words another one has."""

from collections.abc import Set as AbstractSet
from typing import Final

_SAME_HEAD: Final = 5


def covered(words: frozenset[str], by: AbstractSet[str]) -> float:
    """Return which part of *words* is among others, in their form or bent: they begin with the same letters."""
    if not words:
        return 0.0
    rest = words - by
    heads = {one[:_SAME_HEAD] for one in by if len(one) >= _SAME_HEAD and one.isalpha()}
    bent = sum(len(one) >= _SAME_HEAD and one.isalpha() and one[:_SAME_HEAD] in heads for one in rest)
    return (len(words) - len(rest) + bent) / len(words)
