"""The figures of a sentence, numbers, dates, times, codes, and what it names beside them, with their places.

A thousand is grouped by blanks too, a date is one figure in whatever form, and of an edit (`s/5/30/`) the new
text counts alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import items_of_word, plain_number
from hermes_sessions.audit.figures.written_numbers import scale_behind
from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern

_MONTH: Final = "|".join(sorted({re.escape(one) for one in MONTHS if len(one) > 2}, key=len, reverse=True))
_TOKEN: Final = late_pattern(
    r"(?! )(?:(?P<former>\"old_?(?:string|str|text)\":\s?\"(?:[^\"\\]|\\.)*\"?)"
    r"|(?P<edit>\bs(?P<bar>[/|#,])[^/|#\n]{1,80}(?P=bar)(?P<new>[^/|#\n]{0,80})(?P=bar))"
    r"|(?=\d)(?:(?P<iso>(?<![\w-])20\d\d-(?P<isomonth>\d\d)-(?P<isoday>\d\d)(?![\d-]))"
    r"|(?P<cjkdate>(?<!\d)(?P<cjkmonth>\d{1,2})\s?[月월]\s?(?P<cjkday>\d{1,2})\s?[日号일]?)"
    r"|(?P<daymonth>(?<![\w.,:])0?(?P<dmday>\d{1,2})(?:\.|st|nd|rd|th|er|º|ª)?(?:\s(?:de|of))?\s"
    rf"(?P<dmmonth>{_MONTH})\b(?:,?\s20\d\d\b(?!-))?)"
    r"|(?P<clock>(?<![\w:.])\d{1,2}:\d\d(?!\d)|(?<![\w:.,])\d{1,2}(?:\.\d\d)?(?=\s?Uhr\b))"
    r"|(?P<address>(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d))"
    r"|(?P<grouped>(?<![\w.,:/@#-])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?![\w.,:/-]*\d))"
    r"|(?P<number>(?<![\w./:@-])(?!(?=\d*[a-f])[0-9a-f]{7,40}\b)\d+(?:[.,]\d+)*"
    r"(?!\w*[@/:_-]\w|[.,]\d|[a-zA-Z]*\d)(?=[^\W\d_]{0,5}(?![\w])|[\u2e80-\ud7ff]))"
    r"|(?P<joined>(?<![\w./:@-])\d{1,4}(?=-[^\W\d_]{3,}\b))"
    r"|(?P<glued>(?<=[\u2e80-\ud7ff])\d+(?:[.,]\d+)*(?!\w*[@/:_-]\w|[.,]\d)))"
    rf"|(?P<monthday>\b(?=\S+\s\d)(?P<mdmonth>{_MONTH})\.?\s0?"
    r"(?P<mdday>\d{1,2})(?:st|nd|rd|th)?(?![\w:.,]\d|\w)(?:,?\s20\d\d\b(?!-))?)"
    r"|(?P<sign>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
    r"|(?P<cut>[\n,;:.!?()/|、，；。（）：！？+–—=])"
    r"|(?P<word>[^\W_\u2e80-\ud7ff][\w.@/:+-]*[^\W_\u2e80-\ud7ff]|[^\W_\u2e80-\ud7ff]))",
    re.I,
)
_UNIT: Final = late_pattern(
    r"[\s-]?(?:(?P<share>%|percent|prozent|pour cent|por ciento|por cento|per cento|процент\w*)"
    r"|(?P<money>€|\$|£|¥|₽|₹|euros?\b|eur\b|usd\b|dollars?\b|reais\b|元|円|руб\w*)"
    r"|(?P<size>[KMGT]i?B\b|[KMGT]i?\b|[KMGT]o\b|ГБ\b|МБ\b)|(?P<ms>ms\b|мс\b|毫秒)|(?P<weight>kg\b|mg\b|g\b|кг\b)"
    r"|(?P<second>seconds?\b|secs?\b|sekunden?\b|secondes?\b|segundos?\b|secondi\b|s\b|секунд\w*|秒)"
    r"|(?P<minute>minutes?\b|minuten\b|minutos?\b|minuti\b|min\b|минут\w*|分)"
    r"|(?P<hour>hours?\b|stunden?\b|heures?\b|horas?\b|h\b|час\w*|小时|時間)"
    r"|(?P<day>days?\b|tagen?\b|jours?\b|d[ií]as?\b|giorni\b|дн(?:ей|я)\b|天)"
    r"|(?P<week>weeks?\b|wochen?\b|semaines?\b|semanas?\b|settiman[ae]\b|недел\w+|周)"
    r"|(?P<month>months?\b|monaten?\b|mois\b|mes(?:es)?\b|mesi\b|месяц\w*|个月)"
    r"|(?P<area>m²|м²|qm\b|sqm\b)|(?P<degree>°\s?[CF]?))",
    re.I,
)
_MONEY_BEFORE: Final = late_pattern(r"(?:€|\$|£|¥|₽|₹|\bEUR|\bUSD|\bCHF)\s?$")
_KEY: Final = late_pattern(
    r"(?<![\w.-])([^\W\d][\w.-]*)[\"'`*]{0,3}"
    r"(?:\s?[=:]\s?| (?:is|to|at|auf|ist|steht auf|a|à|est|es|é|è|на|=>?) )[\"'`*]{0,3}$"
)
"""The name of a setting before its value."""
_LONGEST_KEY: Final = 60
_GIVEN: Final = late_pattern(
    r"(?:[=:]\s?| (?:is|to|at|auf|ist|steht auf|a|à|est|es|é|è|на|=>?) )[\"'`*]{0,3}$"
)
"""What such a name ends with: nothing else is looked for a name."""
_LONGEST_GIVEN: Final = 16
_BEFORE: Final = 6
"""A sign of money and a blank are no longer."""
_HASH: Final = late_pattern(r"(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}")
_VERSION: Final = late_pattern(r"v?\d+(?:\.\d+)+[\w.-]*", re.I)
_CODE: Final = late_pattern(r"[\w./-]+")
_DIGIT: Final = late_pattern(r"\d")
_IDENTIFIER: Final = late_pattern(
    r"(?P<snake>[a-z]+(?:_[a-z]+)+)|(?P<camel>[a-z]{2,}(?:[A-Z][a-z]+)+)|(?P<branch>[a-z]+/[a-z]+(?:-[a-z]+)+)"
)
"""What a program names without a digit."""
_CUTS: Final[Mapping[str, int]] = {
    **dict.fromkeys(",、，", 3),
    "|": 7,
    **dict.fromkeys(";；.!?。！？\n", 11),
}
_JOINING: Final = frozenset({
    *("and", "und", "et", "y", "e", "и", "а", "en", "ve", "i", "while", "whereas", "während", "against"),
    *("versus", "vs", "gegen", "gegenüber", "contre", "contro", "contra", "frente", "против", "instead"),
    *("statt", "plutôt"),
})  # fmt: skip
_APART: Final = 2
_OPPOSING: Final = frozenset({
    *("but", "aber", "sondern", "doch", "jedoch", "mais", "pero", "sino", "mas", "porém", "ma", "però"),
    *("но", "однако", "maar", "ale", "lecz", "ama"),
})  # fmt: skip
"""What these join is another matter."""
_FAR_APART: Final = 8
_SHORT: Final = 3
_TIMES: Final = 3
_SIZES: Final = 10
"""A number is not mistaken for one that is so many times it."""


class Figure(NamedTuple):
    """A value of a sentence.

    Attributes:
        sort: what it may be mistaken for: a date, a time, an address, a hash, a code, a number of a unit.
        value: the same for all its forms.
        place: where it stands among the words.
        start: where it begins in the text.
        end: where it ends in it.
        key: the name of the setting that has it.
    """

    sort: str
    value: str
    place: int
    start: int
    end: int
    key: str = ""


class FigureReading(NamedTuple):
    """A sentence: its figures, and where each thing that it names is among its words, and first written."""

    figures: tuple[Figure, ...]
    places: Mapping[str, Sequence[int]]
    spans: Mapping[str, tuple[int, int]]


@lru_cache(maxsize=16_384)
def read_figures(text: str) -> FigureReading:
    """Return the figures of *text*, and the places of what it names."""
    return _FigureReader(text).read()


class _FigureReader:
    """Reads a sentence from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._figures: list[Figure] = []
        self._places: dict[str, list[int]] = {}
        self._spans: dict[str, tuple[int, int]] = {}

    def read(self) -> FigureReading:
        for match in _TOKEN.finditer(self._text):
            self._at += 1
            if match["edit"] is not None:
                self._take_edit(match)
            elif match["cut"] is not None:
                self._at += _CUTS.get(match.group(), 0)
            elif match["sign"] is not None:
                self._take(self._text[match.start() : match.start() + 2])
            elif match["word"] is not None and not _is_code(match["word"], self._text, match.end()):
                self._take_word(match)
            elif match["former"] is None:
                sort, value = _read(match, self._text)
                key = _key_before(match.start(), self._text)
                self._figures.append(Figure(sort, value, self._at, *match.span(), key))
                self._take(value)
        return FigureReading(tuple(self._figures), self._places, self._spans)

    def _take(self, item: str) -> None:
        self._places.setdefault(item, []).append(self._at)

    def _take_word(self, match: re.Match[str]) -> None:
        items = items_of_word(match.group())
        for item in items:
            self._take(item)
            self._spans.setdefault(item, match.span())
        word = match.group().casefold()
        if not items and word in _JOINING:
            self._at += _APART
        if word in _OPPOSING:
            self._at += _FAR_APART

    def _take_edit(self, match: re.Match[str]) -> None:
        """Take what an edit writes, all of it at one place."""
        start, written = match.start("new"), read_figures(match["new"])
        self._figures += (
            one._replace(place=self._at, start=start + one.start, end=start + one.end)
            for one in written.figures
        )
        for item in written.places:
            self._take(item)


