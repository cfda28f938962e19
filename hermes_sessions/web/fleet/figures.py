"""The merged overview: what every store had in a time, and all of them together."""

import time
from dataclasses import dataclass
from functools import reduce
from operator import add

from flask import Blueprint, Response, render_template, url_for

from hermes_sessions.operations.fleet.merged_documents import merged_overview_document
from hermes_sessions.store.fleet.merged_overview import (
    FleetFigures,
    load_days_of,
    load_figures_of,
    span_of,
)
from hermes_sessions.web.fleet.stores import after_asking, fleet, load_frame, stores_of
from hermes_sessions.web.fleet.values import FleetFrame
from hermes_sessions.web.overviews.overview import RANGES, Span, chosen_range, span_of_range
from hermes_sessions.web.overviews.overview_values import BarChart, PeriodRow
from hermes_sessions.web.overviews.overview_view import (
    counts_by_agent,
    draw_activity,
    draw_compactions,
    draw_savings,
    period_rows,
)
from hermes_sessions.web.serving.respond import respond

overview = Blueprint("overview", __name__)
BLUEPRINTS = (overview,)


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetOverview:
    """`fleet/overview.html`: the figures of each store, and the charts of all together."""

    rows: tuple[tuple[str, FleetFigures], ...]
    total: FleetFigures
    ranges: tuple[tuple[str, str, bool], ...]
    """(label, link, current) of each time that can be chosen."""
    first: str
    last: str
    zone: str
    unit: str
    charts: tuple[BarChart, ...]
    periods: tuple[PeriodRow, ...]
    """Those in which something happened, newest first."""


@overview.get("/overview")
def show() -> str:
    """Show the figures of each store in the chosen time, and what was done by day."""
    chosen, frame = chosen_range(), load_frame()
    page = _page(chosen, frame)
    return render_template("fleet/overview.html", frame=after_asking(frame), page=page)


@overview.get("/api/overview")
def document() -> Response:
    """Return the figures of each store in the chosen time."""
    chosen, frame = chosen_range(), load_frame()
    return respond(merged_overview_document(_figures(_span(chosen, frame), frame)))


def _page(chosen: str, frame: FleetFrame) -> FleetOverview:
    span = _span(chosen, frame)
    rows = _figures(span, frame)
    found = load_days_of(fleet(), stores_of(frame), span.query)
    unit, periods = period_rows(found, span.first, span.last)
    counted = "counted by the agent" if counts_by_agent(found.compactions) else "estimated"
    charts = (
        draw_activity(periods, unit),
        draw_compactions(periods, unit),
        draw_savings(periods, unit, counted),
    )
    return FleetOverview(
        rows=rows,
        total=reduce(add, (one for _, one in rows), FleetFigures()),
        ranges=tuple((words, url_for(".show", range=key), key == chosen) for key, words in RANGES.items()),
        first=f"{span.first.day} {span.first:%b %Y}",
        last=f"{span.last.day} {span.last:%b %Y}",
        zone=time.strftime("%Z"),
        unit=str(unit),
        charts=tuple(one for one in charts if one is not None),
        periods=tuple(row for row in reversed(periods) if row.conversations or row.compactions),
    )


def _span(chosen: str, frame: FleetFrame) -> Span:
    return span_of_range(chosen, span_of(fleet(), stores_of(frame)))


def _figures(span: Span, frame: FleetFrame) -> tuple[tuple[str, FleetFigures], ...]:
    return load_figures_of(fleet(), stores_of(frame), span.query.since, span.query.until)
