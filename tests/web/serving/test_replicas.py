"""Pages from a real replica: what is read where, what a browser must see, what is left out and why."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text as sql

from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.store.engines import server_probe
from hermes_sessions.store.opening import replica_choice
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.migrate import head_revision
from hermes_sessions.store.opening.readers import NOT_A_REPLICA, Readers
from hermes_sessions.store.queries.changes import latest_change
from hermes_sessions.web import ViewerConfig, create_app
from hermes_sessions.web.serving.request_store import COOKIE, CURSOR_HEADER, reading
from hermes_sessions.web.site.event_hub import ChangeHub
from hermes_sessions.web.site.live import hub_of
from tests.replication import Pair
from tests.waiting import until
from tests.web import stories
from tests.web.test_organise import send

pytestmark = pytest.mark.replication


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a replica may be slow and still be well."""
    monkeypatch.setattr(replica_choice, "STALE_SECONDS", 60.0)
    monkeypatch.setattr(server_probe, "REPLICA_SECONDS", 20)


@pytest.fixture
def name(pair: Pair) -> Iterator[str]:
    """A store with two stories, on both servers."""
    made = pair.store()
    with Database.open(pair.primary.url(made)) as database, database.write() as db:
        stories.family(db)
        stories.swallowed_reply(db)
    pair.catch_up()
    yield made
    pair.heal()
    pair.drop(made)


@pytest.fixture
def primary(pair: Pair, name: str) -> Iterator[Database]:
    with Database.open(pair.primary.url(name)) as opened:
        yield opened


@contextmanager
def opened(pair: Pair, name: str, database: Database, *, max_lag: float = 60.0) -> Iterator[Readers]:
    urls = [pair.replica.url(name).replace("postgres@", "postgres:pass-w0rd@")]
    with Readers.open(database, pair.primary.url(name), urls, max_lag_seconds=max_lag) as made:
        yield made


@pytest.fixture
def readers(pair: Pair, name: str, primary: Database) -> Iterator[Readers]:
    with opened(pair, name, primary) as made:
        yield made


@pytest.fixture
def app(primary: Database, readers: Readers) -> Iterator[Flask]:
    made = create_app(primary, readers=readers)
    yield made
    hub_of(made).close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def tag(database: Database, text: str) -> None:
    """Change something as another program does."""
    organise(database, ["family"], Action.TAG, text, now=1.0)


def tags(client: FlaskClient, **headers: str) -> list[str]:
    response = client.get("/api/conversations/family", headers=headers)
    assert response.status_code == 200, response.text
    found: list[str] = response.get_json()["conversation"]["tags"]
    return found


# -- where pages come from -------------------------------------------------------------------------


def test_pages_come_from_the_replica(pair: Pair, primary: Database, client: FlaskClient) -> None:
    pair.pause()
    tag(primary, "newer")
    assert tags(client) == []
    pair.resume()
    pair.catch_up()
    assert tags(client) == ["newer"]


def test_pages_are_read_on_while_the_primary_is_away(pair: Pair, client: FlaskClient) -> None:
    pair.primary.stop()
    for url in ("/", "/c/family", "/search?q=invoices", "/overview", "/findings", "/healthz", "/metrics"):
        assert client.get(url).status_code == 200, url
    assert b"The primary does not answer" in until(lambda: _page_with(client, b"primary does not answer"))


def _page_with(client: FlaskClient, words: bytes) -> bytes | None:
    found = client.get("/origins").data
    return found if words in found else None


def test_a_change_while_the_primary_is_away_is_refused_in_words(pair: Pair, client: FlaskClient) -> None:
    client.get("/")
    pair.primary.stop()
    response = client.post("/api/organise", json={"action": "pin", "ids": ["family"]})
    assert response.status_code == 503
    assert "cannot be reached" in response.get_json()["detail"]


def test_a_replica_that_stops_is_replaced_by_the_primary(pair: Pair, client: FlaskClient) -> None:
    pair.replica.stop()
    assert client.get("/c/family").status_code == 200
    (told,) = client.get("/api/sync").get_json()["replicas"]
    assert told["in_use"] is False
    assert "cannot be reached" in told["problem"]
    pair.replica.start()
    until(lambda: client.get("/api/sync").get_json()["replicas"][0]["in_use"])
    pair.primary.stop()
    assert client.get("/c/family").status_code == 200


def test_a_replica_that_stops_half_way_is_no_error(pair: Pair, app: Flask, client: FlaskClient) -> None:
    show = app.view_functions["conversations.show"]
    came_from = []

    def interrupted(**arguments):
        came_from.append(reading().replica)
        if len(came_from) == 1:
            pair.replica.stop()
        return show(**arguments)

    app.view_functions["conversations.show"] = interrupted
    response = client.get("/c/family")
    assert response.status_code == 200
    assert [one is None for one in came_from] == [False, True]
    assert again(client, "/c/family", response).status_code in (200, 304)


