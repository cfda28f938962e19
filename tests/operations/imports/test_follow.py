"""Following databases while their agents write."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from hermes_sessions.agents.hermes.discover import discover_databases, discovery_folders
from hermes_sessions.demo.agent_tables import insert_rows, message_columns
from hermes_sessions.operations.imports import follow
from hermes_sessions.operations.imports.follow import Follower, Sources
from hermes_sessions.operations.imports.import_origin import import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.progress import Progress
from hermes_sessions.store.schema.models import Message
from hermes_sessions.web import SyncStatus
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.agents.workshop import CodexWorkshop
from tests.waiting import PATIENCE_SECONDS


@pytest.fixture(autouse=True)
def _looks_only_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "CALM_SECONDS", 2 * PATIENCE_SECONDS)


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
            discover=lambda: discover_databases(tmp_path, home),
            folders=lambda: discovery_folders(tmp_path, home),
        )
    )
    heard.until(lambda: stored(database) == 1)
    agent_database(home / "profiles" / "later", "b")
    heard.until(lambda: stored(database) == 2)
    assert {origin.label for origin in heard.snapshot()} == {"hermes", "later"}


def test_what_is_written_deep_in_a_named_home_arrives_by_notice(
    database: Database, heard: Heard, following: Callable[[Sources], Follower], tmp_path: Path
) -> None:
    home = CodexWorkshop().make(tmp_path)
    following(Sources(paths=[home]))
    heard.until(lambda: stored(database) == 8)
    CodexWorkshop().append(home, "b", "one more")
    heard.until(lambda: stored(database) == 9)


def _refused(*paths: Path, **options: object) -> Iterator[object]:
    raise OSError("no more watches")


@pytest.mark.parametrize(
    ("polling", "watch"), [(True, None), (False, _refused)], ids=["asked for", "refused"]
)
def test_without_notices_it_is_polled(
    tmp_path: Path,
    database: Database,
    heard: Heard,
    following: Callable[[Sources], Follower],
    monkeypatch: pytest.MonkeyPatch,
    polling: bool,
    watch: object,
) -> None:
    monkeypatch.setattr(follow, "POLL_SECONDS", 0.05)
    monkeypatch.setattr("hermes_sessions.operations.imports.watch_folders.watch", watch)
    path = agent_database(tmp_path / "agent")
    following(Sources(paths=[path], polling=polling))
    heard.until(lambda: stored(database) == 1)
    say(path, "more")
    heard.until(lambda: stored(database) == 2)


def test_whatever_one_origin_raises_the_others_are_followed(
    tmp_path: Path,
    database: Database,
    heard: Heard,
    following: Callable[[Sources], Follower],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken, sound = agent_database(tmp_path / "broken"), agent_database(tmp_path / "sound", "b")
    imported = import_path

    def importing(database: Database, path: Path, options: Any) -> Any:
        if path == broken:
            raise KeyError("what nobody\nexpects")
        return imported(database, path, options)

    monkeypatch.setattr(follow, "import_path", importing)
    following(Sources(paths=[broken, sound]))
    heard.until(lambda: stored(database) == 1)
    told = {one.label: one.last_error for one in heard.snapshot()}
    assert told["broken"] == f"{broken}: failed (KeyError): 'what nobody\\nexpects'"
    with closing(sqlite3.connect(sound)) as connection, connection:
        one = {**row("b", "user", "more"), "timestamp": time.time()}
        insert_rows(connection, "messages", message_columns(17), [one])
    heard.until(lambda: stored(database) == 2)


def test_stopping_does_not_wait_for_the_next_look(
    tmp_path: Path, heard: Heard, following: Callable[[Sources], Follower]
) -> None:
    follower = following(Sources(paths=[agent_database(tmp_path / "agent")]))
    heard.until(lambda: bool(heard.snapshot()))
    began = time.monotonic()
    follower.stop()
    assert time.monotonic() - began < follow.CALM_SECONDS / 2


def test_stopping_ends_an_audit_under_way(
    tmp_path: Path,
    heard: Heard,
    following: Callable[[Sources], Follower],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reached, ended = threading.Event(), threading.Event()

    def long_audit(*args: Any, progress: Progress, **options: Any) -> None:
        try:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < deadline:
                reached.set()
                progress("audit", 1, 2)
                time.sleep(0.01)
        finally:
            ended.set()

    monkeypatch.setattr(follow, "run_audit", long_audit)
    follower = following(Sources(paths=[agent_database(tmp_path / "agent")]))
    assert reached.wait(PATIENCE_SECONDS)
    follower.stop()
    assert ended.is_set()
    assert not any(one.last_error for one in heard.snapshot())
