"""Patterns that are compiled when they are first tried.

The package has some two thousand patterns; a command tries a few hundred of them. Compiled where
they are written, all of them together took longer than most commands. Pure.
"""

import re
from typing import Any, Final, cast

_KEPT: Final = (
    *("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn"),
    *("flags", "groups", "groupindex"),
)
_OWN_FLAGS: Final = re.compile(r"\(\?[aiLmsux]+\)")
"""How a pattern begins that gives flags to itself."""


class LatePattern:
    """Answers as the compiled pattern does, which it makes when it is first asked.

    Attributes:
        pattern: what the pattern was written as.
    """

    def __init__(self, pattern: str, flags: int) -> None:
        """Take what `re.compile` takes."""
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Return a method or an attribute of the compiled pattern; from then on it is found without this."""
        if name not in _KEPT:
            raise AttributeError(name)
        if name == "flags" and not _OWN_FLAGS.match(self.pattern):  # nothing need be compiled for that
            return self._flags | (0 if self._flags & re.ASCII else re.UNICODE)
        made = re.compile(self.pattern, self._flags)
        for one in _KEPT:
            setattr(self, one, getattr(made, one))
        return getattr(made, name)

    def __repr__(self) -> str:
        """Return how it was written."""
        return f"late_pattern({self.pattern!r}, {self._flags})"


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern for a constant of a module, compiled when it is first tried.

    A mistake in it is met then too: `tests/test_patterns.py` tries all of them.
    """
    return cast("re.Pattern[str]", LatePattern(pattern, flags))
