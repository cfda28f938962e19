"""A conversation as one reads it: where it opens, its ends, keys at every width, windows that come and go."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation, Session
from tests.browser.moves import becomes_current, follow, until
from tests.browser.test_live import follows
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session
from tests.web import stories

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only("what the browser makes of a page")]
Open = Callable[..., Any]
SIZES = {width: {"width": width, "height": 844 if width == 390 else 900} for width in (390, 1280, 1440, 1920)}
FIRST_PX = {390: 280, 1280: 200, 1440: 200, 1920: 200}
LAST_END = "[...document.querySelectorAll('.transcript article')].at(-1).getBoundingClientRect().bottom"
AT_END = f"innerHeight - {LAST_END} >= 0 && innerHeight - {LAST_END} < 60"
NODES = """() => { let count = 0; const walk = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    while (walk.nextNode()) count += 1; return count; }"""


@pytest.fixture(params=sorted(SIZES))
def size(request: pytest.FixtureRequest) -> dict[str, int]:
    """A window as wide as a phone's, a laptop's, a desk's."""
    return SIZES[int(request.param)]


def test_keys_walk_the_messages_whatever_the_width(
    db: OrmSession, open_page: Open, size: dict[str, int]
) -> None:
    stories.long(db, 120)
    db.commit()
    page = open_page("/c/long", viewport=size)
    if size["width"] >= 1280:
        page.locator(".navigator .contents li").first.wait_for()
    page.keyboard.press("g")
    becomes_current(page.locator("article", has_text="Message number 0."))
    for _ in range(3):
        page.keyboard.press("j")
    page.keyboard.press("k")
    article = page.locator("article", has_text="Message number 2.")
    becomes_current(article)
    assert article.get_attribute("aria-current") == "true"
    assert page.locator("[aria-current=true]").count() == 1


def test_o_opens_the_tool_of_the_marked_message(
    db: OrmSession, open_page: Open, size: dict[str, int]
) -> None:
    stories.tool_work(db)
    db.commit()
    page = open_page("/c/tool-work", viewport=size)
    page.keyboard.press("g")
    page.keyboard.press("j")
    page.keyboard.press("o")
    until(page, "document.querySelector('article.current details').open")


def test_a_conversation_opens_at_its_end_and_says_what_is_before(
    db: OrmSession, open_page: Open, size: dict[str, int]
) -> None:
    stories.long(db, 300)
    db.commit()
    page = open_page("/c/long", viewport=size)
    until(page, AT_END)
    assert page.get_by_text("Message number 299.").is_visible()
    assert page.locator("nav.more a").first.inner_text() == "250 earlier messages"
    assert page.get_by_role("link", name="Latest", exact=True).count() == 0  # the end is in view


@pytest.mark.parametrize("how", ["key", "link"])
def test_latest_ends_with_the_end_of_the_last_message_at_the_bottom(
    db: OrmSession, open_page: Open, size: dict[str, int], how: str
) -> None:
    stories.long(db, 300)
    db.commit()
    page = open_page("/c/long?at=0.20", viewport=size)
    latest = page.get_by_role("link", name="Latest", exact=True)
    latest.wait_for()
    if how == "key":
        page.keyboard.press("G")
    else:
        latest.click()
    page.get_by_text("Message number 299.").wait_for()
    until(page, AT_END)
    becomes_current(page.locator("article", has_text="Message number 299."))
    page.keyboard.press("g")
    becomes_current(page.locator("article", has_text="Message number 0."))
    assert page.evaluate("scrollY") == 0


def test_the_first_message_stands_high_on_the_page(
    db: OrmSession, open_page: Open, size: dict[str, int]
) -> None:
    stories.long(db, 300)
    stories.swallowed_reply(db)
    db.commit()
    for path in ("/c/long", "/c/long?at=0.0", "/c/invoices-after"):
        page = open_page(path, viewport=size)
        top = page.evaluate("document.querySelector('article').getBoundingClientRect().top + scrollY")
        assert top <= FIRST_PX[size["width"]], path


def test_one_goes_on_where_one_stopped_reading(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 300)
    db.commit()
    page = open_page("/c/long")
    page.mouse.move(640, 450)
    while page.locator("article", has_text="Message number 150.").count() == 0:
        page.mouse.wheel(0, -3_000)
        page.wait_for_timeout(50)
    page.locator("article", has_text="Message number 150.").scroll_into_view_if_needed()
    page.mouse.wheel(0, 1)
    until(page, "(localStorage.stoppedReading ?? '').includes('/c/long')")
    page.wait_for_timeout(600)
    read = "[...document.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > 90)"
    before = page.evaluate(f"[{read}.id, Math.round({read}.getBoundingClientRect().top)]")
    address = page.url
    page.goto(address.replace("/c/long", "/help"))
    page.goto(address)
    until(page, f"document.getElementById('{before[0]}') !== null")
    until(
        page,
        f"Math.abs(document.getElementById('{before[0]}').getBoundingClientRect().top - {before[1]}) < 3",
    )
    page.keyboard.press("G")
    until(page, AT_END)
    until(page, "!localStorage.stoppedReading.includes('/c/long')")
    page.reload()
    until(page, AT_END)


