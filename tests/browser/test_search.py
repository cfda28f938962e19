"""From the search box to the marked message, in a real browser, with and without script."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Message
from tests.browser.moves import becomes_current, follow, until
from tests.builders import a_compaction, a_conversation, a_message, a_session
from tests.web import stories

pytestmark = pytest.mark.browser
Open = Callable[..., Any]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def rows(db: OrmSession) -> dict[str, Message]:
    """A long chain: the word stands in an archived message, a handoff, a call, and deep in an output."""
    conversation = a_conversation(db, id="ferry", title="Times of the ferry")
    root = stories.root_of(db, conversation)
    for number in range(60):
        a_message(db, root, f"Filler {number}. " + "Words. " * 30)
    archived = a_message(db, root, "The kestrel leaves at **nine**.", role="assistant")
    child = a_session(db, conversation, id="ferry-2")
    handoff = a_message(db, child, stories.standalone("## Facts\nA kestrel was seen."), kind="handoff")
    compaction = a_compaction(db, child, handoff=handoff, span_messages=61)
    archived.archived_by = compaction.id
    call = a_message(
        db, child, None, role="assistant", tool_calls=stories.calls(stories.call("find", {"bird": "kestrel"}))
    )
    for number in range(60):
        a_message(db, child, f"Later {number}. " + "Words. " * 30)
    deep = a_message(db, child, "Words. " * 2_000 + "at last a kestrel", role="assistant")
    stories.hostile(db)
    db.commit()
    return {"archived": archived, "handoff": handoff, "call": call, "deep": deep}


def shown_hit(page: Any, row: Message) -> Any:
    from playwright.sync_api import expect

    hit = page.locator(f"#m-{row.id} mark.hit:visible").first
    expect(hit).to_have_text("kestrel")
    expect(hit).to_be_in_viewport()
    return hit


def test_the_key_leads_to_the_box_and_a_hit_to_its_archived_message(
    rows: dict[str, Message], open_page: Open
) -> None:
    page = open_page("/")
    page.keyboard.press("/")
    page.keyboard.type("kestrel nine")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=kestrel+nine")
    hit = page.locator(f"#hit-{rows['archived'].id}")
    assert "archived" in hit.inner_text()
    follow(page, hit.locator(".hit-link"))
    assert page.locator(f"#m-{rows['archived'].id} mark.hit").all_inner_texts() == ["kestrel", "nine"]
    becomes_current(page.locator(f"#m-{rows['archived'].id}"))


def test_next_and_previous_walk_all_hits_of_the_conversation(
    rows: dict[str, Message], open_page: Open
) -> None:
    from playwright.sync_api import expect

    page = open_page(f"/m/{rows['archived'].id}?q=kestrel")
    number = page.locator("[data-hit-number]")
    shown_hit(page, rows["archived"])
    for place, name in enumerate(("handoff", "call", "deep"), start=2):
        page.keyboard.press("n")
        expect(number).to_have_text(str(place))
        shown_hit(page, rows[name])
    page.keyboard.press("N")
    expect(number).to_have_text("3")
    shown_hit(page, rows["call"])


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.sqlite_only("what the browser makes of a page")
def test_finding_in_a_conversation_leads_to_the_first_hit(
    rows: dict[str, Message], open_page: Open, script: bool
) -> None:
    page = open_page("/c/ferry", java_script_enabled=script)
    page.locator(".find summary").click()
    page.get_by_label("Find in this conversation").last.fill("kestrel")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**hit={rows['archived'].id}*")
    shown_hit(page, rows["archived"])
    assert page.locator(".hits-count").inner_text().startswith("1 of 4")
    page.locator(".find summary").click()
    page.get_by_label("Find in this conversation").last.fill("ostrich")
    page.keyboard.press("Enter")
    page.get_by_text("No hit in this conversation").wait_for()


def test_a_hit_behind_the_cut_of_a_long_message_is_shown(rows: dict[str, Message], open_page: Open) -> None:
    page = open_page(f"/m/{rows['deep'].id}?q=kestrel")
    shown_hit(page, rows["deep"])


def test_it_works_without_script(rows: dict[str, Message], open_page: Open) -> None:
    page = open_page("/search", java_script_enabled=False)
    page.locator("main input[name=q]").fill("kestrel in:archived")
    with page.expect_navigation(wait_until="load"):
        page.get_by_role("button", name="Search").click()
    follow(page, page.locator(".hit-link").first)
    shown_hit(page, rows["archived"])
    follow(page, page.get_by_role("link", name="Leave the search"))
    follow(page, page.locator(".more a[rel=prev]").first)
    page.goto(page.url.split("/c/")[0] + f"/m/{rows['archived'].id}?q=kestrel")
    follow(page, page.get_by_role("link", name="↓ next"))
    assert page.url.endswith(f"#m-{rows['handoff'].id}")


def test_j_and_enter_open_a_hit(rows: dict[str, Message], open_page: Open) -> None:
    page = open_page("/search?q=kestrel")
    page.locator("h1").click()
    page.keyboard.press("j")
    becomes_current(page.locator("li.hit").first)
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/ferry?**")


ADDRESSES = (
    "/search",
    "/search?q=kestrel",
    "/search?q=before:never",
    "/search?q=nothing+has+this",
    "/search?q=window",
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 900}], ids=["phone", "desktop"])
@pytest.mark.sqlite_only("what the browser makes of a page")
def test_search_has_no_accessibility_problem_and_fits(
    rows: dict[str, Message], open_page: Open, scheme: str, viewport: dict[str, int]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for path in (*ADDRESSES, f"/m/{rows['archived'].id}?q=kestrel"):
        page = open_page(path, color_scheme=scheme, viewport=viewport)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        for one in Axe().run(page).response["violations"]:
            if one["impact"] in ("serious", "critical"):
                found.append((path, one["id"], one["nodes"][0]["html"]))
    assert found == []


def test_attacks_in_what_is_found_run_nothing(rows: dict[str, Message], open_page: Open) -> None:
    for query in ("window fired", "script", "onerror", '"<img src=x"', "javascript"):
        page = open_page(f"/search?q={query}")
        assert page.locator("main script, main iframe, main img").count() == 0
        follow(page, page.locator(".hit-group .hit-link").first)
        until(page, "document.querySelector('.hits-bar') !== null")
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("window.fired") is None


def test_on_a_phone_filters_of_a_search_are_one_line(rows: dict[str, Message], open_page: Open) -> None:
    page = open_page("/search?q=window", viewport=PHONE, has_touch=True)
    assert page.locator(".search-choices").bounding_box()["height"] < 50
    assert page.locator(".tabs").bounding_box()["y"] < 330
    last = page.locator(".choice").last
    last.scroll_into_view_if_needed()
    box = last.bounding_box()
    assert 0 <= box["x"] <= 390 - box["width"]
    assert box["height"] >= 24
