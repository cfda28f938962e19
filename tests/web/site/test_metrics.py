"""`/metrics` counts what it says, names no one, and is behind the token like everything else."""

import os
import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Origin
from hermes_sessions.web import ViewerConfig, create_app
from tests.builders import an_origin
from tests.web import stories


def samples(client: FlaskClient) -> dict[str, float]:
    response = client.get("/metrics")
    assert response.status_code == 200
    assert response.content_type.startswith("text/plain; version=")
    lines = [line for line in response.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_it_counts_what_the_store_holds(client: FlaskClient, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    found = samples(client)
    listed = client.get("/api/conversations?kind=all").get_json()["conversations"]
    assert found["hermes_sessions_store_up"] == 1
    assert found["hermes_sessions_conversations"] == len(listed)
    assert found["hermes_sessions_messages"] == sum(one["messages"] for one in listed)
    assert found["hermes_sessions_store_bytes"] > 10_000
    told = client.get("/api/compactions").get_json()["compactions"]
    counted = [value for name, value in found.items() if name.startswith("hermes_sessions_compactions{")]
    assert sum(counted) == len(told) > 0


def test_it_counts_requests_by_route_and_not_by_address(client: FlaskClient) -> None:
    for _ in range(3):
        client.get("/c/secret-session-name")
    client.get("/nowhere-at-all")
    text = client.get("/metrics").text
    lines = re.findall(r"^hermes_sessions_requests_total\{(.*)\} (\S+)$", text, re.MULTILINE)
    assert ('method="GET",route="conversations.show",status="404"', "3.0") in lines
    assert ('method="GET",route="none",status="404"', "1.0") in lines
    assert "secret-session-name" not in text
    assert "nowhere-at-all" not in text


def test_made_up_methods_are_one_label(client: FlaskClient) -> None:
    for number in range(5):
        client.open("/", method=f"MADEUP{number}")
    assert "MADEUP" not in client.get("/metrics").text


@pytest.mark.parametrize(("changed_at", "now_behind"), [(50.0, False), (1_000.0, True)])
def test_an_origin_lags_while_its_file_is_newer(
    client: FlaskClient, db: OrmSession, tmp_path, changed_at: float, now_behind: bool
) -> None:
    file = tmp_path / "state.db"
    file.touch()
    os.utime(file, (changed_at, changed_at))
    origin: Origin = an_origin(db, label="laptop")
    origin.location, origin.last_synced_at = str(file), 100.0
    db.commit()
    found = samples(client)
    assert (found['hermes_sessions_origin_lag_seconds{origin="laptop"}'] > 0) is now_behind
    assert found['hermes_sessions_origin_synced_timestamp_seconds{origin="laptop"}'] == 100.0
    assert found['hermes_sessions_origin_failing{origin="laptop"}'] == 0


def test_an_odd_label_cannot_forge_a_line(client: FlaskClient, db: OrmSession) -> None:
    an_origin(db, label='x"} 1\nhermes_sessions_store_up 0\n')
    db.commit()
    assert samples(client)["hermes_sessions_store_up"] == 1


def test_it_asks_for_the_token(database: Database) -> None:
    client = create_app(database, config=ViewerConfig(token="a-token-of-some-length")).test_client()
    assert client.get("/metrics").status_code == 401
    allowed = {"Authorization": "Bearer a-token-of-some-length"}
    assert client.get("/metrics", headers=allowed).status_code == 200


@pytest.mark.sqlite_only("spoils the file")
def test_a_store_that_does_not_answer_is_told(database: Database, client: FlaskClient) -> None:
    assert database.path is not None
    database.engine.dispose()
    database.path.write_bytes(b"nothing of the kind" * 1000)
    found = samples(client)
    assert found["hermes_sessions_store_up"] == 0
    assert "hermes_sessions_conversations" not in found