def test_a_fragment_leads_to_a_message_that_is_far_from_the_end(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 300)
    db.commit()
    page = open_page("/c/long?at=0.30")
    wanted = page.locator("article", has_text="Message number 30.").get_attribute("id")
    elsewhere = open_page(f"/c/long#{wanted}")
    elsewhere.locator("article.current", has_text="Message number 30.").wait_for()
    assert elsewhere.locator("article.current").bounding_box()["y"] < 300


def test_far_windows_are_unloaded_and_come_back(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 1_500)
    db.commit()
    page = open_page("/c/long", viewport=SIZES[1440])
    until(page, AT_END)
    page.mouse.move(700, 450)
    most = 0
    seen: set[int] = set()
    for _ in range(2_000):
        page.mouse.wheel(0, -6_000)
        page.wait_for_timeout(30)
        most = max(most, page.evaluate(NODES))
        numbers = page.eval_on_selector_all(
            ".message .prose", "all => all.map(one => Number(one.innerText.match(/\\d+/)[0]))"
        )
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        seen.update(numbers)
        if numbers[0] == 0:
            break
    assert seen == set(range(1_500))
    assert most < 6_000
    assert page.locator("article", has_text="Message number 1499.").count() == 0
    page.get_by_role("link", name="Latest", exact=True).click()
    until(page, AT_END)


def test_the_browsers_find_key_finds_what_is_not_on_the_page(
    db: OrmSession, open_page: Open, size: dict[str, int]
) -> None:
    stories.long(db, 300)
    db.commit()
    page = open_page("/c/long", viewport=size)
    page.keyboard.press("Control+f")
    until(page, "document.activeElement.dataset.action === 'find'")
    short = open_page("/c/long?at=0.0", viewport=size)
    short.keyboard.press("Control+f")
    until(short, "document.activeElement.dataset.action === 'find'")


def test_a_delegate_opens_in_place_with_its_own_compactions(db: OrmSession, open_page: Open) -> None:
    root = db.get_one(Session, a_conversation(db, id="boss").root_id)
    a_message(db, root, "Ask somebody.")
    helper = a_conversation(
        db, id="helper", title="Helper", kind="delegate", relation="delegate", parent_id=root.id,
        started_at=NOON + 30,
    )  # fmt: skip
    first = db.get_one(Session, helper.root_id)
    a_message(db, first, "Look at the change log.")
    second = a_session(db, helper, id="helper-2")
    carrier = a_message(db, second, stories.standalone(), kind="handoff")
    a_compaction(db, second, handoff=carrier, summary=stories.SUMMARY, span_messages=3)
    a_message(db, second, "It names two changes.", role="assistant")
    a_message(db, root, "Thank you.")
    db.commit()
    page = open_page("/c/boss")
    assert page.locator(".handoff").count() == 0
    page.locator(".delegate summary").click()
    page.locator(".delegate .separator").wait_for()
    assert page.locator(".delegate article").all_inner_texts()[-1].endswith("It names two changes.")
    page.locator(".delegate > summary").click()
    assert not page.get_by_text("It names two changes.").is_visible()
    plain = open_page("/c/boss", java_script_enabled=False)
    plain.locator(".delegate summary").click()
    follow(plain, plain.get_by_role("link", name="Open it by itself"))
    assert plain.get_by_text("It names two changes.").is_visible()


def test_on_a_phone_latest_is_tapped_and_no_permalink_beneath_it(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 120)
    db.commit()
    page = open_page("/c/long?at=0.0", viewport=SIZES[390], has_touch=True)
    latest = page.get_by_role("link", name="Latest", exact=True)
    latest.wait_for()
    for y in range(0, 900, 45):
        page.evaluate(f"scrollTo(0, {y})")
        box = latest.bounding_box()
        point = f"{box['x'] + box['width'] / 2}, {box['y'] + box['height'] / 2}"
        assert page.evaluate(f"document.elementFromPoint({point}).textContent") == "Latest"
    latest.tap()
    until(page, AT_END)


def test_the_actions_of_a_message_are_there_on_touch(db: OrmSession, open_page: Open) -> None:
    stories.long(db, 4)
    db.commit()
    page = open_page("/c/long", viewport=SIZES[390], has_touch=True)
    for action in page.locator("article").first.locator(".act").all():
        box = action.bounding_box()
        assert action.is_visible()
        assert min(box["width"], box["height"]) >= 24


