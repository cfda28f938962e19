"""Patterns that are tried only where a text has letters that every match of them holds."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.facts.wording.heads import fold_case
from hermes_sessions.facts.wording.necessary import needed_by

_WORD: Final = re.compile(r"\w+")
_MAX_CHARS: Final = 2_000
"""A longer text is not looked through first."""
_MOST_WORDS: Final = 20_000


class _SievedText(NamedTuple):
    """The words of a text, in the letters of `fold_case`, and all of it."""

    words: frozenset[str]
    folded: str
    is_ascii: bool


@lru_cache(maxsize=8_192)  # some dozens of patterns are tried on one sentence
def _read(text: str) -> _SievedText:
    if text.isascii():
        folded = text.lower()
        return _SievedText(frozenset(_WORD.findall(folded)), folded, True)
    return _SievedText(frozenset(map(fold_case, _WORD.findall(text))), fold_case(text), False)


class Sieve:
    """A pattern of many words; what it is asked it answers as the pattern does."""

    __slots__ = ("_anywhere", "_barren", "_heads", "_is_sure", "_signs", "_whole", "pattern")

    def __init__(self, pattern: re.Pattern[str]) -> None:
        """Take the pattern; of one that nothing is known of every text is searched."""
        self.pattern = pattern
        needed = needed_by(pattern)
        self._is_sure = needed is not None
        found = needed or frozenset()
        self._whole = frozenset(one.letters for one in found if one.begins and one.ends)
        self._heads = tuple({one.letters for one in found if one.begins and not one.ends})
        inner = [one.letters for one in found if not one.begins]
        self._anywhere = tuple(one for one in inner if one.isascii())
        self._signs = tuple(one for one in inner if not one.isascii())
        self._barren: set[str] = set()

    def may_be_in(self, text: str) -> bool:
        """Return whether the pattern can match anywhere in *text*."""
        if not self._is_sure or len(text) > _MAX_CHARS:
            return True
        words, folded, is_ascii = _read(text)
        if not words <= self._barren and self._begins_one_of(words):
            return True
        return any(one in folded for one in self._anywhere) or (
            not is_ascii and any(one in folded for one in self._signs)
        )

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in *text*."""
        return self.pattern.search(text) if self.may_be_in(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of *text*."""
        return self.pattern.match(text) if self.may_be_in(text) else None

    def sub(self, instead: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return *text* with something instead of every match."""
        return self.pattern.sub(instead, text) if self.may_be_in(text) else text

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return every match in *text*."""
        return self.pattern.finditer(text) if self.may_be_in(text) else iter(())

    def _begins_one_of(self, words: frozenset[str]) -> bool:
        fresh = words - self._barren
        for word in fresh:
            if word in self._whole or word.startswith(self._heads):
                return True
        if len(self._barren) >= _MOST_WORDS:
            self._barren.clear()
        self._barren |= fresh
        return False


def sieve(pattern: str, flags: int = 0) -> Sieve:
    """Return a pattern that is tried only where it may match. For the constants of a module."""
    return Sieve(re.compile(pattern, flags))
