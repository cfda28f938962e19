"""An overview as its page shows it: bars as geometry, tables, totals. Pure."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Protocol

from hermes_sessions.messages import ConversationKind
from hermes_sessions.store.queries.overview import ActiveDay, CompactionDay, Overview, OverviewGroup
from hermes_sessions.web.overviews.days import Period, Unit, choose_unit, cut, day_number
from hermes_sessions.web.overviews.overview_values import (
    HEIGHT,
    Bar,
    BarBlock,
    BarChart,
    GroupRow,
    Label,
    PeriodRow,
    Totals,
)
from hermes_sessions.web.text.filters import number, plural, short_number

TOP, BOTTOM = 16, 22
MAX_GROUPS = 12
"""Sources or models listed by name; the rest is one row."""

MAX_LABELS = 12
"""Names under an axis; a narrow screen shows every third."""

KINDS = tuple(str(kind) for kind in ConversationKind if kind is not ConversationKind.TRASH)
KIND_NAMES = {"chat": "chat", "delegate": "delegate", "scheduled": "scheduled run"}


def counts_by_agent(days: Sequence[CompactionDay]) -> bool:
    """Return whether the agents' own counts say more than the audit's estimates.

    One way of counting for all: an agent's count holds what it adds on the fly, ours does not.
    """
    told, measured = sum(day.told for day in days), sum(day.measured for day in days)
    return told > 0 and told >= measured


def total(found: Overview) -> Totals:
    """Add up what the groups say."""
    by_agent = counts_by_agent(found.compactions)
    sized = sum(day.told if by_agent else day.measured for day in found.compactions)
    saved = sum(day.told_saved if by_agent else day.measured_saved for day in found.compactions)
    return Totals(
        conversations=sum(group.conversations for group in found.sources),
        messages=sum(group.messages for group in found.sources),
        input_tokens=sum(group.input_tokens for group in found.sources),
        output_tokens=sum(group.output_tokens for group in found.sources),
        cost_usd=sum(group.cost_usd for group in found.sources),
        estimated=any(group.estimated for group in found.sources),
        compactions=sum(day.compactions for day in found.compactions),
        saved=saved if sized else None,
        sized=sized,
        counted="counted by the agent" if by_agent else "estimated",
        retained=found.retained,
    )


def group_rows(groups: Sequence[OverviewGroup]) -> tuple[GroupRow, ...]:
    """Return the largest groups by name and the rest as one row."""
    every = max(1, sum(group.messages for group in groups))
    named, rest = groups[:MAX_GROUPS], groups[MAX_GROUPS:]
    if len(rest) == 1:
        named, rest = groups, []
    rows = [_group_row(group.name, [group], every) for group in named]
    if rest:
        rows.append(_group_row(f"{len(rest)} others", rest, every, others=len(rest)))
    return tuple(rows)


def _group_row(name: str | None, groups: Sequence[OverviewGroup], every: int, *, others: int = 0) -> GroupRow:
    messages = sum(group.messages for group in groups)
    return GroupRow(
        name=name,
        conversations=sum(group.conversations for group in groups),
        messages=messages,
        input_tokens=sum(group.input_tokens for group in groups),
        output_tokens=sum(group.output_tokens for group in groups),
        cost_usd=sum(group.cost_usd for group in groups),
        estimated=any(group.estimated for group in groups),
        share=messages / every,
        others=others,
    )


# -- periods ---------------------------------------------------------------------------------------


class _ByDay(Protocol):
    """What was done by day, in one store or in many."""

    @property
    def days(self) -> tuple[ActiveDay, ...]:
        """Conversations by the day they were last active."""

    @property
    def compactions(self) -> tuple[CompactionDay, ...]:
        """Committed compactions."""


def period_rows(found: _ByDay, first: date, last: date) -> tuple[Unit, tuple[PeriodRow, ...]]:
    """Cut a time into as many periods as a chart has room for, oldest first."""
    unit = choose_unit(first, last)
    periods = cut(first, last, unit)
    starts = [day_number(one.first) for one in periods]
    counts: list[Counter[str]] = [Counter() for _ in periods]

    def at(day: int) -> Counter[str]:
        return counts[max(0, bisect_right(starts, day) - 1)]

    for active in found.days:
        at(active.day)[active.kind] += active.conversations
        at(active.day)["messages"] += active.messages
    by_agent = counts_by_agent(found.compactions)
    for day in found.compactions:
        at(day.day)["compactions"] += day.compactions
        at(day.day)["sized"] += day.told if by_agent else day.measured
        at(day.day)["saved"] += day.told_saved if by_agent else day.measured_saved
    return unit, tuple(_period_row(one, unit, sums) for one, sums in zip(periods, counts, strict=True))


def _period_row(period: Period, unit: Unit, counts: Mapping[str, int]) -> PeriodRow:
    return PeriodRow(
        name=period.name(unit),
        since=period.first.isoformat(),
        until=period.last.isoformat(),
        chat=counts["chat"],
        delegate=counts["delegate"],
        scheduled=counts["scheduled"],
        messages=counts["messages"],
        compactions=counts["compactions"],
        saved=counts["saved"] if counts["sized"] else None,
    )


# -- charts ----------------------------------------------------------------------------------------


def draw_activity(rows: Sequence[PeriodRow], unit: Unit) -> BarChart | None:
    """Draw conversations by the time they were last active, a tone per kind."""
    used = [kind for kind in KINDS if any(getattr(row, kind) for row in rows)]
    return _draw(
        rows,
        lambda row: [(kind, getattr(row, kind)) for kind in used],
        f"Conversations by the {unit} they were last active",
        _kinds_in_words,
        legend=tuple((kind, f"{KIND_NAMES[kind]}s") for kind in used) if len(used) > 1 else (),
    )


def _kinds_in_words(row: PeriodRow) -> str:
    counts = ((kind, getattr(row, kind)) for kind in KINDS)
    return ", ".join(plural(count, KIND_NAMES[kind]) for kind, count in counts if count)


def draw_compactions(rows: Sequence[PeriodRow], unit: Unit) -> BarChart | None:
    """Draw committed compactions."""
    return _draw(
        rows,
        lambda row: [("compaction", row.compactions)],
        f"Compactions per {unit}",
        lambda row: plural(row.compactions, "compaction"),
    )


def draw_savings(rows: Sequence[PeriodRow], unit: Unit, counted: str) -> BarChart | None:
    """Draw the tokens that compactions took out of their contexts."""
    return _draw(
        rows,
        lambda row: [("saving", max(0, row.saved or 0))],
        f"Tokens saved by compactions per {unit}, {counted}",
        lambda row: f"{short_number(row.saved)} tokens",
    )


Heights = Callable[[PeriodRow], list[tuple[str, int]]]


def _draw(
    rows: Sequence[PeriodRow],
    heights: Heights,
    caption: str,
    words: Callable[[PeriodRow], str],
    *,
    legend: tuple[tuple[str, str], ...] = (),
) -> BarChart | None:
    """Draw a bar per row; None where every bar would be empty."""
    sums = [sum(height for _, height in heights(row)) for row in rows]
    top = max(sums, default=0)
    if not top:
        return None
    step = 100 / len(rows)
    bars = []
    for index, row in enumerate(rows):
        if sums[index]:
            blocks = _blocks(heights(row), step * index, step, top)
            bars.append(Bar(f"{row.name}: {words(row)}", blocks))
    most = max(range(len(rows)), key=lambda index: sums[index])
    return BarChart(
        caption=caption,
        words=f"{caption}, from {rows[0].name} to {rows[-1].name}. Highest: {rows[most].name},"
        f" {words(rows[most])}. The table below has every figure.",
        bars=tuple(bars),
        across=_across(rows, step),
        floor=_y(0, top),
        ceiling=Label(_y(top, top), short_number(top) if top > 9_999 else number(top)),
        legend=legend,
    )


def _blocks(heights: Sequence[tuple[str, int]], x: float, step: float, top: int) -> tuple[BarBlock, ...]:
    width = round(min(4.0, step * 0.8), 3)
    left = round(x + (step - width) / 2, 3)
    blocks, reached = [], 0
    for tone, height in heights:
        if height:
            y = _y(reached + height, top)
            # What is there is seen, be it ever so little beside the highest bar.
            blocks.append(BarBlock(left, y, width, round(max(1.0, _y(reached, top) - y), 2), tone))
            reached += height
    return tuple(blocks)


def _y(value: float, top: float) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top, 1)


def _across(rows: Sequence[PeriodRow], step: float) -> tuple[Label, ...]:
    """Return names under the axis, so few that they do not touch."""
    every = -(-len(rows) // MAX_LABELS)
    return tuple(
        Label(round(step * (index + 0.5), 2), _short(rows[index].name))
        for index in range(0, len(rows), every)
        if 4 <= step * (index + 0.5) <= 96
    )


def _short(name: str) -> str:
    return name.removeprefix("week of ").rpartition(" ")[0] if name.count(" ") > 1 else name