def test_a_primary_that_stops_half_way_is_no_error(pair: Pair, app: Flask, client: FlaskClient) -> None:
    show = app.view_functions["conversations.show"]
    came_from = []

    def interrupted(**arguments):
        came_from.append(reading().replica)
        if len(came_from) == 1:
            pair.replica.start()
            pair.primary.stop()
        return show(**arguments)

    pair.replica.stop()
    assert client.get("/").status_code == 200
    app.view_functions["conversations.show"] = interrupted
    client.get("/c/family")
    until(lambda: client.get("/c/family").status_code == 200)
    assert came_from[0] is None
    assert came_from[-1] is not None


def test_a_replica_that_is_too_far_behind_is_left_out(pair: Pair, name: str, primary: Database) -> None:
    with opened(pair, name, primary, max_lag=0.5) as readers:
        client = create_app(primary, readers=readers).test_client()
        pair.pause()
        tag(primary, "newer")
        until(lambda: not client.get("/api/sync").get_json()["replicas"][0]["in_use"])
        (told,) = client.get("/api/sync").get_json()["replicas"]
        assert "behind the primary" in told["problem"]
        assert told["lag_bytes"] > 0
        assert told["lag_seconds"] > 0.5
        assert tags(client) == ["newer"]
        pair.resume()
        until(lambda: client.get("/api/sync").get_json()["replicas"][0]["in_use"])


def test_a_replica_of_another_revision_is_left_out(
    pair: Pair, name: str, primary: Database, readers: Readers
) -> None:
    pair.primary.run("UPDATE alembic_version SET version_num = '0001'", name)
    pair.catch_up()
    readers.look()
    ((_, problem),) = readers.states()
    assert problem is not None
    assert "revision 0001" in problem
    pair.primary.run(f"UPDATE alembic_version SET version_num = '{head_revision()}'", name)
    pair.catch_up()
    readers.look()
    ((_, problem),) = readers.states()
    assert problem is None


# -- a browser sees what it did --------------------------------------------------------------------


def test_who_changes_something_sees_it_though_the_replica_lags(pair: Pair, app: Flask) -> None:
    mine, yours = app.test_client(), app.test_client()
    assert [tags(mine), tags(yours)] == [[], []]
    pair.pause()
    assert send(mine, "tag", "family", text="work", next="/").status_code == 303
    assert tags(mine) == ["work"]
    assert "work" in mine.get("/").text
    assert tags(yours) == []
    pair.resume()
    pair.catch_up()
    assert tags(yours) == ["work"]
    pair.primary.stop()
    assert tags(mine) == ["work"]


def test_a_program_that_keeps_the_cookie_sees_what_it_did(pair: Pair, client: FlaskClient) -> None:
    pair.pause()
    done = client.post("/api/organise", json={"action": "tag", "ids": ["family"], "text": "work"})
    assert done.status_code == 200
    assert tags(client) == ["work"]
    assert client.post("/api/undo", json={}).status_code == 200
    assert tags(client) == []
    saved = client.post("/api/saved", json={"name": "mine", "target": "/?kind=all"})
    assert saved.status_code == 200
    assert client.get("/api/saved").get_json()["saved"] != []
    assert "mine" in client.get("/").text


def test_where_only_a_replica_is_left_it_is_read_though_it_lags(pair: Pair, client: FlaskClient) -> None:
    pair.pause()
    client.post("/api/organise", json={"action": "tag", "ids": ["family"], "text": "work"})
    pair.primary.stop()
    assert until(lambda: client.get("/api/conversations/family")).status_code == 200
    assert tags(client) == []


def test_the_cookie_says_nothing_and_no_script_reads_it(client: FlaskClient) -> None:
    cookies = client.get("/").headers.getlist("Set-Cookie")
    assert len(cookies) == 1
    assert cookies[0].startswith(f"{COOKIE}=")
    assert "HttpOnly" in cookies[0]
    assert "SameSite=Lax" in cookies[0]
    assert "Set-Cookie" not in client.get("/").headers
    assert "Set-Cookie" not in client.get("/api/conversations").headers


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "0" * 16 + "-",
        "0" * 16 + "-zz",
        "0" * 16 + "-" + "f" * 15,
        "0" * 16 + "-" + "f" * 40,
        "'\\",
        "٣" * 16,
    ],
)
def test_a_cookie_of_others_making_is_no_error(client: FlaskClient, value: str) -> None:
    for headers in ({}, {CURSOR_HEADER: value or "-1"}, {CURSOR_HEADER: "9" * 18}):
        client.set_cookie(COOKIE, value)
        assert client.get("/c/family", headers=headers).status_code == 200
        client.set_cookie(COOKIE, value)
        assert client.post("/api/organise", json={"action": "pin", "ids": ["family"]}).status_code == 200


# -- tags of pages, and following ------------------------------------------------------------------


def again(client: FlaskClient, url: str, before):
    return client.get(url, headers={"If-None-Match": before.headers.get("ETag", "")})


