"""The family of a conversation, drawn, with the ledger of its compactions."""

from flask import Blueprint, render_template

from hermes_sessions.store.queries.compactions import load_compactions
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.lineage import load_family
from hermes_sessions.web.context import database
from hermes_sessions.web.pages import LineagePage
from hermes_sessions.web.tree import draw_family

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
    page = LineagePage(
        conversation=conversation,
        tree=draw_family(family, conversation.id),
        compactions=compactions,
    )
    return render_template("lineage/show.html", page=page)
