"""One viewer over several stores: merged pages, and every store's own pages below its name."""

import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from hermes_sessions.errors import QueryTimeoutError, StoreBusyError, StoreError, StoreUnavailableError
from hermes_sessions.operations.fleet import merged_results
from hermes_sessions.store.engines.store_place import ServerPlace
from hermes_sessions.store.fleet import members
from hermes_sessions.store.fleet.hit_places import HitPlace
from hermes_sessions.store.fleet.members import Fleet, expand_urls
from hermes_sessions.store.fleet.merged_search import MergedHits
from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import ViewerConfig
from hermes_sessions.web.fleet.changes import FleetChanges
from hermes_sessions.web.fleet.front import create_fleet_app
from tests.builders import a_conversation
from tests.web.fleet.conftest import NAMES
from tests.web.html import Element, read


def page_at(client: FlaskClient, address: str) -> Element:
    return read(client.get(address).get_data(as_text=True))


def links_in(part: Element) -> list[str]:
    return [one.attributes["href"] for one in part.by_tag("a") if "href" in one.attributes]


@pytest.mark.parametrize(
    "address", ["/", "/compactions", "/search?q=needle", "/overview?range=all", "/stores"]
)
def test_merged_pages_say_every_rows_store(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    text = answer.get_data(as_text=True)
    for name in NAMES:
        assert f"/s/{name}/" in text


def test_the_list_is_in_order_of_time_across_stores(client: FlaskClient) -> None:
    assert [one.text for one in page_at(client, "/").by_class("conversation-link")] == [
        f"{name} talk {number}" for number in (2, 1, 0) for name in ("red", "blue")
    ]


def test_pages_of_the_list_follow_one_another(client: FlaskClient) -> None:
    address: str | None = "/?limit=4"
    found = []
    while address:
        page = page_at(client, address)
        found += [one.text for one in page.by_class("conversation-link")]
        older = page.all(lambda one: one.attributes.get("rel") == "next")
        address = older[0].attributes["href"] if older else None
    assert len(found) == len(set(found)) == 6


def test_every_link_of_a_merged_page_leads_somewhere(client: FlaskClient) -> None:
    for address in ("/", "/compactions", "/search?q=needle", "/overview?range=all", "/stores"):
        for link in {one for one in links_in(page_at(client, address)) if one.startswith("/")}:
            assert client.get(link).status_code in (200, 302), link


def test_a_conversations_own_pages_stay_in_its_store(client: FlaskClient) -> None:
    page = page_at(client, "/s/red/c/red-1")
    assert "The needle is in red 1." in page.text
    assert all(link.startswith(("/s/red/", "#", "?")) or not link for link in links_in(page.by_id("content")))
    assert links_in(page.by_class("store-of")[0]) == ["/"]


def test_an_id_leads_to_its_store_and_one_of_two_asks_which(client: FlaskClient) -> None:
    assert client.get("/c/red-1").location == "/s/red/c/red-1"
    asked = client.get("/c/same")
    assert asked.status_code == 300
    main = read(asked.get_data(as_text=True)).by_id("content")
    assert links_in(main) == ["/s/blue/c/same", "/s/red/c/same"]
    assert client.get("/c/nobody").status_code == 404


def test_a_store_that_is_away_is_named_and_the_rest_is_shown(client: FlaskClient, paths: list[Path]) -> None:
    assert client.get("/").status_code == 200
    paths[0].rename(paths[0].with_suffix(".away"))
    text = client.get("/?kind=all").get_data(as_text=True)
    assert "red talk 2" in text
    assert "blue talk 2" not in text
    text = client.get("/compactions").get_data(as_text=True)
    assert "blue</strong> is left out" in text
    assert client.get("/s/blue/").status_code == 503


PAGES = ("/", "/compactions", "/search?q=needle", "/overview?range=all")


@pytest.mark.parametrize("address", PAGES)
def test_the_page_that_finds_a_store_broken_names_it_and_shows_the_rest(
    client: FlaskClient, paths: list[Path], address: str
) -> None:
    with closing(sqlite3.connect(paths[0])) as raw:
        raw.execute("ALTER TABLE conversations RENAME COLUMN last_active_at TO was_active_at")
        raw.execute("ALTER TABLE conversations RENAME COLUMN kind TO sort_of")
        raw.commit()
    answer = client.get(address)
    text = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert "blue</strong> is left out" in text
    assert "its tables cannot be read" in text
    assert "/s/red/" in text


@pytest.mark.parametrize("error", [QueryTimeoutError("took too long"), StoreBusyError("in use")])
def test_a_question_that_takes_too_long_leaves_no_store_out(
    client: FlaskClient, fleet: Fleet, monkeypatch: pytest.MonkeyPatch, error: StoreError
) -> None:
    def ask(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(members, "LOOK_SECONDS", 3_600.0)  # nobody looks at the stores beside the request
    with monkeypatch.context() as patched:
        patched.setattr(Database, "read", ask)
        assert client.get("/").status_code == 503
    assert [one.problem for one in fleet.states()] == [None, None]
    assert "blue talk 2" in client.get("/").get_data(as_text=True)


def test_the_page_of_stores_looks_again(
    fleet: Fleet, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "LOOK_SECONDS", 0.0)
    fleet.leave_out(["blue"], StoreUnavailableError("blue was taken away"))
    end = time.monotonic() + 10
    while "blue was taken away" in (text := client.get("/stores").get_data(as_text=True)):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert "/s/blue/" in text


def test_a_store_that_takes_long_to_open_keeps_no_page_waiting(
    tmp_path: Path, paths: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Fleet.open([*map(str, paths), str(tmp_path / "away.db")])
    trying, end, ended = threading.Event(), threading.Event(), threading.Event()

    def wait(*_: object, **__: object) -> None:
        trying.set()
        end.wait(8)
        ended.set()
        raise StoreUnavailableError("still away")

    monkeypatch.setattr(Database, "open", wait)
    monkeypatch.setattr(Database, "open_place", wait, raising=False)
    monkeypatch.setattr(members, "LOOK_SECONDS", 0.0)
    client = create_fleet_app(opened).test_client()
    assert opened.names == NAMES
    assert trying.wait(5)
    try:
        assert "red talk 2" in client.get("/").get_data(as_text=True)
        assert client.get("/s/red/").status_code == 200
        answer = client.get("/s/away/")
        assert (answer.status_code, "there is no store yet" in answer.get_data(as_text=True)) == (503, True)
        assert not ended.is_set()
    finally:
        end.set()
        ended.wait(5)
        opened.close()


def test_a_server_that_is_away_is_not_waited_for(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    patient = []

    def note(self: ServerPlace) -> None:
        patient.append(self.server.patient)
        raise StoreUnavailableError("away")

    monkeypatch.setattr(ServerPlace, "look", note)
    opened = Fleet.open([str(paths[0]), "postgresql://nobody@127.0.0.1:1/away"])
    assert opened.names == ("blue",)
    assert patient == [False]
    opened.close()


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/?before=nonsense", 400),
        ("/?store=green", 400),
        ("/?sort=messages&before=999999999999999_1_red", 200),
        ("/?sort=messages&after=-999999999999999_999999999999999999_red", 200),
        ("/search?q=needle&after=9999999999.999999999999999999_red", 200),
        ("/search?q=needle&after=9999999999.9999999999999999999_red", 400),
        ("/search?q=needle&after=1", 400),
        ("/search?q=%22", 400),
        ("/overview?range=7", 400),
        ("/s/green/", 404),
        ("/s/~~/", 404),
        ("/s/", 404),
        ("/compactions?rule=nothing", 400),
    ],
)
def test_what_cannot_be_answered_is_a_page(client: FlaskClient, address: str, status: int) -> None:
    answer = client.get(address)
    assert (answer.status_code, "Traceback" in answer.get_data(as_text=True)) == (status, False)


def test_a_search_that_has_not_come_to_the_end_does_not_say_so(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = HitPlace(7, "red", 7 << 20)
    monkeypatch.setattr(merged_results, "search_merged", lambda *_, **__: MergedHits((), place))
    page = page_at(client, "/search?q=needle")
    assert "Nothing was found." not in page.text
    assert [one.text for one in page.all(lambda one: "next" in one.attributes.get("rel", ""))] == [
        "Older hits →"
    ]


def test_an_address_with_more_slashes_is_the_stores(client: FlaskClient) -> None:
    answer = client.get("/x", environ_overrides={"PATH_INFO": "//s/red/c/red-1"})
    assert answer.status_code == 200
    assert "The needle is in red 1." in answer.get_data(as_text=True)


def test_a_refused_stream_has_the_security_headers(fleet: Fleet) -> None:
    config = ViewerConfig(max_streams=0)
    answer = create_fleet_app(fleet, config=config).test_client().get("/s/red/api/events")
    assert answer.status_code == 503
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_one_login_is_for_all_stores(fleet: Fleet) -> None:
    client = create_fleet_app(fleet, config=ViewerConfig(token="secret")).test_client()
    for address in ("/", "/s/red/", "/s/green/"):
        assert client.get(address).status_code == 302, address
    assert client.get("/s/red/c/red-1").location == "/login?next=/s/red/c/red-1"
    form = {"token": "secret", "next": "/s/red/c/red-1"}
    assert client.post("/login", data=form).location == "/s/red/c/red-1"
    for address in ("/", "/s/red/", "/s/blue/c/blue-1"):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path", ["", "c/red-1", "healthz", "login", "api/events", "metrics", "static/style.css"]
)
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}])
def test_before_login_no_address_tells_which_stores_there_are(
    fleet: Fleet, path: str, headers: dict[str, str]
) -> None:
    client = create_fleet_app(fleet, config=ViewerConfig(token="secret", max_streams=0)).test_client()
    told = []
    for name in ("red", "gone"):
        answer = client.get(f"/s/{name}/{path}", headers=headers)
        location = answer.headers.get("Location", "").replace(f"/s/{name}/", "/s/NAME/")
        told.append((answer.status_code, location))
    assert told[0][0] in (302, 401)
    assert told[0] == told[1]


