"""Quantities of a handoff that the source has in another unit, or as another part of the same whole."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.checking.sentences import Phrase
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.facts.quantities.amounts import NUMBER_WORDS, Amount, read_amount
from hermes_sessions.late_patterns import late_pattern

_WITH_UNIT = late_pattern(
    r"(?<![^\W\u3040-\u9fff\uac00-\ud7af])(?<![.,/:時点시-])(\d[\d.,]{0,12}\d|\d)[ \u00a0\u202f]?(ms|s|sec|secs|seconds?|min|mins|minutes?|hours?|h|days?|weeks?|Wochen?|semaines?|semanas?|settiman[ae]|tygodni[ea]?|tydzień|weken|veck(?:a|or)|недел[яиью]|周|週間|дн(?:я|ей)|день|天|日間|giorn[oi]|or[ae]|minut[oi]|second[oi]|sekund[yaę]?|minut[yaę]?|godzin[aęy]?|dni[a]?|dzień|dagen|uren|minuten|seconden|timm(?:e|ar)|dagar|minuter|Sekunden?|Minuten?|Stunden?|Tagen?|secondes?|heures?|jours?|segundos?|minutos?|horas?|d[ií]as?|секунд\w{0,2}|минут\w{0,2}|час\w{0,2}|мс|[KMGT]i?B|kB|КБ|МБ|ГБ|кБ|ml|cl|dl|l|mg|g|kg|mm|cm|m|km|t|[Tt]onnes?|[Tt]onnen|tons?|lbs?|мг|г|кг|т|мм|см|м|км|[Mm]iles?|milhas?|millas?|Meilen|миль|°C|°F|[KMGT]i|毫秒|ミリ秒|밀리초|秒|分钟|分|小时|時間|초|분|시간)(?![^\W\u3040-\u9fff\uac00-\ud7af]|[%/])"
)
_FAMILIES: Final = {
    "КБ": ("byte", 1e3), "кБ": ("byte", 1e3), "МБ": ("byte", 1e6), "ГБ": ("byte", 1e9),
    **{f"{sign}{part}B": ("byte", size) for sign, size in (("K", 1e3), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)) for part in ("", "i")},
    "ml": ("litre", 1e-3), "cl": ("litre", 1e-2), "dl": ("litre", 1e-1), "l": ("litre", 1.0),
    "mg": ("gram", 1e-3), "g": ("gram", 1.0), "kg": ("gram", 1e3),
    "mm": ("metre", 1e-3), "cm": ("metre", 1e-2), "m": ("metre", 1.0), "km": ("metre", 1e3), "мс": ("second", 1e-3),
    "мг": ("gram", 1e-3), "г": ("gram", 1.0), "кг": ("gram", 1e3), **dict.fromkeys(("т", "t"), ("gram", 1e6)),
    **{unit: ("gram", 1e6) for unit in ("tonne", "tonnes", "Tonne", "Tonnes", "Tonnen", "tonnen", "ton", "tons")},
    **dict.fromkeys(("lb", "lbs"), ("gram", 453.6)), "мм": ("metre", 1e-3), "см": ("metre", 1e-2), "м": ("metre", 1.0),
    "км": ("metre", 1e3), **dict.fromkeys(("mile", "miles", "Mile", "Miles", "milha", "milhas", "milla", "millas", "Meilen", "миль"), ("metre", 1609.3)),
    "°C": ("degree", 1.0), "°F": ("degree", 1e3), **{f"{sign}i": ("byte", size) for sign, size in (("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12))},
    **dict.fromkeys(("毫秒", "ミリ秒", "밀리초"), ("second", 1e-3)),
}  # fmt: skip
_RATIO = late_pattern(
    r"(?<![\w./:-])(\d{1,4}|[^\W\d_]{2,12})(?:\s?/\s?|\s(?:of|out of|von|de|sur|di|из)\s(?:the |los |las |les |den |i |le )?)(\d{1,4}|[^\W\d_]{2,12})(?![\w./-])",
    re.I,
)
_SMALL_NUMBER = late_pattern(r"(?<![\w.,:/-])\d{1,5}(?![\w:/-]|[.,]\d)")
_CLOCK_BEHIND: Final = late_pattern(r"\s?[0-5]\d(?!\d)")
_MOST: Final = 400
_AROUND: Final = 60
"""So many signs on either side tell what a quantity is of."""


def other_units(phrases: Sequence[Phrase], told: Sequence[tuple[int, str]], body: str) -> Iterator[Deviation]:
    """Yield `250 s` where the source has 250 ms, and nothing else that is as long."""
    if not any(_WITH_UNIT.search(phrase.text) for phrase in phrases):
        return
    known = list(islice(_told_units(told), _MOST))
    if not known:
        return
    own = {match.group() for match in _WITH_UNIT.finditer(body)}
    for phrase in phrases:
        for match in _WITH_UNIT.finditer(phrase.text) if phrase.mode is not Mode.OWN else ():
            family, size = _family(match[2])
            digits = _digits(match[1])
            if _CLOCK_BEHIND.match(phrase.text, match.end()) and match[2] == "h":
                continue  # `9 h 15` is a time of the day
            alike = [one for one in known if one[1] == family and _is_same_number(digits, one[0])]
            if not alike or any(one[2] == size for one in alike) or any(one[4] in own for one in alike):
                continue
            amount = float(digits) * size
            if any(
                one[1] == family and abs(float(one[0]) * one[2] - amount) <= amount * 0.06 for one in known
            ):
                continue
            near = next((one for one in alike if one[5] & phrase.words), None)
            is_apart = near is None and family == "second"  # there are many lengths of time
            _, _, _, message, other, _ = near or alike[0]
            yield Deviation(
                Grade.NOT_VERBATIM if is_apart else Grade.CONTRADICTS,
                "number", match.group(), phrase.text[:400], "other-unit", other, other, message or None,
            )  # fmt: skip


def numbers_with_units(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the quantities of *text* begin and end."""
    return (match.span() for match in _WITH_UNIT.finditer(text) if _family(match[2])[0])


