"""The list of conversations as a page."""

from datetime import datetime

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation, Session
from hermes_sessions.web import SyncStatus, create_app
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session, an_origin
from tests.statements import recorded
from tests.web.html import Element, read


def page(client: FlaskClient, url: str = "/") -> Element:
    response = client.get(url)
    assert response.status_code == 200
    return read(response.text)


def titles(found: Element) -> list[str]:
    return [one.text for one in found.by_class("conversation-link")]


def root_of(db: OrmSession, conversation: Conversation) -> Session:
    return db.get_one(Session, conversation.root_id)


def test_an_empty_store_says_how_to_fill_it(client: FlaskClient) -> None:
    assert "hermes-sessions import" in page(client).by_class("empty")[0].text


def test_a_row_shows_title_facts_and_badges(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db, title="Fix the build", source="telegram")
    a_message(db, root_of(db, conversation), "It is broken.")
    a_compaction(db, a_session(db, conversation, model="model-x"))
    a_session(db, conversation, parent=root_of(db, conversation), fork=True)
    db.commit()
    (row,) = page(client).by_class("conversation")
    assert titles(row) == ["Fix the build"]
    for fact in ("telegram", "model-x", "1 message", "1 compaction", "1 fork", "It is broken."):
        assert fact in row.text
    (time,) = row.by_tag("time")
    assert time.text.endswith("ago")
    assert datetime.fromisoformat(time.attributes["datetime"]).timestamp() == NOON + 3600
    assert "2026" in time.attributes["title"]


def test_prunes_are_said_as_prunes(client: FlaskClient, db: OrmSession) -> None:
    tip = a_session(db, a_conversation(db, title="Long outputs"))
    a_message(db, tip, "It is long.")
    for method in ("prune", "prune", "model"):
        a_compaction(db, tip, realisation="native", method=method)
    db.commit()
    (row,) = page(client).by_class("conversation")
    assert "1 compaction" in row.text
    assert "2 prunes" in row.text
    (strip,) = page(client).by_class("strip")
    assert "1 compaction , 2 prunes" in " ".join(strip.text.split())


def test_the_preview_stands_in_for_a_missing_title(client: FlaskClient, db: OrmSession) -> None:
    a_message(db, root_of(db, a_conversation(db)), "What is this?")
    db.commit()
    assert titles(page(client)) == ["What is this?"]


def test_filters_stay_in_every_link(client: FlaskClient, db: OrmSession) -> None:
    for number in range(5):
        root = root_of(
            db, a_conversation(db, title=f"t{number}", source="telegram", started_at=NOON + number)
        )
        a_message(db, root)
    db.commit()
    first = page(client, "/?source=telegram&limit=2&since=2025-01-01")
    (older,) = first.by_class("pager")[0].by_tag("a")
    assert "source=telegram" in older.attributes["href"]
    assert "since=2025-01-01" in older.attributes["href"]
    assert titles(page(client, older.attributes["href"])) == ["t2", "t1"]


def test_older_and_newer_lead_back_to_the_same_page(client: FlaskClient, db: OrmSession) -> None:
    for number in range(5):
        a_message(db, root_of(db, a_conversation(db, title=f"t{number}", started_at=NOON + number)))
    db.commit()
    first = page(client, "/?limit=2")
    older = page(client, first.by_class("pager")[0].by_tag("a")[0].attributes["href"])
    newer = older.by_class("pager")[0].by_tag("a")[0].attributes["href"]
    assert titles(page(client, newer)) == titles(first) == ["t4", "t3"]


def test_no_match_offers_the_whole_list(client: FlaskClient, db: OrmSession) -> None:
    a_message(db, root_of(db, a_conversation(db)))
    db.commit()
    found = page(client, "/?source=nowhere")
    assert "No conversation matches" in found.by_class("empty")[0].text


