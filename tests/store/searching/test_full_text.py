"""What is found, in which order, and what leaves the index again."""

import itertools
from typing import Any

import pytest
from sqlalchemy import delete
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.language.indexed_text import INDEXED, indexable
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Message, Session
from hermes_sessions.store.searching.full_text import (
    index_rows,
    key_at,
    next_search_keys,
    rebuild_index,
    search,
    unindex_rows,
)
from tests.builders import NOON, a_conversation, a_message
from tests.servers import Databases

_positions = itertools.count(1_000)
_keys = itertools.count(1_000)


@pytest.fixture
def session(db: OrmSession) -> Session:
    return db.get_one(Session, a_conversation(db).root_id)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Read foo_bar in path/to/x.py", "foo_bar"),
        ("Read foo_bar in path/to/x.py", "path/to/x.py"),
        ("Read foo_bar in path/to/x.py", "bar"),
        ("run it with --flag=1234", "--flag"),
        ("fixes #1234", "#1234"),
        ("Straße, Café, naïve", "cafe"),
        ("Łódź ŻÓŁW", "żółw"),
        ("我们提交了代码", "提交"),
        ("我们提交了代码", "码"),
        ("我们提交了代码", "我们提交了代码"),
        ("用git提交代码", "git提交"),
        ("データベースを移行", "ベース"),
        ("세션을 압축했습니다", "압축"),
        ("ระบบค้นหา", "ค้นหา"),
        ("हिन्दी में लिखा", "हिन्दी"),
        ("سلام عليكم", "سَلام"),
        ("shipped 🎉", "🎉"),
        ("compaction", "compac*"),
    ],
)
def test_finds(db: OrmSession, session: Session, text: str, query: str) -> None:
    row = a_message(db, session, text)
    assert search(db, query) == [row.id]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我们提交了代码", "交提"),
        ("one two", '"two one"'),
        ("one two", "one NOT two"),
        ("compaction", "compac"),
    ],
)
def test_does_not_find(db: OrmSession, session: Session, text: str, query: str) -> None:
    a_message(db, session, text)
    assert search(db, query) == []


def test_newest_first_and_paged(db: OrmSession, session: Session) -> None:
    old = a_message(db, session, "same", created_at=NOON + 900)
    newer = a_message(db, session, "same", created_at=NOON + 5000)
    oldest = a_message(db, session, "same", created_at=NOON)
    assert search(db, "same", 2) == [newer.id, old.id]
    assert search(db, "same", 2, before=old.id) == [oldest.id]


def test_an_unindexed_row_is_not_found(db: OrmSession, session: Session) -> None:
    row = a_message(db, session, "提交 gone")
    assert row.search_key is not None
    unindex_rows(db, [(row.search_key, indexable({name: getattr(row, name) for name in INDEXED}))])
    assert search(db, "gone") == search(db, "提交") == []


def test_rebuild_finds_the_same(db: OrmSession, session: Session) -> None:
    rows = [a_message(db, session, f"提交 number {number}") for number in range(5)]
    assert rebuild_index(db) == 5
    assert search(db, "提交 3") == [rows[3].id]


def test_rebuild_drops_what_has_no_row(db: OrmSession) -> None:
    index_rows(db, [(5, "stray")])
    assert rebuild_index(db) == 0


def test_keys_are_unique_within_a_second(db: OrmSession, session: Session) -> None:
    first = given(db, [NOON] * 3000)
    assert len(set(first)) == 3000
    assert first == sorted(first)
    store(db, session, first)
    again = given(db, [NOON, NOON + 1, NOON + 2, None, NOON])
    assert not set(again) & set(first)
    assert len(set(again)) == 5


@pytest.mark.sqlite_only
def test_a_full_second_runs_over_into_what_is_free(db: OrmSession, session: Session) -> None:
    after = given(db, [NOON + 2, NOON + 3])
    store(db, session, after)
    crowd = given(db, [NOON] * 50)
    assert not set(crowd) & set(after)
    assert crowd == sorted(crowd)
    store(db, session, crowd)
    again = given(db, [NOON, NOON])
    assert again == [max(crowd) + 1, max(crowd) + 2]


@pytest.mark.sqlite_only
def test_a_long_row_of_taken_keys_is_walked_along_once(db: OrmSession, session: Session) -> None:
    store(db, session, given(db, [NOON] * 3000))
    store(db, session, given(db, [NOON]))
    walked_from: list[int] = []

    def listen(statement: str) -> None:
        if "NOT EXISTS" in statement:
            walked_from.append(int(statement.partition("search_key >= ")[2].split()[0]))

    raw: Any = db.connection().connection.dbapi_connection
    raw.set_trace_callback(listen)
    [key] = given(db, [NOON])
    assert walked_from == [key - 1]  # one step, past the last one given

    # Who removes what was there: the next ones are still behind it, and free.
    db.execute(delete(Message))
    again = given(db, [NOON] * 6)
    assert len(set(again)) == 6
    assert again == sorted(again)
    assert min(again) >= key_at(db, NOON)


def test_undated_rows_are_the_oldest(db: OrmSession, session: Session) -> None:
    keys = given(db, [None, -5.0, 5e246, NOON])
    assert max(keys[:3]) < keys[3]
    store(db, session, keys)
    [again] = given(db, [None])
    assert max(keys[:3]) < again < keys[3]


def given(db: OrmSession, times: list[float | None]) -> list[int]:
    """Return places for rows of these times, which have the next keys."""
    return next_search_keys(db, [(next(_keys), time) for time in times])


@pytest.mark.postgresql
def test_two_writers_in_one_second_want_different_places(servers: Databases) -> None:
    with Database.open(servers.fresh()) as database, database.read() as db, database.read() as other:
        mine, theirs = (next_search_keys(one, [(key, NOON)]) for one, key in ((db, 7), (other, 8)))
        assert mine < theirs < next_search_keys(db, [(1, NOON + 1)])


def store(db: OrmSession, session: Session, keys: list[int]) -> None:
    db.add_all(
        Message(
            session_id=session.id,
            conversation_id=session.conversation_id,
            position=next(_positions),
            role="user",
            kind="message",
            state="live",
            shown=True,
            search_key=key,
        )
        for key in keys
    )
    db.flush()
