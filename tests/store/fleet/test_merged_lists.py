"""Lists over many stores are what one would get by putting all rows into one list."""

from collections.abc import Callable, Mapping

import pytest

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.messages import ConversationKind
from hermes_sessions.store.fleet import merging
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.merged_lists import (
    conversations_by_key,
    list_merged,
    list_merged_compactions,
)
from hermes_sessions.store.fleet.merging import FleetCursor
from hermes_sessions.store.fleet.reading import Rows, ask
from hermes_sessions.store.fleet.together import StoreQuestion
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversation_order import ConversationOrder
from hermes_sessions.store.queries.conversations import ConversationListing
from hermes_sessions.store.queries.ledger import CompactionListing, LedgerOrder
from hermes_sessions.store.schema.models import Conversation, Session
from tests.builders import NOON, a_compaction, a_conversation, a_message
from tests.store.fleet.conftest import MakeUrls

OpenFleet = Callable[[list[str]], Fleet]
NAMES = ("blue", "green", "red")


@pytest.fixture
def fleet(make_urls: MakeUrls, open_fleet: OpenFleet) -> Fleet:
    """Three stores of seven conversations each, many at the same time, with compactions."""
    urls = make_urls(*NAMES)
    for at, url in enumerate(urls):
        with Database.open(url) as database, database.write() as db:
            for number in range(7):
                began = NOON + 100 * (number // 2) + (at if number % 3 else 0)
                talk = a_conversation(
                    db, id=f"talk-{number}", title=f"{NAMES[at]} {number}", started_at=began
                )
                session = db.get_one(Session, talk.tip_id)
                a_message(db, session, created_at=began)
                done = None if number == 5 else began
                a_compaction(db, session, realisation="in_place", finished_at=done, saved_tokens=number)
    return open_fleet(urls)


def walk(page_of: Callable[..., object], key: str) -> list[tuple[str, object]]:
    """Walk forwards to the end, then backwards to the beginning; both must show the same."""
    pages, before = [], None
    while True:
        page = page_of(before=before)
        pages.append([(one.store, getattr(one.row, key)) for one in page.items])  # type: ignore[attr-defined]
        last, before = page, page.next  # type: ignore[attr-defined]
        if before is None:
            break
    back, after = [pages[-1]], last.previous  # type: ignore[attr-defined]
    while after is not None:
        page = page_of(after=after)
        back.insert(0, [(one.store, getattr(one.row, key)) for one in page.items])  # type: ignore[attr-defined]
        after = page.previous  # type: ignore[attr-defined]
    assert back == pages
    return [row for rows in pages for row in rows]


@pytest.mark.parametrize("order", list(ConversationOrder))
@pytest.mark.parametrize("limit", [1, 4, 50])
def test_a_list_has_every_row_once_in_order(fleet: Fleet, order: ConversationOrder, limit: int) -> None:
    listing = ConversationListing(sort=order, limit=limit)
    found = walk(lambda **at: list_merged(fleet, listing, stores=fleet.names, **at), "id")
    expected = []
    for name in NAMES:
        whole = list_merged(fleet, ConversationListing(sort=order), stores=[name]).items
        expected += [(one.row.last_active_at, one.store, one.row.id) for one in whole]
    if order is ConversationOrder.ACTIVE:
        expected.sort(key=lambda one: (-one[0], one[1], -one[2]))
    else:  # equal values: by store, then the newest key
        expected.sort(key=lambda one: (one[1], -one[2]))
    assert found == [one[1:] for one in expected]


@pytest.mark.parametrize("order", list(LedgerOrder))
def test_a_ledger_has_every_row_once_those_without_a_value_last(fleet: Fleet, order: LedgerOrder) -> None:
    listing = CompactionListing(sort=order, limit=4)
    found = walk(lambda **at: list_merged_compactions(fleet, listing, stores=fleet.names, **at), "id")
    assert sorted(found) == sorted({(name, key) for name in NAMES for key in range(1, 8)})
    if order in (LedgerOrder.NEWEST, LedgerOrder.OLDEST):
        assert found[-3:] == [(name, 6) for name in NAMES]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 50])
@pytest.mark.parametrize("order", list(LedgerOrder))
def test_a_ledger_leaves_out_what_is_in_the_trash(fleet: Fleet, order: LedgerOrder, limit: int) -> None:
    gone = {"blue": (1, 7), "green": (4, 5, 6, 7), "red": (2,)}
    for name, keys in gone.items():
        with fleet.database(name).write() as db:
            for key in keys:
                db.get_one(Conversation, key).kind = ConversationKind.TRASH
    listing = CompactionListing(sort=order, limit=limit)
    found = walk(lambda **at: list_merged_compactions(fleet, listing, stores=fleet.names, **at), "id")
    shown = {(name, key) for name in NAMES for key in range(1, 8) if key not in gone[name]}
    assert len(found) == len(shown)
    assert set(found) == shown


def test_what_the_server_has_forgotten_is_planned_again(fleet: Fleet) -> None:
    before = list_merged(fleet, ConversationListing(), stores=fleet.names)
    for server, _ in fleet.servers():
        with server.opened().begin() as connection:
            connection.exec_driver_sql("DEALLOCATE ALL")
    assert list_merged(fleet, ConversationListing(), stores=fleet.names) == before


def test_filters_and_a_choice_of_stores_hold_in_each(fleet: Fleet) -> None:
    found = list_merged(fleet, ConversationListing(title="red"), stores=fleet.names)
    assert {one.store for one in found.items} == {"red"}
    found = list_merged(fleet, ConversationListing(), stores=["green"])
    assert {one.row.title.split()[0] for one in found.items if one.row.title} == {"green"}


@pytest.mark.parametrize("text", ["", "1_2", "x_1_red", "1_x_red", "1_2_a b", "1_2_%zz"])
def test_a_foreign_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidQueryError, match="not one of ours"):
        FleetCursor.parse(text)


def test_a_cursor_holds_any_name() -> None:
    for cursor in (FleetCursor(1.25, "a_b c%", 3), FleetCursor(None, "_", 1)):
        assert FleetCursor.parse(str(cursor)) == cursor


def test_a_long_list_is_loaded_a_few_keys_at_a_time(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def noting(of: Fleet, questions: Mapping[str, StoreQuestion]) -> Rows:
        asked.extend(len(one.keys) for one in questions.values())
        return ask(of, questions)

    monkeypatch.setattr(merging, "ask", noting)
    wanted = [("red", key) for key in range(1, 20_001)] + [("blue", key) for key in range(1, 8)]
    found = merging.load_by_key(fleet, wanted, conversations_by_key())
    assert sorted(found) == [(name, key) for name in ("blue", "red") for key in range(1, 8)]
    assert sum(asked) == len(wanted)
    assert max(asked) <= 5_000