def test_contents_leave_the_flash_message_free(
    db: OrmSession, database: Database, open_page: Open, size: dict[str, int]
) -> None:
    stories.long(db, 60)
    db.commit()
    organise(database, ["long"], Action.PIN, now=NOON)
    page = open_page("/c/long?changed=1&at=0.0", viewport=size)
    if size["width"] >= 1280:
        page.locator(".navigator .contents li").first.wait_for()
    undo = page.get_by_role("button", name="Undo")
    box = undo.bounding_box()
    point = f"{box['x'] + box['width'] / 2}, {box['y'] + box['height'] / 2}"
    assert page.evaluate(f"document.elementFromPoint({point}).textContent") == "Undo"
    news, contents = page.locator(".news").bounding_box(), page.locator(".navigator").bounding_box()
    assert news["y"] + news["height"] <= contents["y"]


def test_a_compaction_is_told_to_who_reads_an_earlier_window(
    db: OrmSession, open_page: Open, size: dict[str, int]
) -> None:
    conversation = stories.long(db, 200)
    db.commit()
    page = open_page("/c/long?at=0.20", viewport=size)
    follows(page, "stream")
    if size["width"] >= 1280:
        page.locator(".navigator .contents li").first.wait_for()
    assert page.locator(".head-door").count() == 0
    child = a_session(db, conversation, id="long-2")
    carrier = a_message(db, child, stories.standalone(), kind="handoff")
    a_compaction(db, child, handoff=carrier, summary=stories.SUMMARY, span_messages=190)
    a_message(db, child, "Said in the new session.", role="assistant")
    db.commit()
    told = page.locator(".live-bar button", has_text="Compaction 1 just happened")
    told.wait_for()
    page.get_by_text("1 compaction", exact=True).wait_for()
    assert page.locator(".conversation-facts").get_by_text("2 sessions").is_visible()
    told.click()
    page.locator(".separator").wait_for()
    if size["width"] < 1280:
        page.locator(".navigator summary").click()
    page.locator(".navigator .compaction").wait_for()


def test_new_messages_at_the_end_lead_to_the_end(
    db: OrmSession, open_page: Open, size: dict[str, int]
) -> None:
    conversation = stories.long(db, 200)
    db.commit()
    page = open_page("/c/long?at=0.20", viewport=size)
    follows(page, "stream")
    a_message(db, db.get_one(Session, conversation.root_id), "Brand new.")
    db.commit()
    page.locator(".live-bar button", has_text="New messages at the end").click()
    page.locator(".message").get_by_text("Brand new.").wait_for()
    until(page, AT_END)


def test_contents_grow_with_the_conversation(db: OrmSession, open_page: Open) -> None:
    conversation = stories.long(db, 40)
    db.commit()
    page = open_page("/c/long", viewport=SIZES[1440])
    follows(page, "stream")
    page.locator(".navigator .contents li").first.wait_for()
    a_message(db, db.get_one(Session, conversation.root_id), "A prompt that came later.")
    db.commit()
    page.locator(".navigator .contents li", has_text="A prompt that came later.").wait_for()
    until(page, AT_END)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_a_conversation_has_no_serious_accessibility_problem(
    db: OrmSession, open_page: Open, scheme: str, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    stories.swallowed_reply(db)
    stories.tool_work(db)
    stories.family(db)
    stories.long(db, 120)
    db.commit()
    rules = {
        "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
    }
    found = []
    for path in ("/c/invoices-after", "/c/tool-work", "/c/family", "/c/long", "/c/family?view=session"):
        page = open_page(path, color_scheme=scheme, viewport=SIZES[width])
        page.evaluate("document.querySelectorAll('.transcript details').forEach(one => one.open = true)")
        # At the top: what a reader has scrolled half under the sticky line is no small target.
        page.wait_for_function("() => { scrollTo({ top: 0, behavior: 'instant' }); return scrollY === 0 }")
        for one in Axe().run(page, options=rules).response["violations"]:
            if one["impact"] in ("serious", "critical") or one["id"] in ("target-size", "heading-order"):
                found.append((path, one["id"], one["nodes"][0]["html"]))
    assert found == []


def test_facts_under_the_title_are_never_cut_in_a_word(
    db: OrmSession, open_page: Open, size: dict[str, int]
) -> None:
    stories.swallowed_reply(db)
    row = db.scalars(select(Conversation)).one()
    row.model, row.session_count = "anthropic/claude-opus-4.5-20251101-1m", 14
    db.commit()
    page = open_page("/c/invoices-after", viewport=size)
    facts = page.locator(".conversation-facts")
    cut = """box => { const edge = box.getBoundingClientRect().right;
        return [...box.children].filter(one => one.getBoundingClientRect().right > edge + 1
            || one.matches('.badge') && one.scrollWidth > one.clientWidth + 1).length; }"""
    assert facts.locator(":scope > *").count() >= 5
    if size["width"] >= 1280:
        assert facts.evaluate(cut) == 0
    else:  # a phone's line is drawn by a finger, and fades where it goes on
        assert facts.evaluate("box => getComputedStyle(box).maskImage").startswith("linear-gradient")
