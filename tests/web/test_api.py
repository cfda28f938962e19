"""The JSON twins: their shapes are contracts."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.db import Database
from hermes_sessions.store.models import Finding, Session
from hermes_sessions.web import SyncStatus, create_app
from tests.builders import NOON, a_conversation, a_message
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
