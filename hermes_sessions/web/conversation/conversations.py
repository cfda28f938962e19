"""The list of conversations, one conversation, its system prompt, its prompts."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from sqlalchemy import orm as sa_orm
from werkzeug.wrappers import Response

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.store.queries.changes import latest_change
from hermes_sessions.store.queries.conversation_order import ConversationOrder
from hermes_sessions.store.queries.conversations import (
    ConversationListing,
    ConversationRow,
    get_conversation,
    list_conversations,
    list_facets,
)
from hermes_sessions.store.queries.find_session import find_session
from hermes_sessions.store.queries.lineage import (
    FamilySession,
    load_session,
    load_sessions_between,
    load_system_prompt,
)
from hermes_sessions.store.queries.paging import Page, ScrollPlace
from hermes_sessions.store.queries.transcript_rows import TranscriptRow
from hermes_sessions.store.queries.windows import (
    END,
    View,
    WindowQuery,
    count_earlier,
    find_prompt,
    step_back,
)
from hermes_sessions.web.conversation.list_words import FILTER_LABELS, FILTER_WORDS, ORDERS, in_groups
from hermes_sessions.web.conversation.page_head import (
    first_link,
    latest_link,
    load_head,
    tools_link,
    view_link,
)
from hermes_sessions.web.conversation.page_values import (
    ConversationIndex,
    ConversationPage,
    SystemPromptPage,
    TranscriptWindow,
)
from hermes_sessions.web.conversation.transcript_window import arrange
from hermes_sessions.web.conversation.window_material import WindowMaterial, load_material, up_to
from hermes_sessions.web.searching.hits_bar import load_hits_bar, read_highlighter
from hermes_sessions.web.site.context import database, sync_status, viewer_config
from hermes_sessions.web.site.filter_tokens import filter_tokens
from hermes_sessions.web.site.preferences import is_dismissed
from hermes_sessions.web.site.site_values import Pager

bp = Blueprint("conversations", __name__)

KIND_LABELS = {
    "chat": "Chats",
    "delegate": "Delegates",
    "scheduled": "Scheduled",
    "all": "Everything",
    "trash": "Trash",
}
ROWS_BEFORE_TARGET = 6
MAX_PINNED = 100
"""The first page shows so many pinned ones; `pinned=yes` lists all."""


@bp.get("/")
def index() -> str:
    """List conversations, newest activity first."""
    listing = ConversationListing.from_args(request.args)
    by_time = listing.sort is ConversationOrder.ACTIVE
    apart = by_time and listing.pinned is None and listing.kind != "trash"
    with database().read() as db:
        found = list_conversations(db, replace(listing, pinned=False) if apart else listing)
        pinned = _pinned(db, listing) if apart else ()
        facets = list_facets(db)
        cursor = latest_change(db)
    filters: dict[str, Any] = {
        name: value for name, value in request.args.items() if value and name in _FILTERS
    }
    at_first = listing.kind == "chat" and not (listing.narrowed or listing.before or listing.after)
    page = ConversationIndex(
        listing=listing,
        pinned=pinned,
        days=tuple(in_groups(found.items, time.time(), by_time=by_time)),
        orders=tuple((order.value, words) for order, words in ORDERS.items()),
        tokens=filter_tokens(filters, FILTER_LABELS, lambda kept: url_for(".index", **kept), FILTER_WORDS),
        strip=at_first and not is_dismissed("strip"),
        tour=viewer_config().tour if at_first else (),
        pager=pager(found, "conversations.index", filters),
        facets=facets,
        kinds=tuple(_kinds(listing, filters)),
        filters=filters,
        importing=sync_status().importing,
        failed=sync_status().failed,
        watched=sync_status().watched,
        cursor=cursor,
    )
    return render_template("conversations/index.html", page=page)


def _pinned(db: sa_orm.Session, listing: ConversationListing) -> tuple[ConversationRow, ...]:
    """Return the pinned conversations of a listing, for its first page."""
    if listing.before is not None or listing.after is not None:
        return ()
    return list_conversations(db, replace(listing, pinned=True, limit=MAX_PINNED)).items


@bp.get("/c/<sid:public_id>")
def show(public_id: str) -> str:
    """Show one conversation; where a page asks for a part, the next window of it or its head alone."""
    asked = Asked.from_args(request.args)
    with database().read() as db:
        conversation = get_conversation(db, public_id)
        session = session_of(db, conversation, asked)
        values: dict[str, Any] = _PARTS[asked.part](db, conversation, session, asked)
    return render_template(f"conversations/{asked.part or 'show'}.html", **values)


@bp.get("/c/<sid:public_id>/prompt")
def prompt(public_id: str) -> Response:
    """Go to the user's next prompt behind a place, or the last one before it."""
    asked = Asked.from_args(request.args)
    with database().read() as db:
        conversation = get_conversation(db, public_id)
        query = replace(asked.query, session_id=conversation.tip_id)
        message_id = find_prompt(db, conversation.id, query)
    if message_id is None:
        start = asked.query.before or asked.query.after
        at: dict[str, Any] = {"at": str(start)} if start else {}
        return redirect(url_for(".show", public_id=conversation.public_id, **at))
    return redirect(url_for("messages.locate", message_id=message_id))


