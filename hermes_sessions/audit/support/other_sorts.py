"""What shows that an accusation holds two sorts of things against each other: miles and seats. Pure."""

import re
from typing import Final

from hermes_sessions.audit.checking.denied import denied_deeds
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.exchanges.measures import numbers_with_units
from hermes_sessions.audit.figures.told_figures import FigureTelling, ToldFigures
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.late_patterns import late_pattern

_COUNTED: Final = late_pattern(r"\d[ \u00a0-]?[^\W\d_]{3,}")
_MONEY: Final = late_pattern(
    r"[€$£¥₽]|\b(?:eur|usd|gbp|chf|pln|zł|kr|euros?|dollars?|pounds?|crowns?|francs?)\b|元|円|원", re.I
)
_NEITHER: Final = late_pattern(r"\b(?:neither|nor|weder|ni|nem|né|noch|ani|ни)\b|也不|も\w{0,8}も", re.I)
_OF_PAIRS: Final = 2


def is_measure_for_count(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a measure is held against a count of things, or a count against a measure."""
    own, other = (any(True for _ in numbers_with_units(text)) for text in (one.value, one.source))
    counted = one.source if own else one.value
    return own is not other and _COUNTED.search(counted) is not None and _MONEY.search(counted) is None


def is_sum_for_price(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a number without a currency, that may be worked out, is held against a price."""
    at = one.line.find(one.value)
    near = one.line[max(0, at - 3) : at + len(one.value) + 4] if at >= 0 else one.value
    if _MONEY.search(near) or _MONEY.search(one.source) is None:
        return False
    return figures.telling(one.value, one.line) > FigureTelling.NOWHERE


def denies_in_pairs(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a sentence denies two things by a word for each: *ni reembolsos ni reintentos*."""
    return len(_NEITHER.findall(one.value)) >= _OF_PAIRS


def is_another_deed(one: Deviation, _: ToldFigures) -> bool:
    """Return whether what is reported is not the deed that is still open: *pushed*, for *not watched yet*."""
    deeds = denied_deeds(one.source)
    return bool(deeds) and deeds.isdisjoint(telling_words(one.value))
