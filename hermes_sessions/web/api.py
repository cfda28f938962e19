"""JSON twins of the pages; their shapes are in `operations.documents`."""

from dataclasses import replace

from flask import Blueprint, Response, current_app, request
from sqlalchemy import text

from hermes_sessions import __version__
from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.operations.documents.compactions import compactions_document
from hermes_sessions.operations.documents.conversations import conversation_document, list_document
from hermes_sessions.operations.documents.following import HealthJson
from hermes_sessions.operations.documents.lineage import lineage_document
from hermes_sessions.operations.documents.messages import (
    message_document,
    show_document,
    system_prompt_document,
    window_document,
)
from hermes_sessions.operations.documents.origins import OriginSyncJson, SyncJson
from hermes_sessions.store.queries.conversations import ConversationListing, get_conversation
from hermes_sessions.store.queries.ledger import CompactionListing
from hermes_sessions.web.conversation.conversations import Asked, session_of
from hermes_sessions.web.conversation.message_page import message_key
from hermes_sessions.web.serving.description import api_description
from hermes_sessions.web.serving.request_store import replica_values
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.site.context import database, sync_status
from hermes_sessions.web.site.live import hub_of

bp = Blueprint("api", __name__)
MAX_MESSAGES = 500


@bp.get("/healthz")
def healthz() -> Response:
    """Say that the viewer and its store answer."""
    with database().read() as db:
        db.execute(text("SELECT 1"))
    streams = hub_of(current_app).open_streams
    return respond(HealthJson(status="ok", version=__version__, streams=streams))


@bp.get("/api/conversations")
def conversations() -> Response:
    """Return one page of the list."""
    listing = ConversationListing.from_args(request.args)
    with database().read() as db:
        return respond(list_document(db, listing))


@bp.get("/api/conversations/<sid:public_id>")
def conversation(public_id: str) -> Response:
    """Return one conversation without its messages."""
    with database().read() as db:
        return respond(conversation_document(db, public_id))


@bp.get("/api/conversations/<sid:public_id>/messages")
def messages(public_id: str) -> Response:
    """Return a window of a view, as the page does; `?all=1` every stored row at once."""
    with database().read() as db:
        if request.args.get("all"):
            return respond(show_document(db, public_id, every=True))
        asked = Asked.from_args(request.args)
        query = replace(asked.query, limit=_limit(), max_chars=10**9)
        conversation = get_conversation(db, public_id)
        session = session_of(db, conversation, asked)
        query = replace(query, session_id=session.id if session else None)
        return respond(window_document(db, conversation, query))


@bp.get("/api/conversations/<sid:public_id>/system-prompt")
def system_prompt(public_id: str) -> Response:
    """Return the system prompt of the session that the id names."""
    with database().read() as db:
        return respond(system_prompt_document(db, public_id))


@bp.get("/api/messages/<int:message_id>")
def message(message_id: int) -> Response:
    """Return one stored row, complete."""
    with database().read() as db:
        return respond(message_document(db, message_key(message_id)))


@bp.get("/api/conversations/<sid:public_id>/lineage")
def lineage(public_id: str) -> Response:
    """Return the family of a conversation."""
    with database().read() as db:
        return respond(lineage_document(db, public_id))


@bp.get("/api/conversations/<sid:public_id>/compactions")
def compactions_of(public_id: str) -> Response:
    """Return the compactions of a conversation, in order."""
    with database().read() as db:
        return respond(compactions_document(db, public_id))


@bp.get("/api/compactions")
def compactions() -> Response:
    """Return one page of the ledger of the whole store."""
    listing = CompactionListing.from_args(request.args)
    with database().read() as db:
        return respond(compactions_document(db, None, listing))


@bp.get("/api/openapi.json")
def description() -> Response:
    """Return the OpenAPI document of everything below `/api`."""
    return respond({**api_description(), "servers": [{"url": request.script_root or "/"}]})


@bp.get("/api/sync")
def sync() -> Response:
    """Return how far each origin's sync is, and each replica's replay."""
    return respond(
        SyncJson(
            origins=[
                OriginSyncJson(
                    origin=one.label,
                    phase=one.phase,
                    done=one.done,
                    total=one.total,
                    first=one.first,
                    last_sync_at=one.last_sync_at,
                    last_error=one.last_error,
                )
                for one in sync_status().snapshot()
            ],
            replicas=replica_values(),
        )
    )


def _limit() -> int:
    given = request.args.get("limit") or "100"
    if not (given.isascii() and given.isdigit()) or not 1 <= int(given[:9]) <= MAX_MESSAGES:
        raise InvalidQueryError(f"limit is a number from 1 to {MAX_MESSAGES}")
    return int(given)
