"""Quantities that a summary gives less exactly than its source: rounded, about, over, in another unit of time. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.audit.words.sides import RELATIVE
from hermes_sessions.facts.quantities.amounts import read_amount
from hermes_sessions.facts.quantities.durations import (
    Duration,
    lines_with_figures,
    may_spell,
    read_durations,
    same_length,
)
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_BLANKS: Final = str.maketrans("", "", " '’\u00a0\u202f_٬")
_ABOUT = late_pattern(
    r"(?:(?<!\w)(?:about|around|roughly|approx\w*\.?|approximately|circa|ca\.|c\.|some|nearly|almost|just (?:over|under|below|above)|close to|over|more than|less than|fewer than|under|up to|well (?:over|under)"
    r"|rund|etwa|ungefähr|knapp|fast|gut|über|mehr als|weniger als|gegen|environ|près d[e’']|presque|plus d[e’']|moins d[e’']|quelque|unos|unas|casi|cerca de|alrededor de|más de|menos de|aproximadamente"
    r"|uns|umas|quase|mais de|circa|quasi|più di|meno di|oltre|около|примерно|почти|более|свыше|менее|порядка|больше|yaklaşık|neredeyse|حوالي|نحو|تقريبا|أكثر من|أقل من|लगभग|करीब)\s+(?:the |a |an |dem |der |von |de |los |las )?|(?:[~≈<>≤≥±]|约|大约|近|将近|超过|約|およそ|ほぼ|약|거의|대략)\s?)$",
    re.I,
)
_ABOUT_BEHIND = late_pattern(r"\s?(?:以上|左右|多|余|強|弱|ほど|程度|정도|이상|가량|or so|\+|-ish)")
_CURRENCIES: Final = tuple("$€£¥₽₺₩")
_REACH: Final = 40
_NEAR: Final = 0.06
_BEYOND: Final = 0.5
"""`over seven seconds` may be ten; `about 390` is no more than a sixteenth off."""
_NUMBER = late_pattern(
    r"\d(?:(?<![\w.].)\d{0,11}(?:[.,]\d{1,12})?(?!\d|[.,]\d)|(?<=[A-Za-z_=].)\d{0,8}(?=[A-Z\s]))"
)
"""Like the next ones it begins with a digit, which is looked for fast, and what stands before it only then."""
_DECIMAL = late_pattern(r"\d(?<![\w.].)\d{0,11}[.,]\d{1,12}(?!\d|[.,]\d)")
_GROUPED = late_pattern(
    r"(\d(?<![\w.,].)\d{0,2}(?:[.,'\u00a0\u202f ]\d{3}){1,5})(?:[.,]\d{1,2})?(?![\w]|[.,]\d)"
)
_SCALED = late_pattern(
    r"(\d(?<![\w.,].)\d{0,5}(?!\d)(?:[.,]\d{1,3}(?!\d))?)(?=[ \u00a0]?[tmdbтм천백])[ \u00a0]?(тыс(?:яч\w*)?|thousand|tausend|tsd|mil(?= )|mila|mille|tys(?:i[aąę]c\w*)?|duizend|bin|тис|천"
    r"|млн|миллион\w*|mio|million\w*|millones|millón|milh(?:ões|ão)|milion\w*|mln|백만)(?![\w])",
    re.I,
)
_IN_THOUSANDS = late_pattern(r"т|t|duizend|bin|천|mil(?:a|le)?$", re.I)
_THOUSAND: Final = 1_000
_MILLION: Final = 1e6
_SCALES: Final = (1.0, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9)
_SIZES: Final = 12.0
"""Hours are not mistaken for milliseconds."""
_MOST_SPELLED: Final = 4_000
"""Longer texts are no speech: durations in words are not looked for."""


class LooseValues:
    """The quantities of a source, for those of a summary that say them less exactly."""

    def __init__(self, texts: Sequence[tuple[int, str]]) -> None:
        """Take *texts*, each with the number of its message."""
        self._texts = texts

    def lasts(self, seconds: float, step: float) -> bool:
        """Return whether something takes so long there, as far as the coarser of both goes."""
        wanted = Duration(0, 0, seconds, step)
        return self._holds(wanted, self._in_figures) or self._holds(wanted, self._in_words)

    def _holds(self, wanted: Duration, known: Sequence[Duration]) -> bool:
        return any(same_length(wanted, one) for one in known)

    def other_length(self, fact: Fact, handoff: "LooseValues") -> tuple[str, int] | None:
        """Return the duration, and its message, that most likely stood in the place of *fact*.

        It is missing from *handoff*, and its digits are the same in another order.
        """
        wanted = next(read_durations(fact.value), None)
        if wanted is None:
            return None
        digits = _digits(fact.value)
        alike = (
            (written, message)
            for one, written, message in self._told
            if _digits(written) == digits != []
            and 1 / _SIZES <= one.seconds / max(wanted.seconds, 1e-9) <= _SIZES
            and not handoff.lasts(one.seconds, one.step)
        )
        return next(alike, None)

    @cached_property
    def _in_figures(self) -> list[Duration]:
        lines = dict.fromkeys(line for _, text in self._texts for line in lines_with_figures(text))
        return _distinct(one for line in lines for one in read_durations(line, spelled=False))

    @cached_property
    def _in_words(self) -> list[Duration]:
        """Those of speech that has some in words; what is in figures alone is known by its lines."""
        return _distinct(
            one
            for _, text in self._texts
            if len(text) <= _MOST_SPELLED and may_spell(text)
            for one in read_durations(text)
        )

    @cached_property
    def _told(self) -> Sequence[tuple[Duration, str, int]]:
        """The durations of speech, in figures or words, as they are written, each with its message."""
        return [
            (one, text[one.start : one.end], message)
            for message, text in self._texts
            if len(text) <= _MOST_SPELLED
            for one in read_durations(text)
        ]

    @cached_property
    def names_days_by_others(self) -> bool:
        """Whether a day is named by another one there: tomorrow, the day before."""
        return any(RELATIVE.search(text) for _, text in self._texts)

    @cached_property
    def _numbers(self) -> list[float]:
        found = set[float]()
        for _, text in self._texts:
            found.update(float(one.replace(",", ".")) for one in _NUMBER.findall(text))
            found.update(float(re.sub(r"\D", "", one)) for one in _GROUPED.findall(text))
        return sorted(found)

    @cached_property
    def _decimals(self) -> dict[int, frozenset[str]]:
        """What the source's numbers with decimals are, rounded to none, one, two and three."""
        exact = {one for _, text in self._texts for one in _DECIMAL.findall(text)}
        known = [one.replace(",", ".") for one in exact]
        return {
            places: frozenset(
                f"{float(one):.{places}f}" for one in known if len(one.partition(".")[2]) > places
            )
            for places in range(4)
        }

    def rounds_to(self, number: str) -> bool:
        """Return whether a number with more decimals there is *number* where it is rounded."""
        text = number.replace(",", ".")
        places = len(text.partition(".")[2])
        return text.count(".") <= 1 and text in self._decimals.get(places, ())

    def scales_to(self, number: float) -> bool:
        """Return whether a number there is *number* in thousands or millions: `420 тысяч`."""
        return number in self._scaled

    @cached_property
    def _scaled(self) -> frozenset[float]:
        found = (one for _, text in self._texts for one in read_scaled(text))
        return frozenset(found)

    def is_near(self, number: float, share: float) -> bool:
        """Return whether a number there is about *number*, in thousands or millions, too."""
        return any(
            bisect_right(self._numbers, number * scale * (1 + share))
            > bisect_left(self._numbers, number * scale * (1 - share))
            for scale in _SCALES
        )


