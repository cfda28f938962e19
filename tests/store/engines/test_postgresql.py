"""A store on a server: what opens, what is refused and how, who may do what, what a restart does."""

import secrets
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import command
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import text as sql

from hermes_sessions.errors import (
    InvalidQueryError,
    NotAStoreError,
    QueryTimeoutError,
    StoreBusyError,
    StoreError,
    StoreOutdatedError,
    StoreTooNewError,
    StoreUnavailableError,
)
from hermes_sessions.operations.agent.agent_store import Store
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.engines import postgresql_engine
from hermes_sessions.store.engines.server_probe import locate_server
from hermes_sessions.store.engines.store_place import find_place
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.searching.full_text import rebuild_index, search
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.servers import Databases
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.postgresql


@pytest.fixture
def url(servers: Databases) -> str:
    """A store without rows."""
    return servers.fresh()


@pytest.fixture
def bare(servers: Databases) -> Iterator[str]:
    """A database without tables."""
    name = servers.bare()
    yield servers.url(name)
    servers.drop(name)


def run(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


# -- opening ---------------------------------------------------------------------------------------


def test_an_empty_database_becomes_a_store(bare: str) -> None:
    Database.open(bare).close()
    Database.open(bare, create=False).close()
    assert migrate.current(bare).pending == ()


def test_a_database_without_a_store_is_not_made_one_unasked(bare: str) -> None:
    with pytest.raises(StoreError, match="there is no store yet"):
        Database.open(bare, create=False)


@pytest.mark.parametrize(
    ("statements", "error", "words"),
    [
        pytest.param(
            ["CREATE TABLE blog (id int)"], NotAStoreError, "something else", id="another program's"
        ),
        pytest.param(
            ["UPDATE alembic_version SET version_num = '0000'"], StoreOutdatedError, "db upgrade", id="older"
        ),
        pytest.param(
            ["UPDATE alembic_version SET version_num = '9999'"],
            StoreTooNewError,
            "upgrade hermes",
            id="newer",
        ),
        pytest.param(
            ["UPDATE messages_fts_version SET version = 0"], StoreOutdatedError, "search index", id="index"
        ),
    ],
)
def test_what_is_no_store_of_ours_is_refused(
    bare: str, statements: list[str], error: type[StoreError], words: str
) -> None:
    if "blog" not in statements[0]:
        Database.open(bare).close()
    run(bare, *statements)
    with pytest.raises(error, match=words):
        Database.open(bare)


def test_another_encoding_is_refused(servers: Databases) -> None:
    name = f"hs_test_{secrets.token_hex(4)}"
    servers.run(f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    try:
        with pytest.raises(NotAStoreError, match="LATIN1; a store needs UTF8"):
            Database.open(servers.url(name))
    finally:
        servers.drop(name)


def test_a_database_that_is_not_there_is_named(servers: Databases) -> None:
    with pytest.raises(StoreUnavailableError, match='database "hs_nowhere" does not exist'):
        Database.open(servers.url("hs_nowhere"))


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://me:secret@127.0.0.1:1/x", "127.0.0.1:1/x: cannot be reached"),
        ("postgresql://me:secret@127.0.0.1:1", "names no database"),
        ("postgresql://me:secret@127.0.0.1:one/x", "cannot be read"),
        ("postgresql://me:secret@h1:1,h2:two/x", "cannot be read"),
        ("postgresql+asyncpg://me:secret@h/x", "keeps its store in SQLite or PostgreSQL"),
        ("postgresql://me:secret@h/x?schema=", "a schema's name has 1 to 63 bytes"),
        ("postgresql://me:secret@h/x?schema=&sslmode=prefer", "a schema's name has 1 to 63 bytes"),
        ("mysql://me:secret@h/x", "keeps its store in SQLite or PostgreSQL"),
    ],
)
def test_a_wrong_url_is_explained_without_its_password(url: str, words: str) -> None:
    with pytest.raises(StoreError) as raised:
        Database.open(url)
    assert words in str(raised.value)
    assert "secret" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_messages_never_show_password_or_options() -> None:
    place = find_place("postgresql://me:sec%40ret@db.example:6543/store?sslpassword=hidden")
    assert place.name == "postgresql://me@db.example:6543/store"


