"""Patterns that are tried only where a text has letters that every match of them holds."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import chain, repeat
from operator import add, or_
from threading import Lock
from typing import Final

from hermes_sessions.facts.wording.heads import fold_case
from hermes_sessions.facts.wording.necessary import Needed, needed_by
from hermes_sessions.late_patterns import late_pattern

_WORD: Final = late_pattern(r"\w+")
_MAX_CHARS: Final = 2_000
"""A longer text is not looked through first."""
_JOINING: Final = "\u0345"
"""The one sign that is no letter, and one in small letters."""
_HEAD: Final = 2
"""Letters are looked up by so many of them."""
_NOT_READ: Final = -1
"""In the place of the bits of a pattern that was not asked yet."""

_PATTERNS: Final[dict[frozenset[Needed], int]] = {}
"""A bit for each set of letters that patterns need; one more for every new set."""
_WHOLE: Final[dict[str, int]] = {}
_HEADS: Final[dict[str, dict[str, int]]] = {}
_INNER: Final[dict[str, dict[str, int]]] = {}
"""The bits of the patterns that need a word, one that begins so, or letters anywhere in one."""
_ADDING: Final = Lock()


def _bit_of(needed: frozenset[Needed]) -> int:
    """Return the bit of the patterns that need one of *needed*.

    What was remembered of words and texts before a bit was added does not count from then on.
    """
    with _ADDING:
        known = _PATTERNS.get(needed)
        if known is None:
            known = 1 << len(_PATTERNS)
            for letters, begins, ends in needed:
                held = _WHOLE if begins and ends else _lookup(letters, begins=begins)
                held[letters] = held.get(letters, 0) | known
            _PATTERNS[needed] = known
    return known


def _lookup(letters: str, *, begins: bool) -> dict[str, int]:
    """Return where to put the bits of *letters*."""
    return (_HEADS if begins else _INNER).setdefault(letters[:_HEAD], {})


@lru_cache(maxsize=65_536)
def _of_words(word: str, _known: int) -> int:
    """Return the bits of all patterns that may match where *word* stands, in the letters of `fold_case`."""
    found = _WHOLE.get(word, 0)
    for head in (word[:1], word[:_HEAD]):
        if head in _HEADS:
            for letters, bits in tuple(_HEADS[head].items()):
                if word.startswith(letters):
                    found |= bits
    for head in filter(_INNER.__contains__, chain(word, map(add, word, word[1:]))):
        for letters, bits in tuple(_INNER[head].items()):
            if letters in word:
                found |= bits
    return found


@lru_cache(maxsize=8_192)
def _in_text(text: str, known: int) -> int:
    """Return the bits of all patterns that may match in *text*: some dozens are tried on one sentence.

    Args:
        known: how many sets of letters are looked for.
    """
    words = set(_WORD.findall(text.lower() if text.isascii() else fold_case(text)))
    if _JOINING in text:
        words.update(_WORD.findall(fold_case(text.replace(_JOINING, " "))))
    return reduce(or_, map(_of_words, words, repeat(known)), 0)


class Sieve:
    """A pattern of many words; what it is asked it answers as the pattern does."""

    __slots__ = ("_bit", "pattern")

    def __init__(self, pattern: re.Pattern[str]) -> None:
        """Take the pattern; of one that nothing is known of every text is searched."""
        self.pattern = pattern
        self._bit = _NOT_READ

    @property
    def bit(self) -> int:
        """The bit that `_in_text` sets where the pattern can match; 0 where nothing is known of it."""
        if self._bit == _NOT_READ:
            needed = needed_by(self.pattern)
            self._bit = 0 if needed is None else _bit_of(needed)
        return self._bit

    def may_be_in(self, text: str) -> bool:
        """Return whether the pattern can match anywhere in *text*."""
        if len(text) > _MAX_CHARS:
            return True
        bit = self.bit if self._bit == _NOT_READ else self._bit
        return not bit or bit & _in_text(text, len(_PATTERNS)) != 0

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


def sieve(pattern: str, flags: int = 0) -> Sieve:
    """Return a pattern that is tried only where it may match. For the constants of a module."""
    return Sieve(late_pattern(pattern, flags))


class AnySieve:
    """Patterns of which any may match, as those between bars: each is tried only where it may match itself."""

    __slots__ = ("_bits", "sieves")

    def __init__(self, sieves: Sequence[Sieve]) -> None:
        """Take the patterns, in the order in which one pattern would try them."""
        self.sieves = sieves
        self._bits = _NOT_READ

    def may_be_in(self, text: str) -> bool:
        """Return whether any of the patterns can match in *text*."""
        if len(text) > _MAX_CHARS:
            return True
        if self._bits == _NOT_READ:
            bits = [one.bit for one in self.sieves]
            self._bits = reduce(or_, bits, 0) if all(bits) else 0
        return not self._bits or self._bits & _in_text(text, len(_PATTERNS)) != 0

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in *text*, of two that begin alike that of the first pattern."""
        if not self.may_be_in(text):
            return None
        found = [match for one in self.sieves if (match := one.search(text)) is not None]
        return min(found, key=_start, default=None)


def _start(match: re.Match[str]) -> int:
    return match.start()


def any_sieve(*patterns: str, flags: int = 0) -> AnySieve:
    """Return patterns of which any may match. For the constants of a module."""
    return AnySieve([sieve(one, flags) for one in patterns])