def test_origins_can_be_chosen_where_there_are_several(client: FlaskClient, db: OrmSession) -> None:
    for label in ("laptop", "server"):
        a_message(db, root_of(db, a_conversation(db, title=label, origin=an_origin(db, label=label))))
    db.commit()
    assert titles(page(client, "/?origin=server")) == ["server"]
    names = [one.attributes["name"] for one in page(client).by_tag("select")]
    assert "origin" in names


def test_the_first_import_shows_its_progress_and_refreshes_itself(database: Database) -> None:
    status = SyncStatus()
    status.start("laptop", total=2000, first=True)
    status.advance("laptop", 500)
    client = create_app(database, status=status).test_client()
    found = page(client)
    assert "laptop: 500 of 2 000 rows, 25 %" in found.by_class("importing")[0].text
    assert "refreshes itself" in found.by_class("empty")[0].text
    assert [one for one in found.by_tag("meta") if one.attributes.get("http-equiv") == "refresh"]
    status.finish("laptop", NOON)
    assert not page(client).by_class("importing")


def test_a_paused_origin_is_not_said_to_be_followed(database: Database) -> None:
    status = SyncStatus()
    with database.write() as db:
        for label in ("laptop", "server"):
            an_origin(db, label=label).paused = label == "laptop"
            status.start(label)
            status.finish(label, NOON)
    badges = page(create_app(database, status=status).test_client(), "/origins").by_class("badge")
    assert [badge.text for badge in badges] == ["paused", "following"]


def test_an_origin_is_switched_off_and_on_on_its_page(database: Database) -> None:
    with database.write() as db:
        an_origin(db, label="laptop")
    client = create_app(database).test_client()

    def press() -> str:
        (form,) = page(client, "/origins").by_class("origin-switch")
        (button,) = form.by_tag("button")
        fields = [one.attributes for one in form.by_tag("input")]
        given = {one["name"]: one["value"] for one in fields} | {"paused": button.attributes["value"]}
        assert client.post("/origins/pause", data=given).status_code == 303
        return button.text.split()[0]

    assert press() == "Pause"
    assert [one.text for one in page(client, "/origins").by_class("badge")] == ["paused"]
    assert press() == "Resume"
    assert not page(client, "/origins").by_class("badge")
    assert client.post("/origins/pause", data={"label": "laptop", "paused": "yes"}).status_code == 403


def test_the_page_of_origins_names_agents_of_which_nothing_is_here(database: Database) -> None:
    with database.write() as db:
        an_origin(db, label="work", kind="codex")
    told = page(create_app(database).test_client(), "/origins").by_id("absent-agents").text
    assert "claude-code" in told
    assert "codex" not in told


def test_a_database_that_cannot_be_read_is_told_on_the_list_and_among_the_origins(database: Database) -> None:
    told: list[str] = []
    status = SyncStatus(on_failure=told.append)
    client = create_app(database, status=status).test_client()
    assert not page(client).by_class("trouble")
    for _ in range(2):
        status.fail("laptop", "laptop.db: is a Git LFS <pointer>, not a database")
    assert told == ["laptop.db: is a Git LFS <pointer>, not a database"]
    assert "is a Git LFS <pointer>, not" in page(client).by_class("trouble")[0].text
    origins = page(client, "/origins")
    assert "not read" in origins.by_class("badge")[0].text
    assert "is a Git LFS <pointer>, not" in origins.by_class("error-text")[0].text
    status.start("laptop")
    assert page(client).by_class("trouble")
    status.finish("laptop", NOON)
    assert not page(client).by_class("trouble")


def test_a_page_asks_the_store_before_it_is_drawn_and_no_more(
    client: FlaskClient, db: OrmSession, database: Database
) -> None:
    for _ in range(50):
        a_message(db, root_of(db, a_conversation(db)))
    db.commit()
    counts = []
    for url in ("/?limit=1", "/?limit=50"):
        with recorded(database) as statements:
            page(client, url)
        counts.append(len(statements))
    assert counts == [4, 4]


@pytest.mark.parametrize(
    "url", ["/?kind=nope", "/?before=x", "/?limit=-1", "/?since=yesterday", "/?limit=501"]
)
def test_a_senseless_address_is_a_clean_400(client: FlaskClient, url: str) -> None:
    response = client.get(url)
    assert response.status_code == 400
    assert "Traceback" not in response.text


