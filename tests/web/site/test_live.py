"""The stream of changes and the question to poll, without a browser."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation, Session
from hermes_sessions.web import ViewerConfig, create_app
from hermes_sessions.web.site.event_hub import KEPT_EVENTS, ChangeHub
from tests.builders import a_compaction, a_conversation, a_message
from tests.waiting import PATIENCE_SECONDS

QUICK = 0.02


@pytest.fixture
def hub(database: Database) -> Iterator[ChangeHub]:
    made = ChangeHub(lambda: database, most=3, look_seconds=QUICK, heartbeat_seconds=30)
    yield made
    made.close()


def read(chunk: bytes) -> list[tuple[str, Any]]:
    """(event, data) of each event in a piece of a stream."""
    found = []
    for block in chunk.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def opened(hub: ChangeHub, browser: str = "one") -> Iterator[bytes]:
    stream = hub.open(browser)
    assert stream is not None
    ((name, _),) = read(next(stream))
    assert name == "hello"
    return stream


def test_a_stream_tells_what_is_committed_by_whom_ever(hub: ChangeHub, store_url: str) -> None:
    stream = opened(hub)
    with Database.open(store_url) as other, other.write() as db:
        conversation = a_conversation(db, id="fresh")
        a_message(db, db.get_one(Session, conversation.root_id))
    ((name, told),) = read(next(stream))
    assert name == "changed"
    (one,) = told["conversations"]
    assert (one["id"], one["messages"], one["compactions"]) == ("fresh", 1, 0)
    assert told["cursor"] == one["cursor"]


def test_a_compaction_shows_in_the_counts(hub: ChangeHub, db: OrmSession) -> None:
    conversation = a_conversation(db, id="c")
    db.commit()
    stream = opened(hub)
    a_compaction(db, db.get_one(Session, conversation.root_id), realisation="in_place")
    db.commit()
    ((_, told),) = read(next(stream))
    assert told["conversations"][0]["compactions"] == 1


def test_every_stream_tells_the_same_and_the_store_is_asked_once(hub: ChangeHub, db: OrmSession) -> None:
    streams = [opened(hub, name) for name in ("a", "b", "c")]
    a_conversation(db, id="x")
    db.commit()
    assert len({next(stream) for stream in streams}) == 1


def test_a_browser_has_one_stream(hub: ChangeHub) -> None:
    first = opened(hub, "same")
    second = opened(hub, "same")
    assert hub.open_streams == 1
    assert list(first) == []
    assert hub.open_streams == 1
    second.close()  # type: ignore[attr-defined]
    assert hub.open_streams == 0


def test_streams_beyond_the_cap_are_refused(hub: ChangeHub) -> None:
    streams = [opened(hub, str(number)) for number in range(3)]
    assert hub.open("one more") is None
    streams.pop().close()  # type: ignore[attr-defined]
    assert hub.open("one more") is not None


def test_closing_ends_streams_at_once(database: Database) -> None:
    hub = ChangeHub(lambda: database, most=3, heartbeat_seconds=600)
    stream = opened(hub)
    thread = threading.Thread(target=list, args=(stream,))
    thread.start()
    hub.close()
    thread.join(PATIENCE_SECONDS)
    assert not thread.is_alive()
    assert hub.open("late") is None


def test_a_look_that_fails_is_made_again(
    hub: ChangeHub, database: Database, db: OrmSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens: Iterator[OSError | str] = iter([OSError("the server is gone"), "back"])

    def token() -> str:
        found = next(tokens, "back")
        if isinstance(found, OSError):
            raise found
        return found

    monkeypatch.setattr(database, "change_token", token)
    stream = opened(hub)
    a_conversation(db, id="late")
    db.commit()
    monkeypatch.undo()
    ((_, told),) = read(next(stream))
    assert told["conversations"][0]["id"] == "late"


def test_a_silent_stream_says_that_it_lives(database: Database) -> None:
    hub = ChangeHub(lambda: database, most=1, look_seconds=QUICK, heartbeat_seconds=QUICK)
    stream = opened(hub)
    assert next(stream).startswith(b":")
    hub.close()


def test_a_stream_that_fell_far_behind_is_told_to_look_at_everything(hub: ChangeHub, db: OrmSession) -> None:
    slow, quick = opened(hub, "slow"), opened(hub, "quick")
    conversation = a_conversation(db, id="x")
    for number in range(KEPT_EVENTS + 1):
        conversation.title = f"title {number}"
        db.commit()
        next(quick)
    ((_, told),) = read(next(slow))
    assert told["more"] is True


def test_what_changed_can_be_asked_for(client: FlaskClient, db: OrmSession) -> None:
    a_conversation(db, id="old")
    db.commit()
    start = client.get("/api/changes").get_json()
    assert start["conversations"] == []
    a_conversation(db, id="new")
    db.commit()
    found = client.get(f"/api/changes?since={start['cursor']}").get_json()
    assert [one["id"] for one in found["conversations"]] == ["new"]
    key = db.get_one(Conversation, found["conversations"][0]["key"])
    assert key.public_id == "new"
    assert client.get("/api/changes?since=yesterday").status_code == 400


def test_the_stream_over_http(database: Database, db: OrmSession) -> None:
    app = create_app(database, config=ViewerConfig(max_streams=1))
    client = app.test_client()
    response = client.get("/api/events?browser=b", headers={"Accept-Encoding": "gzip"})
    assert response.content_type == "text/event-stream"
    assert response.headers["Cache-Control"] == "no-store"
    assert "Content-Encoding" not in response.headers
    assert "ETag" not in response.headers
    chunks = iter(response.response)
    assert b"event: hello" in next(chunks)
    refused = client.get("/api/events?browser=c")
    assert refused.status_code == 503
    assert refused.content_type == "application/problem+json"
    assert int(refused.headers["Retry-After"]) > 0
    response.close()
    again = client.get("/api/events?browser=c")
    assert again.status_code == 200
    again.close()


def test_a_stream_needs_the_token_too(database: Database) -> None:
    client = create_app(database, config=ViewerConfig(token="secret")).test_client()
    assert client.get("/api/events").status_code == 401
