"""The values of a clause that could be others of their sort: numbers, days, people, codes, sides."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.crossings import shape_of
from hermes_sessions.audit.alignment.days import ANY_DAY, days_of
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern

_HASH: Final = late_pattern(r"(?=[0-9a-f]*\d)[0-9a-f]{7,40}")
_DIGITS: Final = late_pattern(r"0+")
_SIDED: Final = frozenset({"room", "hand", "compass", "role", "end", "rank", "part", "age", "switch", "face"})
"""Axes whose poles exclude each other for one thing at one time."""


class SlotValue(NamedTuple):
    """A value of a clause: its sort, itself, and the items of the clause that are its words."""

    sort: str
    value: str
    items: frozenset[str]


def read_slots(clause: Clause, people: frozenset[str]) -> tuple[SlotValue, ...]:
    """Return the values of *clause* with the sort of each; *people* are the names that persons have."""
    return tuple(_slots(clause, people))


def _slots(clause: Clause, people: frozenset[str]) -> Iterator[SlotValue]:
    items = clause.items
    for number, unit in items.numbers.items():
        if not unit and number in _days_of_months(clause.text):
            continue
        sort = "clock" if ":" in number else f"number {unit}"
        yield SlotValue(sort, f"#{number}", frozenset({f"#{number}"}))
    for pole in sorted(items.poles):
        axis = pole.partition(":")[0]
        if axis in _SIDED:
            yield SlotValue(axis, pole, frozenset({pole}))
    for letter in sorted(items.letters):
        yield SlotValue("letter", letter, frozenset({letter}))
    for name in sorted(items.anchors):
        if any(map(str.isdigit, name)) and not name.isdecimal():
            yield SlotValue(_sort_of(name), name, frozenset({name}))
    for at in days_of(clause.text):
        yield SlotValue("day", f"day {at}", _day_items(clause.text))
    for person in sorted(people & items.words):
        yield SlotValue("person", person, frozenset({person}))


_MONTH: Final = "|".join(sorted({re.escape(one) for one in MONTHS if len(one) > 2}, key=len, reverse=True))
_DATE: Final = sieve(
    rf"\b0?(\d{{1,2}})(?:\.|st|nd|rd|th|er)?(?: (?:de|of))? (?:{_MONTH})\b|\b(?:{_MONTH})\.? (\d{{1,2}})\b"
    r"|(\d{1,2})[日일]",
    re.I,
)


@lru_cache(maxsize=20_000)
def _days_of_months(text: str) -> frozenset[str]:
    """Return the numbers of *text* that are days of a month: what is compared with dates elsewhere."""
    return frozenset(one for match in _DATE.finditer(text) for one in match.groups() if one)


@lru_cache(maxsize=4_096)
def _sort_of(name: str) -> str:
    return "hash" if _HASH.fullmatch(name) else f"code {_DIGITS.sub('0', shape_of(name))}"


def dates_of(text: str) -> tuple[SlotValue, ...]:
    """Return the days of a month that *text* names, as values."""
    return tuple(
        SlotValue("date", f"#{one}", frozenset({f"#{one}"})) for one in sorted(_days_of_months(text))
    )


@lru_cache(maxsize=20_000)
def _day_items(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(_items_of(match.group()) for match in ANY_DAY.finditer(text)))


@lru_cache(maxsize=20_000)
def _items_of(word: str) -> frozenset[str]:
    return read_terms(word).all


def name_items(people: Iterable[str]) -> frozenset[str]:
    """Return how clauses hold the names of *people*: without endings."""
    return frozenset(item for one in people for item in _items_of(one) if len(item) > 2 or item > "\u2e7f")


def is_of_one_sort(one: str, other: str) -> bool:
    """Whether two sorts are one; a number without a unit may be of any."""
    numbers = [sort for sort in (one, other) if sort.startswith("number")]
    return one == other or (len(numbers) == 2 and "number " in numbers)


def is_like(one: SlotValue, other: SlotValue) -> bool:
    """Whether one value can be mistaken for the other: of one unit; where there is none, of one size."""
    if one.sort != other.sort:
        return False
    if one.sort != "number ":
        return True
    first, second = _number(one), _number(other)
    is_whole = first.is_integer() == second.is_integer()
    return is_whole and 0 < first <= second * _SIZES and second <= first * _SIZES


def is_near(one: SlotValue, other: SlotValue) -> bool:
    """Whether neither number is more than some times the other."""
    first, second = _number(one), _number(other)
    return first <= second * _TIMES and second <= first * _TIMES


def _number(slot: SlotValue) -> float:
    """Return the number of a slot; 0 where it is a version or has more points."""
    whole, _, part = slot.value[1:].partition(".")
    return float(f"{whole}.{part or 0}") if whole.isdecimal() and (part or "0").isdecimal() else 0.0


_SIZES: Final = 10
_TIMES: Final = 4
_WORD: Final = late_pattern(r"[^\W\d_]+")


@lru_cache(maxsize=20_000)
def words_of(text: str) -> frozenset[str]:
    """Return the words of *text* in small letters."""
    return frozenset(one.casefold() for one in _WORD.findall(text))
