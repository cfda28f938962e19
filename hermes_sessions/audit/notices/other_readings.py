"""Why a value of a handoff may differ from its source's though nobody erred. Pure.

A summary rounds, leaves the last parts of a version out, and works days out: from `the 17th` and a month that is
named elsewhere, or from a length of time.
"""

import re
from collections.abc import Sequence
from math import floor, log10
from typing import Final

from hermes_sessions.audit.checking.contexts import is_swapped, word_behind
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.figures.told_figures import is_told_of
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.sides import RELATIVE
from hermes_sessions.facts.quantities.amounts import PHYSICAL, read_amount, read_days
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.late_patterns import late_pattern

_ROUNDED: Final = frozenset({"number", "duration", "money", "percentage"})
_NAMES: Final = frozenset({"version", "id", "hash", "host", "image", "branch"})
_NEAR: Final = 0.06
_DAY: Final = 86_400.0
_BESIDE: Final = 60
_HEAD: Final = 4
_WILD: Final = late_pattern(r"(?:[.\-]?[xX*]|\+)+$")
_EDGE: Final = frozenset(".-+/:@_")


def may_mean(one: Deviation) -> bool:
    """Return whether the value of a finding may be the source's, said less exactly, or a day worked out."""
    if not one.source or one.value == one.line:
        return False
    if one.rule != "swapped-ends" and _is_former(one):
        return True
    if one.rule == "same-sentence" and not is_swapped(one.value, one.source) and _counts_other_things(one):
        return True
    if one.kind in _ROUNDED:
        return is_rounded(one.value, one.source) or _is_cut_off(one) or is_converted(one.value, one.source)
    if one.kind in _NAMES:
        return is_part_of(one.value, one.source)
    if one.kind == "date":
        return not is_swapped(one.value, one.source) and _is_other_day(one)
    return False


def _is_former(one: Deviation) -> bool:
    """Return whether the line itself says that the value became the source's: `from two weeks to five days`."""
    at = one.line.find(one.value)
    if at < 0:
        return False
    behind = one.line[at + len(one.value) : at + len(one.value) + _BESIDE]
    moved = _BECAME.match(behind)
    if moved is None or not _FROM.search(one.line[:at]):
        return False
    newer, told = read_amount(moved[1]), read_amount(one.source)
    own, other = read_durations(moved[1]), read_durations(one.source)
    return (
        moved[1].startswith(one.source)
        or any(mine.seconds == theirs.seconds for mine in own for theirs in other)
        or any(mine.number == theirs.number and mine.unit == theirs.unit for mine in newer for theirs in told)
    )


def is_converted(value: str, source: str) -> bool:
    """Return whether two measures are one in other units, metric and not: `68 °F` for `20 degrees`, 5 km for 3.1 mi."""
    return any(
        _is_one_in(_number_of(one), own[1], _number_of(other), its[1])
        for one, other in ((value, source), (source, value))
        if (own := _MEASURE.search(one)) and (its := _MEASURE.search(other))
    )


def _number_of(text: str) -> float:
    found = _FIGURE.search(text)
    return float(found.group().replace(",", ".")) if found else 0.0


def _is_one_in(size: float, unit: str, other: float, its: str) -> bool:
    """Return whether *size* of a unit that is not metric is *other* of a metric one, as far as both are rounded."""
    unit, its = unit.casefold(), its.casefold()
    if unit in _FAHRENHEIT:
        return its in _CELSIUS and abs((size - 32) / 1.8 - other) <= _DEGREE
    factor, metric = _METRIC_SIZES.get(unit, (0.0, frozenset[str]()))
    return its in metric and abs(size * factor - other) <= max(other * _ROUNDED_BY, _DEGREE)


_MEASURE: Final = late_pattern(r"\d[ \u00a0\u202f-]?(°\s?[FC]?|[^\W\d_]{1,14})")
_FIGURE: Final = late_pattern(r"\d+(?:[.,]\d{1,2})?(?![\d.,]*\d)")
_FAHRENHEIT: Final = frozenset({"°f", "° f", "f", "fahrenheit"})
_CELSIUS: Final = frozenset(
    {
        "°",
        "°c",
        "° c",
        "c",
        "celsius",
        "degrees",
        "degree",
        "grad",
        "degrés",
        "grados",
        "gradi",
        "graus",
        "graden",
        "stopni",
        "градусов",
        "度",
    }
)
_METRIC_SIZES: Final = {
    **dict.fromkeys(
        ("mi", "mile", "miles", "mph"), (1.609, frozenset({"km", "kilometres", "kilometers", "kmh"}))
    ),
    **dict.fromkeys(("lb", "lbs", "pound", "pounds"), (0.4536, frozenset({"kg", "kilo", "kilos"}))),
    **dict.fromkeys(("oz", "ounce", "ounces"), (28.35, frozenset({"g", "gram", "grams"}))),
    **dict.fromkeys(("ft", "foot", "feet"), (0.3048, frozenset({"m", "metre", "metres", "meters"}))),
    **dict.fromkeys(("in", "inch", "inches"), (2.54, frozenset({"cm", "centimetres"}))),
    **dict.fromkeys(("gal", "gallon", "gallons"), (3.785, frozenset({"l", "litres", "liters"}))),
}
_DEGREE: Final = 0.6
_ROUNDED_BY: Final = 0.03


