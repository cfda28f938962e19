"""In which language something was said, and whether a handoff has a line in it. Pure."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.words.joining_words import languages_of
from hermes_sessions.late_patterns import late_pattern

_LETTERS: Final = (
    ("tr", late_pattern(r"[ığş]|(?:yor|malı|meli)\b", re.I)),
    ("pl", late_pattern(r"[ąęłżźśćń]", re.I)),
    ("de", late_pattern(r"[ßäöü]", re.I)),
    ("es", late_pattern(r"[ñ¿¡]", re.I)),
    ("pt", late_pattern(r"[ãõ]", re.I)),
    ("fr", late_pattern(r"[œêèàùç]", re.I)),
    ("ru", late_pattern(r"[\u0400-\u052f]")),
)
"""Letters by which a text without joining words is known."""

_ENGLISH = late_pattern(
    r"\b(?:an?|has|have|by|from|on|at|in|or|as|its|been|no|so|but|then|all|which|who|after|next|into|under|than)\b",
    re.I,
)
_MIN_WORDS: Final = 3
_SIGNS = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0600-\u06ff\u0900-\u097f]")
_QUOTED = late_pattern(r"[\"“”«»„‘][^\"“”«»„‘\n]{1,200}[\"“”«»’]|`[^`\n]{1,200}`")
_KIN: Final = (frozenset({"zh", "ja"}),)
"""Languages whose lines may be told apart by too few signs."""


@lru_cache(maxsize=4_096)
def tongues_of(text: str) -> frozenset[str]:
    """Return the languages that *text* may be in; none where nothing tells."""
    bare = _QUOTED.sub(" ", text)
    found = languages_of(bare)
    if not bare.isascii():
        known = {name for name, shape in _LETTERS if shape.search(bare)}
        if known and (not found or known & found):
            found = frozenset(known & found or known)
    if not found and _ENGLISH.search(bare):
        return frozenset({"en"})
    return found


def is_in_other_tongue(text: str, around: Iterable[str], lines: Sequence[str]) -> bool:
    """Return whether no line of a handoff is in the language in which *text* was said.

    Args:
        text: a fact.
        around: what was said with it, asked in this order where the fact does not tell its language.
        lines: the handoff.
    """
    own = next((found for one in (text, *around) if (found := tongues_of(one))), frozenset[str]())
    told = handoff_tongues(tuple(lines))
    return bool(own and told) and own.isdisjoint(told)


@lru_cache(maxsize=256)
def handoff_tongues(lines: tuple[str, ...]) -> frozenset[str]:
    """Return the languages that the lines of a handoff may be in: those of a tenth of its lines, or more."""
    found: dict[str, int] = {}
    counted = 0
    for line in lines:
        if len(line.split()) < _MIN_WORDS and not _SIGNS.search(line):
            continue
        tongues = tongues_of(line)
        counted += bool(tongues)
        for one in tongues:
            found[one] = found.get(one, 0) + 1
    return frozenset(name for name, count in found.items() if count * 10 >= counted)
