"""The merged list and ledger, the stores themselves, and an id without its store."""

import time
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from sqlalchemy import Select, select
from werkzeug.wrappers import Response

from hermes_sessions import __version__
from hermes_sessions.audit.rules import get_rule
from hermes_sessions.errors import InvalidQueryError, NotFoundError, StoreUnavailableError
from hermes_sessions.operations.documents.following import HealthJson
from hermes_sessions.operations.fleet.merged_documents import (
    merged_ledger_document,
    merged_list_document,
    states_document,
)
from hermes_sessions.store.fleet.merged_lists import list_merged, list_merged_compactions
from hermes_sessions.store.fleet.merging import FleetCursor, InStore, MergedPage
from hermes_sessions.store.fleet.reading import ask
from hermes_sessions.store.fleet.together import StoreQuestion
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.conversation_order import ConversationOrder
from hermes_sessions.store.queries.conversations import ConversationListing, ConversationRow
from hermes_sessions.store.queries.ledger import CompactionListing
from hermes_sessions.store.schema.models import Session
from hermes_sessions.web.conversation.conversations import KIND_LABELS
from hermes_sessions.web.conversation.list_words import FILTER_LABELS, FILTER_WORDS, ORDERS, in_groups
from hermes_sessions.web.fleet.changes import current_number
from hermes_sessions.web.fleet.stores import after_asking, fleet, load_frame, stores_of
from hermes_sessions.web.fleet.values import FleetFrame, FleetIndex, FleetLedger
from hermes_sessions.web.overviews.ledger_words import FILTER_LABELS as LEDGER_LABELS
from hermes_sessions.web.overviews.ledger_words import FILTER_WORDS as LEDGER_WORDS
from hermes_sessions.web.overviews.ledger_words import choices
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.site.filter_tokens import filter_tokens
from hermes_sessions.web.site.keyboard import by_place
from hermes_sessions.web.site.site_values import Pager

# Named as in one store's viewer: the frame around all pages leads to these.
lists = Blueprint("conversations", __name__)
ledger = Blueprint("ledger", __name__)
health = Blueprint("api", __name__)
BLUEPRINTS = (lists, ledger, health)

_LISTED = ("store", "kind", *FILTER_LABELS, "sort", "limit")
_LEDGER = ("store", *LEDGER_LABELS, "sort", "limit")


@lists.get("/")
def index() -> str:
    """List the conversations of all stores, newest activity first."""
    filters: dict[str, Any] = _filters(_LISTED)
    frame, cursor = load_frame(), current_number()
    listing, found = _listed(frame)
    page = FleetIndex(
        frame=after_asking(frame),
        listing=listing,
        days=_days(found, by_time=listing.sort is ConversationOrder.ACTIVE),
        kinds=tuple(
            (words, url_for(".index", **{**filters, "kind": kind}), kind == listing.kind)
            for kind, words in KIND_LABELS.items()
        ),
        orders=tuple((order.value, words) for order, words in ORDERS.items()),
        filters=filters,
        tokens=_tokens(filters, FILTER_LABELS, FILTER_WORDS, ".index"),
        pager=_pager(found, ".index", filters),
        cursor=cursor,
    )
    return render_template("fleet/index.html", page=page)


@health.get("/api/conversations")
def conversations() -> Response:
    """Return one page of the merged list."""
    return respond(merged_list_document(_listed(load_frame())[1]))


def _listed(frame: FleetFrame) -> tuple[ConversationListing, MergedPage[ConversationRow]]:
    listing = ConversationListing.from_args(_without_place())
    return listing, list_merged(fleet(), listing, stores=stores_of(frame), **_cursors())


