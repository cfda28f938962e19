"""Filters, orders, pages and bounds of a search, the same on both engines."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.models import Conversation, Message, Session
from hermes_sessions.store.queries import search as searching
from hermes_sessions.store.queries import search_plan
from hermes_sessions.store.queries.search import Found, Order, Search, find_hits
from hermes_sessions.store.queries.search_titles import find_conversations
from hermes_sessions.store.query_text import parse_query
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session, an_origin

NOW = datetime.fromtimestamp(NOON, UTC) + timedelta(days=10)


def find(db: OrmSession, typed: str, **more: Any) -> Found:
    return find_hits(db, Search.of(typed, NOW, **more))


def ids(db: OrmSession, typed: str, **more: Any) -> list[int]:
    return [hit.id for hit in find(db, typed, **more).hits]


def a_root(db: OrmSession, **columns: Any) -> Session:
    return db.get_one(Session, a_conversation(db, **columns).root_id)


def call(name: str, **arguments: Any) -> str:
    return json.dumps([{"id": "call_7f", "function": {"name": name, "arguments": json.dumps(arguments)}}])


@pytest.fixture
def rows(db: OrmSession) -> dict[str, Message]:
    """One message of each kind, every one with the word apple."""
    laptop = an_origin(db, label="laptop")
    chat = a_root(db, id="chat-1", title="Pick fruit", source="telegram", model="opus-4", origin=laptop)
    work = a_root(db, id="work-1", title="Écoute", source="cli", model="gpt-5", started_at=NOON + 86_400)
    helper = a_root(db, id="help-1", kind="delegate", source="cli", started_at=NOON + 2 * 86_400)
    failed = json.dumps({"output": "apple", "exit_code": 2})
    of_chat = db.get_one(Conversation, chat.conversation_id)
    child = a_session(db, of_chat, id="chat-2", source="telegram", model="opus-4")
    summary = a_message(db, child, "apple summary", kind="handoff")
    compaction = a_compaction(db, child, handoff=summary)
    return {
        "asked": a_message(db, chat, "apple pie", archived_by=compaction.id),
        "undone": a_message(db, chat, "apple no", state="rewound"),
        "answer": a_message(db, work, "apple\n```\ncode\n```", role="assistant"),
        "calls": a_message(
            db, work, None, role="assistant", tool_calls=call("read_file", path="src/apple.py")
        ),
        "result": a_message(db, work, failed, role="tool", tool_name="read_file", tool_call_id="call_7f"),
        "help": a_message(db, helper, "apple at https://a.example"),
        "summary": summary,
    }


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("apple role:user", {"asked", "undone", "help", "summary"}),
        ("apple role:assistant", {"answer", "calls"}),
        ("apple -role:user", {"answer", "calls", "result"}),
        ("apple tool:read_file", {"calls", "result"}),
        ("apple tool:read", {"calls", "result"}),
        ("apple tool:read_f*", {"calls", "result"}),
        ("tool:write", set()),
        ("apple in:handoff", {"summary"}),
        ("apple in:archived", {"asked"}),
        ("apple in:undone", {"undone"}),
        ("apple -in:undone -in:archived -in:handoff source:telegram", set()),
        ("has:error", {"result"}),
        ("has:code", {"answer"}),
        ("has:link", {"help"}),
        ("has:call", {"calls"}),
        ("apple source:telegram", {"asked", "undone", "summary"}),
        ("apple source:TELEGRAM", {"asked", "undone", "summary"}),
        ("apple -source:cli", {"asked", "undone", "summary"}),
        ("apple model:opus", {"asked", "undone", "summary"}),
        ("apple origin:laptop", {"asked", "undone", "summary"}),
        ("apple -origin:laptop", {"answer", "calls", "result", "help"}),
        ("apple conv:chat-2", {"asked", "undone", "summary"}),
        ("apple conv:work", {"answer", "calls", "result"}),
        ("apple kind:delegate", {"help"}),
        ("apple after:2026-01-03", {"help"}),
        ("apple before:2026-01-02", {"asked", "undone", "summary"}),
        ("after:2026-01-03", {"help"}),
        ("call_7f", {"calls", "result"}),
        ("src/apple.py", {"calls"}),
        ("apple -pie -no role:user", {"help", "summary"}),
        ("pie OR summary", {"asked", "summary"}),
    ],
)
def test_filters(db: OrmSession, rows: dict[str, Message], typed: str, expected: set[str]) -> None:
    names = {row.id: name for name, row in rows.items()}
    assert {names[one] for one in ids(db, typed)} == expected


def test_a_filter_of_many_sessions_finds_the_same(
    db: OrmSession, rows: dict[str, Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_marks = ids(db, "apple source:cli"), ids(db, "apple -model:gpt"), ids(db, "source:cli")
    monkeypatch.setattr(search_plan, "FEW_SESSIONS", 0)
    assert (ids(db, "apple source:cli"), ids(db, "apple -model:gpt"), ids(db, "source:cli")) == by_marks


def test_a_filter_that_fits_nothing_says_what_there_is(db: OrmSession, rows: dict[str, Message]) -> None:
    assert "there are: cli, telegram" in find(db, "apple source:slack").notes[0]
    assert "no conversation has the id nowhere" in find(db, "apple conv:nowhere").notes[0]


@pytest.mark.parametrize("order", list(Order))
def test_pages_follow_each_other_without_gap_or_repeat(db: OrmSession, order: Order) -> None:
    root = a_root(db)
    wanted = [a_message(db, root, f"pear {'pear ' * (number % 4)}").id for number in range(23)]
    found, cursor = [], None
    while True:
        page = find(db, "pear", order=order, limit=5, cursor=cursor)
        found += [hit.id for hit in page.hits]
        cursor = page.next
        if cursor is None:
            break
    assert sorted(found) == wanted
    if order is Order.NEWEST:
        assert found == wanted[::-1]


def test_relevance_prefers_what_is_about_it(db: OrmSession) -> None:
    root = a_root(db)
    about = a_message(db, root, "plum plum plum")
    a_message(db, root, "a plum among very many other words that are about something else " * 3)
    assert ids(db, "plum", order=Order.RELEVANCE)[0] == about.id
    assert ids(db, "plum")[-1] == about.id


def test_looking_stops_at_a_bound_and_goes_on(db: OrmSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "_BATCHES", (3, 4))
    root = a_root(db)
    old = a_message(db, root, "fig", state="rewound")
    for _ in range(10):
        a_message(db, root, "fig")
    first = find(db, "fig in:undone")
    assert (first.hits, first.cut_short, first.looked_at) == ((), True, 7)
    second = find(db, "fig in:undone", cursor=first.next)
    assert [hit.id for hit in second.hits] == [old.id]
    assert (second.cut_short, second.next) == (False, None)


def test_what_is_in_the_trash_takes_no_place_on_a_page(db: OrmSession) -> None:
    kept = a_root(db)
    wanted = [a_message(db, kept, "lime").id for _ in range(2)]
    trashed = a_root(db, kind="trash", started_at=NOON + 9_000)
    for _ in range(4):
        a_message(db, trashed, "lime")
    page = find(db, "lime", limit=3)
    assert [hit.id for hit in page.hits] == wanted[::-1]
    assert (page.cut_short, page.next) == (False, None)


@pytest.mark.parametrize("typed", ["q*", "码"])
@pytest.mark.parametrize("rare", [True, False])
def test_a_very_short_beginning_is_found(db: OrmSession, typed: str, rare: bool) -> None:
    root = a_root(db)
    wanted = [a_message(db, root, "quince 代码").id for _ in range(2 if rare else 30)]
    a_message(db, root, "nothing of it")
    assert ids(db, typed, limit=20) == wanted[::-1][:20]


@pytest.mark.parametrize("cursor", ["x", "1.2.3", "-5", "9" * 30, "٣"])
@pytest.mark.parametrize("order", list(Order))
def test_a_cursor_that_is_none_of_ours_is_told(db: OrmSession, cursor: str, order: Order) -> None:
    with pytest.raises(InvalidQueryError, match="cursor"):
        find(db, "apple", cursor=cursor, order=order)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("fruit", [("chat-1", "title")]),
        ("PICK fruit", [("chat-1", "title")]),
        ("pick -fruit", []),
        ("écoute", [("work-1", "title")]),
        ("chat-2", [("chat-1", "id")]),
        ("help", [("help-1", "id")]),
        ("fruit source:cli", []),
        ("fruit source:telegram", [("chat-1", "title")]),
        ("fruit role:user", []),
        ("100%", []),
    ],
)
def test_titles_and_ids(
    db: OrmSession, rows: dict[str, Message], typed: str, expected: list[tuple[str, str]]
) -> None:
    found = find_conversations(db, parse_query(typed, NOW))
    names = {row.id: row.public_id for row in db.query(Conversation)}
    assert [(names[key], where) for key, where in found] == expected
