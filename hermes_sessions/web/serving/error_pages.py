"""Errors as clean pages, or as problem documents under /api; never a traceback."""

import logging
from http import HTTPStatus
from urllib.parse import quote

from flask import Flask, Response, current_app, make_response, render_template, request
from sqlalchemy.exc import DatabaseError
from werkzeug.exceptions import HTTPException, InternalServerError

from hermes_sessions.errors import (
    AmbiguousIdError,
    HermesSessionsError,
    InvalidQueryError,
    NotFoundError,
    StoreError,
)
from hermes_sessions.operations.documents.following import ProblemJson
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.serving.urls import path_of_page

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
"""When to ask again after a 503."""

KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")
"""What an error's own headers may add to its page."""

_STATUS = (
    (InvalidQueryError, HTTPStatus.BAD_REQUEST),
    (NotFoundError, HTTPStatus.NOT_FOUND),
    (AmbiguousIdError, HTTPStatus.NOT_FOUND),
    (StoreError, HTTPStatus.SERVICE_UNAVAILABLE),
)

_WHAT_NOW = {
    400: "The address asks for something that is not valid here.",
    403: "This request is not allowed.",
    404: "There is nothing at this address.",
    405: "This address does not take that kind of request.",
    413: "The request is too large.",
    415: "This address takes JSON.",
    500: "Something went wrong in the viewer. Its log has the details.",
    503: "The store cannot be read right now. Try again in a moment.",
}

_ADVICE = {
    400: "Check the part of the address after the question mark, or start again from the conversations.",
    403: "Open the viewer by the address it printed when it started, and use its own forms.",
    404: "What was just written may not have been imported yet: the origins page says when each database was"
    " last read. An id may be shortened to a beginning that fits one conversation only.",
    405: "Go back and use the links and buttons of the page.",
    413: "Send less at once.",
    429: "Wait a minute, then sign in with the token that the viewer was started with.",
    500: "Try again. When it happens again, stop the viewer and run: hermes-sessions db check",
    503: "Load this page again in a moment. If it stays like this, run: hermes-sessions db check",
}


def register(app: Flask) -> None:
    """Answer every error with its page."""
    app.register_error_handler(HermesSessionsError, answer_ours)
    app.register_error_handler(DatabaseError, _unreadable)
    app.register_error_handler(HTTPException, _http)


def answer_ours(error: HermesSessionsError) -> Response:
    """Return the page, or the problem document, of an error of ours."""
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), None)
    if status is None:
        logger.error("unexpected error", exc_info=error)
        return _answer(500, None)
    names = error.candidates if isinstance(error, AmbiguousIdError) else ()
    return _answer(int(status), str(error), names)


def _unreadable(error: DatabaseError) -> Response:
    name = current_app.extensions["hermes_sessions_database"].name
    logger.error("%s: cannot be read: %s", name, error.orig)
    return _answer(503, None)


def _http(error: HTTPException) -> Response:
    if error.code is None or error.code < 400:
        return make_response(error.get_response())
    if isinstance(error, InternalServerError) and error.original_exception is not None:
        return _answer(500, None)
    ours = type(error).description != error.description
    response = _answer(error.code, error.description if ours else None)
    for name, value in error.get_headers():
        if name in KEPT_HEADERS:
            response.headers[name] = value
    return response


def _answer(status: int, detail: str | None, candidates: tuple[str, ...] = ()) -> Response:
    """Return a page, or a problem document (RFC 9457) where the request is for the API."""
    title = HTTPStatus(status).phrase
    detail = detail or _WHAT_NOW.get(status, title)
    if is_for_api():
        instance = quote(request.script_root + request.path, safe="/~")
        response = respond(
            ProblemJson(type="about:blank", title=title, status=status, detail=detail, instance=instance)
        )
        response.content_type = "application/problem+json"
    else:
        response = make_response(
            render_template(
                "errors/error.html",
                status=status,
                title=title,
                detail=detail,
                advice=_ADVICE.get(status, ""),
                candidates=candidates,
            )
        )
    response.status_code = status
    if status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def is_for_api() -> bool:
    """Return whether the request expects JSON, by its address."""
    path = path_of_page()
    return path in ("/api", "/healthz") or path.startswith("/api/")
