"""Accusations about figures that follow from others: a rest, a share, the days between two dates. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from hermes_sessions.audit.checking.contexts import is_swapped
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.figures.relative_words import is_compared, is_difference, is_relative, place_of
from hermes_sessions.audit.figures.told_figures import FigureTelling, ToldFigures
from hermes_sessions.audit.figures.written_numbers import read_numbers
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.quantities.amounts import SECONDS, read_days
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.late_patterns import late_pattern

_FIGURES: Final = frozenset({"number", "money", "duration", "percentage"})
_BOUND: Final = frozenset(
    {
        "misspelt",
        "swapped",
        "same-line",
        "same-noun",
        "same-sentence",
        "only-value",
        "same-slot",
        "said-nowhere",
        "not-said",
    }
)
_ANY: Final = _BOUND | {"of-another"}
_SPELT: Final = frozenset({"misspelt", "swapped"})
_MOST: Final = 40
_THREE: Final = 3
_MOST_DAYS: Final = 40
_YEAR: Final = 2024
_PERCENT: Final = late_pattern(
    r"(\d{1,3}(?:[.,]\d{1,2})?)[ \u00a0\u202f]?[%％٪]|[%％]\s?(\d{1,3}(?:[.,]\d{1,2})?)(?!\d)"
)
_SENTENCE: Final = late_pattern(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n")
_DIGITS: Final = late_pattern(r"\d(?:[\d.,'\u00a0\u202f ]{0,12}\d)?")


def eased(one: Deviation, figures: ToldFigures, source: SourceIndex, handoff: SourceIndex) -> Deviation:
    """Return an accusation as a note where its figure may be worked out, or is in its source with as much beside it."""
    if (
        one.grade is Grade.NOT_VERBATIM
        or one.kind not in _FIGURES
        or one.rule not in _ANY
        or one.value == one.line
    ):
        return one
    at = place_of(one.value, one.line)
    asked = one if at >= 0 else one._replace(line=_sentence_of(figures.handoff, one.value))
    if _is_as_near(asked, figures) or _is_worked_out(asked, figures, source, handoff):
        return one._replace(grade=Grade.NOT_VERBATIM, grave=False)
    return one


def _is_as_near(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a value taken for a slip stands in the source, in a sentence that tells as much of its own."""
    number = _DIGITS.search(one.value)
    if one.rule not in _SPELT or number is None or sum(map(str.isdigit, number.group())) < _THREE:
        return False
    shape = re.compile(rf"(?<![\w.,]){re.escape(number.group())}(?![\w]|[.,]\d)")
    about = read_terms(_sentence_of(one.line, one.value).replace(one.value, " ")).all
    least = max(1, len(about & read_terms(_sentence_of(one.source_line, one.source)).all))
    return any(
        len(about & read_terms(sentence).all) >= least
        for text in figures.texts
        for found in shape.finditer(text)
        for sentence in (_sentence_at(text, found.start()),)
    )


def _is_worked_out(one: Deviation, figures: ToldFigures, source: SourceIndex, handoff: SourceIndex) -> bool:
    told = is_relative(one.value, one.line)
    if (
        one.rule in _BOUND
        and is_swapped(one.value, one.source)
        and not (_has_two_digits(one.value) and is_compared(one.value, one.line))
    ):
        return False
    if one.kind == "duration" and _is_between_days(one, source, handoff):
        return True
    least = FigureTelling.RECKONED if one.kind == "percentage" else FigureTelling.LIKELY
    if told and least <= figures.telling(one.value, one.line) < FigureTelling.SAID:
        return True
    if one.kind == "percentage":
        return False
    if one.rule not in _BOUND and not (one.rule == "of-another" and is_difference(one.value, one.line)):
        return False
    at = max(place_of(one.value, one.line), 0)
    own = list(_numbers(f"{one.line[:at]} | {one.line[at + len(one.value) :]}"))
    shares = [*_shares(one.line), *(share for text in figures.texts for share in _shares(text))]
    return one.kind != "duration" and any(
        _is_mixed(wanted, room, own, pool, shares)
        for wanted, room in _targets(one)
        for pool in _pools(figures)
    )


