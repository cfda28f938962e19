"""The ledger: every order and filter, page after page, each order walked along its index."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.messages import CompactionStatus
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.ledger import CompactionListing, LedgerOrder, list_compactions
from hermes_sessions.store.queries.paging import TimeCursor
from hermes_sessions.store.schema.models import Compaction, Finding, Session
from tests.builders import NOON, a_compaction, a_conversation, an_origin
from tests.statements import plan_of, recorded

COLUMN = {
    "newest": "finished_at",
    "oldest": "finished_at",
    "least-kept": "retained",
    "most-kept": "retained",
    "most-saved": "saved_tokens",
    "least-saved": "saved_tokens",
    "worst": "worst_rank",
    "mildest": "worst_rank",
}


def an_event(db: OrmSession, **columns: Any) -> Compaction:
    conversation = a_conversation(
        db, **{name: columns.pop(name) for name in ("origin", "id") if name in columns}
    )
    root = db.get_one(Session, conversation.root_id)
    return a_compaction(db, root, realisation="in_place", **columns)


@pytest.fixture
def store(db: OrmSession, database: Database) -> Database:
    """Compactions whose every value is there, missing, repeated, and hard to write down."""
    for number in range(14):
        known = number % 4 != 3
        an_event(
            db,
            finished_at=NOON + number // 2 + 1 / 3 if known else None,
            retained=(number % 5) / 7 / 10**number if known else None,
            saved_tokens=(number - 4) * 1_000 if known else None,
            worst_rank=number % 3 if known else None,
        )
    db.commit()
    return database


def ids(database: Database, **asked: Any) -> list[int]:
    with database.read() as db:
        return [row.id for row in list_compactions(db, CompactionListing(**asked)).items]


@pytest.mark.parametrize("order", LedgerOrder)
def test_what_is_known_is_sorted_and_the_rest_stands_last(store: Database, order: LedgerOrder) -> None:
    with store.read() as db:
        rows = list_compactions(db, CompactionListing(sort=order, limit=100)).items
    values = [getattr(row, COLUMN[order]) for row in rows]
    known = [value for value in values if value is not None]
    assert len(rows) == 14
    assert values == sorted(known, reverse=order.falls) + [None] * (14 - len(known))


@pytest.mark.parametrize("order", LedgerOrder)
def test_pages_forth_and_back_meet_every_row_once(store: Database, order: LedgerOrder) -> None:
    every = ids(store, sort=order, limit=100)
    forth: list[int] = []
    cursor: TimeCursor | None = None
    with store.read() as db:
        for _ in range(20):
            page = list_compactions(db, CompactionListing(sort=order, before=cursor, limit=3))
            forth += [row.id for row in page.items]
            if page.next is None:
                break
            cursor = TimeCursor.parse(str(page.next))
        back: list[int] = []
        last = page.previous
        assert last is not None
        tail = [row.id for row in page.items]
        while last is not None:
            page = list_compactions(
                db, CompactionListing(sort=order, after=TimeCursor.parse(str(last)), limit=3)
            )
            back = [row.id for row in page.items] + back
            last = page.previous
    assert forth == back + tail == every


FILTERS: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({"realisation": "native"}, {"realisation": "native"}),
    ({"status": "undone"}, {"status": "undone"}),
    ({"method": "fallback"}, {"method": "fallback"}),
    ({"severity": "warning"}, {"worst_rank": 1}),
    ({"below": "60 %"}, {"retained": 0.59}),
    ({"origin": "laptop"}, {"origin": "laptop"}),
    ({"conversation": "chosen"}, {"id": "chosen"}),
    ({"rule": "no-receipt"}, {"rule": "no-receipt"}),
]


@pytest.mark.parametrize(("asked", "columns"), FILTERS, ids=[next(iter(asked)) for asked, _ in FILTERS])
def test_each_filter_keeps_what_it_names(
    db: OrmSession, database: Database, asked: dict[str, str], columns: dict[str, Any]
) -> None:
    an_event(db, retained=0.6, worst_rank=0)
    if "origin" in columns:
        columns = {"origin": an_origin(db, label=columns["origin"])}
    wanted = a_chosen(db, **{name: value for name, value in columns.items() if name != "rule"})
    if "rule" in columns:
        db.add(a_finding(wanted, columns["rule"]))
    db.commit()
    with database.read() as reader:
        found = list_compactions(reader, CompactionListing.from_args(asked)).items
    assert [row.id for row in found] == [wanted.id]


def a_chosen(db: OrmSession, **columns: Any) -> Compaction:
    realisation = columns.pop("realisation", "in_place")
    kept = {name: columns.pop(name) for name in ("origin", "id") if name in columns}
    root = db.get_one(Session, a_conversation(db, **kept).root_id)
    return a_compaction(db, root, **{"realisation": realisation, "retained": 0.9, **columns})


def a_finding(about: Compaction, rule: str) -> Finding:
    return Finding(
        rule=rule,
        severity="error",
        rules_version="1",
        conversation_id=about.conversation_id,
        compaction_id=about.id,
        created_at=NOON,
    )


def test_an_unknown_conversation_is_no_empty_ledger(store: Database) -> None:
    with pytest.raises(NotFoundError):
        ids(store, conversation="nothing")


@pytest.mark.parametrize(
    "bad",
    [{"realisation": "x"}, {"status": "x"}, {"method": "x"}, {"severity": "x"}, {"sort": "time"},
     {"below": "many"}, {"below": "101"}, {"below": "-1"}, {"below": "١"}, {"below": "nan"}, {"limit": "0"}],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(bad: dict[str, str]) -> None:
    with pytest.raises(InvalidQueryError):
        CompactionListing.from_args(bad)


@pytest.mark.parametrize("value", [1 / 3, 1e-7, 2 / 3e9, 0.0, 1.0, -12_345.0, NOON + 1 / 3, None])
def test_a_cursor_brings_back_the_same_number(value: float | None) -> None:
    again = TimeCursor.parse(str(TimeCursor(value, 7))).at
    assert again == value


@pytest.mark.sqlite_only("plans in SQLite's words")
@pytest.mark.parametrize("order", LedgerOrder)
@pytest.mark.parametrize("place", ["first", "next", "before", "unknown"])
def test_every_order_walks_its_index(store: Database, order: LedgerOrder, place: str) -> None:
    with store.write() as db:
        db.execute(text("ANALYZE"))
    cursor = TimeCursor(0.5, 5)
    listing = {
        "first": CompactionListing(sort=order),
        "next": CompactionListing(sort=order, before=cursor),
        "before": CompactionListing(sort=order, after=cursor),
        "unknown": CompactionListing(sort=order, before=TimeCursor(None, 9)),
    }[place]
    narrow = replace(
        listing,
        severity="info",
        below=0.9,
        rule="invented",
        origin="laptop",
        status=CompactionStatus.COMMITTED,
    )
    with store.read() as db, recorded(store) as statements:
        list_compactions(db, listing)
        list_compactions(db, narrow)
    plan = plan_of(store, statements)
    assert not [line for line in plan if "TEMP B-TREE" in line]
    assert not [line for line in plan if line.startswith("SCAN") and "INDEX" not in line]
    assert any(f"ix_compactions_{COLUMN[order]}" in line for line in plan)
