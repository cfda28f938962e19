"""`audit` and `seen` as commands."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.audit.rules import RULES
from hermes_sessions.cli import main
from hermes_sessions.cli.verdicts import finding_lines
from hermes_sessions.operations.auditing.named_for_readers import with_originals
from hermes_sessions.operations.auditing.unsaved_audit import audit_unsaved
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.documents.findings import FindingJson
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing
from hermes_sessions.store.schema.models import Conversation
from tests.builders import a_conversation, a_message, a_session
from tests.web import stories
from tests.web.auditing.audit_story import audited
from tests.web.auditing.ruled_story import Ruled, ruled_story


@pytest.fixture
def stored(db: OrmSession) -> dict[str, Any]:
    rows = stories.swallowed_reply(db)
    db.commit()
    return dict(rows)


def run(runner: CliRunner, *words: str, code: int = 0) -> str:
    result = runner.invoke(main, list(words))
    assert result.exit_code == code, result.output
    return result.output


def document(runner: CliRunner, *words: str) -> Any:
    return json.loads(run(runner, *words, "--json"))


def test_audit_prints_findings_retention_and_a_sum(runner, stored):
    lines = run(runner, "audit").splitlines()
    assert lines[0].split() == [
        *("severity", "rule", "conversation", "title", "compaction", "messages", "evidence")
    ]
    assert any(line.startswith("compaction ") and "in handoff" in line for line in lines)
    assert lines[-1].startswith("1 conversation, 1 compaction: ")


def test_audit_of_a_conversation_says_what_to_do(runner, stored):
    printed = run(runner, "audit", "1")
    struck = {one["rule"] for one in document(runner, "audit", "1")["findings"]}
    assert struck
    for code in struck:
        assert f"{code}: {RULES[code].about} {RULES[code].advice}" in " ".join(printed.split())
    assert not any(rule.advice in " ".join(run(runner, "audit").split()) for rule in RULES.values())


@pytest.fixture
def audited_story(db: OrmSession) -> int:
    found = audited(db)
    db.commit()
    return found.first.id


def test_audit_of_a_compaction_shows_the_handoffs_sentence_of_a_finding(runner, audited_story):
    lines = run(runner, "audit", str(audited_story)).splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("  - changed file that nothing before"))
    assert lines[at + 1].strip() == "handoff: “wrote src/billing/tax.py”"
    assert "Handoff and source side by side: hermes-sessions audit ID" in run(runner, "audit")


def test_places_beyond_the_first_are_counted_and_printed_on_demand():
    values = [{"kind": "number", "value": str(n), "line": f"It is {n}."} for n in range(10, 20)]
    finding = FindingJson(
        rule="not-verbatim", severity="info", conversation="a", session=None, compaction=1,
        messages=[], evidence={"count": 12, "values": values},
    )  # fmt: skip
    few, every = list(finding_lines(finding, 8)), list(finding_lines(finding, 99))
    assert few[-3:-1] == ["  and 2 more: --all prints them", "  and 2 more that are not kept"]
    assert [sum(line.startswith("  - ") for line in lines) for lines in (few, every)] == [8, 10]


def test_the_columns_of_facts_add_up(runner, audited_story):
    lines = run(runner, "audit").splitlines()
    head = next(n for n, line in enumerate(lines) if line.startswith("compaction "))
    for line in lines[head + 1 : head + 3]:
        facts, *parts = map(int, line[lines[head].index("facts") :].split()[:5])
        assert facts == sum(parts)


@pytest.mark.parametrize("kind", ["--html", "--markdown"])
def test_the_report_of_a_compaction_shows_what_was_found(runner, audited_story, kind):
    told = run(runner, "audit", str(audited_story), kind, "-").replace("\\", "")
    assert "what was found" in told
    assert "Handoff and source side by side" in told
    assert (
        "wrote src/billing/tax.py"
        in told.split("Handoff and source side by side", 1)[1].split("Facts of", 1)[0]
    )


def test_audit_json_has_the_promised_shape(runner, stored):
    found = document(runner, "audit")
    assert set(found) == {"findings", "compactions", "rules"}
    for one in found["findings"]:
        keys = {"rule", "severity", "conversation", "session", "compaction", "messages", "evidence"}
        assert keys <= set(one)
    for one in found["compactions"]:
        assert {"id", "retention", "invented"} <= set(one)
        for counts in one["retention"].values():
            assert {"total", "tail", "handoff", "lost"} <= set(counts)


@pytest.fixture
def ruled(db: OrmSession) -> Ruled:
    rows = ruled_story(db)
    db.commit()
    return rows


def test_audit_of_a_conversation_lists_its_rules(runner, ruled):
    lines = run(runner, "audit", "ruled").splitlines()
    [line] = [line for line in lines if line.startswith("Never push to main")]
    assert "out of sight since compaction 2" in line
    assert not any(line.startswith("rule ") for line in run(runner, "audit").splitlines())


@pytest.mark.parametrize("asked", [("ruled",), ()], ids=["one", "all"])
def test_audit_json_has_the_rules_with_their_fate(runner, ruled, asked):
    found = document(runner, "audit", *asked)
    push = next(one for one in found["rules"] if "push" in one["rule"])
    assert [at["sight"] for at in push["sights"]] == ["handoff", "lost"]
    assert (push["speaker"], push["message"], push["lost_by"]) == ("user", ruled.said, ruled.second)
    counts = {one["id"]: one["rules"] for one in found["compactions"]}
    assert (counts[ruled.first]["handoff"], counts[ruled.second]["lost"]) == (1, 1)
    assert not any("ledger" in one for one in found["compactions"])


def test_a_store_that_cannot_be_written_has_the_same_rules(runner, ruled, database):
    with database.read() as db:
        unsaved = plain(audit_unsaved(db, FindingListing()))["rules"]
    assert unsaved == document(runner, "audit")["rules"]


def test_audit_of_a_compaction_has_the_rules_of_its_conversation(runner, ruled):
    found = document(runner, "audit", str(ruled.first))
    assert [one["id"] for one in found["compactions"]] == [ruled.first]
    assert [one["message"] for one in found["rules"]] == [ruled.said]


@pytest.mark.parametrize("kind", ["--html", "--markdown"])
def test_the_report_of_a_compaction_lists_the_rules(runner, ruled, kind):
    told = run(runner, "audit", str(ruled.first), kind, "-")
    assert "Rules of the conversation" in told
    assert "Never push to main without approval" in told
    assert "out of sight since compaction 2" in told


@pytest.mark.parametrize(("level", "code"), [("info", 1), ("error", 0)])
def test_audit_fails_only_where_a_level_is_given_and_reached(runner, stored, level, code):
    assert {one["severity"] for one in document(runner, "audit")["findings"]} & {"info", "warning"}
    run(runner, "audit")
    run(runner, "audit", "--fail-on", level, code=code)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["audit", "nothing"], "no conversation, session or compaction has the id 'nothing'"),
        (["audit", "--rule", "nothing"], "there is no rule 'nothing'"),
        (["audit", "--origin", "nothing"], "no origin is called 'nothing'"),
        (["audit", "--since", "yesterday"], "a day such as 2026-03-12"),
        (["audit", "--fail-on", "never"], "'never' is not one of"),
        (["seen", "nothing", "--at", "1"], "no conversation or session has the id 'nothing'"),
    ],
)
def test_a_wrong_word_is_one_line_and_exit_code_2(runner, stored, words, line):
    output = run(runner, *words, code=2)
    assert line in output
    assert len(output.splitlines()) == 1


@pytest.mark.parametrize(("day", "is_all"), [("0001-01-01", True), ("9999-12-31", False)])
def test_the_first_and_the_last_day_there_is_are_days(runner, stored, day, is_all):
    assert bool(document(runner, "audit", "--since", day)["findings"]) is is_all


@pytest.mark.sqlite_only("a server's database is there before its store")
def test_audit_without_a_store_says_how_to_make_one(runner):
    assert "hermes-sessions import" in run(runner, "audit", code=2)


@pytest.mark.parametrize("number", ["-1", "0", str(2**63), "9" * 40])
def test_a_number_that_no_message_can_have_is_one_line_and_exit_code_2(runner, stored, number):
    conversation = document(runner, "audit")["findings"][0]["conversation"]
    [line] = run(runner, "seen", conversation, "--at", number, code=2).splitlines()
    assert line.startswith(f"hermes-sessions: {conversation} has no message {number}; ")


def test_seen_prints_the_context_and_its_tokens(runner, stored):
    conversation = document(runner, "list")["conversations"][0]["id"]
    message = document(runner, "show", conversation)["messages"][-1]
    found = document(runner, "seen", conversation, "--at", str(message["id"]))
    assert found["message"] == message["id"]
    assert all(isinstance(one["role"], str) for one in found["messages"])
    assert found["tokens"] > 0
    assert "tokens (" in run(runner, "seen", conversation, "--at", str(message["id"])).splitlines()[-1]


def test_seen_prints_a_call_as_show_does(runner, audited_story):
    shown = [line for line in run(runner, "show", "audited").splitlines() if line.startswith("-> ")]
    last = document(runner, "show", "audited")["messages"][3]["id"]
    seen = [
        line
        for line in run(runner, "seen", "audited", "--at", str(last)).splitlines()
        if line.startswith("-> ")
    ]
    assert seen == shown != []


def test_what_is_stored_cannot_steer_the_terminal(runner, db):
    stories.hostile(db)
    db.commit()
    for words in (["audit"], ["audit", "--json"]):
        assert "\x1b" not in run(runner, *words)


def test_a_report_of_one_compaction_is_written_to_files(runner, stored, tmp_path):
    [compaction] = document(runner, "audit")["compactions"]
    html, markdown = tmp_path / "report.html", tmp_path / "report.md"
    run(runner, "audit", str(compaction["id"]), "--html", str(html), "--markdown", str(markdown))
    assert html.read_text("utf-8").startswith("<!doctype html>")
    assert markdown.read_text("utf-8").startswith("# Compaction 1 of 1")


def test_a_conversation_with_one_compaction_needs_no_number(runner, stored, tmp_path):
    conversation = document(runner, "list")["conversations"][0]["id"]
    run(runner, "audit", conversation, "--markdown", str(tmp_path / "report.md"))
    assert (tmp_path / "report.md").exists()


def test_a_report_about_everything_is_refused(runner, stored, tmp_path):
    output = run(runner, "audit", "--html", str(tmp_path / "report.html"), code=2)
    assert "a report is about one compaction" in output
    assert not (tmp_path / "report.html").exists()


def test_a_dash_prints_the_report_alone(runner, stored):
    compaction = str(document(runner, "audit")["compactions"][0]["id"])
    output = run(runner, "audit", compaction, "--html", "-")
    assert output.startswith("<!doctype html>")
    assert output.endswith("</html>\n")
    for more in (["--json"], ["--markdown", "-"]):
        output = run(runner, "audit", compaction, "--html", "-", *more, code=2)
        assert "only one thing can be printed" in output


def test_secrets_can_be_left_in_a_report_alone(runner, stored):
    assert "--no-mask is for a report" in run(runner, "audit", "--no-mask", code=2)


def test_a_report_that_cannot_be_written_is_one_line(runner, stored, tmp_path):
    [compaction] = document(runner, "audit")["compactions"]
    missing = tmp_path / "no" / "report.html"
    output = run(runner, "audit", str(compaction["id"]), "--html", str(missing), code=2)
    assert len(output.splitlines()) == 1


def test_a_store_that_cannot_be_written_is_audited_and_left_alone(runner, stored, monkeypatch):
    kept = document(runner, "audit")
    monkeypatch.setattr("hermes_sessions.store.opening.database.Database.write", refuse)
    with_reads = Database.open

    def open_read_only(url, **how):
        database = with_reads(url, **how)
        database.read_only = True
        return database

    monkeypatch.setattr("hermes_sessions.store.opening.database.Database.open", open_read_only)
    result = runner.invoke(main, ["audit", "--json"])
    assert result.exit_code == 0, result.output
    assert "read-only: results are shown, none are kept" in result.stderr
    assert json.loads(result.stdout) == kept


def refuse(database):
    raise AssertionError("nothing may be written")


def test_copies_are_named_by_the_message_that_show_prints(runner, db):
    tip = a_session(db, a_conversation(db))
    first = a_message(db, tip, "Keep it.")
    copy = a_message(db, tip, "Keep it.", copy_of=first.id, shown=False)
    evidence = {"values": [{"value": "5", "kind": "number", "message": copy.id}]}
    finding = FindingJson(
        rule="head-fossilised", severity="info", conversation="a", session=None, compaction=1,
        messages=[copy.id, first.id], evidence=evidence,
    )  # fmt: skip
    [found] = with_originals(db, [finding])
    assert found.messages == [first.id]
    assert found.evidence["values"][0]["message"] == first.id


def test_an_audit_of_the_store_names_conversations_by_their_titles(runner, db, audited_story):
    title = db.scalars(select(Conversation.title)).first()
    db.rollback()
    table = [line for line in run(runner, "audit").splitlines() if "audited" in line]
    assert title
    assert table
    assert all(title in line for line in table)
    assert "title" not in run(runner, "audit", str(audited_story)).split()
