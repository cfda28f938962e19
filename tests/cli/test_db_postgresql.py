"""`db` on a server's store: the same words, and what is different there said in one line."""

import json
from collections.abc import Iterator

import psycopg
import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from hermes_sessions.store.opening.database import Database
from tests.builders import a_conversation
from tests.servers import Databases

pytestmark = pytest.mark.postgresql


@pytest.fixture
def url(servers: Databases) -> str:
    """A store with one conversation."""
    made = servers.fresh()
    with Database.open(made) as database, database.write() as db:
        a_conversation(db, id="one")
    return made


@pytest.fixture
def bare(servers: Databases) -> Iterator[str]:
    """A database without tables."""
    name = servers.bare()
    yield servers.url(name)
    servers.drop(name)


@pytest.fixture
def on(url: str) -> CliRunner:
    """Runs commands on that store."""
    return CliRunner(env={"HERMES_SESSIONS_DB": url})


def spoil(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE conversations SET session_count = 5")


def test_upgrade_makes_the_tables(bare: str) -> None:
    result = CliRunner().invoke(main, ["db", "upgrade", "--db", bare])
    assert result.exit_code == 0
    assert "no schema -> " in result.stdout
    assert "nothing to do" in CliRunner().invoke(main, ["db", "upgrade", "--db", bare]).stdout


def test_current_shows_the_address_without_a_password(on: CliRunner, url: str) -> None:
    secret = url.replace("postgres@", "postgres:secret@")
    result = on.invoke(main, ["--db", secret, "db", "current", "--json"])
    assert json.loads(result.stdout)["path"].startswith("postgresql://postgres@")
    assert "secret" not in result.output


def test_check_lists_and_repair_mends(on: CliRunner, url: str) -> None:
    assert on.invoke(main, ["db", "check"]).stdout == "everything agrees\n"
    spoil(url)
    found = on.invoke(main, ["db", "check", "--json"])
    assert found.exit_code == 1
    assert json.loads(found.stdout)["left"] == [
        {"table": "conversations", "id": 1, "column": "session_count", "stored": 5, "derived": 1}
    ]
    mended = on.invoke(main, ["db", "check", "--repair"])
    assert (mended.exit_code, "1 values disagreed and were mended" in mended.stdout) == (0, True)
    assert on.invoke(main, ["db", "check"]).exit_code == 0


def test_a_backup_is_left_to_the_servers_own_tool(on: CliRunner) -> None:
    result = on.invoke(main, ["db", "backup"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "pg_dump" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["list", "db current", "db check", "db upgrade", "compactions"])
def test_a_server_that_is_away_is_one_line(command: str) -> None:
    url = "postgresql://me:secret@127.0.0.1:1/x"
    result = CliRunner().invoke(main, [*command.split(), "--db", url])
    assert result.exit_code == 2
    assert "postgresql://me@127.0.0.1:1/x: cannot be reached" in result.stderr
    assert "secret" not in result.output
    assert result.stderr.count("\n") == 1
