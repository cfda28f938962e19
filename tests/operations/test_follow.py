"""Following databases while their agents write."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select

from hermes_sessions.demo.hermes_schema import insert_rows, message_columns
from hermes_sessions.importers.discover import discover_databases, discovery_folders
from hermes_sessions.operations import follow
from hermes_sessions.operations.follow import Follower, Sources
from hermes_sessions.store.db import Database
from hermes_sessions.store.models import Message
from hermes_sessions.web import SyncStatus
from tests.importers.hermes_builder import row, session, state_db

PATIENCE_SECONDS = 20.0


class Heard(SyncStatus):
    """A listener that can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.happened = threading.Condition()

    def finish(self, label: str, at: float) -> None:
        super().finish(label, at)
        with self.happened:
            self.happened.notify_all()

    def until(self, condition: Callable[[], bool]) -> None:
        with self.happened:
            assert self.happened.wait_for(condition, PATIENCE_SECONDS)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def following(database: Database, heard: Heard) -> Iterator[Callable[[Sources], Follower]]:
    started: list[Follower] = []

    def start(sources: Sources) -> Follower:
        started.append(Follower(database, sources, heard, time.time))
        started[-1].start()
        return started[-1]

    yield start
    for follower in started:
        follower.stop()


def agent_database(folder: Path, name: str = "a") -> Path:
    folder.mkdir(parents=True)
    return state_db(
        folder / "state.db", sessions=[session(name)], messages=[row(name, "user", "Hello")], wal=True
    )


def say(path: Path, text: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        one = {**row("a", "user", text), "timestamp": time.time()}
        insert_rows(connection, "messages", message_columns(17), [one])


def stored(database: Database) -> int:
    with database.read() as db:
        return db.scalar(select(func.count()).select_from(Message)) or 0


def test_what_is_appended_arrives_by_notice(
    tmp_path: Path, database: Database, heard: Heard, following: Callable[[Sources], Follower]
) -> None:
    assert follow.CALM_SECONDS > PATIENCE_SECONDS
    path = agent_database(tmp_path / "agent")
    following(Sources(paths=[path]))
    heard.until(lambda: stored(database) == 1)
    for number in range(3):
        say(path, f"more {number}")
        heard.until(lambda wanted=number + 2: stored(database) == wanted)  # type: ignore[misc]


def test_a_database_that_appears_later_is_followed(
    tmp_path: Path, database: Database, heard: Heard, following: Callable[[Sources], Follower]
) -> None:
    home = tmp_path / "hermes"
    agent_database(home)
    (home / "profiles").mkdir()
    following(
        Sources(
            discover=lambda: [found.path for found in discover_databases(tmp_path, home)],
            folders=lambda: discovery_folders(tmp_path, home),
        )
    )
    heard.until(lambda: stored(database) == 1)
    agent_database(home / "profiles" / "later", "b")
    heard.until(lambda: stored(database) == 2)
    assert {origin.label for origin in heard.snapshot()} == {"hermes", "later"}


def test_polling_needs_no_notices(
    tmp_path: Path,
    database: Database,
    heard: Heard,
    following: Callable[[Sources], Follower],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(follow, "POLL_SECONDS", 0.05)
    monkeypatch.setattr("hermes_sessions.operations.watch.watch", None)
    path = agent_database(tmp_path / "agent")
    following(Sources(paths=[path], polling=True))
    heard.until(lambda: stored(database) == 1)
    say(path, "more")
    heard.until(lambda: stored(database) == 2)


def test_a_watch_that_fails_is_polled_instead(
    tmp_path: Path,
    database: Database,
    heard: Heard,
    following: Callable[[Sources], Follower],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*paths: Path, **options: object) -> Iterator[object]:
        raise OSError("no more watches")

    monkeypatch.setattr(follow, "POLL_SECONDS", 0.05)
    monkeypatch.setattr("hermes_sessions.operations.watch.watch", refuse)
    path = agent_database(tmp_path / "agent")
    following(Sources(paths=[path]))
    heard.until(lambda: stored(database) == 1)
    say(path, "more")
    heard.until(lambda: stored(database) == 2)


def test_stopping_does_not_wait_for_the_next_look(
    tmp_path: Path, heard: Heard, following: Callable[[Sources], Follower]
) -> None:
    follower = following(Sources(paths=[agent_database(tmp_path / "agent")]))
    heard.until(lambda: bool(heard.snapshot()))
    began = time.monotonic()
    follower.stop()
    assert time.monotonic() - began < follow.CALM_SECONDS / 2
