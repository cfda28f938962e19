"""Conditional requests: what did not change is not made again, nor sent.

Every answer to a GET depends on the store, the address, who asks, the progress of a
sync and (for ages such as "3 minutes ago") the minute. A tag over all of these is
known before a page is made, so a 304 costs no question to the store's tables. Where there
are replicas, the tag is about the one that this request reads, and no other.
Static files carry a digest of their content in their address and are kept for a year.
"""

import hashlib
import time
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, g, request

from hermes_sessions import __version__
from hermes_sessions.web.serving.request_store import reading, replica_states
from hermes_sessions.web.site.context import database, sync_status, viewer_config

UNTAGGED_ENDPOINTS: Final = frozenset(
    {"static", "api.healthz", "login.form", "live.events", "metrics.metrics"}
)
STATIC_SECONDS: Final = 365 * 86_400


def register(app: Flask) -> None:
    """Tag answers, and answer what the asker has already with 304."""
    files = _Digests(Path(str(app.static_folder)))

    @app.url_defaults
    def add_digest(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "filename" in values:
            values.setdefault("v", files.digest(values["filename"]))

    @app.after_request
    def keep_static(response: Response) -> Response:
        name = (request.view_args or {}).get("filename")
        if request.endpoint == "static" and name and request.args.get("v") == files.digest(name):
            response.headers["Cache-Control"] = f"public, max-age={STATIC_SECONDS}, immutable"
        return response

    app.before_request(answer_unchanged)
    app.after_request(add_tag)


def answer_unchanged() -> Response | None:
    """Answer 304 where the asker holds what would be sent."""
    if request.method not in ("GET", "HEAD") or request.endpoint in (None, *UNTAGGED_ENDPOINTS):
        return None
    g.tag = _tag()
    known = request.if_none_match
    if known.star_tag or not known.contains_weak(g.tag):
        return None
    return Response(status=304)


def add_tag(response: Response) -> Response:
    """Put the tag on complete answers; one that sets a cookie or forbids keeping has none."""
    tag = g.pop("tag", None)
    kept = not response.cache_control.no_store and "Set-Cookie" not in response.headers
    if tag is not None and response.status_code in (200, 304) and kept:
        response.set_etag(tag, weak=True)
    return response


def _tag() -> str:
    now = time.time()
    parts = (
        __version__,
        reading().token or database().change_token(),
        repr(replica_states())
        if request.endpoint in ("ledger.origins", "ledger.api_origins", "api.sync")
        else "",
        viewer_config().derive("tag"),  # forms of an earlier process are out of date
        request.url,
        request.headers.get("Cookie", ""),
        request.headers.get("Authorization", ""),
        repr(sync_status().snapshot()),
        time.strftime("%F", time.localtime(now)) if request.path.startswith("/api/") else str(now // 60),
    )
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=12).hexdigest()


class _Digests:
    """Digests of the files below a folder, each computed again when the file changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[int, int], str]] = {}

    def digest(self, name: str) -> str | None:
        """Return the digest of a file; None where there is no such file."""
        path = self._folder / name
        try:
            stat = path.stat()
            mark = (stat.st_mtime_ns, stat.st_size)
            known = self._known.get(name)
            if known is None or known[0] != mark:
                found = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
                known = self._known[name] = (mark, found)
        except (OSError, ValueError):
            return None
        return known[1]
