"""The story this viewer exists for, told from the agent's database to the screen.

A user reads a reply; then a compaction merges its summary into that very message.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.browser.moves import becomes_current, follow
from tests.web.stories import LATE_REPLY, REPLY, merged, prior

pytestmark = pytest.mark.browser
ASKED = "Please move the invoices to the new ledger."
Open = Callable[..., Any]


def agent_database(folder: Path, database: Database, carrier: str | None) -> None:
    """Write what the agent has and import it: before the compaction (no carrier), or after."""
    path = folder / "state.db"
    path.unlink(missing_ok=True)
    sessions = [session("parent", title="Invoices", end_reason="compression" if carrier else None)]
    messages = [row("parent", "user", ASKED), row("parent", "assistant", REPLY)]
    if carrier is not None:
        sessions.append(session("child", parent="parent", title="Invoices #2"))
        messages += [
            row("child", "assistant", carrier),
            row("child", "user", "Yes, on the copy first."),
            row("child", "assistant", LATE_REPLY),
        ]
    state_db(path, sessions=sessions, messages=messages)
    import_path(database, path, ImportOptions(clock=lambda: 1_780_100_000.0))


def kinds(page: Any) -> list[str]:
    """What stands in the transcript, from top to bottom."""
    return list(
        page.eval_on_selector_all(
            ".items > :not(.day)",
            """all => all.map(one => ['user', 'assistant', 'separator', 'handoff']
                .find(kind => one.classList.contains(kind)))""",
        )
    )


@pytest.mark.parametrize("carrier", [merged(REPLY), prior(REPLY)], ids=["reply after", "prior context"])
def test_the_reply_stays_where_it_was_and_the_handoff_stands_apart(
    tmp_path: Path, database: Database, open_page: Open, carrier: str
) -> None:
    agent_database(tmp_path, database, None)
    page = open_page("/c/parent")
    assert kinds(page) == ["user", "assistant"]
    before = page.locator(".message.assistant .prose").inner_html()

    agent_database(tmp_path, database, carrier)
    page.reload()
    assert kinds(page) == ["user", "assistant", "separator", "handoff", "user", "assistant"]
    reply = page.locator(".message.assistant").first
    assert reply.locator(".prose").inner_html() == before
    assert page.get_by_text("Shall I run it").count() == 1

    handoff = page.locator(".handoff")
    style = handoff.evaluate("one => getComputedStyle(one).fontStyle + ' ' + getComputedStyle(one).color")
    assert style.startswith("italic")
    assert style.split(" ", 1)[1] != reply.evaluate("one => getComputedStyle(one).color")
    assert handoff.get_by_text("Context handoff").is_visible()
    follow(page, handoff.get_by_role("link", name="go to the reply"))
    assert page.evaluate("location.hash") == f"#{reply.get_attribute('id')}"
    becomes_current(reply)
    follow(page, reply.get_by_role("link", name="A summary was stored inside this reply"))
    becomes_current(handoff)


@pytest.mark.parametrize("view", ["One session", "What the model sees now"])
@pytest.mark.parametrize(
    ("carrier", "expected"),
    [
        pytest.param(merged(REPLY), ["separator", "handoff", "assistant"], id="reply after"),
        pytest.param(prior(REPLY), ["assistant", "separator", "handoff"], id="prior context"),
    ],
)
def test_the_very_row_shows_as_two_in_the_other_views(
    tmp_path: Path, database: Database, open_page: Open, view: str, carrier: str, expected: list[str]
) -> None:
    agent_database(tmp_path, database, carrier)
    page = open_page("/c/parent")
    follow(page, page.get_by_role("link", name=view))
    assert kinds(page) == [*expected, "user", "assistant"]
    shown = page.locator(".message.assistant").first
    assert shown.locator("strong").inner_text() == "Shall I run it"
    assert "CONTEXT" not in shown.inner_text()
    handoff = page.locator(".handoff")
    handoff.locator("summary").click()
    assert "wrote the migration" in handoff.inner_text()
    assert "Shall I run it" not in handoff.inner_text()
