"""A search over many stores comes to every hit, however many rows before it are none."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from hermes_sessions.messages import ConversationKind
from hermes_sessions.store.fleet import hit_places, merged_search
from hermes_sessions.store.fleet.hit_places import HitPlace
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.merged_search import search_merged
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from hermes_sessions.store.searching import message_hits
from hermes_sessions.store.searching.message_hits import Search
from tests.builders import NOON, a_conversation, a_message
from tests.store.fleet.conftest import MakeUrls


def test_a_page_without_hits_leads_on_to_older_ones(
    make_urls: MakeUrls, open_fleet: Callable[[list[str]], Fleet], monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = make_urls("blue", "red")
    for url in urls:
        with Database.open(url) as database, database.write() as db:
            old = a_conversation(db, id="old", started_at=NOON)
            a_message(db, db.get_one(Session, old.tip_id), "The needle.")
            thrown = a_conversation(db, id="thrown", kind=ConversationKind.TRASH, started_at=NOON + 3600)
            session = db.get_one(Session, thrown.tip_id)
            for number in range(40):
                a_message(db, session, f"A needle that was thrown away {number}.")
    monkeypatch.setattr(merged_search, "_ROUNDS", 1)
    monkeypatch.setattr(hit_places, "NEAR_ROWS", 2)
    monkeypatch.setattr(hit_places, "FEWEST_NEAR", 2)
    monkeypatch.setattr(message_hits, "_BATCHES", (2,))
    fleet = open_fleet(urls)
    wanted = Search.of("needle", datetime.now(UTC), limit=5)
    pages: list[list[str]] = []
    after = None
    while len(pages) < 40:
        found = search_merged(fleet, wanted, stores=fleet.names, after=after)
        pages.append([one.place.store for one in found.hits])
        if found.next is None:
            break
        after = HitPlace.parse(str(found.next))
    assert found.next is None
    assert pages[0] == []
    assert sorted(store for page in pages for store in page) == ["blue", "red"]
