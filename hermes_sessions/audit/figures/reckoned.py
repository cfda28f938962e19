"""Whether a value can be worked out of what stands beside the source's: a sum, a share, an end, a day. Pure."""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.quantities.amounts import read_amount, read_days
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.late_patterns import late_pattern

_NUMBER: Final = late_pattern(r"(?<![\w.,])\d{1,9}(?:[.,]\d{1,4})?(?![\w]|[.,]\d)|\d{1,3}(?= ?%)")
_CLOCK: Final = late_pattern(r"(\d{1,2})(?:\D{1,3}(\d\d))?")
_TIME_OF_DAY: Final = late_pattern(r"(?<![\d:.])\d{1,2}[:.h]\d\d(?![\d:.])")
_WEEK: Final = 7
_A_WEEK: Final = late_pattern(
    r"\b(?:week|woche|semaine|semana|settimana|tydzień|tygodnia|недел[юяи]|hafta|vecka|uge|uke)\b|[周週]間?[前后後]|一[周週]|일주일|أسبوع|सप्ताह|हफ़?्त",
    re.I,
)
"""A length of which there is one, told without a number."""
_SO_MANY_DAYS: Final = late_pattern(
    r"(?<!\d)(\d{1,2}) ?(?:दिन|日(?=[前後间間])|天(?=[前后後])|일 ?(?=[전후간])|(?:يوم|أيام))"
)
_COUNTED: Final = frozenset({"number", "duration", "money", "percentage"})
_THOUSANDS: Final = late_pattern(r"\d{1,3}[.,]\d{3}")
_MOST: Final = 40
_FEW: Final = 6
_MONTHS: Final = 12.0
_WHOLE: Final = 100.0
_NEAR: Final = 0.002
_DAY: Final = 86_400.0
_YEAR: Final = 365
_ANY_YEAR: Final = 2_026
_LONGEST: Final = 366
_MAX_CHARS: Final = 4_000
_DAYS_OFF: Final = 3
_HALF_DAY: Final = 720
_HOUR: Final = 60
_MONTH: Final = 30.42
AN_HOUR: Final = late_pattern(
    r"\b(?:an hour|hours?|stunden?|heures?|horas?|or[ae]|uur|час\w*|saat|godzin\w*)\b|小时|時間|시간|ساع",
    re.I,
)
"""Hours told in words, one or several."""
_MONTHS_LONG: Final = late_pattern(
    r"\b(?:months?|monate?n?|mois|mes(?:es)?|mês|mes[ei]|maand\w*|месяц\w*|ay|miesi\w*)\b|个月|か月|ヶ月|カ月|개월|شهر|शह",
    re.I,
)
"""Months, a length that is often told in words."""


def is_reckoned(one: Deviation, text: str) -> bool:
    """Return whether the value of a finding follows from its source's and another one of *text*, all that was said there."""
    if one.kind in _COUNTED:
        beside = frozenset(size for found in _NUMBER.findall(text)[:_MOST] for size in _readings(found))
        own_line = one.line.replace(one.value, " ")
        return any(
            abs(own - found) <= _NEAR * abs(own)
            for own in _sizes(one.value)
            for other in (*_sizes(one.source), *_line_sizes(own_line))
            for found in _results(other, beside, one.kind)
        )
    if one.kind == "time":
        apart = abs(_minutes(one.value) - _minutes(one.source)) % _HALF_DAY
        lengths = {round(length.seconds / 60) for length in read_durations(text)}
        if not apart % _HOUR and AN_HOUR.search(text):
            return True
        if apart in lengths or (_HALF_DAY - apart) in lengths:
            return True
        own = _minutes(one.value)
        clocks = {_minutes(found) for found in _TIME_OF_DAY.findall(text)}
        return any(abs(own - clock) in lengths for clock in clocks)
    if one.kind == "date":
        lengths = {round(length.seconds / _DAY) for length in read_durations(text) if length.seconds >= _DAY}
        if _MONTHS_LONG.search(text):
            lengths |= {round(_MONTH * count) for count in range(1, 13)}
        return any(
            abs(apart - length) <= min(_DAYS_OFF, length // 20)
            for own in read_days(one.value)
            for other in read_days(one.source)
            for apart in _apart(own, other)
            for length in lengths
        )
    return False


def is_day_reckoned(
    value: str, texts: Sequence[str], days: Collection[tuple[int, int, int]] | None = None
) -> bool:
    """Return whether a day lies as far from one that *texts* name as a length of days or weeks that they name.

    Args:
        days: the days that they name, where these are known: year, month, day.
    """
    lengths = {
        round(one.seconds / _DAY)
        for text in texts
        for one in read_durations(text)
        if _DAY < one.seconds <= _LONGEST * _DAY
    }
    lengths |= {int(count) for text in texts for count in _SO_MANY_DAYS.findall(text)}
    lengths |= {_WEEK for text in texts if _A_WEEK.search(text)}
    if lengths and days is None:
        days = {day for text in texts for day in _days_in(text)}
    return any(
        _days_apart(own, day) in lengths for own in read_days(value) for day in (days or ()) if lengths
    )


def _days_in(text: str) -> Iterator[tuple[int, int, int]]:
    for fact in extract_text_facts(text[:_MAX_CHARS]):
        if fact.kind == "date":
            yield from read_days(fact.value)


def _days_apart(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    """Return how many days lie between two days, of one year where a year is not told; 0 where one is none."""
    year = one[0] or other[0] or _ANY_YEAR
    try:
        return abs((date(one[0] or year, *one[1:]) - date(other[0] or year, *other[1:])).days)
    except ValueError:
        return 0


def _sizes(value: str) -> list[float]:
    return [one.number for one in read_amount(value) if one.number]


def _line_sizes(line: str) -> list[float]:
    return [size for found in _NUMBER.findall(line)[:_FEW] for size in _readings(found)]


def _readings(number: str) -> Iterator[float]:
    """`1,025` is a thousand or a decimal."""
    yield float(number.replace(",", "."))
    if _THOUSANDS.fullmatch(number):
        yield float(re.sub(r"[.,]", "", number))


def _results(value: float, beside: frozenset[float], kind: str) -> Iterator[float]:
    """Yield what can be made of *value* and another number: its rest, a sum, a multiple, a part."""
    if not value:
        return
    if kind == "percentage":
        yield _WHOLE - value
    for other in (beside | {_MONTHS}) - {value, 0.0}:
        yield from (value * other, value / other)
        yield other / value
        if other in beside and other > 1:
            yield from (value + other, abs(value - other))


def _minutes(value: str) -> int:
    found = _CLOCK.search(value)
    return int(found[1]) * 60 + int(found[2] or 0) if found else 0


def _apart(one: tuple[int, int, int], other: tuple[int, int, int]) -> Iterator[int]:
    """Yield how many days lie between two days of a year, both ways round."""
    apart = abs(_of_year(one) - _of_year(other))
    yield from (apart, _YEAR - apart)


def _of_year(day: tuple[int, int, int]) -> int:
    return round((day[1] - 1) * _MONTH) + day[2]
