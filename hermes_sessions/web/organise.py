"""Forms and API calls that change what is ours: pins, archive, tags, notes, trash, saved searches, undo.

Everything else here reads. A change answers with a way back: the page it came from, with
a line that says what was done and undoes it.
"""

import time
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.operations.documents.document import shaped
from hermes_sessions.operations.documents.organising import (
    ChangeJson,
    ChangeListJson,
    OrganisedJson,
    SavedChangeJson,
    SavedListJson,
    SavedSearchJson,
    UndoneJson,
)
from hermes_sessions.operations.organising.journal import list_changes, undo_change
from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.operations.organising.prune import empty_trash
from hermes_sessions.operations.organising.saved_searches import forget_search, list_searches, save_search
from hermes_sessions.operations.writing.origins import pause_origin
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.serving.security import require_may_write, require_proof
from hermes_sessions.web.serving.urls import own_path
from hermes_sessions.web.site.context import database

bp = Blueprint("organise", __name__)


@bp.before_request
def guard() -> None:
    """Let nobody change anything who may only read, or whose request a page of ours did not make."""
    if request.method != "POST":
        return
    require_may_write()
    require_proof()


@bp.post("/organise")
def change() -> BaseResponse:
    """Do something to the conversations that were ticked, and go back."""
    action = _action(request.form.get("action"))
    done = organise(
        database(), request.form.getlist("id"), action, request.form.get("text", ""), now=time.time()
    )
    return _back(changed=done.change, held=done.held or None)


@bp.post("/trash/empty")
def clear_trash() -> BaseResponse:
    """Erase for good what is in the trash, and go back; the form must say that it is sure."""
    if request.form.get("sure") != "yes":
        raise InvalidQueryError("tick that you are sure: what is erased cannot be restored")
    done = empty_trash(database())
    return _back(emptied=done.conversations)


@bp.post("/origins/pause")
def pause() -> BaseResponse:
    """Leave an origin out of syncs from now on, or take it in again, and go back."""
    paused = request.form.get("paused")
    if paused not in ("yes", "no"):
        raise InvalidQueryError("paused must be yes or no")
    pause_origin(database(), request.form.get("label", ""), paused=paused == "yes")
    return _back()


@bp.post("/undo/<int:number>")
def undo(number: int) -> BaseResponse:
    """Take a change back, and go back."""
    undone = undo_change(database(), _number(number), now=time.time())
    return _back(undone=undone.change)


@bp.post("/saved")
def save() -> BaseResponse:
    """Save the page one came from under a name, or take a name away."""
    name = request.form.get("name", "")
    if request.form.get("remove"):
        return _back(changed=forget_search(database(), name, now=time.time()))
    target = _without_news(own_path(request.form.get("next")))
    return _back(changed=save_search(database(), name, target, now=time.time()))


# -- API -------------------------------------------------------------------------------------------


@bp.post("/api/organise")
def api_change() -> Response:
    """Do `{"action", "ids", "text"?}`; answer what it did and its number for undo."""
    given = _json()
    ids, text = given.get("ids"), given.get("text", "")
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
        raise InvalidQueryError("ids is a list of conversation ids")
    if not isinstance(text, str):
        raise InvalidQueryError("text is a string")
    done = organise(database(), ids, _action(given.get("action")), text, now=time.time())
    return respond(shaped(done, OrganisedJson))


@bp.post("/api/undo")
def api_undo() -> Response:
    """Take back `{"change": number}`, or the newest change."""
    number = _json().get("change")
    if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
        raise InvalidQueryError("change is a number")
    undone = undo_change(database(), None if number is None else _number(number), now=time.time())
    return respond(shaped(undone, UndoneJson))


@bp.get("/api/journal")
def api_changes() -> Response:
    """Return the newest changes."""
    with database().read() as db:
        return respond(ChangeListJson(changes=[shaped(one, ChangeJson) for one in list_changes(db)]))


@bp.get("/api/saved")
def api_saved() -> Response:
    """Return the saved searches."""
    with database().read() as db:
        return respond(SavedListJson(saved=[shaped(one, SavedSearchJson) for one in list_searches(db)]))


@bp.post("/api/saved")
def api_save() -> Response:
    """Save `{"name", "target"}`; without a target the name is taken away."""
    given = _json()
    name, target = given.get("name"), given.get("target")
    if not isinstance(name, str) or not isinstance(target, str | None):
        raise InvalidQueryError("name is a string, target a string or null")
    if target is None:
        change = forget_search(database(), name, now=time.time())
    else:
        change = save_search(database(), name, target, now=time.time())
    return respond(SavedChangeJson(change=change))


# -- inside ----------------------------------------------------------------------------------------


def _json() -> dict[str, Any]:
    try:
        given = request.get_json(silent=True)
    except RecursionError:  # brackets in brackets, thousands deep
        given = None
    if not isinstance(given, dict):
        raise InvalidQueryError("send a JSON object, as application/json")
    return given


def _action(given: object) -> Action:
    try:
        return Action(str(given))
    except ValueError:
        raise InvalidQueryError(f"action is one of {', '.join(Action)}") from None


def _number(number: int) -> int:
    if not 0 < number < 2**63:
        abort(404)
    return number


def _back(**news: int | None) -> BaseResponse:
    """Return to the page that the form stood on, telling it what happened."""
    parts = urlsplit(_without_news(own_path(request.form.get("next"))))
    told = [(name, str(value)) for name, value in news.items() if value is not None]
    query = urlencode([*parse_qsl(parts.query, keep_blank_values=True), *told])
    where = parts._replace(query=query, fragment=_fragment()).geturl()
    return redirect(request.script_root + where, 303)


def _fragment() -> str:
    """Return the place in the page to go back to, where the form names one."""
    given = request.form.get("at", "")
    return given if given.replace("-", "").isalnum() and given.isascii() else ""


def _without_news(target: str) -> str:
    parts = urlsplit(target)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = [(name, value) for name, value in pairs if name not in ("changed", "undone", "held", "emptied")]
    return parts._replace(query=urlencode(kept), fragment="").geturl()
