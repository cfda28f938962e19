"""Merged pages in a browser: accessible, within the window, and growing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from hermes_sessions.web.fleet.front import create_fleet_app
from tests.browser.conftest import Open
from tests.builders import a_conversation, a_message
from tests.web import stories

ADDRESSES = ("/", "/compactions", "/search?q=invoices", "/overview?range=all", "/stores")
NAMES = ("blue", "a-team-whose-name-goes-on-and-on-and-on-until-it-fits-no-line")


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """Two stores with a bit of everything."""
    made = [str(tmp_path / f"{name}.db") for name in NAMES]
    for path in made:
        with Database.open(path) as database, database.write() as db:
            stories.swallowed_reply(db)
            stories.family(db)
    return made


@pytest.fixture
def app(paths: list[str], tmp_path: Path) -> Iterator[Flask]:
    """The viewer of both, and of one that is not there."""
    fleet = Fleet.open([*paths, str(tmp_path / "away.db")])
    yield create_fleet_app(fleet)
    fleet.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_merged_pages_are_accessible_and_within_the_window(open_page: Open, scheme: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    found: list[Any] = []
    for path in (*ADDRESSES, f"/s/{NAMES[1]}/"):
        page = open_page(path, color_scheme=scheme, viewport={"width": width, "height": 900})
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            found.append((path, "reaches over the edge"))
        for one in Axe().run(page).response["violations"]:
            if one["impact"] in ("serious", "critical"):
                found.append((path, one["id"], one["nodes"][0]["html"]))
    assert found == []


def test_a_new_conversation_comes_into_the_merged_list(open_page: Open, paths: list[str]) -> None:
    page = open_page("/")
    with Database.open(paths[0]) as database, database.write() as db:
        talk = a_conversation(db, id="fresh", title="Just begun", started_at=4_000_000_000.0)
        a_message(db, db.get_one(Session, talk.tip_id))
    page.get_by_text("Just begun").wait_for()
