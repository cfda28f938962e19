"""Downloads: one conversation as a document, written whole before the first byte is sent."""

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import IO, Final

from flask import Blueprint, Response, request
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.exporters.files import file_name
from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.operations.exports.export_jsonl import iter_lines
from hermes_sessions.store.queries.conversations import ConversationRow, get_conversation
from hermes_sessions.web.export_page import document_pieces
from hermes_sessions.web.site.context import database

bp = Blueprint("exports", __name__)

TYPES: Final = {"html": "text/html", "markdown": "text/markdown", "jsonl": "application/jsonl"}
CHUNK_BYTES: Final = 64_000
KEPT_BYTES: Final = 2_000_000
"""A larger document waits on disk, in a file without a name."""


@bp.get("/c/<sid:public_id>/export")
@bp.get("/api/conversations/<sid:public_id>/export", endpoint="api_export")
def export(public_id: str) -> Response:
    """Send a conversation as html (by default), markdown or jsonl; `mask=no` leaves secrets in.

    A kept document is a file of its own: a broken conversation is an error page, not
    half a download.
    """
    form, masker = _asked(request.args)
    with ExitStack() as stack:
        file = stack.enter_context(tempfile.SpooledTemporaryFile(max_size=KEPT_BYTES))
        with database().read() as db:
            conversation = get_conversation(db, public_id)
            for piece in _pieces(db, conversation, form, masker):
                file.write(piece.encode("utf-8", "replace"))
        size = file.tell()
        file.seek(0)
        stack.pop_all()  # from here on the response closes it
    name = file_name(conversation.public_id, form)
    response = Response(_sent(file), mimetype=TYPES[form])
    response.call_on_close(file.close)
    response.content_length = size
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


def _sent(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while part := file.read(CHUNK_BYTES):
            yield part


def _asked(args: Mapping[str, str]) -> tuple[str, ExportMasker]:
    """Read format and mask from a query string.

    Raises:
        InvalidQueryError: a value cannot be used; the text names it.
    """
    form, mask = args.get("format") or "html", args.get("mask") or ""
    if form not in TYPES:
        raise InvalidQueryError(f"format is one of {', '.join(TYPES)}")
    if mask not in ("", "yes", "no"):
        raise InvalidQueryError("mask is yes or no")
    return form, ExportMasker(active=mask == "yes" or (not mask and form != "jsonl"))


def _pieces(
    db: sa_orm.Session, conversation: ConversationRow, form: str, masker: ExportMasker
) -> Iterator[str]:
    if form == "jsonl":
        return iter_lines(db, conversation, masker)
    return document_pieces(db, conversation, form, masker, now=time.time())
