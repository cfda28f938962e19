"""Days and times of day that nobody named and that follow from none: accusations, whatever the words. Pure.

A source names a day in many forms, and some only by half (*the 28th*, *Friday*, *in two weeks*). So each is
read as widely as it may be meant, and a day of the handoff counts as unheard only where no reading has it.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Final

from hermes_sessions.audit.alignment.days import days_of
from hermes_sessions.audit.checking.asked_values import JudgedValue
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.figures.reckoned import AN_HOUR, is_day_reckoned
from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.unheard.accusing import accuse
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.quantities.amounts import read_clock, read_days
from hermes_sessions.facts.quantities.durations import read_durations
from hermes_sessions.facts.values import Fact
from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern

MonthDay = tuple[int, int]
"""Month and day; or hour and minute."""

_PAIR: Final = late_pattern(r"(?<!\d)(\d{1,2}) ?[-/.月월] ?(\d{1,2})(?!\d)")
_OF_YEAR: Final = late_pattern(r"(?<!\d)\d{4}[-/.年 ]{1,3}(\d{1,2})[-/.月 ]{1,3}(\d{1,2})(?!\d)")
_COMPACT: Final = late_pattern(r"(?<!\d)20\d\d([01]\d)([0-3]\d)(?!\d)")
_WORDS: Final = late_pattern(r"[^\W\d_]{3,12}")
_NUMBER: Final = late_pattern(r"(?<!\d)\d{1,2}(?!\d)")
_ORDINAL: Final = late_pattern(
    r"(?<![\d.,:])(\d{1,2})(?:st|nd|rd|th|\.(?!\d)|[日일º°ª]|er\b|-?(?:го|е|é|ème|e)\b| числа)", re.I
)
_RANGE: Final = late_pattern(r"(?<![\w.,:/–-])([0-3]?\d) ?[-–] ?([0-3]?\d)(?![\w:/–-]|[.,]\d| ?[^\W_])")
"""`This weekend, 18-19, ...`."""
_SOON: Final = late_pattern(
    r"\b(?:today|tonight|tomorrow|yesterday|heute|morgen|gestern|aujourd|demain|hier|hoy|mañana|ayer|hoje|amanhã|ontem|oggi|domani|ieri"
    r"|vandaag|gisteren|dzi[śs]\w*|jutr\w+|wczoraj|сегодня|завтра|вчера|bugün|yarın|dün"
    r"|(?:day|eve) (?:before|after|of)|next day|vortag\w*|tag (?:vor|nach|davor|danach)|veille|lendemain|víspera|véspera|vigilia"
    r"|d[ií]a (?:antes|anterior|después|depois|siguiente|seguinte)|giorno (?:prima|dopo)|dag (?:ervoor|erna|voor|na|daarvoor)"
    r"|dzień (?:przed|po)|накануне|следующ\w+ день|за день|ertesi gün|bir gün önce)\b"
    r"|今天|明天|昨天|今日|明日|昨日|后天|前一天|次日|前日|翌日|오늘|내일|어제|전날|다음 ?날",
    re.I,
)
"""Names a day by another one."""
_CLOCK: Final = late_pattern(r"(?<!\d)(\d{1,2}) ?(?:[:.hHu時时点點시]|Uhr) ?(\d{2})(?!\d)")
_CRON: Final = late_pattern(r"(?<![\d*/])(\d{1,2}) (\d{1,2})(?= [\d*])")
_HOUR: Final = late_pattern(
    r"(?<![\d.,:])(\d{1,2})(?= ?(?:[ap]\.?m\b|uhr|h\b|hrs?\b|o['’]clock|heures?\b|horas?\b|ore\b|uur\b|u\b|час|ч\b|утра|вечера|дня|ночи"
    r"|godz|[時时点點시]|saat|-))|(?:\b(?:at|um|à|las?|les?|al(?:le)?|às|as|в|во|o|om|by|until|till|after|before|since|from|between|and|to|gegen|ab|bis|nach|vor|und"
    r"|vers|dès|après|avant|entre|et|desde|hasta|tras|dalle|dopo|prima delle|entro|после|до|к|с|po|przed|od|do|na|vanaf|tot|voor|saat|noon)|[:–-]) ?(\d{1,2})(?![\d:.,]\d|\d)",
    re.I,
)
_NOON: Final = late_pattern(
    r"\b(?:noon|midday|midnight|mittags?|mitternachts?|midi|minuit|mediodía|medianoche|meio-dia|meia-noite|mezzogiorno|mezzanotte"
    r"|middag|middernacht|południe|północ\w*|полдень|полночь|öğle\w*|gece yarısı)\b|正午|零点|零時|자정|정오",
    re.I,
)
_PART: Final = late_pattern(
    r"\b(?:half|quarter|halb|viertel|dreiviertel|demie|quart|media|cuarto|meia|mezza|kwart|wpół|kwadrans|полови\w+|четверт\w+|buçuk|çeyrek)\b|[半반刻]",
    re.I,
)
"""Half past, a quarter to."""
_ZONE: Final = late_pattern(
    r"\b(?:utc|gmt|ces?t|[ecmp][sd]t|bst|i?jst|kst|msk|мск|wes?t|ees?t|zulu|(?:local|Berlin|London|York|Tokyo) time|ortszeit|heure locale|hora local)\b|[+-]0\d:?00|\dZ\b",
    re.I,
)
_NUMBER_AND_DAY: Final = late_pattern(r"\d{1,2} am (?-i:[A-ZÄÖÜ]|\d)")
"""`Hauptstraße 5 am Donnerstag` is no time of day."""
_SO_MANY_MONTHS: Final = late_pattern(
    r"(?<!\d)(\d{1,3})[ \u00a0-]?(?:months?|monate?n?|mois|mes(?:es)?|mês|mes[ei]|maand\w*|месяц\w*|ay\b|miesi\w*|个月|か月|ヶ月|カ月|개월)",
    re.I,
)
BOUND: Final = late_pattern(
    r"\b(?:before|by|until|till|after|past|around|about|towards|shortly|vor|bis|nach|gegen|kurz|um|avant|après|vers|jusqu\w*|antes|hasta|después|hacia|até|depois|prima|entro|dopo|verso|voor|rond|tegen|przed|około|do|po|до|после|около|к)\b"
    r"|之前|以前|前|左右|まで|頃|ごろ|すぎ|過ぎ|전|까지|쯤",
    re.I,
)
"""What only bounds a time, or is not exact about it."""
FULL_OR_HALF: Final = frozenset({0, 30})
"""The minutes of a time that may bound one that is told exactly."""
_ROUND: Final = 5
"""A time that is not exact is told in so many minutes."""
_DAY_BEHIND: Final = late_pattern(r"\.? ?\d{1,2}(?!\d)")
_DAY_BEFORE: Final = late_pattern(r"(?<!\d)\d{1,2}(?:\.|st|nd|rd|th|er|º)? ?(?:de |of |di )?$")
_DAY_SIGNS: Final = 9
_QUARTERS: Final = frozenset({15, 30, 45})
_HALF_DAY: Final = 12
_HOURS: Final = 24
_HOUR_LONG: Final = 60
_DAY: Final = _HOURS * _HOUR_LONG
_NEAR: Final = 24
_FORTNIGHT: Final = 14
_MONTHS: Final = 12
_READ: Final = frozenset({"date", "time"})
_LEAP_YEAR: Final = 2_024
_YEARS: Final = (2_024, 2_025, 2_026, 2_027)


def unheard_days(
    found: Sequence[Deviation],
    judged: Iterable[JudgedValue],
    source: SourceIndex,
    rows: Sequence[AuditMessage] = (),
) -> list[Deviation]:
    """Return *found* with an accusation for each day and time of the handoff that its source has in no form.

    A note about it becomes the accusation where it knows what the source has in its place; what is only
    planned is left out, and so are the days on which *rows* were stored. One that is accused for the day of its
    line, or for the only one of its source, becomes a note where that line, or the source, has it in numbers alone.
    """
    heard = _Heard(source, rows)
    found = [
        one._replace(grade=Grade.NOT_VERBATIM, grave=False)
        if one.kind == "date" and _is_half_said(one, heard)
        else one
        for one in found
    ]
    named = (one for one, mode in judged if mode is Mode.STATED and one.kind in _READ)
    unheard = (one for one in named if not heard.may_mean(one.kind, one.value, one.text))
    return accuse(found, ((one.kind, one.value, one.text) for one in unheard))


class _Heard:
    """The days and times of a source, read as widely as they may be meant; each only once it is asked for."""

    def __init__(self, source: SourceIndex, rows: Sequence[AuditMessage]) -> None:
        self._source = source
        self._rows = rows

    def may_mean(self, kind: str, value: str, line: str) -> bool:
        """Return whether the source may name a day or a time, or one from which it follows."""
        if kind == "date":
            days = [one for one in read_days(value) if one[2] and 1 <= one[1] <= _MONTHS]
            return not days or any(self._has_day(one, value, line) for one in days)
        clock = read_clock(value)
        if _NUMBER_AND_DAY.match(line, max(0, line.find(value))):
            return True
        return clock is None or self._has_time(clock[0] % _HOURS, clock[1], line)

    def has_half(self, value: str) -> bool:
        """Return whether the source has a day in numbers alone, or as an end of a range: *09/1*, *18-19*."""
        return any(day[1:] in self._days or day[2] in self._ranges for day in read_days(value))

    def _has_day(self, day: tuple[int, int, int], value: str, line: str) -> bool:
        month_day = day[1:]
        if month_day in self._days or day[2] in self._loose_days:
            return True
        rest = line.replace(value, " ")
        days = self._named_days | {one for fact in extract_text_facts(rest) for one in _days_of(fact)}
        if is_day_reckoned(value, (*self._texts, rest), days):
            return True
        return self._is_near(day) or self._bounds_a_month(day)

    def _bounds_a_month(self, day: tuple[int, int, int]) -> bool:
        """Return whether a day is the first or the last one of a month that is named, or so many months from one."""
        year, month, of_month = day
        if of_month != 1 and of_month != monthrange(year or _LEAP_YEAR, month)[1]:
            return False
        counts = {int(count) for text in self._texts for count in _SO_MANY_MONTHS.findall(text)}
        apart = {0, *((count - off) % _MONTHS for count in counts for off in (0, 1))}
        return any((month - named) % _MONTHS in apart for named in self._months)

    def _is_near(self, day: tuple[int, int, int]) -> bool:
        """Return whether a day follows from another one, by the name of a weekday or by words as *tomorrow*."""
        apart = min((_apart(day[1:], other) for other in self._days), default=0)
        if apart <= 2 and any(map(_SOON.search, self._texts)):
            return True
        if apart > _FORTNIGHT:
            return False
        years = (day[0],) if day[0] else _YEARS
        return not self._weekdays.isdisjoint(_weekday(year, *day[1:]) for year in years)

    def _has_time(self, hour: int, minute: int, line: str) -> bool:
        if (hour, minute) in self._times or (minute == 0 and hour in self._hours):
            return True
        if minute in _QUARTERS and any(map(_PART.search, self._texts)):
            return True
        if minute == 0 and hour % _HALF_DAY == 0 and any(map(_NOON.search, self._texts)):
            return True
        if (
            self._is_bound(hour, minute, line)
            or self._has_zone(minute, line)
            or self._is_length(hour, minute, line)
        ):
            return True
        if any(past == minute for _, past in self._times) and any(map(AN_HOUR.search, self._texts)):
            return True
        own = hour * _HOUR_LONG + minute
        if own in self._seconds:
            return True  # minutes and seconds: 2:10 for 2m10s
        lengths = self._lengths | {round(one.seconds / 60) for one in read_durations(line)}
        return any((own - at * _HOUR_LONG - past) % _DAY in lengths for at, past in self._times) or any(
            (at * _HOUR_LONG + past - own) % _DAY in lengths for at, past in self._times
        )

    def _is_bound(self, hour: int, minute: int, line: str) -> bool:
        """Return whether a time only bounds one of the source that is near: *before three*, *around 2:50* for 2:47.

        A full or a half hour does so within an hour, any other five minutes within five.
        """
        own = hour * _HOUR_LONG + minute
        if minute % _ROUND or BOUND.search(line) is None:
            return False
        is_half = minute in FULL_OR_HALF
        exact = (
            at * _HOUR_LONG + past
            for at, past in self._times
            if (past not in FULL_OR_HALF if is_half else past % _ROUND)
        )
        reach = _HOUR_LONG if is_half else _ROUND
        return any(min((own - one) % _DAY, (one - own) % _DAY) < reach for one in exact)

    def _is_length(self, hour: int, minute: int, line: str) -> bool:
        """Return whether a time in brackets is as long as something takes: *half a day's ride (11:29)*."""
        length = hour * _HOUR_LONG + minute
        if not re.search(rf"[(（]\W{{0,2}}0?{hour}[:.]{minute:02}\b", line):
            return False
        clocks = [at * _HOUR_LONG + past for at, past in self._times]
        return length in self._lengths or any(
            (one - other) % _DAY == length for one in clocks for other in clocks
        )

    def _has_zone(self, minute: int, line: str) -> bool:
        is_known = any(past == minute for _, past in self._times) or (minute == 0 and bool(self._hours))
        return is_known and (_ZONE.search(line) is not None or any(map(_ZONE.search, self._texts)))

    @cached_property
    def _texts(self) -> Sequence[str]:
        return [text for _, text in self._source.texts]

    @cached_property
    def _named_days(self) -> frozenset[tuple[int, int, int]]:
        """The days that are named whole, with their years."""
        return frozenset(day for told in self._source.by_kind.get("date", ()) for day in _days_of(told.fact))

    @cached_property
    def _days(self) -> frozenset[MonthDay]:
        found = {day[1:] for day in self._named_days}
        for text in self._texts:
            for shape in (_PAIR, _OF_YEAR, _COMPACT):
                for match in shape.finditer(text):
                    one, other = int(match[1]), int(match[2])
                    found |= {(one, other), (other, one)}
        found |= {day for row in self._rows if row.created_at for day in _days_at(row.created_at)}
        return frozenset((month, day) for month, day in found if 1 <= month <= _MONTHS)

    @cached_property
    def _months(self) -> frozenset[int]:
        """The months that are named without a day."""
        return frozenset(
            MONTHS[word]
            for text in self._texts
            for found in _WORDS.finditer(text)
            if (word := found.group().lower()) in MONTHS
            and not _DAY_BEHIND.match(text, found.end())
            and not _DAY_BEFORE.search(text, max(0, found.start() - _DAY_SIGNS), found.start())
        )

    @cached_property
    def _loose_days(self) -> frozenset[int]:
        """Numbers that may be those of days: near the name of a month, or with the sign of an ordinal."""
        found = set[int]()
        for text in self._texts:
            found |= {int(match[1]) for match in _ORDINAL.finditer(text)}
            found |= set(_numbers_near(text))
        return frozenset(found) | self._ranges

    @cached_property
    def _ranges(self) -> frozenset[int]:
        """The ends of ranges without a unit."""
        return frozenset(end for text in self._texts for end in _ends_of_ranges(text))

    @cached_property
    def _weekdays(self) -> frozenset[int]:
        return frozenset(day for text in self._texts for day in days_of(text))

    @cached_property
    def _times(self) -> frozenset[MonthDay]:
        clocks = (read_clock(told.fact.value) for told in self._source.by_kind.get("time", ()))
        found = {clock[:2] for clock in clocks if clock}
        for text in self._texts:
            found |= {(int(match[1]), int(match[2])) for match in _CLOCK.finditer(text)}
            found |= {(int(match[2]), int(match[1])) for match in _CRON.finditer(text)}
        return frozenset(
            each
            for hour, minute in found
            for each in ((hour % _HOURS, minute), ((hour + _HALF_DAY) % _HOURS, minute))
        )

    @cached_property
    def _hours(self) -> frozenset[int]:
        found = {int(match[1] or match[2]) for text in self._texts for match in _HOUR.finditer(text)}
        return frozenset(each % _HOURS for hour in found for each in (hour, hour + _HALF_DAY))

    @cached_property
    def _seconds(self) -> frozenset[int]:
        """Seconds that something takes."""
        return frozenset(map(round, self._durations))

    @cached_property
    def _lengths(self) -> frozenset[int]:
        """Minutes that something takes."""
        return frozenset(round(seconds / 60) for seconds in self._durations)

    @cached_property
    def _durations(self) -> frozenset[float]:
        return frozenset(one.seconds for text in self._texts for one in read_durations(text))


