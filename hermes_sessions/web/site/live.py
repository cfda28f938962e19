"""Following: what changes in the store, as a stream of events and as a question to poll."""

import secrets
import time
from collections.abc import Callable, Iterable

from flask import Blueprint, Flask, Response, current_app, request
from werkzeug.exceptions import ServiceUnavailable

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.operations.documents.following import changes_document
from hermes_sessions.store.queries.changes import Changes, latest_change, load_changes
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.site.context import database
from hermes_sessions.web.site.event_hub import ChangeHub

bp = Blueprint("live", __name__)
RETRY_SECONDS = 30
MAX_BROWSER_CHARS = 64
_PAUSES = (0.01, 0.03)


def register(app: Flask, hub: ChangeHub) -> None:
    """Give the application its hub; whoever serves it closes the hub at the end."""
    app.extensions["hermes_sessions_hub"] = hub
    app.extensions["hermes_sessions_end_streams"] = hub.close
    app.register_blueprint(bp)


def end_streams(app: Flask) -> None:
    """End every stream of an application, whatever it serves."""
    end: Callable[[], None] = app.extensions["hermes_sessions_end_streams"]
    end()


def hub_of(app: Flask) -> ChangeHub:
    """Return the hub of an application."""
    found = app.extensions["hermes_sessions_hub"]
    assert isinstance(found, ChangeHub)
    return found


@bp.get("/api/events")
def events() -> Response:
    """Stream what changes, until the reader goes or the server ends; one stream per browser."""
    browser = request.args.get("browser") or ""
    if len(browser) > MAX_BROWSER_CHARS:
        raise InvalidQueryError(f"browser is a name of your own, at most {MAX_BROWSER_CHARS} characters")
    if request.method == "HEAD":  # nothing of a stream would be sent, so none is opened
        return _streamed(())
    is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
    stream = hub_of(current_app).open(browser or f"nameless {secrets.token_hex(8)}", is_gone)
    if stream is None:
        raise ServiceUnavailable(
            "all streams are in use; ask /api/changes instead", retry_after=RETRY_SECONDS
        )
    return _streamed(stream)


def _streamed(events: Iterable[bytes]) -> Response:
    response = Response(events, content_type="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


@bp.get("/api/changes")
def changes() -> Response:
    """Return which conversations changed behind a cursor; without one, the cursor of this moment."""
    since = request.args.get("since") or ""
    if since and not (since.isascii() and since.isdigit() and len(since) <= 18):
        raise InvalidQueryError("since is a cursor that this address or /api/events gave out")
    found = _changes_since(int(since) if since else None)
    return respond(changes_document(found))


def _changes_since(since: int | None) -> Changes:
    """Return what changed; what another transaction holds for a moment is waited for that long."""
    for pause in (*_PAUSES, None):
        with database().read() as db:
            found = Changes(latest_change(db), (), False) if since is None else load_changes(db, since)
        if not found.held or pause is None:
            break
        time.sleep(pause)
    return found
