"""Stores on Citus: a schema each, whole on one node, with everything that a store does."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic import command

from hermes_sessions import Store
from hermes_sessions.errors import StoreError
from hermes_sessions.store.engines.server_stores import list_stores
from hermes_sessions.store.fleet.members import Fleet, expand_urls
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.make_store import NewStore, make_store
from hermes_sessions.store.queries.changes import load_changes
from hermes_sessions.web.fleet.front import create_fleet_app
from tests.cluster import Cluster, cluster
from tests.whole_life import live, run

pytestmark = pytest.mark.citus


@pytest.fixture
def citus() -> Iterator[Cluster]:
    with cluster() as found:
        yield found


def test_a_whole_life_passes_on_one_node_as_a_role_that_has_nothing_else(
    citus: Cluster, tmp_path: Path
) -> None:
    live(citus.make("a"), tmp_path / "agent")
    assert len(citus.nodes_of("a")) == 1


def test_a_schema_made_by_hand_becomes_a_store(citus: Cluster, tmp_path: Path) -> None:
    citus.ask(f"SET citus.enable_schema_based_sharding TO on; CREATE SCHEMA {citus.prefix}_hand")
    url = citus.as_administrator("hand")
    assert migrate.head_revision() in run(url, "db", "upgrade")
    assert len(citus.nodes_of("hand")) == 1
    live(url, tmp_path / "agent")


def test_a_store_moves_into_the_cluster_and_back_into_a_file(citus: Cluster, tmp_path: Path) -> None:
    first = citus.make("a")
    live(first, tmp_path / "agent")
    path = str(tmp_path / "copy.db")
    assert "the same on both sides" in run(first, "db", "move", "--to", path)
    other = citus.make("b")
    assert "the same on both sides" in run(path, "db", "move", "--to", other)
    with Store.open(other) as store:
        store.append(store.create_session(), {"role": "user", "content": "After the move."})
    assert run(other, "db", "check") == "everything agrees\n"


@pytest.mark.parametrize("revision", ["0005", "0006", "0007", "0008"])
def test_older_stores_are_brought_up_to_date(citus: Cluster, tmp_path: Path, revision: str) -> None:
    url = citus.make("a")
    live(url, tmp_path / "agent")
    with (
        Database.open(url) as database,
        database.engine.execution_options(write=True, migrating=True).begin() as connection,
    ):
        command.downgrade(migrate.alembic_config(connection), revision)
    run(url, "db", "upgrade")
    assert run(url, "db", "check") == "everything agrees\n"


def test_a_store_that_cannot_be_made_leaves_nothing(citus: Cluster) -> None:
    name = f"{citus.prefix}_a"
    with pytest.raises(StoreError, match="nobody_of_this_name"):
        make_store(citus.server, NewStore(schema=name, reader="nobody_of_this_name"))
    assert citus.ask("SELECT 1 FROM pg_roles WHERE rolname = %s", name) == []
    assert citus.ask("SELECT 1 FROM pg_namespace WHERE nspname = %s", name) == []


class Traffic:
    """Writers that append and a follower that reads, until they are told that it is enough."""

    def __init__(self, url: str, writers: int) -> None:
        self.url = url
        with Store.open(url) as store:
            self.sessions = [store.create_session() for _ in range(writers)]
        self.enough, self.written = threading.Event(), threading.Event()
        self.failed: list[Exception] = []
        self.followed: dict[int, list[int]] = {}

    @contextmanager
    def running(self) -> Iterator[None]:
        writers = [threading.Thread(target=self._write, args=(one,)) for one in self.sessions]
        follower = threading.Thread(target=self._follow)
        for thread in (*writers, follower):
            thread.start()
        try:
            yield
        finally:
            self.enough.set()
            for thread in writers:
                thread.join()
            self.written.set()
            follower.join()

    def _write(self, session: str) -> None:
        number = 0
        with Store.open(self.url) as store:
            while number < 40 or not self.enough.is_set():
                try:
                    store.append(session, {"role": "user", "content": f"{number}: go on"})
                except Exception as error:
                    self.failed.append(error)
                    return
                number += 1

    def _follow(self) -> None:
        cursor, last = 0, False
        with Database.open(self.url) as database:
            while not last:
                last = self.written.is_set()
                with database.read() as db:
                    changes = load_changes(db, cursor)
                for one in changes.items:
                    self.followed.setdefault(one.id, []).append(one.changed)
                cursor = changes.cursor


def test_writers_and_followers_miss_nothing_while_a_store_moves_to_another_node(citus: Cluster) -> None:
    if len(citus.nodes()) < 2:
        pytest.skip("a cluster with one node that takes stores")
    url = citus.make("a")
    traffic = Traffic(url, writers=4)
    (here,) = citus.nodes_of("a")
    host, port = next(one for one in citus.nodes() if one != here)
    with traffic.running():
        citus.ask("SELECT citus_schema_move(%s, %s, %s)", f"{citus.prefix}_a", host, port)
    assert traffic.failed == []
    assert citus.nodes_of("a") == {(host, port)}
    with Database.open(url) as database, database.read() as db:
        newest = {one.id: one.changed for one in load_changes(db, 0).items}
    assert {key: max(seen) for key, seen in traffic.followed.items()} == newest
    assert all(len(seen) == len(set(seen)) for seen in traffic.followed.values())
    assert run(url, "db", "check") == "everything agrees\n"


def test_one_viewer_shows_the_stores_of_all_nodes(citus: Cluster) -> None:
    for name in ("red", "blue"):
        with Store.open(citus.make(name)) as store:
            session = store.create_session(title=f"{name} talk")
            store.append(session, {"role": "user", "content": f"The needle is in {name}."})
    fleet = Fleet.open(expand_urls([citus.url], [f"{citus.prefix}_%"]))
    try:
        client = create_fleet_app(fleet).test_client()
        for address in ("/", "/search?q=needle", "/overview?range=all"):
            text = client.get(address).get_data(as_text=True)
            assert all(f"/s/{citus.prefix}_{name}/" in text for name in ("red", "blue")), address
        assert "red talk" in client.get(f"/s/{citus.prefix}_red/").get_data(as_text=True)
    finally:
        fleet.close()


def test_a_dropped_store_is_gone_from_every_node(citus: Cluster) -> None:
    citus.make("a")
    run(citus.url, "db", "stores", "drop", f"{citus.prefix}_a", "--yes")
    assert citus.nodes_of("a") == set()
    assert [one.schema for one in list_stores(citus.server) if one.schema.startswith(citus.prefix)] == []
