"""One message: its permalink, all of it, its bytes as stored, its images."""

from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from sqlalchemy import orm as sa_orm
from werkzeug.wrappers import Response as BaseResponse

from hermes_sessions.messages import content_text
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.lineage import load_session
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.transcript_rows import TranscriptRow
from hermes_sessions.store.queries.windows import View, get_row
from hermes_sessions.web.conversation.items import ItemOptions, row_items, who_asks
from hermes_sessions.web.conversation.page_values import MessagePage
from hermes_sessions.web.searching.hits_bar import read_highlighter
from hermes_sessions.web.site.context import database, viewer_config
from hermes_sessions.web.text.images import load_image

bp = Blueprint("messages", __name__)
IMAGE_POLICY = "default-src 'none'; sandbox"


@bp.get("/m/<int:message_id>")
def locate(message_id: int) -> BaseResponse:
    """Go to a message in its conversation; one the scroll leaves out, in its session.

    `call` goes on to one of its tool calls, counted from 0.
    """
    with database().read() as db:
        row, conversation = get_row(db, message_key(message_id))
        args = _place_args(db, row)
    call = request.args.get("call", "")
    anchor = f"call-{row.id}-{call}" if call.isascii() and call.isdigit() and len(call) < 5 else f"m-{row.id}"
    if request.args.get("q"):
        args |= {"q": request.args["q"], "hit": str(row.id)}
    return redirect(url_for("conversations.show", public_id=conversation, _anchor=anchor, **args))


@bp.get("/m/<int:message_id>/all")
def show(message_id: int) -> str:
    """Show one row complete, with everything the pages cut."""
    with database().read() as db:
        row, public_id = get_row(db, message_key(message_id))
        conversation = get_conversation(db, public_id)
    reading = ItemOptions(
        every_part=True,
        complete=True,
        asked_by=who_asks(conversation.kind),
        max_image_bytes=viewer_config().max_image_bytes,
    )
    items = tuple(item for _, items in row_items([row], reading) for item in items)
    page = MessagePage(
        row=row, conversation=conversation, items=items, highlighter=read_highlighter(request.args)
    )
    part = "part" if request.args.get("part") else "show"
    return render_template(f"messages/{part}.html", page=page)


@bp.get("/m/<int:message_id>/raw")
def raw(message_id: int) -> Response:
    """Send the stored content as plain text; with `only=text` what was said, without handoff and calls."""
    with database().read() as db:
        row, _ = get_row(db, message_key(message_id))
    if request.args.get("only") == "text":
        body = "\n\n".join(part.text for part in row.parts if part.kind == "message")
    else:
        text = row.text if row.text is not None else content_text(row.content)
        body = "\n\n".join(piece for piece in (text, row.tool_calls) if piece)
    return Response(body.encode("utf-8", "replace"), content_type="text/plain; charset=utf-8")


@bp.get("/m/<int:message_id>/image/<int:index>")
def image(message_id: int, index: int) -> Response:
    """Send an image that came inside a message."""
    with database().read() as db:
        row, _ = get_row(db, message_key(message_id))
    found = load_image(row, index, viewer_config().max_image_bytes)
    if found is None:
        abort(404, "this message has no such image, or one that is not shown")
    response = Response(found.content, content_type=found.media_type)
    response.headers["Content-Security-Policy"] = IMAGE_POLICY
    response.headers["Cache-Control"] = "private, max-age=86400"
    return response


def message_key(message_id: int) -> int:
    """Return the number of a message as it is; larger ones than any engine has are a 404."""
    if message_id >= 2**63:
        abort(404)
    return message_id


def _place_args(db: sa_orm.Session, row: TranscriptRow) -> dict[str, Any]:
    at: dict[str, Any] = {"at": str(ScrollPlace(row.ordinal, row.position))}
    session = load_session(db, row.session_id)
    if row.shown and session is not None and not session.fork:
        return at
    return {**at, "view": str(View.SESSION), "session": row.session}
