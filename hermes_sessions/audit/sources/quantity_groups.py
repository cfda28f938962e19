"""The quantities of facts, put together once for each unit, for what may be worked out of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from itertools import islice
from typing import Final

from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.facts.quantities.amounts import PHYSICAL, read_amount, read_days

_MOST_COUNTED: Final = 1_000
_MAX_PARTS: Final = 40
_ANY_YEAR: Final = 2_026
_FEW: Final = 4


class QuantityGroups:
    """What may be added up, multiplied or subtracted to a quantity of some unit."""

    def __init__(self, by_kind: Mapping[str, Sequence[Told]], quantities: frozenset[str]) -> None:
        """Take facts by their kind; *quantities* are the kinds that can be added up."""
        self._by_kind = by_kind
        self._quantities = quantities
        self._together: dict[str, Sequence[list[float]]] = {}
        self._products: dict[str, Sequence[tuple[float, float]]] = {}
        self._parts: dict[str, Sequence[tuple[float, frozenset[str]]]] = {}

    def together(self, unit: str) -> Sequence[list[float]]:
        """Return the quantities of each message that can be added up to one of *unit*."""
        if unit not in self._together:
            found: dict[int, list[float]] = defaultdict(list)
            for kind in self._quantities:
                for told in self._by_kind.get(kind, ()):
                    found[told.message] += [
                        one.number
                        for one in read_amount(told.fact.value)[:1]
                        if one.unit == unit or not (unit in PHYSICAL or one.unit in PHYSICAL)
                    ]
            self._together[unit] = [
                list(dict.fromkeys(numbers))[:_MAX_PARTS] for numbers in found.values() if len(numbers) > 1
            ]
        return self._together[unit]

    def products(self, unit: str) -> Sequence[tuple[float, float]]:
        """Return the amounts of *unit* of each message with what it counts: 5 nights at 31.50."""
        if unit not in self._products:
            self._products[unit] = list(self._multiplied(unit))
        return self._products[unit]

    def parts_of(self, unit: str, value: str) -> Sequence[float]:
        """Return the smallest quantities of *unit*, but for those that are written as *value*."""
        if unit not in self._parts:
            found: dict[float, set[str]] = defaultdict(set)
            for kind in ("money", "duration", "number"):
                for told in self._by_kind.get(kind, ()):
                    for one in read_amount(told.fact.value):
                        if one.unit == unit:
                            found[one.number].add(told.fact.value)
            self._parts[unit] = [(number, frozenset(found[number])) for number in sorted(found)]
        others = (number for number, values in self._parts[unit] if values != {value})
        return list(islice(others, _MAX_PARTS))

    @cached_property
    def of_lines(self) -> Sequence[list[float]]:
        """The few numbers of each message and kind, of which one may be a share of another."""
        lines: dict[tuple[int, str], list[float]] = defaultdict(list)
        for kind in self._quantities - {"percentage"}:
            for told in self._by_kind.get(kind, ()):
                lines[told.message, told.fact.kind] += [
                    one.number for one in read_amount(told.fact.value)[:1]
                ]
        return [numbers for numbers in lines.values() if 1 < len(numbers) <= _FEW]

    @cached_property
    def days_beside(self) -> frozenset[tuple[int, int]]:
        """The days before and after those that are told, as month and day."""
        told = self._by_kind.get("date", ())
        return frozenset(day for value in {one.fact.value for one in told} for day in _neighbours(value))

    def _multiplied(self, unit: str) -> Iterator[tuple[float, float]]:
        amounts: dict[int, set[float]] = defaultdict(set)
        counts: dict[int, set[float]] = defaultdict(set)
        for kind in ("money", "number", "duration"):
            for told in self._by_kind.get(kind, ()):
                for one in read_amount(told.fact.value)[:1]:
                    if one.unit == unit:
                        amounts[told.message].add(one.number)
                    elif kind == "number" and one.unit not in PHYSICAL and 1 < one.number < _MOST_COUNTED:
                        counts[told.message].add(one.number)
        for message, known in counts.items():
            for count in sorted(known)[:_MAX_PARTS]:
                yield from ((one, count) for one in sorted(amounts[message])[:_MAX_PARTS])


def _neighbours(value: str) -> Iterator[tuple[int, int]]:
    for year, month, day in read_days(value):
        try:
            here = date(year or _ANY_YEAR, month, day)
        except ValueError:
            continue
        for other in (here - timedelta(days=1), here + timedelta(days=1)):
            yield other.month, other.day
