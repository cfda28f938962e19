"""Numbers with a unit or a noun, money, percentages, durations.

Every number of the text is looked at once, with what stands right before and after it.
Numbers that are part of a date, a time or another value are somebody else's.
"""

from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.kinds.dates import date_at
from hermes_sessions.facts.page import LETTERS, Mark, TextPage
from hermes_sessions.facts.quantities.amounts import MYRIADS
from hermes_sessions.facts.wording.units import CASED, COUNTERS, NOT_NOUNS, NOUNS, UNITS
from hermes_sessions.late_patterns import late_pattern

_NUMBER = late_pattern(r"\d++(?:[.,:/'’\u00a0\u202f٫٬_-]\d++)*")
_GROUPS = late_pattern(r"(?: \d{3}(?!\d)){1,4}(?:[.,]\d{1,2}(?![\d.,]))?")
_DAYS = late_pattern(r"(\d{1,2})-\d{1,2}")
_PLAIN = late_pattern(r"\d+(?:[.,'’\u00a0\u202f٫٬_]\d+)*")
_COMPOUND = late_pattern(
    r"(?:\d{1,6}(?:\.\d{1,3})?[ ]?(?:hours?|hrs?|h|days?|d|minutes?|mins?|min|m|seconds?|secs?|sec|ms|s|Stunden|Std|Minuten|Min|heures?|secondes?|horas?|minutos?|segundos?|ore|minuti|secondi|час\w{0,2}|минут\w?|секунд\w?|saat|dakika|saniye)\b[ ]{0,2}(?:and |und |et |y |e |и |ve )?){2,4}"
    r"|(?:\d{1,4}[hdms](?=\d)){1,3}\d{1,4}(?:ms|[hms])(?![A-Za-z0-9])"
)
_TIME_LETTERS: Final = frozenset("hHdDmMsSoOчЧмМсС")
_AFTER = late_pattern(
    rf"([ \u00a0\u202f]?[-‑]?)(°[CF]?|[%‰％٪]|[€$£¥₽₹₩₺](?![\w{{]))|([ \u00a0\u202f]|[-‑]|)([{LETTERS}\u0600-\u06ff²³]{{1,24}}+(?:/(?:s|h|min|sec|m)\b)?)"
)
_NEXT = late_pattern(rf"[ \u00a0]([{LETTERS}\u0600-\u06ff-]{{3,30}}+)")
_SCALE = late_pattern(
    r"[ \u00a0]?(?:million|billion|thousand|Millionen|Milliarden|Mio\.?|Mrd\.?|millions?|milliards?|millones|mil|млн|млрд|тыс\.?|مليون|ألف|[kKMB](?![A-Za-z]))"
)
_SCALE_SIGNS: Final = frozenset("mbtkMKBмтمأ")
"""What a scale begins with."""
_CURRENCY: Final = frozenset(
    "us$ a$ ca$ hk$ r$ usd eur gbp jpy cny rmb chf cad aud inr rub krw sek nok dkk pln brl mxn czk huf aed sar".split()
)
_CODE_BEFORE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_#@\\")
_LEADING: Final = frozenset(
    "step phase chapter section option version line page level part figure table item day week sprint round try q".split()
)


_PLAIN_BEFORE: Final = frozenset("=:/-(['\"|<{,.")
_PLAIN_AFTER: Final = frozenset("\n)]}\"'|,;<>=&?")


def _is_plain(token: str) -> bool:
    """A number between signs, which neither a unit nor a month stands beside; eight digits may be a day."""
    return token.isdecimal() and len(token) != 8


def _longest(counter: tuple[str, str]) -> int:
    return -len(counter[0])


