"""The report of one compaction as a file to keep or to send; secrets are masked, always."""

from collections.abc import Callable, Mapping
from typing import Final

from flask import Blueprint, Response

from hermes_sessions.audit.report import Report
from hermes_sessions.audit.report_html import render_html
from hermes_sessions.audit.report_markdown import render_markdown
from hermes_sessions.operations.auditing.compaction_report import make_report
from hermes_sessions.operations.auditing.one_compaction import audit_compaction
from hermes_sessions.web.auditing.audit import get_compaction
from hermes_sessions.web.site.context import database

bp = Blueprint("reports", __name__)

_KINDS: Final[Mapping[str, tuple[str, Callable[[Report], str]]]] = {
    "html": ("text/html", render_html),
    "md": ("text/markdown", render_markdown),
}
"""Ending of the file's name -> media type and what writes it."""


@bp.get("/compactions/<int:compaction_id>/report.<any(html, md):kind>")
def download(compaction_id: int, kind: str) -> Response:
    """Give the report of one compaction as a file; it is never shown in the viewer's own origin."""
    with database().read() as db:
        row = get_compaction(db, compaction_id)
        report = make_report(db, row, audit_compaction(db, row))
    media_type, write = _KINDS[kind]
    name = f"compaction-{compaction_id}.{kind}"
    text = write(report).encode("utf-8", "replace")
    return Response(
        text,
        content_type=f"{media_type}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
