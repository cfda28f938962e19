"""The report of one compaction, opened as the file it is: accessible, within its width, without script."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.audit.report_html import render_html
from hermes_sessions.operations.auditing.compaction_report import load_report
from hermes_sessions.store.opening.database import Database
from tests.web import stories
from tests.web.auditing.audit_story import audited

pytestmark = [pytest.mark.browser, pytest.mark.sqlite_only("what the browser makes of a page")]


@pytest.fixture
def report(db: OrmSession, database: Database, tmp_path: Path) -> Path:
    """A report with findings, lost facts and claims; hostile titles and texts are in the other one."""
    key = audited(db).second.id
    db.commit()
    with database.read() as reader:
        path = tmp_path / "report.html"
        path.write_text(render_html(load_report(reader, key)), "utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_report_is_accessible_and_keeps_within_the_page(
    report: Path, browser: Any, scheme: Any, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True)
    page.goto(report.as_uri())
    problems = Axe().run(page).response["violations"]
    found = [(one["id"], one["nodes"][0]["html"][:200]) for one in problems]
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def test_no_text_of_a_report_is_off_a_phone(report: Path, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(report.as_uri())
    assert page.locator("td").count() > 20
    assert page.evaluate(
        "[...document.querySelectorAll('td')].every(one => one.getBoundingClientRect().right <= innerWidth)"
    )
    assert page.locator("td[data-label=fate]").first.is_visible()
    page.close()


def test_attacks_in_a_report_run_nothing(
    db: OrmSession, database: Database, browser: Any, tmp_path: Path
) -> None:
    stories.hostile(db)
    db.commit()
    with database.read() as reader:
        path = tmp_path / "hostile.html"
        path.write_text(render_html(load_report(reader, 1)), "utf-8")
    page = browser.new_page(bypass_csp=True)
    page.goto(path.as_uri())
    page.wait_for_timeout(50)
    assert page.evaluate("window.fired") is None
    page.close()
