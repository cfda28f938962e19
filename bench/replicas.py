"""Measure reading from a replica: pages a second, lag behind appends, time until a promotion takes writes.

    python -m bench.replicas [--conversations 500] [--seconds 3]

Starts a PostgreSQL primary and a replica of its own on this machine; everything shares its
cores, so pages a second say what a replica costs here, not what a second machine gains.
"""

import argparse
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing import get_context

from bench.pages import fill
from hermes_sessions.errors import StoreError
from hermes_sessions.operations.agent.agent_store import Store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.readers import Readers
from hermes_sessions.web import create_app
from tests.replication import Pair, pair_of_servers

PAGES = ("/", "/c/long", "/compactions", "/api/conversations")
PROCESSES = 2
ROUNDS = 3


def main() -> None:
    """Start the servers, measure, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--conversations", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()
    with pair_of_servers() as pair:
        name = pair.store()
        with Database.open(pair.primary.url(name)) as database:
            fill(database, options.conversations, 500)
        for table in ("origins", "conversations", "sessions", "messages"):  # keys were given by hand
            number = f"pg_get_serial_sequence('{table}', 'id')"
            pair.primary.run(f"SELECT setval({number}, (SELECT max(id) FROM {table}))", name)
        pair.catch_up()
        compare_pages(pair, name, options.seconds)
        measure_lag(pair, name, options.seconds)
        measure_promotion(pair, name)


def compare_pages(pair: Pair, name: str, seconds: float) -> None:
    """Print pages a second of two viewers, the best of some rounds, without and with the replica."""
    url, replica = pair.primary.url(name), pair.replica.url(name)
    print(f"{'pages/s, two viewers':<34}{'primary':>10}{'+ replica':>11}{'ratio':>8}")
    for label, loaded in (("nothing is written", False), ("beside appends", True)):
        alone, both = 0.0, 0.0
        with appending(url) if loaded else nullcontext():
            for _ in range(ROUNDS):  # in turns: what else runs here is the same for both
                alone = max(alone, _pages_a_second(url, [], seconds))
                both = max(both, _pages_a_second(url, [replica], seconds))
        print(f"{label:<34}{alone:>10.0f}{both:>11.0f}{both / alone:>8.2f}")


def measure_lag(pair: Pair, name: str, seconds: float) -> None:
    """Print how long after its acknowledgement an append is seen on the replica."""
    times = []
    with Database.open(pair.replica.url(name)) as replica, Store.open(pair.primary.url(name)) as store:
        session = store.create_session()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            before = replica.change_token()
            store.append(session, {"role": "user", "content": "a line of some length " * 20})
            began = time.perf_counter()
            while replica.change_token() == before:
                pass
            times.append((time.perf_counter() - began) * 1000)
    times.sort()
    p95, worst = times[int(len(times) * 0.95)], times[-1]
    label = f"an append seen on the replica, n={len(times)}"
    print(f"{label:<40}p50 {statistics.median(times):.1f} ms, p95 {p95:.1f} ms, worst {worst:.1f} ms")


def measure_promotion(pair: Pair, name: str) -> None:
    """Print the time from the primary's end to the first page and the first write."""
    hosts = f"127.0.0.1:{pair.primary.port},127.0.0.1:{pair.replica.port}"
    url = f"postgresql://postgres@{hosts}/{name}?target_session_attrs=read-write"
    with (
        Database.open(url) as database,
        Readers.open(database, url, [pair.replica.url(name)]) as readers,
        Store.open(url) as store,
    ):
        client = create_app(database, readers=readers).test_client()
        client.get("/")
        session = store.create_session()
        pair.primary.kill()
        began = time.perf_counter()
        page = _until(lambda: client.get("/").status_code == 200) - began
        promoting = threading.Thread(target=pair.replica.promote)
        promoting.start()
        asked = time.perf_counter()
        write = _until(lambda: _appended(store, session)) - asked
        promoting.join()
    print(f"{'primary killed: first page':<40}{page * 1000:.0f} ms")
    print(f"{'pg_promote() called: first append':<40}{write * 1000:.0f} ms")


@contextmanager
def appending(url: str) -> Iterator[None]:
    """Append one message after the other meanwhile."""
    over = threading.Event()

    def append() -> None:
        with Store.open(url) as store:
            session = store.create_session()
            while not over.is_set():
                store.append(session, {"role": "user", "content": "a line of some length " * 20})

    thread = threading.Thread(target=append)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _pages_a_second(url: str, replicas: list[str], seconds: float) -> float:
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        counts = [pool.submit(read_pages, url, replicas, seconds) for _ in range(PROCESSES)]
        return sum(one.result() for one in counts) / seconds


def read_pages(url: str, replicas: list[str], seconds: float) -> int:
    """Ask a viewer of this process for pages; return how many it made."""
    with Database.open(url) as database:
        readers = Readers.open(database, url, replicas) if replicas else None
        client = create_app(database, readers=readers).test_client()
        for page in PAGES:
            client.get(page)
        made, until = 0, time.monotonic() + seconds
        while time.monotonic() < until:
            assert client.get(PAGES[made % len(PAGES)]).status_code == 200
            made += 1
        if readers is not None:
            readers.close()
    return made


def _appended(store: Store, session: str) -> bool:
    with suppress(StoreError):
        store.append(session, {"role": "user", "content": "the first one"})
        return True
    return False


def _until(work: Callable[[], bool]) -> float:
    while not work():
        time.sleep(0.01)
    return time.perf_counter()


if __name__ == "__main__":
    main()
