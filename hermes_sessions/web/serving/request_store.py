"""Which copy of the store a request reads, where there are replicas.

What changes something goes to the primary. A browser's cookie holds a name made up for it,
which keeps it at one replica, and the position of its last change: a replica that has not
replayed that is not read for it. A page that was told of a change says so in a header, and
is read from a copy that holds it. Where a copy fails half way, the request is made again.
"""

import logging
import re
import secrets
from collections.abc import Callable
from typing import Final

from flask import Flask, Response, current_app, g, request

from hermes_sessions.errors import StoreBusyError, StoreError, StoreUnavailableError
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.operations.documents.origins import ReplicaJson
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.readers import OpenedReader, Readers
from hermes_sessions.store.opening.replica_choice import ReplicaState, Wish
from hermes_sessions.web.serving.error_pages import answer_ours

COOKIE: Final = "hermes_sessions_reader"
COOKIE_SECONDS: Final = 3600
CURSOR_HEADER: Final = "X-Hermes-Sessions-Cursor"
_COOKIE = late_pattern(r"(?P<reader>[0-9a-f]{16})(?:-(?P<position>[0-9a-f]{1,15}))?", re.ASCII)
_CURSOR = late_pattern(r"\d{1,18}", re.ASCII)

logger = logging.getLogger(__name__)


def register(app: Flask) -> None:
    """Keep cookies up to date, and read again elsewhere what could not be read."""
    if app.extensions["hermes_sessions_readers"] is None:
        return
    app.after_request(keep_cookie)
    app.register_error_handler(StoreUnavailableError, read_elsewhere)
    app.register_error_handler(StoreBusyError, read_elsewhere)


def watched(app: Flask) -> Callable[[], Database]:
    """Return what gives the hub of changes the store to look at."""
    database: Database = app.extensions["hermes_sessions_database"]
    readers: Readers | None = app.extensions["hermes_sessions_readers"]
    if readers is None:
        return lambda: database
    return lambda: readers.choose(Wish(reader="hub")).database


def reading() -> OpenedReader:
    """Return what this request reads; decided once, so that a page and its tag are about one state."""
    if "reading" not in g:
        readers = _readers()
        if readers is None or request.method not in ("GET", "HEAD"):
            g.reading = OpenedReader(current_app.extensions["hermes_sessions_database"])
        else:
            g.reading = readers.choose(_wish(readers), g.get("read_in_vain", ()))
    found: OpenedReader = g.reading
    return found


def replica_states() -> tuple[tuple[ReplicaState, str | None], ...]:
    """Return how the replicas are; none where there are none."""
    readers = _readers()
    return () if readers is None else readers.states()


def replica_values() -> list[ReplicaJson]:
    """Return how the replicas are, as documents show it."""
    return [
        ReplicaJson(
            replica=state.name,
            in_use=reason is None,
            problem=reason,
            lag_seconds=state.lag_seconds,
            lag_bytes=state.lag_bytes,
        )
        for state, reason in replica_states()
    ]


def primary_up() -> bool | None:
    """Return whether the primary answers; None where there is nothing but it."""
    readers = _readers()
    return None if readers is None else readers.primary_up


def read_elsewhere(error: StoreError) -> Response:
    """Make the request again with another copy of the store; when all were tried, say what is wrong."""
    readers, failed = _readers(), g.pop("reading", None)
    if readers is None or failed is None or request.method not in ("GET", "HEAD"):
        return answer_ours(error)
    name = failed.database.name
    if isinstance(error, StoreUnavailableError):
        readers.leave_out(name, str(error).removeprefix(f"{name}: "))
    g.read_in_vain = {*g.get("read_in_vain", ()), name}
    g.pop("tag", None)
    if reading().database.name in g.read_in_vain:
        return answer_ours(error)
    return _again()


def keep_cookie(response: Response) -> Response:
    """Note the position of what was just changed; give a browser that comes for the first time its name."""
    readers = _readers()
    if readers is None:
        return response
    known = _cookie()
    if request.method == "POST" and response.status_code < 400 and request.blueprint != "login":
        try:
            position = readers.written()
        except StoreError as error:
            logger.warning(
                "the position of a change is not known, a replica may show what was before: %s", error
            )
            return response
        _set_cookie(response, known["reader"] if known else secrets.token_hex(8), position)
    elif known is None and response.mimetype == "text/html" and response.status_code == 200:
        _set_cookie(response, secrets.token_hex(8))
    return response


def _set_cookie(response: Response, reader: str, position: int | None = None) -> None:
    response.set_cookie(
        COOKIE,
        reader if position is None else f"{reader}-{position:x}",
        max_age=COOKIE_SECONDS,
        path=request.script_root + "/",
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def _wish(readers: Readers) -> Wish:
    cookie, told = _cookie(), request.headers.get(CURSOR_HEADER, "")
    return Wish(
        reader=cookie["reader"] if cookie else readers.anybody(),
        position=int(cookie["position"] or "0", 16) if cookie else 0,
        cursor=int(told) if _CURSOR.fullmatch(told) else 0,
    )


def _cookie() -> re.Match[str] | None:
    return _COOKIE.fullmatch(request.cookies.get(COOKIE, ""))


def _readers() -> Readers | None:
    found: Readers | None = current_app.extensions["hermes_sessions_readers"]
    return found


def _again() -> Response:
    """Run the request from its beginning, guards included."""
    try:
        answer = current_app.preprocess_request()
        if answer is None:
            answer = current_app.dispatch_request()
    except Exception as error:  # whatever it is, the application's handlers answer it
        answer = current_app.handle_user_exception(error)
    return current_app.make_response(answer)
