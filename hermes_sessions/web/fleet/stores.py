"""The stores of this viewer, and which of them a page asks."""

from dataclasses import replace

from flask import current_app, request

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.web.fleet.values import FleetFrame


def fleet() -> Fleet:
    """Return the stores of this viewer."""
    found = current_app.extensions["hermes_sessions_fleet"]
    assert isinstance(found, Fleet)
    return found


def load_frame() -> FleetFrame:
    """Return what merged pages show of the stores.

    Raises:
        InvalidQueryError: the store that is asked for is none, or cannot be read.
    """
    names, chosen = fleet().names, request.args.get("store") or None
    if chosen is not None and chosen not in names:
        raise InvalidQueryError(f"store: there is none called {chosen!r} that can be read")
    return after_asking(FleetFrame(names=names, left_out=(), chosen=chosen))


def after_asking(frame: FleetFrame) -> FleetFrame:
    """Return the frame with the stores that are left out by now: a question may have found one broken."""
    return replace(frame, left_out=tuple(one for one in fleet().states() if one.problem is not None))


def stores_of(frame: FleetFrame) -> tuple[str, ...]:
    """Return the stores that a page asks."""
    return frame.names if frame.chosen is None else (frame.chosen,)
