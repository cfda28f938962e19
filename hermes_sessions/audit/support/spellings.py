"""Whether a sentence may name a thing at all: asked before what it names is read.

A word names a thing by how it is written or by the concept that it begins like, so the letters of one of
these stand in every sentence that names it. What is found here need not name it; what is not found does not.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final
from unicodedata import normalize

from hermes_sessions.audit.words.concepts import beginnings_of
from hermes_sessions.late_patterns import late_pattern

_MARKS: Final = late_pattern("[\u0300-\u036f]")
_LETTER: Final = late_pattern(r"[^\W\d_]")

Spellings = Sequence[str] | None
"""The letters of which some stand in every sentence that names one of some things; None where that is any."""


def spellings_of(items: Iterable[str]) -> Spellings:
    """Return the letters of which some stand in every sentence that names one of *items*.

    None where one of them is a number: that is written in many ways.
    """
    found: dict[str, None] = {}
    for item in items:
        if item.startswith("#") or not _LETTER.search(item):
            return None
        found.update(dict.fromkeys(map(_bare, (item, *beginnings_of((item,))))))
    return tuple(found)


def may_be_named(spellings: Spellings, text: str) -> bool:
    """Return whether *text* may name one of the things that have these *spellings*."""
    if spellings is None:
        return True
    letters = _letters_of(text)
    return any(one in letters for one in spellings)


@lru_cache(maxsize=32_768)
def _letters_of(text: str) -> str:
    return _bare(text.casefold())


def _bare(text: str) -> str:
    """Return *text* without accents: tools leave out what people write."""
    return text if text.isascii() else _MARKS.sub("", normalize("NFD", text))
