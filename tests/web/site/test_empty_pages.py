"""Pages of a store that holds nothing yet: what is watched, and what will happen."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import SyncStatus, ViewerConfig, create_app
from tests.web.html import read


def empty(client: FlaskClient, path: str) -> str:
    return read(client.get(path).text).by_class("empty")[0].text


def test_an_empty_list_says_which_places_are_watched(database: Database) -> None:
    status = SyncStatus()
    status.watched = ("/home/me/<agent>", "/srv/other")
    text = empty(create_app(database, status=status).test_client(), "/")
    assert "appears here by itself: /home/me/<agent> /srv/other" in text
    assert "Bring others in" in text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/", "There are no conversations yet. Bring some in with"),
        ("/?kind=trash", "The trash is empty."),
        ("/?kind=delegate", "No agent has given a task to another one yet."),
        ("/?title=nowhere", "No conversation matches these filters."),
        ("/compactions", "No compaction is in the store yet."),
        ("/origins", "Nothing was imported yet."),
    ],
)
def test_an_empty_page_says_why(client: FlaskClient, path: str, words: str) -> None:
    assert empty(client, path).startswith(words)


def test_who_is_not_signed_in_is_offered_no_page(database: Database) -> None:
    app: Flask = create_app(database, config=ViewerConfig(token="a token"))
    page = read(app.test_client().get("/", follow_redirects=True).text)
    assert page.by_tag("h1")[0].text == "Sign in"
    assert page.by_tag("nav") == []
    assert page.by_class("site-search") == []