@lists.get("/c/<sid:public_id>")
def show(public_id: str) -> Response | tuple[str, int]:
    """Go to the conversation of a session's id; where several stores have one, ask which."""
    names = fleet().names
    statement: Select[Any] = select(Session.id.label("id")).where(Session.public_id == public_id).limit(1)
    rows = ask(fleet(), {name: StoreQuestion(statement) for name in names})
    found = sorted({store for store, _ in rows})
    if not found:
        raise NotFoundError(f"no store has a conversation or session with the id {public_id!r}")
    links = [(name, url_for("store.conversations.show", store=name, public_id=public_id)) for name in found]
    if len(links) == 1:
        return redirect(links[0][1])
    return render_template("fleet/choose.html", frame=load_frame(), public_id=public_id, links=links), 300


@ledger.get("/stores", endpoint="origins")
def stores() -> str:
    """List the stores, and why some are left out."""
    return render_template("fleet/stores.html", states=fleet().states())


@ledger.get("/api/stores", endpoint="api_origins")
def api_stores() -> Response:
    """Return how the stores are."""
    return respond(states_document(fleet().states()))


@ledger.get("/compactions")
def compactions() -> str:
    """List the compactions of all stores, newest first unless another order is asked for."""
    filters, frame = _filters(_LEDGER), load_frame()
    listing, found = _ledger_page(frame)
    page = FleetLedger(
        frame=after_asking(frame),
        listing=listing,
        rows=found.items,
        choices=choices(()),
        filters=filters,
        tokens=_tokens(filters, LEDGER_LABELS, LEDGER_WORDS, ".compactions"),
        pager=_pager(found, ".compactions", filters),
    )
    return render_template("fleet/compactions.html", page=page)


@health.get("/api/compactions", endpoint="compactions")
def api_compactions() -> Response:
    """Return one page of the merged ledger."""
    return respond(merged_ledger_document(_ledger_page(load_frame())[1]))


def _ledger_page(frame: FleetFrame) -> tuple[CompactionListing, MergedPage[ListedCompaction]]:
    listing = CompactionListing.from_args(_without_place())
    if listing.conversation is not None:
        raise InvalidQueryError("conversation: is of one store; ask that store's own ledger")
    if listing.rule is not None:
        get_rule(listing.rule)
    return listing, list_merged_compactions(fleet(), listing, stores=stores_of(frame), **_cursors())


@ledger.get("/help")
def help_page() -> str:
    """Explain the pages, the words and the keys."""
    return render_template("ledger/help.html", key_groups=by_place())


@health.get("/healthz")
def healthz() -> Any:
    """Say that the viewer and at least one of its stores answer."""
    if not fleet().names:
        raise StoreUnavailableError("none of the stores can be read")
    return respond(HealthJson(status="ok", version=__version__, streams=0))


def _days(
    found: MergedPage[ConversationRow], *, by_time: bool
) -> tuple[tuple[str, str, tuple[InStore[ConversationRow], ...]], ...]:
    of = {id(one.row): one for one in found.items}
    days = in_groups([one.row for one in found.items], time.time(), by_time=by_time)
    return tuple((key, words, tuple(of[id(row)] for row in rows)) for key, words, rows in days)


def _filters(names: tuple[str, ...]) -> dict[str, str]:
    return {name: request.args[name] for name in names if request.args.get(name)}


def _without_place() -> dict[str, str]:
    """Return what a listing is asked for but its cursors, which are not those of one store."""
    return {name: value for name, value in request.args.items() if name not in ("before", "after")}


def _cursors() -> dict[str, FleetCursor]:
    return {
        name: FleetCursor.parse(request.args[name]) for name in ("before", "after") if request.args.get(name)
    }


def _tokens(
    filters: Mapping[str, str],
    labels: Mapping[str, str],
    words: Mapping[tuple[str, str], str],
    endpoint: str,
) -> Any:
    return filter_tokens(filters, {"store": "Store", **labels}, lambda kept: url_for(endpoint, **kept), words)


def _pager(found: MergedPage[Any], endpoint: str, filters: Mapping[str, Any]) -> Pager:
    return Pager(
        previous=url_for(endpoint, **{**filters, "after": str(found.previous)}) if found.previous else None,
        next=url_for(endpoint, **{**filters, "before": str(found.next)}) if found.next else None,
    )
