"""Guessing the token is slow, whichever way it is sent, and nobody else is kept out by it."""

import pytest
from flask.testing import FlaskClient

from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import ViewerConfig, create_app
from hermes_sessions.web.serving.login_throttle import KEPT, MOST, SECONDS, Guesses

TOKEN = "a-token-of-some-length"
ADDRESS = "192.0.2.9"
COOKIE = ViewerConfig(token=TOKEN).cookie_name


@pytest.fixture
def guarded(database: Database) -> FlaskClient:
    client = create_app(database, config=ViewerConfig(token=TOKEN)).test_client()
    client.environ_base["REMOTE_ADDR"] = ADDRESS
    return client


def by_form(client: FlaskClient, token: str) -> int:
    return client.post("/login", data={"token": token}).status_code


def by_header(client: FlaskClient, token: str) -> int:
    return client.get("/api/conversations", headers={"Authorization": f"Bearer {token}"}).status_code


def by_cookie(client: FlaskClient, value: str) -> int:
    client.set_cookie(COOKIE, value)
    status = client.get("/login").status_code
    return client.get("/api/conversations").status_code if status == 200 else status


@pytest.mark.parametrize("way", [by_form, by_header, by_cookie])
def test_after_some_wrong_tokens_the_right_one_is_not_told_from_them(guarded: FlaskClient, way) -> None:
    right = ViewerConfig(token=TOKEN).derive("cookie") if way is by_cookie else TOKEN
    assert 429 not in {way(guarded, f"guess-{number}") for number in range(MOST // 2 - 1)}
    for number in range(MOST):
        way(guarded, f"again-{number}")
    assert way(guarded, right) == 429
    response = guarded.get("/login")
    assert response.status_code == 200
    assert "Sign out" not in response.text


def test_ten_guesses_a_minute_are_all_there_are(guarded: FlaskClient) -> None:
    answers = [by_header(guarded, f"guess-{number}") for number in range(12)]
    assert answers == [*[401] * 9, 429, 429, 429]
    assert SECONDS == 60


def test_it_says_when_to_come_back(guarded: FlaskClient) -> None:
    for number in range(MOST):
        by_header(guarded, f"guess-{number}")
    response = guarded.post("/login", data={"token": TOKEN})
    assert response.status_code == 429
    assert 0 < int(response.headers["Retry-After"]) <= SECONDS


def test_others_are_not_kept_out(guarded: FlaskClient) -> None:
    for number in range(MOST):
        by_header(guarded, f"guess-{number}")
    guarded.environ_base["REMOTE_ADDR"] = "192.0.2.10"
    assert by_header(guarded, TOKEN) == 200


def test_a_browser_with_an_old_cookie_loses_it_and_can_sign_in(guarded: FlaskClient) -> None:
    guarded.set_cookie(COOKIE, "from-another-token")
    for number in range(2 * MOST):
        assert guarded.get("/api/sync" if number % 2 else "/").status_code in (302, 401)
    assert by_form(guarded, TOKEN) == 302


def test_pages_without_any_token_never_count(guarded: FlaskClient) -> None:
    for _ in range(3 * MOST):
        guarded.get("/")
        guarded.get("/api/conversations")
    assert by_form(guarded, TOKEN) == 302


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_minute_later_one_may_try_again() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    for _ in range(MOST):
        guesses.note(ADDRESS)
    assert guesses.seconds_to_wait(ADDRESS) == SECONDS
    clock.now = SECONDS
    assert guesses.seconds_to_wait(ADDRESS) == 0


def test_the_addresses_of_one_network_count_together() -> None:
    guesses = Guesses(Clock())
    for number in range(MOST):
        guesses.note(f"2001:db8::{number:x}")
    assert guesses.seconds_to_wait("2001:db8::ffff") > 0
    assert guesses.seconds_to_wait("2001:db8:0:1::1") == 0


def test_what_is_remembered_is_bounded() -> None:
    guesses = Guesses(Clock())
    for _ in range(MOST):
        guesses.note("first")
    for number in range(KEPT):
        guesses.note(f"other-{number}")
    assert guesses.seconds_to_wait("first") == 0


def test_some_thousand_networks_push_nobody_out() -> None:
    guesses = Guesses(Clock())
    for _ in range(MOST):
        guesses.note("first")
    for number in range(4_000):
        guesses.note(f"other-{number}")
    assert guesses.seconds_to_wait("first") > 0


def test_who_goes_on_guessing_is_not_forgotten_for_having_begun_early() -> None:
    guesses = Guesses(Clock())
    guesses.note("first")
    for number in range(KEPT - 1):
        guesses.note(f"other-{number}")
    for _ in range(MOST - 1):
        guesses.note("first")
    guesses.note("one more")
    assert guesses.seconds_to_wait("first") > 0
