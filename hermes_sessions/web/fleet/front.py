"""The viewer of many stores: merged pages at the top, each store's own pages below `/s/NAME/`.

A store has an application of its own, made when it is first asked for. It is given the rest of the
address as a server gives it what stands below a prefix, so that none of its pages knows of the others.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from flask import Blueprint, Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wsgi import ClosingIterator

from hermes_sessions.errors import HermesSessionsError, NotFoundError
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.web import PAGES, bare_app, create_app
from hermes_sessions.web.fleet import figures, finding, lists
from hermes_sessions.web.serving import compression, error_pages, login, requests, security
from hermes_sessions.web.serving.config import ViewerConfig
from hermes_sessions.web.serving.urls import SITE_ROOT, decode_id
from hermes_sessions.web.site import caching, context, preferences
from hermes_sessions.web.site.live import end_streams
from hermes_sessions.web.site.sync_status import SyncStatus

PREFIX: Final = "/s/"
MOST_APPS: Final = 24
"""Applications of stores that are kept; the one that was not asked for longest gives way."""
_PROBLEM: Final = "hermes_sessions.store_problem"
Wsgi = Callable[..., Iterable[bytes]]


def create_fleet_app(fleet: Fleet, *, config: ViewerConfig | None = None) -> Flask:
    """Make the viewer of many stores.

    Args:
        fleet: the open stores.
        config: where it runs and what it requires; by default this machine only.
    """
    config = config or ViewerConfig()
    app = bare_app()
    app.extensions["hermes_sessions_fleet"] = app.extensions["hermes_sessions_database"] = fleet
    app.extensions["hermes_sessions_readers"] = app.extensions["hermes_sessions_store_name"] = None
    app.extensions["hermes_sessions_config"] = config
    app.extensions["hermes_sessions_sync"] = SyncStatus()
    for family in (*lists.BLUEPRINTS, *finding.BLUEPRINTS, *figures.BLUEPRINTS, login.bp, preferences.bp):
        app.register_blueprint(family)
    app.register_blueprint(_addresses())
    requests.register(app)
    compression.register(app)
    context.register(app)
    security.secure(app)
    app.before_request(_tell_problem)
    caching.register(app)
    error_pages.register(app)
    apps = StoreApps(fleet, app, config)
    app.extensions["hermes_sessions_end_streams"] = apps.end_streams
    app.wsgi_app = apps.dispatch(app.wsgi_app)  # type: ignore[method-assign]
    if config.behind_proxy:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1, x_prefix=1)  # type: ignore[method-assign]
    return app


def _addresses() -> Blueprint:
    """Return the pages of a store as addresses alone: they are answered by its own application."""
    stores = Blueprint("store", __name__, url_prefix=f"{PREFIX}<sid:store>")
    for family in PAGES:
        stores.register_blueprint(family.bp)
    return stores


def _tell_problem() -> None:
    """Raise why a store's page cannot be answered; behind the guards."""
    problem = request.environ.get(_PROBLEM)
    if problem is not None:
        raise problem


class StoreApps:
    """The applications of stores, and the way to them; safe to use from any thread."""

    def __init__(self, fleet: Fleet, front: Flask, config: ViewerConfig) -> None:
        self._fleet = fleet
        self._front = front
        self._config = replace(config, behind_proxy=False)  # the way here has seen to the headers
        self._made: OrderedDict[str, Flask] = OrderedDict()
        self._lock = threading.Lock()
        self._streams = 0

    def dispatch(self, front: Wsgi) -> Wsgi:
        """Return what answers every request: *front*, or a store's application."""

        def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
            path = "/" + environ.get("PATH_INFO", "").lstrip("/")
            if not path.startswith(PREFIX):
                return front(environ, start_response)
            segment, _, rest = path.removeprefix(PREFIX).partition("/")
            try:
                app = self.of(decode_id(segment))
            except (HermesSessionsError, ValueError) as error:
                ours = isinstance(error, HermesSessionsError)
                problem = error if ours else NotFoundError("no store has this address")
                return front({**environ, _PROBLEM: problem}, start_response)
            root = environ.get("SCRIPT_NAME", "")
            below = {
                **environ,
                SITE_ROOT: root,
                "SCRIPT_NAME": f"{root}{PREFIX}{segment}",
                "PATH_INFO": f"/{rest}",
            }
            return self._bounded(app, below, start_response)

        return answer

    def of(self, name: str) -> Flask:
        """Return the application of a store.

        Raises:
            NotFoundError: there is no such store.
            StoreError: it cannot be opened.
        """
        database = self._fleet.database(name)
        with self._lock:
            app = self._made.pop(name, None)
            if app is None or app.extensions["hermes_sessions_database"] is not database:
                app = create_app(database, config=self._config, store_name=name)
                # One address has as many guesses as with one store.
                app.extensions["hermes_sessions_guesses"] = self._front.extensions["hermes_sessions_guesses"]
            self._made[name] = app
            left = self._made.popitem(last=False)[1] if len(self._made) > MOST_APPS else None
        if left is not None:
            end_streams(left)
        return app

    def end_streams(self) -> None:
        """End the streams of all stores."""
        with self._lock:
            made = list(self._made.values())
        for app in made:
            end_streams(app)

    def _bounded(self, app: Flask, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer, and count streams of events over all stores: each keeps one of the server's threads."""
        if environ["PATH_INFO"] != "/api/events":
            return app.wsgi_app(environ, start_response)
        with self._lock:
            full = self._streams >= self._config.max_streams
            self._streams += not full
        if full:
            headers = {
                **security.HEADERS,
                "Content-Type": "text/plain; charset=utf-8",
                "Cache-Control": "private, no-cache",
                "Retry-After": "30",
            }
            start_response("503 Service Unavailable", list(headers.items()))
            return [b"all streams are in use; ask /api/changes instead\n"]
        return ClosingIterator(app.wsgi_app(environ, start_response), self._left)

    def _left(self) -> None:
        with self._lock:
            self._streams -= 1
