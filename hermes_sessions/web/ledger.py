"""The ledger of all compactions, the origins, and the help page."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from hermes_sessions.audit.rules import get_rule
from hermes_sessions.errors import NotFoundError
from hermes_sessions.store.queries.compactions import find_compaction
from hermes_sessions.store.queries.ledger import CompactionListing, list_compactions
from hermes_sessions.store.queries.origins import list_labels, list_origins
from hermes_sessions.store.queries.paging import Place
from hermes_sessions.store.queries.windows import View
from hermes_sessions.web.context import database, sync_status
from hermes_sessions.web.conversations import pager
from hermes_sessions.web.keys import by_place
from hermes_sessions.web.ledger_words import choices, headings
from hermes_sessions.web.pages import LedgerPage, OriginsPage
from hermes_sessions.web.reading import primary_up, replica_states
from hermes_sessions.web.transcript import place_in_session

bp = Blueprint("ledger", __name__)

_FILTERS = (
    "conversation", "origin", "realisation", "status", "method", "severity", "rule", "below", "sort", "limit",
)  # fmt: skip


@bp.get("/compactions")
def compactions() -> str:
    """List the compactions of the store, newest first unless another order is asked for."""
    listing = CompactionListing.from_args(request.args)
    if listing.rule is not None:
        get_rule(listing.rule)
    with database().read() as db:
        found = list_compactions(db, listing)
        origins = list_labels(db)
    filters = {name: request.args[name] for name in _FILTERS if request.args.get(name)}
    page = LedgerPage(
        listing=listing,
        rows=found.items,
        pager=pager(found, "ledger.compactions", filters),
        choices=choices(origins),
        filters=filters,
        headings=headings(listing.sort, lambda sort: _sorted(filters, sort)),
    )
    return render_template("ledger/compactions.html", page=page)


def _sorted(filters: Mapping[str, str], sort: str) -> str:
    args: dict[str, Any] = {**filters, "sort": sort}
    return url_for(".compactions", **args)


@bp.get("/compactions/<int:compaction_id>/place")
def locate(compaction_id: int) -> Response:
    """Go to a compaction in its conversation: to its handoff, else to the end of its span."""
    with database().read() as db:
        row = find_compaction(db, compaction_id) if compaction_id < 2**63 else None
    if row is None:
        raise NotFoundError(f"no compaction has the id {compaction_id}")
    anchor = f"compaction-{row.id}"
    if row.session_fork:
        args: dict[str, Any] = {"view": str(View.SESSION), "session": row.session}
    else:
        args = {"at": str(Place(row.session_ordinal, max(0, place_in_session(row))))}
    return redirect(url_for("conversations.show", public_id=row.conversation, _anchor=anchor, **args))


@bp.get("/origins")
def origins() -> str:
    """List where rows came from, with each last sync and error."""
    with database().read() as db:
        found = list_origins(db)
    progress = {origin.label: origin for origin in sync_status().snapshot()}
    page = OriginsPage(origins=found, progress=progress, replicas=replica_states(), primary_up=primary_up())
    return render_template("ledger/origins.html", page=page)


@bp.get("/help")
def help_page() -> str:
    """Explain the pages, the words and the keys."""
    return render_template("ledger/help.html", key_groups=by_place())
