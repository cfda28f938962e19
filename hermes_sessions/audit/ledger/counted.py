"""What a clause counts or dates: the figures that a rule has in every wording. Pure."""

from functools import lru_cache
from typing import Final

from hermes_sessions.audit.alignment.days import days_of
from hermes_sessions.audit.handed_on.told_matters import numbers_of
from hermes_sessions.facts.quantities.durations import MORE_WORDS
from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern

_MAY: Final = 2
_COUNTED_SIGNS = late_pattern(r"[一二三四五六七八九十百两]+(?=[个個名件間间人位条台冊册页頁本枚箱])")
_IN_NAMES = late_pattern(r"[^\W\d_][\w.-]*\d[\w.-]*")


@lru_cache(maxsize=4_096)
def figures_of(text: str) -> frozenset[str]:
    """Return the numbers, days and months that *text* names."""
    words = [one.strip(".,:;") for one in text.casefold().split()]
    spelled = (str(MORE_WORDS[one]) for one in words if MORE_WORDS.get(one, 1) > 1)
    months = (f"month {MONTHS[one]}" for one in words if one in MONTHS and len(one) > _MAY)
    days = (f"day {one}" for one in days_of(text))
    counted = _COUNTED_SIGNS.findall(text)
    return numbers_of(_IN_NAMES.sub(" ", text)).union(spelled, months, days, counted)