@pytest.mark.parametrize(
    ("url", "shown", "asked"),
    [
        (
            "postgresql://me:s%40c@h1:5432,h2:5433/db?target_session_attrs=read-write",
            "postgresql://me@h1:5432,h2:5433/db",
            {"host": "h1,h2", "port": "5432,5433", "password": "s@c", "target_session_attrs": "read-write"},
        ),
        ("postgresql://h1,h2/db", "postgresql://h1,h2/db", {"host": "h1,h2"}),
        ("postgresql://[::1]:5,[::2]/db", "postgresql://[::1]:5,[::2]/db", {"host": "::1,::2"}),
        ("postgresql:///db?host=h1,h2&port=5", "postgresql://h1:5,h2:5/db", {"host": "h1,h2", "port": "5"}),
    ],
)
def test_a_url_may_name_several_hosts(url: str, shown: str, asked: dict[str, str]) -> None:
    server = locate_server(url)
    assert server.name == shown
    assert conninfo_to_dict(server.conninfo).items() >= asked.items()


def test_the_host_that_takes_writes_is_found(url: str) -> None:
    there = url.replace("@127.0.0.1:", "@127.0.0.1:1,127.0.0.1:")
    assert "127.0.0.1:1,127.0.0.1:" in there
    with Database.open(f"{there}?target_session_attrs=read-write") as database, database.write() as db:
        assert db.execute(sql("SELECT 1")).scalar() == 1


def test_two_that_create_the_same_store_both_open_it(bare: str) -> None:
    failed: list[BaseException] = []

    def create() -> None:
        try:
            Database.open(bare).close()
        except BaseException as error:
            failed.append(error)

    both = [threading.Thread(target=create) for _ in range(3)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert failed == []
    Database.open(bare, create=False).close()


# -- schema ----------------------------------------------------------------------------------------


def test_models_and_migrations_agree(url: str) -> None:
    with Database.open(url) as database, database.engine.begin() as connection:
        command.check(migrate.alembic_config(connection))


def test_downgrade_undoes_upgrade(bare: str) -> None:
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    columns = (
        "SELECT table_name, column_name, data_type, is_nullable, collation_name"
        " FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    )
    indexes = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
    with Database.open(bare) as database:
        migrating = database.engine.execution_options(migrating=True)
        with migrating.begin() as connection:
            before = [connection.exec_driver_sql(one).all() for one in (tables, columns, indexes)]
            command.downgrade(migrate.alembic_config(connection), "base")
            assert connection.exec_driver_sql(tables).scalars().all() == ["alembic_version"]
            migrate.move_schema(connection, "head")
            assert [connection.exec_driver_sql(one).all() for one in (tables, columns, indexes)] == before


def test_every_text_orders_by_its_code_points(url: str) -> None:
    found = (
        "SELECT table_name || '.' || column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'"
    )
    with Database.open(url) as database, database.read() as db:
        assert db.scalars(sql(found)).all() == []


# -- transactions ----------------------------------------------------------------------------------


def test_a_reader_cannot_write(url: str) -> None:
    with (
        Database.open(url) as database,
        pytest.raises(StoreError, match="may not do that"),
        database.read() as db,
    ):
        db.execute(sql("DELETE FROM leases"))


def test_a_writer_that_waits_too_long_is_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql_engine, "WRITE", postgresql_engine.WRITE.replace("'10s'", "'200ms'"))
    with (
        Database.open(url) as database,
        database.write(),
        pytest.raises(StoreBusyError, match="another process has been writing"),
        database.write(),
    ):
        pass


def test_a_reader_never_waits_for_a_writer(url: str) -> None:
    with Database.open(url) as database, database.write() as writer:
        writer.execute(sql("DELETE FROM leases"))
        with database.read() as reader:
            assert reader.execute(sql("SELECT count(*) FROM leases")).scalar() == 0


def test_a_question_that_takes_too_long_is_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql_engine, "READ", postgresql_engine.READ.replace("'60s'", "'100ms'"))
    with (
        Database.open(url) as database,
        pytest.raises(QueryTimeoutError, match="takes longer"),
        database.read() as db,
    ):
        db.execute(sql("SELECT pg_sleep(5)"))


