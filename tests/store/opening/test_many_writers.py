"""Writers beside each other on a server: who waits for whom, what is tried again, what a kill leaves."""

import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

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
    StoreConflictError,
)
from hermes_sessions.operations.organising.organise import Action, organise
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
    assert len(tries) == 3  # the server ended one of them, and that one came again
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
