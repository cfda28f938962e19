"""Stores on a cluster of Citus: HERMES_SESSIONS_TEST_CITUS is the URL of its coordinator."""

import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg

from hermes_sessions.store.engines.server_probe import Server, locate_server
from hermes_sessions.store.engines.server_stores import drop_store, list_stores, schema_url
from hermes_sessions.store.opening.make_store import NewStore, make_store


def coordinator_url() -> str | None:
    """The database of a coordinator, as a user that may make roles and schemas; None where there is none."""
    return os.environ.get("HERMES_SESSIONS_TEST_CITUS") or None


class Cluster:
    """A cluster whose stores of this test are gone afterwards."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.prefix = f"hs_test_{secrets.token_hex(4)}"

    @property
    def server(self) -> Server:
        return locate_server(self.url)

    def make(self, ending: str) -> str:
        """Make a store; return its URL, as its role."""
        place = make_store(self.server, NewStore(schema=f"{self.prefix}_{ending}"))
        return place.server.url.render_as_string(hide_password=False)

    def as_administrator(self, ending: str) -> str:
        """Return the URL of a store, as the cluster's administrator."""
        return schema_url(self.server, f"{self.prefix}_{ending}")

    def ask(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(psycopg.connect(self.url, autocommit=True)) as connection:
            cursor = connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def nodes(self) -> list[tuple[str, int]]:
        """Host and port of every node that takes stores."""
        found = self.ask(
            "SELECT nodename, nodeport FROM pg_dist_node WHERE shouldhaveshards ORDER BY nodeport"
        )
        return [(host, port) for host, port in found]

    def nodes_of(self, ending: str) -> set[tuple[str, int]]:
        """Where the tables of a store lie."""
        asked = "SELECT DISTINCT nodename, nodeport FROM citus_shards WHERE table_name::text LIKE %s"
        return {(host, port) for host, port in self.ask(asked, f"{self.prefix}_{ending}.%")}


@contextmanager
def cluster() -> Iterator[Cluster]:
    url = coordinator_url()
    assert url is not None, "mark the test with pytest.mark.citus"
    made = Cluster(url)
    try:
        yield made
    finally:
        for store in list_stores(made.server):
            if store.schema.startswith(made.prefix):
                drop_store(made.server, store.schema)
