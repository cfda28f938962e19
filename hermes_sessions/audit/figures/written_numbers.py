"""The numbers of a text as sizes: digits in every grouping, words for numbers, halves, thousands and millions. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.facts.quantities.amounts import read_amount
from hermes_sessions.facts.quantities.durations import MORE_WORDS
from hermes_sessions.late_patterns import late_pattern

_DIGITS: Final = late_pattern(
    r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,'’٫٬]\d+)*", re.A
)
_GROUPED: Final = late_pattern(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d{3})*,\d+", re.A)
_CELL: Final = late_pattern(r"\d+(?:\.\d+)?", re.A)
_SCALES: Final = {
    **dict.fromkeys("k thousand tausend tsd mille mil mila duizend bin tys тыс тысяч тысячи тысяча 千 천 हज़ार ألف آلاف".split(), 1e3),
    **dict.fromkeys("tysiąc tysiące tysięcy тысячам тысячами тысячу".split(), 1e3),
    **dict.fromkeys("万 萬 만".split(), 1e4),
    **dict.fromkeys("lakh lakhs लाख".split(), 1e5),
    **dict.fromkeys("m mio million millions millionen millón millones milhão milhões milione milioni miljoen mln milion milionów миллион миллиона миллионов млн 백만 مليون".split(), 1e6),
    **dict.fromkeys("亿 億 억".split(), 1e8),
    **dict.fromkeys("bn billion billions milliarde milliarden mrd milliard milliards miljard mld млрд миллиард миллиарда миллиардов".split(), 1e9),
}  # fmt: skip
_SCALE: Final = late_pattern(r"[ \u00a0\u202f-]?([千万萬만천亿億억]|[^\W\d_]{1,9}(?!\w))", re.I)
_UNIT: Final = late_pattern(r"[ \u00a0\u202f-]?([^\W\d_]{1,3}|[%％٪€$£¥₽°])")
_DATE: Final = late_pattern(
    r"(?<!\d)(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}|\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d\d)(?!\d)|\d{1,2}月\d{1,2}日|\d{1,2}:\d\d(?::\d\d)?)"
)
_JOINS: Final = (
    frozenset("_-/:@#.\\") | frozenset(map(chr, range(97, 123))) | frozenset(map(chr, range(65, 91)))
)
_JOINED: Final = late_pattern(r"[:/_@-]\w|\.[A-Za-z]|[A-Za-z]+[\d_/-]")
_HALF_BEHIND: Final = late_pattern(
    r"[ -]?(?:and a half|½|einhalb|et demie?|y medi[oa]|e mei[oa]|e mezz[oa]|en een halve?|i pół|с половиной|半)",
    re.I,
)
_WORDS: Final = late_pattern(
    r"(?<![^\W\d_])(?:(?P<rest>[a-zäöüß]{3,6})(?:und|en|ën)(?P<tens>[a-zäöüß]{4,9}(?:zig|ßig|ssig|tig))"
    r"|(?P<word>[^\W\d_]{2,14}))(?![^\W\d_])",
    re.I,
)
_ONE: Final = late_pattern(r"[ -](?:y |e |et )?([^\W\d_]{2,7})(?![^\W\d_])", re.I)
_SIGNS: Final = late_pattern(r"[一二三四五六七八九十百千两]{2,8}|两(?=[\u4e00-\u9fff])")
_SIGN: Final = {one: at for at, one in enumerate("零一二三四五六七八九")} | {"两": 2}
_SIGN_SCALE: Final = {"十": 10, "百": 100, "千": 1_000}
_MORE: Final = {
    **MORE_WORDS,
    **{
        word: number
        for number, words in {
            13: "thirteen dreizehn treize trece treze tredici dertien trzynaście тринадцать",
            14: "fourteen vierzehn quatorze catorce catorze quattordici veertien czternaście четырнадцать",
            16: "sixteen sechzehn seize dieciséis dezesseis sedici zestien szesnaście шестнадцать",
            17: "seventeen siebzehn diecisiete dezessete diciassette zeventien siedemnaście семнадцать",
            18: "eighteen achtzehn dieciocho dezoito diciotto achttien osiemnaście восемнадцать",
            19: "nineteen neunzehn diecinueve dezenove diciannove negentien dziewiętnaście девятнадцать",
            70: "seventy siebzig septante setenta settanta zeventig siedemdziesiąt семьдесят",
            80: "eighty achtzig ochenta oitenta ottanta tachtig osiemdziesiąt восемьдесят",
            100: "hundred hundert cent cien cem cento honderd sto сто",
            200: "doscientos duzentos duecento двести dwieście",
        }.items()
        for word in words.split(" ")
    },
}  # fmt: skip
_TENS: Final = 20
_TEN: Final = 10
_MOST: Final = 20_000


PART: Final = "part"
"""The unit of what may be a number of its own in `12 340`: two columns of a table."""


class WrittenNumber(NamedTuple):
    """A number of a text.

    Attributes:
        start: where it begins.
        end: where it ends.
        size: how much it is.
        step: how exactly it is written: 0.1 for 12.3.
        unit: the beginning of the word or the sign behind it; '' where there is none.
        is_free: whether it stands alone, and is no part of a date, a time, a name or a code.
    """

    start: int
    end: int
    size: float
    step: float
    unit: str = ""
    is_free: bool = True


def read_numbers(text: str) -> Iterator[WrittenNumber]:
    """Yield the numbers of *text*, each in every reading: `1.229` is a thousand or has decimals."""
    dates = [match.span() for match in _DATE.finditer(text)]
    at = 0
    for match in _DIGITS.finditer(text):
        while at < len(dates) and dates[at][1] <= match.start():
            at += 1
        in_date = at < len(dates) and dates[at][0] <= match.start()
        is_free = not in_date and _JOINED.match(text, match.end()) is None
        is_free = is_free and (match.start() == 0 or text[match.start() - 1] not in _JOINS)
        yield from _of_digits(text, match, is_free=is_free)
    for match in _WORDS.finditer(text[:_MOST]):
        if found := _of_words(match):
            yield _number(text, (match.start(), found[1]), float(found[0]), 1.0)
    for match in _SIGNS.finditer(text[:_MOST]) if not text.isascii() else ():
        yield _number(text, match.span(), _of_signs(match.group()), 1.0)


def _number(
    text: str, span: tuple[int, int], size: float, step: float, *, is_free: bool = True
) -> WrittenNumber:
    unit = _UNIT.match(text, span[1])
    return WrittenNumber(
        *span, *_scaled(text, span[1], size, step), unit[1].casefold() if unit else "", is_free
    )


def _of_digits(text: str, match: re.Match[str], *, is_free: bool) -> Iterator[WrittenNumber]:
    token = match.group()
    for one in read_amount(token):
        found = _number(text, match.span(), one.number, one.step, is_free=is_free)
        yield found
        if found.size != one.number:
            yield found._replace(size=one.number, step=one.step)
    if any(blank in token for blank in " \u00a0\u202f"):
        parts = [float(one) for one in token.split() if one.isdecimal()]
        yield from (WrittenNumber(*match.span(), one, 1.0, PART) for one in parts)
    elif "," in token and (
        text[max(0, match.start() - 1)] == "," or not _GROUPED.fullmatch(token)
    ):  # the cells of a row: `5,214,1070`
        yield from (
            WrittenNumber(*match.span(), float(one), 1.0, PART)
            for one in token.split(",")
            if _CELL.fullmatch(one)
        )


def _scaled(text: str, end: int, size: float, step: float) -> tuple[float, float]:
    if _HALF_BEHIND.match(text, end):
        return size + 0.5, 0.5
    found = _SCALE.match(text, end)
    scale = _SCALES.get(found[1].casefold(), 1.0) if found else 1.0
    return size * scale, step * scale


def scale_behind(text: str, end: int) -> float:
    """Return what the word behind a number multiplies it by: `58 тысяч`; 1 where there is none, or only a letter."""
    found = _SCALE.match(text, end)
    word = found[1].casefold() if found else ""
    return _SCALES.get(word, 1.0) if len(word) > 1 or word > "\u2e7f" else 1.0


@lru_cache(maxsize=8_192)
def _known(word: str) -> int:
    return _MORE.get(word.casefold(), 0)


def _of_words(match: re.Match[str]) -> tuple[int, int] | None:
    """Return what words say, and where they end: `forty-nine`, `neunundvierzig`."""
    if match["tens"]:
        rest, tens = _known(match["rest"]), _known(match["tens"])
        return (rest + tens, match.end()) if 0 < rest < _TEN and tens >= _TENS else None
    size = _known(match["word"])
    if size >= _TENS and not size % _TEN and (behind := _ONE.match(match.string, match.end())):
        one = _known(behind[1])
        if 0 < one < _TEN:
            return size + one, behind.end()
    return (size, match.end()) if size else None


def _of_signs(signs: str) -> float:
    """`二百六十四` is 264."""
    total, held = 0, 0
    for sign in signs:
        if scale := _SIGN_SCALE.get(sign):
            total += (held or 1) * scale
            held = 0
        else:
            held = _SIGN[sign]
    return float(total + held)
