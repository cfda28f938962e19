"""The ledger of all compactions, the origins, and the help page."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from hermes_sessions.audit.rules import get_rule
from hermes_sessions.errors import NotFoundError
from hermes_sessions.operations.documents.origins import OriginJson, OriginListJson
from hermes_sessions.operations.imports.sync import list_agents
from hermes_sessions.store.queries.compactions import find_compaction
from hermes_sessions.store.queries.ledger import CompactionListing, list_compactions
from hermes_sessions.store.queries.origins import OriginRow, list_labels, list_origins
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.windows import View
from hermes_sessions.web.conversation.conversations import pager
from hermes_sessions.web.conversation.transcript_window import place_in_session
from hermes_sessions.web.overviews.ledger_values import LedgerPage, OriginsPage
from hermes_sessions.web.overviews.ledger_words import FILTER_LABELS, FILTER_WORDS, choices, headings
from hermes_sessions.web.serving.request_store import primary_up, replica_states, replica_values
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.site.context import database, sync_status
from hermes_sessions.web.site.filter_tokens import filter_tokens
from hermes_sessions.web.site.keyboard import by_place
from hermes_sessions.web.site.sync_status import OriginProgress

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
        tokens=filter_tokens(
            filters, FILTER_LABELS, lambda kept: url_for(".compactions", **kept), FILTER_WORDS
        ),
        headings=headings(listing.sort, lambda sort: _sorted(filters, sort)),
    )
    return render_template("ledger/compactions.html", page=page)


def _sorted(filters: Mapping[str, str], sort: str) -> str:
    args: dict[str, Any] = {**filters, "sort": sort}
    return url_for(".compactions", **args)


@bp.get("/compactions/<int:compaction_id>/place")
def locate(compaction_id: int) -> BaseResponse:
    """Go to a compaction in its conversation: to its handoff, else to the end of its span."""
    with database().read() as db:
        row = find_compaction(db, compaction_id) if compaction_id < 2**63 else None
    if row is None:
        raise NotFoundError(f"no compaction has the id {compaction_id}")
    anchor = f"compaction-{row.id}"
    if row.session_fork:
        args: dict[str, Any] = {"view": str(View.SESSION), "session": row.session}
    else:
        args = {"at": str(ScrollPlace(row.session_ordinal, max(0, place_in_session(row))))}
    return redirect(url_for("conversations.show", public_id=row.conversation, _anchor=anchor, **args))


@bp.get("/origins")
def origins() -> str:
    """List where rows came from, with each last sync and error."""
    return render_template("ledger/origins.html", page=_load_origins())


@bp.get("/api/origins")
def api_origins() -> Response:
    """Return what the page lists; `id` is null where a database could not be read yet."""
    page = _load_origins()
    known = [_origin_value(row, page.progress.get(row.label)) for row in page.origins]
    unread = [_origin_value(None, one) for one in page.unread]
    return respond(
        OriginListJson(origins=[*known, *unread], replicas=replica_values(), primary_up=page.primary_up)
    )


def _load_origins() -> OriginsPage:
    with database().read() as db:
        found = list_origins(db)
    progress = {origin.label: origin for origin in sync_status().snapshot()}
    known = {origin.label for origin in found}
    return OriginsPage(
        origins=found,
        progress=progress,
        unread=tuple(one for one in sync_status().failed if one.label not in known),
        absent=tuple(sorted(set(list_agents()) - {origin.kind for origin in found})),
        replicas=replica_states(),
        primary_up=primary_up(),
    )


def _origin_value(row: OriginRow | None, live: OriginProgress | None) -> OriginJson:
    """Return an origin as its page shows it: what the running sync knows comes before what is stored."""
    return OriginJson(
        id=row.id if row else None,
        label=row.label if row else live.label if live else "",
        kind=row.kind if row else None,
        location=row.location if row else None,
        schema_version=row.schema_version if row else None,
        conversations=row.conversations if row else 0,
        paused=row.paused if row else False,
        last_synced_at=(live.last_sync_at if live else None) or (row.last_synced_at if row else None),
        last_error=(live.last_error if live else None) or (row.last_error if row else None),
        phase=live.phase if live else None,
    )


@bp.get("/help")
def help_page() -> str:
    """Explain the pages, the words and the keys."""
    return render_template("ledger/help.html", key_groups=by_place())
