"""Signing in with the token and out again."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from hermes_sessions.web.serving.compression import unmasked
from hermes_sessions.web.serving.security import (
    matches,
    note_wrong_guess,
    refuse_guessing,
    signed_in,
    viewer_config,
)
from hermes_sessions.web.serving.urls import own_path, site_root

bp = Blueprint("login", __name__)
COOKIE_SECONDS = 30 * 86_400


@bp.get("/login")
def form() -> str:
    """Show the form that asks for the token."""
    return render_template("login/form.html", target=own_path(request.args.get("next")), wrong=False)


@bp.post("/login")
def check() -> Response | tuple[str, int]:
    """Set the cookie when the token is right."""
    config = viewer_config()
    target = own_path(request.form.get("next"))
    refuse_guessing()
    if not matches(config.token or "", request.form.get("token", "").strip()):
        note_wrong_guess()
        return render_template("login/form.html", target=target, wrong=True), 403
    response = redirect(request.script_root + target)
    response.set_cookie(
        config.cookie_name,
        config.derive("cookie"),
        max_age=COOKIE_SECONDS,
        path=site_root(),
        secure=request.is_secure,
        httponly=True,
        samesite="Strict",
    )
    return response


@bp.post("/logout")
def leave() -> Response:
    """Forget the cookie; the form proves that our own page sent it."""
    config = viewer_config()
    if config.token is None or not signed_in():
        abort(404)
    if not matches(config.derive("form"), unmasked(request.form.get("proof", ""))):
        abort(403, "this form is out of date; go back, reload and try again")
    response = redirect(url_for("login.form"))
    response.delete_cookie(config.cookie_name, path=site_root())
    return response
