"""Forms and API calls that change what is ours: what they do, and who may send them."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession
from werkzeug.test import TestResponse

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation
from hermes_sessions.web import ViewerConfig, create_app
from tests.builders import a_conversation, a_message
from tests.web.elsewhere import ELSEWHERE
from tests.web.html import Element, read
from tests.web.stories import root_of

TOKEN = "a-token-of-some-length"


@pytest.fixture
def two(db: OrmSession) -> None:
    """Conversations `one` and `two`."""
    for name in ("one", "two"):
        a_message(db, root_of(db, a_conversation(db, id=name, title=f"Title {name}")), "Hello.")
    db.commit()


def page(client: FlaskClient, url: str = "/") -> Element:
    response = client.get(url)
    assert response.status_code == 200
    return read(response.text)


def proof(client: FlaskClient, url: str = "/") -> str:
    fields = page(client, url).by_tag("input")
    return next(one.attributes["value"] for one in fields if one.attributes.get("name") == "proof")


def send(client: FlaskClient, action: str, *ids: str, **fields: Any) -> TestResponse:
    data = {"proof": proof(client), "next": "/", "action": action, "id": list(ids), **fields}
    return client.post("/organise", data=data)


def state(database: Database, public_id: str) -> tuple[bool, bool, str | None, str | None, str]:
    with database.read() as db:
        row = db.query(Conversation).filter_by(public_id=public_id).one()
        return row.pinned, row.archived, row.tags, row.note, row.kind


PLAIN = (False, False, None, None, "chat")


def test_a_form_changes_both_and_the_next_page_undoes_it(
    two: None, client: FlaskClient, database: Database
) -> None:
    response = send(client, "pin", "one", "two", next="/?source=cli&changed=77")
    assert response.status_code == 303
    assert response.headers["Location"].startswith("/?source=cli&changed=")
    assert state(database, "one")[0]
    assert state(database, "two")[0]
    found = page(client, response.headers["Location"])
    (news,) = found.by_class("news")
    assert "Pinned 2 conversations." in news.text
    (form,) = news.by_tag("form")
    data = {one.attributes["name"]: one.attributes["value"] for one in form.by_tag("input")}
    back = client.post(form.attributes["action"], data=data)
    assert "Undone: pinned 2 conversations." in page(client, back.headers["Location"]).text
    assert state(database, "one") == state(database, "two") == PLAIN


def test_tags_and_notes_are_written_and_shown(two: None, client: FlaskClient, database: Database) -> None:
    send(client, "set_tags", "one", text="Work later", next="/c/one")
    send(client, "note", "one", text="Mind the <b>gap</b>", next="/c/one")
    assert state(database, "one")[2:4] == ("later work", "Mind the <b>gap</b>")
    for url in ("/", "/c/one"):
        found = page(client, url)
        assert [one.text.strip() for one in found.by_class("tag")] == ["#later", "#work"]
        assert "Mind the <b>gap</b>" in found.by_class("conversation-note")[0].text
    assert "Title two" not in page(client, "/?tag=work").text


def test_pinned_ones_stand_first_and_once(two: None, client: FlaskClient) -> None:
    send(client, "pin", "one")
    lists = page(client).by_class("conversations")
    assert ["Title one" in one.text for one in lists] == [True, False]
    assert len(page(client).by_class("conversation")) == 2


def test_the_trash_hides_everywhere_and_gives_back(
    two: None, client: FlaskClient, database: Database
) -> None:
    send(client, "trash", "one")
    assert state(database, "one")[4] == "trash"
    assert "Title one" not in page(client).text + page(client, "/?kind=all").text
    assert client.get("/c/one").status_code == 404
    assert client.get("/m/1/all").status_code == 404
    assert client.get("/api/conversations/one/messages").status_code == 404
    assert "Title one" in page(client, "/?kind=trash").text
    send(client, "restore", "one")
    assert state(database, "one") == PLAIN


def test_a_search_is_saved_and_removed_by_form(two: None, client: FlaskClient) -> None:
    data = {"proof": proof(client), "name": "Mine", "next": "/?source=cli"}
    client.post("/saved", data=data)
    (one,) = page(client).by_class("saved-one")
    assert one.by_tag("a")[0].attributes["href"] == "/?source=cli"
    client.post("/saved", data={**data, "remove": "1"})
    assert page(client).by_class("saved-one") == []


@pytest.mark.parametrize("url", ["/organise", "/undo/1", "/saved"])
def test_a_form_without_the_proof_is_refused(
    two: None, client: FlaskClient, database: Database, url: str
) -> None:
    for given in ("", "x"):
        response = client.post(url, data={"proof": given, "action": "pin", "id": "one", "name": "x"})
        assert response.status_code == 403
    assert state(database, "one") == PLAIN


def test_another_viewers_proof_is_refused(two: None, client: FlaskClient, database: Database) -> None:
    other = proof(create_app(database).test_client())
    response = client.post("/organise", data={"proof": other, "action": "pin", "id": "one"})
    assert response.status_code == 403


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_another_site_is_refused_even_with_the_proof(
    two: None, client: FlaskClient, headers: dict[str, str]
) -> None:
    data = {"proof": proof(client), "action": "pin", "id": "one"}
    assert client.post("/organise", data=data, headers=headers).status_code == 403
    assert client.post("/api/organise", json={}, headers=headers).status_code == 403


@pytest.mark.parametrize("next", ["////evil.example", *ELSEWHERE[::9]])
def test_a_form_never_leads_elsewhere(two: None, client: FlaskClient, next: str) -> None:
    assert send(client, "pin", "one", next=next).headers["Location"].startswith("/?changed=")


@pytest.mark.parametrize("next", ["////evil.example", *ELSEWHERE[::9]])
def test_undoing_never_leads_elsewhere(two: None, client: FlaskClient, next: str) -> None:
    number = parse_qs(urlsplit(send(client, "pin", "one").headers["Location"]).query)["changed"][0]
    response = client.post(f"/undo/{number}", data={"proof": proof(client), "next": next})
    assert response.headers["Location"].startswith("/?undone=")


def test_nothing_ticked_is_one_clear_line(two: None, client: FlaskClient) -> None:
    response = send(client, "pin")
    assert response.status_code == 400
    assert "no conversation was named" in response.text


@pytest.fixture
def looking(two: None, database: Database) -> FlaskClient:
    return create_app(database, config=ViewerConfig(read_only=True)).test_client()


def test_a_viewer_that_only_reads_shows_no_forms_and_says_so(looking: FlaskClient) -> None:
    for url in ("/", "/?source=cli", "/c/one"):
        posts = {
            one.attributes["action"]
            for one in page(looking, url).by_tag("form")
            if one.attributes["method"] == "post"
        }
        assert posts <= {"/preferences"}  # kept by the browser, not by the store
        assert page(looking, url).by_class("pick") == []
    response = looking.post("/organise", data={"action": "pin", "id": "one"})
    assert response.status_code == 403
    assert "only reads" in response.text
    problem = looking.post("/api/organise", json={"action": "pin", "ids": ["one"]})
    assert problem.status_code == 403
    assert problem.content_type == "application/problem+json"


def test_a_store_that_cannot_be_written_shows_no_forms(two: None, database: Database) -> None:
    database.read_only = True
    client = create_app(database).test_client()
    assert page(client).by_class("pick") == []
    assert client.post("/organise", data={"action": "pin", "id": "one"}).status_code == 403


def test_the_trash_is_emptied_once_one_is_sure(two: None, client: FlaskClient) -> None:
    send(client, "trash", "one")
    asked = {"proof": proof(client), "next": "/?kind=trash"}
    assert client.post("/trash/empty", data=asked).status_code == 400
    assert len(page(client, "/?kind=trash").by_class("conversation")) == 1
    done = client.post("/trash/empty", data={**asked, "sure": "yes"})
    after = page(client, done.headers["Location"])
    assert after.by_class("news")[0].text == "Erased 1 conversation for good; the trash is empty."
    assert after.by_class("conversation") == []
    assert client.get("/c/one").status_code == 404


# -- API -------------------------------------------------------------------------------------------


def test_a_program_pins_and_undoes(two: None, client: FlaskClient, database: Database) -> None:
    done = client.post("/api/organise", json={"action": "tag", "ids": ["one"], "text": "a b"})
    assert done.status_code == 200
    assert done.json == {"action": "tag", "change": 1, "conversations": 1, "unchanged": 0, "held": 0}
    (row,) = client.get("/api/conversations?tag=a").json["conversations"]  # type: ignore[index]
    assert (row["id"], row["tags"]) == ("one", ["a", "b"])
    undone = client.post("/api/undo", json={}).json
    assert undone == {"change": 1, "action": "tag", "restored": 1, "skipped": 0}
    assert state(database, "one") == PLAIN
    (line,) = client.get("/api/journal").json["changes"]  # type: ignore[index]
    assert line["undone_at"] is not None


def test_a_program_saves_a_search(client: FlaskClient) -> None:
    client.post("/api/saved", json={"name": "x", "target": "/?tag=y"})
    assert client.get("/api/saved").json == {"saved": [{"name": "x", "target": "/?tag=y"}]}
    client.post("/api/saved", json={"name": "x", "target": None})
    assert client.get("/api/saved").json == {"saved": []}


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"action": "explode", "ids": ["one"]}, 400),
        ({"action": "pin", "ids": "one"}, 400),
        ({"action": "pin", "ids": [1]}, 400),
        ({"action": "pin", "ids": []}, 400),
        ({"action": "pin", "ids": ["nope"]}, 404),
        ({"action": "note", "ids": ["one"], "text": 5}, 400),
        ([], 400),
    ],
)
def test_a_wrong_call_is_a_problem(two: None, client: FlaskClient, given: Any, status: int) -> None:
    response = client.post("/api/organise", json=given)
    assert (response.status_code, response.content_type) == (status, "application/problem+json")


def test_a_call_that_is_no_json_is_refused(two: None, client: FlaskClient) -> None:
    assert client.post("/api/organise", data={"action": "pin", "ids": "one"}).status_code == 415


def test_a_browser_needs_the_proof_for_the_api(two: None, client: FlaskClient) -> None:
    body = {"action": "pin", "ids": ["one"]}
    origin = {"Origin": "http://localhost"}
    assert client.post("/api/organise", json=body, headers=origin).status_code == 403
    given = {**origin, "X-Hermes-Sessions-Proof": proof(client)}
    assert client.post("/api/organise", json=body, headers=given).status_code == 200


def test_behind_a_token_the_cookie_alone_changes_nothing(two: None, database: Database) -> None:
    client = create_app(database, config=ViewerConfig(token=TOKEN)).test_client()
    body = {"action": "pin", "ids": ["one"]}
    assert client.post("/api/organise", json=body).status_code == 401
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    assert client.post("/api/organise", json=body, headers=bearer).status_code == 200
    client.post("/login", data={"token": TOKEN})
    assert client.post("/api/organise", json=body).status_code == 403
    assert client.post("/organise", data={"action": "pin", "id": "one"}).status_code == 403
    assert send(client, "unpin", "one").status_code == 303
