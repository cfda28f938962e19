"""Many stores in one database: each a schema with a role that can use nothing else."""

import json
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import psycopg
import pytest

from hermes_sessions.errors import StoreError
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.documents.schemas import COMMANDS
from hermes_sessions.store.engines.server_probe import Server, locate_server
from hermes_sessions.store.engines.server_stores import drop_store, list_stores, matching_schemas
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.make_store import NewStore, make_store
from tests.builders import a_conversation
from tests.servers import Databases
from tests.waiting import until
from tests.whole_life import live, run

pytestmark = pytest.mark.postgresql

WAITING = b"SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@pytest.fixture
def bare(servers: Databases) -> Iterator[str]:
    """A database without a store; its stores' roles go with it."""
    name = servers.bare()
    yield servers.url(name)
    for store in list_stores(locate_server(servers.url(name))):
        drop_store(locate_server(servers.url(name)), store.schema)
    servers.drop(name)


@pytest.fixture
def server(bare: str) -> Server:
    return locate_server(bare)


def made(server: Server, ending: str = "a", **more: str) -> tuple[str, str]:
    """Make a store; return its name and its URL, as its role sees it."""
    name = f"hs_test_{secrets.token_hex(4)}_{ending}"
    place = make_store(server, NewStore(schema=name, **more))
    return name, place.server.url.render_as_string(hide_password=False)


def test_a_whole_life_passes_in_a_schema_with_a_role_of_its_own(server: Server, tmp_path: Path) -> None:
    _, url = made(server)
    live(url, tmp_path / "agent")


def test_stores_of_one_database_do_not_see_each_other(server: Server) -> None:
    (_, first), (_, second) = made(server, "a"), made(server, "b")
    with Database.open(first) as database, database.write() as db:
        a_conversation(db, id="one")
    assert [
        json.loads(run(url, "list", "--kind", "all", "--json"))["conversations"] for url in (second,)
    ] == [[]]
    assert len(json.loads(run(first, "list", "--kind", "all", "--json"))["conversations"]) == 1


