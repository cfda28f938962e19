"""Killed at any moment, a compaction or its undo leaves the old state or the new one."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_sessions.store.opening.database import Database
from tests.operations.agent.agents import Agent

LEASE_SECONDS = 60


@pytest.fixture
def kill(tmp_path, database, pytestconfig):
    """A function that has an action killed everywhere; returns the stores that were left behind."""

    def everywhere(*arguments):
        store = tmp_path / "closed.db"
        database.close()
        shutil.copy(database.path, store)
        folder = tmp_path / "killed"
        folder.mkdir()
        told = subprocess.run(
            [sys.executable, "-m", "tests.operations.killer", str(store), str(folder), *map(str, arguments)],
            cwd=pytestconfig.rootpath,
            capture_output=True,
            text=True,
            check=False,
        )
        assert told.returncode == 0, told.stderr
        ended = dict(line.split() for line in told.stdout.splitlines())
        assert set(ended.values()) <= {"0", str(int(signal.SIGKILL))}
        steps = [name for name, code in ended.items() if name.startswith("s") and code != "0"]
        assert len(steps) >= 30
        return [folder / name / "store.db" for name in ended]

    return everywhere


def view(agent: Agent, session: str) -> tuple[object, ...]:
    """Return what tells the old state from the new: the scroll, every context, every row's state."""
    shown = agent.store.conversation(session)
    with agent.database.read() as db:
        connection = db.connection()
        sessions = connection.exec_driver_sql("SELECT count(*), count(end_reason) FROM sessions").all()
        rows = connection.exec_driver_sql("SELECT state, kind, count(*) FROM messages GROUP BY 1, 2").all()
        events = connection.exec_driver_sql("SELECT realisation, status FROM compactions").all()
    texts = tuple(str(message["parts"]) for message in shown["messages"] if message["kind"] == "message")
    return (texts, tuple(sessions), tuple(rows), tuple(events))


def seen(path: Path, session: str) -> tuple[object, ...]:
    with Database.open(str(path)) as database:
        agent = Agent(database)
        agent.check()
        return view(agent, session)


@pytest.mark.slow
@pytest.mark.parametrize("action", ["rotation", "in_place"])
@pytest.mark.sqlite_only("copies a store's file for each kill")
def test_a_killed_compaction_leaves_the_old_state_or_the_new(database, kill, action):
    agent = Agent(database)
    session = agent.talked()
    old = view(agent, session)
    left = kill(action, session)
    states = [seen(path, session) for path in left]
    new = next(state for state in states if state != old)
    assert {*states} == {old, new}
    assert states.index(new) > 5
    for path, state in list(zip(left, states, strict=True))[::5]:
        if state == old:
            with Database.open(str(path)) as opened:
                again = Agent(opened)
                again.now += LEASE_SECONDS + 1
                done = again.compact(session, in_place=action == "in_place")
                assert again.store.load(done.session_id) == done.result.messages
                assert again.scroll(session) == agent.said


@pytest.mark.slow
@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
@pytest.mark.sqlite_only("copies a store's file for each kill")
def test_a_killed_undo_leaves_the_old_state_or_the_new(database, kill, in_place):
    agent = Agent(database)
    session = agent.talked()
    context = agent.store.load(session)
    done = agent.compact(session, in_place=in_place)
    compacted = view(agent, session)
    left = kill("undo", session, done.compaction_id)
    states = [seen(path, session) for path in left]
    undone = next(state for state in states if state != compacted)
    assert {*states} == {compacted, undone}
    for path, state in list(zip(left, states, strict=True))[::5]:
        with Database.open(str(path)) as opened:
            again = Agent(opened)
            if state == compacted:
                again.undo(done.compaction_id)
            assert again.store.load(session) == context
            assert view(again, session) == undone
