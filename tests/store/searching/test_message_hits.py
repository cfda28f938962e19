"""Filters, orders, pages and bounds of a search, the same on both engines."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.language.query_text import parse_query
from hermes_sessions.store.schema.models import Conversation, Message, Session
from hermes_sessions.store.searching import message_hits as searching
from hermes_sessions.store.searching import search_plan
from hermes_sessions.store.searching.message_hits import HitPage, Order, Search, find_hits
from hermes_sessions.store.searching.title_hits import find_conversations, find_named
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session, an_origin

NOW = datetime.fromtimestamp(NOON, UTC) + timedelta(days=10)


def find(db: OrmSession, typed: str, **more: Any) -> HitPage:
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
    with pytest.raises(InvalidQueryError, match="cursor"):
        find_named(db, Search.of("apple in:title", NOW, cursor=cursor, order=order))


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
    assert named(db, typed) == expected


def named(db: OrmSession, typed: str) -> list[tuple[str, str]]:
    """Return (id, where) of the conversations that the words name."""
    found = find_conversations(db, parse_query(typed, NOW)).found
    names = {row.id: row.public_id for row in db.query(Conversation)}
    return [(names[key], where) for key, where in found]


@pytest.mark.parametrize(
    ("title", "typed"),
    [
        ("Überschrift café", "cafe"),
        ("Überschrift café", "uberschrift"),
        ("Überschrift café", "ÜBERSCHRIFT"),
        ("Überschrift café", "schrift CAFÉ"),
        ("Ein Cafe\u0301", "café"),
        ("plain cafe menu", "Café"),
        ("Release Notes ＡＢＣ", "abc"),
        ("Release Notes ABC", "ａｂｃ"),
        ("Release Notes ABC", "notes*"),
        ("Release Notes – ABC", '"notes – abc"'),
        ("Привет, мир", "ПРИВЕТ"),
        ("Łódź", "łodz"),
        ("سَلام عليكم", "سلام"),
        ("我们提交了代码", "提交"),
        ("半角ｶﾀｶﾅ", "カタカナ"),
        ("shipped 🎉", "🎉"),
        ("tab\there, 100% of foo_bar", "100%"),
        ("100% of Größe_bar", "größe_bar"),
    ],
)
def test_a_title_is_folded_as_messages_are(db: OrmSession, title: str, typed: str) -> None:
    a_conversation(db, id="wanted", title=title)
    a_conversation(db, id="other", title="something else")
    assert named(db, typed) == [("wanted", "title")]


@pytest.mark.parametrize(
    ("title", "typed"),
    [
        ("Überschrift café", "tea"),
        ("Überschrift café", "cafe -uberschrift"),
        ("Cafe", "cafe -CAFÉ"),
        ("Café 100 percent", "100%"),
        ("Café a_b", "a%b"),
        ("ABC", "Ä提"),
    ],
)
def test_another_title_is_not_found(db: OrmSession, title: str, typed: str) -> None:
    a_conversation(db, id="other", title=title)
    assert named(db, typed) == []


def test_a_folder_is_folded_too(db: OrmSession) -> None:
    a_conversation(db, id="wanted", cwd="/home/Jürgen/café")
    assert named(db, "jurgen/cafe") == [("wanted", "folder")]
    assert named(db, "jurgen") == []


@pytest.mark.parametrize("limit", [1, 2, 3, 20, 21])
def test_in_title_pages_through_all_of_them(db: OrmSession, limit: int) -> None:
    made = [
        # A few of one time: the page must end between them all the same.
        a_conversation(
            db, id=f"c{at}", title=f"Dèploy {at}" if at % 2 else "deploy", started_at=NOON + at // 4
        )
        for at in range(20)
    ]
    a_conversation(db, id="deploy-by-id", title="x", started_at=NOON - 1)
    wanted = [row.id for row in sorted(made, key=lambda row: (row.last_active_at, row.id), reverse=True)]
    found, cursor = [], None
    while True:
        page = find_named(db, Search.of("in:title deploy", NOW, limit=limit, cursor=cursor))
        assert page.total == 21
        assert len(page.found) <= limit
        found += [key for key, _ in page.found]
        cursor = page.next
        if cursor is None:
            break
    assert found[1:] == wanted
    assert db.get_one(Conversation, found[0]).public_id == "deploy-by-id"


def test_ids_that_very_many_share_do_not_bury_titles(db: OrmSession) -> None:
    for at in range(12):
        a_conversation(db, id=f"2026{at:02}", title="x", started_at=NOON + at)
    a_conversation(db, id="wanted", title="Plans for 2026", started_at=NOON + 86_400)
    page = find_conversations(db, parse_query("2026", NOW))
    assert (page.total, named(db, "2026")[0]) == (13, ("wanted", "title"))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("in:title", "type a word"),
        ("in:title deploy role:user", "leave them or in:title out"),
        ("in:title x", ""),
    ],
)
def test_titles_alone_explain_what_cannot_be_found(typed: str, said: str) -> None:
    notes = parse_query(typed, NOW).notes
    assert (said in notes[0]) if said else not notes


def test_without_titles_messages_alone_are_found(db: OrmSession) -> None:
    conversation = a_conversation(db, title="deploy")
    a_message(db, db.get_one(Session, conversation.root_id), "deploy it")
    assert find_named(db, Search.of("-in:title deploy", NOW)).found == ()
    assert len(find_hits(db, Search.of("-in:title deploy", NOW)).hits) == 1


def test_beside_messages_a_few_stand_and_all_are_counted(db: OrmSession) -> None:
    for at in range(20):
        a_conversation(db, title=f"deploy {at}")
    first = find_named(db, Search.of("deploy", NOW))
    assert (len(first.found), first.total, first.next) == (6, 20, None)
    for at in range(100):
        a_conversation(db, title="déploy" if at % 2 else "deploy")
    assert find_named(db, Search.of("deploy", NOW)).total == 100
    assert find_named(db, Search.of("in:title deploy", NOW)).total == 120
    following = find_named(db, Search.of("deploy", NOW, cursor="5"))
    assert (following.found, following.total) == ((), None)
