"""The viewer of many stores: merged pages at the top, each store's own pages below `/s/NAME/`.

A store has an application of its own, made when it is first asked for. It is given the rest of the
address as a server gives it what stands below a prefix, so that none of its pages knows of the others.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from flask import Blueprint, Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

from hermes_sessions.errors import HermesSessionsError, NotFoundError
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.web import PAGES, bare_app, create_app
from hermes_sessions.web.fleet import changes, figures, finding, lists
from hermes_sessions.web.serving import compression, error_pages, login, requests, security
from hermes_sessions.web.serving.config import ViewerConfig
from hermes_sessions.web.serving.urls import SITE_ROOT, STORES, decode_id
from hermes_sessions.web.site import caching, context, preferences
from hermes_sessions.web.site.live import end_streams, hub_of
from hermes_sessions.web.site.sync_status import SyncStatus

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
    app.extensions[changes.KEY] = changes.FleetChanges()
    own = (one for pages in (lists, finding, figures, changes) for one in pages.BLUEPRINTS)
    for family in (*own, login.bp, preferences.bp):
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
    stores = Blueprint("store", __name__, url_prefix=f"{STORES}<sid:store>")
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

    def dispatch(self, front: Wsgi) -> Wsgi:
        """Return what answers every request: *front*, or a store's application."""

        def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
            path = "/" + environ.get("PATH_INFO", "").lstrip("/")
            if not path.startswith(STORES):
                return front(environ, start_response)
            segment, _, rest = path.removeprefix(STORES).partition("/")
            try:
                if self._is_nobody(environ):  # who is sent to sign in learns no name, and opens no store
                    raise NotFoundError("no store has this address")
                app = self.of(decode_id(segment))
            except (HermesSessionsError, ValueError) as error:
                ours = isinstance(error, HermesSessionsError)
                problem = error if ours else NotFoundError("no store has this address")
                return front({**environ, "PATH_INFO": path, _PROBLEM: problem}, start_response)
            root = environ.get("SCRIPT_NAME", "")
            below = {
                **environ,
                SITE_ROOT: root,
                "SCRIPT_NAME": f"{root}{STORES}{segment}",
                "PATH_INFO": f"/{rest}",
            }
            return app.wsgi_app(below, start_response)

        return answer

    def _is_nobody(self, environ: dict[str, Any]) -> bool:
        """Return whether a token is required and nothing that could prove it was sent."""
        cookies = environ.get("HTTP_COOKIE", "")
        proof = "HTTP_AUTHORIZATION" in environ or self._config.cookie_name in cookies
        return self._config.token is not None and not proof

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
                app = create_app(
                    database,
                    config=self._config,
                    store_name=name,
                    streams_beside=partial(self._open_beside, name),
                )
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

    def _open_beside(self, name: str) -> int:
        """Return how many streams the other stores have open: each keeps one of the server's threads."""
        with self._lock:
            others = [app for one, app in self._made.items() if one != name]
        return sum(hub_of(app).open_streams for app in others)
