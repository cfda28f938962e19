"""What a pattern cannot match without: its parsed form is walked, alternative by alternative."""

import re
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Final

sre: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

_MOST_SIGNS: Final = 12
"""A class of more signs than these may be any sign."""

_REACHED: Final = None
States = set[str | None]


class WordWalk:
    """Walks a pattern with the last signs that are known, and stops where they end in one of some words.

    What may be any sign is a gap behind which nothing is known; so a way through the pattern that is
    left at its end may match a text that holds none of the words.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words = tuple(word.replace("ı", "i") for word in words)
        self._reach = max(map(len, self._words))

    def ways_without(self, pattern: str, flags: int = 0) -> set[str]:
        """Return the last signs of each way through *pattern* on which no word was met."""
        found = self._through(parser.parse(pattern, flags), {""})
        return {one for one in found if one is not _REACHED}

    def _through(self, nodes: Sequence[Any], states: States) -> States:
        for kind, value in nodes:
            states = self._step(kind, value, states)
        return states

    def _step(self, kind: Any, value: Any, states: States) -> States:
        if kind is sre.LITERAL:
            return self._add(states, (chr(value),))
        if kind is sre.IN:
            return self._add(states, _signs(value))
        if kind is sre.BRANCH:
            return set().union(*(self._through(one, states) for one in value[1]))
        if kind is sre.SUBPATTERN:
            return self._through(value[3], states)
        if kind is sre.ATOMIC_GROUP:
            return self._through(value, states)
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            return self._repeated(value, states)
        if kind is sre.ASSERT and value[0] > 0:
            ahead = self._through(value[1], {""})
            return {_REACHED} if ahead == {_REACHED} else states
        if kind in (sre.ASSERT, sre.ASSERT_NOT, sre.AT):
            return states
        return {state if state is _REACHED else "" for state in states}

    def _repeated(self, value: Any, states: States) -> States:
        least, most, inner = value
        found: States = set(states) if least == 0 else set()
        for _ in range(least or 1):
            states = self._through(inner, states)
        return found | states | (self._through(inner, states) if most > max(least, 1) else set())

    def _add(self, states: States, signs: Sequence[str]) -> States:
        if not signs:
            return {state if state is _REACHED else "" for state in states}
        return {
            self._with(state, sign.lower().replace("ı", "i")) if state is not None else _REACHED
            for state in states
            for sign in signs
        }

    def _with(self, state: str, sign: str) -> str | None:
        known = (state + sign)[-self._reach :]
        return _REACHED if known.endswith(self._words) else known


def _signs(parts: Sequence[Any]) -> list[str]:
    """Return the signs of a small class; none for a large one, or one that is negated."""
    found: list[str] = []
    for kind, value in parts:
        if kind is sre.LITERAL:
            found.append(chr(value))
        elif kind is sre.RANGE and value[1] - value[0] < _MOST_SIGNS:
            found += map(chr, range(value[0], value[1] + 1))
        else:
            return []
    return found if len(found) <= _MOST_SIGNS else []


def ways_without(pattern: re.Pattern[str], words: Iterable[str]) -> set[str]:
    """Return how ways through *pattern* end that meet none of *words*; nothing where each match has one."""
    return WordWalk(words).ways_without(pattern.pattern, pattern.flags & re.X)
