"""The search page, its JSON, and marks in the conversation a hit leads to."""

from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from markupsafe import Markup
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.language.highlight import Highlighter
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.web.searching import search as search_pages
from hermes_sessions.web.text.mark_words import mark_html
from tests.builders import NOON, a_conversation, a_message
from tests.web import stories
from tests.web.html import Element, read

HOSTILE = (
    "<script>window.fired=1</script>", '"><img src=x onerror=window.fired=1>', "'; DROP TABLE messages; --",
    '"', '""', '"unclosed', "a AND", "NEAR(a b, 3)", "text:a", "a*b", "{a b}", "^a", "(((", "-", "--", "\0",
    "a\0b", "x" * 10_000, "提" * 900, "role:", 'role:"', "before:\0", "conv:%", "\U0010ffff", "* OR *",
    "a OR", "NOT NOT a", "%_\\", "\u202e\u200b", "a" + "\u0301" * 500,
)  # fmt: skip


def get(client: FlaskClient, path: str, status: int = 200, **args: str) -> Element:
    response = client.get(path, query_string=args)
    assert response.status_code == status, response.text
    return read(response.text)


def texts(page: Element, name: str) -> list[str]:
    return [one.text for one in page.by_class(name)]


def links(page: Element) -> dict[str, str]:
    return {one.text: one.attributes["href"] for one in page.by_tag("a") if "href" in one.attributes}


def marks(page: Element) -> list[str]:
    return [one.text for one in page.by_tag("mark")]


def test_hits_are_grouped_marked_and_labelled(db: OrmSession, client: FlaskClient) -> None:
    stories.swallowed_reply(db)
    db.commit()
    page = get(client, "/search", q="ledger")
    [group] = page.by_class("hit-group")
    assert group.by_tag("h2")[0].text == "Move the invoices"
    assert "context handoff" in texts(group, "chip")
    assert set(marks(page)) == {"ledger"}


def test_a_hit_in_a_clients_words_is_not_called_the_users(db: OrmSession, client: FlaskClient) -> None:
    root = stories.root_of(db, a_conversation(db, id="tool"))
    a_message(db, root, "<local-command-stdout>a pear</local-command-stdout>")
    db.commit()
    assert texts(get(client, "/search", q="pear"), "hit-link") == ["client"]


def test_titles_and_ids_stand_on_top(db: OrmSession, client: FlaskClient) -> None:
    a_conversation(db, id="abc-123", title="Plan the garden")
    db.commit()
    assert "by its title" in get(client, "/search", q="garden").by_class("named")[0].text
    assert "by its id" in get(client, "/search", q="abc-1").by_class("named")[0].text


