"""How long something takes, in every way that people and programs write it, parts read as one: `5 h 20 min`. Pure."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from hermes_sessions.facts.quantities.amounts import NUMBER_WORDS, SECONDS
from hermes_sessions.late_patterns import late_pattern

MORE_WORDS: Final = {
    word: number
    for number, words in {
        1: "ein eine einer einem einen une una uma uno um одну одной 하나 한 bir एक",
        2: "zwo zwei dos duas deux две двух due 두 iki दो 两 twee dwa",
        3: "tres tre трех трёх 세 üç तीन drie trzy",
        4: "quattro quatro четырех четырёх 네 dört चार vier cztery",
        5: "cinque пяти 다섯 beş पांच vijf pięć",
        6: "sei шести 여섯 altı छह zes sześć",
        7: "sette семи yedi सात zeven siedem",
        8: "otto восьми sekiz आठ acht osiem",
        9: "nove девяти dokuz negen dziewięć",
        10: "dieci десяти 열 on tien dziesięć",
        11: "undici on\u00a0bir",
        12: "dodici twelve dozen dutzend",
        15: "fifteen fünfzehn quinze quince quindici пятнадцать пятнадцати onbeş vijftien piętnaście",
        20: "twenty zwanzig vingt veinte vinte venti двадцать двадцати yirmi twintig dwadzieścia",
        30: "thirty dreißig dreissig trente treinta trinta trenta тридцать тридцати otuz dertig trzydzieści",
        40: "forty vierzig quarante cuarenta quarenta quaranta сорок kırk veertig czterdzieści",
        45: "forty-five fünfundvierzig",
        50: "fifty fünfzig cinquante cincuenta cinquenta cinquanta пятьдесят elli vijftig pięćdziesiąt",
        60: "sixty sechzig soixante sesenta sessenta sessanta шестьдесят zestig sześćdziesiąt",
        90: "ninety neunzig noventa novanta девяносто negentig dziewięćdziesiąt",
    }.items()
    for word in words.split(" ")
} | {word: number for word, number in NUMBER_WORDS.items() if number}
"""Numbers as words: to twelve, and those that durations are rounded to; in small letters, folded or not."""

_UNITS: Final = {
    **SECONDS,
    **dict.fromkeys("часам часах часами".split(), 3600.0),
    **dict.fromkeys("минутам минутах".split(), 60.0),
    **dict.fromkeys("секундам секундах".split(), 1.0),
    **dict.fromkeys("сутки суток дням днях".split(), 86400.0),
    **dict.fromkeys("घंटा घंटे घंटों".split(), 3600.0),
    **dict.fromkeys("मिनट मिनटों".split(), 60.0),
    **dict.fromkeys("सेकंड".split(), 1.0),
    **dict.fromkeys("दिन दिनों".split(), 86400.0),
}
_CJK_UNITS: Final = "毫秒|ミリ秒|秒钟|秒間|秒|分钟|分間|分|小时|個小時|个小时|時間|日間|天|周|週間|초간|초|분간|분|시간|일간|주일|주"
_SCALE_CJK: Final = {
    "毫秒": 1e-3, "ミリ秒": 1e-3, "秒": 1.0, "秒钟": 1.0, "秒間": 1.0, "초": 1.0, "초간": 1.0, "分": 60.0, "分钟": 60.0, "分間": 60.0, "분": 60.0, "분간": 60.0,
    "小时": 3600.0, "个小时": 3600.0, "個小時": 3600.0, "時間": 3600.0, "시간": 3600.0, "天": 86400.0, "日間": 86400.0, "일간": 86400.0,
    "周": 604800.0, "週間": 604800.0, "주": 604800.0, "주일": 604800.0,
}  # fmt: skip
_SIGNED: Final = {"零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "半": 0.5}  # fmt: skip
_FREE: Final = r"(?<![A-Za-zÀ-ÿа-яё0-9_.,:/-])"
_FIGURES: Final = (
    rf"{_FREE}(?:(?P<compact>(?:\d{{1,4}}[dhms]){{1,3}}\d{{1,4}}(?:\.\d{{1,6}})?[dhms])(?!\w)|(?P<hours>\d{{1,3}}) ?h ?(?P<minutes>[0-5]\d)(?: ?(?:min|mn|m)\b)?(?!\w)"
    r"|(?P<clock>\d{1,4}:[0-5]\d(?::[0-5]\d)?) ?(?P<of>min|minutes?|h|hours?|Stunden|Minuten|мин)\b"
    rf"|(?P<digits>\d{{1,9}}(?:[.,]\d{{1,6}})?)(?:[ \u00a0\u202f-]?(?P<cjk>{_CJK_UNITS})|[ \u00a0\u202f-]?(?P<unit>[^\W\d_]{{1,13}})(?![\w]|[./]\w)))"
)
_SPELLED: Final = (
    rf"|(?P<sign>[零一二两三四五六七八九十半])个?(?P<after>{_CJK_UNITS})"
    r"|(?<!\w)(?P<half>half an hour|a quarter of an hour|eine halbe Stunde|une demi-heure|media hora|meia hora|mezz['’]ora|полчаса|반시간|نصف ساعة)"
    r"|(?<!\w)(?P<word>[^\W\d_]{2,12}(?:-[a-z]{4,6})?)[ \u00a0-](?=(?P<noun>[^\W\d_]{2,13})(?!\w))"
)
_PART = late_pattern(_FIGURES + _SPELLED)
_FIGURE = late_pattern(r"\d(?:[ \u00a0\u202f-]?[^\W\d_]|:\d)")
"""What every duration in figures has in it, sought fast."""
_SIGNS = late_pattern(rf"[零一二两三四五六七八九十半]个?(?:{_CJK_UNITS})|полчаса|반시간")
_LETTERS = late_pattern(r"[^\W\d_]+")
_ONLY_FIGURES = late_pattern(_FIGURES)
_COMPACT = late_pattern(r"(\d{1,4}(?:\.\d{1,6})?)([dhms])")
_MARK_BEFORE: Final = 8
_MARKED = late_pattern(r"(?:雅思|托福|高考|成绩|得了?|总|均|考了?|满|打|评)[:：为是]?$")
_KANA = late_pattern(r"[\u3041-\u30ff]")
_JOIN = late_pattern(r"[ \u00a0\u202f]?(?:,? ?(?:and|und|et|y|e|и|ve|و) ?)?", re.I)


class Duration(NamedTuple):
    """A duration and where it stands: seconds, and the size of the smallest unit it is written in."""

    start: int
    end: int
    seconds: float
    step: float


def read_durations(text: str, *, spelled: bool = True) -> Iterator[Duration]:
    """Yield the durations in *text* in order; parts that follow each other, ever smaller, are one.

    Args:
        spelled: also those in words.
    """
    if spelled and may_spell(text):
        yield from _read(text, _PART.finditer(text))
    else:
        for start, end in _lines_with_figures(text):
            yield from _read(text, _ONLY_FIGURES.finditer(text, start, end))


def _read(text: str, parts: Iterator[re.Match[str]]) -> Iterator[Duration]:
    held: Duration | None = None
    for match in parts:
        size = _size(match)
        if size is None:
            continue
        end = match.end() if match.lastgroup != "noun" else match.end("noun")
        found = Duration(match.start(), end, *size)
        joins = held is not None and found.step < held.step and found.seconds < held.step
        if held is not None and joins and _JOIN.fullmatch(text, held.end, found.start):
            held = Duration(held.start, found.end, held.seconds + found.seconds, found.step)
            continue
        if held is not None:
            yield held
        held = found
    if held is not None:
        yield held


def lines_with_figures(text: str) -> Iterator[str]:
    """Yield the lines of *text* that may have durations in figures."""
    return (text[start:end] for start, end in _lines_with_figures(text))


def _lines_with_figures(text: str) -> Iterator[tuple[int, int]]:
    end = -1
    for match in _FIGURE.finditer(text):
        if match.start() > end:
            end = text.find("\n", match.start())
            end = len(text) if end < 0 else end
            yield text.rfind("\n", 0, match.start()) + 1, end


def may_spell(text: str) -> bool:
    """Return whether *text* may have durations in words: it has a word for a number before one for a unit, or says both at once."""
    words = _LETTERS.findall(text.lower())
    known = {*words}
    if not (_UNIT_WORDS.isdisjoint(known) or _NUMBERS.isdisjoint(known)) and any(
        number in _NUMBERS and unit in _UNIT_WORDS for number, unit in pairwise(words)
    ):
        return True
    return not _HALVES.isdisjoint(known) or (not text.isascii() and _SIGNS.search(text) is not None)


_NUMBERS: Final = frozenset(one.rpartition("-")[2] for one in MORE_WORDS)
_UNIT_WORDS: Final = frozenset(one for one in _UNITS if len(one) > 1)
_HALVES: Final = frozenset({"half", "quarter", "halbe", "demi", "media", "meia", "mezz", "نصف"})
"""Words that half an hour is said with, or a quarter of one."""


def _is_mark(match: re.Match[str]) -> bool:
    """`雅思6.0分`: what Chinese writes with a decimal, or behind a test, is a mark."""
    before = match.string[max(0, match.start() - _MARK_BEFORE) : match.start()]
    is_exact = "." in match["digits"] and _KANA.search(match.string) is None
    return is_exact or _MARKED.search(before) is not None


def _size(match: re.Match[str]) -> tuple[float, float] | None:
    if match.lastgroup == "noun":
        known, unit = MORE_WORDS.get(match["word"].lower()), _unit(match["noun"])
        return (known * unit, unit) if known and unit else None
    if match["digits"]:
        unit = _SCALE_CJK.get(match["cjk"]) if match["cjk"] else _unit(match["unit"])
        if not unit or (match["cjk"] == "分" and _is_mark(match)):
            return None
        number = match["digits"].replace(",", ".")
        places = len(number.partition(".")[2])
        return float(number) * unit, unit * 10.0**-places
    if match["compact"]:
        parts = [(float(one), SECONDS[unit]) for one, unit in _COMPACT.findall(match["compact"])]
        places = len(match["compact"].partition(".")[2].rstrip("dhms"))
        return sum(number * unit for number, unit in parts), min(unit for _, unit in parts) * 10.0**-places
    if match["clock"]:
        return _of_clock(match["clock"], match["of"])
    if match["hours"]:
        return float(match["hours"]) * 3600 + float(match["minutes"]) * 60, 60.0
    if match.lastgroup == "after":
        unit = _SCALE_CJK[match["after"]]
        return _SIGNED[match["sign"]] * unit, unit * (0.5 if match["sign"] == "半" else 1)
    return (900.0, 300.0) if "quarter" in match["half"] else (1800.0, 600.0)


def _unit(word: str) -> float | None:
    return _UNITS.get(word) or _UNITS.get(word.lower()) if len(word) > 1 or word in "smhdсчч" else None


def _of_clock(clock: str, unit: str) -> tuple[float, float]:
    """`12:05 min` is twelve minutes and five seconds, `5:20 h` five hours and twenty minutes."""
    parts = [float(one) for one in clock.split(":")]
    if len(parts) == 3:
        return parts[0] * 3600 + parts[1] * 60 + parts[2], 1.0
    small = 60.0 if unit[0] in "hS" else 1.0
    return (parts[0] * 60 + parts[1]) * small, small


def same_length(one: Duration, other: Duration) -> bool:
    """Return whether both are the same, as far as the coarser one goes: 4 h 22 min are four hours."""
    if one.seconds == other.seconds:
        return True
    coarse, fine = (one, other) if one.step >= other.step else (other, one)
    return coarse.step > fine.step and abs(coarse.seconds - fine.seconds) <= coarse.step / 2 * (1 + 1e-9)
