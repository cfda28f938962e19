"""Every request has an id and leaves one line in the log; neither holds what was asked for.

The id comes from whoever asked (a proxy) where it is a harmless word, goes back in the
answer, and stands in every line that is logged meanwhile. Query strings stay out of the
log: a search is private, and so is what a form sends.
"""

import logging
import secrets
import time
from typing import Final

from flask import Flask, Response, g, has_request_context, request

from hermes_sessions.late_patterns import late_pattern

HEADER: Final = "X-Request-ID"
_HARMLESS: Final = late_pattern(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")

logger = logging.getLogger("hermes_sessions.access")


def register(app: Flask) -> None:
    """Give requests their ids, before anything else; log their answers."""
    app.before_request(begin)
    app.after_request(end)


def begin() -> None:
    """Note when the request came and what it is called."""
    asked = request.headers.get(HEADER, "")
    g.request_id = asked if _HARMLESS.fullmatch(asked) else secrets.token_hex(8)
    g.began = time.perf_counter()


def end(response: Response) -> Response:
    """Send the id back and log one line."""
    # A request that could not be routed at all never began.
    response.headers[HEADER] = request_id() or "-"
    logger.info(
        "%s %s %s",
        request.method,
        request.path,
        response.status_code,
        extra={
            "method": request.method,
            "path": request.path,
            "status": response.status_code,
            "seconds": round(seconds(), 6),
            "client": request.remote_addr,
        },
    )
    return response


def seconds() -> float:
    """Return how long the current request has taken."""
    return time.perf_counter() - float(g.get("began", time.perf_counter()))


def request_id() -> str | None:
    """Return the current request's id; None outside of requests."""
    if not has_request_context():
        return None
    found: str | None = g.get("request_id")
    return found
