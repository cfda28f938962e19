"""What one enormous cell costs: the process's memory stays within what is promised."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from hermes_sessions.store.db import Database
from hermes_sessions.web import create_app
from tests.importers.hermes_builder import row, session, state_db
from tests.operations.scene import talk

CELL = 50_000_000
LIMIT = 300_000_000 + 6 * CELL


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
    words = [sys.executable, "-m", "hermes_sessions", "import", str(agent), "--db", str(store)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    output = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, output
    assert usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) < LIMIT
    with Database.open(str(store), create=False) as database:
        page = create_app(database).test_client().get("/c/s").text
    assert "before" in page
    assert "after" in page
    assert len(page) < 1_000_000