@bp.get("/c/<sid:public_id>/find")
def find(public_id: str) -> Response:
    """Go to the first message of a conversation that a query finds; to its page where there is none."""
    with database().read() as db:
        conversation = get_conversation(db, public_id)
        bar = load_hits_bar(db, conversation.public_id, request.args)
    if bar is not None and bar.ids:
        return redirect(url_for("messages.locate", message_id=bar.ids[0], q=bar.typed))
    return redirect(url_for(".show", public_id=conversation.public_id, q=request.args.get("q") or None))


@bp.get("/c/<sid:public_id>/fold")
def fold(public_id: str) -> str:
    """Show the rows that one folded line stands for, for the script to put in its place."""
    asked = Asked.from_args({"view": View.SESSION, "session": request.args.get("session", "")})
    first, last = (ScrollPlace.parse(request.args.get(name, "")) for name in ("first", "last"))
    with database().read() as db:
        conversation = get_conversation(db, public_id)
        session = session_of(db, conversation, asked)
        query = replace(asked.query, session_id=session.id if session else None, at=first)
        material = load_material(db, conversation, query)
    transcript = _transcript(up_to(material, last), session)
    return render_template("conversations/fold.html", transcript=transcript)


@bp.get("/c/<sid:public_id>/system-prompt")
def system_prompt(public_id: str) -> str:
    """Show the system prompt of the session that the id names."""
    with database().read() as db:
        conversation = get_conversation(db, public_id)
        found = find_session(db, public_id)
        session = load_session(db, found[0]) if found else None
        text = load_system_prompt(db, session.id) if session else None
    if session is None:
        raise NotFoundError(f"no session has the id {public_id!r}")
    page = SystemPromptPage(conversation=conversation, session=session, text=text)
    part = "part" if request.args.get("part") else "show"
    return render_template(f"system_prompt/{part}.html", page=page)


# -- query strings ---------------------------------------------------------------------------------

_FILTERS = (
    "kind",
    "title",
    "source",
    "model",
    "origin",
    "tag",
    "pinned",
    "since",
    "until",
    "compacted",
    "archived",
    "sort",
    "limit",
)


