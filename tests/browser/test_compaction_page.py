"""The compaction page as a person reads it: verdict, words for the agent, before and after."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Compaction
from tests.browser.moves import follow, until
from tests.web import stories
from tests.web.auditing.audit_story import Audited, audited

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only("what the browser makes of a page")]
Open = Callable[..., Any]
WIDTHS = (390, 1280, 1440, 1920)


@pytest.fixture
def rows(db: OrmSession) -> Audited:
    """A compaction that lost the user's request."""
    return audited(db)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_all_times_of_the_page_are_those_of_the_reader(rows: Audited, open_page: Open, zone: str) -> None:
    page = open_page(f"/compactions/{rows.first.id}", timezone_id=zone)
    times = page.eval_on_selector_all(
        "main time",
        """all => all.map(one => [one.textContent.match(/[0-9]{2}:[0-9]{2}/)[0],
            new Date(one.dateTime).toLocaleTimeString("en-GB", {hour: "2-digit", minute: "2-digit"})])""",
    )
    assert len(times) > 4
    assert [shown for shown, _ in times] == [own for _, own in times]


@pytest.fixture(params=["after", "prior"])
def carrier(request: pytest.FixtureRequest, db: OrmSession) -> tuple[int, int]:
    """A compaction whose handoff shares the row of a real reply: its key, and the row's."""
    told = stories.swallowed_reply(db, shape=request.param)
    db.commit()
    key = db.scalar(select(Compaction.id).where(Compaction.handoff_id == told["carrier"].id))
    assert key is not None
    return key, told["carrier"].id


@pytest.mark.parametrize("width", WIDTHS)
def test_a_merged_reply_is_a_line_of_its_own_and_reads_as_a_reply(
    carrier: tuple[int, int], open_page: Open, width: int
) -> None:
    key, row = carrier
    page = open_page(f"/compactions/{key}", viewport={"width": width, "height": 900})
    reply = page.locator(f"#a-{row}")
    assert "Shall I run it on the copy first?" in reply.inner_text()
    assert "handoff" not in reply.inner_text().lower()
    text = reply.locator(".fate-text")
    assert text.evaluate("one => getComputedStyle(one).fontStyle") == "normal"
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert text.evaluate("one => getComputedStyle(one).color") == ink
    handoff = page.locator(f"#a-{row}-handoff")
    assert "wrote the migration" in handoff.inner_text()
    assert "Shall I run it" not in handoff.inner_text()
    assert handoff.evaluate("one => getComputedStyle(one).fontStyle") == "italic"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_verdict_is_first_and_the_words_for_the_agent_are_next(
    rows: Audited, open_page: Open, width: int
) -> None:
    page = open_page(f"/compactions/{rows.first.id}", viewport={"width": width, "height": 900})
    tops = [page.locator(name).bounding_box()["y"] for name in ("#verdict", "#tell", "#before", "#facts")]
    assert tops == sorted(tops)
    assert tops[0] < 400
    said = page.locator("#tell pre").inner_text()
    assert said.startswith("Your summary of our earlier work left out or changed the following.")
    assert "INV-2291" in said


def test_what_is_gone_is_quoted_and_leads_to_where_it_was_said(rows: Audited, open_page: Open) -> None:
    page = open_page(f"/compactions/{rows.first.id}", java_script_enabled=False)
    first = page.locator(".verdict .loss").first
    assert "INV-2291" in first.locator("blockquote").inner_text()
    follow(page, first.get_by_role("link"))
    assert page.url.endswith(f"#m-{rows.asked.id}")


def test_the_words_for_the_agent_are_copied_with_one_press(rows: Audited, open_page: Open) -> None:
    page = open_page(f"/compactions/{rows.first.id}", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy for the agent").click()
    until(page, "document.querySelector('.tell .copy').textContent === 'copied'")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#tell pre").inner_text()


def test_page_api_and_verdict_use_the_same_words(rows: Audited, open_page: Open) -> None:
    page = open_page(f"/compactions/{rows.first.id}")
    sentence, tell = (page.locator(name).inner_text() for name in (".verdict-sentence", "#tell pre"))
    answer = page.request.get(page.url.replace("/compactions", "/api/compactions")).json()
    verdict = answer["audit"]["verdict"]
    assert (sentence, tell) == (verdict["sentence"], verdict["tell"])
