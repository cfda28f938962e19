"""The merged list and ledger, the stores themselves, and an id without its store."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from sqlalchemy import Select, select
from werkzeug.wrappers import Response

from hermes_sessions import __version__
from hermes_sessions.audit.rules import get_rule
from hermes_sessions.errors import InvalidQueryError, NotFoundError, StoreUnavailableError
from hermes_sessions.operations.documents.following import HealthJson
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.merged_lists import list_merged, list_merged_compactions
from hermes_sessions.store.fleet.merging import FleetCursor, InStore, MergedPage
from hermes_sessions.store.fleet.reading import ask
from hermes_sessions.store.fleet.together import StoreQuestion
from hermes_sessions.store.queries.conversation_order import ConversationOrder
from hermes_sessions.store.queries.conversations import ConversationListing, ConversationRow
from hermes_sessions.store.queries.ledger import CompactionListing
from hermes_sessions.store.schema.models import Session
from hermes_sessions.web.conversation.conversations import KIND_LABELS
from hermes_sessions.web.conversation.list_words import FILTER_LABELS, FILTER_WORDS, ORDERS, in_groups
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

_LISTED = (
    "store", "kind", "title", "source", "model", "tag", "since", "until", "compacted", "archived", "sort",
    "limit",
)  # fmt: skip
_LEDGER = ("store", "realisation", "status", "method", "severity", "rule", "below", "sort", "limit")


@lists.get("/")
def index() -> str:
    """List the conversations of all stores, newest activity first."""
    filters: dict[str, Any] = _filters(_LISTED)
    frame = load_frame()
    listing = ConversationListing.from_args(filters)
    found = list_merged(fleet(), listing, stores=stores_of(frame), **_cursors())
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
    )
    return render_template("fleet/index.html", page=page)


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


@ledger.get("/compactions")
def compactions() -> str:
    """List the compactions of all stores, newest first unless another order is asked for."""
    filters, frame = _filters(_LEDGER), load_frame()
    listing = CompactionListing.from_args(filters)
    if listing.rule is not None:
        get_rule(listing.rule)
    found = list_merged_compactions(fleet(), listing, stores=stores_of(frame), **_cursors())
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


def fleet() -> Fleet:
    """Return the stores of this viewer."""
    found = current_app.extensions["hermes_sessions_fleet"]
    assert isinstance(found, Fleet)
    return found


def load_frame() -> FleetFrame:
    """Return what merged pages show of the stores.

    Raises:
        InvalidQueryError: the store that is asked for is none, or cannot be read.
    """
    names, chosen = fleet().names, request.args.get("store") or None
    if chosen is not None and chosen not in names:
        raise InvalidQueryError(f"store: there is none called {chosen!r} that can be read")
    return after_asking(FleetFrame(names=names, left_out=(), chosen=chosen))


def after_asking(frame: FleetFrame) -> FleetFrame:
    """Return the frame with the stores that are left out by now: a question may have found one broken."""
    return replace(frame, left_out=tuple(one for one in fleet().states() if one.problem is not None))


def stores_of(frame: FleetFrame) -> tuple[str, ...]:
    """Return the stores that a page asks."""
    return frame.names if frame.chosen is None else (frame.chosen,)


def _days(
    found: MergedPage[ConversationRow], *, by_time: bool
) -> tuple[tuple[str, str, tuple[InStore[ConversationRow], ...]], ...]:
    of = {id(one.row): one for one in found.items}
    days = in_groups([one.row for one in found.items], time.time(), by_time=by_time)
    return tuple((key, words, tuple(of[id(row)] for row in rows)) for key, words, rows in days)


def _filters(names: tuple[str, ...]) -> dict[str, str]:
    return {name: request.args[name] for name in names if request.args.get(name)}


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
