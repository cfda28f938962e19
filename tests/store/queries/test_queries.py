"""Questions to the store: what they find, in which order, at which cost."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.errors import AmbiguousIdError, InvalidQueryError, NotFoundError
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import (
    ConversationListing,
    get_conversation,
    list_conversations,
    list_facets,
)
from hermes_sessions.store.queries.find_session import find_session
from hermes_sessions.store.queries.ledger import CompactionListing, list_compactions
from hermes_sessions.store.queries.lineage import load_family, load_hidden, load_offshoots
from hermes_sessions.store.queries.paging import ScrollPlace, TimeCursor
from hermes_sessions.store.queries.windows import View, WindowQuery, find_prompt, load_window
from hermes_sessions.store.schema.models import Conversation, Session
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session, an_origin, messages
from tests.statements import plan_of, recorded
from tests.web.stories import chain, family, long, swallowed_reply


def listed(db: OrmSession, **filters: Any) -> list[str]:
    return [row.public_id for row in list_conversations(db, ConversationListing(**filters)).items]


# -- the list --------------------------------------------------------------------------------------


def test_newest_activity_comes_first_and_ids_break_ties(db: OrmSession) -> None:
    for name, at in (("a", NOON), ("b", NOON + 5), ("c", NOON)):
        a_message(db, root_of(db, a_conversation(db, id=name, started_at=at)), created_at=at)
    assert listed(db) == ["b", "c", "a"]


def test_chats_leave_out_archived_empty_and_other_kinds(db: OrmSession) -> None:
    a_message(db, root_of(db, a_conversation(db, id="chat")))
    a_message(db, root_of(db, a_conversation(db, id="old", archived=True)))
    a_message(db, root_of(db, a_conversation(db, id="job", kind="scheduled")))
    a_conversation(db, id="empty")
    assert listed(db) == ["chat"]
    assert listed(db, kind="scheduled") == ["job"]
    assert listed(db, archived=True) == ["old"]
    assert sorted(listed(db, kind="all")) == ["chat", "empty", "job", "old"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"source": "telegram"}, ["t"]),
        ({"model": "model-b"}, ["m"]),
        ({"origin": "laptop"}, ["o"]),
        ({"since": NOON + 1000}, ["late"]),
        ({"until": NOON - 1000}, ["early"]),
        ({"compacted": True}, ["c"]),
    ],
)
def test_each_filter_keeps_what_it_names(
    db: OrmSession, filters: dict[str, Any], expected: list[str]
) -> None:
    given: dict[str, dict[str, Any]] = {
        "t": {"source": "telegram"},
        "m": {"model": "model-b"},
        "o": {"origin": an_origin(db, label="laptop")},
        "late": {"started_at": NOON + 5000},
        "early": {"started_at": NOON - 5000},
        "c": {},
    }
    for name, columns in given.items():
        root = root_of(db, a_conversation(db, id=name, **columns))
        a_message(db, root, created_at=root.started_at)
        if name == "c":
            a_compaction(db, root, realisation="in_place")
    assert listed(db, **filters) == expected


def test_pages_forth_and_back_meet_every_row_once(db: OrmSession) -> None:
    for number in range(23):
        root = root_of(db, a_conversation(db, id=f"s{number}", started_at=NOON + number // 3))
        a_message(db, root, created_at=root.started_at)
    everything = listed(db, limit=100)
    assert walk(db, lambda cursor: {"before": cursor}, "next") == everything
    last = list_conversations(db, ConversationListing(limit=100)).items[-1]
    start = TimeCursor(last.last_active_at, last.id)
    back = walk(db, lambda cursor: {"after": cursor or start}, "previous")
    assert back == everything[:-1]


def walk(db: OrmSession, step: Callable[[TimeCursor | None], dict[str, Any]], link: str) -> list[str]:
    """Follow one kind of link to the end; pages are put together in the listing's order."""
    found: list[str] = []
    cursor: TimeCursor | None = None
    for _ in range(20):
        page = list_conversations(db, ConversationListing(limit=4, **step(cursor)))
        ids = [row.public_id for row in page.items]
        found = found + ids if link == "next" else ids + found
        cursor = getattr(page, link)
        if cursor is None:
            break
        cursor = TimeCursor.parse(str(cursor))
    return found


def test_the_list_takes_two_statements_whatever_its_size(db: OrmSession, database: Database) -> None:
    for number in range(60):
        a_message(db, root_of(db, a_conversation(db, source=f"source-{number % 5}")))
    db.commit()
    for limit in (1, 50):
        with database.read() as reader, recorded(database) as statements:
            list_conversations(reader, ConversationListing(limit=limit))
            list_facets(reader)
        assert len(statements) == 2


