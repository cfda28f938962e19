"""A store whose tables are not as they should be is left out alone; the others answer."""

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DataError, ProgrammingError

from hermes_sessions.errors import QueryTimeoutError, StoreError, StoreUnavailableError
from hermes_sessions.store.engines.server_probe import locate_server
from hermes_sessions.store.engines.server_stores import drop_store
from hermes_sessions.store.fleet import members
from hermes_sessions.store.fleet.faults import fault_of_store
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.merged_lists import list_merged
from hermes_sessions.store.fleet.merged_overview import load_figures_of
from hermes_sessions.store.fleet.merged_search import search_merged
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import ConversationListing
from hermes_sessions.store.schema.models import Session
from hermes_sessions.store.searching.message_hits import Search
from tests.builders import a_conversation, a_message
from tests.store.fleet.conftest import MakeUrls
from tests.waiting import PATIENCE_SECONDS

NAMES = ("blue", "green", "red")


def _listed(fleet: Fleet) -> set[str]:
    return {one.store for one in list_merged(fleet, ConversationListing(), stores=NAMES).items}


def _found(fleet: Fleet) -> set[str]:
    wanted = Search.of("needle", datetime.now(UTC))
    return {one.place.store for one in search_merged(fleet, wanted, stores=NAMES).hits}


def _counted(fleet: Fleet) -> set[str]:
    return {name for name, _ in load_figures_of(fleet, NAMES, None)}


@pytest.mark.parametrize("ask", [_listed, _found, _counted])
def test_a_renamed_column_takes_one_store_away(
    make_urls: MakeUrls,
    open_fleet: Callable[[list[str]], Fleet],
    engine_name: str,
    ask: Callable[[Fleet], set[str]],
) -> None:
    urls = make_urls(*NAMES)
    for url in urls:
        with Database.open(url) as database, database.write() as db:
            talk = a_conversation(db, id="talk")
            a_message(db, db.get_one(Session, talk.tip_id), "The needle.")
    fleet = open_fleet(urls)
    assert ask(fleet) == set(NAMES)
    schema = "" if engine_name == "sqlite" else "green."
    with Database.open(urls[1]) as database, database.write() as db:
        db.execute(text(f"ALTER TABLE {schema}conversations RENAME COLUMN kind TO sort_of"))
    assert ask(fleet) == {"blue", "red"}
    problems = {one.name: one.problem for one in fleet.states() if one.problem is not None}
    assert list(problems) == ["green"]
    assert "its tables cannot be read" in problems["green"]
    assert len(problems["green"].splitlines()) == 1


def test_whose_fault_it_is() -> None:
    assert fault_of_store(StoreUnavailableError("away"), "x") == "away"
    assert fault_of_store(ProgrammingError("SELECT 1", {}, Exception("no column\nLINE 1")), "x") == (
        "x: its tables cannot be read (no column)"
    )
    assert fault_of_store(QueryTimeoutError("long"), "x") is None
    assert fault_of_store(DataError("SELECT 1", {}, Exception("out of range")), "x") is None
    assert fault_of_store(ZeroDivisionError(), "x") is None


def test_stores_in_files_need_no_driver_of_a_server() -> None:
    words = "import sys; sys.modules['psycopg'] = None; import hermes_sessions.web.fleet.front"
    subprocess.run([sys.executable, "-c", words], check=True)


def test_a_store_that_was_taken_away_says_so_by_its_own_address(
    make_urls: MakeUrls,
    open_fleet: Callable[[list[str]], Fleet],
    engine_name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(members, "LOOK_SECONDS", 0.0)
    urls = make_urls(*NAMES)
    fleet = open_fleet(urls)
    with fleet.database("green").read():
        pass
    if engine_name == "sqlite":
        Path(urls[1]).unlink()
    else:
        drop_store(locate_server(urls[1]), "green")
    end = time.monotonic() + PATIENCE_SECONDS
    while not any(one.problem for one in fleet.states()):
        assert time.monotonic() < end
        time.sleep(0.05)
    with pytest.raises(StoreError, match=r"green.*(no such store any more|was deleted while it was open)"):
        fleet.database("green")
