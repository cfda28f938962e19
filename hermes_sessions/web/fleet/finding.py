"""The merged search page and its JSON twin."""

from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Final

from flask import Blueprint, Response, render_template, request, url_for

from hermes_sessions.errors import AmbiguousIdError, InvalidQueryError
from hermes_sessions.operations.fleet.merged_results import (
    MergedResults,
    merged_search_document,
    run_merged_search,
)
from hermes_sessions.operations.search import highlighter_of
from hermes_sessions.store.searching.message_hits import Search
from hermes_sessions.web.fleet.stores import after_asking, fleet, load_frame, stores_of
from hermes_sessions.web.fleet.values import FleetHits, FleetSearch
from hermes_sessions.web.searching.hit_lines import readable
from hermes_sessions.web.searching.search import (
    GROUPS,
    HITS_PER_GROUP,
    NAMED_PER_PAGE,
    chosen_limit,
    chosen_order,
)
from hermes_sessions.web.serving.respond import respond

search = Blueprint("search", __name__)
BLUEPRINTS = (search,)
HITS: Final = 60
"""How many hits, newest first, one page looks at to fill its groups."""


@search.get("/search")
def index() -> str | tuple[str, int]:
    """Show the search box, and what its query finds in all stores."""
    typed = request.args.get("q", "")
    blank = FleetSearch(frame=load_frame(), typed=typed)
    if not typed.strip():
        return render_template("fleet/search.html", page=blank)
    try:
        page = _answer(blank)
    except (InvalidQueryError, AmbiguousIdError) as error:
        page = replace(blank, problem=str(error).removeprefix("search: "))
        return render_template("fleet/search.html", page=page), 400
    return render_template("fleet/search.html", page=page)


@search.get("/api/search")
def document() -> Response:
    """Return one page of hits of all stores."""
    frame = load_frame()
    asked = _asked(request.args.get("q", ""), chosen_limit())
    return respond(merged_search_document(run_merged_search(fleet(), asked, stores=stores_of(frame))))


def _asked(typed: str, limit: int) -> Search:
    now, after = datetime.now().astimezone(), request.args.get("after") or None
    return Search.of(typed, now, order=chosen_order(), limit=limit, cursor=after)


def _answer(blank: FleetSearch) -> FleetSearch:
    asked = _asked(blank.typed, HITS)
    if asked.query.scope.titles:
        asked = replace(asked, limit=NAMED_PER_PAGE)
    found = run_merged_search(
        fleet(), asked, stores=stores_of(blank.frame), conversations=GROUPS, of_each=HITS_PER_GROUP
    )
    return replace(
        blank,
        frame=after_asking(blank.frame),
        conversations=found.conversations,
        all_conversations=_link(blank, found.more_named),
        titles_alone=bool(asked.query.scope.titles),
        groups=_groups(found),
        notes=found.notes,
        first_page=asked.cursor is None,
        next=_link(blank, blank.typed, found.next) if found.next else None,
    )


def _groups(found: MergedResults) -> tuple[FleetHits, ...]:
    highlighter = highlighter_of(found.search.query)
    places = {key: at for at, key in enumerate(found.counts)}
    messages = sorted(found.messages, key=lambda each: places[each.store, each.one.conversation.id])
    return tuple(
        FleetHits(
            store=store,
            conversation=own[0].one.conversation,
            hits=tuple(readable(each.one, highlighter) for each in own),
            count=found.counts[store, key],
        )
        for (store, key), some in groupby(messages, lambda each: (each.store, each.one.conversation.id))
        for own in [list(some)]
    )


def _link(blank: FleetSearch, typed: str | None, after: str | None = None) -> str | None:
    if typed is None:
        return None
    return url_for("search.index", q=typed, store=blank.frame.chosen, after=after)
