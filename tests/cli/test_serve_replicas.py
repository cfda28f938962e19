"""`serve --db-read`: which replicas it takes, which it refuses, how it says so."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from hermes_sessions.store.opening.database import Database
from tests.cli.test_browse import Served, get
from tests.replication import Pair
from tests.waiting import until
from tests.web import stories

pytestmark = pytest.mark.replication


@pytest.fixture
def name(pair: Pair) -> Iterator[str]:
    """A store with a story, on both servers."""
    made = pair.store()
    with Database.open(pair.primary.url(made)) as database, database.write() as db:
        stories.family(db)
    pair.catch_up()
    yield made
    pair.drop(made)


def refused(db: str, *replicas: str) -> str:
    words = ["serve", "--no-sync", "--port", "0", "--db", db]
    result = CliRunner().invoke(main, words + [word for one in replicas for word in ("--db-read", one)])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "secret" not in result.stderr
    return result.stderr


def test_what_is_no_replica_of_the_store_is_refused_in_one_line(
    pair: Pair, name: str, tmp_path: Path
) -> None:
    primary, other = pair.primary.url(name), pair.store()
    secret = pair.replica.url(other).replace("postgres@", "postgres:secret@")
    assert "holds another store" in refused(primary, secret)
    assert "holds another store" in refused(primary, pair.replica.url("postgres"))
    assert "is a PostgreSQL server, not a file" in refused(primary, str(tmp_path / "store.db"))
    assert "keeps its store in" in refused(primary, "mysql://me:secret@h/x")
    assert "names no database" in refused(primary, "postgresql://me:secret@h")
    file = str(tmp_path / "primary.db")
    assert "only a store on PostgreSQL has replicas" in refused(file, pair.replica.url(name))
    pair.drop(other)


def test_pages_are_served_from_a_replica_and_one_that_is_away_is_told(
    pair: Pair, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = "postgresql://me:secret@127.0.0.1:1/x"
    served = Served(
        tmp_path, "--no-sync", "--port", "0", "--db", pair.primary.url(name),
        "--db-read", pair.replica.url(name), "--db-read", away, "--max-lag", "30",
    )  # fmt: skip
    address = served.line().split()[2]
    pair.pause()
    with psycopg.connect(pair.primary.url(name)) as connection:
        connection.execute("UPDATE conversations SET title = 'newer'")
    # On a busy machine the replica may be silent for too long, and the primary be read meanwhile.
    until(lambda: "newer" not in get(address + "api/conversations"))
    pair.resume()
    pair.catch_up()
    assert "newer" in get(address + "api/conversations")
    code, errors = served.end()
    assert code == 0
    assert "not read for now: cannot be reached" in errors
    assert "secret" not in errors