def test_asking_for_the_head_of_a_stream_keeps_none_open(fleet: Fleet) -> None:
    client = create_fleet_app(fleet, config=ViewerConfig(max_streams=2)).test_client()
    for _ in range(4):
        assert client.head("/s/red/api/events").status_code == 200
    assert client.get("/s/red/healthz").get_json()["streams"] == 0
    answer = client.get("/s/red/api/events", buffered=False)
    assert answer.status_code == 200
    answer.close()  # before anything of it was read
    assert client.get("/s/red/healthz").get_json()["streams"] == 0


def test_a_theme_is_chosen_for_all_stores(client: FlaskClient) -> None:
    form = page_at(client, "/s/red/").by_class("themes")[0]
    proof = form.all(lambda one: one.attributes.get("name") == "proof")[0].attributes["value"]
    client.post("/s/red/preferences", data={"proof": proof, "theme": "dark", "next": "/"})
    for address in ("/", "/s/blue/"):
        assert page_at(client, address).by_tag("html")[0].attributes["data-theme"] == "dark"


def test_what_did_not_change_is_not_made_again(client: FlaskClient, paths: list[Path]) -> None:
    tag = client.get("/stores").headers["ETag"]
    assert client.get("/stores", headers={"If-None-Match": tag}).status_code == 304
    with Database.open(str(paths[0])) as database, database.write() as db:
        a_conversation(db, id="new")
    assert client.get("/stores", headers={"If-None-Match": tag}).status_code == 200


