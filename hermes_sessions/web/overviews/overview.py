"""The overview: what was done in a time, in charts and tables; and its JSON twin."""

import time
from dataclasses import dataclass
from datetime import date, timedelta

from flask import Blueprint, Response, render_template, request, url_for

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.operations.documents.overview import overview_document
from hermes_sessions.store.queries.overview import Overview, OverviewQuery, active_span, load_overview
from hermes_sessions.web.overviews.days import clock_offsets, day_start, local_date
from hermes_sessions.web.overviews.overview_values import OverviewPage
from hermes_sessions.web.overviews.overview_view import (
    draw_activity,
    draw_compactions,
    draw_savings,
    group_rows,
    period_rows,
    total,
)
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.site.context import database

bp = Blueprint("overview", __name__)
RANGES = {"30": "30 days", "90": "90 days", "365": "A year", "all": "Everything"}
DEFAULT_RANGE = "90"


Known = tuple[float, float] | None
"""The first and the last time of activity, where any is known."""


@dataclass(frozen=True, slots=True)
class Span:
    """The days an overview is about, and the question to the store."""

    first: date
    last: date
    query: OverviewQuery


@bp.get("/overview")
def show() -> str:
    """Show what was done in the chosen time."""
    chosen = chosen_range()
    with database().read() as db:
        span = span_of_range(chosen, active_span(db))
        found = load_overview(db, span.query)
    return render_template("overview/show.html", page=_page(found, span, chosen))


@bp.get("/api/overview")
def document() -> Response:
    """Return the figures of the chosen time by day, source and model."""
    with database().read() as db:
        span = span_of_range(chosen_range(), active_span(db))
        found = load_overview(db, span.query)
    return respond(overview_document(found, span.first, span.last))


def chosen_range() -> str:
    """Return which time the address asks for.

    Raises:
        InvalidQueryError: it is none of `RANGES`.
    """
    chosen = request.args.get("range") or DEFAULT_RANGE
    if chosen not in RANGES:
        raise InvalidQueryError(f"range is one of {', '.join(RANGES)}")
    return chosen


def span_of_range(chosen: str, known: Known) -> Span:
    """Return the days up to today, none before the first activity, or all on which anything happened."""
    now = time.time()
    today = local_date(now)
    earliest, latest = known or (now, now)
    if chosen != "all":
        first = min(today, max(today - timedelta(days=int(chosen) - 1), local_date(earliest)))
        since, until = day_start(first), day_start(today + timedelta(days=1))
        offsets = clock_offsets(since, until)
        return Span(first, today, OverviewQuery(since=since, until=until, offsets=offsets))
    return Span(
        local_date(earliest), local_date(latest), OverviewQuery(offsets=clock_offsets(earliest, latest))
    )


def _page(found: Overview, span: Span, chosen: str) -> OverviewPage:
    unit, rows = period_rows(found, span.first, span.last)
    totals = total(found)
    ranges = tuple((label, url_for(".show", range=key), key == chosen) for key, label in RANGES.items())
    return OverviewPage(
        ranges=ranges,
        zone=time.strftime("%Z"),
        first=f"{span.first.day} {span.first:%b %Y}",
        last=f"{span.last.day} {span.last:%b %Y}",
        unit=str(unit),
        totals=totals,
        activity=draw_activity(rows, unit),
        compactions=draw_compactions(rows, unit),
        savings=draw_savings(rows, unit, totals.counted),
        periods=tuple(row for row in reversed(rows) if row.conversations or row.compactions),
        sources=group_rows(found.sources),
        models=group_rows(found.models),
        biggest=found.biggest,
        most_compacted=found.most_compacted,
        size=found.size,
    )