def _told_units(
    told: Sequence[tuple[int, str]],
) -> Iterator[tuple[str, str, float, int, str, frozenset[str]]]:
    """Yield digits, family and size of each quantity, its message, how it is written, and what stands around."""
    for message, text in told:
        for match in _WITH_UNIT.finditer(text):
            family, size = _family(match[2])
            if family:
                around = telling_words(text[max(0, match.start() - _AROUND) : match.end() + _AROUND])
                yield _digits(match[1]), family, size, message, match.group(), around


def _family(unit: str) -> tuple[str, float]:
    if found := _FAMILIES.get(unit):
        return found
    amounts: Sequence[Amount] = read_amount(f"1 {unit}")
    return ("second", amounts[0].number) if amounts and amounts[0].unit == "seconds" else ("", 0.0)


def _digits(number: str) -> str:
    head, mark, tail = number.replace(",", ".").rpartition(".")
    if mark and len(tail) != 3:
        return f"{head.replace('.', '')}.{tail}"
    return number.replace(",", "").replace(".", "")


def _is_same_number(short: str, long: str) -> bool:
    """Return whether one number is the other one, or that one said shorter; one digit alone may be any number."""
    return float(short) == float(long) or (len(short) > 1 and _is_rounded(short, long))


def _is_rounded(short: str, long: str) -> bool:
    places = len(short.partition(".")[2])
    return float(short) == float(long) or (float(long) >= 1 and round(float(long), places) == float(short))


def other_parts(phrases: Sequence[Phrase], told: Sequence[tuple[int, str]], body: str) -> Iterator[Deviation]:
    """Yield `5 of 6` where the source has 3 of 6 of the same things, and neither sum nor rest explains it."""
    if not any(_pair(match) for phrase in phrases for match in _RATIO.finditer(phrase.text)):
        return
    known = _told_parts(told)
    own = {pair for match in _RATIO.finditer(body) if (pair := _pair(match))}
    for phrase in phrases if known else ():
        for match in _RATIO.finditer(phrase.text):
            pair = _pair(match)
            if pair is None or pair in known or phrase.mode is not Mode.STATED:
                continue
            part, whole = pair
            others = [int(one) for one in _SMALL_NUMBER.findall(phrase.text)]
            if any(
                one + other == whole - part for at, one in enumerate(others) for other in others[at + 1 :]
            ):
                continue  # `307 of 312 passed, 1 failed, 4 skipped`
            parts = {one for one, other in known if other == whole}
            missing = sorted(one for one in parts if (one, whole) not in own)
            explained = (
                {whole - one for one in parts} | {a + b for a in parts for b in parts if a != b} | {whole}
            )
            for other in missing if part not in explained else ():
                message, value, words = known[other, whole]
                if len(words & phrase.words) >= 1 and len(parts) == 1:
                    yield Deviation(
                        Grade.CONTRADICTS, "number", match.group(), phrase.text[:400], "other-part", value, value, message or None
                    )  # fmt: skip


def _told_parts(told: Sequence[tuple[int, str]]) -> dict[tuple[int, int], tuple[int, str, frozenset[str]]]:
    """Return each part and its whole where they are told first: message, words, and what stands around."""
    known: dict[tuple[int, int], tuple[int, str, frozenset[str]]] = {}
    for message, text in told:
        for match in _RATIO.finditer(text):
            if (pair := _pair(match)) and pair not in known:
                around = text[max(0, match.start() - _AROUND) : match.end() + _AROUND]
                known[pair] = message, match.group(), telling_words(around)
    return known


def _pair(match: re.Match[str]) -> tuple[int, int] | None:
    numbers = [int(one) if one.isdecimal() else NUMBER_WORDS.get(one.casefold()) for one in match.groups()]
    if None in numbers or not numbers[0] or numbers[0] >= (numbers[1] or 0):
        return None
    return numbers[0], numbers[1] or 0


_PLACE = late_pattern(r"([\w-]{1,60}\.[A-Za-z]{1,5})(?::|\()(\d{1,6})(?!\w)")


def other_lines(lines: Sequence[Phrase], source: str, body: str) -> Iterator[Deviation]:
    """Yield `toolbar.tsx:241` where the source names that file at other lines, and 241 nowhere."""
    asked = [(line, match) for line in lines for match in _PLACE.finditer(line.text)]
    known = [(match[1], match[2], match.group()) for match in _PLACE.finditer(source)] if asked else []
    for line, match in asked if known else ():
        name, number = match.groups()
        places = [one for one in known if one[0] == name]
        missing = [one for one in places if not re.search(rf"(?<!\d){one[1]}(?!\d)", body)]
        if missing and not re.search(rf"(?<![\d.]){number}(?![\d.])", source):
            value, other = match.group(), missing[0][2]
            yield Deviation(Grade.CONTRADICTS, "path", value, line.text[:400], "other-line", other, other)
