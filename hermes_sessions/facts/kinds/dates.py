"""Dates and times of day, in the ways that people and programs write them."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.gates import gate
from hermes_sessions.facts.page import LETTERS, Mark, TextPage
from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern

_ISO = late_pattern(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)")
_CLOCKS = late_pattern(r"((?:[01]?\d|2[0-4]):[0-5]\d)-((?:[01]?\d|2[0-4]):[0-5]\d)")
_CLOCK = late_pattern(
    r"([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d{1,9})?)?(?:[ \u00a0]?([AaPp]\.?[Mm]\b\.?|Uhr))?"
    r"((?:Z\b|[ ]?(?:UTC|GMT|CET|CEST|EST|EDT|PST|PDT|MSK|JST|IST|BST)\b|[ ]?[+-]\d{2}:?\d{2}\b))?"
)
_AFTER_DATE = late_pattern(r"[T ]|, | um | at | à | a las | в ")
_MAIL_DATE = late_pattern(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:[A-Z][a-z]{2} {1,2}\d{1,2}|\d{1,2} [A-Z][a-z]{2} \d{4}) \d\d:\d\d:\d\d"
    r"(?: [A-Z]{3,4})?(?: \d{4})?(?: [+-]\d{4})?"
)
_DATE_LINES: Final = gate("date:")
_DOTTED = late_pattern(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d|\.\d)")
_DAY_MONTH = late_pattern(
    rf"(\d{{1,2}})(?:st|nd|rd|th|er|º|ª|-го|\.)?[ \u00a0](?:(?:of|de|d’|do)[ ])?([{LETTERS}\u0600-\u06ff]{{2,12}})\.?(?:,?[ ](?:(?:of|de|do|г\.)[ ])?(\d{{4}}))?"
)
_ABC: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DAY_SIGNS: Final = (" ", ".", "º", "ª", "\u00a0", "-")
_DAY_YEAR = late_pattern(r"(\d{1,2})(?:st|nd|rd|th)?(?:,?[ ](\d{4}))?(?![\d:])")
_CJK_DATE = late_pattern(r"(?:\d{2,4}[ ]?[年년][ ]?)?(?:(\d{1,2})[ ]?[月월](?:[ ]?(\d{1,2})[ ]?[日号號일])?)")
_CJK_TIME = late_pattern(r"(\d{1,2})[ ]?[时時点點시](?:[ ]?(\d{1,2})[ ]?[分분]|半)?(?!间|間|钟間|간)")
_WORD_TIME = late_pattern(
    r"(\d{1,2})(?:[ \u00a0]?h[ \u00a0]?([0-5]\d)(?!\d|[ ]?m)|[ \u00a0]?([AaPp]\.?[Mm]\b\.?)|[ ]Uhr\b|[ ]?часов вечера|[ ]o'clock\b)"
)
_LASTS = late_pattern(
    r"\b(?:dur(?:e|ent|ée?|era|erait|er)(?: de)?|pendant|prend(?:re|ra)?|pris|mis|environ|trajet de|retard de|pause de|temps de|en moins de|plus de|moins de|toutes les|dura|durante|tarda|tardó|demora|leva|dauert|takes|took|lasts) ?$",
    re.I,
)
"""What stands before a length of time, `la sauvegarde dure 1 h 45`, and not before a time of day."""
_DAYTIME: Final = (
    "上午",
    "下午",
    "凌晨",
    "晚上",
    "早上",
    "中午",
    "午前",
    "午後",
    "오전",
    "오후",
    "새벽",
    "저녁",
)
_COMPACT = late_pattern(r"(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T(\d{4,6})Z?)?(?!\d)")


def dated_marks(page: TextPage) -> Iterator[Mark]:
    """Yield the dates of commits and mails, with day, time and zone, as one."""
    if _DATE_LINES in page.opened:
        yield from (Mark("date", *match.span()) for match in _MAIL_DATE.finditer(page.text))


def date_at(page: TextPage, start: int, end: int) -> list[Mark]:
    """Return the date and the time that the number at *start* begins, or nothing.

    The time stamp at the head of a log's line is its place, not a fact: it is answered
    with a mark without a kind, which claims the place.
    """
    text = page.text
    token = text[start:end]
    after = text[end : end + 1]
    if not token.isdecimal():
        return _written(page, token, start, end)
    if after > "\u2e80" or text[end + 1 : end + 2] > "\u2e80":
        return _cjk(text, start, end)
    if end - start == 8 and (match := _COMPACT.match(text, start)):
        return [Mark("date", start, match.end())] if after != "-" else []
    if end - start > 4:
        return []
    if named := _named_month(text, start, end):
        return [named, *_time_behind(text, named.end)]
    if end - start <= 2 and after and after in " \u00a0hHaApP" and (spoken := _WORD_TIME.match(text, start)):
        if spoken[2] and _LASTS.search(text, max(0, start - 30), start):
            return [Mark("duration", start, spoken.end())]
        return [Mark("time", start, _trimmed(text, spoken.end()))] if int(spoken[1]) <= 24 else []
    return []


def _written(page: TextPage, token: str, start: int, end: int) -> list[Mark]:
    """Numbers joined by signs: 2026-03-04, 04.03.2026, 10:11."""
    text = page.text
    found = (
        _calendar(text, start, end)
        if "-" in token or "/" in token or "." in token or text[end : end + 1] == "T"
        else None
    )
    if found:
        times = _time_behind(text, found.end)
        if times and text[found.end] == "T":  # one token is one fact
            return _as_stamp(page, [Mark("date", start, times[0].end)])
        return _as_stamp(page, [found, *times])
    if "-" in token and (span := _CLOCKS.fullmatch(token)):
        return _as_stamp(
            page, [Mark("time", start + span.start(group), start + span.end(group)) for group in (1, 2)]
        )
    if ":" in token and (clock := _CLOCK.match(text, start)) and clock.end() >= end:
        if text[clock.end() : clock.end() + 1] == ":" or _is_ratio(text, clock):
            return []
        return _as_stamp(page, [Mark("time", start, _trimmed(text, clock.end()))])
    return []


def _cjk(text: str, start: int, end: int) -> list[Mark]:
    if text[end : end + 2].strip()[:1] in ("年", "月", "년", "월"):
        match = _CJK_DATE.match(text, start)
        if match and 1 <= int(match[1]) <= 12:
            return [Mark("date", start, match.end())]
    if text[end : end + 1] == "日" and _is_length_of_days(text, start, end):
        return [Mark("duration", start, end + 1)]
    if (cjk := _CJK_TIME.match(text, start)) and int(cjk[1]) <= 24:
        begin = start - 1 if text[start - 1 : start] == " " else start
        first = begin - 2 if text[max(0, begin - 2) : begin] in _DAYTIME else start
        return [Mark("time", first, cjk.end())]
    return []


_DAYS_BEFORE = late_pattern(
    r"(?:期間|期限|保存|保持|保管|有効|猶予|間隔|过去|最近|直近|連続|连续|最大|最長|最短|至少|最多)[はをがのに::]{0,2} ?$"
)
_DAYS_BEHIND = late_pattern(
    r"日(?:[間以内分後前毎ごおず目]|保[存持管]|経[過ち]|[にへ](?:変更|延長|短縮|設定|戻))"
)
_LONGEST_MONTH: Final = 31


def _is_length_of_days(text: str, start: int, end: int) -> bool:
    """`90日` lasts; `30日` does so where the words around it say that: else it is a day of some month."""
    if text[end + 1 : end + 2] == "間" or text[max(0, start - 1) : start].strip() in ("月", "年"):
        return False  # read as a whole elsewhere
    is_long = int(text[start:end]) > _LONGEST_MONTH
    return is_long or bool(
        _DAYS_BEFORE.search(text, max(0, start - 8), start) or _DAYS_BEHIND.match(text, end)
    )


def _trimmed(text: str, end: int) -> int:
    return end - 1 if text[end - 1] == "." and text[end - 2] not in "mM" else end


def _is_ratio(text: str, clock: re.Match[str]) -> bool:
    """`3:1` and `file:10:22` are no times."""
    before = text[clock.start() - 1 : clock.start()]
    return (before in ":./-" and before != "") or (
        clock[3] is None and clock[4] is None and len(clock[2]) != 2
    )


def _as_stamp(page: TextPage, marks: list[Mark]) -> list[Mark]:
    if page.looks != "log":
        return marks
    first = marks[0].start
    begin = page.text.rfind("\n", max(0, first - 12), first) + 1
    if begin == 0 and first > 12:
        return marks
    head = page.text[begin:first]
    if head.strip("[( \t") or (first - begin > 2 and begin == 0 and first > 2):
        return marks
    return [Mark("", mark.start, mark.end) for mark in marks]


def _time_behind(text: str, end: int) -> list[Mark]:
    gap = _AFTER_DATE.match(text, end)
    clock = _CLOCK.match(text, gap.end()) if gap else None
    if clock is None or text[clock.end() : clock.end() + 1].isdigit():
        return []
    return [Mark("time", clock.start(), _trimmed(text, clock.end()))]


def _calendar(text: str, start: int, end: int) -> Mark | None:
    if (match := _ISO.match(text, start)) and 1 <= int(match[2]) <= 12 and 1 <= int(match[3]) <= 31:
        return Mark("date", start, match.end())
    if (match := _DOTTED.match(text, start)) and match.end() >= end and _is_day(match[1], match[3], match[4]):
        return Mark("date", start, match.end())
    return None


def _is_day(first: str, second: str, year: str) -> bool:
    one, two = int(first), int(second)
    return (
        1 <= one <= 31
        and 1 <= two <= 31
        and min(one, two) <= 12
        and (len(year) == 2 or year[:2] in ("19", "20"))
    )


def _named_month(text: str, start: int, end: int) -> Mark | None:
    if end - start > 4 or not text[start:end].isdecimal():
        return None
    value = int(text[start:end])
    if text[start - 1 : start] == " ":
        head = text[max(0, start - 13) : start - 1].rstrip(".")
        word = head[len(head.rstrip(_ABC)) :] if head.isascii() else head.rpartition(" ")[2]
        if word[:1].isupper() and word.lower() in MONTHS:
            first = start - 1 - len(text[max(0, start - 13) : start - 1]) + len(head) - len(word)
            if value > 31:
                return Mark("date", first, end) if 1900 <= value <= 2100 else None
            match = _DAY_YEAR.match(text, start)
            if match and 1 <= value <= 31:
                return Mark("date", first, match.end())
    if value > 31:
        return None
    match = (
        _DAY_MONTH.match(text, start)
        if text[end : end + 1].isalpha() or text[end : end + 1] in _DAY_SIGNS
        else None
    )
    if match and value and match[2].lower() in MONTHS and _is_month_here(match):
        last = match.end() if match[3] or text[match.end() - 1] != "." else match.end() - 1
        return Mark("date", start, last)
    return None


_SHORT_MONTHS: Final = frozenset(
    "mars mai juin août мая июня июля mei juni juli maja mayo maio mart ocak".split()
)


def _is_month_here(match: re.Match[str]) -> bool:
    """`may` and `mar` are words, too: they need a capital or a year."""
    word = match[2]
    return word[0].isupper() or match[3] is not None or len(word) > 4 or word.lower() in _SHORT_MONTHS
