"""Writers beside each other on a server: who waits for whom, what is tried again, what a kill leaves."""

import logging
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from sqlalchemy import text as sql
from sqlalchemy import update
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions import CompactionPolicy, Store
from hermes_sessions.errors import (
    CompactionBusyError,
    CompactionRefusedError,
    NotFoundError,
    StaleTranscriptError,
    StoreBusyError,
    StoreConflictError,
    StoreUnavailableError,
)
from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.store.engines import postgresql_engine
from hermes_sessions.store.engines.change_base import TransactionEnd
from hermes_sessions.store.engines.exchange import Step, exchange
from hermes_sessions.store.engines.postgresql_engine import DirectServer
from hermes_sessions.store.engines.store_place import ServerPlace
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.keeping.row_locks import lock_conversations
from hermes_sessions.store.queries.changes import latest_change, load_changes
from hermes_sessions.store.schema.models import Conversation
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.builders import a_conversation
from tests.servers import Databases
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.postgresql
REFUSALS = (CompactionBusyError, CompactionRefusedError, NotFoundError, StaleTranscriptError)
POLICY = CompactionPolicy(600, head_messages=1, tail_tokens=100, min_tail_messages=2)


@pytest.fixture
def shared(servers: Databases) -> Iterator[Store]:
    """A store without rows, which threads share."""
    with Store.open(servers.fresh()) as store:
        yield store


