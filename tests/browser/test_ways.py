"""Ways through the viewer: list, ledger, filters, badges, menu, palette, words that explain themselves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.demo import demo_databases, write_demo_home
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import SyncStatus
from tests.browser.moves import follow, until
from tests.builders import NOON, a_conversation, a_message
from tests.web import stories
from tests.web.auditing.audit_story import Audited, audited, store_findings

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only("what the browser makes of a page")]
Open = Callable[..., Any]
WIDTHS = (390, 1280, 1440, 1920)


@pytest.fixture
def rows(db: OrmSession, database: Database) -> Audited:
    """A store with one audited conversation and some others."""
    rows = audited(db)
    stories.tool_work(db)
    db.commit()
    store_findings(database)
    return rows


def sized(width: int) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": 900}}


@pytest.mark.parametrize("width", WIDTHS)
def test_enter_on_a_row_of_the_ledger_opens_its_compaction(
    rows: Audited, open_page: Open, width: int
) -> None:
    page = open_page("/compactions", **sized(width))
    page.keyboard.press("j")
    page.keyboard.press("j")
    number = page.locator("tr.current").get_attribute("id").removeprefix("ledger-")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/compactions/{number}")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_whole_row_of_the_ledger_is_a_link(rows: Audited, open_page: Open, width: int) -> None:
    page = open_page("/compactions", **sized(width))
    row = page.locator(f"#ledger-{rows.first.id}")
    box = row.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + box["height"] - 8)
    page.wait_for_url(f"**/compactions/{rows.first.id}")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_worst_finding_is_said_in_words_and_leads_to_it(
    rows: Audited, open_page: Open, width: int
) -> None:
    page = open_page("/", **sized(width))
    badge = page.locator("#conversation-1 .severity")
    assert badge.inner_text() == "summary makes things up"
    follow(page, badge)
    assert "/compactions/" in page.url
    compaction = page.url
    page.goto(page.url.split("/compactions/")[0] + "/c/audited?at=0.0")
    badge = page.locator(".head-lines .severity")
    assert badge.inner_text() == "summary makes things up"
    assert badge.evaluate("one => one.scrollWidth <= one.clientWidth")
    follow(page, badge)
    assert page.url == compaction
    assert page.locator(".finding", has_text="invented").count() == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_list_rules_and_the_bar_of_what_is_ticked_keep_to_the_column(
    rows: Audited, open_page: Open, width: int
) -> None:
    page = open_page("/", **sized(width))
    page.locator(".pick").first.check()
    edges = """one => { const box = one.getBoundingClientRect(); return [box.left, box.right]; }"""
    left, right = page.locator(".tabs").evaluate(edges)
    for one in (".conversation >> nth=0", ".organise"):
        found = page.locator(one).evaluate(edges)
        assert [left - 0.5 <= found[0], found[1] <= right + 0.5] == [True, True], one


def test_titles_of_a_family_are_whole_on_a_phone(db: OrmSession, open_page: Open) -> None:
    stories.family(db)
    db.commit()
    page = open_page("/c/family/lineage", viewport={"width": 390, "height": 844})
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert page.locator(".session-name a").count() > 3
    assert page.eval_on_selector_all(".session-name, .session-facts", cut) == 0


def test_badges_on_a_phone_are_large_enough_to_touch(rows: Audited, open_page: Open) -> None:
    page = open_page("/", viewport={"width": 390, "height": 844}, has_touch=True)
    heights = [one.bounding_box()["height"] for one in page.locator("a.badge").all()]
    assert heights
    assert min(heights) >= 24


@pytest.mark.parametrize("width", WIDTHS)
def test_the_bar_stays_away_while_an_import_fills_the_list(
    db: OrmSession, status: SyncStatus, open_page: Open, width: int
) -> None:
    status.start("laptop", total=100, first=True)
    page = open_page("/", **sized(width))
    a_message(db, stories.root_of(db, a_conversation(db, title="Just arrived")))
    db.commit()
    status.advance("laptop", 60)
    page.wait_for_selector("text=Just arrived")
    box = page.locator(".organise").bounding_box()
    assert box["width"] * box["height"] <= 4
    page.locator(".pick").check()
    assert page.get_by_role("button", name="Archive", exact=True).is_visible()
    status.finish("laptop", NOON)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("script", [True, False])
def test_filters_are_behind_one_button_and_active_ones_come_off(
    rows: Audited, open_page: Open, width: int, script: bool
) -> None:
    page = open_page("/", java_script_enabled=script, **sized(width))
    source = page.locator("select[name=source]")
    assert not source.is_visible()
    page.locator(".filter-box summary").click()
    box = page.locator(".filters").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.locator(".filters").evaluate("one => one.scrollWidth <= one.clientWidth")
    source.select_option("telegram")
    follow(page, page.locator(".filters button"))
    assert page.locator(".conversation-link").all_inner_texts() == ["Fix the failing build"]
    follow(page, page.get_by_role("link", name="Take off Source: telegram"))
    assert page.locator(".conversation").count() == 2


def test_titles_are_filtered_as_one_types_and_enter_asks_the_store(rows: Audited, open_page: Open) -> None:
    page = open_page("/")
    field = page.get_by_label("Filter by title")
    field.type("BUILD")
    assert page.locator(".conversation-link:visible").all_inner_texts() == ["Fix the failing build"]
    with page.expect_navigation():
        field.press("Enter")
    assert page.url.endswith("/?title=BUILD")
    assert page.locator(".token").inner_text().split() == ["Title", "BUILD", "×"]


def test_an_order_is_chosen_and_kept_in_the_address(rows: Audited, open_page: Open) -> None:
    page = open_page("/")
    with page.expect_navigation():
        page.get_by_label("Order").select_option("messages")
    assert page.url.endswith("/?sort=messages")
    assert page.locator(".day-head").count() == 0


@pytest.mark.parametrize("script", [True, False])
def test_a_theme_is_kept_for_every_page(rows: Audited, open_page: Open, script: bool) -> None:
    page = open_page("/", java_script_enabled=script, color_scheme="light")
    page.locator(".site-menu summary").click()
    follow(page, page.get_by_role("button", name="Dark"))
    follow(page, page.get_by_role("link", name="Overview"))
    assert page.locator("body").evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(23, 24, 26)"
    page.locator(".site-menu summary").click()
    assert page.get_by_role("button", name="Dark").get_attribute("aria-pressed") == "true"
    follow(page, page.get_by_role("button", name="System"))
    assert (
        page.locator("body").evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(250, 249, 246)"
    )


def test_the_palette_goes_to_pages_and_conversations(rows: Audited, open_page: Open) -> None:
    page = open_page("/compactions")
    page.keyboard.press("Control+k")
    page.keyboard.type("failing")
    page.get_by_role("option", name="Fix the failing build").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/tool-work*")
    page.keyboard.press("Control+k")
    page.keyboard.type("finding")
    until(page, "document.querySelector('.palette [aria-selected=true]')?.innerText.startsWith('Findings')")
    page.keyboard.press("Enter")
    page.wait_for_url("**/findings")


def test_the_palette_does_what_keys_do_on_the_page(rows: Audited, open_page: Open) -> None:
    page = open_page("/")
    page.keyboard.press("Control+k")
    page.keyboard.type("filters")
    page.keyboard.press("Enter")
    assert page.locator("select[name=source]").is_visible()
    assert page.evaluate("document.activeElement.closest('.filters') !== null")
    page.goto(page.url + "c/tool-work")
    page.keyboard.press("Control+k")
    page.keyboard.type("pin")
    with page.expect_navigation():
        page.get_by_role("option", name="Pin action").click()
    assert page.locator(".news").inner_text().startswith("Pinned 1 conversation")
    page.keyboard.press("Control+k")
    page.keyboard.type("undo")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.locator(".badge", has_text="pinned").count() == 0


def test_a_word_explains_itself_by_keyboard_and_by_touch(rows: Audited, open_page: Open) -> None:
    page = open_page("/compactions")
    told = page.locator(".term-text").first
    assert not told.is_visible()
    page.locator(".term-word").first.focus()
    assert told.is_visible()
    page.keyboard.press("Escape")
    assert not told.is_visible()
    phone = open_page("/compactions", viewport={"width": 390, "height": 844}, has_touch=True)
    phone.locator(".term-word").first.tap()
    box = phone.locator(".term-text").first.bounding_box()
    assert phone.locator(".term-text").first.is_visible()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_from_the_list_to_the_words_for_the_agent_in_three_clicks(
    tmp_path: Path, database: Database, open_page: Open
) -> None:
    """What a newcomer asks: which answer was swallowed, and what do I tell my agent?"""
    for path in demo_databases(write_demo_home(tmp_path / "home", now=NOON)):
        import_path(database, path, ImportOptions(clock=lambda: NOON))
    store_findings(database)
    page = open_page("/")
    follow(page, page.get_by_role("link", name="see it"))
    follow(page, page.locator(".row-door"))
    assert "last answer" in page.locator(".verdict-sentence").inner_text()
    for place in (".loss blockquote", "#tell pre"):
        assert "Streams. A worker that dies" in page.locator(place).inner_text()
    assert page.get_by_role("button", name="Copy for the agent").is_visible()
