"""What `db upgrade` makes of the rows of the first release, on both engines."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, func, select, text, update

from hermes_sessions import paths
from hermes_sessions.handoff import OWN_NOTE, WENT_ON
from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Message, Session
from tests.agents.hermes.hermes_builder import session
from tests.builders import a_conversation, a_message
from tests.operations.agent.agents import Agent, policy
from tests.operations.dump import dump
from tests.operations.imports.scene import Scene, again, handoff, talk

FIRST_RELEASE = "0004"


@pytest.fixture
def scene(tmp_path, database):
    """Databases of the test's own, imported into a store of its own."""
    return Scene(tmp_path, database)


@contextmanager
def migrating(database: Database) -> Iterator[Connection]:
    with database.engine.execution_options(write=True, migrating=True).begin() as connection:
        yield connection


def upgrade_from_first_release(database: Database, url: str) -> migrate.Upgrade:
    """Make *database* what the first release would have, then upgrade it."""
    with migrating(database) as connection:
        command.downgrade(migrate.alembic_config(connection), FIRST_RELEASE)
    database.engine.dispose()
    done = migrate.upgrade(url)
    with database.read() as db:
        assert check_store(db) == []
    return done


def column(database: Database, name: str) -> dict[int, Any]:
    with database.read() as db:
        rows = db.execute(select(Message.id, getattr(Message, name)).where(Message.kind != "message"))
        return {row[0]: row[1] for row in rows}


def test_0005_names_the_grammar_of_each_handoff(scene: Scene, store_url: str) -> None:
    first = talk("a", "please", "on it", "and now?", "done")
    scene.play(
        [session("a", end_reason="compression"), session("b", parent="a"), session("branch", parent="b")],
        [*first, handoff("b"), *again(first[2:], "b"), handoff("branch"), *again(first[2:], "branch")],
    )
    agent = Agent(scene.database)
    agent.compact(agent.talked(), in_place=True)
    assert sorted(map(str, column(scene.database, "handoff_grammar").values())) == ["hermes", "hermes", "own"]
    with scene.database.write() as db:
        # As if our engine had worked in the agent's place, and the branch repeated what it wrote.
        first_of, second = db.scalars(
            select(Message)
            .join(Session, Session.id == Message.session_id)
            .where(Message.kind == "handoff", Session.foreign_id.in_(("b", "branch")))
            .order_by(Message.id)
        )
        db.execute(update(Compaction).where(Compaction.handoff_id == first_of.id).values(policy={"a": 1}))
        second.copy_of, second.shown, second.handoff_grammar = first_of.id, False, "own"
        first_of.handoff_grammar = "own"
    before = column(scene.database, "handoff_grammar")
    upgrade_from_first_release(scene.database, store_url)
    assert column(scene.database, "handoff_grammar") == before


def test_0005_knows_messages_by_their_numbers_and_leaves_all_else(scene: Scene, store_url: str) -> None:
    first = talk("a", "please", "on it", "and now?", "done")
    scene.play(
        [session("a", end_reason="compression"), session("b", parent="a"), session("sub", parent="b")],
        [*first, handoff("b"), *again(first[2:], "b"), *talk("sub", "look", "found")],
    )
    agent = Agent(scene.database)
    agent.compact(agent.talked())
    for action, words in ((Action.PIN, ""), (Action.TAG, "work"), (Action.NOTE, "look again")):
        organise(scene.database, ["a"], action, words, now=1.0)
    before = dump(scene.database)
    upgrade_from_first_release(scene.database, store_url)
    assert dump(scene.database) == before
    with scene.database.read() as db:
        keys = db.execute(select(Message.origin_key, Message.origin_row_id)).all()
    assert {(row[0], row[1]) for row in keys} == {(str(one), one) for one in range(1, 10)} | {(None, None)}


def test_0005_keeps_rows_that_have_one_number(database: Database, store_url: str) -> None:
    with database.write() as db:
        root = db.get_one(Session, a_conversation(db).root_id)
        for key in ("7", "other", None):
            a_message(db, root, str(key), origin_row_id=7, origin_key=key)
    upgrade_from_first_release(database, store_url)
    with database.read() as db:
        assert db.scalars(select(Message.origin_key).order_by(Message.id)).all() == ["7", None, None]


