"""The head of a conversation's page: its views, the family it belongs to, the door to its audit."""

from typing import Any

from flask import request, url_for
from sqlalchemy import orm as sa_orm

from hermes_sessions.agents.registry import importer_of
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.queries.findings import load_context_points
from hermes_sessions.store.queries.lineage import FamilySession, has_system_prompt, load_session
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.windows import END, View
from hermes_sessions.web.conversation.charts import draw_sparkline
from hermes_sessions.web.conversation.page_values import ConversationHead
from hermes_sessions.web.text.sentences import PARENT_WORDS

VIEW_LABELS = {
    View.WHOLE: "Whole conversation",
    View.TALK: "Me and the answers",
    View.MODEL: "What the model sees now",
    View.SESSION: "One session",
}
BEGINNING = ScrollPlace(0, 0)


def load_head(
    db: sa_orm.Session, conversation: ConversationRow, view: View, session: FamilySession | None
) -> ConversationHead:
    """Load what stands above the messages."""
    root = load_session(db, conversation.root_id) if conversation.root_id else None
    parent = load_session(db, root.parent_id) if root and root.parent_id else None
    points = load_context_points(db, conversation.id) if conversation.compaction_count else ()
    return ConversationHead(
        conversation=conversation,
        views=tuple(_views(conversation, view, session)),
        parent=parent,
        parent_words=PARENT_WORDS.get(root.relation if root else "", "Left"),
        spark=draw_sparkline(points) if points else None,
        resume=_resume(conversation, session),
        session=session,
        has_system_prompt=session is not None and has_system_prompt(db, session.id),
    )


def view_link(conversation: ConversationRow, view: View, session: FamilySession | None, **more: str) -> str:
    """Return the address of a view of a conversation; what is opened and searched for stays."""
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


def first_link(conversation: ConversationRow, view: View, session: FamilySession | None) -> str:
    """Return the address of a view's beginning."""
    at = {"at": str(BEGINNING)} if view.one_scroll else {}
    return view_link(conversation, view, session, **at)


def latest_link(conversation: ConversationRow, view: View, session: FamilySession | None) -> str:
    """Return the address of a view's end."""
    before = {} if view.one_scroll else {"before": str(END)}
    return view_link(conversation, view, session, **before, _anchor="latest")


def tools_link(conversation: ConversationRow) -> str:
    """Return the address of this very page with the tool calls opened, or closed again."""
    args: dict[str, Any] = request.args.to_dict()
    args["tools"] = None if args.get("tools") == "open" else "open"
    return url_for("conversations.show", public_id=conversation.public_id, **args)


def _views(
    conversation: ConversationRow, current: View, session: FamilySession | None
) -> list[tuple[str, str, bool]]:
    return [
        (label, view_link(conversation, view, session if view is View.SESSION else None), view is current)
        for view, label in VIEW_LABELS.items()
    ]


def _resume(conversation: ConversationRow, session: FamilySession | None) -> str | None:
    """Return the command that continues the conversation in its agent, if that agent has one."""
    importer = importer_of(conversation.origin_kind)
    if session is None or importer is None:
        return None
    return importer.resume_command(session.foreign_id)
