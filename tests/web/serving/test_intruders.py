"""What a hostile request gets: nothing that is not ours to give, and never a traceback."""

import json
import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions import paths
from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import ViewerConfig, create_app
from tests.operations.dump import dump
from tests.web import stories

PATHS = json.loads((paths.static() / "openapi.json").read_text("utf-8"))["paths"]
SQL = (
    "'; DROP TABLE messages; --",
    "x') OR 1=1 --",
    '" UNION SELECT 1, sql FROM sqlite_master --',
    "a* NEAR/2 b ^ { } : -",
    "text : (",
    "\\'; SELECT pg_sleep(5); --",
    "%' OR '%' = '",
    "$$; DELETE FROM sessions; $$",
)
TRAVERSALS = (
    "/static/../pyproject.toml",
    "/static/%2e%2e/pyproject.toml",
    "/static/..%2fpyproject.toml",
    "/static/....//pyproject.toml",
    "/static/..%5cpyproject.toml",
    "/static/%2fetc/passwd",
    "//etc/passwd",
    "/static//etc/passwd",
    "/c/..%2f..%2f..%2fetc%2fpasswd",
    "/c/%2e%2e/%2e%2e/etc/passwd",
    "/api/conversations/..%2f..%2fetc%2fpasswd/export",
)


@pytest.fixture
def filled(database: Database, db: OrmSession) -> Database:
    stories.family(db)
    stories.tool_work(db)
    db.commit()
    db.close()
    return database


def questions() -> list[tuple[str, str]]:
    """(path, parameter) of everything in a query string that the API reads, and the pages' own."""
    found = [("/search", "q"), ("/", "q"), ("/", "before"), ("/c/family", "at"), ("/compactions", "sort")]
    for path, operations in PATHS.items():
        for one in operations.get("get", {}).get("parameters", ()):
            if one.get("in") == "query" and path != "/api/events":
                found.append((re.sub(r"\{\w+\}", "family", path), one["name"]))
    return found


def test_sql_in_any_parameter_is_text(filled: Database) -> None:
    client = create_app(filled).test_client()
    before = dump(filled)
    for path, name in questions():
        for attack in SQL:
            response = client.get(path, query_string={name: attack})
            assert response.status_code < 500, (path, name, attack)
    assert dump(filled) == before


@pytest.mark.parametrize("address", TRAVERSALS)
def test_no_file_of_the_machine_is_given_out(filled: Database, address: str) -> None:
    response = create_app(filled).test_client().get(address)
    assert response.status_code in (308, 400, 403, 404)
    assert "root:" not in response.text
    assert "build-backend" not in response.text


@pytest.mark.parametrize(
    "address",
    [
        "/login?next=/%0d%0aX-Evil:%201",
        "/c/a%0d%0aX-Evil:%201",
        "/?before=%0d%0aX-Evil:%201",
        "/%0d%0aX-Evil: 1",
    ],
)
def test_no_header_can_be_added(database: Database, address: str) -> None:
    client = create_app(database, config=ViewerConfig(token="t" * 20)).test_client()
    for response in (client.get(address), client.post("/login", data={"token": "t" * 20, "next": address})):
        assert "X-Evil" not in response.headers
        assert all("\n" not in value and "\r" not in value for _, value in response.headers)


def test_no_form_of_another_site_is_taken(filled: Database) -> None:
    app = create_app(filled)
    before = dump(filled)
    tried = 0
    for rule in app.url_map.iter_rules():
        if "POST" not in (rule.methods or ()):
            continue
        address = re.sub(r"<[^>]*>", "1", rule.rule)
        for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {}):
            client: FlaskClient = app.test_client()
            form = {"action": "trash", "id": "family", "name": "x"}
            response = client.post(address, data=form, headers=headers)
            tried += 1
            assert response.status_code in (400, 403, 404, 415), (address, headers)
    assert tried >= 6
    assert dump(filled) == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
def test_other_methods_are_refused(client: FlaskClient, method: str) -> None:
    assert client.open("/", method=method).status_code == 405


def test_json_that_is_too_deep_is_refused(filled: Database) -> None:
    deep = "[" * 30_000 + "]" * 30_000
    response = (
        create_app(filled).test_client().post("/api/organise", data=deep, content_type="application/json")
    )
    assert response.status_code == 400


@pytest.mark.parametrize("host", ["x" * 300, "a..b", "\xe4" * 64, ".", "a" * 64 + ".example"])
def test_a_host_that_is_no_name_is_refused(filled: Database, host: str) -> None:
    client = create_app(filled).test_client()
    for path in ("/", "/api/conversations", "/no-such-page"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code in (400, 403), answer.status_code