def test_a_day_at_the_edge_of_the_calendar_is_a_day(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db, title="Move the invoices")
    a_message(db, db.get_one(Session, conversation.root_id))
    db.commit()
    for url in ("/?since=0001-01-01", "/?until=9999-12-31"):
        assert client.get(url).status_code == 200, url
        assert "Move the invoices" in client.get(url).text


@pytest.fixture
def sizes(db: OrmSession) -> None:
    """Three conversations: the newest is the smallest, one cost money, one was compacted twice."""
    for at, (title, messages, cost) in enumerate([("Long", 5, None), ("Dear", 3, 2.5), ("100% new", 1, 0.1)]):
        made = a_conversation(db, title=title, started_at=NOON + 3600 * at)
        made.actual_cost_usd = cost
        for _ in range(messages):
            a_message(db, root_of(db, made))
        if title == "Dear":
            for _ in range(2):
                a_compaction(db, root_of(db, made), realisation="in_place")
    db.commit()


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("active", ["100% new", "Dear", "Long"]),
        ("messages", ["Long", "Dear", "100% new"]),
        ("cost", ["Dear", "100% new", "Long"]),
        ("compactions", ["Dear", "100% new", "Long"]),
    ],
)
def test_every_order_is_walked_forth_and_back(
    client: FlaskClient, sizes: None, order: str, expected: list[str]
) -> None:
    assert titles(page(client, f"/?sort={order}")) == expected
    first = page(client, f"/?sort={order}&limit=2")
    assert titles(first) == expected[:2]
    older = page(client, first.by_class("pager")[0].by_tag("a")[0].attributes["href"])
    assert titles(older) == expected[2:]
    newer = page(client, older.by_class("pager")[0].by_tag("a")[0].attributes["href"])
    assert titles(newer) == expected[:2]


def test_titles_are_filtered_by_what_they_hold(client: FlaskClient, sizes: None) -> None:
    assert titles(page(client, "/?title=0%25+N")) == ["100% new"]
    assert titles(page(client, "/?title=%25")) == ["100% new"]
    assert titles(page(client, "/?title=o_g")) == []


def test_conversations_stand_under_their_days(client: FlaskClient, sizes: None) -> None:
    (head,) = page(client).by_class("day-head")
    assert head.text == stamp_of_day(NOON)
    assert page(client, "/?sort=cost").by_class("day-head") == []


def stamp_of_day(at: float) -> str:
    when = datetime.fromtimestamp(at)
    return f"{when:%a} {when.day} {when:%b %Y}"


def test_the_first_page_says_what_this_is_until_it_is_dismissed(client: FlaskClient, sizes: None) -> None:
    (strip,) = page(client).by_class("strip")
    assert "3 conversations, 2 compactions" in strip.text
    assert page(client, "/?title=Long").by_class("strip") == []
    proof, back = (one.attributes["value"] for one in strip.by_tag("input"))
    given = {"proof": proof, "next": back, "strip": "hidden"}
    assert client.post("/preferences", data={**given, "proof": "no"}).status_code == 403
    assert client.post("/preferences", data=given).status_code == 303
    assert page(client).by_class("strip") == []


@pytest.mark.parametrize(
    ("url", "twin"),
    [
        ("/?source=cli&sort=cost", "/api/conversations?source=cli&sort=cost"),
        ("/compactions?rule=fork", "/api/compactions?rule=fork"),
        ("/overview?range=all", "/api/overview?range=all"),
        ("/?_external=1&_scheme=javascript", "/api/conversations?_external=1&_scheme=javascript"),
    ],
)
def test_a_page_links_its_json(client: FlaskClient, url: str, twin: str) -> None:
    found = page(client, url)
    links = [one.attributes["href"] for one in found.by_tag("a") if "JSON" in one.text]
    assert links == [twin]
    assert client.get(links[0]).status_code == 200
