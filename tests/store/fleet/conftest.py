"""Fleets: of files, and of schemas of one database, filled alike."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hermes_sessions.store.engines.server_probe import locate_server
from hermes_sessions.store.engines.server_stores import drop_store, list_stores, schema_url
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.make_store import NewStore, make_store
from tests.servers import Databases

MakeUrls = Callable[..., list[str]]


@pytest.fixture
def make_urls(engine_name: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[MakeUrls]:
    """Makes empty stores by their names and returns their URLs."""
    if engine_name == "sqlite":

        def files(*names: str) -> list[str]:
            for name in names:
                Database.open(str(tmp_path / f"{name}.db")).close()
            return [str(tmp_path / f"{name}.db") for name in names]

        yield files
        return
    servers: Databases = request.getfixturevalue("servers")
    base = servers.bare()
    server = locate_server(servers.url(base))

    def schemas(*names: str) -> list[str]:
        for name in names:
            make_store(server, NewStore(schema=name, role=f"hs_test_{secrets.token_hex(4)}"))
        return [schema_url(server, name) for name in names]

    yield schemas
    for store in list_stores(server):
        drop_store(server, store.schema)
    servers.drop(base)


@pytest.fixture
def open_fleet() -> Iterator[Callable[[list[str]], Fleet]]:
    """Opens fleets, and closes them at the end."""
    opened: list[Fleet] = []

    def open_them(urls: list[str]) -> Fleet:
        opened.append(Fleet.open(urls))
        return opened[-1]

    yield open_them
    for fleet in opened:
        fleet.close()
