"""An exported document, opened from disk in a real browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.exporters.masking import ExportMasker
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.web.export_page import document_pieces
from tests.builders import NOON
from tests.web import stories

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only("what the browser makes of a page")]
Open = Callable[..., Any]
PHONE = {"width": 390, "height": 844}
DOCUMENTS = ("invoices-after", "tool-work", "family", "family-branch")


@pytest.fixture
def open_file(browser: Any, db: OrmSession, tmp_path: Path) -> Iterator[Open]:
    """Opens the HTML export of a conversation from disk; any request or script error fails the test."""
    trouble: list[str] = []
    windows: list[Any] = []

    def open_(public_id: str, **context: Any) -> Any:
        path = tmp_path / "talk.html"
        conversation = get_conversation(db, public_id)
        path.write_text("".join(document_pieces(db, conversation, "html", ExportMasker(), now=NOON)), "utf-8")
        window = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
        windows.append(window)
        page = window.new_page()
        page.on("pageerror", lambda error: trouble.append(f"script error: {error}"))
        page.on("console", lambda line: trouble.append(line.text))
        page.on("dialog", lambda dialog: trouble.append("a dialog opened"))
        wanted = (path.as_uri(), "data:")
        page.on("request", lambda one: None if one.url.startswith(wanted) else trouble.append(one.url))
        page.goto(path.as_uri())
        return page

    yield open_
    for window in windows:
        window.close()
    assert trouble == []


@pytest.fixture(autouse=True)
def filled(db: OrmSession) -> None:
    stories.swallowed_reply(db)
    stories.tool_work(db)
    stories.family(db)
    db.flush()


def test_a_reply_and_the_handoff_that_swallowed_it_read_apart(open_file: Open) -> None:
    from playwright.sync_api import expect

    page = open_file("invoices-after", java_script_enabled=False)
    roles = page.locator(".items > article .speaker, .items > aside .handoff-label")
    expect(roles).to_have_text(["You", "Assistant", "Context handoff", "You", "Assistant"])
    handoff = page.locator("aside.handoff")
    expect(handoff.locator(".prose")).to_be_hidden()
    handoff.locator("summary").click()
    expect(handoff.locator(".prose")).to_be_visible()


def test_tool_calls_open_without_script(open_file: Open) -> None:
    from playwright.sync_api import expect

    page = open_file("tool-work", java_script_enabled=False)
    tool = page.locator("details.tool").first
    expect(tool.locator(".output")).to_be_hidden()
    tool.locator("summary").click()
    expect(tool.locator(".output")).to_contain_text("no rule to make target")


def test_a_stored_image_is_drawn_and_a_remote_one_is_not_asked_for(open_file: Open) -> None:
    page = open_file("tool-work")
    assert page.evaluate("[...document.images].map(one => [one.complete, one.naturalWidth])") == [[True, 48]]


def test_nothing_hostile_runs(open_file: Open, db: OrmSession) -> None:
    conversation = stories.hostile(db)
    page = open_file(conversation.public_id)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("window.fired") is None
    assert page.evaluate("document.scripts.length") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_document_has_a_serious_accessibility_problem(open_file: Open, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for public_id in DOCUMENTS:
        # The checker is a script; the document's own policy would keep it out.
        page = open_file(public_id, color_scheme=scheme, bypass_csp=True)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        for one in Axe().run(page).response["violations"]:
            if one["impact"] in ("serious", "critical"):
                found.append((public_id, one["id"], one["nodes"][0]["html"]))
    assert found == []


@pytest.mark.parametrize("viewport", [PHONE, {"width": 320, "height": 600}])
def test_nothing_reaches_over_the_edge(open_file: Open, viewport: dict[str, int]) -> None:
    for public_id in DOCUMENTS:
        page = open_file(public_id, viewport=viewport)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), public_id


def test_dark_is_dark_and_paper_is_white(open_file: Open) -> None:
    def brightness(page: Any) -> float:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(int(part) for part in colour[4:-1].split(",")) / 3

    page = open_file("invoices-after", color_scheme="dark")
    assert brightness(page) < 60
    page.emulate_media(media="print", color_scheme="dark")
    assert brightness(page) > 250


def test_on_paper_everything_is_open(open_file: Open) -> None:
    page = open_file("tool-work")
    height = page.evaluate("document.querySelector('details.tool').offsetHeight")
    page.emulate_media(media="print")
    assert page.evaluate("document.querySelector('details.tool').offsetHeight") > 2 * height
    assert page.pdf()[:5] == b"%PDF-"


def test_the_viewer_leads_to_it(open_page: Open, db: OrmSession) -> None:
    db.commit()
    page = open_page("/c/invoices-after")
    page.locator("summary", has_text="Organise and about").first.click()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="HTML").click()
    assert waiting.value.suggested_filename == "invoices-after.html"
    assert "Context handoff" in Path(waiting.value.path()).read_text("utf-8")