def _has_two_digits(value: str) -> bool:
    """Return whether the digits of a value may be those of another one by chance."""
    return sum(map(str.isdigit, value)) < _THREE


def _is_between_days(one: Deviation, source: SourceIndex, handoff: SourceIndex) -> bool:
    """Return whether two days are as far apart as a length that is told as a difference says."""
    if not is_relative(one.value, one.line):
        return False
    days = sorted(
        {
            date(day[0] or _YEAR, day[1], day[2])
            for index in (source, handoff)
            for told in index.by_kind.get("date", ())[:_MOST_DAYS]
            for day in read_days(told.fact.value)
            if day[2] and _is_day(day)
        }
    )[:_MOST_DAYS]
    lengths = {round(length.seconds / SECONDS["day"]) for length in read_durations(one.value)}
    return any((later - former).days in lengths for former, later in combinations(days, 2))


def _is_day(day: tuple[int, int, int]) -> bool:
    try:
        date(day[0] or _YEAR, day[1], day[2])
    except (ValueError, OverflowError):
        return False
    return True


def _targets(one: Deviation) -> Iterator[tuple[float, float]]:
    """Yield the sizes that a figure may have, each with how far off it may be: a length in its unit and in seconds."""
    for found in read_numbers(one.value):
        yield abs(found.size), found.step / 2
    for length in read_durations(one.value):
        yield length.seconds, length.step / 2
        yield length.seconds / SECONDS["min"], length.step / SECONDS["min"] / 2


def _pools(figures: ToldFigures) -> Iterator[Sequence[float]]:
    """Yield the numbers that may be put together: of the whole source where it has few, else of each message."""
    pools = [_of_text(text) for text in figures.texts]
    whole = list(dict.fromkeys(chain.from_iterable(pools)))
    if len(whole) <= _MOST:
        yield whole
    else:
        yield from (pool for pool in pools if len(pool) <= _MOST)


@lru_cache(maxsize=1_024)
def _of_text(text: str) -> Sequence[float]:
    lengths = (one.seconds for one in read_durations(text) if one.seconds)
    return tuple(dict.fromkeys((*_numbers(text), *lengths)))


def _numbers(text: str) -> Iterable[float]:
    return (abs(one.size) for one in read_numbers(text) if one.is_free and one.size)


def _shares(text: str) -> Iterator[float]:
    """Yield the shares of *text*, and what is left without them: 0.08 and 0.92 for `8 %`."""
    for found in _PERCENT.findall(text):
        share = float((found[0] or found[1]).replace(",", ".")) / 100
        yield from (share, 1 - share, 1 + share)


def _is_mixed(
    wanted: float, room: float, own: Sequence[float], pool: Sequence[float], shares: Sequence[float]
) -> bool:
    """Return whether a number of the line and one of the source make a figure, or a number and a share."""
    reach = max(room if room < _HALF else 0.0, wanted * 1e-9)
    many = len(f"{wanted:.9g}".replace(".", "").strip("0"))
    if many < _TWO or wanted < _LEAST:
        return False
    products = (one * other for one in own if one < _COUNT and one == int(one) for other in pool)
    if many < _THREE:
        return any(abs(found - wanted) <= reach for found in products)
    if any(abs(one * share - wanted) <= max(room, reach) for one in (*own, *pool) for share in shares):
        return True
    sums = chain.from_iterable((one + other, abs(one - other)) for one in own for other in pool)
    return any(abs(found - wanted) <= reach for found in chain(products, sums))


def _sentence_of(line: str, value: str) -> str:
    return _sentence_at(line, max(place_of(value, line), 0))


def _sentence_at(text: str, at: int) -> str:
    start = max((cut.end() for cut in _SENTENCE.finditer(text, 0, at)), default=0)
    end = _SENTENCE.search(text, at)
    return text[start : end.start() if end else None]


_HALF: Final = 0.5
_TWO: Final = 2
_LEAST: Final = 100.0
"""What is smaller, or has fewer digits that count, is made of two others by chance."""
_COUNT: Final = 400.0
