"""The JSON twins: their shapes are contracts."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Finding, Session, SystemPrompt
from hermes_sessions.web import SyncStatus, create_app
from hermes_sessions.web.conversation import contents
from tests.builders import NOON, a_conversation, a_message, an_origin
from tests.web import stories


def answer(client: FlaskClient, url: str) -> Any:
    response = client.get(url)
    assert response.status_code == 200, response.text
    return response.json


def test_a_listed_conversation_has_the_promised_fields(client: FlaskClient, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    db.commit()
    found = answer(client, "/api/conversations")
    assert found["next"] is None
    (one,) = found["conversations"]
    promised = "id tip kind title preview source model started_at last_active_at messages sessions origin"
    assert {*promised.split(), "compactions"} <= set(one)
    assert (one["id"], one["tip"], one["messages"]) == ("invoices-after", "invoices-after-2", 5)


def test_next_leads_through_the_whole_list(client: FlaskClient, db: OrmSession) -> None:
    for number in range(5):
        root = a_conversation(db, id=f"s{number}", started_at=NOON + number).root_id
        a_message(db, db.get_one(Session, root))
    db.commit()
    found: list[str] = []
    cursor = ""
    while True:
        page = answer(client, f"/api/conversations?limit=2&before={cursor}")
        found += [one["id"] for one in page["conversations"]]
        if page["next"] is None:
            break
        cursor = page["next"]
    assert found == ["s4", "s3", "s2", "s1", "s0"]


def test_a_merged_copy_shows_as_its_handoff_alone(client: FlaskClient, db: OrmSession) -> None:
    rows = stories.swallowed_reply(db)
    db.commit()
    messages = answer(client, "/api/conversations/invoices-after/messages")["messages"]
    assert [one["kind"] for one in messages] == ["message", "message", "handoff", "message", "message"]
    carrier = messages[2]
    assert carrier["copy_of"] == rows["reply"].id
    assert [part["kind"] for part in carrier["parts"]] == ["handoff"]
    assert carrier["parts"][0]["text"] == stories.SUMMARY
    promised = "id origin_id session position role kind state copy_of parts tool_calls tool_call_id tool_name"
    assert {*promised.split(), "created_at"} <= set(carrier)


def test_all_shows_every_stored_row_with_all_its_parts(client: FlaskClient, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    db.commit()
    messages = answer(client, "/api/conversations/invoices-after/messages?all=1")["messages"]
    carrier = messages[2]
    assert carrier["kind"] == "merged"
    assert [part["kind"] for part in carrier["parts"]] == ["handoff", "message"]
    assert carrier["parts"][1]["text"] == stories.REPLY


def test_a_branchs_first_rows_say_that_they_are_inherited(client: FlaskClient, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    messages = answer(client, "/api/conversations/family-branch/messages")["messages"]
    assert [one.get("inherited", False) for one in messages] == [True, True, False]


def test_message_windows_lead_on(client: FlaskClient, db: OrmSession) -> None:
    stories.long(db, 25)
    db.commit()
    first = answer(client, "/api/conversations/long/messages?limit=10")
    assert first["previous"] is None
    second = answer(client, f"/api/conversations/long/messages?limit=10&after={first['next']}")
    assert [one["position"] for one in second["messages"]] == list(range(10, 20))
    assert client.get("/api/conversations/long/messages?limit=0").status_code == 400


def bodies(document: Any) -> list[list[str]]:
    return [[part["text"] for part in one["parts"]] for one in document["messages"]]


def test_messages_have_the_views_of_the_page(client: FlaskClient, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    db.commit()
    address = "/api/conversations/invoices-after/messages"
    model = answer(client, f"{address}?view=model")
    assert {one["session"] for one in model["messages"]} == {"invoices-after-2"}
    assert model == answer(client, f"{address}?view=model&session=invoices-after-2")
    assert bodies(model)[0] == [stories.SUMMARY, stories.REPLY], "the model sees the merged reply"
    first = answer(client, f"{address}?view=session&session=invoices-after")
    assert {one["session"] for one in first["messages"]} == {"invoices-after"}
    assert answer(client, f"{address}?session=invoices-after") == answer(client, address)
    assert answer(client, f"{address}?view=session")["messages"][0]["session"] == "invoices-after-2"


@pytest.mark.parametrize(
    ("query", "status"),
    [("view=x", 400), ("view=session&session=family", 404), ("session=nothing", 404)],
)
def test_messages_and_the_page_refuse_alike(
    client: FlaskClient, db: OrmSession, query: str, status: int
) -> None:
    stories.swallowed_reply(db)
    stories.family(db)
    db.commit()
    assert client.get(f"/api/conversations/invoices-after/messages?{query}").status_code == status
    assert client.get(f"/c/invoices-after?{query}").status_code == status


def test_a_message_comes_alone_whole_and_with_all_its_parts(client: FlaskClient, db: OrmSession) -> None:
    rows = stories.swallowed_reply(db)
    root = db.get_one(Session, a_conversation(db, id="large").root_id)
    large = a_message(db, root, "x" * 300_000)
    db.commit()
    found = answer(client, f"/api/messages/{rows['carrier'].id}")
    stored = answer(client, "/api/conversations/invoices-after/messages?all=1")["messages"]
    assert found["conversation"]["id"] == "invoices-after"
    assert found["message"] == next(one for one in stored if one["id"] == rows["carrier"].id)
    assert answer(client, f"/api/messages/{large.id}")["message"]["parts"][0]["text"] == "x" * 300_000
    assert client.get("/api/messages/999999").status_code == 404
    assert client.get(f"/api/messages/{2**70}").status_code == 404


def test_a_branchs_taken_over_message_says_so_alone_too(client: FlaskClient, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    ids = [one["id"] for one in answer(client, "/api/conversations/family-branch/messages")["messages"]]
    alone = [answer(client, f"/api/messages/{id}")["message"] for id in ids]
    assert [one.get("inherited", False) for one in alone] == [True, True, False]


def test_the_system_prompt_is_that_of_the_session_asked_for(client: FlaskClient, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    first = db.scalars(select(Session).where(Session.public_id == "invoices-after")).one()
    db.add(SystemPrompt(hash="h", text="You are careful."))
    db.flush()
    first.system_prompt_hash = "h"
    db.commit()
    assert answer(client, "/api/conversations/invoices-after/system-prompt") == {
        "conversation": "invoices-after",
        "session": "invoices-after",
        "text": "You are careful.",
    }
    second = answer(client, "/api/conversations/invoices-after-2/system-prompt")
    assert (second["session"], second["text"]) == ("invoices-after-2", None)
    assert client.get("/api/conversations/nothing/system-prompt").status_code == 404


def test_the_contents_are_the_prompts_and_the_compactions(client: FlaskClient, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    db.commit()
    found = answer(client, "/api/conversations/invoices-after-2/contents")
    page = client.get("/c/invoices-after/contents").text
    assert (found["conversation"], found["next"]) == ("invoices-after", None)
    assert [one["kind"] for one in found["entries"]].count("compaction") == 1
    for one in found["entries"]:
        link = f"/compactions/{one['id']}/place" if one["kind"] == "compaction" else f"/m/{one['id']}"
        assert f'href="{link}"' in page
        window = answer(client, f"/api/conversations/invoices-after/messages?at={one['place']}&limit=1")
        assert one["kind"] == "compaction" or window["messages"][0]["id"] == one["id"]
    assert client.get("/api/conversations/invoices-after/contents?after=x").status_code == 400


def test_the_contents_lead_on(client: FlaskClient, db: OrmSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "PAGE", 3)
    stories.long(db, 12)
    db.commit()
    whole: list[int] = []
    after = ""
    while True:
        found = answer(client, f"/api/conversations/long/contents?after={after}")
        whole += [one["id"] for one in found["entries"]]
        if found["next"] is None:
            break
        assert f"after={found['next']}" in client.get(f"/c/long/contents?after={after}").text
        after = found["next"]
    rows = answer(client, "/api/conversations/long/messages")["messages"]
    assert whole == [one["id"] for one in rows if one["role"] == "user"]


def test_origins_say_how_their_sync_is_and_what_was_not_read(database: Database, db: OrmSession) -> None:
    origin = an_origin(db, label="laptop", location="/home/me/state.db", schema_version="9")
    origin.last_error = "an older error"
    a_conversation(db, id="one", origin=origin)
    an_origin(db, label="server", paused=True)
    db.commit()
    status = SyncStatus()
    status.finish("laptop", NOON)
    status.fail("broken", "not a database")
    found = answer(create_app(database, status=status).test_client(), "/api/origins")
    laptop, server, broken = found["origins"]
    assert laptop | {"id": 0} == {
        "id": 0,
        "label": "laptop",
        "kind": "hermes",
        "location": "/home/me/state.db",
        "schema_version": "9",
        "conversations": 1,
        "paused": False,
        "last_synced_at": NOON,
        "last_error": "an older error",
        "phase": "following",
    }
    assert (server["paused"], server["phase"]) == (True, None)
    assert (broken["label"], broken["id"]) == ("broken", None)
    assert (broken["phase"], broken["last_error"]) == ("failed", "not a database")
    assert (found["replicas"], found["primary_up"]) == ([], None)


def test_the_lineage_holds_the_family_and_its_findings(client: FlaskClient, db: OrmSession) -> None:
    conversation = stories.family(db)
    db.add(
        Finding(
            rule="fork",
            severity="warning",
            rules_version="1",
            conversation_id=conversation.id,
            created_at=NOON,
            messages=[1],
            evidence={"children": 2},
        )
    )
    db.commit()
    found = answer(client, "/api/conversations/family-2/lineage")
    assert (found["root"], found["tip"]) == ("family", "family-3")
    sessions = {one["id"]: one for one in found["sessions"]}
    assert sessions["family-fork"]["fork"] is True
    assert sessions["family-branch"]["parent"] == "family-3"
    assert sessions["family-branch"]["conversation"] == "family-branch"
    assert found["findings"][0]["rule"] == "fork"


def test_compactions_of_one_conversation_come_in_order(client: FlaskClient, db: OrmSession) -> None:
    rows = stories.swallowed_reply(db)
    stories.family(db)
    db.commit()
    found = answer(client, "/api/conversations/family/compactions")["compactions"]
    assert [one["ordinal"] for one in found] == [1, 2, 3]
    assert found[2]["status"] == "interrupted"
    (one,) = answer(client, "/api/conversations/invoices-after/compactions")["compactions"]
    assert (one["parent"], one["child"]) == ("invoices-after", "invoices-after-2")
    assert one["span"]["messages"] == 1
    assert one["handoff"] == rows["carrier"].id
    assert len(answer(client, "/api/compactions")["compactions"]) == 4


def test_an_error_is_a_problem_document(client: FlaskClient) -> None:
    response = client.get("/api/conversations/nothing")
    assert response.status_code == 404
    assert response.content_type == "application/problem+json"
    assert "nothing" in response.get_json()["detail"]


def test_lone_surrogates_and_broken_json_come_through(client: FlaskClient, db: OrmSession) -> None:
    root = db.get_one(Session, a_conversation(db, id="odd").root_id)
    a_message(db, root, "x", role="assistant", tool_calls='[{"id": "1", "function"')
    a_message(db, root, "y", role="assistant", tool_calls=json.dumps([{"id": "\ud800"}]))
    db.commit()
    messages = answer(client, "/api/conversations/odd/messages")["messages"]
    assert messages[0]["tool_calls"] == '[{"id": "1", "function"'
    assert messages[1]["tool_calls"] == [{"id": "\ud800"}]


def test_progress_is_there_to_poll(database: Database) -> None:
    status = SyncStatus()
    status.fail("laptop", "no such file")
    found = answer(create_app(database, status=status).test_client(), "/api/sync")
    assert found["origins"][0]["last_error"] == "no such file"


def test_healthz_asks_the_store(client: FlaskClient) -> None:
    assert answer(client, "/healthz")["status"] == "ok"


@pytest.mark.sqlite_only("drops a table that PostgreSQL keeps for its foreign keys")
def test_a_damaged_store_is_a_503(database: Database) -> None:
    with database.write() as db:
        db.connection().exec_driver_sql("DROP TABLE findings")
        db.connection().exec_driver_sql("DROP TABLE compactions")
    client = create_app(database).test_client()
    for url in ("/compactions", "/api/compactions"):
        response = client.get(url)
        assert response.status_code == 503
        assert "Traceback" not in response.text
