"""The audit's pages in a real browser: links that jump, accessibility, widths, attacks."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.opening.database import Database
from tests.browser.moves import follow
from tests.web import stories
from tests.web.auditing.audit_story import Audited, audited, store_findings

pytestmark = pytest.mark.browser
Open = Callable[..., Any]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def rows(db: OrmSession, database: Database) -> Audited:
    """A store with one audited conversation, and with odd ones."""
    rows = audited(db)
    stories.swallowed_reply(db)
    stories.family(db)
    db.commit()
    store_findings(database)
    return rows


def addresses(rows: Audited) -> tuple[str, ...]:
    numbers = range(rows.first.id, rows.first.id + 6)
    compactions = (f"/compactions/{number}" for number in numbers)
    return (
        *compactions, "/findings", "/findings?rule=invented", f"/m/{rows.answer.id}/seen", "/c/audited",
        "/compactions", "/",
    )  # fmt: skip


def open_all(page: Any) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.sqlite_only("what the browser makes of a page")
def test_no_page_has_an_accessibility_problem(
    rows: Audited, open_page: Open, scheme: str, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for path in addresses(rows):
        page = open_page(path, color_scheme=scheme, viewport={"width": width, "height": 900})
        open_all(page)
        violations = Axe().run(page).response["violations"]
        found += [(path, one["id"], one["nodes"][0]["html"]) for one in violations]
    assert found == []


@pytest.mark.parametrize("viewport", [PHONE, {"width": 320, "height": 600}, {"width": 1800, "height": 900}])
@pytest.mark.sqlite_only("what the browser makes of a page")
def test_nothing_reaches_over_the_edge(rows: Audited, open_page: Open, viewport: dict[str, int]) -> None:
    for path in addresses(rows):
        page = open_page(path, viewport=viewport)
        open_all(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def lefts(page: Any) -> list[float]:
    return [page.locator(name).bounding_box()["x"] for name in ("#before", "#handoff", "#after")]


@pytest.mark.sqlite_only("what the browser makes of a page")
def test_columns_stand_side_by_side_and_stack_on_a_phone(rows: Audited, open_page: Open) -> None:
    path = f"/compactions/{rows.first.id}"
    wide = lefts(open_page(path))
    assert wide[0] < wide[1] < wide[2]
    phone = open_page(path, viewport=PHONE, java_script_enabled=False)
    assert len(set(lefts(phone))) == 1
    follow(phone, phone.get_by_role("navigation", name="Columns").get_by_role("link", name="After"))
    assert phone.url.endswith("#after")


def test_a_lost_fact_and_a_claim_jump_to_their_message(rows: Audited, open_page: Open) -> None:
    page = open_page(f"/compactions/{rows.first.id}", java_script_enabled=False)
    follow(page, page.locator(".fact-chip.lost", has_text="INV-2291").first)
    assert page.url.endswith(f"#b-{rows.asked.id}")
    follow(page, page.locator(f"#b-{rows.asked.id}").get_by_role("link", name="claim 1", exact=True))
    assert page.url.endswith("#claim-1")


def test_a_separator_leads_to_its_audit_and_back(rows: Audited, open_page: Open) -> None:
    page = open_page("/c/audited")
    follow(page, page.locator(f"#compaction-{rows.first.id} .separator-link"))
    assert page.get_by_role("heading", level=1).inner_text().startswith("Compaction 1 of 2")
    follow(page, page.get_by_role("link", name="Its place in the conversation"))
    assert page.url.endswith(f"#compaction-{rows.first.id}")


def test_attacks_in_every_field_run_nothing(db: OrmSession, database: Database, open_page: Open) -> None:
    stories.hostile(db)
    db.commit()
    store_findings(database)
    for path in ("/compactions/1", "/findings", "/findings?rule=invented", "/m/1/seen", "/m/6/seen"):
        page = open_page(path)
        open_all(page)
        page.wait_for_timeout(50)
        assert page.evaluate("window.fired") is None, path
        assert page.locator("main script, main iframe, main style, main img[onerror]").count() == 0