def _key_before(at: int, text: str) -> str:
    """Return the name of the setting that a figure is the value of, `''` for none."""
    if _GIVEN.search(text, max(0, at - _LONGEST_GIVEN), at) is None:
        return ""
    found = _KEY.search(text, max(0, at - _LONGEST_KEY), at)
    return found[1] if found else ""


def has_digit(text: str) -> bool:
    """Return whether *text* has a digit: every figure but a person and an identifier has."""
    return _DIGIT.search(text) is not None


def is_without_digit(figure: Figure) -> bool:
    """Return whether a figure is of a sort that needs no digit: people, identifiers."""
    return figure.sort == "person" or figure.sort.startswith("name ")


def _is_code(word: str, text: str, end: int) -> bool:
    """Return whether a word that ends at *end* names a thing as programs do; a key of JSON does not."""
    if has_digit(word) and _CODE.fullmatch(word) is not None:
        return True
    return not text.startswith('":', end) and _IDENTIFIER.fullmatch(word) is not None


def _read(match: re.Match[str], text: str) -> tuple[str, str]:
    """Return the sort of a figure and its value."""
    for month, day in (
        ("isomonth", "isoday"),
        ("cjkmonth", "cjkday"),
        ("dmmonth", "dmday"),
        ("mdmonth", "mdday"),
    ):
        if match[month] is not None:
            return "date", f"{MONTHS.get(match[month].lower()) or int(match[month])}-{int(match[day])}"
    if match["clock"] is not None:
        hour, _, minute = match["clock"].replace(".", ":").partition(":")
        return "clock", f"{int(hour)}:{minute or '00'}"
    if match["address"] is not None:
        return "address", match["address"]
    if match["word"] is not None:
        return _read_code(match["word"])
    written = match.group()
    number = plain_number(re.sub(r"[ \u00a0\u202f]", "", written))
    if number.count(".") > 1 or not number.replace(".", "").isdecimal():
        return "version", number
    if (scale := scale_behind(text, match.end())) > 1:
        return "number ", f"#{plain_number(f'{float(number) * scale:.3f}')}"
    unit = _UNIT.match(text, match.end())
    sort = (unit and unit.lastgroup) or (
        "money" if _MONEY_BEFORE.search(text[max(0, match.start() - _BEFORE) : match.start()]) else ""
    )
    return f"number {sort}", f"#{number}"


