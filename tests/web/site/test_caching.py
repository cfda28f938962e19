"""What did not change is not sent again; what is sent is small."""

import gzip
import re
import shutil
import threading
from pathlib import Path
from typing import Any

import brotli
import pytest
from flask.testing import FlaskClient
from flask_compress.compat import compression
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from hermes_sessions.web import SyncStatus, ViewerConfig, create_app
from hermes_sessions.web.serving.compression import masked, unmasked
from tests.builders import a_conversation, a_message
from tests.statements import recorded
from tests.web import stories

ADDRESSES = (
    "/", "/c/long", "/c/long?at=0.50", "/compactions", "/findings", "/origins", "/help", "/m/3/raw",
    "/api/conversations", "/api/conversations/long/messages?limit=5", "/api/sync", "/api/openapi.json",
)  # fmt: skip

UNPACK = {"gzip": gzip.decompress, "br": brotli.decompress, "zstd": compression.zstd.decompress}

on_sqlite = pytest.mark.sqlite_only
"""On PostgreSQL other databases of the server move the token too, and the rest is about no engine."""


@pytest.fixture
def long(db: OrmSession) -> None:
    stories.long(db, 60)
    db.commit()


@pytest.fixture(autouse=True)
def steady_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hermes_sessions.web.site.caching.time.time", lambda: 1_767_268_830.0)


def without_proofs(page: bytes) -> bytes:
    """Blank the proofs in forms, which are written another way each time."""
    return re.sub(rb'name="proof" value="[0-9a-f]+"', b"", page)


def again(client: FlaskClient, url: str, tag: str, **headers: str) -> Any:
    return client.get(url, headers={"If-None-Match": tag, **headers})


@on_sqlite
@pytest.mark.parametrize("url", ADDRESSES)
def test_an_answer_that_still_holds_is_not_made_again(
    long: None, client: FlaskClient, database: Database, url: str
) -> None:
    first = client.get(url)
    assert first.status_code == 200
    tag = first.headers["ETag"]
    assert tag.startswith('W/"')
    with recorded(database) as statements:
        second = again(client, url, tag)
    assert (second.status_code, second.data, second.headers["ETag"]) == (304, b"", tag)
    assert second.headers["Cache-Control"] == "private, no-cache"
    assert len(statements) == 0


def test_a_commit_changes_every_answer(long: None, client: FlaskClient, db: OrmSession) -> None:
    tags = {url: client.get(url).headers["ETag"] for url in ADDRESSES}
    a_message(db, db.get_one(Session, a_conversation(db, title="Fresh").root_id))
    db.commit()
    for url, tag in tags.items():
        assert again(client, url, tag).status_code == 200, url
    assert "Fresh" in again(client, "/", tags["/"]).text


@on_sqlite
def test_a_commit_of_another_process_is_seen(long: None, client: FlaskClient, database: Database) -> None:
    tag = client.get("/").headers["ETag"]
    with Database.open(str(database.path)) as other, other.write() as db:
        a_conversation(db)
    assert again(client, "/", tag).status_code == 200


@on_sqlite
def test_a_transaction_that_is_undone_changes_nothing(
    long: None, client: FlaskClient, db: OrmSession
) -> None:
    tag = client.get("/").headers["ETag"]
    a_conversation(db)
    db.rollback()
    assert again(client, "/", tag).status_code == 304


