"""Patterns of any case that are tried on small letters.

To hold every sign against both of its cases takes three to eight times as long. What a pattern that is tried
often can match is looked for in the text in small letters, and only then read in the text itself.
"""

import re
from typing import Final

_OFTEN: Final = 48
"""So often a pattern is tried before it is worth to make another one of it."""
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x[0-9a-fA-F]{2}|.)", re.S)
_RANGE: Final = re.compile(r"(?s:(.)-(.))")
_ODD: Final = frozenset(
    "\u0130\u0131\u017f\u212a\u00b5\u0345\u0390\u03b0\u03a3\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f4\u03f5"
    "\u1c80\u1c81\u1c82\u1c83\u1c84\u1c85\u1c86\u1c87\u1c88\u1e9b\u1fbe\u1fd3\u1fe3\ufb05\ufb06"
)
"""Letters that a pattern of any case takes for others than the small ones of them: dotless i, long s, final sigma."""


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
        if self._left:
            self._left -= 1
            if not self._left:
                self._small = in_small_letters(self.pattern)


def any_case(pattern: str, flags: int = 0) -> AnyCase:
    """Return a pattern that is tried on small letters. For the constants of a module."""
    return AnyCase(re.compile(pattern, flags))
