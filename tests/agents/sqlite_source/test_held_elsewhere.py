"""Foreign databases beside real programs that have them open, were killed, or come just then."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.hermes.schema import EXPECTED
from hermes_sessions.agents.sqlite_source.foreign_database import ReadMode, open_foreign
from hermes_sessions.agents.sqlite_source.held_elsewhere import is_held
from hermes_sessions.errors import SourceChangedError
from tests.agents.sqlite_source.test_foreign_database import everything, small_db

HOLDER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=9, isolation_level=None)
for line in sys.stdin:
    if line.strip() == "close":
        db.close()
    else:
        db.execute(line).fetchall()
    print("done", flush=True)
"""
LATE = "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'late', 1)"
BUSY = """
import os, signal, sqlite3, sys
turn = 0
while True:
    db = sqlite3.connect(sys.argv[1], timeout=9, isolation_level=None)
    for _ in range(3):
        turn += 1
        db.execute("UPDATE messages SET content = ?", (str(turn) * (turn % 400 + 1),))
    if turn % 5:
        db.close()
    elif os.fork() == 0:
        db = sqlite3.connect(sys.argv[1], isolation_level=None)
        db.execute("UPDATE messages SET content = 'killed'")
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        os.wait()
"""


class Holder:
    """A real process with the database open; it runs the statements that it is told."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, *statements: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        for one in statements:
            print(one, file=self.process.stdin, flush=True)
            assert self.process.stdout.readline() == "done\n"

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextlib.contextmanager
def holding(path: Path, *statements: str) -> Iterator[Holder]:
    holder = Holder(path)
    with holder.process:
        holder.run("PRAGMA wal_autocheckpoint = 0", *statements)
        yield holder
        holder.kill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "agent"
    folder.mkdir()
    small_db(folder / "state.db", wal=True)
    return folder / "state.db"


def count(foreign: Any) -> int:
    rows: int = foreign.connection.execute("SELECT count(*) FROM messages").fetchone()[0]
    return rows


def read_unmoved(path: Path, mode: ReadMode, rows: int) -> None:
    """Read in *mode* and see *rows*; every byte and time in the folder is the same during and afterwards."""
    before = everything(path.parent)
    with open_foreign(path, EXPECTED) as foreign:
        assert (foreign.mode, count(foreign)) == (mode, rows)
        assert everything(path.parent) == before
    assert everything(path.parent) == before


def test_a_killed_holder_is_none_and_nothing_is_touched(path: Path) -> None:
    with holding(path, LATE) as holder:
        assert is_held(path)
        holder.kill()
        assert sorted(one.name for one in path.parent.iterdir()) == [
            "state.db", "state.db-shm", "state.db-wal",
        ]  # fmt: skip
        assert not is_held(path)
        read_unmoved(path, ReadMode.COPY, 51)


def test_a_holder_killed_in_a_transaction_leaves_what_was_committed(path: Path) -> None:
    with holding(path, LATE, "PRAGMA cache_size = 1", "BEGIN", "DELETE FROM messages") as holder:
        holder.kill()
        read_unmoved(path, ReadMode.COPY, 51)


def test_an_idle_holder_is_read_in_place_and_nothing_is_touched(path: Path) -> None:
    with holding(path, LATE):
        read_unmoved(path, ReadMode.LIVE, 51)


def test_a_holder_in_a_transaction_shows_what_was_committed(path: Path) -> None:
    with holding(path, LATE, "BEGIN IMMEDIATE", "DELETE FROM messages"):
        read_unmoved(path, ReadMode.LIVE, 51)


def test_a_holder_that_reads_an_old_state_does_not_hide_the_new_one(path: Path) -> None:
    with holding(path, LATE, "BEGIN", "SELECT count(*) FROM messages"), holding(path, LATE, LATE):
        read_unmoved(path, ReadMode.LIVE, 53)


def test_after_the_holder_ends_in_good_order_the_file_is_read_as_it_is(path: Path) -> None:
    with holding(path, LATE, "close"):
        read_unmoved(path, ReadMode.IMMUTABLE, 51)


def test_an_empty_log_that_nobody_holds_is_not_copied(path: Path) -> None:
    with holding(path, LATE, "PRAGMA wal_checkpoint(TRUNCATE)") as holder:
        holder.kill()
        read_unmoved(path, ReadMode.IMMUTABLE, 51)


def test_a_holder_that_dies_while_it_is_read_does_no_harm(path: Path) -> None:
    with holding(path, LATE) as holder, open_foreign(path, EXPECTED) as foreign:
        rows = foreign.connection.execute("SELECT id FROM messages")
        rows.fetchone()
        holder.kill()
        left = everything(path.parent)
        assert len(rows.fetchall()) == 50
        assert count(foreign) == 51
        assert everything(path.parent) == left


def test_a_holder_is_not_kept_from_its_work_by_our_reading(path: Path) -> None:
    with holding(path, LATE) as holder, open_foreign(path, EXPECTED) as foreign:
        rows = foreign.connection.execute("SELECT id FROM messages")
        rows.fetchone()
        holder.run(LATE, "PRAGMA wal_checkpoint(PASSIVE)", LATE)
        assert len(rows.fetchall()) == 50
        assert count(foreign) == 53


def test_a_holder_that_comes_between_the_file_and_its_log_is_noticed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It moves everything from the log into the file that was copied already."""
    copy, came, copied = shutil.copyfile, contextlib.ExitStack(), []

    def copy_and_be_disturbed(source: Path, target: Path) -> None:
        copy(source, target)
        copied.append(source)
        if len(copied) == 1:
            change = "UPDATE messages SET content = 'changed' || hex(zeroblob(900))"
            came.enter_context(holding(path, change, "PRAGMA wal_checkpoint(TRUNCATE)", LATE))

    with holding(path, LATE) as holder:
        holder.kill()
    monkeypatch.setattr(shutil, "copyfile", copy_and_be_disturbed)
    with came, open_foreign(path, EXPECTED) as foreign:
        assert foreign.mode is ReadMode.COPY
        assert count(foreign) == 52
        texts = foreign.connection.execute("SELECT DISTINCT substr(content, 1, 7) FROM messages").fetchall()
        assert sorted(texts) == [("changed",), ("late",)]