def test_0007_hides_the_notes_of_our_engine_and_nothing_that_begins_like_them(
    scene: Scene, store_url: str
) -> None:
    agent = Agent(scene.database)
    talked = agent.talked()
    agent.say(talked, {"role": "user", "content": "And one thing more, whatever else there is. " * 6})
    done = agent.compact(talked, policy=policy(merge=False, head_messages=0))
    agent.say(done.session_id, {"role": "user", "content": f"{OWN_NOTE} what is that?]"})
    before = dump(scene.database)
    hidden = select(func.count()).where(Message.text == WENT_ON, ~Message.shown)
    with scene.database.read() as db:
        assert db.scalar(hidden) == 1
    with migrating(scene.database) as connection:
        command.downgrade(migrate.alembic_config(connection), FIRST_RELEASE)
        assert connection.scalar(hidden) == 0
        # As the first release had it: found by search, too.
        key = select(func.max(Message.search_key) + 1).scalar_subquery()
        connection.execute(update(Message).where(Message.text == WENT_ON).values(search_key=key))
    scene.database.engine.dispose()
    migrate.upgrade(store_url)
    with scene.database.read() as db:
        assert check_store(db) == []
    assert dump(scene.database) == before


# -- interrupted -----------------------------------------------------------------------------------


@pytest.fixture
def small_steps(tmp_path: Path) -> Path:
    """The migrations, with steps of a few rows."""
    folder = tmp_path / "migrations"
    shutil.copytree(paths.migrations(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    (script,) = folder.glob("versions/0005_*.py")
    written = script.read_text()
    assert "BATCH = 10_000" in written
    script.write_text(written.replace("BATCH = 10_000", "BATCH = 5"))
    return folder


def upgrade_until(url: str, migrations: Path, done: int) -> int:
    """Upgrade in a process that kills itself when so many rows are filled; return how it ended."""
    script = f"""
import os, signal
from pathlib import Path
from hermes_sessions.store.opening import migrate

def told(step, done, total):
    if step == "fill" and done >= {done}:
        os.kill(os.getpid(), signal.SIGKILL)

migrate.upgrade({url!r}, migrations=Path({str(migrations)!r}), progress=told)
"""
    return subprocess.run([sys.executable, "-c", script], check=False).returncode


@pytest.fixture
def killed(database: Database, store_url: str, small_steps: Path) -> Database:
    """A store whose upgrade was killed when half of its twenty messages were filled."""
    with database.write() as db:
        root = db.get_one(Session, a_conversation(db).root_id)
        for number in range(1, 21):
            a_message(db, root, f"row {number}", origin_row_id=number, origin_key=str(number))
    with migrating(database) as connection:
        command.downgrade(migrate.alembic_config(connection), FIRST_RELEASE)
    database.engine.dispose()
    assert upgrade_until(store_url, small_steps, 10) == -signal.SIGKILL
    return database


def test_an_upgrade_that_was_killed_goes_on_where_it_was(
    killed: Database, store_url: str, small_steps: Path
) -> None:
    assert migrate.current(store_url).revision == FIRST_RELEASE
    steps: list[int] = []

    def told(step: str, done: int, total: int) -> None:
        steps.extend([done] if step == "fill" else [])

    done = migrate.upgrade(store_url, migrations=small_steps, progress=told)
    assert steps == [15, 20]
    with killed.read() as db:
        assert db.scalars(select(Message.origin_key).order_by(Message.id)).all() == [
            str(number) for number in range(1, 21)
        ]
        assert check_store(db) == []
        assert db.execute(text("SELECT count(*) FROM settings")).scalar() == 0
    if killed.path is not None:
        assert [done.backup] == list(killed.path.parent.glob("*.backup"))


def test_what_the_version_before_wrote_between_two_steps_is_filled_too(
    killed: Database, store_url: str, small_steps: Path
) -> None:
    with migrating(killed) as connection:
        connection.execute(text("UPDATE messages SET origin_row_id = NULL WHERE id = 2"))
        connection.execute(text("UPDATE messages SET origin_row_id = 33 WHERE id = 3"))
    migrate.upgrade(store_url, migrations=small_steps)
    with killed.read() as db:
        found = db.scalars(select(Message.origin_key).order_by(Message.id).limit(4)).all()
    assert found == ["1", None, "33", "4"]


@pytest.mark.sqlite_only("a server's backups are its own")
def test_a_backup_that_is_gone_is_made_again(killed: Database, store_url: str) -> None:
    assert killed.path is not None
    (made,) = killed.path.parent.glob("*.backup")
    made.unlink()
    done = migrate.upgrade(store_url)
    assert done.backup is not None
    assert done.backup.exists()
