"""Merged pages have what one store's have: JSON twins, names in a search, a way to notice changes."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from tests.builders import NOON, a_compaction, a_conversation, a_message, an_origin
from tests.web.html import read


def rows_of(client: FlaskClient, address: str, key: str) -> list[dict[str, Any]]:
    answer = client.get(address)
    assert answer.status_code == 200, address
    found: list[dict[str, Any]] = answer.get_json()[key]
    return found


@pytest.mark.parametrize(
    ("page", "key", "of_one"),
    [
        ("/?limit=50", "conversations", "/api/conversations?limit=50"),
        ("/compactions?limit=50", "compactions", "/api/compactions?limit=50"),
        ("/search?q=needle", "hits", "/api/search?q=needle"),
        ("/search?q=talk", "conversations", "/api/search?q=talk"),
        ("/search?q=in:title+talk", "conversations", "/api/search?q=in:title+talk"),
    ],
)
def test_a_twin_has_the_rows_of_every_store_with_its_name(
    client: FlaskClient, page: str, key: str, of_one: str
) -> None:
    head = read(client.get(page).get_data(as_text=True))
    (twin,) = [one.attributes["href"] for one in head.by_tag("link") if one.attributes["rel"] == "alternate"]
    found = rows_of(client, twin, key)
    expected = [
        {**row, "store": store}
        for store in ("blue", "red")
        for row in rows_of(client, f"/s/{store}{of_one}", key)
    ]
    assert len(expected) == 6
    order = [(row["store"], row["id"]) for row in found]
    assert sorted(order) == sorted((row["store"], row["id"]) for row in expected)
    assert all(row in expected for row in found)


def test_the_other_twins_say_each_stores_figures_and_state(client: FlaskClient) -> None:
    figures = rows_of(client, "/api/overview?range=all", "stores")
    assert [(one["store"], one["conversations"], one["compactions"]) for one in figures] == [
        ("blue", 3, 3),
        ("red", 3, 3),
    ]
    assert [(one["store"], one["problem"]) for one in rows_of(client, "/api/stores", "stores")] == [
        ("blue", None),
        ("red", None),
    ]


def test_a_search_finds_titles_folders_and_ids_of_all_stores(client: FlaskClient, paths: list[Path]) -> None:
    with Database.open(str(paths[1])) as database, database.write() as db:
        a_conversation(db, id="café", title="Über den Fluß", cwd="/srv/boats", started_at=NOON)
    for typed, where, expected in [
        ("red-1", "id", [("red", "red-1")]),
        ("same", "id", [("red", "same"), ("blue", "same")]),
        ("über", "title", [("red", "café")]),
        ("srv/boats", "folder", [("red", "café")]),
        ("nothing-like-it", "", []),
    ]:
        found = rows_of(client, f"/api/search?q={typed}", "conversations")
        assert [(one["store"], one["id"]) for one in found] == expected, typed
        assert {one["where"] for one in found} <= {where}


def test_pages_of_titles_follow_one_another(client: FlaskClient) -> None:
    address, found = "/api/search?q=in:title+talk&limit=2", []
    for _ in range(5):
        answer = client.get(address).get_json()
        found += [(one["store"], one["id"]) for one in answer["conversations"]]
        if answer["next"] is None:
            break
        address = f"/api/search?q=in:title+talk&limit=2&after={answer['next']}"
    assert len(found) == len(set(found)) == 6


def test_what_a_store_without_hits_says_is_not_shown_beside_hits(
    client: FlaskClient, paths: list[Path]
) -> None:
    with Database.open(str(paths[0])) as database, database.write() as db:
        talk = a_conversation(db, id="phone", source="telegram", started_at=NOON)
        a_message(db, db.get_one(Session, talk.tip_id), "A needle from the phone.")
    some = client.get("/api/search?q=needle+source:telegram").get_json()
    assert [hit["store"] for hit in some["hits"]] == ["blue"]
    assert some["notes"] == []
    none = client.get("/api/search?q=needle+source:nowhere").get_json()
    assert none["hits"] == []
    assert any("no session fits" in note and "red" in note for note in none["notes"])


@pytest.mark.parametrize(
    "query", ["q=in:title+conv:same+talk", "q=in:title+talk&after=1", "q=needle&after=x"]
)
def test_what_only_one_store_can_answer_is_said(client: FlaskClient, query: str) -> None:
    assert client.get(f"/search?{query}").status_code == 400
    assert client.get(f"/api/search?{query}").status_code == 400


def test_relevance_is_of_one_store_and_the_page_says_so(client: FlaskClient) -> None:
    assert "always newest first" in client.get("/search?q=needle&order=relevance").get_data(as_text=True)


def test_the_list_learns_that_something_changed(client: FlaskClient, paths: list[Path]) -> None:
    live = read(client.get("/").get_data(as_text=True)).all(lambda one: "data-live" in one.attributes)[0]
    since = live.attributes["data-cursor"]
    assert live.attributes["data-events"] == ""
    asked = f"{live.attributes['data-changes']}?since="
    assert client.get(asked + since).get_json()["more"] is False
    with Database.open(str(paths[0])) as database, database.write() as db:
        a_conversation(db, id="new")
    told = client.get(asked + since).get_json()
    assert told["more"] is True
    assert told["cursor"] > int(since)
    assert client.get(f"{asked}{told['cursor']}").get_json()["more"] is False
    assert client.get(f"{asked}x").status_code == 400


def test_a_merged_list_is_narrowed_as_one_stores_is(client: FlaskClient, paths: list[Path]) -> None:
    with Database.open(str(paths[1])) as database, database.write() as db:
        origin = an_origin(db, label="laptop")
        talk = a_conversation(db, id="kept", title="kept", pinned=True, started_at=NOON, origin=origin)
        session = db.get_one(Session, talk.tip_id)
        a_message(db, session, "Hello")
        a_compaction(db, session, realisation="in_place", finished_at=NOON)
    for query in ("pinned=yes", "origin=laptop"):
        found = rows_of(client, f"/api/conversations?{query}", "conversations")
        assert [(one["store"], one["id"]) for one in found] == [("red", "kept")], query
        page = client.get(f"/?{query}").get_data(as_text=True)
        assert "kept" in page
        assert "blue talk" not in page
    found = rows_of(client, "/api/compactions?origin=laptop", "compactions")
    assert [(one["store"], one["conversation"]) for one in found] == [("red", "kept")]
    assert rows_of(client, "/api/compactions?origin=nowhere", "compactions") == []


@pytest.mark.parametrize("address", ["/api/conversations?pinned=1", "/api/compactions?conversation=same"])
def test_a_filter_that_cannot_be_used_is_refused(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 400
    assert client.get(address.removeprefix("/api").replace("/conversations", "/")).status_code == 400