def test_beside_a_holder_that_comes_goes_and_is_killed_no_state_is_torn(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", BUSY, str(path)]) as busy, contextlib.ExitStack() as ending:
        ending.callback(busy.kill)
        modes = set()
        for _ in range(60):
            with contextlib.suppress(SourceChangedError), open_foreign(path, EXPECTED) as foreign:
                modes.add(foreign.mode)
                told = foreign.connection.execute("SELECT count(*), count(DISTINCT content) FROM messages")
                assert told.fetchone() in ((50, 1), (50, 50))
                sound = foreign.connection.execute("PRAGMA quick_check").fetchone()
                foreign.verify()
                assert sound == ("ok",)
    assert ReadMode.LIVE in modes


def test_a_second_reading_of_ours_keeps_the_locks_of_the_first(path: Path) -> None:
    """Closing any descriptor of a file drops a process's locks on it."""
    asking = (
        "import sys, pathlib; from hermes_sessions.agents.sqlite_source.held_elsewhere import is_held;"
        " print(is_held(pathlib.Path(sys.argv[1])))"
    )

    def read_again() -> None:
        with open_foreign(path, EXPECTED) as again:
            assert (again.mode, count(again)) == (ReadMode.LIVE, 51)

    with holding(path, LATE) as holder, open_foreign(path, EXPECTED) as foreign:
        count(foreign)
        holder.kill()
        thread = threading.Thread(target=read_again)
        thread.start()
        thread.join()
        assert is_held(path)
        told = subprocess.run(
            [sys.executable, "-c", asking, path], capture_output=True, text=True, check=True
        )
        assert told.stdout == "True\n"
    assert not is_held(path)


@pytest.mark.parametrize("kind", ["missing", "empty", "a pipe", "a folder"])
def test_shared_memory_that_is_odd_is_held_by_nobody(path: Path, kind: str) -> None:
    shared = path.with_name("state.db-shm")
    if kind == "empty":
        shared.touch()
    elif kind == "a pipe":
        os.mkfifo(shared)
    elif kind == "a folder":
        shared.mkdir()
    assert not is_held(path)
    with open_foreign(path, EXPECTED) as foreign:
        assert count(foreign) == 50
