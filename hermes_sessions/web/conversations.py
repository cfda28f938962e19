"""The list of conversations, one conversation, its system prompt, its prompts."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from sqlalchemy import orm as sa_orm
from werkzeug.wrappers import Response

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.store.queries.audit_pages import load_context_points
from hermes_sessions.store.queries.changes import latest_change
from hermes_sessions.store.queries.conversations import (
    ConversationListing,
    ConversationRow,
    get_conversation,
    list_conversations,
    list_facets,
)
from hermes_sessions.store.queries.finding import find_session
from hermes_sessions.store.queries.lineage import (
    SessionRow,
    has_system_prompt,
    load_session,
    load_sessions_between,
    load_system_prompt,
)
from hermes_sessions.store.queries.paging import Page, Place
from hermes_sessions.store.queries.windows import View, WindowQuery, find_prompt, step_back
from hermes_sessions.web.chart_values import ContextCharts
from hermes_sessions.web.charts import draw_charts
from hermes_sessions.web.context import database, sync_status, viewer_config
from hermes_sessions.web.hits import load_hits_bar, read_highlighter
from hermes_sessions.web.material import Material, load_material, up_to
from hermes_sessions.web.pages import ConversationIndex, ConversationPage, Pager, SystemPromptPage, Transcript
from hermes_sessions.web.transcript import arrange
from hermes_sessions.web.words import PARENT_WORDS

bp = Blueprint("conversations", __name__)

KIND_LABELS = {
    "chat": "Chats",
    "delegate": "Delegates",
    "scheduled": "Scheduled",
    "all": "Everything",
    "trash": "Trash",
}
VIEW_LABELS = {
    View.WHOLE: "Whole conversation",
    View.TALK: "Me and the answers",
    View.MODEL: "What the model sees now",
    View.SESSION: "One session",
}
ROWS_BEFORE_TARGET = 6
MAX_PINNED = 100
"""The first page shows so many pinned ones; `pinned=yes` lists all."""


@bp.get("/")
def index() -> str:
    """List conversations, newest activity first."""
    listing = ConversationListing.from_args(request.args)
    apart = listing.pinned is None and listing.kind != "trash"
    with database().read() as db:
        found = list_conversations(db, replace(listing, pinned=False) if apart else listing)
        pinned = _pinned(db, listing) if apart else ()
        facets = list_facets(db)
        cursor = latest_change(db)
    filters: dict[str, Any] = {
        name: value for name, value in request.args.items() if value and name in _FILTERS
    }
    page = ConversationIndex(
        listing=listing,
        pinned=pinned,
        rows=found.items,
        pager=pager(found, "conversations.index", filters),
        facets=facets,
        kinds=tuple(_kinds(listing, filters)),
        filters=filters,
        importing=sync_status().importing,
        failed=sync_status().failed,
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
    """Show one conversation, or the next window of it where a page asks for that alone."""
    asked = Asked.from_args(request.args)
    with database().read() as db:
        page = _load_page(db, public_id, asked)
    if asked.part:
        return render_template("conversations/window.html", transcript=page.transcript)
    return render_template("conversations/show.html", page=page)


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


@bp.get("/c/<sid:public_id>/fold")
def fold(public_id: str) -> str:
    """Show the rows that one folded line stands for, for the script to put in its place."""
    asked = Asked.from_args({"view": View.SESSION, "session": request.args.get("session", "")})
    first, last = (Place.parse(request.args.get(name, "")) for name in ("first", "last"))
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
    "source",
    "model",
    "origin",
    "tag",
    "pinned",
    "since",
    "until",
    "compacted",
    "archived",
    "limit",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a conversation's URL asks for."""

    query: WindowQuery
    session: str | None
    part: bool

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
        places = {name: Place.parse(args[name]) for name in ("after", "before", "at") if args.get(name)}
        if len(places) > 1:
            raise InvalidQueryError("give only one of after, before and at")
        query = WindowQuery(
            view=view, after=places.get("after"), before=places.get("before"), at=places.get("at")
        )
        return cls(query=query, session=args.get("session") or None, part=bool(args.get("part")))


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


