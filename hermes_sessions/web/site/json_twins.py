"""Where each page answers as JSON."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from flask import current_app, request, url_for

TWINS: Final[Mapping[str, str]] = {
    "conversations.index": "api.conversations",
    "conversations.show": "api.messages",
    "conversations.system_prompt": "api.system_prompt",
    "contents.show": "contents.api_show",
    "lineage.show": "api.lineage",
    "messages.show": "api.message",
    "audit.seen": "audit_api.seen",
    "audit.compaction": "audit_api.compaction",
    "audit.findings": "audit_api.findings",
    "ledger.compactions": "api.compactions",
    "ledger.origins": "ledger.api_origins",
    "overview.show": "overview.document",
    "search.index": "search.document",
    "ledger.help_page": "api.description",
}
_OURS: Final = frozenset({"changed", "undone", "held", "emptied", "part", "tools"})
"""What a query string asks of the page alone."""


def json_twin() -> str | None:
    """Return the address of this request's page as JSON, None where it has none."""
    endpoint = TWINS.get(request.endpoint or "", "")
    if endpoint not in current_app.view_functions or (
        endpoint == "search.document" and not request.args.get("q", "").strip()
    ):
        return None
    asked = [(name, value) for name, value in request.args.items(multi=True) if name not in _OURS]
    # Joined by hand: a name of the query string is no argument of `url_for`.
    query = f"?{urlencode(asked)}" if asked else ""
    return url_for(endpoint, **(request.view_args or {})) + query
