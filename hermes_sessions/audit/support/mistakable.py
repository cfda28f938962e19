"""Whether a figure of a handoff can be mistaken for one of its source: of one sort, of one size. Pure."""

import re
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.support.figures import Figure, read_figures
from hermes_sessions.facts.quantities.amounts import read_amount
from hermes_sessions.late_patterns import late_pattern

_ORDINAL: Final = late_pattern(r"\d{1,4}(?:st|nd|rd|th|er|º|ª|\.)", re.I)
_YEAR: Final = late_pattern(r"(?:19|20)\d\d")
_TIMES: Final = 4
_DIGIT: Final = late_pattern(r"\d")
_ANY_UNIT: Final = frozenset({"number ", "number money", "date"})


def may_be_mistaken(one: Deviation) -> bool:
    """Return whether the figure of a note may stand in the place of its source's.

    An ordinal, a year, a number with another unit or one many times as large is not taken for it.
    """
    if one.value == one.line or one.source == one.source_line or not _DIGIT.search(one.value):
        return True
    if _is_ordinal(one.value) != _is_ordinal(one.source) or _is_year(one.value) != _is_year(one.source):
        return False
    own, other = _sort(one.value, one.line), _sort(one.source, one.source_line)
    is_of_one_unit = own == other and own not in ("", "number ")
    if not is_of_one_unit and not _are_near(one.value, one.source):
        return False
    return own == other or "" in (own, other) or (own in _ANY_UNIT and other in _ANY_UNIT)


def _are_near(value: str, source: str) -> bool:
    """Return whether neither of two numbers is many times the other."""
    sizes = [[abs(one.number) for one in read_amount(text)] for text in (value, source)]
    pairs = [(first, second) for first in sizes[0] for second in sizes[1]]
    return not pairs or any(first <= second * _TIMES and second <= first * _TIMES for first, second in pairs)


def _is_ordinal(value: str) -> bool:
    return _ORDINAL.fullmatch(value) is not None


def _is_year(value: str) -> bool:
    return _YEAR.fullmatch(value) is not None


def _sort(value: str, text: str) -> str:
    """Return what sort of figure a value of *text* is, '' where it is none."""
    at = text.find(value)
    found = (one for one in read_figures(text).figures if _is_at(one, at, len(value)))
    return next((one.sort for one in found), "")


def _is_at(one: Figure, at: int, length: int) -> bool:
    return one.start < at + length and at < one.end
