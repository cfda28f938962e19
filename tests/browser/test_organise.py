"""Pins, tags, notes and undo in a real browser: by keyboard, and without script."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.operations.organising.saved_searches import save_search
from hermes_sessions.store.opening.database import Database
from tests.browser.moves import becomes_current, follow
from tests.builders import NOON, a_conversation, a_message
from tests.web import stories

pytestmark = pytest.mark.browser
Open = Callable[..., Any]


@pytest.fixture
def three(db: OrmSession) -> None:
    """Conversations with the titles Alpha, Beta and Gamma, the newest first."""
    for at, name in enumerate(("Gamma", "Beta", "Alpha")):
        root = stories.root_of(
            db, a_conversation(db, id=name.lower(), title=name, started_at=NOON + 3600 * at)
        )
        a_message(db, root, f"Tell me about {name}.")
    db.commit()


def press(page: Any, key: str) -> None:
    """Press a key that sends a form, and wait for the page after it."""
    with page.expect_navigation(wait_until="load"):
        page.keyboard.press(key)


def titles(page: Any) -> list[str]:
    found: list[str] = page.locator(".conversation-link").all_inner_texts()
    return found


def test_keys_pin_archive_tag_and_undo_in_the_list(three: None, open_page: Open) -> None:
    from playwright.sync_api import expect

    page = open_page("/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    becomes_current(page.locator(".conversation").nth(1))
    press(page, "p")
    expect(page.locator(".news")).to_contain_text("Pinned 1 conversation.")
    assert titles(page) == ["Beta", "Alpha", "Gamma"]
    becomes_current(page.locator(".conversation").nth(0))
    press(page, "p")
    expect(page.locator(".news")).to_contain_text("Unpinned 1 conversation.")
    press(page, "u")
    expect(page.locator(".news")).to_contain_text("Undone: unpinned 1 conversation.")
    assert titles(page) == ["Beta", "Alpha", "Gamma"]
    page.keyboard.press("j")
    page.keyboard.press("t")
    page.keyboard.type("garden party")
    press(page, "Enter")
    assert page.locator(".badge.tag").all_inner_texts() == ["#garden", "#party"]
    press(page, "e")
    expect(page.locator(".news")).to_contain_text("Archived 1 conversation.")
    assert titles(page) == ["Alpha", "Gamma"]
    press(page, "u")
    assert titles(page) == ["Beta", "Alpha", "Gamma"]


def test_several_are_ticked_with_x(three: None, open_page: Open) -> None:
    from playwright.sync_api import expect

    page = open_page("/")
    for key in ("j", "x", "j", "x"):
        page.keyboard.press(key)
    expect(page.locator(".organise-count")).to_have_text("2 ticked:")
    press(page, "e")
    expect(page.locator(".news")).to_contain_text("Archived 2 conversations.")
    assert titles(page) == ["Gamma"]


def test_keys_write_a_note_from_the_list_and_in_a_conversation(three: None, open_page: Open) -> None:
    from playwright.sync_api import expect

    page = open_page("/")
    page.keyboard.press("j")
    press(page, "m")
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.type("Ask again in May.")
    page.keyboard.press("Tab")
    press(page, "Enter")
    expect(page.locator(".conversation-note")).to_contain_text("Ask again in May.")
    press(page, "p")
    expect(page.locator(".news")).to_contain_text("Pinned 1 conversation.")
    press(page, "u")
    expect(page.locator(".conversation-facts .badge", has_text="pinned")).to_have_count(0)


def test_all_of_it_works_without_script(three: None, open_page: Open) -> None:
    page = open_page("/", java_script_enabled=False)
    page.get_by_label("Tick Alpha").check()
    page.get_by_label("Tick Gamma").check()
    page.get_by_label("Tags").fill("both")
    follow(page, page.get_by_role("button", name="Tag", exact=True))
    assert page.locator(".badge.tag").all_inner_texts() == ["#both", "#both"]
    follow(page, page.get_by_role("button", name="Undo"))
    assert page.locator(".badge.tag").count() == 0
    follow(page, page.get_by_role("link", name="Beta"))
    page.get_by_text("Organise", exact=True).click()
    page.get_by_label("Note").fill("A note.")
    follow(page, page.get_by_role("button", name="Save note"))
    assert page.locator(".conversation-note").inner_text().strip().endswith("A note.")
    page.get_by_text("Organise · note").click()
    follow(page, page.get_by_role("button", name="Move to the trash"))
    assert titles(page) == ["Alpha", "Gamma"]
    follow(page, page.get_by_role("link", name="Trash"))
    page.get_by_label("Tick Beta").check()
    follow(page, page.get_by_role("button", name="Restore"))
    follow(page, page.get_by_role("link", name="Chats"))
    assert titles(page) == ["Alpha", "Beta", "Gamma"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.sqlite_only("what the browser makes of a page")
def test_organised_pages_are_accessible_and_fit_a_phone(
    three: None, database: Database, open_page: Open, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    fill(database)
    found = []
    for path in ("/", "/?tag=work", "/c/alpha", "/?kind=trash", "/?changed=1"):
        for width in (1280, 390):
            page = open_page(path, color_scheme=scheme, viewport={"width": width, "height": 844})
            for box in page.locator(".pick").all():
                box.check()
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)
            for one in Axe().run(page).response["violations"]:
                if one["impact"] in ("serious", "critical"):
                    found.append((path, one["id"], one["nodes"][0]["html"]))
    assert found == []


def fill(database: Database) -> None:
    """Give the conversations one of everything."""
    organise(database, ["alpha"], Action.PIN, now=NOON)
    organise(database, ["alpha", "gamma"], Action.TAG, "work invoices-2026", now=NOON)
    organise(database, ["alpha"], Action.NOTE, "Ask the bank about the missing row.", now=NOON)
    organise(database, ["beta"], Action.TRASH, now=NOON)
    save_search(database, "Work with compactions", "/?tag=work&compacted=yes", now=NOON)
