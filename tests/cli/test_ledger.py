"""`compactions` as a command: order, filters, pages."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.cli import main
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from tests.builders import a_compaction, a_conversation, a_message, a_session
from tests.web.auditing.audit_story import Audited, audited, store_findings
from tests.web.stories import standalone


@pytest.fixture
def stored(db: OrmSession, database: Database) -> Audited:
    rows = audited(db)
    store_findings(database)
    return rows


def run(runner: CliRunner, *words: str, code: int = 0) -> str:
    result = runner.invoke(main, ["compactions", *words])
    assert result.exit_code == code, result.output
    return result.output


def document(runner: CliRunner, *words: str) -> Any:
    return json.loads(run(runner, *words, "--json"))


def test_an_order_and_its_pages(runner: CliRunner, stored: Audited) -> None:
    first = document(runner, "--sort", "most-saved", "--limit", "1")
    assert [one["id"] for one in first["compactions"]] == [stored.first.id]
    second = document(runner, "--sort", "most-saved", "--limit", "1", "--before", first["next"])
    assert [one["id"] for one in second["compactions"]] == [stored.second.id]


def test_without_a_limit_the_whole_store_comes(runner: CliRunner, db: OrmSession) -> None:
    conversation = a_conversation(db, id="often")
    parent = db.get_one(Session, conversation.root_id)
    for _ in range(60):
        a_compaction(db, parent)
    db.commit()
    found = document(runner)
    assert (len(found["compactions"]), found["next"]) == (60, None)
    assert len(document(runner, "--sort", "oldest")["compactions"]) == 60
    assert len(document(runner, "--limit", "10000000000000000000000")["compactions"]) == 60
    page = document(runner, "--limit", "55")
    rest = document(runner, "--before", page["next"])
    assert (len(page["compactions"]), len(rest["compactions"])) == (55, 5)
    assert "More:" not in run(runner)


def test_filters_choose_within_a_conversation(runner: CliRunner, stored: Audited) -> None:
    every = {one["id"] for one in document(runner, "audited")["compactions"]}
    some = {one["id"] for one in document(runner, "audited", "--severity", "info")["compactions"]}
    assert {stored.first.id} <= some <= every
    assert "No compactions." in run(runner, "audited", "--method", "marker")


def test_the_table_shows_what_was_saved_and_kept(runner: CliRunner, stored: Audited) -> None:
    head, *rows = run(runner, "audited").splitlines()
    assert head.split()[-3:] == ["saved", "kept", "worst"]
    assert "81000" in rows[0]


def test_what_was_kept_is_one_figure_everywhere(
    runner: CliRunner, stored: Audited, database: Database
) -> None:
    result = runner.invoke(main, ["audit", "audited", "--json"])
    audits = {one["id"]: one["matter"] for one in json.loads(result.output)["compactions"]}
    shares = {key: 1 - one["lost"] / one["total"] if one["total"] else None for key, one in audits.items()}
    assert {one["id"]: one["retained"] for one in document(runner, "audited")["compactions"]} == shares
    with database.read() as db:
        assert [one for one in check_store(db) if "retained" in str(one)] == []


def test_where_nothing_mattered_nothing_is_kept(
    runner: CliRunner, db: OrmSession, database: Database
) -> None:
    conversation = a_conversation(db, id="small")
    root = db.get_one(Session, conversation.root_id)
    read = a_message(db, root, "/srv/one/a.py\n/srv/two/b.py", role="tool")
    child = a_session(db, conversation, id="small-2")
    handoff = a_message(db, child, standalone("Nothing."), kind="handoff")
    read.archived_by = a_compaction(db, child, handoff=handoff, summary="Nothing.", span_messages=1).id
    db.commit()
    store_findings(database)
    [row] = document(runner, "small")["compactions"]
    [audit] = json.loads(runner.invoke(main, ["audit", "small", "--json"]).output)["compactions"]
    assert (row["retained"], audit["matter"]["total"], audit["total"]["lost"]) == (None, 0, 2)


@pytest.mark.parametrize(
    "words", [("--sort", "x"), ("--rule", "x"), ("--below", "x"), ("--severity", "x"), ("--limit", "0")]
)
def test_what_makes_no_sense_is_one_line_and_exit_2(
    runner: CliRunner, stored: Audited, words: tuple[str, str]
) -> None:
    result = runner.invoke(main, ["compactions", *words])
    assert (result.exit_code, len(result.stderr.strip().splitlines())) == (2, 1)


def test_a_note_of_an_engine_says_whose_it_was(runner: CliRunner, db: OrmSession) -> None:
    made = a_conversation(db, id="one")
    root = db.get_one(Session, made.root_id)
    a_compaction(db, root, claim={"engine": "some-engine 3"})
    a_compaction(db, root, claim={"total_ms": 3}, realisation="in_place")
    db.commit()
    assert [one["engine"] for one in document(runner)["compactions"]].count("some-engine 3") == 1
    assert "some-engine 3" in run(runner)


def test_an_unknown_origin_is_an_error_that_names_the_known_ones(runner: CliRunner, stored: Audited) -> None:
    assert "no origin is called 'none'" in run(runner, "--origin", "none", code=2)
    result = runner.invoke(main, ["list", "--origin", "none"])
    assert (result.exit_code, "no origin is called 'none'" in result.output) == (2, True)
