"""Local days: where they begin, how clocks change, which bars a time is cut into. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from hermes_sessions.store.queries.overview import DAY_SECONDS, Offset

EPOCH = date(1970, 1, 1)
STEP_DAYS = 7
"""How far apart a zone's clocks are looked at; no zone changes them twice in less."""

MAX_DAY_BARS, MAX_WEEK_BARS, MAX_MONTH_BARS = 100, 110, 240


class Unit(StrEnum):
    """What one bar stands for."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Period:
    """The days of one bar, the last one included."""

    first: date
    last: date

    def name(self, unit: Unit) -> str:
        """Return the period in words: "12 Mar 2026", "Mar 2026"."""
        if unit is Unit.YEAR:
            return str(self.first.year)
        if unit is Unit.MONTH:
            return f"{self.first:%b %Y}"
        begins = f"{self.first.day} {self.first:%b %Y}"
        return begins if unit is Unit.DAY else f"week of {begins}"


def local_date(at: float) -> date:
    """Return the local day of a time."""
    return datetime.fromtimestamp(at, UTC).astimezone().date()


def day_start(day: date) -> float:
    """Return the time at which a local day begins."""
    return datetime(day.year, day.month, day.day).astimezone().timestamp()


def day_number(day: date) -> int:
    """Return the number of a day, as the store counts days: from 1 January 1970."""
    return (day - EPOCH).days


def clock_offsets(since: float, until: float) -> tuple[Offset, ...]:
    """Return the local clock's offset at *since* and at each change up to *until*."""
    found = [Offset(since, _ahead(since))]
    at = since
    while at < until:
        upcoming = min(until, at + STEP_DAYS * DAY_SECONDS)
        if _ahead(upcoming) != _ahead(at):
            found.append(_change(at, upcoming))
        at = upcoming
    return tuple(found)


def _change(low: float, high: float) -> Offset:
    """Return the change between two times, to the second."""
    while high - low > 1:
        middle = (low + high) // 2
        if _ahead(middle) == _ahead(low):
            low = middle
        else:
            high = middle
    return Offset(float(int(high)), _ahead(high))


def _ahead(at: float) -> int:
    offset = datetime.fromtimestamp(at, UTC).astimezone().utcoffset()
    return int(offset.total_seconds()) if offset else 0


# -- bars ------------------------------------------------------------------------------------------


def choose_unit(first: date, last: date) -> Unit:
    """Return the smallest unit that needs few enough bars."""
    days = (last - first).days + 1
    if days <= MAX_DAY_BARS:
        return Unit.DAY
    if days <= MAX_WEEK_BARS * 7:
        return Unit.WEEK
    return Unit.MONTH if days <= MAX_MONTH_BARS * 30 else Unit.YEAR


def cut(first: date, last: date, unit: Unit) -> tuple[Period, ...]:
    """Cut a time into periods that follow each other and hold every day of it.

    The first and the last period end where the time does.
    """
    return tuple(_periods(first, last, unit))


def _periods(first: date, last: date, unit: Unit) -> Iterator[Period]:
    begins = first
    while begins <= last:
        following = _next(begins, unit)
        yield Period(begins, min(last, following - timedelta(days=1)))
        begins = following


def _next(day: date, unit: Unit) -> date:
    if unit is Unit.DAY:
        return day + timedelta(days=1)
    if unit is Unit.WEEK:
        return day + timedelta(days=7 - day.weekday())
    if unit is Unit.MONTH:
        return date(day.year + day.month // 12, day.month % 12 + 1, 1)
    return date(day.year + 1, 1, 1)