def test_a_role_may_use_its_own_store_alone(server: Server) -> None:
    (own, url), (other, _) = made(server, "a"), made(server, "b")
    role = url.replace(f"schema={own}", f"schema={other}")
    with pytest.raises(StoreError, match="no such schema, or this user may not use it"):
        Database.open(role)
    with psycopg.connect(url.partition("?")[0], autocommit=True) as connection:
        for forbidden in (
            f"SELECT * FROM {other}.messages",
            "CREATE ROLE hs_test_more",
            "CREATE SCHEMA more",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(forbidden.encode())


def test_a_reader_reads_and_cannot_write(server: Server, servers: Databases) -> None:
    reader = f"hs_test_{secrets.token_hex(4)}"
    servers.run(f"CREATE ROLE {reader} LOGIN")
    try:
        name, url = made(server, reader=reader)
        with Database.open(url.replace(f"//{name}@", f"//{reader}@")) as database:
            assert database.read_only
            with database.read() as db:
                assert db.connection().exec_driver_sql("SELECT count(*) FROM messages").scalar() == 0
        drop_store(server, name)
    finally:
        servers.run(f"DROP ROLE {reader}")


def test_the_newest_revision_is_brought_to_a_schema(server: Server) -> None:
    name, url = made(server)
    with psycopg.connect(url.partition("?")[0]) as connection:  # the role's own search path names the store
        connection.execute("ALTER TABLE messages_fts_version DROP CONSTRAINT pk_messages_fts_version")
        connection.execute("DROP SEQUENCE change_base; DROP INDEX ix_compactions_prunes")
        connection.execute("ALTER TABLE compactions DROP COLUMN number, DROP COLUMN judgement")
        connection.execute("ALTER TABLE conversations DROP COLUMN prune_count")
        connection.execute("UPDATE alembic_version SET version_num = '0007'")
    assert list_stores(server)[0].revision == "0007"
    assert migrate.upgrade(url).before.pending == ("0008", "0009", "0010", "0011")
    assert [(one.schema, one.revision) for one in list_stores(server)] == [(name, "0011")]


def test_a_store_moves_into_a_schema_and_back_into_a_file(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Database.open(str(path)) as database, database.write() as db:
        a_conversation(db, id="one", title="Moved")
    _, url = made(server)
    assert "the same on both sides" in run(str(path), "db", "move", "--to", url)
    assert "Moved" in run(url, "list", "--kind", "all")
    assert "the same on both sides" in run(url, "db", "move", "--to", str(tmp_path / "back.db"))


@pytest.mark.parametrize("name", ['team "A"', "100%", "été; DROP SCHEMA public", "a b/c"])
def test_odd_names_are_names(server: Server, name: str) -> None:
    name = f"{name} {secrets.token_hex(4)}"
    place = make_store(server, NewStore(schema=name))
    with Database.open(place.server.url.render_as_string()) as database, database.write() as db:
        a_conversation(db, id="one")
    assert drop_store(server, name) is None
    assert list_stores(server) == ()


def test_a_store_dropped_while_they_are_listed_is_none_and_hides_no_other(server: Server) -> None:
    (going, _), (staying, _) = made(server, "a"), made(server, "b")
    with (
        psycopg.connect(server.conninfo) as dropping,
        psycopg.connect(server.conninfo, autocommit=True) as watching,
        ThreadPoolExecutor(1) as threads,
    ):
        dropping.execute(f"DROP SCHEMA {going} CASCADE".encode())
        listed = threads.submit(list_stores, server)
        until(lambda: watching.execute(WAITING).fetchone())
        dropping.commit()
        found = listed.result()
        watching.execute(f"DROP ROLE {going}".encode())
    assert [(one.schema, one.readable) for one in found] == [(staying, True)]


def test_commands_make_list_and_drop(bare: str) -> None:
    name = f"hs_test_{secrets.token_hex(4)}"
    shown = run(bare, "db", "stores", "make", name, "--password", "--json")
    assert len(json.loads(shown)["password"]) >= 32
    assert json.loads(run(bare, "db", "stores", "list", "--json"))["stores"][0] == {
        "store": name,
        "role": name,
        "revision": migrate.head_revision(),
        "readable": True,
        "size_bytes": json.loads(run(bare, "db", "stores", "list", "--json"))["stores"][0]["size_bytes"],
    }
    assert name in run(bare, "db", "stores", "list")
    other = f"{name}_b"
    asked = (("make", other), ("list",), ("drop", other, "--yes"))
    for words in asked:
        answer = json.loads(run(bare, "db", "stores", *words, "--json"))
        document = COMMANDS[f"db stores {words[0]}"]
        assert plain(msgspec.convert(answer, document)) == answer
    assert "was dropped" in run(bare, "db", "stores", "drop", name, typed="y\n")
    assert "no stores yet" in run(bare, "db", "stores", "list")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("make", "pg_mine"), "pg_mine"),
        (("make", ""), "1 to 63 bytes"),
        (("make", "x" * 64), "1 to 63 bytes"),
        (("make", "postgres"), "there is a role 'postgres' already"),
        (("make", "public"), "there is a schema 'public' already"),
        (("drop", "nothing", "--yes"), "there is no store 'nothing'"),
        (("drop", "public", "--yes"), "there is no store 'public'"),
    ],
)
def test_what_cannot_be_is_one_line(bare: str, words: tuple[str, ...], said: str) -> None:
    from click.testing import CliRunner

    from hermes_sessions.cli import main

    done = CliRunner().invoke(main, ["--db", bare, "db", "stores", *words])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr
    assert list_stores(locate_server(bare)) == ()


def test_a_pattern_finds_stores_or_says_that_it_does_not(server: Server) -> None:
    names = sorted(made(server, ending)[0] for ending in ("red", "blue"))
    assert list(matching_schemas(server, "hs_test_%")) == names
    assert list(matching_schemas(server, "*_red")) == [one for one in names if one.endswith("red")]
    with pytest.raises(StoreError, match="no store there has a name like 'team_%'"):
        matching_schemas(server, "team_%")
