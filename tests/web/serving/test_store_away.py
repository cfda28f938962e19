"""`serve` over a store that goes away beneath it: clear 503s, one line in the log, and it goes on."""

import json
import shutil
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.cli.test_browse import Served
from tests.replication import Pair
from tests.waiting import until


def ask(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=30) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@contextmanager
def asking(address: str, pages: tuple[str, ...]) -> Iterator[list[int]]:
    """Ask for pages all the time, beside an open stream; the codes that came back."""
    codes: list[int] = []
    over = threading.Event()

    def ask_on(page: str) -> None:
        while not over.is_set():
            codes.append(ask(address + page)[0])
            time.sleep(0.02)

    threads = [threading.Thread(target=ask_on, args=(page,)) for page in pages]
    with urllib.request.urlopen(f"{address}api/events", timeout=30):
        for thread in threads:
            thread.start()
        yield codes
        over.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("change", ["deleted", "replaced"])
def test_a_file_that_is_taken_away_is_a_503_and_one_line(tmp_path: Path, change: str) -> None:
    agent = state_db(tmp_path / "state.db", sessions=[session("a")], messages=[row("a", "user", "Hello.")])
    served = Served(tmp_path, str(agent), "--poll", "--port", "0")
    address = served.line().split()[2]
    until(lambda: json.loads(ask(address + "api/conversations")[1])["conversations"])
    store, away = tmp_path / "store.db", tmp_path / "away.db"
    with urllib.request.urlopen(f"{address}api/events", timeout=30):
        if change == "replaced":
            shutil.copy(store, away)
            away.replace(store)
        else:
            store.rename(away)
        for page in ("", "c/a", "healthz", "api/changes"):
            code, text = ask(address + page)
            assert code == 503
            assert f"was {change}" in text
        time.sleep(3)  # the follower and the stream meet it too
    code, errors = served.end()
    assert code == 0
    assert len(errors.splitlines()) == 1
    assert f"store.db: was {change}" in errors


@pytest.mark.replication
@pytest.mark.slow
@pytest.mark.parametrize("seconds_away", [0, 6])
def test_a_restart_of_the_server_is_one_line(pair: Pair, tmp_path: Path, seconds_away: int) -> None:
    url = pair.primary.url(pair.store())
    said = [row("a", "user", "Hello.")]
    agent = state_db(tmp_path / "state.db", sessions=[session("a")], messages=said)
    served = Served(tmp_path, str(agent), "--poll", "--port", "0", "--db", url)
    address = served.line().split()[2]
    until(lambda: ask(address + "c/a")[0] == 200)
    with asking(address, ("", "c/a", "healthz", "api/conversations", "search?q=a")) as codes:
        time.sleep(1)
        pair.primary.stop()
        time.sleep(seconds_away)
        pair.primary.start()
        until(lambda: ask(address)[0] == 200)
    assert set(codes) <= {200, 503}
    more = state_db(
        tmp_path / "more.db",
        sessions=[session("a"), session("b")],
        messages=[*said, row("b", "user", "After it.")],
    )
    more.replace(agent)
    until(lambda: ask(address + "c/b")[0] == 200)  # what follows the agent goes on
    code, errors = served.end()
    assert code == 0
    assert len(errors.splitlines()) == 1, errors
    assert "the server ended the connections" in errors