def test_facets_name_every_source_and_origin_once(db: OrmSession) -> None:
    origin = an_origin(db, label="laptop")
    for source in ("cli", "telegram", "cli", None):
        a_conversation(db, origin=origin, source=source)
    facets = list_facets(db)
    assert facets.sources == ("cli", "telegram")
    assert facets.origins == ("laptop",)


@pytest.mark.parametrize(
    "text", ["", "x", "1", "1_", "nan_1", "1e5_3", "1_2_3", "_4", "1_99999999999999999999"]
)
def test_a_cursor_that_no_page_gave_out_is_refused(text: str) -> None:
    with pytest.raises(InvalidQueryError):
        TimeCursor.parse(text)


@pytest.mark.parametrize("at", [0.0, 1763712000.2534223, 1.1e9 + 1 / 3, None])
def test_a_cursor_survives_the_url(at: float | None) -> None:
    assert TimeCursor.parse(str(TimeCursor(at, 7))) == TimeCursor(at, 7)


@pytest.mark.parametrize(
    "bad", [{"kind": "x"}, {"since": "soon"}, {"compacted": "1"}, {"limit": "0"}, {"limit": "١"}]
)
def test_a_filter_that_makes_no_sense_is_refused(bad: dict[str, str]) -> None:
    with pytest.raises(InvalidQueryError):
        ConversationListing.from_args(bad)


# -- finding ---------------------------------------------------------------------------------------


def test_any_member_or_unique_prefix_finds_the_conversation(db: OrmSession) -> None:
    conversation = a_conversation(db, id="20260101_root")
    a_session(db, conversation, id="20260102_tip")
    assert get_conversation(db, "20260102_tip").public_id == "20260101_root"
    assert get_conversation(db, "20260102").public_id == "20260101_root"
    assert get_conversation(db, "2026010").public_id == "20260101_root"


def test_a_prefix_of_several_conversations_names_them(db: OrmSession) -> None:
    a_conversation(db, id="same-1")
    a_conversation(db, id="same-2")
    with pytest.raises(AmbiguousIdError) as error:
        get_conversation(db, "same-")
    assert error.value.candidates == ("same-1", "same-2")


def test_an_exact_id_wins_over_what_it_begins(db: OrmSession) -> None:
    a_conversation(db, id="a")
    a_conversation(db, id="ab")
    assert get_conversation(db, "a").public_id == "a"


@pytest.mark.parametrize("id", ["", "nothing", "\ud800", "nul\0inside", "\U0010ffff", "%", "_"])
def test_an_unknown_id_is_not_found(db: OrmSession, id: str) -> None:
    a_conversation(db, id="known")
    with pytest.raises(NotFoundError):
        get_conversation(db, id)


@pytest.mark.parametrize("id", ["../..", "a/b", "with space", "nul\ufffdinside", "100%", "~tilde", "名前"])
def test_any_text_is_an_id(db: OrmSession, id: str) -> None:
    conversation = a_conversation(db, id=id)
    assert find_session(db, id) == (conversation.root_id, conversation.id)


# -- windows ---------------------------------------------------------------------------------------


def positions(db: OrmSession, conversation: Conversation, **query: Any) -> list[tuple[int, int]]:
    window = load_window(db, conversation.id, WindowQuery(**query))
    return [(row.ordinal, row.position) for row in window.rows]


@pytest.mark.parametrize("limit", [1, 3, 7, 50])
def test_windows_in_both_directions_meet_every_row_once(db: OrmSession, limit: int) -> None:
    conversation = chain(db, 12)
    every = positions(db, conversation, limit=1000)
    forth: list[tuple[int, int]] = []
    after = None
    while True:
        window = load_window(db, conversation.id, WindowQuery(after=after, limit=limit))
        forth += [(row.ordinal, row.position) for row in window.rows]
        if window.following is None:
            break
        after = ScrollPlace(*forth[-1])
    back: list[tuple[int, int]] = []
    before = ScrollPlace(999, 0)
    while True:
        window = load_window(db, conversation.id, WindowQuery(before=before, limit=limit))
        back = [(row.ordinal, row.position) for row in window.rows] + back
        if window.previous is None:
            break
        before = ScrollPlace(*back[0])
    assert forth == back == every
    assert len(every) == 23