_PART_NAMES = {"": "", "head": "head"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a conversation's URL asks for."""

    query: WindowQuery
    session: str | None
    part: str
    """What of the page is asked for: "head" or "window"; all of it where empty."""

    @classmethod
    def from_args(cls, args: Mapping[str, str]) -> "Asked":
        """Read the view and the place from a query string.

        Raises:
            InvalidQueryError: a value cannot be used; the text names it.
        """
        try:
            view = View(args.get("view") or View.WHOLE)
        except ValueError:
            raise InvalidQueryError(f"view is one of {', '.join(View)}") from None
        places = {name: ScrollPlace.parse(args[name]) for name in ("after", "before", "at") if args.get(name)}
        if len(places) > 1:
            raise InvalidQueryError("give only one of after, before and at")
        query = WindowQuery(
            view=view, after=places.get("after"), before=places.get("before"), at=places.get("at")
        )
        return cls(
            query=query,
            session=args.get("session") or None,
            part=_PART_NAMES.get(args.get("part", ""), "window"),
        )


def pager(found: Page[Any], endpoint: str, filters: Mapping[str, Any]) -> Pager:
    """Return links to the neighbouring pages of a listing, its filters kept."""
    return Pager(
        previous=url_for(endpoint, **{**filters, "after": str(found.previous)}) if found.previous else None,
        next=url_for(endpoint, **{**filters, "before": str(found.next)}) if found.next else None,
    )


def _kinds(listing: ConversationListing, filters: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    return [
        (label, url_for(".index", **{**filters, "kind": kind}), listing.kind == kind)
        for kind, label in KIND_LABELS.items()
    ]


# -- loading ---------------------------------------------------------------------------------------


def _load_page(
    db: sa_orm.Session, conversation: ConversationRow, session: FamilySession | None, asked: Asked
) -> ConversationPage:
    view = asked.query.view
    beside = _beside(db, conversation, session) if session and view is View.SESSION else {}
    transcript = _load_window(db, conversation, session, asked)
    return ConversationPage(
        conversation=conversation,
        head=load_head(db, conversation, view, session),
        transcript=transcript,
        cursor=latest_change(db),
        session=session,
        before=beside.get(session.ordinal - 1) if session else None,
        after=beside.get(session.ordinal + 1) if session else None,
        first=first_link(conversation, view, session),
        latest=latest_link(conversation, view, session),
        contents=url_for(
            "contents.show",
            public_id=conversation.public_id,
            part=1,
            at=str(asked.query.at or asked.query.after or asked.query.before or END),
        ),
        tools_link=tools_link(conversation),
        hits=load_hits_bar(db, conversation.public_id, request.args),
    )


def _load_window(
    db: sa_orm.Session, conversation: ConversationRow, session: FamilySession | None, asked: Asked
) -> TranscriptWindow:
    """Load the window that is asked for; of the one scroll the latest where no place is."""
    query = replace(asked.query, session_id=session.id if session else None)
    if query.at is not None:
        query = replace(query, at=step_back(db, conversation.id, query, ROWS_BEFORE_TARGET))
    elif query.view.one_scroll and query.after is None and query.before is None:
        query = replace(query, before=END)
    material = load_material(db, conversation, query)
    rows, earlier = material.window.rows, None
    if rows and query.view is View.WHOLE:
        earlier = count_earlier(db, conversation.id, _place(rows[0]))
    return _transcript(material, session, earlier)


def _page(*about: Any) -> dict[str, Any]:
    return {"page": _load_page(*about)}


def _window(*about: Any) -> dict[str, Any]:
    return {"transcript": _load_window(*about)}


def _head(
    db: sa_orm.Session, conversation: ConversationRow, session: FamilySession | None, asked: Asked
) -> dict[str, Any]:
    return {"head": load_head(db, conversation, asked.query.view, session)}


_PARTS = {"": _page, "window": _window, "head": _head}


def session_of(db: sa_orm.Session, conversation: ConversationRow, asked: Asked) -> FamilySession | None:
    """Return the session a view is about: the one asked for, else the tip."""
    key = conversation.tip_id
    if asked.session is not None:
        found = find_session(db, asked.session)
        if found is None or found[1] != conversation.id:
            raise NotFoundError("this conversation has no such session")
        key = found[0]
    return load_session(db, key) if key is not None else None


def _beside(
    db: sa_orm.Session, conversation: ConversationRow, session: FamilySession
) -> dict[int, FamilySession]:
    """Return the chain's sessions around a place in it, by ordinal."""
    found = load_sessions_between(db, conversation.id, session.ordinal - 1, session.ordinal + 1)
    return {row.ordinal: row for row in found}


def _transcript(
    material: WindowMaterial, session: FamilySession | None, earlier: int | None = None
) -> TranscriptWindow:
    window, view = material.window, material.query.view
    rows = window.rows
    previous = str(_place(rows[0])) if rows and window.previous else None
    following = str(_place(rows[-1])) if rows and window.following else None
    links = Pager(
        previous=view_link(material.conversation, view, session, before=previous) if previous else None,
        next=view_link(material.conversation, view, session, after=following) if following else None,
    )
    items = arrange(material, max_image_bytes=viewer_config().max_image_bytes)
    return TranscriptWindow(
        items=items,
        pager=links,
        view=view,
        conversation=material.conversation.public_id,
        after=str(window.previous.place) if window.previous else "",
        earlier=earlier,
        tools_open=request.args.get("tools") == "open",
        highlighter=read_highlighter(request.args),
    )


def _place(row: TranscriptRow) -> ScrollPlace:
    return ScrollPlace(row.ordinal, row.position)
