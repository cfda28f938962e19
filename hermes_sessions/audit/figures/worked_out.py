"""Accusations about figures that follow from others: worked out in two steps, or told of something else. Pure.

A sum of a price and what so many cost, a rest, a share, the days between two dates: nobody said it, and nothing is
wrong. What is told as a difference is not held against what is told as a whole.
"""

import re
from bisect import bisect_left
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
    }
)
_ANY: Final = _BOUND | {"of-another", "set-since", "replaced"}
_SPELT: Final = frozenset({"misspelt", "swapped"})
_TIMES: Final = (2.0, 3.0, 4.0, 12.0, 60.0, 100.0)
"""Halves, quarters, months and hundredths are not written as numbers."""
_MOST: Final = 40
_THREE: Final = 3
_MOST_DAYS: Final = 40
_YEAR: Final = 2024
_PERCENT: Final = re.compile(
    r"(\d{1,3}(?:[.,]\d{1,2})?)[ \u00a0\u202f]?[%％٪]|[%％]\s?(\d{1,3}(?:[.,]\d{1,2})?)(?!\d)"
)
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n")
_DIGITS: Final = re.compile(r"\d(?:[\d.,'\u00a0\u202f ]{0,12}\d)?")


def eased(one: Deviation, figures: ToldFigures, source: SourceIndex, handoff: SourceIndex) -> Deviation:
    """Return an accusation as a note where its figure may be worked out, or is of another sort than its source's."""
    if (
        one.grade is Grade.NOT_VERBATIM
        or one.kind not in _FIGURES
        or one.rule not in _ANY
        or one.value == one.line
    ):
        return one
    at = place_of(one.value, one.line)
    asked = one if at >= 0 else one._replace(line=_sentence_of(figures.handoff, one.value))
    if (
        _is_other_size(asked)
        or _is_other_sort(asked)
        or _is_as_near(asked, figures)
        or _is_worked_out(asked, figures, source, handoff)
    ):
        return one._replace(grade=Grade.NOT_VERBATIM, grave=False)
    return one


def _is_other_sort(one: Deviation) -> bool:
    """Return whether the source's figure is a difference, a sum or a share, and the handoff's is none."""
    if one.source in ("", one.source_line) or (one.rule in _BOUND and is_swapped(one.value, one.source)):
        return False
    return is_difference(one.source, one.source_line) and not is_relative(one.value, one.line)


def _is_other_size(one: Deviation) -> bool:
    """Return whether an amount is many times its source's, and no slip of a zero: a price, and what all of it brings."""
    if (
        one.rule not in ("said-nowhere", "only-value")
        or one.kind not in ("number", "money")
        or not one.source
    ):
        return False
    sizes = [[abs(found.size) for found in read_numbers(text)] for text in (one.value, one.source)]
    if not all(sizes) or _significant(sizes[0][0]) == _significant(sizes[1][0]):
        return False
    small, large = sorted((max(sizes[0]), max(sizes[1])))
    return large > _MANY_TIMES * small


def _significant(size: float) -> str:
    return f"{size:.9g}".replace(".", "").strip("0")


def _follows_from_source(one: Deviation) -> bool:
    """Return whether a figure is the sum of its source's and another one of that line, or what is between them."""
    told = list(_numbers(one.source_line))
    return any(
        abs(made - wanted) <= wanted * 1e-9
        for wanted, _ in _targets(one)
        if wanted >= _LEAST
        for own in _numbers(one.source)
        for other in told
        if other != own
        for made in (own + other, abs(own - other))
    )


def _is_sum_of_a_sentence(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether three numbers of a sentence of the source add up to a figure."""
    wanted = [size for size, _ in _targets(one) if size >= _LEAST]
    for text in figures.texts if wanted and one.kind != "duration" else ():
        for sentence in _SENTENCE.split(text[:_MOST_CHARS]):
            numbers = _of_text(sentence)
            if _THREE <= len(numbers) <= _MOST_SUMMED and any(
                abs(sum(part) - size) <= size * 1e-9
                for size in wanted
                for part in combinations(numbers, _THREE)
            ):
                return True
    return False


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
    if one.rule == "said-nowhere" and (_follows_from_source(one) or _is_sum_of_a_sentence(one, figures)):
        return True
    if one.rule not in _BOUND and not (one.rule == "of-another" and is_difference(one.value, one.line)):
        return False
    at = max(place_of(one.value, one.line), 0)
    own = list(_numbers(f"{one.line[:at]} | {one.line[at + len(one.value) :]}"))
    shares = [*_shares(one.line), *(share for text in figures.texts for share in _shares(text))]
    for wanted, room in _targets(one):
        if one.kind != "duration" and any(
            _is_mixed(wanted, room, own, pool, shares) for pool in _pools(figures)
        ):
            return True
        if told and any(
            _is_of_two_steps(wanted, room, [*pool, *own, *_few(figures.handoff)], shares)
            for pool in _pools(figures)
        ):
            return True
    return False


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
    except ValueError:
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
    lengths = (one.seconds for one in read_durations(text))
    return tuple(dict.fromkeys((*_numbers(text), *lengths)))


def _few(text: str) -> Sequence[float]:
    found = _of_text(text)
    return found if len(found) <= _MOST else ()


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


def _is_of_two_steps(wanted: float, room: float, numbers: Sequence[float], shares: Sequence[float]) -> bool:
    """Return whether a figure is made of three numbers, or is the sum of several."""
    ones = list(dict.fromkeys((*numbers, *_TIMES)))[: 3 * _MOST]
    first = sorted({*ones, *_made(ones), *(one * share for one in ones for share in shares)})
    for one in ones:
        near = [wanted - one, wanted + one, one - wanted, wanted / one, wanted * one]
        steps = [room, room, room, room / one, room * one]
        for size, reach in zip(near, steps, strict=True):
            at = bisect_left(first, size - reach - 1e-9 * abs(size))
            if size > 0 and at < len(first) and first[at] <= size + reach + 1e-9 * size:
                return True
    return False


def _made(ones: Sequence[float]) -> Iterator[float]:
    for one, other in combinations(ones, 2):
        yield from (one + other, abs(one - other), one * other, one / other, other / one)


def _sentence_of(line: str, value: str) -> str:
    return _sentence_at(line, max(place_of(value, line), 0))


def _sentence_at(text: str, at: int) -> str:
    start = max((cut.end() for cut in _SENTENCE.finditer(text, 0, at)), default=0)
    end = _SENTENCE.search(text, at)
    return text[start : end.start() if end else None]


_HALF: Final = 0.5
_MANY_TIMES: Final = 12.0
_MOST_SUMMED: Final = 6
_MOST_CHARS: Final = 4_000
_TWO: Final = 2
_LEAST: Final = 100.0
"""What is smaller, or has fewer digits that count, is made of two others by chance."""
_COUNT: Final = 400.0
