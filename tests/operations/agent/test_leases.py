"""One compaction of a session at a time, across processes; the dead are taken over."""

import os
import signal
import subprocess
import sys
import time

import pytest
from sqlalchemy import select

from hermes_sessions.errors import CompactionBusyError, StaleTranscriptError
from hermes_sessions.operations.writing.lease_holders import is_over, make_holder
from hermes_sessions.store.keeping.leases import acquire, release
from hermes_sessions.store.schema.models import Lease
from tests.operations.agent.agents import NOW, Agent, notes
from tests.waiting import until

HOLDER = """
import sys, time
from hermes_sessions import CompactionPolicy, Store
from tests.operations.agent.agents import notes, policy

def slowly(request):
    print("thinking", flush=True)
    sys.stdin.readline()
    return notes(request)

try:
    with Store.open(sys.argv[1]) as store:
        print(store.compact(sys.argv[2], policy=policy(), summarize=slowly).session_id, flush=True)
except Exception as error:
    print(type(error).__name__, error, flush=True)
"""


@pytest.fixture
def agent(database):
    return Agent(database)


@pytest.fixture
def processes(pytestconfig, store_url):
    """A function that starts a process which compacts, and thinks until it is told to go on."""
    started = []

    def start(session):
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, store_url, session],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=pytestconfig.rootpath,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def take(database, holder, *, now=NOW, seconds=60.0):
    with database.write() as db:
        return acquire(db, "session:a", holder, now=now, seconds=seconds)


def lease_ends(database):
    with database.read() as db:
        return db.scalars(select(Lease.expires_at)).one()


def test_a_lease_has_one_holder(database):
    assert take(database, "one")
    assert not take(database, "other")
    assert take(database, "one", now=NOW + 59)


def test_a_lease_that_ran_out_is_taken_over(database):
    take(database, "one")
    assert not take(database, "other", now=NOW + 59.9)
    assert take(database, "other", now=NOW + 60)
    assert not take(database, "one", now=NOW + 61)


def test_only_the_holder_gives_it_back(database):
    take(database, "one")
    for holder, free in (("other", False), ("one", True)):
        with database.write() as db:
            release(db, "session:a", holder)
        assert take(database, "third") is free


@pytest.mark.slow
def test_of_two_processes_one_wins_and_the_other_says_so(agent, processes):
    session = agent.talked()
    first = processes(session)
    assert first.stdout.readline() == "thinking\n"
    second = processes(session)
    assert second.stdout.readline().startswith(f"CompactionBusyError {session}: another process")
    told, _ = first.communicate("\n")
    assert agent.store.load(told.strip())
    assert agent.compactions() == [("rotation", "committed")]
    agent.check()


def test_a_dead_holder_of_this_host_is_taken_over_at_once(agent, processes):
    session = agent.talked()
    agent.now = time.time()
    dead = processes(session)
    assert dead.stdout.readline() == "thinking\n"
    os.kill(dead.pid, signal.SIGKILL)
    dead.wait()
    agent.compact(session)
    assert agent.scroll(session) == agent.said


def test_a_holder_of_another_host_is_taken_over_when_its_time_is_up(agent):
    session = agent.talked()
    with agent.database.write() as db:
        assert acquire(db, f"session:{session}", "elsewhere:1:abc", now=agent.now, seconds=60)
    with pytest.raises(CompactionBusyError, match="should that one have died, try again in 60 s"):
        agent.compact(session)
    agent.now += 61
    agent.compact(session)
    assert agent.scroll(session) == agent.said


def test_a_lease_is_renewed_while_the_model_thinks(agent):
    session = agent.talked()
    began = agent.now

    def slowly(request):
        for _ in range(3):
            agent.now += 2.0
            until(lambda: lease_ends(agent.database) == agent.now + 3.0)
            with pytest.raises(CompactionBusyError):
                agent.run(session, lease_seconds=3.0)
        return notes(request)

    agent.run(session, lease_seconds=3.0, summarize=slowly)
    assert agent.now - began > 3.0
    assert agent.compactions() == [("rotation", "committed")]


def test_who_lost_the_lease_stores_nothing(agent):
    session = agent.talked()

    def overtaken(request):
        agent.now += 61  # as if this process had been stopped for a minute
        with agent.database.write() as db:
            assert acquire(db, f"session:{session}", "another", now=agent.now, seconds=60)
        return notes(request)

    with pytest.raises(CompactionBusyError):
        agent.run(session, summarize=overtaken)
    assert agent.compactions() == []
    agent.check()


def test_who_was_overtaken_by_a_whole_compaction_stores_nothing(agent):
    session = agent.talked()

    def overtaken(request):
        agent.now += 61  # the lease is over; another takes it, compacts, and gives it back
        agent.compact(session)
        return notes(request)

    with pytest.raises(StaleTranscriptError, match="continues in"):
        agent.run(session, summarize=overtaken)
    assert agent.compactions() == [("rotation", "committed")]
    agent.check()


def test_a_failed_summariser_gives_the_lease_back(agent):
    session = agent.talked()

    class Stopped(BaseException):
        """What Ctrl-C is to a summariser."""

    def stopped(request):
        raise Stopped

    with pytest.raises(Stopped):
        agent.run(session, summarize=stopped)
    agent.compact(session)


def test_a_holder_of_this_host_whose_process_is_gone_is_over():
    gone = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    host = make_holder().split(":")[0]
    assert not is_over(f"{host}:{gone.pid}:abc")
    gone.kill()
    os.waitid(os.P_PID, gone.pid, os.WEXITED | os.WNOWAIT)
    assert is_over(f"{host}:{gone.pid}:abc"), "dead, though nobody asked for it yet"
    gone.wait()
    assert is_over(f"{host}:{gone.pid}:abc")
    assert not is_over(make_holder())
    assert not is_over(f"another-{host}:{gone.pid}:abc")
    assert not is_over("no such form")
