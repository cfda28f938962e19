"""The OpenAPI document: paths as `static/openapi.json` has them, schemas from the documents' structs."""

import json
from functools import cache
from typing import Any

from hermes_sessions import __version__, paths
from hermes_sessions.audit.rules import RULES
from hermes_sessions.operations.documents.schemas import ANSWERS, document_schemas


@cache
def api_description() -> dict[str, Any]:
    """Return the description of everything below `/api`; the caller changes nothing in it."""
    found: dict[str, Any] = json.loads((paths.static() / "openapi.json").read_text("utf-8"))
    found["info"]["version"] = __version__
    found["components"]["parameters"]["Rule"]["schema"]["enum"] = sorted(RULES)
    found["components"]["schemas"] = document_schemas(ANSWERS)
    return found