def test_bad_names_of_stores_are_refused(paths: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    Database.open(str(other / "red.db")).close()
    with pytest.raises(StoreError, match="two stores are called 'red'"):
        Fleet.open([str(paths[1]), str(other / "red.db")])
    with pytest.raises(StoreError, match="there is no store yet"):
        Fleet.open([str(tmp_path / "nothing.db")])
    with pytest.raises(StoreError, match="--schemas is about a server"):
        expand_urls([str(paths[0])], ["team_%"])


def test_files_are_shown_together_without_the_driver_of_servers(paths: list[Path]) -> None:
    shown = (
        "import sys\n"
        "sys.modules['psycopg'] = None\n"
        "from hermes_sessions.store.fleet.members import Fleet\n"
        "from hermes_sessions.web.fleet.front import create_fleet_app\n"
        "client = create_fleet_app(Fleet.open(sys.argv[1:])).test_client()\n"
        "pages = ('/', '/search?q=needle', '/compactions', '/overview', '/stores', '/s/red/')\n"
        "print([client.get(page).status_code for page in pages])\n"
    )
    told = subprocess.run([sys.executable, "-c", shown, *map(str, paths)], capture_output=True, text=True)
    assert (told.stdout.strip(), told.stderr) == (str([200] * 6), "")


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}])
def test_an_address_of_the_api_without_the_token_answers_json(fleet: Fleet, headers: dict[str, str]) -> None:
    client = create_fleet_app(fleet, config=ViewerConfig(token="secret")).test_client()
    for address in ("/api/conversations", "/s/red/api/conversations", "/s/green/api/conversations"):
        answer = client.get(address, headers=headers)
        assert (answer.status_code, answer.is_json) == (401, True), address


