"""Quantities that nobody said and that can be worked out from what was said."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice
from math import prod
from typing import Final

from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.facts.equivalence import outcome
from hermes_sessions.facts.quantities.amounts import (
    PHYSICAL,
    Amount,
    is_physical,
    read_amount,
    read_clock,
    read_days,
)
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_COUNTED: Final = late_pattern(
    r"\b(?:files?|dateien?|fichiers?|archivos?|ficheros?|arquivos?|steps?|schritte?|items?|points?|places?|options?|ways?|things?|issues?|changes?"
    r"|commits?|calls?|attempts?|rounds?|vendors?|offers?|modules?|functions?|endpoints?|sections?|documents?|times?)\b|个|件|つ",
    re.I,
)
_PART_OF = late_pattern(
    r"(?<![\w.,:/-])(\d{1,6})(?: [^\W\d]{1,20}){0,3} (?:of|von|sur|de|su|di|van|em|z|ze|из)(?: [^\W\d]{1,4})? $",
    re.I,
)
_MAX_COUNT: Final = 30
_LONG_UNIT: Final = 12
_CENT: Final = 0.006
_NUMBER = late_pattern(r"[-+]?\d[\d.,'\u00a0\u202f]{0,20}\d|\d")
_BARE = late_pattern(r"(?<![\w.,:/-])\d{1,9}\.\d{1,4}(?![\w.:/-])")
_MAX_PARTS: Final = 40
_FACTORS = late_pattern(
    r"(?:\d[\d.,]{0,14}[^\d=]{0,20}?[x×*·]\s?){1,5}[^\d=]{0,4}\d[\d.,]{0,14}[^\d=]{0,20}=[^\w\d]{0,3}$", re.I
)
_ROUNDED: Final = 400
"""From here on a number that ends in a zero may be rounded to tens."""


def is_derivable(fact: Fact, source: SourceIndex) -> bool:
    """Return whether *fact* is a sum, a difference, a share or a count of what is said elsewhere."""
    for whole in read_amount(fact.value):
        if fact.kind == "test_result":
            return _is_outcome_told(fact, whole, source)
        if whole.unit == "%" or fact.kind == "percentage":
            fraction = source.holds_number(f"{abs(whole.number) / 100:g}")
            return fraction or _is_share(whole, _line_numbers(fact)) or _is_share_told(whole, source)
        if fact.kind == "number" and whole.number <= _MAX_COUNT and _COUNTED.search(fact.value):
            return True
        if _is_of_a_message(whole, source):
            return True
        if whole.unit in PHYSICAL and (_is_product(whole, source) or _is_multiplied(fact, whole)):
            return True
        numbers = _line_numbers(fact)
        if not is_physical(fact.value) and _is_total(whole, numbers):
            return True
        if _is_part(fact, whole, numbers):
            return True
    return False


def _is_outcome_told(fact: Fact, whole: Amount, source: SourceIndex) -> bool:
    """Whether a count of tests is the sum of those told, or what is left of all without those that did not pass."""
    told = _outcome_numbers(source)
    before = _PART_OF.search(fact.text[: max(fact.text.find(fact.value), 0)])
    if before and float(before[1]) in told:
        return True  # `17 controlli su 19 passati`: seventeen have
    if outcome(fact.value) == "passed":
        totals = [one for one in source.totals if one >= whole.number]
        return any(_is_left(total, whole.number, told) for total in totals[:_MAX_PARTS])
    return not outcome(fact.value) and _is_total(whole, told)


def _is_left(total: int, passed: float, told: list[float]) -> bool:
    rest = total - passed
    if not rest:
        return 0.0 in told  # `58 tests completed, 0 failed`
    return rest > 0 and any(one + other == rest for one in told for other in (0.0, *told))


def is_day_told(fact: Fact, source: SourceIndex) -> bool:
    """Return whether a date is the day before or after one that is told, where the source speaks of such days."""
    if fact.kind != "date" or not source.loose.names_days_by_others:
        return False
    return any(day[1:] in source.groups.days_beside for day in read_days(fact.value))


def is_total_of(fact: Fact, handoff: SourceIndex) -> bool:
    """Return whether *fact* is the sum of two quantities of the handoff in its unit, or what lies between them."""
    for whole in read_amount(fact.value):
        parts = handoff.groups.parts_of(whole.unit, fact.value) if whole.unit in PHYSICAL else ()
        if _is_between(whole, parts):
            return True
    rest = [one.number for found in _BARE.findall(fact.text) for one in read_amount(found)[:1]]
    own = _BARE.search(fact.value)
    return own is not None and any(_is_between(whole, rest) for whole in read_amount(own.group()))


def _is_between(whole: Amount, parts: Sequence[float]) -> bool:
    """Return whether *whole* is the sum of two of *parts*, or their difference."""
    return has_pair(whole.number, parts, whole.step / 2 * (1 + 1e-9))


def has_pair(wanted: float, parts: Sequence[float], room: float, *, multiplied: bool = False) -> bool:
    """Return whether two of *parts* add up to *wanted*, differ by it, or, if *multiplied*, make it when multiplied."""
    ordered = sorted(parts)
    reach = room + 1e-9 * (abs(wanted) + max(map(abs, ordered), default=0.0))
    for at, one in enumerate(ordered):
        near = [(wanted - one, reach), (one - wanted, reach), (one + wanted, reach)]
        if multiplied and one:
            near.append((wanted / one, reach / abs(one)))
        for size, apart in near:
            place = bisect_left(ordered, size - apart)
            while place < len(ordered) and ordered[place] <= size + apart:
                if place != at and _makes(one, ordered[place], wanted, room, multiplied=multiplied):
                    return True
                place += 1
    return False


def _makes(one: float, other: float, wanted: float, room: float, *, multiplied: bool) -> bool:
    found = (one + other, abs(one - other), *((one * other,) if multiplied else ()))
    return any(abs(made - wanted) <= room for made in found)


def _is_product(whole: Amount, source: SourceIndex) -> bool:
    """Return whether a message has an amount in this unit, and counts how often: 5 nights at 31.50 are 157.50."""
    return any(
        abs(one * count - whole.number) < _CENT or abs(one / count - whole.number) < _CENT
        for one, count in source.groups.products(whole.unit)
    )


def _is_multiplied(fact: Fact, whole: Amount) -> bool:
    """Return whether the line shows how it is worked out: `23.50 EUR x 22 x 3 = 1,551 EUR`."""
    found = _FACTORS.search(fact.text[: fact.text.find(fact.value)])
    if found is None:
        return False
    factors = [one.number for number in _NUMBER.findall(found.group()) for one in read_amount(number)[:1]]
    return len(factors) > 1 and abs(prod(factors) - whole.number) < max(_CENT, whole.step / 2)


def _outcome_numbers(source: SourceIndex) -> list[float]:
    found = source.by_kind.get("test_result", ())
    return list(islice((one.number for told in found for one in read_amount(told.fact.value)[:1]), 12))


def _is_of_a_message(whole: Amount, source: SourceIndex) -> bool:
    """Return whether *whole* is worked out of a message's quantities, or of two of a sentence's few numbers."""
    if any(_is_total(whole, numbers) for numbers in source.groups.together(whole.unit)):
        return True
    return whole.number >= _LEAST_BARE and any(_is_between(whole, one) for one in source.spoken_numbers)


def _line_numbers(fact: Fact) -> list[float]:
    rest = fact.text.replace(fact.value, " ", 1)
    numbers = (one.number for found in _NUMBER.finditer(rest) for one in read_amount(found.group()))
    return list(islice(numbers, _MAX_PARTS))


def _is_total(whole: Amount, parts: list[float]) -> bool:
    if len(parts) < 2:
        return False
    step = _step(whole)
    room = max(step / 2, abs(whole.number) * 1e-9) * (1 + 1e-9) if step != 1 else 1e-6
    if has_pair(whole.number, parts, room, multiplied=whole.number > _DOZEN):
        return True
    return len(parts) > 2 and abs(sum(set(parts)) - whole.number) <= room


_DOZEN: Final = 12
"""Smaller numbers are a product of two others by chance."""


def _is_part(fact: Fact, whole: Amount, numbers: list[float]) -> bool:
    """Return whether *whole* is an amount of its line, in the same unit, divided by another number: what one costs."""
    unit = re.escape(_NUMBER.sub("", fact.value).strip())
    if not unit or whole.unit not in PHYSICAL:
        return False
    rest = fact.text.replace(fact.value, " ", 1)
    number = _NUMBER.pattern
    shape = (
        re.compile(rf"(?:{number})(?=\s?{unit})|(?<={unit})\s?(?:{number})")
        if len(unit) < _LONG_UNIT
        else None
    )
    amounts = [one.number for found in shape.findall(rest) for one in read_amount(found)] if shape else []
    return any(
        abs(one / other - whole.number) < _CENT
        for one in amounts
        for other in numbers
        if other > 1 and one != other
    )


def _step(whole: Amount) -> float:
    """The precision of a number, as far as its zeros tell: 490 is rounded to tens."""
    if whole.step == 1 and whole.number % 10 == 0 and abs(whole.number) >= _ROUNDED:
        return 10.0
    return whole.step


def _is_share(whole: Amount, numbers: list[float]) -> bool:
    """Return whether *whole* percent is the share of one of *numbers* in another, or the change between two."""
    room = max(whole.step, 1.0) / 2 * 1.02
    wanted = abs(whole.number)
    for one in numbers:
        for other in numbers:
            if other and one != other:
                share = 100 * one / other
                if min(abs(share - wanted), abs(100 - share - wanted), abs(share - 100 - wanted)) <= room:
                    return True
    return False


def _is_share_told(whole: Amount, source: SourceIndex) -> bool:
    """The same of the numbers of one line of the source."""
    return whole.step <= 1.0 and any(_is_share(whole, numbers) for numbers in source.groups.of_lines)


_LEAST_BARE: Final = 13
"""Smaller numbers stand everywhere."""


def is_written_bare(fact: Fact, source: SourceIndex) -> bool:
    """`one hour` for a setting of 3600, `03:10` in `2026-09-11T03:10`, `7 o'clock` for `at 7`."""
    clock = read_clock(fact.value)
    if clock is not None:
        hour, minute = clock[0], clock[1]
        if re.search(rf"{hour:02}:{minute:02}(?<=\dT.{{5}})(?!\d)", source.raw):
            return True
        return minute == 0 and source.says_hour(hour)
    return any(
        any(
            source.sets_number(f"{one.seconds * scale:.0f}")
            or source.holds_bare(f"{one.seconds * scale:.0f}")
            for scale in (1 / 60, 1, 1000)
            if (one.seconds * scale).is_integer() and one.seconds * scale >= _LEAST_BARE
        )
        for one in read_durations(fact.value)
    )
