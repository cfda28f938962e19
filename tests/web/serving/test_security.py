"""Who gets in, what every response carries, and that looking changes nothing."""

import hashlib
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlalchemy import event
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import ViewerConfig, create_app
from hermes_sessions.web.serving.urls import own_path
from tests.web import stories
from tests.web.elsewhere import ELSEWHERE
from tests.web.html import read

TOKEN = "a-token-of-some-length"
ADDRESSES = (
    "/",
    "/compactions",
    "/origins",
    "/help",
    "/healthz",
    "/api/conversations",
    "/c/nothing",
    "/static/style.css",
)


@pytest.fixture
def guarded(database: Database) -> FlaskClient:
    """A viewer that asks for a token."""
    config = ViewerConfig(host="192.0.2.7", token=TOKEN)
    client = create_app(database, config=config).test_client()
    client.environ_base["HTTP_HOST"] = "192.0.2.7:8765"
    return client


@pytest.mark.parametrize("url", ADDRESSES)
def test_every_response_carries_the_headers(client: FlaskClient, url: str) -> None:
    with client.get(url) as response:
        headers = response.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("url", ["/", "/login", "/search", "/compactions", "/nothing-here"])
def test_pages_let_browsers_say_where_our_own_forms_come_from(client: FlaskClient, url: str) -> None:
    text = client.get(url).text
    assert text.index('<meta name="referrer" content="same-origin">') < text.index("<form")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "[::2]:80", ""]
)
def test_a_foreign_host_name_is_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8765", "[::1]:8765", "LOCALHOST:1"])
def test_loopback_names_are_accepted(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


def test_a_named_host_is_accepted(database: Database) -> None:
    config = ViewerConfig(allowed_hosts=("sessions.example",))
    client = create_app(database, config=config).test_client()
    assert client.get("/", headers={"Host": "sessions.example"}).status_code == 200


def test_behind_a_token_an_address_in_digits_is_accepted_and_a_name_is_not(guarded: FlaskClient) -> None:
    assert guarded.get("/login", headers={"Host": "198.51.100.4:8765"}).status_code == 200
    assert guarded.get("/login", headers={"Host": "rebound.example:8765"}).status_code == 403


def test_without_the_token_pages_lead_to_the_form_and_the_api_says_401(guarded: FlaskClient) -> None:
    response = guarded.get("/c/some?view=model")
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/login?next=/c/some")
    assert guarded.get("/api/conversations").status_code == 401
    assert guarded.get("/healthz").status_code == 200


def test_a_wrong_token_stays_outside(guarded: FlaskClient) -> None:
    response = guarded.post("/login", data={"token": TOKEN[:-1]})
    assert response.status_code == 403
    assert "Set-Cookie" not in response.headers
    assert guarded.get("/api/conversations", headers={"Authorization": "Bearer nope"}).status_code == 401
    guarded.set_cookie(ViewerConfig(token=TOKEN).cookie_name, "made-up", domain="192.0.2.7")
    assert guarded.get("/").status_code == 302


def test_the_token_opens_and_logging_out_closes(guarded: FlaskClient) -> None:
    response = guarded.post("/login", data={"token": TOKEN, "next": "/compactions"})
    assert response.headers["Location"] == "/compactions"
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in cookie
    found = read(guarded.get("/").text)
    assert guarded.get("/logout").status_code == 405
    assert guarded.post("/logout", data={"proof": "x"}).status_code == 403
    proof = found.by_class("logout")[0].by_tag("input")[0].attributes["value"]
    assert guarded.post("/logout", data={"proof": proof}).status_code == 302
    assert guarded.get("/").status_code == 302


def test_programs_send_the_token_as_a_header(guarded: FlaskClient) -> None:
    response = guarded.get("/api/conversations", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200


def test_own_paths_lead_nowhere_else() -> None:
    assert {target: own_path(target) for target in ELSEWHERE} == dict.fromkeys(ELSEWHERE, "/")


@pytest.mark.parametrize("target", [*ELSEWHERE[::9], "////evil.example", "evil", ""])
def test_logging_in_never_leads_elsewhere(guarded: FlaskClient, target: str) -> None:
    response = guarded.post("/login", data={"token": TOKEN, "next": target})
    assert response.headers["Location"] == "/"


@pytest.mark.parametrize("target", ELSEWHERE[::9])
def test_the_form_never_repeats_an_address_elsewhere(guarded: FlaskClient, target: str) -> None:
    fields = read(guarded.get("/login", query_string={"next": target}).text).by_tag("input")
    assert [field.attributes["value"] for field in fields if field.attributes["name"] == "next"] == ["/"]


@pytest.mark.parametrize(
    "target",
    [
        "/",
        "/c/20260312_140231_ab12cd",
        "/c/~0LrQu9GO?view=talk",
        "/search?q=http%3A%2F%2Fx+//y&in=a",
        "/m/7/",
    ],
)
def test_logging_in_leads_back_to_any_page(guarded: FlaskClient, target: str) -> None:
    response = guarded.post("/login", data={"token": TOKEN, "next": target})
    assert response.headers["Location"] == target


def test_the_longest_next_costs_nothing(guarded: FlaskClient) -> None:
    data = {"token": TOKEN, "next": "/?q=%" + "25" * 20_000}
    assert guarded.post("/login", data=data).headers["Location"] == "/"


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_another_sites_form_is_refused(guarded: FlaskClient, headers: dict[str, str]) -> None:
    assert guarded.post("/login", data={"token": TOKEN}, headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
    ids=["image", "another port", "unnamed", "frame", "origin", "no origin"],
)
@pytest.mark.parametrize("url", ["/", "/api/events", "/api/conversations", "/healthz", "/static/style.css"])
def test_what_another_sites_page_loads_is_refused(
    client: FlaskClient, url: str, headers: dict[str, str]
) -> None:
    assert client.get(url, headers=headers).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "same-origin"])
