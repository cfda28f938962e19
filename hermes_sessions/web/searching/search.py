"""The search page and its JSON twin."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from flask import Blueprint, Response, render_template, request, url_for
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import AmbiguousIdError, InvalidQueryError
from hermes_sessions.operations.search import FoundMessage, results, run_search, search_document
from hermes_sessions.store.queries.conversations import Facets, list_facets
from hermes_sessions.store.searching.message_hits import (
    MAX_LIMIT,
    HitPage,
    MessageHit,
    Order,
    Search,
    find_carriers,
    find_hits,
)
from hermes_sessions.store.searching.title_hits import COUNTED, find_named
from hermes_sessions.web.searching.hit_lines import readable, repeats_its_reply
from hermes_sessions.web.searching.hits_bar import quoted, read_highlighter
from hermes_sessions.web.searching.search_values import Choice, HitGroup, SearchPage
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.site.context import database

bp = Blueprint("search", __name__)

GROUPS: Final = 12
HITS_PER_GROUP: Final = 3
SCANNED: Final = 400
"""How many hits, newest first, one page looks at to fill its groups."""
RANKED_PER_PAGE: Final = 40
NAMED_PER_PAGE: Final = 50
_CHOICES: Final = (
    ("Who", (("you", "role:user"), ("assistant", "role:assistant"), ("tools", "role:tool"))),
    ("Where", (("handoffs", "in:handoff"), ("archived", "in:archived"), ("titles", "in:title"))),
    ("Holds", (("an error", "has:error"), ("code", "has:code"), ("a link", "has:link"))),
    ("When", (("today", "after:today"), ("7 days", "after:7d"), ("30 days", "after:30d"))),
)


@bp.get("/search")
def index() -> str | tuple[str, int]:
    """Show the search box, and what its query finds."""
    typed, order = request.args.get("q", ""), chosen_order()
    with database().read() as db:
        facets = list_facets(db)
        blank = SearchPage(
            facets=facets,
            typed=typed,
            order=order,
            orders=_orders(typed, order),
            choices=_choices(typed, order, facets),
        )
        if not typed.strip():
            return render_template("search/index.html", page=blank)
        try:
            page = _answer(db, blank, order)
        except (InvalidQueryError, AmbiguousIdError) as error:
            problem = str(error).removeprefix("search: ")
            return render_template("search/index.html", page=replace(blank, problem=problem)), 400
    return render_template("search/index.html", page=page)


@bp.get("/api/search")
def document() -> Response:
    """Return one page of hits."""
    search = Search.of(
        request.args.get("q", ""),
        _now(),
        order=chosen_order(),
        limit=chosen_limit(),
        cursor=request.args.get("after") or None,
    )
    with database().read() as db:
        return respond(search_document(run_search(db, search)))


# -- one page --------------------------------------------------------------------------------------


def _answer(db: sa_orm.Session, blank: SearchPage, order: Order) -> SearchPage:
    cursor = request.args.get("after") or None
    size = RANKED_PER_PAGE if order is Order.RELEVANCE else SCANNED
    search = Search.of(blank.typed, _now(), order=order, limit=size, cursor=cursor)
    if search.query.scope.titles:
        search = replace(search, limit=NAMED_PER_PAGE)
    found = find_hits(db, search)
    if order is Order.NEWEST:
        found = _first_groups(found)
    by_conversation: dict[int, list[MessageHit]] = {}
    for hit in found.hits:
        by_conversation.setdefault(hit.conversation_id, []).append(hit)
    carriers = find_carriers(db, found.hits)
    for hits in by_conversation.values():
        hits.sort(key=lambda hit: hit.id in carriers)  # what was said comes before what sums it up
    shown = [hit for hits in by_conversation.values() for hit in hits[:HITS_PER_GROUP]]
    loaded = results(db, search, replace(found, hits=tuple(shown)), find_named(db, search))
    groups = [
        _group(blank.typed, order, hits, own)
        for key, hits in by_conversation.items()
        if (own := [one for one in loaded.messages if one.conversation.id == key])
    ]
    return replace(
        blank,
        conversations=loaded.conversations,
        conversations_total=loaded.conversations_total,
        more_conversations=loaded.more_conversations,
        many_conversations=(loaded.conversations_total or 0) >= COUNTED,
        all_conversations=_all_named(loaded.conversations_query),
        titles_alone=bool(search.query.scope.titles),
        groups=tuple(groups),
        next=_page_link(blank.typed, order, loaded.next),
        first_page=cursor is None,
        looked_at=found.looked_at,
        cut_short=found.cut_short,
        notes=loaded.notes,
    )


def _group(typed: str, order: Order, hits: Sequence[MessageHit], loaded: Sequence[FoundMessage]) -> HitGroup:
    """Return the hits of one conversation; a reply that its handoff's row repeats is found once."""
    highlighter = read_highlighter({"q": typed})
    known = {hit.id for hit in hits}
    twice = {one.row.id for one in loaded if one.row.copy_of in known and repeats_its_reply(one, highlighter)}
    row = loaded[0].conversation
    query = f"{typed} conv:{quoted(row.public_id)}"
    return HitGroup(
        conversation=row,
        hits=tuple(readable(one, highlighter) for one in loaded if one.row.id not in twice),
        count=len(hits) - len(twice),
        all_link=url_for("search.index", q=query, order=_unless_default(order)),
    )


