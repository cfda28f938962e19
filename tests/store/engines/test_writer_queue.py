"""Writers stand in line, and nobody who died or sleeps holds it up."""

import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.errors import StoreBusyError
from hermes_sessions.store.engines import sqlite_engine as engine_module
from hermes_sessions.store.engines import writer_queue
from hermes_sessions.store.engines.writer_queue import HAVE_PLACES, take_turn
from hermes_sessions.store.opening.database import Database
from tests.builders import an_origin
from tests.waiting import PATIENCE_SECONDS, until

pytestmark = pytest.mark.sqlite_only("a server has its own line")
in_line = pytest.mark.skipif(not HAVE_PLACES, reason="no locks that belong to an open file here")


def places(path: Path) -> int:
    """Return how many numbers were drawn."""
    line = Path(f"{path}-turn")
    return int.from_bytes(line.read_bytes()[:8], "little") if line.exists() else 0


@in_line
def test_who_came_first_writes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_queue, "PATIENCE_SECONDS", 20.0)
    path = tmp_path / "x.db"
    free = threading.Event()
    order: list[int] = []

    def write(number: int) -> None:
        def begin() -> bool:
            if free.is_set():
                order.append(number)
            return free.is_set()

        assert take_turn(path, begin, seconds=20)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(12)]
    for number, thread in enumerate(threads):
        thread.start()
        until(lambda wanted=number + 2: places(path) == wanted, step=0.001)  # type: ignore[misc]
    free.set()
    for thread in threads:
        thread.join()
    assert order == list(range(12))


@pytest.mark.parametrize("have_places", [pytest.param(True, marks=in_line), False])
def test_everybody_gets_a_turn(
    database: Database, monkeypatch: pytest.MonkeyPatch, have_places: bool
) -> None:
    monkeypatch.setattr(writer_queue, "HAVE_PLACES", have_places)

    def add(name: int) -> None:
        for number in range(10):
            with database.write() as db:
                an_origin(db, label=f"{name}-{number}")

    threads = [threading.Thread(target=add, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as db:
        assert db.connection().exec_driver_sql("SELECT count(*) FROM origins").scalar() == 80


def stand_in_line(path: str, stopped: Any) -> None:
    """Draw a number, have it reach the head of the line, and stay there."""

    def begin() -> bool:
        stopped.set()
        time.sleep(600)
        return True

    take_turn(Path(path), begin, seconds=600)


@pytest.mark.parametrize(
    ("end", "patience", "at_least"),
    [
        pytest.param(signal.SIGKILL, 600.0, 0.0, id="killed"),
        pytest.param(signal.SIGSTOP, 2.0, 2.0, id="suspended"),
    ],
)
@in_line
def test_a_writer_that_stands_still_is_overtaken(
    database: Database, monkeypatch: pytest.MonkeyPatch, end: int, patience: float, at_least: float
) -> None:
    monkeypatch.setattr(writer_queue, "PATIENCE_SECONDS", patience)
    monkeypatch.setattr(engine_module, "BUSY_SECONDS", PATIENCE_SECONDS)
    context = multiprocessing.get_context("spawn")
    there = context.Event()
    other = context.Process(target=stand_in_line, args=(str(database.path), there))
    other.start()
    try:
        assert there.wait(PATIENCE_SECONDS)
        assert other.pid is not None
        os.kill(other.pid, end)
        if end == signal.SIGKILL:
            other.join()
        began = time.monotonic()
        with database.write() as db:
            an_origin(db)
        assert at_least <= time.monotonic() - began < PATIENCE_SECONDS
    finally:
        other.kill()
        other.join()


@in_line
@pytest.mark.parametrize("content", [b"", b"odd", b"\xff" * 16, bytes(64)])
def test_an_odd_file_beside_the_store_is_no_harm(database: Database, content: bytes) -> None:
    line = Path(f"{database.path}-turn")
    line.write_bytes(content)
    for label in ("one", "two"):
        with database.write() as db:
            an_origin(db, label=label)
    assert len(line.read_bytes()) >= 16


def test_a_folder_in_the_place_of_the_line_is_no_harm(database: Database) -> None:
    line = Path(f"{database.path}-turn")
    line.unlink(missing_ok=True)
    line.mkdir()
    with database.write() as db:
        an_origin(db)


@pytest.mark.parametrize("have_places", [pytest.param(True, marks=in_line), False])
def test_a_store_that_stays_busy_is_named(
    database: Database, monkeypatch: pytest.MonkeyPatch, have_places: bool
) -> None:
    monkeypatch.setattr(writer_queue, "HAVE_PLACES", have_places)
    monkeypatch.setattr(engine_module, "BUSY_SECONDS", 0.1)
    with database.write(), pytest.raises(StoreBusyError, match="another process"), database.write():
        pass
    with database.write() as db:
        an_origin(db)
