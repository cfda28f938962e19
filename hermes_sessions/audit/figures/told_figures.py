"""Whether a figure of a handoff can be told of its source: the one place that decides it. Pure.

A figure is said as it stands, reworded (rounded, cut off, in another unit, the length between two times), or
worked out: a sum, a difference, a share, a factor. What the handoff's own line works out is reckoned; what can be
worked out of numbers that were said together is likely, and of any two numbers of the source possible.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import chain, combinations, islice
from typing import Final

from hermes_sessions.audit.figures.line_numbers import read_line
from hermes_sessions.audit.figures.sizes import Sizes
from hermes_sessions.audit.figures.totals import columns_of, is_total
from hermes_sessions.audit.figures.written_numbers import WrittenNumber, read_numbers
from hermes_sessions.facts.quantities.amounts import SECONDS
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.late_patterns import late_pattern


class FigureTelling(IntEnum):
    """How surely a figure can be told of a source."""

    NOWHERE = 0
    POSSIBLE = 1
    LIKELY = 2
    RECKONED = 3
    REWORDED = 4
    SAID = 5


EACH: Final = late_pattern(
    r"\b(?:per|each|apiece|average|mean|je|pro|durchschnitt\w*|par|chacun\w*|moyenne|por|cada|media|média"
    r"|a testa|ciascun\w*|gemiddeld|elk|za|każd\w+|średnio|на|за|кажд\w+|средн\w+)\b|每|平均|あたり",
    re.I,
)
"""Says that a figure is of one of several things, or of all on average."""
_NEAR: Final = 30
_HEDGED: Final = 0.06
_MOST: Final = 3_000
"""Of so many numbers any other one can be worked out."""
_MOST_ADDED: Final = 400
_MOST_TRIED: Final = 1_500_000
"""So many numbers are tried for all figures of a handoff; of those that are left any may be worked out."""
_EXACT_DIGITS: Final = 4
_GROUP: Final = 24
_SPARSE: Final = 16
"""Of so few numbers not many others can be worked out."""
_LEAST_ROUND: Final = 100.0
_CLOCK: Final = late_pattern(r"(?<![\d:.,])([01]?\d|2[0-3])[:.h時点]([0-5]\d)(?::([0-5]\d))?(?!\d|[.,]\d)")


class _AskedFigure:
    """A figure of a line: its size, how exactly it is told, the other numbers of the line."""

    def __init__(self, number: WrittenNumber, line: str, others: Sequence[float]) -> None:
        """Read what stands around *number* in *line*."""
        self.size, self.step = abs(number.size), number.step
        self.others = others
        self.is_about = _ABOUT.search(line, max(0, number.start - _REACH), number.start) is not None
        self.is_about |= _ABOUT_BEHIND.match(line, number.end) is not None
        unit = _UNIT.match(line, number.end)
        self.seconds = next((SECONDS[word] for word in _unit_words(unit) if word in SECONDS), 0.0)
        self.is_factor = unit is None or any(
            (
                _TIMES_OVER.match(line, number.end),
                EACH.search(line, max(0, number.start - _NEAR), number.end + _NEAR),
            )
        )
        self.is_share = bool(_SHARE.match(line, number.end))
        self.round = _round_step(self.size, self.step)

    @property
    def room(self) -> float:
        """How far off an exact number may be of which the figure is told."""
        if self.is_about:
            return max(self.size * _HEDGED, self.round)
        return self.round / 2 if self.round > self.step else 0.0


def _round_step(size: float, step: float) -> float:
    """2,900 may be rounded to hundreds; 20 only with a word that says so."""
    if step < 1 or size < _LEAST_ROUND:
        return step
    found = step
    while size % (found * 10) == 0 and found * 10 < size:
        found *= 10
    return found


def _unit_words(unit: re.Match[str] | None) -> Iterator[str]:
    """Yield the word behind a figure, and how it may begin where no blank cuts words."""
    if unit is not None:
        for length in range(len(unit[1]), len(unit[1]) - 1 if unit[1].isascii() else 0, -1):
            yield unit[1][:length].casefold()


_REACH: Final = 40
_UNIT: Final = late_pattern(r"[ \u00a0\u202f-]?([^\W\d_]{1,13})")
_COUNT: Final = 10
_TIMES_OVER: Final = late_pattern(
    r"[ \u00a0-]?(?:times|fold|x\b|×|mal\b|fach|fois|veces|vezes|volte|keer|maal|razy|раза?\b|倍|배)", re.I
)
_SHARE: Final = late_pattern(
    r"[ \u00a0\u202f]?(?:[%％٪]|percent|per cent|prozent|pour cent|por cien|procent|процент|パーセント)", re.I
)
_ABOUT: Final = late_pattern(
    r"(?:(?<!\w)(?:about|around|roughly|approx\w*|circa|ca\.?|c\.|some|nearly|almost|just|close|over|more|less|fewer|under|below|above|up to|well|good|some"
    r"|rund|etwa|ungefähr|knapp|fast|gut|über|mehr|weniger|gegen|kaum|environ|près|presque|plus|moins|quelque\w*|unos|unas|casi|cerca|alrededor|más|menos|aproximadamente|algo"
    r"|uns|umas|quase|mais|circa|quasi|più|meno|oltre|appena|ruim|bijna|ongeveer|zo'n|krap|iets|meer|minder|około|prawie|niemal|ponad|blisko|niespełna|jakieś"
    r"|около|примерно|почти|более|свыше|менее|порядка|больше|чуть|yaklaşık|neredeyse|حوالي|نحو|تقريبا|أكثر|أقل|लगभग|करीब)(?!\w)[^\d.;]{0,14}|(?:[~≈<>≤≥±]|约|大约|近|将近|超过|約|およそ|ほぼ|약|거의|대략)\s?)$",
    re.I,
)
_ABOUT_BEHIND: Final = late_pattern(
    r"[ \u00a0]?(?:[^\W\d_]{1,4})?(?:以上|左右|多|余|強|弱|ほど|程度|近く|あまり|정도|이상|가량|or so|\+|-ish)"
)


class ToldFigures:
    """The numbers and times of a source, asked whether a figure can be told of them."""

    def __init__(self, texts: Sequence[tuple[int, str]], handoff: str = "") -> None:
        """Take the *texts* of a source, each with its message, and the *handoff* whose times may be subtracted."""
        self._texts = texts
        self._handoff = handoff
        self._telling: dict[tuple[str, str], FigureTelling] = {}
        self._left = _MOST_TRIED

    @property
    def texts(self) -> Iterator[str]:
        """The texts of the source."""
        return (text for _, text in self._texts)

    @property
    def handoff(self) -> str:
        """The text whose figures are asked for."""
        return self._handoff

    def telling(self, value: str, line: str) -> FigureTelling:
        """Return how surely a figure, as it is written in *line*, can be told of the source."""
        known = self._telling.get((value, line))
        if known is None:
            numbers = read_line(line)
            asked = numbers.of(value)
            others = numbers.beside(asked, _GROUP)
            figures = (self._of(_AskedFigure(one, line, others)) for one in asked)
            known = self._telling[value, line] = max(figures, default=FigureTelling.SAID)
        return known

    def holds(self, words: str) -> bool:
        """Return whether just these words stand in the source."""
        return any(words in text for _, text in self._texts)

    def adds_up(self, value: str, line: str) -> bool:
        """Return whether a figure of *line* follows from many numbers, or from two whatever they count.

        That is the sum or the difference of two, the sum or the mean of some that follow each other in a
        text, a quotient that is told exactly, and the sum of two rows of numbers multiplied: so many of each, at such prices.
        """
        known = self._all
        if len(known.sizes) > _MOST_ADDED:
            return True
        asked = {(abs(one.size), one.step / 2) for one in read_line(line).of(value)}
        is_long = sum(map(str.isdigit, value)) >= _EXACT_DIGITS  # a quotient of few digits may be any
        return any(
            any(
                known.has(size + one, 0.0)
                or (one < size and known.has(size - one, 0.0))
                or (is_long and one > 1 and known.has(size * one, room * one))
                for one in known.sizes
                if one
            )
            or is_total(size, room, self._rows, self._columns)
            for size, room in asked
        )

    @cached_property
    def _rows(self) -> Sequence[Sequence[float]]:
        """The numbers of each text in their order."""
        rows = ([abs(one.size) for one in numbers if one.is_free and one.size] for numbers in self._read)
        return [row for row in rows if len(row) > 1]

    @cached_property
    def _columns(self) -> Sequence[Sequence[float]]:
        """The numbers below each other in the tables of the source, and of the text that is asked about."""
        own = tuple(read_numbers(self._handoff))
        texts = [
            *((text, numbers) for (_, text), numbers in zip(self._texts, self._read, strict=True)),
            (self._handoff, own),
        ]
        return [column for text, numbers in texts for column in columns_of(_sizes_by_line(text, numbers))]

    def lasts(self, value: str, line: str) -> bool:
        """Return whether something in the source takes as long as a figure of *line* says."""
        asked = (_AskedFigure(one, line, ()) for one in read_line(line).of(value))
        return any(one.seconds and self._lasts(one) for one in asked)

    def _of(self, asked: _AskedFigure) -> FigureTelling:
        if self._all.has(asked.size, 0.0):
            return FigureTelling.SAID
        if self._all.has_finer(asked.size, asked.step) or self._is_reworded(asked):
            return FigureTelling.REWORDED
        line = Sizes(WrittenNumber(0, 0, one, 0.0) for one in asked.others)
        if _is_reckoned(asked, line) or _is_run(asked, asked.others):
            return FigureTelling.RECKONED
        if self._left <= 0:
            return FigureTelling.POSSIBLE
        self._left -= self._size
        if any(_is_reckoned(asked, one) for one in self._groups):
            return FigureTelling.LIKELY
        if not self._is_possible(asked):
            return FigureTelling.NOWHERE
        return FigureTelling.LIKELY if self.is_sparse else FigureTelling.POSSIBLE

    @cached_property
    def _size(self) -> int:
        """How many numbers are tried for a figure that can be worked out of none."""
        everything = len(self._all.sizes)
        return sum(len(one.sizes) for one in self._groups) + (everything if everything <= _MOST else 0)

    @cached_property
    def is_sparse(self) -> bool:
        """Whether the source has so few numbers that hardly any figure is worked out of two by chance."""
        return len(self._all.sizes) <= _SPARSE

    def _is_reworded(self, asked: _AskedFigure) -> bool:
        """Whether a number of the source is the figure when it is rounded, or in another unit."""
        if asked.room and self._all.has(asked.size, asked.room):
            return True
        if asked.seconds:
            return self._lasts(asked)
        scales = (1e2, 1e-2) if asked.is_share else _METRIC
        return any(
            self._all.has(asked.size * scale, max(asked.room * scale, asked.step * scale * _ALMOST))
            for scale in scales
        )

    def _lasts(self, asked: _AskedFigure) -> bool:
        length, step = asked.size * asked.seconds, max(asked.step, asked.room) * asked.seconds
        return _lasts(asked, self._all) or any(abs(one - length) <= step for one in self._between)

    def _is_possible(self, asked: _AskedFigure) -> bool:
        everything = self._all
        if len(everything.sizes) > _MOST:
            return True
        room = asked.room if asked.is_about else 0.0
        return _is_reckoned(asked, everything, room) or any(
            everything.has(asked.size * times, room * times)
            or everything.has(asked.size / times, room / times)
            for times in (2.0, 3.0, 4.0, 7.0, 12.0)
        )

    @cached_property
    def _all(self) -> Sizes:
        lengths = (one for _, text in self._texts for one in _lengths(text))
        return Sizes((*chain.from_iterable(self._read), *lengths))

    @cached_property
    def _read(self) -> Sequence[Sequence[WrittenNumber]]:
        """The numbers of each text, in every reading."""
        return [tuple(read_numbers(text)) for _, text in self._texts]

    @cached_property
    def _groups(self) -> Sequence[Sizes]:
        """The numbers of each message that has few, and else of each line and the next."""
        found: list[Sizes] = []
        for (_, text), numbers in zip(self._texts, self._read, strict=True):
            free = [one for one in numbers if one.is_free]
            whole = Sizes(free)
            found += [whole] if len(whole.sizes) <= _GROUP else map(Sizes, _pairs_of_lines(text, free))
        return [one for one in found if 1 < len(one.sizes) <= _GROUP]

    @cached_property
    def _between(self) -> Sequence[float]:
        """The seconds between any two times of day that stand in one message, or in the handoff."""
        found = set[float]()
        for text in (self._handoff, *(text for _, text in self._texts)):
            clocks = sorted(
                {
                    int(one[1]) * 3_600 + int(one[2]) * 60 + int(one[3] or 0)
                    for one in islice(_CLOCK.finditer(text), _GROUP)
                }
            )
            for one, other in combinations(clocks, 2):
                found |= {float(other - one), float(_DAY - other + one)}
        return sorted(found)


def _pairs_of_lines(text: str, numbers: Iterable[WrittenNumber]) -> Iterator[Sequence[WrittenNumber]]:
    """Yield the numbers of each line of *text* and the next one, where there are any."""
    ends = [at for at, sign in enumerate(text) if sign == "\n"]
    lines: dict[int, list[WrittenNumber]] = {}
    for one in numbers:
        lines.setdefault(bisect_left(ends, one.start), []).append(one)
    for line in sorted({*lines, *(max(0, line - 1) for line in lines)}):
        yield (*lines.get(line, ()), *lines.get(line + 1, ()))


def _sizes_by_line(text: str, numbers: Iterable[WrittenNumber]) -> Sequence[Sequence[float]]:
    """Return the sizes of the free numbers of each line of *text*."""
    ends = [at for at, sign in enumerate(text) if sign == "\n"]
    found: list[list[float]] = [[] for _ in range(len(ends) + 1)]
    for one in sorted(numbers, key=lambda each: (each.start, each.end)):
        if one.is_free:
            found[bisect_left(ends, one.start)].append(abs(one.size))
    return found


def _lengths(text: str) -> Iterator[WrittenNumber]:
    """Yield the durations of several parts, `4h22m`, in minutes and in seconds."""
    for one in read_durations(text, spelled=False):
        if one.seconds > one.step:
            yield WrittenNumber(one.start, one.end, one.seconds, one.step, "s")
            if one.step <= _MINUTE <= one.seconds:
                yield WrittenNumber(one.start, one.end, one.seconds / _MINUTE, one.step / _MINUTE, "min")


def is_told_of(value: str, line: str, source: str) -> bool:
    """Return whether a figure of *line* is just the figure *source*, rounded, cut off or in another unit."""
    known = Sizes((*read_numbers(source), *_lengths(source)))
    for one in read_line(line).of(value):
        asked = _AskedFigure(one, line, ())
        if known.has(asked.size, 0.0):
            continue
        if known.has_finer(asked.size, asked.step) or (asked.room and known.has(asked.size, asked.room)):
            return True
        if asked.seconds and _lasts(asked, known):
            return True
    return False


def _lasts(asked: _AskedFigure, known: Sizes) -> bool:
    length, step = asked.size * asked.seconds, max(asked.step, asked.room) * asked.seconds
    return any(known.has(length / unit, step / unit * _ALMOST) for unit in _TIMES if unit != asked.seconds)


_MINUTE: Final = 60.0
_METRIC: Final = (1e-3, 1e3, 1e-6, 1e6, 1e-2, 1e2, 1e-9, 1e9, 1.0 / 1_024, 1_024.0)
_TIMES: Final = (1e-3, 1.0, 60.0, 3_600.0, 86_400.0, 604_800.0)
_DAY: Final = 86_400
_ALMOST: Final = 0.999
"""What is rounded or cut off is less than one step away."""


def _is_reckoned(asked: _AskedFigure, ones: Sizes, off: float | None = None) -> bool:
    """Return whether a figure is a sum, difference, product, share or factor of two numbers, or the sum of all.

    Args:
        off: how far off the result may be; by default what rounding allows.
    """
    off = asked.room if off is None else off
    size, room = asked.size, max(off, asked.step * _ALMOST if asked.step < 1 else 0.0)
    if not size:
        return True
    part = max(off, asked.step * _ALMOST)
    for one in ones.sizes:
        if not one:
            continue
        if ones.has_of_unit(size + one, room, one) or (
            one < size and ones.has_of_unit(size - one, room, one)
        ):
            return True
        if asked.is_factor and one > 1 and ones.has(size * one, part * one / 2):
            return True
        if (
            size > one > 1
            and max(one, size / one) >= _COUNT
            and ones.has(size / one, max(room, asked.step / 2) / one)
        ):
            return True
        if asked.is_share and ones.has(100 - size, room):
            return True  # the rest
        if asked.is_share and any(
            ones.has_of_unit(share * one / 100, part * one / 100, one)
            for share in (size, abs(100 - size), 100 + size)
        ):
            return True
    return len(ones.sizes) > 2 and abs(sum(ones.sizes) - size) <= room


def _is_run(asked: _AskedFigure, numbers: Sequence[float]) -> bool:
    """Return whether numbers that follow each other add up to a figure, multiply to it, or leave it of the first."""
    room = max(asked.room, 1e-6)
    for start in range(len(numbers)):
        total = rest = product = numbers[start]
        for one in numbers[start + 1 : start + _RUN]:
            total, rest, product = total + one, rest - one, product * one
            if min(abs(found - asked.size) for found in (total, rest, product)) <= room:
                return True
    return False


_RUN: Final = 8
