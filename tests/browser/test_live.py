"""Pages that follow an agent at work in another process: they grow, tell of compactions, share one stream."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Session
from hermes_sessions.web.site.live import hub_of
from tests import waiting
from tests.browser.agent import Agent, Viewer
from tests.browser.moves import until
from tests.builders import a_conversation, a_message
from tests.waiting import PATIENCE_SECONDS
from tests.web import stories

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only]
Open = Callable[..., Any]
PATIENCE_MS = 1000 * PATIENCE_SECONDS


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    made = Agent(tmp_path / "hermes")
    yield made
    made.close()


@pytest.fixture
def viewer(tmp_path: Path, agent: Agent) -> Iterator[Viewer]:
    made = Viewer(tmp_path, agent.path)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def window(browser: Any) -> Iterator[Any]:
    """One browser window, whose tabs share what a browser shares."""
    with ExitStack() as stack:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        stack.callback(context.close)
        context.set_default_timeout(PATIENCE_MS)
        yield context


@pytest.fixture
def all_streams_taken(app: Flask) -> None:
    """Other browsers hold every stream of the served store."""
    hub = hub_of(app)
    taken: list[Iterator[bytes]] = []
    while (stream := hub.open(f"other {len(taken)}")) is not None:
        taken.append(stream)
    assert taken


def opened(window: Any, url: str) -> Any:
    """A tab that is being told of changes."""
    page = window.new_page()
    page.goto(url)
    follows(page, "stream")
    return page


def follows(page: Any, mode: str) -> None:
    page.locator(f'html[data-live="{mode}"]').wait_for(state="attached", timeout=PATIENCE_MS)


def conversation(window: Any, viewer: Viewer) -> Any:
    """The watched conversation, once it is imported."""
    page = opened(window, viewer.address + "/")
    page.get_by_role("link", name="Watched").click()
    page.wait_for_url("**/c/a")
    follows(page, "stream")
    return page


def texts(page: Any) -> list[str]:
    return [text.strip() for text in page.locator(".message .prose").all_inner_texts()]


def streams(address: str) -> int:
    """How many streams a second look finds open: the server says so in its health."""
    with urllib.request.urlopen(f"{address}/healthz") as response:
        return int(json.load(response)["streams"])


def test_an_open_conversation_grows(agent: Agent, viewer: Viewer, window: Any) -> None:
    page = conversation(window, viewer)
    before = texts(page)
    agent.say("a", "what next", "this comes next")
    page.locator(".message").get_by_text("this comes next").wait_for()
    assert texts(page) == [*before, "what next", "this comes next"]
    waiting.until(lambda: page.locator('[data-count="messages"]').inner_text() == "8 messages")


@pytest.mark.parametrize("realisation", ["rotation", "in place"])
def test_a_compaction_is_told_and_shown_where_it_happened(
    agent: Agent, viewer: Viewer, window: Any, realisation: str
) -> None:
    page = conversation(window, viewer)
    before = texts(page)
    if realisation == "rotation":
        agent.rotate()
        last = ["after the rotation", "gone on in the child"]
    else:
        agent.compact_in_place()
        last = ["after the compaction", "gone on in place"]
    page.locator(".message").get_by_text(last[1]).wait_for()
    told = page.locator(".live-bar button", has_text="just happened")
    told.wait_for()
    assert page.locator(".separator").count() == 1
    assert page.locator(".handoff").count() == 1
    until(page, "document.querySelectorAll('.message .prose').length === 8")
    assert texts(page) == [*before, *last]
    told.click()
    told.wait_for(state="detached")


def test_what_is_open_stays_open_and_where_one_reads_stays(agent: Agent, viewer: Viewer, window: Any) -> None:
    agent.say("a", *(f"{'long ' * 300} {number}" for number in range(8)))
    agent.compact_in_place()
    page = conversation(window, viewer)
    # All of it is imported: nothing else will come.
    page.locator(".message").get_by_text("gone on in place").wait_for()
    page.locator(".handoff summary").click()
    read = page.locator(".message").first
    page.evaluate("scrollTo(0, 200)")
    top = read.evaluate("one => one.getBoundingClientRect().top")
    agent.say("a", "said while reading above", "and answered")
    bar = page.locator(".live-bar button", has_text="2 new messages")
    bar.wait_for()
    # On the screen: the line of the import above the page goes when it is done.
    assert abs(read.evaluate("one => one.getBoundingClientRect().top") - top) < 1
    assert page.locator(".handoff details").evaluate("one => one.open")
    bar.click()
    until(page, "scrollY > 400")


def test_a_fetch_that_fails_is_tried_again_though_nothing_else_changes(
    agent: Agent, viewer: Viewer, window: Any
) -> None:
    page = opened(window, viewer.address + "/")
    page.get_by_role("link", name="Watched").wait_for()
    lost: list[str] = []

    def lose(route: Any) -> None:
        if route.request.resource_type == "fetch" and len(lost) < 2:
            lost.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    page.route(viewer.address + "/", lose)
    agent.begin("n", title="Brand new")
    agent.say("n", "hello", "hi")
    page.get_by_role("link", name="Brand new").wait_for()
    assert len(lost) == 2


def test_the_list_shows_new_conversations_and_moves_active_ones(
    agent: Agent, viewer: Viewer, window: Any
) -> None:
    page = opened(window, viewer.address + "/")
    page.get_by_role("link", name="Watched").wait_for()
    agent.begin("n", title="Brand new")
    agent.say("n", "hello", "hi")
    page.get_by_role("link", name="Brand new").wait_for()
    agent.say("a", "back again")
    until(page, "document.querySelector('.conversation-link').innerText === 'Watched'")


def test_an_empty_list_shows_the_first_conversation(db: OrmSession, open_page: Open) -> None:
    page = open_page("/")
    follows(page, "stream")
    a_message(db, db.get_one(Session, a_conversation(db, title="The very first").root_id))
    db.commit()
    page.get_by_role("link", name="The very first").wait_for(timeout=PATIENCE_MS)


def test_the_list_waits_while_one_reads_further_down(db: OrmSession, open_page: Open) -> None:
    for number in range(40):
        a_message(db, db.get_one(Session, a_conversation(db, title=f"Old {number}").root_id))
    db.commit()
    page = open_page("/")
    follows(page, "stream")
    page.evaluate("scrollTo(0, 900)")
    first = page.locator(".conversation-link").first.inner_text()
    for number in range(3):
        fresh = a_conversation(db, title=f"Fresh {number}", started_at=1_790_000_000.0)
        a_message(db, db.get_one(Session, fresh.root_id))
    db.commit()
    bar = page.locator(".live-bar button", has_text="3 new")
    bar.wait_for(timeout=PATIENCE_MS)
    assert page.evaluate("scrollY") == 900
    assert page.locator(".conversation-link").first.inner_text() == first
    bar.click()
    page.get_by_role("link", name="Fresh 2").wait_for()
    until(page, "scrollY === 0")


def test_tabs_share_one_stream_and_give_it_back(agent: Agent, viewer: Viewer, window: Any) -> None:
    tabs = [
        conversation(window, viewer),
        opened(window, viewer.address + "/"),
        opened(window, viewer.address + "/c/a"),
    ]
    waiting.until(lambda: streams(viewer.address) == 1)
    agent.say("a", "told to all tabs")
    for tab in (tabs[0], tabs[2]):
        tab.bring_to_front()
        tab.locator(".message").get_by_text("told to all tabs").wait_for()
    for tab in tabs:
        tab.close()
    other = window.new_page()
    other.goto(viewer.address + "/help")
    waiting.until(lambda: streams(viewer.address) == 0)


def test_beyond_the_cap_pages_poll(db: OrmSession, open_page: Open, all_streams_taken: None) -> None:
    conversation = stories.own_reply(db)["carrier"]
    db.commit()
    page = open_page("/c/own-reply")
    follows(page, "polling")
    a_message(db, db.get_one(Session, conversation.session_id), "Came by polling.")
    db.commit()
    page.locator(".message").get_by_text("Came by polling.").wait_for(timeout=PATIENCE_MS)


def test_a_restarted_server_is_found_again(agent: Agent, viewer: Viewer, window: Any) -> None:
    page = conversation(window, viewer)
    assert viewer.stop() == 0
    follows(page, "waiting")
    agent.say("a", "said while nobody served")
    viewer.start()
    follows(page, "stream")
    page.locator(".message").get_by_text("said while nobody served").wait_for()


def test_without_script_there_is_a_link(db: OrmSession, open_page: Open) -> None:
    carrier = stories.own_reply(db)["carrier"]
    db.commit()
    page = open_page("/c/own-reply", java_script_enabled=False)
    a_message(db, db.get_one(Session, carrier.session_id), "Came by reloading.")
    db.commit()
    page.get_by_role("link", name="refresh it").click()
    page.get_by_text("Came by reloading.").wait_for()
