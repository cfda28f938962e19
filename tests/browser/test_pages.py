"""Pages in a real browser: keys, scrolling, themes, widths, accessibility."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.web import SyncStatus
from tests.browser.moves import becomes_current, follow, until
from tests.builders import NOON, a_conversation, a_message
from tests.waiting import PATIENCE_SECONDS
from tests.web import stories

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only("what the browser makes of a page")]
Open = Callable[..., Any]
PHONE = {"width": 390, "height": 844}
ADDRESSES = (
    "/", "/?kind=all&source=cli", "/c/invoices-after", "/c/tool-work", "/c/tool-work?view=session",
    "/c/family", "/c/family/lineage", "/compactions", "/origins", "/help", "/m/1/all", "/c/no-such-thing",
    "/overview", "/overview?range=all", "/c/tool-work?view=talk", "/c/family/contents",
)  # fmt: skip


@pytest.fixture
def filled(db: OrmSession) -> None:
    """A store with one of everything."""
    stories.swallowed_reply(db)
    stories.tool_work(db)
    stories.family(db)
    db.commit()


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_accessibility_problem(
    filled: None, open_page: Open, scheme: str, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for path in ADDRESSES:
        page = open_page(path, color_scheme=scheme, viewport={"width": width, "height": 900})
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        for one in Axe().run(page).response["violations"]:
            if one["impact"] in ("serious", "critical"):
                found.append((path, one["id"], one["nodes"][0]["html"]))
    assert found == []


@pytest.mark.parametrize("viewport", [PHONE, {"width": 320, "height": 600}, {"width": 2200, "height": 1200}])
def test_nothing_reaches_over_the_edge(filled: None, open_page: Open, viewport: dict[str, int]) -> None:
    for path in ADDRESSES:
        page = open_page(path, viewport=viewport)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_dark_is_dark_and_light_is_light(filled: None, open_page: Open) -> None:
    def brightness(scheme: str) -> float:
        page = open_page("/c/invoices-after", color_scheme=scheme)
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(int(part) for part in colour[4:-1].split(",")) / 3

    assert brightness("light") > 230
    assert brightness("dark") < 40


def test_j_and_k_walk_the_list_and_enter_opens(filled: None, open_page: Open) -> None:
    page = open_page("/")
    rows = page.locator(".conversation")
    page.keyboard.press("j")
    page.keyboard.press("j")
    becomes_current(rows.nth(1))
    page.keyboard.press("k")
    becomes_current(rows.nth(0))
    title = rows.nth(0).locator(".conversation-link").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/**")
    assert page.locator("h1").inner_text() == title


def test_keys_lead_to_help_filters_and_prompts(filled: None, open_page: Open) -> None:
    page = open_page("/")
    page.keyboard.press("f")
    assert page.evaluate("document.activeElement.name") == "source"
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_url("**/help")
    page = open_page("/c/family")
    page.keyboard.press("g")
    page.keyboard.press("]")
    assert "Question 1" in page.locator(".current").inner_text()
    page.keyboard.press("[")
    assert "Question 0" in page.locator(".current").inner_text()


def test_a_long_conversation_grows_while_it_is_scrolled(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 260)
    db.commit()
    page = open_page("/c/long?at=0.0")
    assert page.locator(".message").count() < 200
    deadline = time.monotonic() + PATIENCE_SECONDS
    seen: list[str] = []
    while "259" not in seen and time.monotonic() < deadline:
        page.mouse.wheel(0, 20_000)
        page.wait_for_timeout(100)
        numbers = page.eval_on_selector_all(
            ".message .prose", "all => all.map(one => one.innerText.match(/\\d+/)[0])"
        )
        seen += [number for number in numbers if number not in seen]
    assert seen == [str(number) for number in range(260)]
    assert page.locator('[data-more="next"]').count() == 0


def test_earlier_messages_arrive_without_moving_what_is_read(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 200)
    db.commit()
    page = open_page("/c/long?at=0.120")
    read = page.locator(f"#{first_id(page, 118)}")
    page.evaluate("scrollTo(0, 300)")
    top = read.bounding_box()["y"]
    page.mouse.wheel(0, -2)
    until(page, "document.querySelectorAll('.message').length > 60")
    assert abs(read.bounding_box()["y"] - top) < 40


def first_id(page: Any, number: int) -> str:
    found = page.locator(".message", has_text=f"Message number {number}.")
    return str(found.get_attribute("id"))


def test_everything_works_without_script(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 120)
    db.commit()
    page = open_page("/", java_script_enabled=False)
    follow(page, page.get_by_role("link", name="A very long conversation"))
    assert page.get_by_text("Message number 119.").is_visible()
    follow(page, page.get_by_role("link", name="70 earlier messages"))
    follow(page, page.get_by_role("link", name="20 earlier messages"))
    assert page.get_by_text("Message number 0.").is_visible()
    follow(page, page.get_by_role("link", name="Later messages"))
    follow(page, page.locator("a.permalink").first)
    assert "#m-" in page.url


def test_copies_unfold_in_place(db: OrmSession, open_page: Open) -> None:
    root = stories.root_of(db, a_conversation(db, id="copies"))
    first = a_message(db, root, "Said once.")
    a_message(db, root, "Said once.", copy_of=first.id)
    a_message(db, root, "Then.")
    db.commit()
    page = open_page("/c/copies")
    assert page.locator(".message:visible").count() == 2
    page.locator(".fold summary").click()
    page.wait_for_selector(".unfolded .message")
    assert page.locator(".message:visible").count() == 3


def test_show_all_opens_in_place(filled: None, open_page: Open) -> None:
    page = open_page("/c/tool-work")
    page.locator(".tool").nth(1).locator("summary").click()
    page.get_by_role("link", name="Show all").click()
    until(page, "document.querySelectorAll('.show-all').length === 0")
    assert page.locator(".tool").nth(1).inner_text().count("x = 1") == 2_000
    assert page.url.endswith("/c/tool-work")


def test_the_list_fills_while_the_first_import_runs(
    db: OrmSession, status: SyncStatus, open_page: Open
) -> None:
    status.start("laptop", total=100, first=True)
    page = open_page("/")
    assert page.get_by_text("laptop: 0 of 100 rows").is_visible()
    a_message(db, stories.root_of(db, a_conversation(db, title="Just arrived")))
    db.commit()
    status.advance("laptop", 60)
    page.wait_for_selector("text=Just arrived")
    status.finish("laptop", NOON)
    until(page, "!document.querySelector('.importing')")