def _read_code(name: str) -> tuple[str, str]:
    """Return the sort of what a program names, and how it is written in small letters."""
    word = name.casefold()
    if _HASH.fullmatch(word):
        return "hash", word[:7]
    if _VERSION.fullmatch(word):
        return "version", word.removeprefix("v")
    if (found := _IDENTIFIER.fullmatch(name)) is not None:
        return f"name {found.lastgroup}", word
    return ("path" if "/" in word else "code" if word[0].isalpha() else "mixed"), word


def is_same(one: Figure, other: Figure) -> bool:
    """Return whether two figures may say the same: a day without its month, a code cut short."""
    if one.value == other.value:
        return True
    if {one.sort, other.sort} == {"date", "number "}:
        date, number = (one, other) if one.sort == "date" else (other, one)
        return date.value.partition("-")[2] == number.value[1:]
    return (
        one.sort in _NAMED and other.sort in _NAMED and (one.value in other.value or other.value in one.value)
    )


_NAMED: Final = frozenset({"hash", "code", "version", "path"})


def keys_of(figure: Figure) -> Iterator[str]:
    """Yield what two figures that may say the same have in common: one of these at least."""
    yield figure.value
    if figure.sort == "date":
        yield f"#{figure.value.partition('-')[2]}"
    if figure.sort in _NAMED:
        yield "named"


def became(text: str, one: Figure, other: Figure) -> bool:
    """Return whether *text* says that one figure became the other: `from 4 to 6`, `4 -> 6`."""
    return _BECAME.fullmatch(text[one.end : other.start]) is not None


_BECAME: Final = late_pattern(
    r"[\s%€$\w]{0,8}\s?(?:\b(?:to|auf|à|a|para|до|na|naar|instead of|statt)\b|->|→|=>|改为|到|に)"
    r"\W{0,4}(?:R\$|[€$])?\s?",
    re.I,
)


def may_be(one: Figure, other: Figure) -> bool:
    """Return whether one figure may be mistaken for the other: of one sort, without a unit of one size."""
    if one.sort != other.sort:
        return False
    if one.sort not in ("number ", "number size"):
        return True
    first, second = (float(figure.value[1:]) for figure in (one, other))
    return first.is_integer() == second.is_integer() and first < second * _SIZES and second < first * _SIZES


def has_other_unit(one: Figure, other: Figure) -> bool:
    """Return whether two numbers are of two units: 8 TB, 8 weeks."""
    return one.sort != other.sort and "number " not in (one.sort, other.sort)


def is_small(figure: Figure) -> bool:
    """Return whether a number may be written anywhere of anything."""
    return figure.value.startswith("#") and len(figure.value) <= _SHORT


def is_near(one: Figure, other: Figure) -> bool:
    """Return whether neither of two numbers is many times the other."""
    if not (one.value.startswith("#") and other.value.startswith("#")):
        return True
    first, second = float(one.value[1:]), float(other.value[1:])
    return first <= second * _TIMES and second <= first * _TIMES
