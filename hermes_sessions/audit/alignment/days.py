"""Days of the week that a text names."""

import re
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.words.sides import DAYS
from hermes_sessions.facts.wording.heads import heads_of
from hermes_sessions.late_patterns import late_pattern

ANY_DAY: Final = late_pattern("|".join(shape.pattern for shape in DAYS), re.I)
_TWO: Final = 2
DAY_HEADS: Final = frozenset(head for shape in DAYS for head in heads_of(shape))
"""How names of days begin."""
_DAY_HEADS: Final = frozenset(head[:_TWO] for head in DAY_HEADS)
_WORD_BEGINS: Final = late_pattern(r"\w+")


@lru_cache(maxsize=65_536)
def _may_be_day(word: str) -> bool:
    """Whether the ASCII *word* names a day: names of several words begin with one that is a name, too."""
    return word[:_TWO].lower() in _DAY_HEADS and ANY_DAY.match(word) is not None


def may_name_day(chunk: str) -> bool:
    """Return whether what stands between two blanks names a day of the week, whatever digits it has."""
    if chunk.isascii():
        return any(map(_may_be_day, _WORD_BEGINS.findall(chunk)))
    return ANY_DAY.search(chunk) is not None


@lru_cache(maxsize=20_000)
def days_of(text: str) -> tuple[int, ...]:
    """Return the days of the week that *text* names, Monday 0."""
    if text.isascii() and not any(map(_may_be_day, _WORD_BEGINS.findall(text))):
        return ()
    if ANY_DAY.search(text) is None:
        return ()
    return tuple(at for at, shape in enumerate(DAYS) if shape.search(text))
