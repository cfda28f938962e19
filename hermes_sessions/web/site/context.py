"""What handlers and templates need of the application they run in."""

import time
from typing import Any

from flask import Flask, current_app, request

from hermes_sessions.errors import StoreError
from hermes_sessions.operations.organising.journal import find_change
from hermes_sessions.store.opening.database import Database
from hermes_sessions.web.serving.compression import masked
from hermes_sessions.web.serving.request_store import reading
from hermes_sessions.web.serving.security import form_proof, may_write, signed_in, viewer_config
from hermes_sessions.web.serving.urls import site_root
from hermes_sessions.web.site.json_twins import json_twin
from hermes_sessions.web.site.keyboard import actions
from hermes_sessions.web.site.preferences import THEMES, chosen_theme
from hermes_sessions.web.site.site_values import News, Site
from hermes_sessions.web.site.site_words import change_line, emptied_line, sync_line
from hermes_sessions.web.site.sync_status import SyncStatus

__all__ = ["database", "register", "sync_status", "viewer_config"]


def database() -> Database:
    """Return the store for this request: what writes is given the primary, a reader perhaps a replica."""
    return reading().database


def sync_status() -> SyncStatus:
    """Return how far syncing is; empty where nothing syncs."""
    found = current_app.extensions["hermes_sessions_sync"]
    assert isinstance(found, SyncStatus)
    return found


def register(app: Flask) -> None:
    """Give every template `site`, `now` and `keys`."""
    app.context_processor(_site)


def _site() -> dict[str, Any]:
    config = viewer_config()
    merged = "hermes_sessions_fleet" in current_app.extensions
    inside = config.token is not None and signed_in()
    site = Site(
        signed_in=inside,
        form_proof=masked(form_proof()) if inside or config.token is None else "",
        may_write=may_write(),
        here=request.full_path.rstrip("?"),
        news=None if merged else _news(),
        importing=sync_status().importing,
        lines=tuple(sync_line(origin) for origin in sync_status().importing),
        theme=chosen_theme(),
        themes=THEMES,
        json_twin=json_twin(),
        home=site_root(),
        store=current_app.extensions["hermes_sessions_store_name"],
        merged=merged,
    )
    return {"site": site, "now": time.time(), "keys": actions()}


def _news() -> News | None:
    """Return what a form that led here did, or what was taken back."""
    for name in ("emptied", "changed", "undone"):
        number = request.args.get(name, "")
        if name == "emptied" and number.isascii() and number.isdigit() and len(number) < 19:
            return News(text=emptied_line(int(number)), undo=None)
        if number.isascii() and number.isdigit() and len(number) < 19:
            try:
                with database().read() as db:
                    change = find_change(db, int(number))
            except StoreError:  # the page, perhaps one that says just this, stands without the line
                return None
            if change is not None:
                return News(
                    text=change_line(change, undone=name == "undone", held=bool(request.args.get("held"))),
                    undo=change.id if change.undone_at is None else None,
                )
    return None