def _load_page(db: sa_orm.Session, public_id: str, asked: Asked) -> ConversationPage:
    conversation = get_conversation(db, public_id)
    session = session_of(db, conversation, asked)
    query = replace(asked.query, session_id=session.id if session else None)
    if query.at is not None:
        query = replace(query, at=step_back(db, conversation.id, query, ROWS_BEFORE_TARGET))
    material = load_material(db, conversation, query)
    root = load_session(db, conversation.root_id) if conversation.root_id else None
    parent = load_session(db, root.parent_id) if root and root.parent_id else None
    beside = _beside(db, conversation, session) if session and query.view is View.SESSION else {}
    return ConversationPage(
        conversation=conversation,
        transcript=_transcript(material, session),
        cursor=latest_change(db),
        views=tuple(_views(conversation, query.view, session)),
        session=session,
        before=beside.get(session.ordinal - 1) if session else None,
        after=beside.get(session.ordinal + 1) if session else None,
        parent=parent,
        parent_words=PARENT_WORDS.get(root.relation if root else "", "Left"),
        latest=_link(conversation, query.view, session, before=str(Place(999_999_999, 0))),
        tools_link=_tools_link(conversation),
        resume=_resume(conversation, session),
        has_system_prompt=session is not None and has_system_prompt(db, session.id),
        charts=_charts(db, conversation, asked),
        hits=None if asked.part else load_hits_bar(db, conversation.public_id, request.args),
    )


def _charts(db: sa_orm.Session, conversation: ConversationRow, asked: Asked) -> ContextCharts | None:
    """Return the charts; a page that only goes on with a transcript has none, nor one for reading."""
    if asked.part or asked.query.view is View.TALK or not conversation.compaction_count:
        return None
    return draw_charts(load_context_points(db, conversation.id))


def session_of(db: sa_orm.Session, conversation: ConversationRow, asked: Asked) -> SessionRow | None:
    """Return the session a view is about: the one asked for, else the tip."""
    key = conversation.tip_id
    if asked.session is not None:
        found = find_session(db, asked.session)
        if found is None or found[1] != conversation.id:
            raise NotFoundError("this conversation has no such session")
        key = found[0]
    return load_session(db, key) if key is not None else None


def _beside(db: sa_orm.Session, conversation: ConversationRow, session: SessionRow) -> dict[int, SessionRow]:
    """Return the chain's sessions around a place in it, by ordinal."""
    found = load_sessions_between(db, conversation.id, session.ordinal - 1, session.ordinal + 1)
    return {row.ordinal: row for row in found}


def _transcript(material: Material, session: SessionRow | None) -> Transcript:
    window, view = material.window, material.query.view
    rows = window.rows
    previous = str(Place(rows[0].ordinal, rows[0].position)) if rows and window.previous else None
    following = str(Place(rows[-1].ordinal, rows[-1].position)) if rows and window.following else None
    links = Pager(
        previous=_link(material.conversation, view, session, before=previous) if previous else None,
        next=_link(material.conversation, view, session, after=following) if following else None,
    )
    items = arrange(material, max_image_bytes=viewer_config().max_image_bytes)
    return Transcript(
        items=items,
        pager=links,
        view=view,
        conversation=material.conversation.public_id,
        tools_open=request.args.get("tools") == "open",
        highlighter=read_highlighter(request.args),
    )


def _views(
    conversation: ConversationRow, current: View, session: SessionRow | None
) -> list[tuple[str, str, bool]]:
    return [
        (label, _link(conversation, view, session if view is View.SESSION else None), view is current)
        for view, label in VIEW_LABELS.items()
    ]


def _link(conversation: ConversationRow, view: View, session: SessionRow | None, **more: str) -> str:
    args: dict[str, Any] = dict(more)
    if request.args.get("tools") == "open":
        args["tools"] = "open"
    if request.args.get("q"):
        args["q"] = request.args["q"]  # the search that led here stays with its reader
    if view is not View.WHOLE:
        args["view"] = str(view)
    if view is View.SESSION and session is not None:
        args["session"] = session.public_id
    return url_for("conversations.show", public_id=conversation.public_id, **args)


def _tools_link(conversation: ConversationRow) -> str:
    """Return the address of this very page with the tool calls opened, or closed again."""
    args: dict[str, Any] = request.args.to_dict()
    args["tools"] = None if args.get("tools") == "open" else "open"
    return url_for("conversations.show", public_id=conversation.public_id, **args)


def _resume(conversation: ConversationRow, session: SessionRow | None) -> str | None:
    """Return the command that goes on with the conversation in its agent, if it is Hermes'."""
    if session is None or not (conversation.origin_kind or "").startswith("hermes"):
        return None
    return f"hermes --resume {shlex.quote(session.foreign_id)}"
