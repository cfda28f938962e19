"""Nothing lies over something else, stands alone on a line or is out of sight, at the widths people have."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from tests.browser.moves import follow, until
from tests.builders import a_compaction, a_conversation, a_message, a_session
from tests.web import stories

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only("what the browser makes of a page")]
Open = Callable[..., Any]
WIDTHS = (390, 1280, 1440, 1920)

APART = """(pair) => {
    const [one, other] = pair.map((name) => document.querySelector(name).getBoundingClientRect());
    return one.bottom <= other.top || other.bottom <= one.top
        || one.right <= other.left || other.right <= one.left; }"""
JUMPS_BESIDE_HITS = """document.querySelector(".hits-bar") !== null
    && document.querySelector(".jumps a:not([hidden])") !== null"""
CALL = stories.calls(stories.call("terminal", {"command": "git log --oneline -5"}))
LINES = """(name) => { const lines = {};
    for (const one of document.querySelectorAll(name)) {
        const box = one.getBoundingClientRect();
        const line = Math.round((box.top + box.bottom) / 10);
        (lines[line] ??= []).push(one.textContent.trim()); }
    return Object.values(lines); }"""


def sized(width: int) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": 900}}


@pytest.fixture
def chain(db: OrmSession) -> None:
    """Three sessions with much to say under their title, and a compaction that came to nothing."""
    conversation = a_conversation(
        db, id="chain", title="Totals are off", source="telegram", model="openrouter/claude-opus-4.6-preview"
    )
    root = stories.root_of(db, conversation)
    a_message(db, root, "Which totals are off?")
    parent = root
    for name in ("second", "third"):
        parent = a_session(db, conversation, id=name, parent=parent)
        handoff = a_message(db, parent, stories.standalone(), kind="handoff")
        a_compaction(db, parent, handoff=handoff)
        call = a_message(db, parent, None, role="assistant", tool_calls=CALL)
        a_message(
            db, parent, "done", role="tool", tool_call_id="call_1", tool_name="terminal", copy_of=call.id
        )
    other = a_conversation(db, id="cut-off", title="Router notes")
    a_message(db, stories.root_of(db, other), "Read the notes.")
    a_compaction(db, stories.root_of(db, other), status="interrupted", method="none")
    db.commit()


def test_jumps_have_a_line_of_their_own_on_a_phone(db: OrmSession, open_page: Open) -> None:
    conversation = a_conversation(db, id="long")
    root = stories.root_of(db, conversation)
    for at in range(60):
        a_message(db, root, f"Message {at} has more to say than one line of a phone can hold.")
    db.commit()
    page = open_page("/c/long?at=0.0", **sized(390))
    page.evaluate("scrollTo(0, 900)")
    until(page, "document.querySelectorAll('.jumps a:not([hidden])').length === 2")
    box = page.evaluate("document.querySelector('.jumps').getBoundingClientRect().toJSON()")
    assert (box["left"], box["right"], box["bottom"]) == (0, 390, 900)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_fact_under_a_title_is_alone_on_its_line(chain: None, open_page: Open, width: int) -> None:
    page = open_page("/c/chain", **sized(width))
    lines = page.evaluate(LINES, ".conversation-head .conversation-facts > *")
    assert len(lines) <= 2
    assert all(len(line) > 1 for line in lines), lines


@pytest.mark.parametrize("width", WIDTHS)
def test_links_to_the_sessions_around_are_apart_from_each_other_and_from_the_tools(
    chain: None, open_page: Open, width: int
) -> None:
    page = open_page("/c/chain?view=session&session=second", **sized(width))
    assert page.locator(".session-doors a").count() == 3
    boxes = [one.bounding_box() for one in page.locator(".session-doors a").all()]
    for one, other in pairwise(boxes):
        assert other["x"] - (one["x"] + one["width"]) > 6 or other["y"] > one["y"] + 10
    assert page.evaluate(APART, [".session-doors", ".reading-tools"])


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tab_that_is_shown_is_in_sight(chain: None, open_page: Open, width: int) -> None:
    for path in ("/c/chain?view=session&session=second", "/c/chain?view=model", "/?kind=trash"):
        page = open_page(path, **sized(width))
        tabs = page.locator(".tabs").bounding_box()
        tab = page.locator(".tabs [aria-current]").bounding_box()
        assert tabs["x"] - 1 <= tab["x"]
        assert tab["x"] + tab["width"] <= tabs["x"] + tabs["width"] + 1


@pytest.mark.parametrize("kind", ["all", "trash", "chat"])
def test_kinds_of_conversations_keep_to_one_line_on_a_phone(chain: None, open_page: Open, kind: str) -> None:
    page = open_page(f"/?kind={kind}", **sized(390))
    assert len(page.evaluate(LINES, ".tabs a")) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_jumps_do_not_lie_over_the_bar_of_hits(db: OrmSession, open_page: Open, width: int) -> None:
    conversation = stories.long(db, 120)
    a_message(db, stories.root_of(db, conversation), "The marble ledger is here.")
    db.commit()
    for path in ("/c/long/find?q=marble", "/c/long/find?q=the"):
        page = open_page(path, **sized(width))
        until(page, JUMPS_BESIDE_HITS)
        assert page.evaluate(APART, [".jumps", ".hits-bar"])


def test_a_call_on_a_phone_has_room_for_what_is_said_of_it(chain: None, open_page: Open) -> None:
    page = open_page("/c/chain?view=session&session=second", **sized(390))
    for call in page.locator(".message.tool-only .tool, .message.silent .tool").all():
        assert call.bounding_box()["width"] > 240


def test_the_name_of_a_call_and_its_subject_share_a_line_on_a_phone(chain: None, open_page: Open) -> None:
    page = open_page("/c/chain", **sized(390))
    name, subject = (
        page.locator(f".tool > summary .tool-{one}").first.bounding_box() for one in ("name", "subject")
    )
    assert abs(name["y"] - subject["y"]) < 6
    assert subject["width"] > 80


def test_what_came_of_a_compaction_is_said_once(chain: None, open_page: Open) -> None:
    page = open_page("/compactions/3")
    assert page.locator("main").inner_text().count("what was said before it still counts") == 1
    assert page.locator("h1").inner_text().count("interrupted") == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_facts_of_a_row_begin_at_its_edge(chain: None, open_page: Open, width: int) -> None:
    page = open_page("/", **sized(width))
    row = page.locator(".conversation", has_text="Totals are off")
    edge = row.locator(".conversation-link").bounding_box()["x"]
    shown = row.locator(".conversation-facts").evaluate(
        "(facts) => { const range = document.createRange();"
        " range.selectNodeContents(facts.querySelector('time')); return range.getBoundingClientRect().left; }"
    )
    assert abs(shown - edge) < 2


@pytest.mark.parametrize("width", WIDTHS)
def test_a_search_is_saved_behind_a_word(chain: None, open_page: Open, width: int) -> None:
    page = open_page("/search?q=totals", **sized(width))
    name = page.get_by_label("Name for this search")
    assert not name.is_visible()
    page.get_by_text("Save this search").click()
    name.fill("Totals")
    follow(page, page.get_by_role("button", name="Save", exact=True))
    assert page.locator(".saved-one a").inner_text() == "Totals"


def test_a_page_that_is_not_there_says_so_in_a_sentence(chain: None, open_page: Open) -> None:
    page = open_page("/c/nothing")
    said = page.locator(".error-detail")
    assert said.inner_text().endswith("'nothing'.")


@pytest.mark.parametrize(("width", "top"), [(390, 0), (1280, 54.4), (1920, 54.4)])
def test_the_bar_for_what_is_ticked_leaves_no_gap_above(
    db: OrmSession, open_page: Open, width: int, top: float
) -> None:
    for number in range(30):
        conversation = a_conversation(db, title=f"Talk {number}")
        a_message(db, stories.root_of(db, conversation), "Hello.")
    db.commit()
    page = open_page("/", **sized(width))
    page.locator(".pick").nth(20).check()
    page.mouse.wheel(0, 1_200)
    until(page, "scrollY > 800")
    assert abs(page.locator(".organise").bounding_box()["y"] - top) < 2


@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_of_the_navigation_is_in_its_row(open_page: Open, chain: None, width: int) -> None:
    lines = open_page("/", **sized(width)).evaluate(LINES, ".site nav a")
    assert lines == [["Conversations", "Overview", "Compactions", "Findings", "Origins", "Help"]]
