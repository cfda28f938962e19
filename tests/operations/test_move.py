"""A store that moves is the same store, or is not there; what a kill left is gone on with."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import text as sql

from hermes_sessions.errors import StoreBusyError, StoreError
from hermes_sessions.operations import move as moving
from hermes_sessions.operations.agent.agent_store import Store
from hermes_sessions.operations.move import move_store
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.searching.full_text import search
from tests.operations.dump import dump
from tests.operations.imports.scene import Scene
from tests.operations.imports.test_import_origin import large
from tests.servers import Databases

KILLED = """
import os, signal, sys
import sqlalchemy.event
from sqlalchemy import Engine
from hermes_sessions.operations import move
move.read_batches, whole = lambda *args: cut(whole(*args)), move.read_batches
left = int(sys.argv[3])
def cut(batches):
    global left
    for batch in batches:
        for at in range(0, len(batch), 200):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch[at:at + 200]
move.move_store(sys.argv[1], sys.argv[2])
"""


@pytest.fixture
def source(tmp_path: Path, empty_store: Path) -> str:
    """A store in a file, with chains, copies, generations, compactions, a local session."""
    path = tmp_path / "source.db"
    shutil.copy(empty_store, path)
    with Database.open(str(path)) as database:
        Scene(tmp_path, database).bring(large(tmp_path))
    with Store.open(str(path)) as store:
        session = store.create_session(system_prompt="Be brief\ud800.", title="Ours")
        store.append_many(session, [{"role": "user", "content": "odd \0 提交代码", "custom": {"a": [1.5]}}])
    return str(path)


@pytest.fixture
def places(tmp_path: Path, engine_name: str, request: pytest.FixtureRequest) -> Callable[[], str]:
    """A function that gives a new empty place on the engine."""
    made = 0

    def give() -> str:
        nonlocal made
        made += 1
        if engine_name == "sqlite":
            return str(tmp_path / f"target-{made}.db")
        servers: Databases = request.getfixturevalue("servers")
        return servers.url(servers.bare())

    return give


def held(url: str) -> dict[str, list[dict[str, object]]]:
    with Database.open(url, create=False) as database:
        with database.read() as db:
            assert check_store(db) == []
        return dump(database)


def test_a_store_goes_there_and_back_and_is_the_same(
    source: str, places: Callable[[], str], tmp_path: Path
) -> None:
    there, back = places(), str(tmp_path / "back.db")
    told: list[str] = []
    moved = move_store(source, there, progress=lambda step, done, total: told.append(step))
    assert (moved.rows["messages"] > 4_500, moved.resumed) == (True, False)
    assert set(told) == {"move", "compare", "index"}
    move_store(there, back)
    assert held(source) == held(there) == held(back)
    with Database.open(there) as database, database.read() as db:
        assert len(search(db, "提交代码")) == 1


def test_a_moved_store_goes_on(source: str, places: Callable[[], str]) -> None:
    there = places()
    move_store(source, there)
    with Store.open(there) as store:
        session = store.create_session()
        store.append(session, {"role": "user", "content": "go on"})
    with Database.open(there) as database:
        with database.write() as db:
            db.execute(
                sql("INSERT INTO origins (kind, label, paused, created_at) VALUES ('x', 'x', false, 1)")
            )
        with database.engine.begin() as connection:
            command.check(migrate.alembic_config(connection))
    held(there)


@pytest.mark.slow
@pytest.mark.parametrize("batches", [2, 12])
def test_a_killed_move_cannot_be_opened_and_goes_on(
    source: str, places: Callable[[], str], batches: int
) -> None:
    there = places()
    killed = subprocess.run([sys.executable, "-c", KILLED, source, there, str(batches)], check=False)
    assert killed.returncode == -signal.SIGKILL
    with pytest.raises(StoreError, match="db move` has not finished there; run it again"):
        Database.open(there)
    assert move_store(source, there).resumed
    assert held(there) == held(source)


def test_what_the_source_got_meanwhile_comes_along(source: str, places: Callable[[], str]) -> None:
    there = places()
    subprocess.run([sys.executable, "-c", KILLED, source, there, "12"], check=False)
    with Database.open(source) as database, database.write() as db:
        db.execute(sql("UPDATE messages SET text = 'rewritten' WHERE id = 1"))
    assert move_store(source, there).resumed
    assert held(there) == held(source)


def test_only_one_move_at_a_time(source: str, places: Callable[[], str]) -> None:
    there = places()
    subprocess.run([sys.executable, "-c", KILLED, source, there, "5"], check=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moving, "is_over", lambda holder: False)
        with pytest.raises(StoreBusyError, match="another move to it is in progress"):
            move_store(source, there)
    move_store(source, there)


def test_a_place_that_holds_something_is_refused(source: str, places: Callable[[], str]) -> None:
    there = places()
    move_store(source, there)
    with pytest.raises(StoreError, match="holds a store already"):
        move_store(source, there)


def test_a_store_is_not_moved_onto_itself(source: str) -> None:
    with pytest.raises(StoreError, match="is the store itself"):
        move_store(source, source)


def test_the_move_of_another_store_is_not_gone_on_with(
    source: str, places: Callable[[], str], tmp_path: Path
) -> None:
    there, other = places(), str(tmp_path / "other.db")
    shutil.copy(source, other)
    subprocess.run([sys.executable, "-c", KILLED, source, there, "5"], check=False)
    with pytest.raises(StoreError, match="another store is being moved there"):
        move_store(other, there)


def test_a_missing_source_makes_no_target(places: Callable[[], str], tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store yet"):
        move_store(str(tmp_path / "nothing.db"), str(tmp_path / "target.db"))
    assert os.listdir(tmp_path) == []
