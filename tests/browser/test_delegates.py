"""A delegate inside the conversation that started it: who speaks there, and how it goes on."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Session
from tests.browser.moves import until
from tests.browser.test_live import follows
from tests.builders import NOON, a_conversation, a_message
from tests.web import stories

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only("what the browser makes of a page")]
Open = Callable[..., Any]


@pytest.fixture
def helper(db: OrmSession) -> Session:
    """The session of a delegate; the conversation that started it is `boss`."""
    boss = stories.root_of(db, a_conversation(db, id="boss"))
    a_message(db, boss, "Ask somebody.")
    delegate = a_conversation(
        db, id="helper", kind="delegate", relation="delegate", parent_id=boss.id, started_at=NOON + 30
    )
    root = stories.root_of(db, delegate)
    a_message(db, root, "Look at the change log.")
    a_message(db, root, "I am reading it.", role="assistant")
    a_message(db, boss, "Thank you.")
    db.commit()
    return root


def test_what_a_delegate_is_asked_is_not_the_users(helper: Session, open_page: Open) -> None:
    page = open_page("/c/boss")
    page.locator(".delegate > summary").click()
    page.locator(".delegate article").first.wait_for()
    names = page.locator("article h3").all_inner_texts()
    assert [name.split(",")[0] for name in names] == ["You", "Calling agent", "Assistant", "You"]
    page.keyboard.press("g")
    page.keyboard.press("]")
    assert "Thank you." in page.locator("article.current").inner_text()
    alone = open_page("/c/helper")
    assert alone.locator("article h3").first.inner_text().startswith("Calling agent")
    complete = open_page(f"/m/{alone.locator('article').first.get_attribute('id').removeprefix('m-')}/all")
    assert complete.locator("article h3").inner_text().startswith("Calling agent")


def test_an_open_delegate_goes_on_in_its_place(db: OrmSession, helper: Session, open_page: Open) -> None:
    page = open_page("/c/boss")
    follows(page, "stream")
    page.locator(".delegate > summary").click()
    page.locator(".delegate article").nth(1).wait_for()
    page.evaluate("document.querySelector('.delegate article').dataset.witness = 'kept'")
    a_message(db, helper, "It names two changes.", role="assistant")
    db.commit()
    page.locator(".delegate article", has_text="It names two changes.").wait_for()
    assert page.locator(".delegate article").count() == 3
    assert page.locator(".delegate article[data-witness]").count() == 1
    until(page, "document.querySelector('.delegate > summary [data-count]').innerText === '3 messages'")
    assert page.locator(".transcript > .items > article").count() == 2
