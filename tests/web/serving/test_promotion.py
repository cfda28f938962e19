"""The primary dies under load and its replica takes over: nothing acknowledged is lost, reading goes on."""

import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from flask import Flask
from sqlalchemy import text as sql

from hermes_sessions.errors import StoreError
from hermes_sessions.operations.agent.agent_store import Store
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.readers import Readers
from hermes_sessions.web import create_app
from hermes_sessions.web.site.live import hub_of
from tests.replication import DEADLINE, Pair, pair_of_servers
from tests.waiting import until

pytestmark = pytest.mark.replication


@pytest.fixture
def couple() -> Iterator[Pair]:
    """A primary and a replica of the test's own."""
    with pair_of_servers() as pair:
        pair.synchronous()
        yield pair


class Load:
    """Threads that append messages and read pages until `end`, and remember how it went."""

    def __init__(self, url: str, app: Flask) -> None:
        self.acknowledged: list[str] = []
        self.refused = 0
        self.pages: list[tuple[float, int]] = []
        self._url, self._app = url, app
        self._over = threading.Event()
        self._threads = [threading.Thread(target=each) for each in (self._append, self._read)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _append(self) -> None:
        with Store.open(self._url) as store:
            session = store.create_session()
            number = 0
            while not self._over.is_set():
                number += 1
                try:
                    store.append(session, {"role": "user", "content": f"message {number}"})
                except StoreError:
                    self.refused += 1
                else:
                    self.acknowledged.append(f"message {number}")

    def _read(self) -> None:
        client = self._app.test_client()
        while not self._over.is_set():
            for url in ("/", "/api/conversations?kind=all", "/overview"):
                status = client.get(url).status_code
                self.pages.append((time.monotonic(), status))


def grows(values: list[str], by: int = 20) -> Callable[[], bool]:
    wanted = len(values) + by
    return lambda: len(values) >= wanted


@pytest.mark.slow
def test_a_promotion_under_load_loses_nothing(couple: Pair) -> None:
    name = couple.store()
    hosts = f"127.0.0.1:{couple.primary.port},127.0.0.1:{couple.replica.port}"
    url = f"postgresql://postgres@{hosts}/{name}?target_session_attrs=read-write"
    with (
        Database.open(url) as database,
        Readers.open(database, url, [couple.replica.url(name)]) as readers,
    ):
        app = create_app(database, readers=readers)
        load = Load(url, app)
        try:
            until(grows(load.acknowledged))
            died = time.monotonic()
            couple.primary.kill()
            couple.replica.promote()
            until(grows(load.acknowledged))
            until(lambda: load.pages[-1][1] == 200 and load.pages[-1][0] > died)
        finally:
            load.end()
            hub_of(app).close()
        with database.read() as db:
            stored = list(db.scalars(sql("SELECT text FROM messages ORDER BY id")))
            assert check_store(db) == []
    assert set(load.acknowledged) <= set(stored)
    assert len(stored) == len(set(stored)) <= len(load.acknowledged) + load.refused
    assert {status for _, status in load.pages} <= {200, 503}
    assert longest_silence(load.pages) < DEADLINE


def longest_silence(pages: list[tuple[float, int]]) -> float:
    """The longest time between two pages that were shown."""
    shown = [at for at, status in pages if status == 200]
    return max(after - before for before, after in pairwise(shown))


@pytest.mark.slow
def test_pages_go_on_when_one_of_two_replicas_and_the_primary_die(couple: Pair) -> None:
    name = couple.store()
    second = couple.add_replica("second")
    with (
        Database.open(couple.primary.url(name)) as database,
        Readers.open(
            database, couple.primary.url(name), [couple.replica.url(name), second.url(name)]
        ) as readers,
    ):
        clients = [create_app(database, readers=readers).test_client() for _ in range(8)]
        for client in clients:
            assert client.get("/").status_code == 200
        second.kill()
        couple.primary.stop()
        assert [client.get("/").status_code for client in clients] == [200] * 8