def test_a_window_never_parts_a_call_from_its_results(db: OrmSession) -> None:
    conversation = a_conversation(db)
    messages(db, root_of(db, conversation), "uatttuatttua")
    for limit in range(1, 12):
        following = load_window(db, conversation.id, WindowQuery(limit=limit)).following
        assert following is None or following.place.position in (0, 1, 5, 6, 10, 11)
        previous = load_window(db, conversation.id, WindowQuery(before=ScrollPlace(0, 12), limit=limit)).rows
        assert previous[0].role != "tool"


def test_the_model_view_holds_the_live_rows_of_the_tip(db: OrmSession) -> None:
    conversation = a_conversation(db)
    root = root_of(db, conversation)
    a_message(db, root, "old", state="compacted")
    a_message(db, root, "now")
    a_message(db, root, "gone", state="rewound")
    query = WindowQuery(view=View.MODEL, session_id=conversation.tip_id)
    assert [row.text for row in load_window(db, conversation.id, query).rows] == ["now"]


def test_one_session_holds_every_row_of_it(db: OrmSession) -> None:
    rows = swallowed_reply(db)
    query = WindowQuery(view=View.SESSION, session_id=rows["carrier"].session_id)
    conversation = get_conversation(db, "invoices-after")
    found = load_window(db, conversation.id, query).rows
    assert [row.id for row in found] == [rows[name].id for name in ("carrier", "answer", "last")]


def test_a_session_of_another_conversation_shows_nothing(db: OrmSession) -> None:
    mine, other = a_conversation(db), a_conversation(db)
    a_message(db, root_of(db, other))
    query = WindowQuery(view=View.SESSION, session_id=other.root_id)
    assert load_window(db, mine.id, query).rows == ()


def test_large_texts_end_a_window_early(db: OrmSession) -> None:
    conversation = a_conversation(db)
    for _ in range(20):
        a_message(db, root_of(db, conversation), "x" * 50_000)
    window = load_window(db, conversation.id, WindowQuery(max_chars=40_000))
    assert 1 <= len(window.rows) <= 4
    assert window.following is not None


def test_the_window_says_what_stands_beside_it(db: OrmSession) -> None:
    conversation = long(db, 100)
    window = load_window(db, conversation.id, WindowQuery(after=ScrollPlace(0, 9), limit=10))
    assert window.previous is not None
    assert window.following is not None
    assert (window.previous.place, window.following.place) == (ScrollPlace(0, 9), ScrollPlace(0, 20))


def test_prompts_are_found_in_both_directions_across_sessions(db: OrmSession) -> None:
    conversation = a_conversation(db)
    first = messages(db, root_of(db, conversation), "uaa")[0]
    second = messages(db, a_session(db, conversation), "aua")[1]
    assert find_prompt(db, conversation.id, WindowQuery(after=ScrollPlace(0, 0))) == second.id
    assert find_prompt(db, conversation.id, WindowQuery(before=ScrollPlace(1, 1))) == first.id
    assert find_prompt(db, conversation.id, WindowQuery(after=ScrollPlace(1, 1))) is None


# -- compactions, lineage --------------------------------------------------------------------------


def test_the_ledger_pages_through_timed_rows_and_then_the_others(db: OrmSession) -> None:
    root = root_of(db, a_conversation(db))
    for number in range(9):
        at = NOON + number if number % 3 else None
        a_compaction(db, root, realisation="in_place", finished_at=at)
    everything = [row.id for row in list_compactions(db, CompactionListing()).items]
    assert len(everything) == 9
    found: list[int] = []
    cursor: TimeCursor | None = None
    for _ in range(10):
        page = list_compactions(db, CompactionListing(before=cursor, limit=2))
        found += [row.id for row in page.items]
        if page.next is None:
            break
        cursor = page.next
    assert found == everything
    back: list[int] = []
    cursor = TimeCursor(None, everything[-1])
    while cursor is not None:
        page = list_compactions(db, CompactionListing(after=cursor, limit=2))
        back = [row.id for row in page.items] + back
        cursor = page.previous
    assert back == everything[:-1]


def test_a_family_holds_ancestors_forks_branches_and_delegates(db: OrmSession) -> None:
    family(db)
    branch = get_conversation(db, "family-branch")
    found = {row.public_id for row in load_family(db, branch.id).sessions}
    assert found == {"family", "family-2", "family-3", "family-fork", "family-branch", "family-delegate"}


def test_a_circle_of_parents_ends(db: OrmSession) -> None:
    first, second = a_conversation(db, id="c1"), a_conversation(db, id="c2")
    root_of(db, first).parent_id = second.root_id
    root_of(db, second).parent_id = first.root_id
    db.flush()
    assert {row.public_id for row in load_family(db, first.id).sessions} == {"c1", "c2"}


