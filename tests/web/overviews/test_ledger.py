"""The ledger page: what it is sorted and filtered by, and how its links keep that."""

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.audit.rules import RULES
from hermes_sessions.messages import CompactionMethod
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.ledger import LedgerOrder
from hermes_sessions.web.auditing.audit_words import BADGES
from hermes_sessions.web.serving.description import api_description
from tests.web.auditing.audit_story import audited, store_findings
from tests.web.html import Element, read


def page(client: FlaskClient, url: str) -> Element:
    response = client.get(url)
    assert response.status_code == 200, response.text
    return read(response.text)


def listed(found: Element) -> list[str]:
    ids = (row.attributes.get("id", "") for row in found.by_tag("tr"))
    return [one for one in ids if one.startswith("ledger-")]


@pytest.fixture
def ids(db: OrmSession, database: Database) -> tuple[str, str]:
    rows = audited(db)
    store_findings(database)
    return f"ledger-{rows.first.id}", f"ledger-{rows.second.id}"


def test_a_heading_sorts_and_then_turns_the_order_round(client: FlaskClient, ids: tuple[str, str]) -> None:
    found = page(client, "/compactions?sort=most-saved&status=committed")
    [heading] = [one for one in found.by_tag("th") if one.attributes.get("aria-sort")]
    assert (heading.text.split()[0], heading.attributes["aria-sort"]) == ("Saved", "descending")
    [link] = heading.by_tag("a")
    assert "status=committed" in link.attributes["href"]
    assert "sort=least-saved" in link.attributes["href"]
    before, after = listed(found), listed(page(client, link.attributes["href"]))
    assert before == list(ids)
    assert after == list(reversed(ids))


def test_a_page_keeps_order_and_filters(client: FlaskClient, ids: tuple[str, str]) -> None:
    found = page(client, "/compactions?sort=worst&status=committed&limit=1")
    [link] = [one for one in found.by_tag("a") if one.attributes.get("rel") == "next"]
    address = link.attributes["href"]
    assert all(part in address for part in ("sort=worst", "status=committed", "limit=1", "before="))
    assert len(listed(page(client, address))) == 1


def test_filters_narrow_and_can_be_taken_off(client: FlaskClient, ids: tuple[str, str]) -> None:
    found = page(client, "/compactions?rule=clones&sort=oldest")
    assert listed(found) == []
    assert "matches these filters" in found.text
    [clear] = [one for one in found.by_tag("a") if one.text == "Clear"]
    assert set(listed(page(client, clear.attributes["href"]))) >= set(ids)


def test_a_row_names_whose_engine_it_was(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    rows.first.claim = {"engine": "<b>ours</b> 1.0", "trigger": "manual"}
    db.commit()
    found = page(client, "/compactions")
    first, second = (
        " ".join(row.text.split())
        for one in (rows.first, rows.second)
        for row in found.by_tag("tr")
        if row.attributes.get("id") == f"ledger-{one.id}"
    )
    assert "engine <b>ours</b> 1.0" in first
    assert "engine" not in second


def test_the_api_sorts_and_filters_alike(client: FlaskClient, ids: tuple[str, str]) -> None:
    answer = client.get("/api/compactions?sort=least-saved&conversation=audited&limit=1").json
    assert answer is not None
    [row] = answer["compactions"]
    assert f"ledger-{row['id']}" == ids[1]
    assert row["saved_tokens"] == 72_000
    assert row["worst_finding"] in (None, "info", "warning", "error")
    assert answer["next"]


def test_the_description_knows_every_rule_and_order() -> None:
    document = api_description()
    told = {
        one["name"]: one["schema"].get("enum")
        for one in document["paths"]["/api/compactions"]["get"]["parameters"]
        if "name" in one
    }
    assert document["components"]["parameters"]["Rule"]["schema"]["enum"] == sorted(RULES)
    assert told["sort"] == list(LedgerOrder)
    assert told["method"] == list(CompactionMethod)


@pytest.mark.parametrize("query", ["sort=x", "rule=x", "severity=x", "below=x", "method=x"])
@pytest.mark.parametrize("url", ["/compactions", "/api/compactions"])
def test_what_makes_no_sense_is_a_clean_400(client: FlaskClient, url: str, query: str) -> None:
    assert client.get(f"{url}?{query}").status_code == 400


def test_an_unknown_conversation_is_a_404(client: FlaskClient) -> None:
    assert client.get("/compactions?conversation=nothing").status_code == 404


def test_a_row_says_in_one_unit_what_became_of_what(client: FlaskClient, ids: tuple[str, str]) -> None:
    row = page(client, "/compactions").by_id(ids[0])
    door, became, kept = (cell.text for cell in row.by_tag("td")[:3])
    assert door == "Move the invoices compaction 1 of 2"
    assert became == "3 messages to 37 tokens"
    assert kept == "1 of 2 facts"  # the request is open: its reply only asks back


def test_active_filters_are_tokens_that_come_off_one_by_one(
    client: FlaskClient, ids: tuple[str, str]
) -> None:
    found = page(client, "/compactions?rule=clones&status=committed&sort=oldest")
    tokens = found.by_class("token")
    assert [one.text for one in tokens] == ["Rule clones ×", "Status committed ×"]
    assert tokens[0].attributes["href"] == "/compactions?status=committed&sort=oldest"


def test_every_rule_has_its_words_for_a_badge() -> None:
    assert set(BADGES) == set(RULES)
    assert max(map(len, BADGES.values())) <= 30
