"""The audit's pages: one compaction, findings, what the model saw, charts, badges."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation, Finding, Message, Session
from tests.agents.goose.conftest import GooseHome
from tests.agents.goose.session_builder import GooseInDatabase
from tests.builders import a_compaction, a_conversation, a_message, a_session
from tests.statements import recorded
from tests.web import stories
from tests.web.auditing.audit_story import audited, store_findings
from tests.web.auditing.ruled_story import ruled_story
from tests.web.html import Element, read


def page(client: FlaskClient, url: str) -> Element:
    response = client.get(url)
    assert response.status_code == 200, response.text
    return read(response.text)


def answer(client: FlaskClient, url: str) -> Any:
    response = client.get(url)
    assert response.status_code == 200, response.text
    return response.json


def links(element: Element) -> list[str]:
    return [one.attributes["href"] for one in element.by_tag("a")]


# -- one compaction --------------------------------------------------------------------------------


def test_every_message_before_shows_its_fate_in_words(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    found = page(client, f"/compactions/{rows.first.id}")
    assert "summarised away" in found.by_id(f"b-{rows.asked.id}").text
    kept = found.by_id(f"b-{rows.kept.id}")
    assert "kept" in kept.classes
    assert f"#a-{rows.kept_copy.id}" in links(kept)
    assert found.by_id(f"a-{rows.kept_copy.id}")


def test_after_is_handoff_and_tail_and_what_was_said_next(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    after = page(client, f"/compactions/{rows.first.id}").by_id("after")
    marks = [one.text for one in after.by_class("fate-mark")]
    assert marks == ["handoff", "kept, tail", "said next", "said next"]
    assert "CONTEXT COMPACTION" not in after.text


def test_who_asked_a_delegate_is_the_agent_that_called_it(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    db.scalars(select(Conversation)).one().kind = "delegate"
    db.commit()
    found = page(client, f"/compactions/{rows.first.id}")
    heads = " ".join(one.text for one in found.by_class("fate-head"))
    assert f"Calling agent {rows.asked.id}" in heads
    assert "You " not in heads
    seen = page(client, f"/m/{rows.answer.id}/seen")
    assert [one.text.split(",")[0] for one in seen.by_class("speaker")] == ["Assistant", "Calling agent"]


@pytest.mark.parametrize(("stored", "tone"), [(True, "calm"), (False, "unknown")])
def test_nothing_to_compare_is_no_good_news(
    client: FlaskClient, db: OrmSession, stored: bool, tone: str
) -> None:
    conversation = a_conversation(db, id="quiet")
    said = a_message(db, stories.root_of(db, conversation), "Hello.")
    child = a_session(db, conversation, id="quiet-2")
    handoff = a_message(db, child, stories.standalone("Hello was said."), kind="handoff")
    a_message(db, child, "Hello.", copy_of=said.id)
    a_compaction(db, child, handoff=handoff, summary="Hello was said.", span_messages=0, span_stored=stored)
    db.commit()
    assert tone in page(client, "/compactions/1").by_id("verdict").classes


def test_a_claim_leads_to_its_source_and_back(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    found = page(client, f"/compactions/{rows.first.id}")
    claim = next(one for one in found.by_class("claims")[0].by_tag("li"))
    assert "Move the invoices" in claim.text
    assert f"#b-{rows.asked.id}" in links(claim)
    assert "exact fact" in claim.text
    assert f"#{claim.attributes['id']}" in links(found.by_id(f"b-{rows.asked.id}"))


def test_an_empty_section_makes_no_claim(client: FlaskClient, db: OrmSession) -> None:
    found = page(client, f"/compactions/{audited(db).first.id}")
    said = {one.text for one in found.by_id("handoff").by_tag("li")}
    assert said
    assert not any("None." in one for one in said)


@pytest.mark.parametrize(
    ("group", "value"),
    [
        ("lost", "3.4.1"),
        ("lost", "INV-2291"),
        ("told", "src/billing/ledger.py"),
        ("invented", "src/billing/tax.py"),
    ],
)
def test_facts_are_chips_by_what_became_of_them(
    client: FlaskClient, db: OrmSession, group: str, value: str
) -> None:
    rows = audited(db)
    found = page(client, f"/compactions/{rows.first.id}").by_id("facts")
    (chips,) = [one for one in found.by_class(group) if one.tag == "details"]
    (chip,) = [one for one in chips.by_class("fact-chip") if one.text.endswith(value)]
    if group != "invented":
        assert chip.attributes["href"].startswith("#b-")


def test_findings_come_with_evidence_and_advice(client: FlaskClient, db: OrmSession) -> None:
    found = page(client, f"/compactions/{audited(db).first.id}")
    (invented,) = [one for one in found.by_class("finding") if "invented" in one.text]
    assert "warning" in invented.classes
    assert "changed file that nothing before it has: “src/billing/tax.py”" in invented.text
    assert "wrote src/billing/tax.py" in [one.text for one in invented.by_tag("dd")]
    assert "What to do:" in invented.text


def test_the_rules_of_the_conversation_are_a_table(
    client: FlaskClient, db: OrmSession, database: Database
) -> None:
    rows = ruled_story(db)
    db.commit()
    assert "Rules of the conversation" not in page(client, f"/compactions/{rows.first}").text
    store_findings(database)
    for compaction, words in ((rows.first, "in the handoff"), (rows.second, "out of sight")):
        [line] = page(client, f"/compactions/{compaction}").by_id("rules").by_tag("tbody")[0].by_tag("tr")
        cells = [cell.text.strip() for cell in line.by_tag("td")]
        assert cells == ["You", str(rows.said), words, "out of sight since compaction 2"]
    [rule] = answer(client, f"/api/compactions/{rows.first}")["rules"]
    assert (rule["message"], rule["lost_by"], rule["state"]) == (rows.said, rows.second, "lost")


def test_the_handoff_is_compared_with_the_one_before(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    diff = page(client, f"/compactions/{rows.second.id}").by_class("diff")[0]
    assert [one.text for one in diff.by_class("added")] == ["+ added - wrote docs/moving.md"]
    assert not diff.by_class("removed")
    assert not page(client, f"/compactions/{rows.first.id}").by_class("diff")


def test_compactions_lead_to_each_other_and_to_their_place(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    first = page(client, f"/compactions/{rows.first.id}").by_class("audit-nav")[0]
    assert links(first) == [f"/compactions/{rows.first.id}/place", f"/compactions/{rows.second.id}"]
    place = client.get(f"/compactions/{rows.first.id}/place")
    assert place.location == f"/c/audited?at=1.0#compaction-{rows.first.id}"


def test_an_interrupted_compaction_says_that_nothing_came_of_it(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db)
    tip = db.get_one(Session, conversation.root_id)
    row = a_compaction(db, tip, realisation="in_place", status="interrupted")
    db.commit()
    found = page(client, f"/compactions/{row.id}")
    assert "what was said before it still counts" in found.text
    assert not found.by_class("columns")


def test_a_deleted_span_is_named_and_not_guessed(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db)
    child = a_session(db, conversation)
    carrier = a_message(db, child, stories.standalone(), kind="handoff")
    row = a_compaction(db, child, handoff=carrier, summary=stories.SUMMARY, span_stored=False)
    db.commit()
    found = page(client, f"/compactions/{row.id}")
    assert "deleted what it summarised" in found.text
    assert "no source found" not in found.text


def test_a_heading_in_a_summary_needs_no_source(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db)
    a_message(db, db.get_one(Session, conversation.root_id), "Move the invoices.")
    child = a_session(db, conversation)
    told = "All user messages:\n\nThe zebra sleeps beside the lighthouse."
    handoff = a_message(db, child, stories.standalone(told), kind="handoff")
    row = a_compaction(db, child, handoff=handoff, summary=told, span_messages=1)
    db.commit()
    sources = [one.text for one in page(client, f"/compactions/{row.id}").by_class("sources")]
    assert sources == ["", "no source found"]


def test_a_compaction_that_cannot_be_read_is_not_praised(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db)
    root = db.get_one(Session, conversation.root_id)
    last = a_message(db, root, "Draw it.")
    row = a_compaction(db, root, realisation="native", span_last_id=last.id, span_messages=1)
    db.commit()
    found = page(client, f"/compactions/{row.id}")
    assert "encrypted by the provider" in found.text
    assert "No rule found" not in found.text
    assert "an encrypted summary" in page(client, "/compactions").text


def test_a_long_span_shows_its_ends(client: FlaskClient, db: OrmSession) -> None:
    conversation = stories.long(db, 1_000, id="wide")
    child = a_session(db, conversation)
    carrier = a_message(db, child, stories.standalone(), kind="handoff")
    row = a_compaction(db, child, handoff=carrier, summary=stories.SUMMARY)
    db.commit()
    response = client.get(f"/compactions/{row.id}")
    assert "760 messages not listed here" in response.text
    assert len(response.data) < 300_000


def test_a_line_of_the_agents_own_is_called_so_where_it_was_seen(
    client: FlaskClient, database: Database, tmp_path: Path
) -> None:
    talk = GooseHome(tmp_path / "sessions", GooseInDatabase(tmp_path / "sessions" / "sessions.db")).talk()
    talk.ask("one")
    talk.compact("BODY")
    talk.ask("next")
    import_path(database, tmp_path / "sessions", ImportOptions(clock=lambda: 1_790_000_000.0))
    with database.read() as db:
        last = db.scalars(select(Message).where(Message.text == "next")).one()
    seen = page(client, f"/m/{last.id}/seen")
    speakers = [one.text.split(",")[0] for one in seen.by_class("speaker")]
    assert speakers.count("The agent's own line") == 1
    assert answer(client, f"/api/messages/{last.id}/seen")["added"] == [last.id - 2]


@pytest.mark.parametrize("url", ["/compactions/9", f"/compactions/{2**70}", "/m/9/seen", f"/m/{2**70}/seen"])
def test_an_unknown_number_is_a_clean_404(client: FlaskClient, url: str) -> None:
    assert client.get(url).status_code == 404


# -- findings and badges ---------------------------------------------------------------------------


def test_findings_are_counted_by_rule_and_listed_one_by_one(
    client: FlaskClient, db: OrmSession, database: Database
) -> None:
    rows = audited(db)
    store_findings(database)
    found = page(client, "/findings")
    assert "1 conversation" in found.by_class("lead")[0].text
    assert "warning" in found.by_id("rule-invented").text
    one = page(client, "/findings?rule=invented")
    assert f"/compactions/{rows.first.id}" in links(one.by_class("findings")[0])


def test_the_findings_page_says_what_was_not_audited(client: FlaskClient, db: OrmSession) -> None:
    audited(db)
    assert "1 conversation of 1 was not audited yet" in page(client, "/findings").by_class("note")[0].text


def test_findings_are_paged_by_place(client: FlaskClient, db: OrmSession) -> None:
    conversation = a_conversation(db)
    db.add_all(
        Finding(
            rule="fork",
            severity="warning",
            rules_version="1",
            conversation_id=conversation.id,
            created_at=0.0,
        )
        for _ in range(130)
    )
    db.commit()
    first = page(client, "/findings?rule=fork")
    (older,) = links(first.by_class("pager")[0])
    assert len(first.by_class("finding")) == 100
    assert len(page(client, older).by_class("finding")) == 30


@pytest.mark.parametrize(
    "url",
    [
        "/findings?rule=nope",
        "/findings?before=x",
        "/findings?severity=error",
        "/api/findings?before=-1",
        "/api/findings?rule=nope",
        "/api/findings?severity=x",
    ],
)
def test_a_senseless_question_is_a_clean_400(client: FlaskClient, url: str) -> None:
    assert client.get(url).status_code == 400


def test_the_worst_finding_is_a_badge_in_words_in_list_and_ledger(
    client: FlaskClient, db: OrmSession, database: Database
) -> None:
    rows = audited(db)
    urls = ("/", "/compactions", "/c/audited")
    assert not any(page(client, url).by_class("severity") for url in urls)
    store_findings(database)
    db.expire_all()
    worst = db.scalar(select(Conversation.worst_finding).where(Conversation.public_id == "audited"))
    listed = page(client, "/").by_class("conversation")[0].by_class("severity")
    assert [one.text for one in listed] == ["summary makes things up"]
    assert worst in listed[0].classes
    ledger = page(client, "/compactions").by_id(f"ledger-{rows.first.id}")
    assert ledger.by_class("severity")[0].text == "summary makes things up"
    assert ledger.by_class("row-door")[0].attributes["href"] == f"/compactions/{rows.first.id}"
    separator = page(client, "/c/audited").by_id(f"compaction-{rows.first.id}")
    assert separator.by_class("severity")[0].attributes["href"] == f"/compactions/{rows.first.id}"


@pytest.mark.sqlite_only("a reader of PostgreSQL cannot write")
def test_looking_stores_nothing(client: FlaskClient, db: OrmSession, database: Database) -> None:
    rows = audited(db)
    with database.engine.connect() as connection:
        before = connection.exec_driver_sql("PRAGMA data_version").scalar()
        for url in (f"/compactions/{rows.first.id}", "/findings", f"/m/{rows.answer.id}/seen", "/c/audited"):
            assert client.get(url).status_code == 200
        assert connection.exec_driver_sql("PRAGMA data_version").scalar() == before


def test_a_ledger_asks_no_more_for_its_badges(
    client: FlaskClient, db: OrmSession, database: Database
) -> None:
    audited(db)
    store_findings(database)
    with recorded(database) as statements:
        page(client, "/compactions")
    assert len(statements) <= 3  # rows with a time, rows without, the origins to choose from


@pytest.mark.parametrize(("kind", "begins"), [("html", "<!doctype html>"), ("md", "# Compaction 1")])
def test_the_report_is_a_file_with_secrets_masked(
    client: FlaskClient, db: OrmSession, kind: str, begins: str
) -> None:
    rows = audited(db)
    rows.asked.text = "Please use ghp_0123456789abcdefghijklmnopqrstuvwxyz for src/billing/ledger.py"
    db.commit()
    link = f"/compactions/{rows.first.id}/report.{kind}"
    assert link in links(page(client, f"/compactions/{rows.first.id}"))
    response = client.get(link)
    assert response.status_code == 200
    assert (
        response.headers["Content-Disposition"] == f'attachment; filename="compaction-{rows.first.id}.{kind}"'
    )
    assert response.text.startswith(begins)
    assert "src/billing/ledger.py" in response.text
    assert "ghp_0123" not in response.text


def test_an_unknown_report_is_a_404(client: FlaskClient, db: OrmSession) -> None:
    key = audited(db).first.id
    for url in (f"/compactions/{key}/report.pdf", "/compactions/999999/report.html"):
        assert client.get(url).status_code == 404


# -- what the model saw ----------------------------------------------------------------------------


def test_seen_is_what_stood_before_a_reply(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    found = page(client, f"/m/{rows.answer.id}/seen")
    shown = [
        one.attributes["id"] for one in found.by_class("items")[0].walk() if "data-item" in one.attributes
    ]
    assert shown == [f"m-{one.id}" for one in (rows.handoff, rows.kept_copy, rows.answer)]
    assert "3 messages of session audited-2" in found.by_class("lead")[0].text


def test_a_large_context_is_shown_from_its_end(client: FlaskClient, db: OrmSession) -> None:
    stories.long(db, 250)
    db.commit()
    found = page(client, "/m/249/seen")
    assert "Messages 150 to 249 of 249." in found.text
    earlier = page(client, links(found.by_class("pager")[0])[0])
    assert "Messages 50 to 149 of 249." in earlier.text
    assert client.get("/m/249/seen?end=x").status_code == 400


def test_every_message_links_to_what_the_model_saw(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    assert f"/m/{rows.answer.id}/seen" in links(page(client, "/c/audited").by_id(f"m-{rows.answer.id}"))


# -- charts ----------------------------------------------------------------------------------------


def test_the_strip_chart_says_the_same_in_words_and_in_a_table(
    client: FlaskClient, db: OrmSession, database: Database
) -> None:
    audited(db)
    store_findings(database)
    found = page(client, "/c/audited/lineage")
    strip, survival = found.by_class("chart")
    (drawing,) = strip.by_tag("svg")
    assert drawing.attributes["role"] == "img"
    assert "Largest drop: Compaction 1: 90k to 9k tokens" in drawing.attributes["aria-label"]
    assert len(drawing.by_class("chart-drop")) == 2
    tables = [one.text for one in found.by_tag("tbody")]
    assert "90 000 9 000" in tables[0]
    assert len(survival.by_class("chart-curve")) == 2


def test_the_head_of_a_conversation_has_the_size_as_a_sparkline_that_leads_to_the_audit(
    client: FlaskClient, db: OrmSession, database: Database
) -> None:
    audited(db)
    store_findings(database)
    found = page(client, "/c/audited")
    (door,) = found.by_class("head-door")
    assert door.text == "2 compactions"
    assert door.attributes["href"] == "/c/audited/lineage#ledger"
    (drawing,) = door.by_tag("svg")
    assert (drawing.attributes["width"], drawing.attributes["height"]) == ("120", "24")
    assert "Largest drop: Compaction 1: 90k to 9k tokens" in drawing.attributes["aria-label"]
    assert "table" not in drawing.attributes["aria-label"]


def test_a_conversation_that_was_never_compacted_has_no_chart(client: FlaskClient, db: OrmSession) -> None:
    a_message(db, db.get_one(Session, a_conversation(db, id="plain").root_id))
    db.commit()
    assert not page(client, "/c/plain").by_class("spark")
    assert not page(client, "/c/plain/lineage").by_class("chart")


# -- hostile text and JSON -------------------------------------------------------------------------


def test_stored_text_stays_text(client: FlaskClient, db: OrmSession, database: Database) -> None:
    stories.hostile(db)
    db.commit()
    store_findings(database)
    for url in ("/compactions/1", "/findings", "/m/1/seen", "/m/6/seen", "/compactions"):
        found = page(client, url)
        assert not [one for one in found.by_tag("script") if "src" not in one.attributes], url
        assert not [one for one in found.walk() if any(name.startswith("on") for name in one.attributes)], url
        assert not [one for one in found.walk() if "style" in one.attributes], url


def test_pages_have_json_twins(client: FlaskClient, db: OrmSession, database: Database) -> None:
    rows = audited(db)
    store_findings(database)
    one = answer(client, f"/api/compactions/{rows.first.id}")
    assert one["compaction"]["id"] == rows.first.id
    assert {fate["message"]: fate["fate"] for fate in one["fates"]}[rows.kept.id] == "kept"
    assert one["audit"]["invented"] == [{"kind": "file_changed", "value": "src/billing/tax.py"}]
    assert {"claims", "findings"} <= set(one)
    listed = answer(client, "/api/findings?rule=invented")
    assert [line["compaction"] for line in listed["findings"]] == [rows.first.id]
    seen = answer(client, f"/api/messages/{rows.answer.id}/seen")
    assert seen["ids"] == [rows.handoff.id, rows.kept_copy.id, rows.answer.id]
    context = answer(client, "/api/conversations/audited/context")
    assert [point["tokens_before"] for point in context["compactions"]] == [90_000, 80_000]


def test_the_columns_of_facts_by_kind_add_up(client: FlaskClient, db: OrmSession) -> None:
    found = page(client, f"/compactions/{audited(db).first.id}")
    (table,) = found.by_class("shares")
    rows = [[int(cell.text) for cell in row.by_tag("td")[:5]] for row in table.by_tag("tr")[1:]]
    assert rows
    assert all(total == sum(parts) for total, *parts in rows)
    heads = [one.text for one in table.by_tag("th")]
    assert {"Only in handoff", "Perhaps"} <= {*heads}


def test_the_handoff_before_is_no_message_that_was_summarised_away(
    client: FlaskClient, db: OrmSession
) -> None:
    rows = audited(db)
    found = page(client, f"/compactions/{rows.second.id}")
    assert "the handoff before" in found.by_id(f"b-{rows.handoff.id}").text
    assert "summarised away" not in found.by_id(f"b-{rows.handoff.id}").text
    numbers = found.by_class("numbers")[0].text
    assert "2 summarised away, 1 handoff before" in numbers


def test_a_page_says_the_number_that_the_command_line_takes(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    assert (
        f"number {rows.second.id}"
        in page(client, f"/compactions/{rows.second.id}").by_class("store-number")[0].text
    )


def test_what_left_without_a_summary_is_not_called_summarised(client: FlaskClient, db: OrmSession) -> None:
    rows = audited(db)
    rows.first.method, rows.first.summary = "marker", "2 messages were removed."
    db.commit()
    found = page(client, f"/compactions/{rows.first.id}")
    assert "left out, no summary" in found.by_id(f"b-{rows.asked.id}").text
    assert "3 messages left out without a summary" in found.by_class("facts-line")[0].text
    assert "left out without a summary" in found.by_class("numbers")[0].text