def quantity_marks(page: TextPage) -> Iterator[Mark]:
    """Yield numbers that say something by themselves, and dates and times."""
    text = page.text
    skip = 0
    for match in _NUMBER.finditer(page.bare):
        start = match.start()
        if text[match.end() : match.end() + 1] in "年月日号":
            start = _after_comma(text, start, match.end())
        if start < skip:
            continue
        before = text[start - 1 : start]
        if before in _CODE_BEFORE and before:
            continue
        end = match.end()
        if before in _PLAIN_BEFORE and text[end : end + 1] in _PLAIN_AFTER and _is_plain(match.group()):
            continue
        for mark in _read_number(page, start, match.end(), before):
            skip = max(skip, mark.end)
            if page.is_speech or not _is_dull(text, mark):
                yield mark


def _after_comma(text: str, start: int, end: int) -> int:
    """Where prose without blanks has narrow commas, `8600,6月` is a number and a month."""
    comma = text.rfind(",", start, end)
    return comma + 1 if comma >= 0 and end - comma <= 3 else start


def _is_dull(text: str, mark: Mark) -> bool:
    """Progress in brackets, ages and dates in the columns of a listing, a time of nothing."""
    after = text[mark.end : mark.end + 2]
    if mark.kind == "percentage":
        before = text[max(0, mark.start - 4) : mark.start]
        return before.endswith(("[", "[ ", "[  ")) or ("[" in before and after[:1] in ("]", "|"))
    if (
        mark.kind == "time"
        and text[max(0, mark.start - 1) : mark.start] in ("[", "<")
        and after[:1] in ("<", ",", "]")
    ):
        return True
    if mark.kind in ("date", "time"):
        line = text.rfind("\n", max(0, mark.start - 120), mark.start) + 1
        return text[line : line + 1] in ("-", "d", "l") and text[line + 1 : line + 3] in ("rw", "r-")
    if mark.kind != "duration":
        return False
    in_column = text[max(0, mark.start - 2) : mark.start] == "  " and mark.end - mark.start <= 5
    return not text[mark.start : mark.end].strip("0.,ms ") or (
        in_column and (after in ("", "  ") or after[0] == "\n")
    )


def _read_number(page: TextPage, start: int, end: int, before: str) -> Iterator[Mark]:
    dates = date_at(page, start, end)
    if dates:
        yield from dates
        return
    text = page.text
    if (days := _DAYS.fullmatch(text, start, end)) and (
        dates := date_at(page, start + len(days[1]) + 1, end)
    ):
        yield from dates  # `24-27 December`: its last day
        return
    plain = _PLAIN.match(text, start, end)
    end = plain.end() if plain else end
    if text[end : end + 1] in "-:/" and text[end + 1 : end + 2].isdigit():
        plain_end = _range_end(text, end)
        if plain_end == 0:
            return
        end = plain_end
    if (
        text[end : end + 1] == " "
        and end - start <= 3
        and text[start:end].isdecimal()
        and not _is_end_of_code(text, start)
        and (groups := _GROUPS.match(text, end))
    ):
        end = groups.end()
    if before in "$€£¥₽₹₩₺￥" and before:
        yield _money_after_symbol(text, start, end)
    elif (text[end : end + 2].lstrip()[:1] in _TIME_LETTERS) and (compound := _COMPOUND.match(text, start)):
        yield Mark("duration", start, _trimmed(text, compound.end()))
    else:
        yield from _with_unit(page, _signed(text, start), end)


def _is_end_of_code(text: str, start: int) -> bool:
    """`A-07 143 km` is a name and a distance: no group of thousands begins with a nought, or within a name."""
    in_name = start > 1 and text[start - 1] in "-‑/." and text[start - 2].isalnum()
    return in_name or text[start] == "0"


def _range_end(text: str, end: int) -> int:
    """`10-20 rows` is read as a whole; other chains of numbers are no quantity."""
    if text[end] != "-":
        return 0
    match = _PLAIN.match(text, end + 1)
    return match.end() if match and text[match.end() : match.end() + 1] not in ("-", "/", ":") else 0


def _trimmed(text: str, end: int) -> int:
    while text[end - 1] in " ,.":
        end -= 1
    return end


