"""What a browser keeps about the looks of the viewer: theme, what was dismissed. The store has none of it."""

from typing import Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.web.serving.security import require_proof
from hermes_sessions.web.serving.urls import own_path, site_root

bp = Blueprint("preferences", __name__)
THEMES: Final = ("system", "light", "dark")
_CHOICES: Final = {"theme": THEMES, "strip": ("hidden",)}
_SECONDS: Final = 400 * 86_400
"""Browsers keep no cookie longer."""


@bp.post("/preferences")
def choose() -> Response:
    """Keep a choice in the browser, and go back."""
    require_proof()
    response = redirect(request.script_root + own_path(request.form.get("next")), 303)
    for name, allowed in _CHOICES.items():
        value = request.form.get(name)
        if value is None:
            continue
        if value not in allowed:
            raise InvalidQueryError(f"{name} is one of {', '.join(allowed)}")
        response.set_cookie(
            _cookie(name),
            value,
            max_age=_SECONDS,
            path=site_root(),
            secure=request.is_secure,
            httponly=True,
            samesite="Strict",
        )
    return response


def chosen_theme() -> str:
    """Return the theme of this browser."""
    found = request.cookies.get(_cookie("theme"), "")
    return found if found in THEMES else THEMES[0]


def is_dismissed(name: str) -> bool:
    """Return whether this browser does not want to see something again."""
    return request.cookies.get(_cookie(name)) == "hidden"


def _cookie(name: str) -> str:
    return f"hermes_sessions_{name}"
