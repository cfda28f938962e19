"""The merged overview: what every store had in a time, and all of them together."""

import time
from functools import reduce
from operator import add

from flask import Blueprint, render_template, request, url_for

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.fleet.merged_overview import FleetFigures, load_figures_of
from hermes_sessions.web.fleet.lists import after_asking, fleet, load_frame, stores_of
from hermes_sessions.web.overviews.overview import DEFAULT_RANGE, RANGES

overview = Blueprint("overview", __name__)
BLUEPRINTS = (overview,)


@overview.get("/overview")
def show() -> str:
    """Show the figures of each store in the chosen time."""
    chosen = request.args.get("range") or DEFAULT_RANGE
    if chosen not in RANGES:
        raise InvalidQueryError(f"range is one of {', '.join(RANGES)}")
    frame = load_frame()
    since = None if chosen == "all" else time.time() - 86_400 * int(chosen)
    rows = load_figures_of(fleet(), stores_of(frame), since)
    return render_template(
        "fleet/overview.html",
        frame=after_asking(frame),
        rows=rows,
        total=reduce(add, (one for _, one in rows), FleetFigures()),
        ranges=[(words, url_for(".show", range=key), key == chosen) for key, words in RANGES.items()],
    )
