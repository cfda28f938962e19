"""JSON twins of the audit's pages (docs/api.md)."""

from flask import Blueprint, Response, request

from hermes_sessions.audit.rules import get_rule
from hermes_sessions.operations.auditing.context_seen import seen_document
from hermes_sessions.operations.auditing.one_compaction import audit_compaction, compaction_audit_document
from hermes_sessions.operations.documents.audit import context_document
from hermes_sessions.operations.documents.findings import finding_page_document
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.findings import FindingQuery, list_finding_lines, load_context_points
from hermes_sessions.store.queries.stored_audits import count_findings
from hermes_sessions.web.auditing.audit import find_seen, get_compaction
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.site.context import database

bp = Blueprint("audit_api", __name__, url_prefix="/api")


@bp.get("/compactions/<int:compaction_id>")
def compaction(compaction_id: int) -> Response:
    """Return one compaction with what the audit measures on it."""
    with database().read() as db:
        row = get_compaction(db, compaction_id)
        return respond(compaction_audit_document(row, audit_compaction(db, row)))


@bp.get("/findings")
def findings() -> Response:
    """Return one page of the stored findings, newest first, and the counts by rule."""
    query = FindingQuery.from_args(request.args)
    if query.rule is not None:
        get_rule(query.rule)
    with database().read() as db:
        found = list_finding_lines(db, query)
        counts = count_findings(db)
    return respond(finding_page_document(found, counts))


@bp.get("/messages/<int:message_id>/seen")
def seen(message_id: int) -> Response:
    """Return the context that the model had in front of it at a message."""
    with database().read() as db:
        return respond(seen_document(find_seen(db, message_id)))


@bp.get("/conversations/<sid:public_id>/context")
def context(public_id: str) -> Response:
    """Return what the charts of a conversation draw: sizes and survival by compaction."""
    with database().read() as db:
        row = get_conversation(db, public_id)
        points = load_context_points(db, row.id)
    return respond(context_document(row.public_id, points))