def test_titles_beyond_the_first_few_are_a_click_away(
    db: OrmSession, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(9):
        a_conversation(db, id=f"t{at}", title=f"Plan the gärden {at}", started_at=NOON + at)
    db.commit()
    page = get(client, "/search", q="garden")
    assert len(page.by_class("named")[0].by_tag("li")) == 6
    assert set(marks(page)) == {"gärden"}
    monkeypatch.setattr(search_pages, "NAMED_PER_PAGE", 5)
    listed = read(client.get(links(page)["3 more conversations found by title, folder or id"]).text)
    assert listed.by_class("named")[0].by_tag("h2")[0].text == "9 conversations"
    following = read(client.get(links(listed)["Older conversations →"]).text)
    titles = [one.text for found in (listed, following) for one in found.by_class("hit-link")]
    assert titles == [f"Plan the gärden {at}" for at in reversed(range(9))]
    assert "Older conversations →" not in links(following)


def test_the_document_counts_what_it_leaves_out(db: OrmSession, client: FlaskClient) -> None:
    for at in range(9):
        a_conversation(db, id=f"t{at}", title="Garden")
    db.commit()
    found = client.get("/api/search?q=garden").json
    assert found is not None
    assert (found["conversations_total"], found["conversations_query"]) == (9, "in:title garden")
    few = client.get("/api/search?q=t8").json
    assert few is not None
    assert few["conversations_query"] is None


def test_a_busy_conversation_leaves_room_for_others(
    db: OrmSession, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = stories.root_of(db, a_conversation(db, id="quiet", title="Quiet"))
    a_message(db, quiet, "zebra")
    busy = stories.root_of(db, a_conversation(db, id="busy", title="Busy", started_at=NOON + 9_000))
    for _ in range(9):
        a_message(db, busy, "zebra")
    db.commit()
    page = get(client, "/search", q="zebra")
    assert [one.by_tag("h2")[0].text for one in page.by_class("hit-group")] == ["Busy", "Quiet"]
    assert len(page.by_class("hit-group")[0].by_class("snippet")) == 3
    inside = links(page)["6 further hits in this conversation"]
    assert parse_qs(urlsplit(inside).query)["q"] == ["zebra conv:busy"]
    monkeypatch.setattr(search_pages, "GROUPS", 1)
    first = get(client, "/search", q="zebra")
    following = read(client.get(links(first)["Older hits →"]).text)
    assert [one.by_tag("h2")[0].text for one in following.by_class("hit-group")] == ["Quiet"]


def test_a_search_can_be_saved_and_comes_back(client: FlaskClient) -> None:
    assert len(get(client, "/search", q="ledger").by_class("save")) == 1
    assert get(client, "/search").by_class("save") == []


def test_filters_are_clicked_in_and_out(client: FlaskClient) -> None:
    page = get(client, "/search", q="ledger")
    chosen = read(client.get(links(page)["you"]).text)
    [asked] = [
        one
        for one in chosen.by_tag("input")
        if one.attributes.get("name") == "q" and one.attributes.get("type") == "search"
    ]
    assert asked.attributes["value"] == "ledger role:user"
    again = parse_qs(urlsplit(links(chosen)["you"]).query)
    assert again["q"] == ["ledger"]


@pytest.mark.parametrize(
    ("q", "reason"),
    [("before:never", "is not a date"), ("...", "punctuation"), ("a tool:", "tool: needs a value, such as")],
)
def test_what_cannot_be_answered_is_explained(client: FlaskClient, q: str, reason: str) -> None:
    assert reason in texts(get(client, "/search", status=400, q=q), "warn")[0]
    problem = client.get("/api/search", query_string={"q": q})
    assert (problem.status_code, problem.content_type) == (400, "application/problem+json")
    assert reason in problem.json["detail"]  # type: ignore[index]


@pytest.mark.parametrize("order", ["newest", "relevance"])
def test_hostile_queries_are_answered_or_explained(db: OrmSession, client: FlaskClient, order: str) -> None:
    stories.hostile(db)
    db.commit()
    for q in HOSTILE:
        asked = {"q": q, "order": order}
        assert client.get("/api/search", query_string=asked).status_code in (200, 400), q
        response = client.get("/search", query_string=asked)
        assert response.status_code in (200, 400), q
        page = read(response.text)
        assert [one for one in page.by_tag("script") if "src" not in one.attributes] == []
        assert [one for one in page.by_tag("img") if "onerror" in one.attributes] == []


def test_a_hit_leads_to_its_message_with_marks_and_neighbours(db: OrmSession, client: FlaskClient) -> None:
    rows = stories.swallowed_reply(db)
    db.commit()
    ids = [rows[name].id for name in ("asked", "reply", "carrier")]
    found = client.get(f"/m/{ids[0]}", query_string={"q": "ledger OR migration"})
    assert found.location.endswith(f"&q=ledger+OR+migration&hit={ids[0]}#m-{ids[0]}")
    page = read(client.get(found.location).text)
    [bar] = page.by_class("hits-bar")
    assert bar.attributes["data-hits"] == ",".join(map(str, ids))
    assert "1 of 3" in bar.text
    assert urlsplit(links(bar)["↓ next"]).path == f"/m/{ids[1]}"
    assert "ledger" in marks(page)
    assert "migration" in marks(page)


def test_a_page_without_a_search_has_no_bar_and_no_marks(db: OrmSession, client: FlaskClient) -> None:
    stories.swallowed_reply(db)
    db.commit()
    page = get(client, "/c/invoices-after")
    assert page.by_class("hits-bar") == []
    assert marks(page) == []
    odd = get(client, "/c/invoices-after", q="before:never")
    assert odd.by_class("hits-bar") == []


def test_the_search_stays_while_the_conversation_is_paged(db: OrmSession, client: FlaskClient) -> None:
    stories.long(db, 120)
    db.commit()
    page = get(client, "/c/long", q="words")
    earlier = next(link for name, link in links(page).items() if name.endswith("earlier messages"))
    assert parse_qs(urlsplit(earlier).query)["q"] == ["words"]
    assert marks(get(client, "/m/5/all", q="words"))


def test_the_document_names_the_place_and_the_labels(db: OrmSession, client: FlaskClient) -> None:
    stories.swallowed_reply(db)
    db.commit()
    found = client.get("/api/search?q=invoices&limit=2").json
    assert found is not None
    assert {"text": "invoices", "marked": True} in found["hits"][0]["snippet"]
    assert found["hits"][0]["conversation"] == "invoices-after"
    assert found["next"] is not None
    rest = client.get(f"/api/search?q=invoices&limit=2&after={found['next']}").json
    assert rest is not None
    assert not {hit["id"] for hit in rest["hits"]} & {hit["id"] for hit in found["hits"]}
    assert client.get("/api/search?q=a&limit=0").status_code == 400
    assert client.get("/api/search?q=a&order=odd").status_code == 400


FIND = Highlighter.of([Term("bold"), Term("a<b")])


def test_markup_is_not_escaped_twice() -> None:
    html = Markup('<pre class="code"><span>&quot;bold&quot;</span> bold "x"</pre>')
    marked = '<mark class="hit">bold</mark>'
    assert mark_html(html, FIND) == (
        f'<pre class="code"><span>&quot;{marked}&quot;</span> {marked} &quot;x&quot;</pre>'
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            '<p class="prose">so <b>bold</b></p>',
            '<p class="prose">so <b><mark class="hit">bold</mark></b></p>',
        ),
        ("<p>bold</p>", "<p>bold</p>"),
        ('<p class="prose"><br>x</p> bold', '<p class="prose"><br>x</p> bold'),
        (
            '<p class="prose"><a title="bold > bold" href="bold">a&lt;b &amp; c</a></p>',
            '<p class="prose"><a title="bold > bold" href="bold">'
            '<mark class="hit">a&lt;b</mark> &amp; c</a></p>',
        ),
        (
            '<p class="prose">bo<i>ld</i> &lt;script&gt;</p>',
            '<p class="prose">bo<i>ld</i> &lt;script&gt;</p>',
        ),
    ],
)
def test_only_what_was_said_is_marked_and_nothing_is_unescaped(html: str, expected: str) -> None:
    assert mark_html(html, FIND) == expected
