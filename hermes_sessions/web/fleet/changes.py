"""Whether anything changed in any store: a number that grows, to ask about every few seconds.

Which rows changed is not told: a page of many stores is loaded again. There are no streams here; each
store's own pages have theirs.
"""

import threading
import time

from flask import Blueprint, Response, current_app, request

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.operations.documents.following import ChangesJson
from hermes_sessions.web.fleet.stores import fleet
from hermes_sessions.web.serving.respond import respond

live = Blueprint("live", __name__)
BLUEPRINTS = (live,)
KEY = "hermes_sessions_fleet_changes"


class FleetChanges:
    """Counts the states of all stores that were seen; safe to use from any thread.

    A number of an earlier process is smaller than all of this one: they begin at the time in milliseconds,
    and no store is looked at so often.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = time.time_ns() // 1_000_000
        self._token = ""

    def number(self, token: str) -> int:
        """Return the number of a state; another one than before has a larger one."""
        with self._lock:
            if token != self._token:
                self._token = token
                self._number += 1
            return self._number


def current_number() -> int:
    """Return the number of what the stores hold now."""
    found = current_app.extensions[KEY]
    assert isinstance(found, FleetChanges)
    return found.number(fleet().change_token())


@live.get("/api/changes")
def changes() -> Response:
    """Return the number of this moment, and whether anything changed since another one."""
    since = request.args.get("since") or ""
    if since and not (since.isascii() and since.isdigit() and len(since) <= 18):
        raise InvalidQueryError("since is a cursor that this address gave out")
    number = current_number()
    moved = bool(since) and int(since) != number
    return respond(ChangesJson(cursor=number, more=moved, conversations=[]))
