"""How nearly two sentences say the same but for the word that turns one of them round: clause against clause."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.wording import FORBIDS
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern

_CUTS: Final = (
    late_pattern(r"[.!?;]\s|[。！？；]"),
    late_pattern(r"[,;:(](?!\d)\s?|[.!?]\s|->|[)，、；：—。！？]\s?"),
    late_pattern(
        r"[,;:(](?!\d)\s?|[.!?]\s|->|[)，、；：—。！？]\s?|\s(?:and|but|because|since|und|aber|weil|denn|et|mais|car|y|pero|porque|e|mas|ma|perché|en|maar|omdat|и|а|но|потому|i|ale|bo)\s",
        re.I,
    ),
)
"""Where a sentence is cut: at stops, at commas too, at the words that join clauses too."""
_SHORT_NOT: Final = late_pattern(r"n[’']t\b", re.I)
_LEAST: Final = 2
_STEM: Final = 4
_ALIKE: Final = 0.6
_ONE_IN: Final = 8
_TURNED: Final = 1
"""So many words of each clause may be the one that turns it round."""
_TURNED_SIGNS: Final = 3
"""A word of two signs stands in so many pairs of signs."""


@lru_cache(maxsize=8_192)
def agreement(one: str, other: str, least: int = _LEAST) -> float:
    """Return which part of both clauses is the same, of the two clauses of two sentences that agree best.

    Each way it is asked: what only one of the two names counts, but for one word. Of longer clauses that share
    fewer than *least* terms nothing is known.
    """
    theirs = [*_clauses(other)]
    return max((_shared(own, their, least) for own in _clauses(one) for their in theirs), default=0.0)


def is_said_plainly(one: str, other: str) -> bool:
    """Return whether a clause of *other* that denies nothing names all that *one* does, beside one that denies."""
    own = read_terms(one).all
    parts = {part for cut in _CUTS[1:] for part in cut.split(_SHORT_NOT.sub(" not", other)) if part}
    plain = {part for part in parts if not is_negated(part) and FORBIDS.search(part) is None}
    if not own or not parts - plain:
        return False
    for part in plain:
        their = read_terms(part).all
        missing = [each for each in own - their if not any(_is_bent(each, known) for known in their)]
        if len(missing) <= len(own) // _ONE_IN:
            return True
    return False


def _clauses(text: str) -> Iterator[frozenset[str]]:
    """Yield what the clauses of a sentence name, the sentence and shorter ones."""
    parts = {part for cut in _CUTS for part in cut.split(_SHORT_NOT.sub(" not", text)) if part}
    for part in (text, *sorted(parts - {text})):
        if terms := read_terms(part).all:
            yield terms


def _shared(own: frozenset[str], their: frozenset[str], least: int) -> float:
    shared = sum(one in their or any(_is_bent(one, other) for other in their - own) for one in own)
    most = max(len(own), len(their))
    turned = _TURNED_SIGNS if any(one > "\u2e7f" for one in own | their) else _TURNED
    if shared < min(least, max(1, most - turned)):
        return 0.0
    return shared / max(shared, most - turned)


def _is_bent(one: str, other: str) -> bool:
    """Return whether two words may be of one stem, with other endings."""
    short = min(len(one), len(other))
    if short < _STEM or not (one.isalpha() and other.isalpha()) or one > "\u2e7f":
        return False
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), short)
    return common >= max(_STEM, short * _ALIKE)