def test_a_nul_in_a_question_is_refused_by_name(url: str) -> None:
    with (
        Database.open(url) as database,
        pytest.raises(InvalidQueryError, match="NUL"),
        database.read() as db,
    ):
        db.execute(sql("SELECT :one"), {"one": "a\0b"})


# -- a server that goes away -----------------------------------------------------------------------


def end_connections(url: str) -> None:
    run(
        url,
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


def write_and_lose_the_server(database: Database, url: str) -> None:
    with database.write() as db:
        db.execute(sql("INSERT INTO leases VALUES ('a', 'b', 1, 2)"))
        end_connections(url)
        db.execute(sql("SELECT 1"))


def test_connections_that_a_restart_ended_are_replaced(url: str) -> None:
    with Database.open(url) as database:
        for _ in range(2):
            with database.read() as db:
                assert db.execute(sql("SELECT 1")).scalar() == 1
            end_connections(url)


def test_a_connection_that_dies_as_soon_as_it_is_made_is_told(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = postgresql_engine._connect

    def dying(server: Any) -> Any:
        made = connect(server)
        run(url, f"SELECT pg_terminate_backend({made.info.backend_pid}, 10000)")
        return made

    with Database.open(url) as database:
        database.engine.dispose()
        monkeypatch.setattr(postgresql_engine, "_connect", dying)
        with pytest.raises(StoreUnavailableError, match="cannot be reached"), database.read() as db:
            db.execute(sql("SELECT 1"))


def test_a_connection_lost_half_way_is_told_and_nothing_is_stored(url: str) -> None:
    with Database.open(url) as database:
        with pytest.raises(StoreUnavailableError, match="cannot be reached"):
            write_and_lose_the_server(database, url)
        with database.read() as db:
            assert db.execute(sql("SELECT count(*) FROM leases")).scalar() == 0


def test_a_server_that_starts_is_waited_for(
    url: str, servers: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_engine, "RESTART_SECONDS", PATIENCE_SECONDS)
    name = url.rpartition("/")[2]
    with Database.open(url) as database:
        servers.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        servers.run(f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{name}'")
        again = threading.Timer(0.5, servers.run, (f"ALTER DATABASE {name} ALLOW_CONNECTIONS true",))
        again.start()
        with database.read() as db:
            assert db.execute(sql("SELECT 1")).scalar() == 1
        again.join()


# -- rights ----------------------------------------------------------------------------------------

READER = (
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}",
)


@pytest.fixture
def role(servers: Databases) -> Iterator[str]:
    """A role that may log in, and nothing else."""
    name = f"hs_test_{secrets.token_hex(4)}"
    servers.run(f"CREATE ROLE {name} LOGIN PASSWORD 'reader'")
    yield name
    servers.run(f"DROP ROLE {name}")


@pytest.fixture
def as_role(url: str, role: str) -> Iterator[str]:
    """The store's URL for that role."""
    yield url.replace("://postgres@", f"://{role}:reader@")
    run(url, f"DROP OWNED BY {role}")


def test_a_role_that_may_only_read_opens_and_reads(url: str, role: str, as_role: str) -> None:
    run(url, *(statement.format(role=role) for statement in READER))
    with Database.open(as_role) as database:
        assert database.read_only
        with database.read() as db:
            assert db.execute(sql("SELECT count(*) FROM messages")).scalar() == 0
        with pytest.raises(StoreError, match="cannot be written: this user may only read"), database.write():
            pass


def test_a_role_without_rights_is_told(as_role: str) -> None:
    with pytest.raises(StoreError, match="may not read the store"):
        Database.open(as_role)


WRITER = (
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO {role}",
)


def test_a_role_that_may_write_rows_imports_and_appends(
    url: str, role: str, as_role: str, tmp_path: Path
) -> None:
    run(url, *(statement.format(role=role) for statement in WRITER))
    agent = state_db(tmp_path / "state.db", sessions=[session("a")], messages=[row("a", "user", "Hello.")])
    with Store.open(as_role) as store:
        assert import_path(store.database, agent, ImportOptions(clock=time.time)).messages == 1
        ours = store.create_session()
        store.append(ours, {"role": "user", "content": "go on"})
        with store.database.write() as db:
            assert rebuild_index(db) == 2
        with store.database.read() as db:
            assert len(search(db, "go on")) == 1
