"""A store that goes away while it is open: noticed, told once, and used again when it is back."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, text

from hermes_sessions.errors import StoreDamagedError, StoreUnavailableError
from hermes_sessions.store.engines.outage import QUIET_SECONDS, Outage
from hermes_sessions.store.opening.database import Database
from tests.servers import Databases


def delete(path: Path) -> None:
    path.rename(path.with_name("away.db"))


def replace(path: Path) -> None:
    shutil.copy(path, path.with_name("other.db"))
    os.replace(path.with_name("other.db"), path)


def take_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))
    path.parent.write_text("a file where the folder was")


@pytest.fixture
def path(tmp_path: Path, empty_store: Path) -> Path:
    made = tmp_path / "folder" / "store.db"
    made.parent.mkdir()
    shutil.copy(empty_store, made)
    return made


@pytest.mark.parametrize("change", [delete, replace, take_folder])
def test_a_store_that_is_taken_away_is_neither_read_nor_written(
    path: Path, change: Callable[[Path], None]
) -> None:
    with Database.open(str(path)) as database:
        change(path)
        with pytest.raises(StoreUnavailableError, match=r"store\.db: was (deleted|replaced)"):
            database.change_token()
        for begin in (database.read, database.write):
            with pytest.raises(StoreUnavailableError), begin():
                pytest.fail("nobody finds that file any more")


def test_each_outage_is_told_once_and_a_store_put_back_is_used_again(path: Path) -> None:
    told: list[str] = []
    with Database.open(str(path)) as database:
        database.tell_outages(told.append)
        delete(path)
        for _ in range(3):
            with pytest.raises(StoreUnavailableError):
                database.change_token()
        path.with_name("away.db").rename(path)
        assert database.change_token()
    assert len(told) == 1


def test_a_store_that_is_cut_off_is_told_once(path: Path) -> None:
    told: list[str] = []
    with Database.open(str(path)) as database:
        database.tell_outages(told.append)
        database.close()
        os.truncate(path, path.stat().st_size // 2)
        for _ in range(3):
            with pytest.raises(StoreDamagedError), database.read() as db:
                db.execute(text("SELECT * FROM sqlite_schema, messages"))
    assert len(told) == 1
    assert "store.db" in told[0]


def test_a_store_that_comes_and_goes_is_told_once_a_minute() -> None:
    now, told = 0.0, list[str]()
    outage = Outage(clock=lambda: now)
    outage.tell(told.append)
    for seconds in (0.0, 1.0, QUIET_SECONDS / 2, 3 * QUIET_SECONDS):
        now = seconds
        outage.began(f"at {seconds}")
        outage.ended()
    assert told == ["at 0.0", f"at {3 * QUIET_SECONDS}"]


@pytest.mark.postgresql
def test_a_connection_that_dies_before_it_is_used_leaves_one_line(
    servers: Databases, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[str] = []
    with Database.open(servers.fresh()) as database:
        database.tell_outages(told.append)

        def kill(raw: psycopg.Connection[Any], *_: object) -> None:
            servers.run(f"SELECT pg_terminate_backend({raw.info.backend_pid}, 5000)")

        event.listen(database.engine, "checkout", kill)
        with pytest.raises(StoreUnavailableError), database.read() as db:
            db.connection()
        event.remove(database.engine, "checkout", kill)
        assert database.change_token()
    assert len(told) == 1
    assert not caplog.records


def lose_the_server_half_way(database: Database, servers: Databases) -> None:
    with database.read() as db:
        with db.execute(text("SELECT generate_series(1, 100)").execution_options(yield_per=10)) as rows:
            next(rows)
            raw = db.connection().connection.driver_connection
            assert isinstance(raw, psycopg.Connection)
            servers.run(f"SELECT pg_terminate_backend({raw.info.backend_pid}, 5000)")
        db.execute(text("SELECT 1"))


@pytest.mark.postgresql
def test_an_answer_that_is_half_read_when_the_server_ends_it_leaves_one_line(
    servers: Databases, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[str] = []
    with Database.open(servers.fresh()) as database:
        database.tell_outages(told.append)
        with pytest.raises(StoreUnavailableError):
            lose_the_server_half_way(database, servers)
        assert database.change_token()
    assert len(told) == 1
    assert not caplog.records
