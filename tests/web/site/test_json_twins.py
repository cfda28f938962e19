"""The link to the JSON twin: on every type of page, and it answers."""

import json

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from tests.web import stories
from tests.web.html import read

PAGES = (
    "/", "/?kind=trash", "/?kind=all&source=cli", "/overview?range=30", "/search?q=ledger", "/compactions",
    "/compactions/1", "/findings", "/findings?rule=invented", "/origins", "/help", "/c/invoices-after",
    "/c/invoices-after?view=model", "/c/invoices-after?at=0.0", "/c/invoices-after/contents",
    "/c/invoices-after/lineage", "/c/invoices-after/system-prompt", "/m/1/all", "/m/1/seen",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_every_page_links_its_twin(db: OrmSession, client: FlaskClient, path: str) -> None:
    stories.swallowed_reply(db)
    db.commit()
    page = read(client.get(path).text)
    [door] = page.all(lambda one: one.attributes.get("data-action") == "json")
    [alternate] = page.all(lambda one: one.attributes.get("rel") == "alternate")
    assert door.attributes["href"] == alternate.attributes["href"]
    answer = client.get(door.attributes["href"])
    assert answer.status_code == 200
    assert answer.mimetype == "application/json"
    assert isinstance(json.loads(answer.text), dict)


def test_a_search_for_nothing_has_none(client: FlaskClient) -> None:
    assert not read(client.get("/search").text).all(lambda one: one.attributes.get("data-action") == "json")
