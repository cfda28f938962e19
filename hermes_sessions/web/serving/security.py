"""What every response carries and every request must pass: headers, host names, the token."""

import hmac
import math
from urllib.parse import urlencode, urlsplit

from flask import Flask, Response, abort, current_app, g, redirect, request
from werkzeug.exceptions import BadHost, TooManyRequests
from werkzeug.wrappers import Response as BaseResponse

from hermes_sessions.web.serving.compression import unmasked
from hermes_sessions.web.serving.config import ViewerConfig
from hermes_sessions.web.serving.login_throttle import Guesses
from hermes_sessions.web.serving.urls import full_path, path_below_store, path_of_page, site_root

PROOF_HEADER = "X-Hermes-Sessions-Proof"
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # templates/base.html says same-origin for pages: with this, browsers say `Origin: null` of our own forms.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_OPEN_ENDPOINTS = frozenset({"login.form", "login.check", "static", "api.healthz"})


def secure(app: Flask) -> None:
    """Put the guards before every request and the headers on every response."""
    app.extensions["hermes_sessions_guesses"] = Guesses()
    app.before_request(check_host)
    app.before_request(check_site)
    app.before_request(check_token)
    app.after_request(add_headers)


def viewer_config() -> ViewerConfig:
    """Return the settings this application was made with."""
    config = current_app.extensions["hermes_sessions_config"]
    assert isinstance(config, ViewerConfig)
    return config


def check_host() -> BaseResponse | None:
    """Refuse a Host that is none of ours: a page elsewhere may have rebound its name to us."""
    if isinstance(request.routing_exception, BadHost):
        # No name at all. A page of ours cannot say so: its links would need a host.
        return Response(
            "This host name is not allowed.\n", status=400, content_type="text/plain; charset=utf-8"
        )
    if not viewer_config().answers_to(_host_name(request.host)):
        abort(403, "this viewer does not answer to that host name; start it with --allow-host")
    return None


def check_site() -> None:
    """Refuse what another site's page sent: forms, and all it loads; following a link is allowed.

    Another port of this machine is another site here, though browsers call it the same.
    """
    form = request.method not in ("GET", "HEAD", "OPTIONS")
    origin = request.headers.get("Origin")
    foreign = request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none")
    if origin is not None and urlsplit(origin).netloc != request.host:
        foreign = True
    if not foreign or (not form and _follows_a_link()):
        return
    abort(403, f"this {'form was sent' if form else 'was asked for'} from another site")


def _follows_a_link() -> bool:
    """Return whether a person goes to a page of ours: no frame, and no stream, which would be held open."""
    headers = request.headers
    return (
        headers.get("Sec-Fetch-Mode") == "navigate"
        and headers.get("Sec-Fetch-Dest", "document") == "document"
        and request.endpoint != "live.events"
    )


def check_token() -> BaseResponse | None:
    """Ask for the token where one is needed and the request does not prove it."""
    config, path = viewer_config(), path_below_store()
    # Below a store's name nothing is open: what is there and what is not would tell names.
    if config.token is None or (request.endpoint in _OPEN_ENDPOINTS and path is None):
        return None
    if signed_in():
        return None
    if request.authorization is not None or config.cookie_name in request.cookies:
        refuse_guessing()
    path = path_of_page()
    if path.startswith("/api/") or path == "/metrics":
        abort(401, "send the token as: Authorization: Bearer TOKEN")
    target = full_path().rstrip("?") if request.method == "GET" else None
    asked = "" if target is None else f"?{urlencode({'next': target}, safe='/')}"
    return redirect(f"{site_root()}login{asked}")


def refuse_guessing() -> None:
    """Answer 429 where too many wrong tokens came from."""
    wait = _guesses().seconds_to_wait(request.remote_addr)
    if wait > 0:
        raise TooManyRequests("too many wrong tokens from this address", retry_after=math.ceil(wait))


def note_wrong_guess() -> None:
    """Count a wrong token against where it came from."""
    _guesses().note(request.remote_addr)


def _guesses() -> Guesses:
    found = current_app.extensions["hermes_sessions_guesses"]
    assert isinstance(found, Guesses)
    return found


def signed_in() -> bool:
    """Return whether the request carries the token, or a cookie that was made from it.

    Decided once for each request: every wrong one counts as a guess, and where too many
    came from the right one is not told from the others.
    """
    if "signed_in" not in g:
        g.signed_in = _proves_it()
    return bool(g.signed_in)


def _proves_it() -> bool:
    config = viewer_config()
    bearer = request.authorization
    if bearer is not None and bearer.type == "bearer":
        expected, given = config.token or "", bearer.token or ""
    else:
        expected, given = config.derive("cookie"), request.cookies.get(config.cookie_name, "")
    if not given or _guesses().seconds_to_wait(request.remote_addr) > 0:
        return False
    right = matches(expected, given)
    if not right:
        note_wrong_guess()
        g.drop_cookie = config.cookie_name in request.cookies
    return right


def may_write() -> bool:
    """Return whether this viewer changes anything: neither it nor its store is read-only."""
    return not viewer_config().read_only and not current_app.extensions["hermes_sessions_database"].read_only


def require_may_write() -> None:
    """Refuse to change anything where the viewer or its store is read-only."""
    if not may_write():
        abort(403, "this viewer only reads: it was started with --read-only, or its store cannot be written")


def form_proof() -> str:
    """Return what shows that a form, or a call of the API, was made by a page of ours."""
    return viewer_config().derive("form")


def require_proof() -> None:
    """Refuse a change that no page of ours, and no program with the token, asked for.

    A page elsewhere can send a form here, but it can neither read the proof on our pages,
    nor set a header or send JSON without asking first, which is never granted.
    """
    bearer = request.authorization
    if viewer_config().token is not None and bearer is not None and bearer.type == "bearer":
        return  # checked already, and no browser sends it by itself
    if path_of_page().startswith("/api/"):
        if not request.is_json:
            abort(415, "send JSON, as application/json")
        if "Origin" not in request.headers and viewer_config().token is None:
            return  # no browser: those always say where a request with content comes from
    given = request.headers.get(PROOF_HEADER) or request.form.get("proof", "")
    if not matches(form_proof(), unmasked(given)):
        abort(403, "this form is out of date; go back, reload and try again")


def matches(expected: str, given: str) -> bool:
    """Compare two secrets in constant time; nothing matches an empty one."""
    equal = hmac.compare_digest(expected.encode(), given.encode("utf-8", "replace"))
    return bool(expected) and equal


def add_headers(response: Response) -> Response:
    """Add the security headers; pages are never kept by shared caches."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if g.get("drop_cookie"):  # made from an older token; sent again and again it would count as guessing
        response.delete_cookie(viewer_config().cookie_name, path=site_root())
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


def _host_name(host: str) -> str:
    """Return the name of a Host header without its port: `[::1]:8765` is `::1`."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if ":" in host else host.lower()
