from html.parser import HTMLParser

import pytest

from hermes_sessions.audit.claims import trace_claims
from hermes_sessions.audit.report import ReportSubject, build_report, verdict_tables
from hermes_sessions.audit.report_html import render_html
from hermes_sessions.audit.report_markdown import render_markdown
from hermes_sessions.audit.verdict.build import judge_compaction
from tests.audit.builders import assistant, call, compacted, findings, user

SECRET = "ghp_Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j"
ATTACK = "<script>alert(1)</script> | `` ``` [x](javascript:alert(1)) \x1b[31m \0 \u202e"


def report(*, title="Files", mask=True, body=f"Use {SECRET}. Wrote src/nowhere/x.py. {ATTACK}"):
    before = [
        user(f"Deploy with {SECRET}, {ATTACK}"),
        assistant("", call("deploy", token=SECRET)),
        user("Go on"),
    ]
    told = compacted(before, keep=[2], body=body)
    measured = told.measured()
    subject = ReportSubject(conversation="20260701_a", title=title, compactions=3)
    return build_report(subject, measured, trace_claims(measured.case), findings(told), mask=mask)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.loads = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href", "srcset", "style", "onload")]


@pytest.mark.parametrize("render", [render_html, render_markdown])
def test_secrets_are_masked_everywhere_and_counted(render):
    told = report()
    assert SECRET not in render(told)
    assert told.masked >= 4
    assert f"Secrets masked: {told.masked}." in render(told)


@pytest.mark.parametrize("render", [render_html, render_markdown])
def test_secrets_stay_where_that_was_asked_for(render):
    assert "Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j" in render(report(mask=False))


def test_a_secret_at_the_edge_of_a_cut_is_masked_before_it_is_cut():
    before = [user("see " + "/" * 205 + SECRET), assistant("Done.")]
    told = compacted(before, keep=[1])
    measured = told.measured()
    made = build_report(ReportSubject(conversation="a", title=None, compactions=1), measured, (), ())
    assert SECRET[:8] not in made.messages[0].text


def test_the_page_has_no_script_and_loads_nothing():
    page = Page(render_html(report(title=ATTACK)))
    assert not {"script", "img", "link", "iframe", "a", "form"} & set(page.tags)
    assert page.loads == []
    assert page.tags.count("table") >= 5


def test_stored_text_cannot_become_markup_in_markdown():
    text = render_markdown(report(title=ATTACK))
    outside = [line for line in text.splitlines() if line.startswith(("|", "#"))]
    assert not any("<script" in line.replace("\\<", "") for line in outside)
    assert not any("](java" in line for line in outside)
    assert "\x1b" not in text
    assert "\0" not in text


def test_a_fence_is_longer_than_any_in_the_handoff():
    lines = render_markdown(report(body="````\nquoted\n````")).splitlines()
    assert lines.count("`````") == 1


def test_columns_of_a_markdown_table_agree():
    for block in render_markdown(report()).split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({line.replace("\\|", "").count("|") for line in rows}) <= 1


def test_the_report_says_what_happened():
    told = report()
    assert told.heading == "Compaction 1 of 3: Files"
    assert ("How", "rotation, committed, summary by model") in told.numbers
    assert {one.rule for one in told.findings} >= {"secret-in-handoff", "invented"}
    assert [one.fate for one in told.messages] == ["summarised", "summarised", "kept"]
    assert ("file_changed", "src/nowhere/x.py") in told.invented
    assert told.omitted == ""


def test_a_long_report_says_what_it_leaves_out():
    before = [user(f"See src/part{number}/x.py") for number in range(600)]
    measured = compacted(before, keep=[599]).measured()
    made = build_report(ReportSubject(conversation="a", title=None, compactions=1), measured, (), ())
    assert len(made.messages) == 500
    assert made.omitted == "Left out here: 898 more lost facts and 100 more messages."


def test_without_masking_the_verdict_is_not_masked_either():
    said = f"nobody said {SECRET}"
    plain, masked = (report(mask=mask, body=f'The user said: "{said}".').verdict for mask in (False, True))
    assert SECRET in plain.tell
    assert SECRET not in str(masked)


def test_a_heading_is_no_claim_and_one_fact_is_one_fact():
    before = [user("Wrote src/app/ledger.py for the invoices."), assistant("Done."), user("Go on")]
    measured = compacted(before, keep=[2], body="**Stand**\n\nWrote src/app/ledger.py.").measured()
    subject = ReportSubject(conversation="a", title=None, compactions=1)
    made = build_report(subject, measured, trace_claims(measured.case), ())
    [claim] = made.claims
    assert claim.text == "Wrote src/app/ledger.py."
    assert "(1 fact, " in claim.sources


def test_a_last_request_that_is_gone_is_listed_once():
    before = [
        user("Build the importer in src/app/importer.py."),
        assistant("Done."),
        user("Check the lock again."),
    ]
    measured = compacted(before, keep=[], body="Nothing.").measured()
    verdict = judge_compaction(measured)
    tables = {title: rows for title, _, rows in verdict_tables(verdict)}
    [standing] = [one for one in verdict.standing if one.kind == "request"]
    assert standing.state == "gone"
    assert not any(str(standing.message) == row[-1] for row in tables.get("Gone", ()))


MARKER = "Summary generation was unavailable. 2 message(s) were removed to free space."
TALK = [user("Sort 2022."), assistant("Sorted."), user("Sort 2023."), assistant("Sorted, too.")]


def test_what_left_without_a_summary_is_nowhere_called_summarised():
    told = compacted(TALK, keep=[2, 3], raw=MARKER, body=MARKER, facts={"method": "marker"})
    made = build_report(
        ReportSubject(conversation="a", title=None, compactions=1), told.measured(), (), findings(told)
    )
    assert ("Left out without a summary", "2 messages, still stored") in made.numbers
    assert ("How", "rotation, committed, no summary, only a note that messages were removed") in made.numbers
    assert [one.fate for one in made.messages] == ["left out", "left out", "kept", "kept"]
    assert made.verdict.tell.startswith("No summary took the place of this part of our earlier work.")
    assert "ummarised" not in " ".join(name for name, _ in made.numbers)
    assert dict(made.numbers)["Deleted by the agent"] == "0 messages"


def test_the_handoff_before_is_no_message_of_the_span_and_the_source_of_what_it_said():
    line = "Each folder of the tax years is sorted by month."
    before = [user("", kind="handoff", handoff=f"## State\n- {line}"), *TALK]
    told = compacted(before, keep=[3, 4], body=f"## State\n- {line}\n- 2022 is sorted.")
    claims = trace_claims(told.measured().case)
    made = build_report(
        ReportSubject(conversation="a", title=None, compactions=2), told.measured(), claims, ()
    )
    assert ("Handoffs before, out of sight", "1") in made.numbers
    assert [one.fate for one in made.messages][:2] == ["handoff before", "summarised"]
    assert made.claims[0].sources.startswith("the handoff before, message 1 ")
    assert not any("the handoff before" in one.sources for one in made.claims[1:])