@on_sqlite
def test_the_tag_knows_the_address_the_progress_and_the_minute(
    long: None, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = SyncStatus()
    client = create_app(database, status=status).test_client()
    tag = client.get("/").headers["ETag"]
    assert again(client, "/?kind=all", tag).status_code == 200
    assert again(client, "/", f'"other", {tag}').status_code == 304
    monkeypatch.setattr("hermes_sessions.web.site.caching.time.time", lambda: 1_767_268_870.0)
    assert again(client, "/", tag).status_code == 200
    tag = client.get("/api/sync").headers["ETag"]
    status.start("laptop", total=5)
    assert again(client, "/api/sync", tag).status_code == 200


@on_sqlite
def test_nobody_learns_by_a_tag_what_only_a_token_shows(long: None, database: Database) -> None:
    client = create_app(database, config=ViewerConfig(token="secret")).test_client()
    tag = client.get("/api/conversations", headers={"Authorization": "Bearer secret"}).headers["ETag"]
    assert again(client, "/api/conversations", tag).status_code == 401
    assert again(client, "/api/conversations", tag, Authorization="Bearer secret").status_code == 304


@on_sqlite
def test_errors_redirects_and_forms_have_no_tag(long: None, client: FlaskClient) -> None:
    for url in ("/c/nothing", "/api/conversations/nothing", "/m/3", "/healthz", "/login"):
        assert "ETag" not in client.get(url).headers, url
    assert client.get("/c/nothing", headers={"If-None-Match": "*"}).status_code == 404


@on_sqlite
def test_the_token_is_read_by_many_threads(database: Database, db: OrmSession) -> None:
    seen: list[str] = []
    threads = [
        threading.Thread(target=lambda: seen.extend(database.change_token() for _ in range(50)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 400
    assert len(set(seen)) == 1
    a_conversation(db)
    db.commit()
    assert database.change_token() != seen[0]


# -- static files ----------------------------------------------------------------------------------


@on_sqlite
def test_static_files_are_kept_for_a_year_under_their_digest(client: FlaskClient) -> None:
    links = re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get("/help").text)
    assert len(links) >= 4
    for link in links:
        response = client.get(link)
        assert response.status_code == 200
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable", link
        response.close()


@on_sqlite
def test_another_digest_is_not_kept(client: FlaskClient) -> None:
    for url in ("/static/style.css", "/static/style.css?v=0123456789abcdef"):
        response = client.get(url)
        assert "immutable" not in response.headers.get("Cache-Control", ""), url
        response.close()


@on_sqlite
def test_a_changed_file_has_another_address(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hermes_sessions import paths

    folder = tmp_path / "static"
    shutil.copytree(paths.static(), folder)
    monkeypatch.setattr(paths, "static", lambda: folder)
    client = create_app(database).test_client()

    def address() -> str:
        (found,) = re.findall(r'"(/static/style\.css[^"]*)"', client.get("/help").text)
        return str(found)

    before = address()
    (folder / "style.css").write_text("body { color: red }")
    assert address() != before


# -- compression -----------------------------------------------------------------------------------


@on_sqlite
@pytest.mark.parametrize("url", ["/c/long", "/api/conversations/long/messages", "/static/style.css"])
@pytest.mark.parametrize(
    ("wanted", "sent"),
    [("gzip", "gzip"), ("br, gzip", "br"), ("gzip, deflate, br, zstd", "zstd"), ("*", "zstd")],
)
def test_long_answers_are_compressed_for_who_takes_it(
    long: None, client: FlaskClient, url: str, wanted: str, sent: str
) -> None:
    with client.get(url) as plain:
        whole, kind = plain.data, plain.content_type
        assert "Content-Encoding" not in plain.headers
        assert "Accept-Encoding" in plain.vary
    for _ in range(2):
        with client.get(url, headers={"Accept-Encoding": wanted}) as packed:
            assert packed.headers["Content-Encoding"] == sent
            assert packed.content_length == len(packed.data)
            assert len(packed.data) < len(whole)
            assert without_proofs(UNPACK[sent](packed.data)) == without_proofs(whole)
            assert packed.content_type == kind


@on_sqlite
def test_short_answers_and_refusals_are_sent_as_they_are(long: None, client: FlaskClient) -> None:
    assert "Content-Encoding" not in client.get("/healthz", headers={"Accept-Encoding": "gzip"}).headers
    for refusal in ("gzip;q=0, identity", "gzip;q=0", "zstd;q=0, br;q=0, gzip;q=0", "identity", ""):
        refused = client.get("/c/long", headers={"Accept-Encoding": refusal})
        assert "Content-Encoding" not in refused.headers, refusal
        assert "Accept-Encoding" in refused.vary


@on_sqlite
def test_a_part_of_a_file_is_sent_as_it_is(client: FlaskClient) -> None:
    headers = {"Accept-Encoding": "gzip, br, zstd", "Range": "bytes=0-1999"}
    with client.get("/static/style.css", headers=headers) as part:
        assert part.status_code == 206
        assert "Content-Encoding" not in part.headers
        assert len(part.data) == 2_000


@on_sqlite
def test_a_compressed_answer_that_still_holds_is_a_304(long: None, client: FlaskClient) -> None:
    for url in ("/c/long", "/static/style.css"):
        for encoding in UNPACK:
            with client.get(url, headers={"Accept-Encoding": encoding}) as first:
                tag = first.headers["ETag"]
            with again(client, url, tag, **{"Accept-Encoding": encoding}) as second:
                assert second.status_code == 304
                assert not second.data


@on_sqlite
def test_the_proof_in_forms_is_another_one_each_time() -> None:
    secret = "0f" * 32
    ways = {masked(secret) for _ in range(20)}
    assert len(ways) == 20
    assert {unmasked(way) for way in ways} == {secret}
    assert not any(secret in way for way in ways)
    for wrong in ("", "xyz", "abc", "ff", secret + "0"):
        assert unmasked(wrong) != secret