def test_a_bounded_family_says_that_it_is_not_all(db: OrmSession) -> None:
    root = a_conversation(db, id="parent")
    for _ in range(10):
        a_conversation(db, kind="delegate", relation="delegate", parent_id=root.root_id)
    found = load_family(db, root.id, most=5)
    assert len(found.sessions) == 5
    assert not found.complete
    assert found.sessions[0].public_id == "parent"


def test_offshoots_leave_out_the_continuation(db: OrmSession) -> None:
    conversation = family(db)
    ids = [row.public_id for row in load_offshoots(db, [conversation.root_id or 0])]
    assert sorted(ids) == ["family-delegate", "family-fork"]


def test_hidden_rows_are_bounded_by_the_window(db: OrmSession) -> None:
    root = root_of(db, a_conversation(db))
    original = a_message(db, root)
    for _ in range(6):
        a_message(db, root, copy_of=original.id)
    found = load_hidden(db, [root.id], behind=(root.id, 2), up_to=(root.id, 4))
    assert [row.position for row in found] == [3, 4]


# -- cost ------------------------------------------------------------------------------------------


QUESTIONS: list[tuple[str, Callable[[OrmSession, int], object]]] = [
    ("list", lambda db, key: list_conversations(db, ConversationListing())),
    (
        "list, next page",
        lambda db, key: list_conversations(db, ConversationListing(before=TimeCursor(NOON, 5))),
    ),
    (
        "list, page before",
        lambda db, key: list_conversations(db, ConversationListing(after=TimeCursor(NOON, 5))),
    ),
    ("list of everything", lambda db, key: list_conversations(db, ConversationListing(kind="all"))),
    ("list by source", lambda db, key: list_conversations(db, ConversationListing(source="cli"))),
    ("conversation", lambda db, key: load_window(db, key, WindowQuery())),
    ("conversation, middle", lambda db, key: load_window(db, key, WindowQuery(after=ScrollPlace(3, 1)))),
    ("conversation, end", lambda db, key: load_window(db, key, WindowQuery(before=ScrollPlace(999, 0)))),
    ("ledger", lambda db, key: list_compactions(db, CompactionListing())),
    (
        "ledger, next page",
        lambda db, key: list_compactions(db, CompactionListing(before=TimeCursor(NOON, 5))),
    ),
    ("family", lambda db, key: load_family(db, key)),
]


@pytest.mark.parametrize(("name", "ask"), [pytest.param(name, ask, id=name) for name, ask in QUESTIONS])
@pytest.mark.sqlite_only("plans in SQLite's words")
def test_no_question_reads_a_whole_table(
    db: OrmSession, database: Database, name: str, ask: Callable[[OrmSession, int], object]
) -> None:
    for _ in range(30):
        a_message(db, root_of(db, a_conversation(db)))
    conversation = chain(db, 6)
    db.execute(text("ANALYZE"))
    db.commit()
    with database.read() as reader, recorded(database) as statements:
        ask(reader, conversation.id)
    scans = [
        line for line in plan_of(database, statements) if line.startswith("SCAN") and "INDEX" not in line
    ]
    assert scans == []


@pytest.mark.sqlite_only("plans in SQLite's words")
def test_the_list_is_not_sorted_after_reading(db: OrmSession, database: Database) -> None:
    with database.read() as reader, recorded(database) as statements:
        list_conversations(reader, ConversationListing())
        list_conversations(reader, ConversationListing(kind="all"))
        list_compactions(reader, CompactionListing())
    assert not [line for line in plan_of(database, statements) if "TEMP B-TREE" in line]


def test_a_window_costs_the_same_at_any_depth(db: OrmSession, database: Database) -> None:
    conversation = chain(db, 200)
    db.commit()
    counts = []
    for place in (None, ScrollPlace(10, 0), ScrollPlace(150, 1)):
        with database.read() as reader, recorded(database) as statements:
            load_window(reader, conversation.id, WindowQuery(after=place, limit=20))
        counts.append(len(statements))
    assert max(counts) <= 8


def root_of(db: OrmSession, conversation: Conversation) -> Session:
    return db.get_one(Session, conversation.root_id)


def test_pinned_conversations_are_found_by_their_own_index(db: OrmSession) -> None:
    if db.connection().dialect.name != "sqlite":
        return
    stmt = (
        ConversationListing(pinned=True)
        .select()
        .compile(db.connection(), compile_kwargs={"literal_binds": True})
    )
    plan = [str(row[3]) for row in db.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {stmt}")]
    assert "USING INDEX ix_conversations_pinned" in plan[0]
    assert not [line for line in plan if "TEMP B-TREE" in line]
