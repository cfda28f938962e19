"""Rows by a column, with an index and without."""

import sqlite3
from contextlib import closing

import pytest

from hermes_sessions.agents.sqlite_source.grouped_rows import rows_of


def a_table(path, sessions=300, each=10):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE part (id INTEGER PRIMARY KEY, session_id TEXT, data TEXT)")
        connection.executemany(
            "INSERT INTO part (session_id, data) VALUES (?, ?)",
            [(f"s{number % sessions}", "x" * 200) for number in range(sessions * each)],
        )
    return path


def steps(connection, statement, *values):
    """Return how much SQLite does for a statement, in thousands of its instructions."""
    count = 0

    def counting():
        nonlocal count
        count += 1

    connection.set_progress_handler(counting, 1000)
    connection.execute(statement, values).fetchall()
    connection.set_progress_handler(None, 0)
    return count


@pytest.mark.parametrize("indexed", [True, False])
def test_rows_are_found_by_a_column(tmp_path, indexed):
    path = a_table(tmp_path / "x.db")
    with closing(sqlite3.connect(path)) as connection:
        if indexed:
            connection.execute("CREATE INDEX by_session ON part (session_id)")
            connection.commit()
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        where = rows_of(connection, "part", "session_id")
        found = connection.execute(f"SELECT id FROM part WHERE {where} ORDER BY id", ("s7",)).fetchall()
        assert [one for (one,) in found] == [8 + 300 * at for at in range(10)]
        assert ("temp" in where) is not indexed
        assert steps(connection, f"SELECT data FROM part WHERE {where}", "s7") <= 1
        assert steps(connection, "SELECT data FROM part NOT INDEXED WHERE session_id = ?", "s7") > 5


def test_an_index_of_some_rows_does_not_serve(tmp_path):
    with closing(sqlite3.connect(a_table(tmp_path / "x.db"))) as connection:
        connection.execute("CREATE INDEX some ON part (session_id) WHERE id > 100")
        assert "temp" in rows_of(connection, "part", "session_id")
