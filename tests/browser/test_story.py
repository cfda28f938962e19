"""The story this viewer exists for, told from the agent's database to the screen.

A user reads a reply; then a compaction merges its summary into that very message.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from tests.agents.hermes.hermes_builder import START, row, session, state_db
from tests.browser.moves import becomes_current, follow
from tests.web.stories import LATE_REPLY, REPLY, merged, prior, standalone

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


AGAIN = 400.0
"""Seconds after which the agent writes its new session: what it carries over keeps its times."""


@pytest.mark.parametrize(
    "carried",
    [
        pytest.param([2, "handoff", 3], id="the request before the handoff"),
        pytest.param([2, "merged"], id="the request before a row that holds the reply too"),
    ],
)
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.sqlite_only("what the browser makes of a page")
def test_what_is_carried_over_before_a_handoff_is_shown_and_found_once(
    tmp_path: Path, database: Database, open_page: Open, carried: list[int | str], width: int
) -> None:
    said = [("user", "Hello."), ("assistant", "What is to be done?"), ("user", ASKED), ("assistant", REPLY)]
    old = [{**row("parent", *one), "timestamp": START + 10.5 * at} for at, one in enumerate(said)]
    new = [{"handoff": standalone(), "merged": merged(REPLY)}.get(str(one), one) for one in carried]
    rows = [
        {**old[one], "session_id": "child"}
        if isinstance(one, int)
        else {**row("child", "assistant", one), "timestamp": START + AGAIN + at}
        for at, one in enumerate(new)
    ]
    rows.append({**row("child", "user", "Yes, on the copy first."), "timestamp": START + 2 * AGAIN})
    sessions = [session("parent", end_reason="compression"), session("child", parent="parent")]
    state_db(tmp_path / "state.db", sessions=sessions, messages=[*old, *rows])
    import_path(database, tmp_path / "state.db", ImportOptions(clock=lambda: START + 9_000))
    page = open_page("/c/parent", viewport={"width": width, "height": 900})
    assert page.locator(".transcript > .items > .handoff").count() == 1
    assert page.locator("article .prose").all_inner_texts() == [
        "Hello.", "What is to be done?", ASKED, "The migration is ready. Shall I run it on the copy first?",
        "Yes, on the copy first.",
    ]  # fmt: skip
    for words, times in (("invoices please", 1), ("shall run", 1), ("migration", 2)):
        page.goto(page.url.split("/c/")[0].split("/search")[0] + f"/search?q={words}")
        assert page.locator("li.hit").count() == times, words
    assert page.locator(".snippet").all_inner_texts() == [
        "The migration is ready. Shall I run it on the copy first?",
        page.locator(".snippet").last.inner_text(),
    ]
    assert "#" not in page.locator(".snippet").last.inner_text()
    assert "context handoff" in page.locator("li.hit").last.inner_text()
