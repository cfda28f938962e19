"""JSON twins of the audit's pages (docs/api.md)."""

from typing import Any

from flask import Blueprint, Response, jsonify, request

from hermes_sessions.operations.audit_page import audit_compaction, compaction_audit_document
from hermes_sessions.operations.seen import seen_document
from hermes_sessions.store.queries.audit_pages import (
    ContextPoint,
    FindingLine,
    FindingQuery,
    list_finding_lines,
    load_context_points,
)
from hermes_sessions.store.queries.audits import count_findings
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.web.audit import find_seen, get_compaction
from hermes_sessions.web.context import database

bp = Blueprint("audit_api", __name__, url_prefix="/api")


@bp.get("/compactions/<int:compaction_id>")
def compaction(compaction_id: int) -> Response:
    """Return one compaction with what the audit measures on it."""
    with database().read() as db:
        row = get_compaction(db, compaction_id)
        return jsonify(compaction_audit_document(row, audit_compaction(db, row)))


@bp.get("/findings")
def findings() -> Response:
    """Return one page of the stored findings, newest first, and the counts by rule."""
    with database().read() as db:
        found = list_finding_lines(db, FindingQuery.from_args(request.args))
        counts = count_findings(db)
    return jsonify(
        counts=[
            {"rule": rule, "severity": severity, "count": count}
            for (rule, severity), count in sorted(counts.items())
        ],
        findings=[_finding_value(line) for line in found.items],
        next=found.next,
    )


@bp.get("/messages/<int:message_id>/seen")
def seen(message_id: int) -> Response:
    """Return the context that the model had in front of it at a message."""
    with database().read() as db:
        return jsonify(seen_document(find_seen(db, message_id)))


@bp.get("/conversations/<sid:public_id>/context")
def context(public_id: str) -> Response:
    """Return what the charts of a conversation draw: sizes and survival by compaction."""
    with database().read() as db:
        row = get_conversation(db, public_id)
        points = load_context_points(db, row.id)
    return jsonify(conversation=row.public_id, compactions=[_point_value(point) for point in points])


def _finding_value(line: FindingLine) -> dict[str, Any]:
    return {
        "id": line.id,
        "rule": line.rule,
        "severity": line.severity,
        "conversation": line.conversation,
        "session": line.session,
        "compaction": line.compaction,
        "messages": line.messages or [],
        "evidence": line.evidence or {},
    }


def _point_value(point: ContextPoint) -> dict[str, Any]:
    audit = point.audit or {}
    return {
        "id": point.id,
        "ordinal": point.ordinal,
        "finished_at": point.finished_at,
        "tokens_before": point.tokens_before,
        "tokens_after": point.tokens_after,
        "sizes": audit.get("sizes"),
        "retained": point.retained,
        "survival": audit.get("survival") or [],
    }
