"""Every request has an id and a line in the log, and neither can be misused."""

import logging

import pytest
from flask.testing import FlaskClient


def test_an_id_that_was_sent_comes_back(client: FlaskClient) -> None:
    assert (
        client.get("/", headers={"X-Request-ID": "proxy-1.a:B_2"}).headers["X-Request-ID"] == "proxy-1.a:B_2"
    )


@pytest.mark.parametrize("sent", ["", " ", "a b", "a" * 65, "<script>", 'a"b', "ä", "-", "a;b", "a=b"])
def test_an_odd_id_is_replaced(client: FlaskClient, sent: str) -> None:
    first, second = (client.get("/", headers={"X-Request-ID": sent}).headers["X-Request-ID"] for _ in "12")
    assert first != second
    assert len(first) == 16


@pytest.mark.parametrize("address", ["/nowhere", "/c/%00", "/?before=nonsense", "/static/none.css"])
def test_errors_have_one_too(client: FlaskClient, address: str) -> None:
    response = client.get(address)
    assert response.status_code >= 400
    assert response.headers["X-Request-ID"]


def test_the_log_has_the_path_and_not_the_question(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "hermes_sessions.access"):
        client.get("/api/conversations?source=very-private")
    [record] = [one for one in caplog.records if one.name == "hermes_sessions.access"]
    assert record.getMessage() == "GET /api/conversations 200"
    assert "very-private" not in repr(record.__dict__)


def test_the_log_has_no_token(client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client.post("/login", data={"token": "guess-of-a-token"})
        client.get("/", headers={"Authorization": "Bearer guess-of-a-token"})
    assert caplog.records
    assert all("guess-of-a-token" not in repr(one.__dict__) for one in caplog.records)
