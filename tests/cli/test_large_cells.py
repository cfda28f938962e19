"""What one enormous cell costs: the process's memory stays within what is promised."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import create_app
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.operations.imports.scene import talk

CELL = 50_000_000
LIMIT = 300_000_000 + 6 * CELL

IMPORT = """
import runpy, sys
sys.argv[0] = "hermes-sessions"
try:
    runpy.run_module("hermes_sessions", run_name="__main__")
finally:
    with open("/proc/self/status") as status:
        print(*(line.split()[1] for line in status if line.startswith("VmHWM")), file=sys.stderr)
"""
"""The command, and then its own peak in kB: what `wait4` says counts the process that it was forked from."""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc says how much memory was used")
@pytest.mark.sqlite_only("the importer's own memory")
def test_a_cell_of_fifty_megabytes_is_imported_shown_and_bounded(tmp_path):
    agent = tmp_path / "state.db"
    state_db(
        agent,
        sessions=[session("s")],
        messages=[*talk("s", "before"), row("s", "tool", "line of output\n"), *talk("s", "after")],
    )
    with closing(sqlite3.connect(agent)) as connection, connection:
        connection.execute(
            "UPDATE messages SET content = replace(hex(zeroblob(?)), '00', 'a b ') WHERE role = 'tool'",
            (CELL // 4,),
        )
    store = tmp_path / "store.db"
    words = [sys.executable, "-c", IMPORT, "import", str(agent), "--db", str(store)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stderr.split()[-1]) * 1024 < LIMIT
    with Database.open(str(store), create=False) as database:
        page = create_app(database).test_client().get("/c/s").text
    assert "before" in page
    assert "after" in page
    assert len(page) < 1_000_000