def test_a_link_from_anywhere_leads_to_a_page_and_never_to_a_stream(client: FlaskClient, site: str) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=headers).status_code == 200
    stream = client.get("/api/events", headers=headers)
    assert stream.status_code == (403 if site in ("cross-site", "same-site") else 200)
    stream.close()


def test_our_own_pages_load_what_they_need(client: FlaskClient) -> None:
    headers = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
    assert client.get("/api/changes", headers={**headers, "Origin": "http://localhost"}).status_code == 200
    with client.get("/api/events", headers=headers) as stream:
        assert stream.status_code == 200


def test_two_viewers_on_one_host_do_not_sign_each_other_out(database: Database) -> None:
    viewers = [create_app(database, config=ViewerConfig(token=token)) for token in ("one", "another")]
    first, second = (app.test_client() for app in viewers)
    for client, token in ((first, "one"), (second, "another")):
        client.post("/login", data={"token": token})
    both = [cookie for client in (first, second) for cookie in client._cookies.values()]  # type: ignore[union-attr]
    for client in (first, second):
        for cookie in both:
            client.set_cookie(cookie.key, cookie.value)
        assert client.get("/").status_code == 200
    proof = read(first.get("/").text).by_class("logout")[0].by_tag("input")[0].attributes["value"]
    assert first.post("/logout", data={"proof": proof}).status_code == 302
    assert second.get("/").status_code == 200


def test_a_large_request_is_refused(guarded: FlaskClient) -> None:
    assert guarded.post("/login", data={"token": "x" * 100_000}).status_code == 413


def test_no_page_holds_inline_script_or_style_or_a_foreign_address(
    client: FlaskClient, db: OrmSession
) -> None:
    stories.hostile(db)
    stories.tool_work(db)
    stories.family(db)
    db.commit()
    for html in every_page(client).values():
        assert not re.search(
            r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+\s*=\s*[\"']", strip_text(html)
        )
        for address in re.findall(
            r"<(?:img|script|link|iframe|source|use)[^>]*\s(?:src|href)=\"([^\"]*)\"", html
        ):
            assert address.startswith("/")


@pytest.mark.slow
@pytest.mark.sqlite_only("compares the file; a reader of PostgreSQL cannot write")
def test_looking_at_everything_changes_nothing(db: OrmSession, database: Database) -> None:
    stories.family(db)
    stories.tool_work(db)
    db.commit()
    db.close()
    assert database.path is not None
    with database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    before = hashlib.sha256(database.path.read_bytes()).hexdigest()
    pages = every_page(create_app(database).test_client())
    assert len(pages) > 30
    assert hashlib.sha256(database.path.read_bytes()).hexdigest() == before
    wal = Path(f"{database.path}-wal")
    assert not wal.exists() or wal.stat().st_size == 0


def test_it_works_behind_a_prefix(database: Database, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    config = ViewerConfig(behind_proxy=True, allowed_hosts=("team.example",))
    client = create_app(database, config=config).test_client()
    headers = {
        "X-Forwarded-Prefix": "/agents",
        "X-Forwarded-Host": "team.example",
        "X-Forwarded-Proto": "https",
    }
    html = client.get("/c/family", headers=headers).text
    links = [
        link for link in re.findall(r'(?:href|src|action|data-fold)="([^"]+)"', html) if link.startswith("/")
    ]
    assert links
    assert all(link.startswith("/agents/") for link in links)


def test_a_forged_prefix_means_nothing_without_a_proxy(client: FlaskClient) -> None:
    html = client.get(
        "/", headers={"X-Forwarded-Prefix": "//evil.example", "X-Forwarded-Host": "evil.example"}
    ).text
    assert "evil" not in html


@pytest.mark.slow
@pytest.mark.sqlite_only("a pragma; PostgreSQL's readers are always refused")
def test_a_store_that_refuses_writes_is_enough(db: OrmSession, database: Database) -> None:
    stories.family(db)
    stories.swallowed_reply(db)
    db.commit()
    db.close()
    database.engine.dispose()
    event.listen(database.engine, "connect", lambda raw, record: raw.execute("PRAGMA query_only = ON"))
    assert len(every_page(create_app(database).test_client())) > 30


def every_page(client: FlaskClient) -> dict[str, str]:
    """Follow every link from the list; a file to download is followed, and is no page."""
    found: dict[str, str] = {}
    todo = ["/", "/?kind=all", "/compactions", "/origins", "/help"]
    while todo:
        url = todo.pop().partition("#")[0]
        if url in found:
            continue
        response = client.get(url)
        assert response.status_code < 400, url
        page = response.content_type.startswith("text/html") and "Content-Disposition" not in response.headers
        found[url] = response.text if page else ""
        todo += [response.headers["Location"]] if response.status_code == 302 else []
        links = [one.attributes.get("href", "") for one in read(found[url]).by_tag("a")]
        todo += [link for link in links if link.startswith("/")]
    return found


def strip_text(html: str) -> str:
    """Keep tags alone, and of them what is outside attribute values."""
    tags = re.findall(r"<[^>]*>", html)
    return " ".join(re.sub(r'="[^"]*"', '=""', tag) if "style=" not in tag else tag for tag in tags)