@pytest.mark.parametrize(
    ("address", "status"),
    [("/s/away/api/conversations", 503), ("/s/green/api/changes", 404), ("/s/away/healthz", 503)],
)
def test_an_address_of_the_api_of_a_store_that_is_away_answers_json(
    paths: list[Path], address: str, status: int
) -> None:
    opened = Fleet.open([*map(str, paths), str(paths[0].with_name("away.db"))])
    answer = create_fleet_app(opened).test_client().get(address)
    opened.close()
    assert (answer.status_code, answer.is_json) == (status, True)
    assert answer.get_json()["status"] == status


@pytest.mark.parametrize(
    "address",
    [
        "conversations?after=5_3_zz",
        "conversations?before=-_3_red",
        "conversations?before=5_3_%00",
        "conversations?before=5_3_%2572ed",
        "compactions?before=5_3_zz",
        "search?q=needle&after=99999.5_%0a",
        "search?q=needle&after=99999.5_zz",
        "search?q=in:title+talk&after=5_3_zz",
    ],
)
def test_a_cursor_that_no_page_gave_out_is_refused(client: FlaskClient, address: str) -> None:
    assert client.get(f"/api/{address}").status_code == 400


def test_a_cursor_of_a_store_that_is_left_out_meanwhile_still_leads_on(
    client: FlaskClient, fleet: Fleet
) -> None:
    first = client.get("/api/conversations?limit=1").get_json()
    (store,) = (row["store"] for row in first["conversations"])
    fleet.leave_out([store], StoreUnavailableError("gone"))
    answer = client.get(f"/api/conversations?before={first['next']}")
    assert answer.status_code == 200
    assert {row["store"] for row in answer.get_json()["conversations"]} == {"blue", "red"} - {store}


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_one_file_under_two_names_is_one_store(paths: list[Path], link: Callable[[Path, Path], None]) -> None:
    other = paths[0].with_name("other.db")
    link(other, paths[0])
    with pytest.raises(StoreError, match=r"named twice.*leave one out"):
        Fleet.open([str(paths[0]), str(paths[1]), str(other)])


def test_numbers_of_changes_go_on_after_a_restart() -> None:
    before = FleetChanges()
    last = max(before.number(str(state)) for state in range(20))
    time.sleep(0.05)  # twenty changes are seen in no shorter time
    assert FleetChanges().number("19") > last


def test_charts_of_the_overview_add_up_all_stores(client: FlaskClient, paths: list[Path]) -> None:
    page = client.get("/overview?range=all").text
    titles = re.findall(r"<g><title>([^<]*)</title>", page)
    assert [title.rpartition(": ")[2] for title in titles[:2]] == ["6 chats", "6 compactions"]
    assert page.count('<svg class="bars"') == len(re.findall(r'role="img" aria-label="[^"]*Highest: ', page))
    row = re.search(r"<tr><td data-label=\"Day\">.*?</tr>", page, re.S)
    assert row is not None
    assert re.findall(r'data-label="(?:Chats|Compactions)" class="numeric">(\d+)<', row[0]) == ["6", "6"]
    with closing(Fleet.open([str(paths[0])])) as alone:
        half = create_fleet_app(alone).test_client().get("/overview?range=all").text
    assert ": 3 chats</title>" in half
    assert ": 3 compactions</title>" in half


def test_an_overview_without_anything_has_no_chart(client: FlaskClient) -> None:
    page = client.get("/overview?range=30").text
    assert '<svg class="bars"' not in page
    assert "The figures by" not in page