URL = "/api/conversations/family"


def test_a_tag_is_about_the_state_that_was_read(pair: Pair, primary: Database, client: FlaskClient) -> None:
    pair.pause()
    first = client.get(URL)
    assert again(client, URL, first).status_code == 304
    tag(primary, "newer")
    assert again(client, URL, first).status_code == 304
    pair.resume()
    pair.catch_up()
    second = again(client, URL, first)
    assert second.status_code == 200
    assert second.get_json()["conversation"]["tags"] == ["newer"]


def test_a_tag_of_the_primary_is_not_one_of_a_replica(
    pair: Pair, primary: Database, client: FlaskClient
) -> None:
    pair.pause()
    tag(primary, "newer")
    with primary.read() as db:
        told = {CURSOR_HEADER: str(latest_change(db))}
    fresh = client.get(URL, headers=told)
    assert fresh.get_json()["conversation"]["tags"] == ["newer"]
    old = again(client, URL, fresh)
    assert old.status_code == 200
    assert old.get_json()["conversation"]["tags"] == []
    newest = client.get(URL, headers={**told, "If-None-Match": old.headers["ETag"]})
    assert newest.get_json()["conversation"]["tags"] == ["newer"]


def test_every_commit_that_a_replica_replays_moves_its_token(pair: Pair, name: str) -> None:
    """Also one in the middle of open ones, which the snapshot of a replica does not list."""
    url = pair.primary.url(name)
    with (
        Database.open(pair.replica.url(name)) as replica,
        psycopg.connect(url) as oldest,
        psycopg.connect(url) as middle,
        psycopg.connect(url, autocommit=True) as newest,
    ):
        for one in (oldest, middle, newest):
            one.execute("INSERT INTO leases VALUES (pg_backend_pid()::text, 'b', 1, 2)")
        pair.catch_up()
        before = replica.change_token()
        middle.commit()
        pair.catch_up()
        assert replica.change_token() != before
        oldest.rollback()


def test_an_event_is_told_when_the_replica_has_it(pair: Pair, primary: Database, app: Flask) -> None:
    hub: ChangeHub = hub_of(app)
    stream = hub.open("one")
    assert stream is not None
    assert b"hello" in next(stream)
    pair.pause()
    tag(primary, "newer")
    pair.resume()
    told = next(one for one in stream if b"event: changed" in one)
    (line,) = [one for one in told.decode().splitlines() if one.startswith("data: ")]
    cursor = json.loads(line.removeprefix("data: "))["cursor"]
    assert tags(app.test_client(), **{CURSOR_HEADER: str(cursor)}) == ["newer"]


# -- what is shown ---------------------------------------------------------------------------------


def test_lag_is_shown_and_never_a_password(
    pair: Pair, primary: Database, client: FlaskClient, readers: Readers
) -> None:
    pair.pause()
    tag(primary, "newer")
    readers.look()
    page = client.get("/origins").text
    assert "in use" in page
    assert f":{pair.replica.port}/" in page
    metrics = client.get("/metrics").text
    label = f'{{replica="{readers.states()[0][0].name}"}}'
    assert f"hermes_sessions_replica_up{label} 1.0" in metrics
    assert f"hermes_sessions_replica_in_use{label} 1.0" in metrics
    (behind,) = [
        line for line in metrics.splitlines() if line.startswith(f"hermes_sessions_replica_lag_bytes{label}")
    ]
    assert float(behind.rpartition(" ")[2]) > 0
    assert "hermes_sessions_primary_up 1.0" in metrics
    (told,) = client.get("/api/sync").get_json()["replicas"]
    assert told["lag_bytes"] > 0
    for text in (page, metrics, json.dumps(told)):
        assert "pass-w0rd" not in text


def test_without_replicas_nothing_is_said_of_them(primary: Database) -> None:
    client = create_app(primary).test_client()
    assert "Replicas" not in client.get("/origins").text
    assert "replica" not in client.get("/metrics").text
    assert client.get("/api/sync").get_json()["replicas"] == []
    assert "Set-Cookie" not in client.get("/").headers


def test_the_token_is_asked_for_before_any_copy_is_read(primary: Database, readers: Readers) -> None:
    client = create_app(
        primary, readers=readers, config=ViewerConfig(token="a-token-of-some-length")
    ).test_client()
    assert client.get(URL).status_code == 401
    assert client.get("/").status_code == 302


def test_a_promoted_replica_is_left_out(pair: Pair, name: str, primary: Database) -> None:
    other = pair.add_replica("other")
    with Readers.open(primary, pair.primary.url(name), [other.url(name)]) as readers:
        client = create_app(primary, readers=readers).test_client()
        other.promote()
        with Database.open(other.url(name)) as strayed, strayed.write() as db:
            db.execute(sql("UPDATE conversations SET title = 'strayed'"))
        assert "strayed" not in client.get("/").text
        until(lambda: readers.states()[0][1] == NOT_A_REPLICA)
    other.stop()
