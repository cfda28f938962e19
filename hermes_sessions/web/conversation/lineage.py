"""The family of a conversation, drawn, with the ledger of its compactions."""

from flask import Blueprint, render_template

from hermes_sessions.store.queries.compactions import load_compactions
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.findings import load_context_points
from hermes_sessions.store.queries.lineage import load_family
from hermes_sessions.web.conversation.charts import draw_charts
from hermes_sessions.web.conversation.family_tree import draw_family
from hermes_sessions.web.conversation.family_values import LineagePage
from hermes_sessions.web.site.context import database

bp = Blueprint("lineage", __name__)
MAX_DRAWN = 2_000
MAX_LEDGER = 200


@bp.get("/c/<sid:public_id>/lineage")
def show(public_id: str) -> str:
    """Draw every related session."""
    with database().read() as db:
        conversation = get_conversation(db, public_id)
        family = load_family(db, conversation.id, most=MAX_DRAWN)
        compactions = load_compactions(db, conversation.id, newest=MAX_LEDGER)
        points = load_context_points(db, conversation.id) if compactions else ()
    page = LineagePage(
        conversation=conversation,
        tree=draw_family(family, conversation.id),
        compactions=compactions,
        charts=draw_charts(points) if points else None,
    )
    return render_template("lineage/show.html", page=page)
