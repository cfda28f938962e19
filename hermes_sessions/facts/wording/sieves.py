"""Patterns that are tried only where a text has letters that every match of them holds, and there on small letters.

To hold every sign against both of its cases takes three to eight times as long. What a pattern that is tried
often can match is looked for in the text in small letters, and only then read in the text itself.
"""

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
"""Letters inside of words are looked up by so many of them."""
_NOT_READ: Final = -1
"""In the place of the bits of a pattern that was not asked yet."""

_PATTERNS: Final[dict[frozenset[Needed], int]] = {}
"""A bit for each set of letters that patterns need; one more for every new set."""
_WHOLE: Final[dict[str, int]] = {}
_BEGUN: Final[dict[int, dict[str, int]]] = {}
_INNER: Final[dict[str, dict[str, int]]] = {}
"""The bits of the patterns that need a word, one that begins so, by how long that is, or letters anywhere in one."""
_OFTEN: Final = 200
"""So often a pattern is tried before it is worth to make another one of it, which takes milliseconds."""
_ESCAPE: Final = late_pattern(r"\\(?:u([0-9a-fA-F]{4})|x[0-9a-fA-F]{2}|.)", re.S)
_RANGE: Final = late_pattern(r"(?s:(.)-(.))")
_ODD: Final = frozenset(
    "\u0130\u0131\u017f\u212a\u00b5\u0345\u0390\u03b0\u03a3\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f4\u03f5"
    "\u1c80\u1c81\u1c82\u1c83\u1c84\u1c85\u1c86\u1c87\u1c88\u1e9b\u1fbe\u1fd3\u1fe3\ufb05\ufb06"
)
"""Letters that a pattern of any case takes for others than the small ones of them: dotless i, long s, final sigma."""
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
    return _BEGUN.setdefault(len(letters), {}) if begins else _INNER.setdefault(letters[:_HEAD], {})


@lru_cache(maxsize=65_536)
def _of_words(word: str, _known: int) -> int:
    """Return the bits of all patterns that may match where *word* stands, in the letters of `fold_case`."""
    found = _WHOLE.get(word, 0)
    for size, begun in tuple(_BEGUN.items()):
        found |= begun.get(word[:size], 0)
    for head in filter(_INNER.__contains__, chain(word, map(add, word, word[1:]))):
        for letters, bits in tuple(_INNER[head].items()):
            if letters in word:
                found |= bits
    return found


@lru_cache(maxsize=32_768)
def _in_text(text: str, known: int) -> int:
    """Return the bits of all patterns that may match in *text*: some dozens are tried on one sentence.

    Args:
        known: how many sets of letters are looked for.
    """
    words = set(_WORD.findall(text.lower() if text.isascii() else fold_case(text)))
    if _JOINING in text:
        words.update(_WORD.findall(fold_case(text.replace(_JOINING, " "))))
    return reduce(or_, map(_of_words, words, repeat(known)), 0)


def in_small_letters(pattern: re.Pattern[str]) -> re.Pattern[str] | None:
    """Return what matches in texts of small letters, none of them odd, where *pattern* matches in any case.

    None where a class of signs may hold letters of one case alone, or that is not sure.
    """
    shape = pattern.pattern
    if not pattern.flags & re.I or pattern.flags & (re.X | re.A) or "(?i" in shape or "(?-i" in shape:
        return None
    bare = _ESCAPE.sub(_shown, shape)
    if bare != bare.lower() or not _ODD.isdisjoint(bare):
        return None
    if any((low <= "Z" and high >= "A") or _holds_odd(low, high) for low, high in _RANGE.findall(bare)):
        return None
    return re.compile(shape, pattern.flags & ~re.I)


def _shown(escape: re.Match[str]) -> str:
    """Return the sign that is written as its number; a capital letter for one that is not read here."""
    if escape[1] is not None:
        return chr(int(escape[1], 16))
    return "X" if escape.group().startswith("\\x") else ""


def _holds_odd(low: str, high: str) -> bool:
    return any(low <= one <= high for one in _ODD)


class AnyCase:
    """A pattern of any case; what it is asked it answers as the pattern does."""

    __slots__ = ("_left", "_small", "pattern")

    def __init__(self, pattern: re.Pattern[str]) -> None:
        """Take the pattern; one of small letters is made of it when it was tried often."""
        self.pattern = pattern
        self._left = _OFTEN
        self._small: re.Pattern[str] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in *text*."""
        small = self._small
        if small is None:
            self._count()
            return self.pattern.search(text)
        lowered = text.lower()
        if not text.isascii() and (len(lowered) != len(text) or not _ODD.isdisjoint(text)):
            return self.pattern.search(text)
        found = small.search(lowered)
        return None if found is None else self.pattern.match(text, found.start())

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of *text*."""
        small = self._small
        if small is None:
            self._count()
        elif text.isascii() and small.match(text.lower()) is None:
            return None
        return self.pattern.match(text)

    def _count(self) -> None:
        if self._left > 0:
            self._left -= 1
            if self._left <= 0:
                self._small = in_small_letters(self.pattern)


def any_case(pattern: str, flags: int = 0) -> AnyCase:
    """Return a pattern that is tried on small letters. For the constants of a module."""
    return AnyCase(late_pattern(pattern, flags))


class Sieve(AnyCase):
    """A pattern of many words; what it is asked it answers as the pattern does."""

    __slots__ = ("_bit",)

    def __init__(self, pattern: re.Pattern[str]) -> None:
        """Take the pattern; of one that nothing is known of every text is searched."""
        super().__init__(pattern)
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
        bit = self.bit if self._bit == _NOT_READ else self._bit
        if bit and len(text) <= _MAX_CHARS and not bit & _in_text(text, len(_PATTERNS)):
            return None  # most texts; `may_be_in` says the same
        return AnyCase.search(self, text)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of *text*."""
        return AnyCase.match(self, text) if self.may_be_in(text) else None

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
