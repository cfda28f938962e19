"""A document as the answer to a request."""

from typing import Any

from flask import Response, current_app

from hermes_sessions.operations.documents.encoding import encode


def respond(document: Any) -> Response:
    """Return a document as JSON."""
    return current_app.response_class(encode(document) + b"\n", mimetype="application/json")
