"""A length of time of a handoff whose number the source has with another unit: `12 months` for `12 weeks`."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import names_in
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.facts.quantities.amounts import NUMBER_WORDS
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.late_patterns import late_pattern

_MONTH: Final = 30 * 86400.0
_YEAR: Final = 12 * _MONTH
_UNITS: Final = (1e-3, 1.0, 60.0, 3600.0, 86400.0, 604800.0, _MONTH, _YEAR)
_CALENDAR: Final = late_pattern(
    r"(?<![\w.,/-])(?P<number>\d{1,3}(?:[.,]\d)?|[^\W\d_]{2,10})[ \u00a0\u202f-]?(?:"
    r"(?P<month>months?|mo|Monat(?:e|en|s)?|mois|mes(?:es)?|mesi|mese|месяц\w{0,3}|maand(?:en)?|månad(?:er)?|miesiąc\w{0,2}|miesięcy"
    r"|ay|个月|個月|か月|ヶ月|カ月|개월)|(?P<year>years?|Jahre?n?|ans?|années?|años?|anos?|anni|anno|лет|год\w?|jaar|jaren|år|lat|lata|yıl|年))"
    r"(?!\w)"
)
_DIGITS: Final = late_pattern(r"\d+")
_NUMBER: Final = late_pattern(r"\d+(?:[.,]\d+)?")
_NEAR: Final = 0.02
_SAME: Final = 1e-6
_MOST_LINE: Final = 400
_TELLING: Final = 10


class _Length(NamedTuple):
    """How long, in seconds and in its unit, as it is written."""

    seconds: float
    unit: float
    text: str

    @property
    def number(self) -> float:
        """How many of its unit."""
        return self.seconds / self.unit


class _SaidLength(NamedTuple):
    """A length of time of the source, with its message and its line."""

    length: _Length
    message: int
    line: str


def lengths_with_other_units(
    claims: Sequence[Statement], texts: Sequence[tuple[int, str]]
) -> Iterator[Deviation]:
    """Yield lengths that *texts* have with this number in another unit, in a line about the same, and never as they are."""
    asked = [
        (claim, one)
        for claim in claims
        if claim.mode is not Mode.OWN
        for one in _read(claim.text)
        if one.number >= _TELLING or one.number % 1  # one to nine of anything may be meant
    ]
    if not asked:
        return
    known = list(_known({one for _, one in asked}, texts))
    own = [one.seconds for claim in claims for one in _read(claim.text)]
    for claim, one in asked:
        if any(_is_near(one.seconds, said.length.seconds) for said in known):
            continue
        others = {one.number * unit for unit in _UNITS if unit != one.unit}
        named = names_in(claim.text) - names_in(one.text)
        for said in known:
            is_of_other = any(abs(said.length.seconds - other) <= _SAME * other for other in others)
            if not is_of_other or any(_is_near(said.length.seconds, each) for each in own):
                continue
            if not named.isdisjoint(names_in(said.line) - names_in(said.length.text)):
                yield Deviation(
                    Grade.NOT_VERBATIM, "duration", one.text, claim.text, "other-measure",
                    said.length.text, said.line, said.message or None,
                )  # fmt: skip
                break


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= _NEAR * max(one, other)


def _known(asked: set[_Length], texts: Sequence[tuple[int, str]]) -> Iterator[_SaidLength]:
    """Yield the lengths in lines of *texts* that have a number which one asked for may be written with."""
    wanted = {
        str(int(size / unit))
        for one in asked
        for size in (one.seconds, *(one.number * unit for unit in _UNITS))
        for unit in _UNITS
        if 1 <= size / unit < 1e6
    }
    for message, text in texts:
        if wanted.isdisjoint(_DIGITS.findall(text)):
            continue
        for line in text.splitlines():
            if not wanted.isdisjoint(_DIGITS.findall(line)):
                for one in _read(line[: 4 * _MOST_LINE]):
                    yield _SaidLength(one, message, line.strip()[:_MOST_LINE])


def _read(text: str) -> Iterator[_Length]:
    for one in read_durations(text):
        written = text[one.start : one.end]
        numbers = _NUMBER.findall(written)
        unit = one.seconds / float(numbers[0].replace(",", ".")) if len(numbers) == 1 and one.seconds else 0.0
        if not any(abs(unit - each) <= _SAME * each for each in _UNITS):
            unit = next((each for each in reversed(_UNITS) if each <= one.step * (1 + _SAME)), one.step)
        yield _Length(one.seconds, unit, written)
    for match in _CALENDAR.finditer(text):
        is_figure = match["number"][0].isdigit()
        number = (
            float(match["number"].replace(",", "."))
            if is_figure
            else NUMBER_WORDS.get(match["number"].lower())
        )
        if number and not (match["year"] == "年" and number >= 100):
            unit = _YEAR if match["year"] else _MONTH
            yield _Length(number * unit, unit, match.group())
