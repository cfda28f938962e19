"""Signing in, changing something and signing out in a real browser, with the headers as they are."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import ViewerConfig, create_app
from tests.browser.conftest import serving
from tests.browser.moves import follow
from tests.web import stories

pytestmark = pytest.mark.browser
TOKEN = "a token of thirty-two characters"


@pytest.fixture
def guarded(database: Database, db: OrmSession) -> Iterator[str]:
    """The address of a viewer that asks for a token."""
    stories.family(db)
    db.commit()
    with serving(create_app(database, config=ViewerConfig(token=TOKEN))) as address:
        yield address


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def page(request: pytest.FixtureRequest, browser: Any) -> Iterator[Any]:
    window = browser.new_context(java_script_enabled=request.param)
    yield window.new_page()
    window.close()


def sign_in(page: Any, token: str) -> None:
    page.get_by_label("Token").fill(token)
    follow(page, page.get_by_role("button", name="Sign in"))


def test_the_token_leads_to_the_page_that_was_asked_for(guarded: str, page: Any) -> None:
    page.goto(guarded + "/c/family?view=talk")
    sign_in(page, "<script>fired=1</script>")
    assert page.get_by_role("alert").inner_text() == "Wrong token."
    sign_in(page, TOKEN)
    assert page.url == guarded + "/c/family?view=talk"


def test_forms_change_something_and_log_out(guarded: str, page: Any) -> None:
    page.goto(guarded + "/c/family")
    sign_in(page, TOKEN)
    page.get_by_text("Organise", exact=True).click()
    page.get_by_label("Note").fill("A note.")
    follow(page, page.get_by_role("button", name="Save note"))
    assert "A note." in page.locator(".conversation-note").inner_text()
    page.locator(".site-menu summary").click()
    follow(page, page.get_by_role("button", name="Log out"))
    page.goto(guarded + "/c/family")
    assert page.get_by_label("Token").is_visible()