def _first_groups(found: HitPage) -> HitPage:
    """Keep the hits of the first few conversations; the next page goes on behind them."""
    seen: set[int] = set()
    for at, hit in enumerate(found.hits):
        seen.add(hit.conversation_id)
        if len(seen) > GROUPS:
            return replace(found, hits=found.hits[:at], next=str(found.hits[at - 1].key), cut_short=False)
    return found


def _all_named(query: str | None) -> str | None:
    return None if query is None else url_for("search.index", q=query)


def _page_link(typed: str, order: Order, cursor: str | None) -> str | None:
    if cursor is None:
        return None
    return url_for("search.index", q=typed, order=_unless_default(order), after=cursor)


def _unless_default(order: Order) -> str | None:
    return None if order is Order.NEWEST else str(order)


def _orders(typed: str, order: Order) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            label=label,
            link=url_for("search.index", q=typed, order=_unless_default(one)),
            chosen=order is one,
        )
        for one, label in ((Order.NEWEST, "Newest first"), (Order.RELEVANCE, "By relevance"))
    )


def _choices(typed: str, order: Order, facets: Facets) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    groups = [(label, [_choice(typed, order, *one) for one in words]) for label, words in _CHOICES]
    for name, values in (("source", facets.sources), ("origin", facets.origins)):
        if len(values) > 1:
            found = [_choice(typed, order, value[:40], f"{name}:{quoted(value)}") for value in values[:8]]
            groups.append((name.capitalize(), found))
    return tuple((label, tuple(found)) for label, found in groups)


def _choice(typed: str, order: Order, label: str, word: str) -> Choice:
    chosen = f" {word} " in f" {typed} "
    changed = f" {typed} ".replace(f" {word} ", " ") if chosen else f"{typed} {word}"
    link = url_for("search.index", q=changed.strip(), order=_unless_default(order))
    return Choice(label=label, link=link, chosen=chosen)


# -- query strings ---------------------------------------------------------------------------------


def _now() -> datetime:
    return datetime.now().astimezone()


def chosen_order() -> Order:
    """Return the order that a query string asks for."""
    try:
        return Order(request.args.get("order") or Order.NEWEST)
    except ValueError:
        raise InvalidQueryError(f"order is one of {', '.join(Order)}") from None


def chosen_limit() -> int:
    """Return how many hits a query string asks for."""
    given = request.args.get("limit") or "50"
    if not (given.isascii() and given.isdigit()) or not 1 <= int(given[:9]) <= MAX_LIMIT:
        raise InvalidQueryError(f"limit is a number from 1 to {MAX_LIMIT}")
    return int(given)
