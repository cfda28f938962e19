"""Comfort while reading a conversation: copying, times, keys."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Message
from tests.browser.moves import becomes_current, until
from tests.builders import a_compaction, a_conversation, a_message
from tests.web import stories

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only("what the browser makes of a page")]
Open = Callable[..., Any]
ANSWER = "Run **this**:\n\n```sh\nmake all\n```"


@pytest.fixture
def answered(db: OrmSession) -> None:
    """One question and one answer with a code block."""
    root = stories.root_of(db, a_conversation(db, id="answered", title="How to build"))
    a_message(db, root, "How do I build it?")
    a_message(db, root, ANSWER, role="assistant")
    db.commit()


def copied(page: Any) -> None:
    """Put what the page copies where a test can read it; a headless browser may refuse its own clipboard."""
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")


def test_a_code_block_is_copied_alone(answered: None, open_page: Open) -> None:
    page = open_page("/c/answered")
    copied(page)
    page.locator(".code-block").hover()
    page.locator(".code-block .copy").click()
    until(page, "window.copied === 'make all\\n'")
    until(page, "document.getElementById('announce').textContent === 'Copied'")


def test_a_message_is_copied_as_it_was_written_by_key(answered: None, open_page: Open) -> None:
    page = open_page("/c/answered")
    copied(page)
    page.keyboard.press("c")  # nothing is marked yet
    page.keyboard.press("j")
    page.keyboard.press("j")
    becomes_current(page.locator(".message.assistant"))
    page.keyboard.press("c")
    until(page, "window.copied !== undefined")
    assert page.evaluate("window.copied") == ANSWER


def test_times_are_those_of_the_readers_zone(answered: None, open_page: Open) -> None:
    page = open_page("/c/answered", timezone_id="Asia/Tokyo")
    until(page, "document.querySelectorAll('time:not([data-local])').length === 0")
    assert page.locator(".message time").first.inner_text() == "21:00"
    assert page.locator(".day").inner_text() == "Thu 1 Jan 2026"
    assert page.locator(".about time").first.text_content() == "1 Jan 2026, 21:00"
    title = page.locator(".message time").first.get_attribute("title")
    assert title.startswith("1 Jan 2026, 21:00:00, ")
    assert title.endswith(" ago")


def test_messages_that_cannot_be_loaded_say_so(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 120)
    db.commit()
    page = open_page("/c/long?at=0.0")
    page.route("**part=1**", lambda route: route.abort())
    page.locator("nav.more").scroll_into_view_if_needed()
    page.get_by_text("These could not be loaded.").wait_for()
    assert page.get_by_role("link", name="Later messages").is_visible()


def test_a_tool_call_has_an_address_that_opens_it(db: OrmSession, open_page: Open) -> None:
    stories.tool_work(db)
    db.commit()
    page = open_page("/c/tool-work")
    call = page.locator(".tool[id^=call-]").nth(1)
    name = call.get_attribute("id")
    call.locator("summary").click()
    link = call.locator(".tool-label a").first
    assert link.get_attribute("href").endswith(f"/m/{name.split('-')[1]}?call={name.split('-')[2]}")
    link.click()
    page.wait_for_url(f"**#{name}")
    elsewhere = open_page(link.get_attribute("href"))
    elsewhere.wait_for_url(f"**#{name}")
    until(elsewhere, f"document.getElementById('{name}').open")
    assert elsewhere.locator(".tool[open]").count() == 1


def test_a_key_opens_and_closes_all_tools_also_those_that_arrive(db: OrmSession, open_page: Open) -> None:
    root = stories.root_of(db, a_conversation(db, id="busy", tool_call_count=60))
    for number in range(60):
        a_message(db, root, "", role="assistant", tool_calls=stories.calls(stories.call("ls", {"n": number})))
    db.commit()
    page = open_page("/c/busy")
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('.tool:not([open])').length === 0")
    page.locator("nav.more").scroll_into_view_if_needed()
    until(page, "document.querySelectorAll('.tool').length === 60")
    until(page, "document.querySelectorAll('.tool:not([open])').length === 0")
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('.tool[open]').length === 0")


def test_contents_open_by_key_and_lead_to_a_prompt(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 40)
    db.commit()
    page = open_page("/c/long")
    page.keyboard.press("l")
    page.locator(".navigator .contents li").first.wait_for()
    assert page.locator(".navigator .contents li").count() == 20
    page.keyboard.press("g")
    until(page, "document.querySelector('.contents li:first-child [aria-current]')")
    page.keyboard.press("l")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    becomes_current(page.locator(".message", has_text="Message number 4."))
    until(
        page,
        "document.querySelector('.contents [aria-current]')?.textContent.startsWith('Message number 4.')",
    )


def test_contents_show_what_was_asked_for_at_the_end_of_a_page(db: OrmSession, open_page: Open) -> None:
    root = stories.root_of(db, stories.long(db, 30))
    last = db.scalars(select(Message).where(Message.session_id == root.id)).all()[-1]
    event = a_compaction(db, root, realisation="native", span_last_id=last.id, span_messages=30)
    a_message(db, root, "And then?")
    db.commit()
    page = open_page(f"/compactions/{event.id}/place", viewport={"width": 1440, "height": 900})
    until(page, "document.querySelector('.contents [aria-current]')?.textContent.startsWith('Compaction 1')")


def test_contents_stand_beside_the_messages_where_there_is_room(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 60)
    db.commit()
    page = open_page("/c/long", viewport={"width": 1700, "height": 900})
    box = page.locator(".navigator .contents")
    box.wait_for()
    text = page.locator(".transcript").bounding_box()
    assert box.bounding_box()["x"] + box.bounding_box()["width"] <= text["x"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_role_and_time_of_a_long_message_stay_in_sight(db: OrmSession, open_page: Open) -> None:
    root = stories.root_of(db, a_conversation(db, id="tall"))
    a_message(db, root, "A paragraph.\n\n" * 200, role="assistant")
    db.commit()
    page = open_page("/c/tall")
    page.evaluate("scrollTo(0, 3000)")
    head = page.locator(".message-head").bounding_box()
    bar = page.locator("header.site").bounding_box()
    assert 0 <= head["y"] - (bar["y"] + bar["height"]) < 12


def test_paper_has_no_controls_and_everything_open(db: OrmSession, open_page: Open) -> None:
    stories.tool_work(db)
    db.commit()
    page = open_page("/c/tool-work", color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".tool:not([open])").count() == 0
    for control in (".site", ".jumps", ".navigator", ".tabs"):
        assert page.locator(control).is_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".tool[open]").count() == 0


def test_the_bar_for_ticked_conversations_is_out_of_sight_on_a_phone(answered: None, open_page: Open) -> None:
    page = open_page("/", viewport={"width": 390, "height": 800})
    box = page.locator(".organise").bounding_box()
    assert box["width"] * box["height"] <= 4