def _signed(text: str, start: int) -> int:
    """Take the sign of a number into it, where it is one."""
    if start and text[start - 1] in "+-−±~≈" and (start < 2 or text[start - 2] in " \t\n(:=|,"):
        return start if text[start - 1] in "~≈" else start - 1
    return start


def _money_after_symbol(text: str, start: int, end: int) -> Mark:
    first = start - 1
    for prefix in ("US", "CA", "HK", "A", "R"):
        if text.endswith(prefix, max(0, first - 2), first):
            first -= len(prefix)
            break
    if first and text[first - 1] in "-−":
        first -= 1
    scale = _SCALE.match(text, end)
    return Mark("money", first, scale.end() if scale else end)


def _with_unit(page: TextPage, start: int, end: int) -> Iterator[Mark]:
    text = page.text
    code = text[max(0, start - 4) : start].strip().lower()
    behind = text[end : end + 1]
    if code in _CURRENCY and not text[max(0, start - 5) : start].rstrip()[: -len(code)][-1:].isalnum():
        first = start - len(text[max(0, start - 4) : start].lstrip())
        scale = _SCALE.match(text, end)
        yield Mark("money", first, scale.end() if scale else end)
        return
    if behind > "\u2e80":
        yield from _counted(text, start, end)
        return
    if behind in _ENDS_NUMBER:
        return
    if behind == " " and "\u2e80" < text[end + 1 : end + 2] < "\uff00":
        yield from _counted(text, start, end + 1)
        return
    sign = text[end + 1 : end + 2] if behind in " \u00a0" else behind
    scale = _SCALE.match(text, end) if sign in _SCALE_SIGNS else None
    if scale and text[scale.end() : scale.end() + 1] in (" ", "€", "$"):
        yield from _after(page, start, scale.end()) or [Mark("number", start, scale.end())]
    else:
        yield from _after(page, start, end)


_ENDS_NUMBER: Final = frozenset(["", *"\n\t\r!\"#&'()*+,./:;<=>?@[\\]^_`{|}~"])
"""Signs behind a number that no unit, no scale and no noun begins with."""
_MYRIADS = late_pattern(rf"(?:[{MYRIADS}]\d{{1,12}}(?:,\d{{3}})*){{1,4}}")
"""`15万1,500`: each part of a number has its own word for how much it is."""
_KANA = late_pattern(r"[\u3041-\u30ff]")


def _counted(text: str, start: int, end: int) -> Iterator[Mark]:
    """A counter right after the number, as Chinese and Japanese write it."""
    if text[end : end + 1] in MYRIADS and (whole := _MYRIADS.match(text, end)):
        end = whole.end()
        found = [one for one in _counted(text, start, end) if text[end : end + 1] not in _ENDS_NUMBER]
        yield from found or [Mark("number", start, end)]
        return
    if text[end : end + 1] == "分" and _KANA.search(text, end, end + 12):  # elsewhere it may be a mark
        yield Mark("duration", start, end + 1 + text.startswith("間", end + 1))
        return
    for word, kind in _COUNTERS.get(text[end : end + 1], ()):
        if text.startswith(word, end):
            yield Mark(kind, start, end + len(word))
            return


_PLANNED = late_pattern(r" (?:add|change|destroy|import|migrate)\b")
_COUNTERS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    first: tuple(sorted((one for one in COUNTERS if one[0][0] == first), key=_longest))
    for first in {word[0] for word, _ in COUNTERS}
}