def is_given_later(one: Deviation, rows: Sequence[AuditMessage]) -> bool:
    """Return whether messages behind the finding's source have the numbers that only the handoff's line has.

    What was counted again is counted otherwise. Small numbers stand anywhere and say nothing.
    """
    if one.message is None:
        return False
    added = {*_LONG_NUMBER.findall(one.line)} - {*_LONG_NUMBER.findall(one.source_line)}
    later = [row.text for row in rows if row.id > one.message]
    return bool(added) and all(
        any(number in text and number in _LONG_NUMBER.findall(text) for text in later) for number in added
    )


_LONG_NUMBER: Final = late_pattern(r"(?<![\d.,:])\d(?:[.,:]?\d){2,20}(?![\d])")
_FROM: Final = late_pattern(
    r"(?:\b(?:from|von|vom|de|du|da|dal|dalle|desde|с|со|z|van)|[从由])[\s*`]*$", re.I
)
_BECAME: Final = late_pattern(
    r"[\s*`]*(?:to|auf|zu|à|au|a|al|para|до|на|do|naar|->|→|⇒|改为|调到|から)[\s*`]+([^,.;)]{1,30})", re.I
)


def _counts_other_things(one: Deviation) -> bool:
    """Return whether the words behind two numbers begin otherwise: `6 rooms` and `13 days`."""
    nouns = word_behind(one.line, one.value), word_behind(one.source_line, one.source)
    return all(nouns) and nouns[0][:_HEAD] != nouns[1][:_HEAD]


def _is_other_day(one: Deviation) -> bool:
    """Return whether a day may be right beside the source's: it has neither the day nor the month, or is reckoned."""
    days, told = read_days(one.value), read_days(one.source)
    if not days or not told:
        return bool(read_days(one.line))  # the day of the week of a date
    alike = (own[1] == other[1] or (own[2] and own[2] == other[2]) for own in days for other in told)
    return not any(alike) or _names_length(one)


def _is_cut_off(one: Deviation) -> bool:
    """Return whether the value is the source's cut off, or in another unit: `over 1.229` for `1.229,70`."""
    if is_swapped(one.value, one.source):
        return False
    own, other = ({amount.unit for amount in read_amount(text)} - {""} for text in (one.value, one.source))
    if own and other and own.isdisjoint(other) and not (own | other).isdisjoint(PHYSICAL):
        return False
    return is_told_of(one.value, one.line, one.source)


def is_rounded(value: str, source: str) -> bool:
    """Return whether *source* is *value* where it is rounded: `150` for `151`, `1.8 s` for `1.84 s`."""
    for own, other in ((a, b) for a in read_amount(value) for b in read_amount(source)):
        small, exact = abs(own.number), abs(other.number)
        if not small or not exact or own.unit != other.unit or abs(small - exact) > _NEAR * exact:
            continue
        if _figures(small) < _figures(exact) and abs(small - exact) <= _step(small) / 2 * (1 + 1e-9):
            return True
    return False


def _figures(number: float) -> int:
    """Return how many figures of a number count: of 150 two, of 151 three."""
    return len(f"{number:.9g}".replace(".", "").strip("0"))


def _step(number: float) -> float:
    """Return what the last figure that counts is worth: of 150 ten."""
    return 10.0 ** (floor(log10(number)) - _figures(number) + 1)


def is_part_of(value: str, source: str) -> bool:
    """Return whether one name is the other with parts left out: `22.250.1.x` of `22.250.1.2`, `v3.8` of `3.8.0`."""
    short, long = sorted((_WILD.sub("", one.casefold().lstrip("v")) for one in (value, source)), key=len)
    if not short or short == long:
        return bool(short)
    return long.startswith(short) and long[len(short)] in _EDGE


def _names_length(one: Deviation) -> bool:
    """Return whether a length of a day or more, or a day named by another, stands beside: a date may be reckoned."""
    around = (_around(one.line, one.value), _around(one.source_line, one.source))
    return any(
        RELATIVE.search(text) or any(length.seconds >= _DAY for length in read_durations(text))
        for text in around
    )


def _around(line: str, value: str) -> str:
    """Return what stands before and behind *value* in its line, the value left out."""
    at = line.find(value)
    if at < 0:
        return ""
    return f"{line[max(0, at - _BESIDE) : at]} | {line[at + len(value) : at + len(value) + _BESIDE]}"
