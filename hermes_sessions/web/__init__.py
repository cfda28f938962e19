"""The viewer: a Flask application over an open store. It reads; only `organise` writes, to the store."""

from collections.abc import Callable

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from hermes_sessions import paths
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.readers import Readers
from hermes_sessions.web import api, exports, organise
from hermes_sessions.web.auditing import audit, audit_api, report_download
from hermes_sessions.web.auditing.audit_words import badge_words
from hermes_sessions.web.conversation import contents, conversations, lineage, message_page
from hermes_sessions.web.overviews import ledger, overview
from hermes_sessions.web.searching import search
from hermes_sessions.web.serving import compression, error_pages, login, request_store, requests, security
from hermes_sessions.web.serving.config import ViewerConfig
from hermes_sessions.web.serving.urls import IdConverter
from hermes_sessions.web.site import caching, context, live, metrics, preferences
from hermes_sessions.web.site.event_hub import ChangeHub
from hermes_sessions.web.site.sync_status import SyncStatus
from hermes_sessions.web.text.filters import FILTERS

__all__ = ["SyncStatus", "ViewerConfig", "create_app"]

MAX_REQUEST_BYTES = 64_000

PAGES = (
    conversations,
    contents,
    exports,
    message_page,
    lineage,
    ledger,
    overview,
    audit,
    audit_api,
    report_download,
    api,
    organise,
    search,
)
"""Families of pages of one store."""


def bare_app() -> Flask:
    """Return an application with our templates, filters and bounds, and no page yet."""
    app = Flask(__name__, template_folder=str(paths.templates()), static_folder=str(paths.static()))
    app.config.update(MAX_CONTENT_LENGTH=MAX_REQUEST_BYTES, MAX_FORM_MEMORY_SIZE=MAX_REQUEST_BYTES)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.url_map.converters["sid"] = IdConverter
    app.jinja_env.filters.update(FILTERS, badge_words=badge_words)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    return app


def create_app(
    database: Database,
    *,
    config: ViewerConfig | None = None,
    status: SyncStatus | None = None,
    readers: Readers | None = None,
    store_name: str | None = None,
    streams_beside: Callable[[], int] = lambda: 0,
) -> Flask:
    """Make the viewer of one store.

    Args:
        database: an open store; a read-only file is enough for everything but organising.
        config: where it runs and what it requires; by default this machine only.
        status: progress of a sync that runs beside it, shown on the pages.
        readers: replicas of the store, which pages are read from.
        store_name: what the store is called where it is one of several.
        streams_beside: how many streams the applications of the others have open.
    """
    app = bare_app()
    app.extensions["hermes_sessions_database"] = database
    app.extensions["hermes_sessions_readers"] = readers
    app.extensions["hermes_sessions_config"] = config or ViewerConfig()
    app.extensions["hermes_sessions_sync"] = status or SyncStatus()
    app.extensions["hermes_sessions_store_name"] = store_name
    for family in (*PAGES, login, preferences):
        app.register_blueprint(family.bp)
    requests.register(app)
    metrics.register(app)
    most = (config or ViewerConfig()).max_streams
    live.register(app, ChangeHub(request_store.watched(app), most=most, beside=streams_beside))
    compression.register(app)
    context.register(app)
    security.secure(app)
    caching.register(app)
    request_store.register(app)  # behind caching: a cookie is set before tags are given
    error_pages.register(app)
    if (config or ViewerConfig()).behind_proxy:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1, x_prefix=1)  # type: ignore[method-assign]
    return app