def say(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def test_a_writer_waits_for_nobody_who_writes_elsewhere(shared: Store) -> None:
    here, there = shared.create_session(), shared.create_session()
    with shared.database.write(beside=True) as db:
        assert lock_conversations(db, [1])
        with ThreadPoolExecutor(1) as other:
            assert other.submit(shared.append, there, say("at once")).result(PATIENCE_SECONDS)
            waiting = other.submit(shared.append, here, say("in turn"))
            with pytest.raises(TimeoutError):
                waiting.result(0.3)
            db.commit()
            assert waiting.result(PATIENCE_SECONDS)


def test_two_that_lock_each_others_rows_are_both_done(shared: Store) -> None:
    for _ in range(2):
        shared.create_session()
    both = threading.Barrier(2)
    tries: list[int] = []

    def cross(first: int, second: int) -> Callable[[OrmSession], None]:
        def work(db: OrmSession) -> None:
            tries.append(first)
            for key in (first, second):
                db.execute(update(Conversation).where(Conversation.id == key).values(title=f"by {first}"))
                if key == first and tries.count(first) == 1:
                    both.wait(PATIENCE_SECONDS)

        return work

    with ThreadPoolExecutor(2) as pool:
        done = [pool.submit(shared.database.run, cross(*pair)) for pair in ((1, 2), (2, 1))]
        assert [one.result(PATIENCE_SECONDS) for one in done] == [None, None]
    assert len(tries) > 2  # the server ended one that came again; on a busy machine they may meet twice
    with shared.database.read() as db:
        assert len(set(db.scalars(sql("SELECT title FROM conversations")))) == 1


def test_a_conflict_that_never_ends_is_named(shared: Store) -> None:
    shared.create_session(session_id="there")

    def work(db: OrmSession) -> None:
        db.execute(sql("INSERT INTO system_prompts (hash, text) VALUES ('a', ''), ('a', '')"))

    with pytest.raises(StoreConflictError, match="stored the same meanwhile"):
        shared.database.run(work)


def test_a_storm_loses_nothing_and_leaves_every_count_right(shared: Store) -> None:
    names = [shared.create_session(session_id=f"s{number}") for number in range(3)]
    said: dict[str, list[str]] = {}

    def talk(number: int) -> None:
        mine = said.setdefault(f"w{number}", [])
        for at in range(25):
            text = f"w{number} says {at}: " + "the parser reads one line after the other; " * 6
            shared.append(names[(number + at) % 3], say(text))
            mine.append(text)

    def shorten(number: int) -> None:
        for _ in range(4):
            tips = {one["id"]: one["tip"] for one in shared.conversations()["conversations"]}
            with suppress(*REFUSALS):
                done = shared.compact(
                    tips.get(names[number], names[number]), policy=POLICY, summarize=ExtractiveSummarizer()
                )
                if number and done.compaction_id is not None:
                    shared.undo(done.compaction_id)

    def decide() -> None:
        for at in range(10):
            action = (Action.PIN, Action.UNPIN)[at % 2]
            organise(shared.database, names[: 1 + at % 3], action, now=float(at))

    with ThreadPoolExecutor(9) as pool:
        work = [pool.submit(talk, number) for number in range(6)]
        work += [pool.submit(shorten, number) for number in range(2)] + [pool.submit(decide)]
        for one in work:
            one.result(10 * PATIENCE_SECONDS)
    with shared.database.read() as db:
        assert check_store(db) == []
        shown = db.scalars(sql("SELECT text FROM messages WHERE shown AND kind = 'message'")).all()
    assert sorted(shown) == sorted(text for texts in said.values() for text in texts)


KILLED = textwrap.dedent("""
    import sys
    from hermes_sessions import Store
    with Store.open(sys.argv[1]) as store:
        session = store.create_session(session_id="killed")
        for number in range(10_000):
            store.append(session, {"role": "user", "content": f"number {number}"})
            print(number, flush=True)
""")


def test_a_writer_that_is_killed_leaves_what_it_was_answered_and_nobody_waiting(shared: Store) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, _url(shared)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for _ in range(20):
        process.stdout.readline()
    process.kill()
    told = 19 + len(process.stdout.readlines())
    process.wait()
    process.stdout.close()
    shared.append("killed", say("after it"))
    stored = [one["content"] for one in shared.load("killed")]
    assert stored[:told] == [f"number {number}" for number in range(told)]
    assert stored[-1] == "after it"
    assert len(stored) - told in (1, 2, 3)
    with shared.database.read() as db:
        assert check_store(db) == []


def test_an_append_survives_the_end_of_its_connection(shared: Store) -> None:
    session = shared.create_session()
    over = threading.Event()
    cuts: list[int] = []

    def cut() -> None:
        with psycopg.connect(_url(shared), autocommit=True) as connection:
            while not over.wait(0.4):
                ended = connection.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
                cuts.extend(ended.fetchone() or ())

    said: list[str] = []
    deadline = time.monotonic() + 3 * PATIENCE_SECONDS
    with ThreadPoolExecutor(1) as pool:
        cutting = pool.submit(cut)
        try:
            while sum(map(bool, cuts)) < 5 and time.monotonic() < deadline:
                said.append(str(len(said)))
                shared.append(session, say(said[-1]))
        finally:
            over.set()
        cutting.result(PATIENCE_SECONDS)
    assert sum(map(bool, cuts)) >= 5
    assert [one["content"] for one in shared.load(session)] == said


def test_a_read_survives_the_end_of_its_connection(shared: Store) -> None:
    shared.create_session()
    tries: list[int] = []

    def read(db: OrmSession) -> int:
        tries.append(db.scalars(sql("SELECT pg_backend_pid()")).one())
        if len(tries) == 1:
            with psycopg.connect(_url(shared), autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", [tries[0]])
        return int(db.scalars(sql("SELECT count(*) FROM sessions")).one())

    assert shared.database.look(read) == 1
    assert len(set(tries)) == len(tries) == 2


@pytest.mark.parametrize("told", [TransactionEnd.FORGOTTEN, TransactionEnd.UNDONE])
@pytest.mark.parametrize("stored", [True, False])
def test_an_append_whose_end_a_server_does_not_know_is_looked_for(
    shared: Store, monkeypatch: pytest.MonkeyPatch, stored: bool, told: TransactionEnd
) -> None:
    # A coordinator that crashed before its own commit says undone, though a node may have stored it.
    session = shared.create_session()
    shared.append(session, say("first"))
    finish = DirectServer.finish
    lost: list[str] = []

    def finish_and_be_cut_off(self: DirectServer, steps: Sequence[Step]) -> None:
        if lost or stored:
            finish(self, steps)
        if not lost:
            lost.append("once")
            raw: Any = self.connection.driver_connection
            raw.close()
            raise psycopg.OperationalError("the connection is lost")

    monkeypatch.setattr(DirectServer, "finish", finish_and_be_cut_off)
    monkeypatch.setattr(ServerPlace, "find_end", lambda *given: told)
    key = shared.append(session, {"role": "assistant", "content": "second"})
    assert [one["content"] for one in shared.load(session)] == ["first", "second"]
    with shared.database.read() as db:
        assert db.scalars(sql("SELECT max(id) FROM messages")).one() == key
        assert check_store(db) == []


@pytest.mark.parametrize("count", [1, 12])
def test_what_a_list_shows_and_many_messages_are_looked_for_as_well(
    shared: Store, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    session = shared.create_session()
    commit = psycopg.Connection.commit
    lost: list[str] = []

    def commit_and_be_cut_off(self: psycopg.Connection[Any]) -> None:
        commit(self)
        if not lost:
            lost.append("once")
            self.close()
            raise psycopg.OperationalError("the connection is lost")

    monkeypatch.setattr(psycopg.Connection, "commit", commit_and_be_cut_off)
    monkeypatch.setattr(ServerPlace, "find_end", lambda *given: TransactionEnd.FORGOTTEN)
    shared.append_many(session, [say(f"first {number}") for number in range(count)])
    assert lost
    assert len(shared.load(session)) == count


def test_a_transaction_that_is_under_way_still_is_not_done_again(
    shared: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = shared.create_session()
    shared.append(session, say("first"))
    finish = DirectServer.finish

    def finish_and_be_cut_off(self: DirectServer, steps: Sequence[Step]) -> None:
        finish(self, steps)
        raw: Any = self.connection.driver_connection
        raw.close()
        raise psycopg.OperationalError("the connection is lost")

    monkeypatch.setattr(DirectServer, "finish", finish_and_be_cut_off)
    monkeypatch.setattr(ServerPlace, "find_end", lambda *given: TransactionEnd.OPEN)
    with pytest.raises(StoreUnavailableError):
        shared.append(session, {"role": "assistant", "content": "second"})
    assert [one["content"] for one in shared.load(session)] == ["first", "second"]


def test_who_waits_for_the_base_of_changes_gives_up(shared: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    session = shared.create_session()
    shared.append(session, say("first"))
    monkeypatch.setattr(postgresql_engine, "_WAIT_FOR_ROWS", "SET LOCAL lock_timeout = '200ms'")
    with psycopg.connect(shared.database.name) as other:
        other.execute("ALTER SEQUENCE change_base OWNER TO CURRENT_USER")
        with pytest.raises(StoreBusyError):
            shared.append(session, {"role": "assistant", "content": "second"})
        other.rollback()
    assert len(shared.load(session)) == 1


def test_an_idle_connection_holds_no_long_text(shared: Store) -> None:
    asked = sql("SELECT length(CAST(:text AS text))")
    with shared.database.write(beside=True) as db:
        line = db.connection()
        for text, held in (("x" * 1_000_000, 0), ("short", 1)):
            assert exchange(line, [Step(asked, {"text": text})]) == [[(len(text),)]]
            assert len(line.info["hermes_sessions.cursors"]) == held


def test_the_driver_says_nothing_of_what_is_tried_again(
    shared: Store, caplog: pytest.LogCaptureFixture
) -> None:
    logging.getLogger("psycopg").warning("error ignored terminating %r: %s", "x", "y")
    logging.getLogger("psycopg").warning("something else")
    assert [record.getMessage() for record in caplog.records] == ["something else"]


def test_a_follower_misses_no_change_whose_transaction_began_first_and_ended_last(shared: Store) -> None:
    with shared.database.write() as db:
        for name in ("slow", "quick"):
            a_conversation(db, id=name)
    with shared.database.read() as db:
        cursor = latest_change(db)
    seen: list[str] = []

    def follow() -> None:
        nonlocal cursor
        with shared.database.read() as db:
            found = load_changes(db, cursor)
        cursor = found.cursor
        seen.extend(row.public_id for row in reversed(found.items))

    with shared.database.write(beside=True) as slow:
        slow.execute(update(Conversation).where(Conversation.public_id == "slow").values(title="late"))
        shared.database.run(
            lambda db: db.execute(
                update(Conversation).where(Conversation.public_id == "quick").values(title="early")
            )
        )
        follow()
        assert "quick" not in seen  # its number is above one that may still come
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(seen) < 2 and time.monotonic() < deadline:
        follow()
    follow()
    assert sorted(seen) == ["quick", "slow"]


def _url(store: Store) -> str:
    return store.database.name