def _after(page: TextPage, start: int, end: int) -> list[Mark]:
    match = _AFTER.match(page.text, end)
    if not match:
        return []
    if match[2]:
        kind = UNITS.get(match[2].lower(), "number")
        return [Mark(kind, start, match.end(2))]
    word, gap = match[4], match[3]
    if _is_called(page.text, match.end()) or page.text[match.end() : match.end() + 1].isdigit():
        return []
    kind = CASED.get(word, "") if len(word) == 1 else UNITS.get(word.lower(), "")
    if len(word) == 1 and word in "mM" and not gap.strip("- "):
        kind = "number" if word == "M" else _minutes_or_metres(page, start, end)
    if (word in "xX" or word.lower() in _GLUED_ONLY) and gap:
        return []
    if kind and (gap or len(word) <= 5 or kind != "number"):
        return [Mark(kind, start, match.end())]
    if word == "to" and page.text[start:end] != "0" and (deed := _PLANNED.match(page.text, match.end())):
        return [Mark("number", start, deed.end())]
    return _with_noun(page, start, end, word, match.end()) if gap else []


_GLUED_ONLY: Final = frozenset({"em", "pt", "rem"})
"""Sizes of letters stand at their number; behind a blank they are words: *622,410 em vez de 622,140*."""


def _is_called(text: str, end: int) -> bool:
    """`3 insertions(+)` is counted; `2 max(a)` is code."""
    return text[end : end + 1] in ("_", "\\") or (
        text[end : end + 1] == "(" and text[end + 1 : end + 3] not in ("+)", "-)", "s)")
    )


def _minutes_or_metres(page: TextPage, start: int, end: int) -> str:
    """`5m` lasts, `cpu: 750m` is a share of a core."""
    is_share = "cpu" in page.lower[max(0, start - 8) : start]
    if page.text[end : end + 1] == "m":
        return "" if is_share else "duration"
    return "number" if page.is_speech else ""  # `135 m long`


_ADJECTIVES: Final = frozenset(
    "previous open failing failed new active pending changed unique total more other high low moderate critical severe matching"
    " broken unread duplicate idle running healthy unhealthy stale dead extra additional distinct".split()
)


def _with_noun(page: TextPage, start: int, end: int, word: str, after: int) -> list[Mark]:
    """`12 failing tests`: a noun that can be counted, at most one adjective before it."""
    text = page.text
    if page.looks == "code" or _is_year_or_place(page, start, end):
        return []
    lowered = word.lower()
    if not page.is_speech and (word.isupper() or text[after : after + 1] in ("/", "=", ":")):
        return []  # a keyword of a statement, a field
    if lowered in NOUNS:
        return [Mark("number", start, after)]
    if lowered in ("pour", "por") and text.startswith((" cent", " ciento"), after):
        return [
            Mark("percentage", start, after + (5 if text[after + 1] == "c" and text[after + 2] == "e" else 7))
        ]
    if lowered in NOT_NOUNS:
        return []
    follower = _NEXT.match(text, after)
    if follower and follower[1].lower() in NOUNS and (page.is_speech or lowered in _ADJECTIVES):
        return [Mark("number", start, follower.end())]
    if not page.is_speech:
        return []
    if _is_plural(word, lowered):
        return [Mark("number", start, after)]
    if (
        follower
        and word.islower()
        and follower[1].lower() not in NOT_NOUNS
        and _is_plural(follower[1], follower[1].lower())
    ):
        return [Mark("number", start, follower.end())]
    return []


def _is_year_or_place(page: TextPage, start: int, end: int) -> bool:
    """2026 is a year, `step 3 lines up` counts nothing."""
    value = page.text[start:end]
    if len(value) == 4 and value[:2] in ("19", "20") and value.isdigit():
        return True
    before = page.lower[max(0, start - 12) : start].rstrip(" .").rpartition(" ")[2].rpartition("\n")[2]
    return before in _LEADING


def _is_plural(word: str, lowered: str) -> bool:
    first = word[0]
    if len(word) < 4 and first < "\u0600":
        return False
    if "\u0400" <= first <= "\u04ff" or "\u0600" <= first <= "\u06ff":
        return True
    if first.isupper():
        return (
            word[1:].islower() and lowered.endswith(("en", "er", "e", "n", "s")) and lowered not in NOT_NOUNS
        )
    return lowered.endswith("s") and not lowered.endswith(("ss", "us", "is", "'s"))
