"""Sessions with several large cells: one is held at a time, and what is lost is told as before."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.hermes.source import open_hermes
from hermes_sessions.errors import SourceDamagedError
from tests.agents.hermes.hermes_builder import row, session, state_db

CELL = 30_000_000

READ = """
import sys
from pathlib import Path
from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.hermes.source import open_hermes
with open_hermes(Path(sys.argv[1]), OpenOptions(now=0.0)) as source:
    for ids in source.families():
        for _, batch in source.read(ids).batches():
            count = len(batch)
            del batch
told = Path("/proc/self/status").read_text().split("VmHWM:")[1]
print(int(told.split()[0]) * 1024)
"""


def peak(path, cells):
    """Return the most that a process of its own held while it read a session with large cells."""
    large = [row("s", "assistant", "large") for _ in range(cells)]
    state_db(path, sessions=[session("s")], messages=[row("s", "user", "before"), *large])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE messages SET content = ? WHERE content = 'large'", ("word " * (CELL // 5),)
        )
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc says how much memory was used")
def test_several_large_cells_cost_little_more_than_one(tmp_path):
    one, several = peak(tmp_path / "one.db", 1), peak(tmp_path / "several.db", 4)
    # Each is more than is kept of a family, and a batch of its own.
    assert several - one < CELL


def test_a_row_that_an_index_leads_to_and_that_is_not_there_is_damage(tmp_path):
    path = state_db(
        tmp_path / "state.db",
        sessions=[session("s")],
        messages=[row("s", "user", f"said {number}") for number in range(4)],
    )
    index = "name = (SELECT name FROM pragma_index_list('messages') LIMIT 1)"
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(f"SELECT count(*) FROM sqlite_schema WHERE {index}").fetchone() == (1,)
        (name,) = connection.execute(f"SELECT name FROM sqlite_schema WHERE {index}").fetchone()
        schema = connection.execute("SELECT * FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_schema WHERE name = ?", (name,))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM messages WHERE id = 2")  # its index is not told
        connection.execute("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", schema)
    with open_hermes(path, OpenOptions(now=0.0)) as source, pytest.raises(SourceDamagedError):
        source.read(("s",))