def read_scaled(text: str) -> Iterator[float]:
    """Yield the numbers of *text* that a word for thousands or millions stands behind, as they are."""
    for figure, scale in _SCALED.findall(text):
        size = _THOUSAND if _IN_THOUSANDS.match(scale) else _MILLION
        yield round(float(figure.replace(",", ".")) * size, 3)


def _digits(text: str) -> list[str]:
    """Return the digits of *text* in order of size, without noughts: `05` is `5`."""
    return sorted(one for one in text if one.isdigit() and one != "0")


def _distinct(found: Iterable[Duration]) -> list[Duration]:
    return list({(one.seconds, one.step): one for one in found}.values())


def is_loosely_said(fact: Fact, source: LooseValues) -> bool:
    """Return whether the source has the quantity in another unit of time, rounded, or nearly where it is given as *about*."""
    about = _is_about(fact)
    for one in read_durations(fact.value):
        if source.lasts(one.seconds, one.step) or (about and _lasts_about(one, source)):
            return True
    if fact.kind == "duration":
        return False
    number = re.search(r"\d[\d.,]*\d|\d", fact.value)
    if number and source.rounds_to(number.group()):
        return True
    if any(source.scales_to(one.number) for one in read_amount(fact.value) if one.number >= _THOUSAND):
        return True
    if about and any(source.is_near(one.number, _NEAR) for one in read_amount(fact.value) if one.number):
        return True
    bare = number.group() if number else ""
    steps = {one.step for one in read_durations(fact.text)} if bare.isdecimal() else set[float]()
    return any(source.lasts(float(bare) * step, step) for step in steps if float(bare) > 12)


def _lasts_about(one: Duration, source: LooseValues) -> bool:
    return source.lasts(one.seconds * (1 + _BEYOND / 2), one.seconds * _BEYOND) or source.lasts(
        one.seconds, one.seconds * _NEAR * 2
    )


def _is_about(fact: Fact) -> bool:
    at = fact.text.find(fact.value)
    if at < 0:
        return False
    behind = fact.text[at + len(fact.value) :]
    before = fact.text[max(0, at - _REACH) : at]
    if before[-1:] in _CURRENCIES:
        before = before[:-1]  # `roughly $150`
    return bool(_ABOUT.search(before) or _ABOUT_BEHIND.match(behind))


def number_forms(number: str) -> frozenset[str]:
    """Return how a number may be read, as plain digits: `1,048` is a thousand, or one with decimals."""
    if number.isdecimal():
        return frozenset({number.lstrip("0")})
    plain = number.translate(_BLANKS).strip(".,")
    marks = [sign for sign in plain if sign in ".,"]
    if not marks:
        return frozenset({plain.lstrip("0")})
    head, _, tail = plain.replace(",", ".").rpartition(".")
    whole = head.replace(".", "")
    if not (whole + tail).isdecimal():
        return frozenset({plain})
    decimal, grouped = f"{whole.lstrip('0')}.{tail.rstrip('0')}".rstrip("."), f"{whole}{tail}".lstrip("0")
    if len(tail) != 3 or not whole.strip("0") or (len(marks) > 1 and len(set(marks)) == 2):
        return frozenset({decimal})
    return frozenset({grouped} if len(marks) > 1 or not tail.strip("0") else {grouped, decimal})
