"""Patterns of any case that are tried on small letters.

To hold every sign against both of its cases takes three to eight times as long. What a pattern that is tried
often can match in a text of ASCII is looked for in that text in small letters, and only then read in the text itself.
"""

import re
from typing import Final

_OFTEN: Final = 48
"""So often a pattern is tried before it is worth to make another one of it."""
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x[0-9a-fA-F]{2}|.)", re.S)
_RANGE: Final = re.compile(r"(?s:(.)-(.))")
_ODD: Final = "İıſK"
"""Letters that are no ASCII, of which one case is."""


def in_small_letters(pattern: re.Pattern[str]) -> re.Pattern[str] | None:
    """Return what matches in ASCII texts of small letters where *pattern* matches in them in any case.

    None where a class of signs may hold letters of one case alone, or that is not sure.
    """
    shape = pattern.pattern
    if not pattern.flags & re.I or pattern.flags & (re.X | re.A) or "(?i" in shape or "(?-i" in shape:
        return None
    bare = _ESCAPE.sub(_shown, shape)
    if bare != bare.lower() or not frozenset(_ODD).isdisjoint(bare):
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
        if not text.isascii():
            return self.pattern.search(text)
        found = small.search(text.lower())
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
