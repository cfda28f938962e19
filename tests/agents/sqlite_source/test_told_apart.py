"""Whose database a file is, by its tables alone."""

import sqlite3
from contextlib import closing

import pytest

from hermes_sessions.agents.hermes.importer import IMPORTER
from hermes_sessions.agents.hermes.schema import EXPECTED
from hermes_sessions.agents.sqlite_source.foreign_database import open_foreign
from hermes_sessions.agents.sqlite_source.told_apart import is_database_of, is_database_of_another
from tests.agents.hermes.hermes_builder import row, session, state_db

OTHERS = {
    "other tables": "CREATE TABLE session (id TEXT)",
    "the same tables with other columns": (
        "CREATE TABLE sessions (id TEXT); CREATE TABLE messages (session_id TEXT, content_json TEXT)"
    ),
}


def a_database(path, statements):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)
    return path


def hermes(path):
    return state_db(path, sessions=[session("s")], messages=[row("s", "user", "hi")])


def test_a_database_is_known_by_its_tables(tmp_path):
    path = hermes(tmp_path / "any name")
    assert is_database_of(path, EXPECTED)
    assert not is_database_of_another(path, EXPECTED)
    assert IMPORTER.locate(path) == path


@pytest.mark.parametrize("statements", OTHERS.values(), ids=OTHERS)
def test_another_agent_s_database_is_left_to_it(tmp_path, statements):
    path = a_database(tmp_path / "x.db", statements)
    assert not is_database_of(path, EXPECTED)
    assert is_database_of_another(path, EXPECTED)
    assert IMPORTER.locate(path) is None


def test_tables_that_are_only_in_the_log_count(tmp_path):
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE something (id TEXT)")
        assert is_database_of_another(path, EXPECTED)


@pytest.mark.parametrize("content", [b"", b"text", b"SQLite format 3\0" + b"\xff" * 5000, None])
def test_of_what_cannot_be_read_nothing_is_said(tmp_path, content):
    path = tmp_path / "x.db"
    if content is not None:
        path.write_bytes(content)
    assert not is_database_of(path, EXPECTED)
    assert not is_database_of_another(path, EXPECTED)


def test_asking_while_it_is_read_in_place_leaves_the_reading_alone(tmp_path):
    path = hermes(tmp_path / "state.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as agent:
        agent.execute("PRAGMA journal_mode = WAL")
        agent.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', '', 1)"
        )
        with open_foreign(path, EXPECTED) as foreign:
            assert is_database_of(path, EXPECTED)
            assert foreign.connection.execute("SELECT count(*) FROM messages").fetchone() == (2,)