def _is_half_said(one: Deviation, heard: _Heard) -> bool:
    """Return whether a day may be meant by numbers alone: of its line's own ones, or of any where it is the only one."""
    if one.rule == "same-line":
        return not {day[2] for day in read_days(one.value)}.isdisjoint(_ends_of_ranges(one.source_line))
    return one.rule == "only-value" and heard.has_half(one.value)


def _ends_of_ranges(text: str) -> Iterator[int]:
    """Yield the ends of ranges without a unit."""
    for ends in _RANGE.findall(text):
        first, last = map(int, ends)
        if first < last:
            yield from (first, last)


def _days_of(fact: Fact) -> frozenset[tuple[int, int, int]]:
    return read_days(fact.value) if fact.kind == "date" else frozenset()


def _numbers_near(text: str) -> Iterator[int]:
    for word in _WORDS.finditer(text):
        if word.group().lower() in MONTHS:
            near = text[max(0, word.start() - _NEAR) : word.end() + _NEAR]
            yield from map(int, _NUMBER.findall(near))


def _days_at(moment: float) -> Iterator[MonthDay]:
    """Yield the days that it may be somewhere at a moment, in seconds since 1970."""
    try:
        noon = datetime.fromtimestamp(moment, UTC)
        days = [noon + timedelta(hours=hours) for hours in (-_HALF_DAY, 0, _HALF_DAY)]
    except (ValueError, OverflowError, OSError):  # an agent stored what is no moment
        return
    yield from ((day.month, day.day) for day in days)


def _apart(one: MonthDay, other: MonthDay) -> int:
    try:
        apart = abs((date(_LEAP_YEAR, *one) - date(_LEAP_YEAR, *other)).days)
    except ValueError:
        return _DAY
    return min(apart, 366 - apart)


def _weekday(year: int, month: int, day: int) -> int:
    try:
        return date(year, month, day).weekday()
    except ValueError:
        return -1
