"""Whether a handoff gives a quantity under a key with a unit, in words, or with a unit said once for a list. Pure."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.audit.handed_on.matter import matter_of
from hermes_sessions.facts.quantities.amounts import Amount, read_amount, read_days
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_KEYED = late_pattern(
    r"([A-Za-z][A-Za-z0-9]{0,30}(?:[_.-][A-Za-z0-9]{1,30}){1,5}|[a-z]{2,30}(?:Ms|Seconds|Minutes))[\"'`]?\s?[=:]\s?[\"'`]?(\d[\d.]{0,12})"
)
_KEY_UNITS: Final = {
    **dict.fromkeys(("ms", "msec", "millis", "milliseconds"), ("seconds", 1e-3)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("seconds", 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("seconds", 60.0)),
    **dict.fromkeys(("h", "hour", "hours"), ("seconds", 3600.0)),
    **dict.fromkeys(("day", "days"), ("seconds", 86400.0)),
    **dict.fromkeys(("kb",), ("bytes", 1e3)),
    **dict.fromkeys(("mb",), ("bytes", 1e6)),
    **dict.fromkeys(("gb",), ("bytes", 1e9)),
    **dict.fromkeys(("percent", "pct"), ("%", 1.0)),
    **dict.fromkeys(("rate", "ratio", "share"), ("%", 100.0)),
}
_NUMBER = late_pattern(r"(?<![\w.,:/-])\d[\d.,'\u00a0\u202f]{0,14}\d(?![\w:/-])|(?<![\w.,:/-])\d(?![\w:/.-])")
_DAY_MONTH = late_pattern(r"(?<![\d.])(\d{1,2})[./](\d{1,2})(?![\d/]|\.\d)")
_UNITS: Final = frozenset({"seconds", "bytes", "%"})
_MONEY_SIGNS = late_pattern(
    r"[€$£¥₽円元원]|\b(?:euros?|eur|usd|dollars?|zł|pln|chf|gbp|tl|rub|dinars?|دينار\w*|рубл\w+|kr)\b", re.I
)
_MANY = late_pattern(r"(\d[\d.,]{0,12})\s?([万億亿千만억])")
_MANY_OF: Final = {"万": 1e4, "億": 1e8, "亿": 1e8, "千": 1e3, "만": 1e4, "억": 1e8}
_MAX_LINES: Final = 1_000
_LONG: Final = 10_000
"""A number as large is no other one by chance."""
_CLOSE: Final = 0.05


class ToldAmounts:
    """The quantities of a handoff that no plain value gives."""

    def __init__(self, bodies: Sequence[str]) -> None:
        """Take the handoffs that are in sight."""
        self._lines = [line for body in bodies for line in body.splitlines() if line.strip()][:_MAX_LINES]

    def tells(self, fact: Fact) -> bool:
        """Return whether a line gives the value of *fact*."""
        if fact.kind == "date":
            return self._tells_day(fact.value)
        wanted = _amounts(fact.value)
        if any(_same(one, other) for one in wanted for other in self._found if one.unit in _UNITS):
            return True
        return fact.kind in ("money", "number", "percentage", "duration") and self._tells_listed(fact, wanted)

    @cached_property
    def _found(self) -> list[Amount]:
        return [one for line in self._lines for one in _read(line)]

    @cached_property
    def _numbered(self) -> Sequence[tuple[str, frozenset[float]]]:
        """The lines that have numbers, each with these."""
        found = (
            (line, [one.number for match in _NUMBER.findall(line) for one in read_amount(match)])
            for line in self._lines
        )
        return [(line, frozenset(numbers)) for line, numbers in found if numbers]

    def _tells_listed(self, fact: Fact, wanted: Sequence[Amount]) -> bool:
        """Return whether a line has the bare number, and its unit elsewhere, beside what the value is of."""
        beside = matter_of(fact.text.replace(fact.value, " "))
        for line, numbers in self._numbered:
            same = numbers & {one.number for one in wanted}
            if not same:
                continue
            is_long = any(one >= _LONG for one in same)
            same_unit = fact.kind != "money" or _MONEY_SIGNS.search(line) is not None
            if same_unit and (is_long or beside & matter_of(line)):
                return True
        return False

    def _tells_day(self, value: str) -> bool:
        wanted = read_days(value)
        if any(day == 0 for _, _, day in wanted):  # a month alone: any day of it tells it
            told = frozenset(month for line in self._lines for _, month, _ in read_days(line))
            return any(month in told for _, month, _ in wanted)
        return any((month, day) in self._day_pairs for _, month, day in wanted)

    @cached_property
    def _day_pairs(self) -> frozenset[tuple[int, int]]:
        return frozenset(
            pair
            for line in self._lines
            for one, two in _DAY_MONTH.findall(line)
            for pair in ((int(one), int(two)), (int(two), int(one)))
        )


def _same(one: Amount, other: Amount) -> bool:
    """Exactly, or as far as the coarser one goes and within a twentieth: 342 s are six minutes."""
    if one.unit != other.unit:
        return False
    apart = abs(one.number - other.number)
    return apart <= 1e-6 * abs(one.number) or (
        apart <= max(one.step, other.step) / 2 and apart <= abs(one.number) * _CLOSE
    )


def _amounts(value: str) -> Sequence[Amount]:
    lengths = [Amount(one.seconds, "seconds", one.step) for one in read_durations(value)]
    many = [
        Amount(float(number.replace(",", "").rstrip(".")) * _MANY_OF[sign], "", 0.0)
        for number, sign in _MANY.findall(value)
        if number.count(".") < 2
    ]
    return [*read_amount(value), *lengths, *many]


def _read(line: str) -> Iterator[Amount]:
    for key, number in _KEYED.findall(line):
        last = re.split(r"[_.-]|(?<=[a-z])(?=[A-Z])", key)[-1].lower()
        if last in _KEY_UNITS and number.count(".") < 2:
            unit, factor = _KEY_UNITS[last]
            yield Amount(round(float(number.rstrip(".")) * factor, 6), unit, 0.0)
    for one in read_durations(line):
        yield Amount(one.seconds, "seconds", one.step)
