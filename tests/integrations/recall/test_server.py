"""The server as a process: what its clients hear, whatever they send and however they leave."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.integrations.recall.tools import TOOLS
from hermes_sessions.store.opening.database import Database
from tests.integrations.recall import leaving_client
from tests.integrations.recall.planted import NEW, RULE, import_planted, plant
from tests.integrations.recall.running import COMMAND, HELLO, WAIT_SECONDS, running

pytestmark = pytest.mark.slow


def text_of(response: dict[str, Any]) -> str:
    [content] = response["result"]["content"]
    assert content["type"] == "text"
    text: str = content["text"]
    return text


def hostile_lines(count: int) -> list[bytes]:
    """Lines that no client should send; the same ones each time."""
    chance = random.Random(7)
    return [_hostile(chance) for _ in range(count)]


def _hostile(chance: random.Random) -> bytes:
    names = [*TOOLS, "nothing", "", None, 5, "__class__", "../x", "a" * 5_000]
    name = chance.choice(names)
    values: list[Any] = [
        "",
        None,
        2**70,
        -5,
        "x" * 2_000,
        {},
        [],
        1e308,
        "'; DROP TABLE messages",
        "*",
        '"',
        "NOT",
        "conv:",
    ]
    keys = ["query", "conversation", "limit", "offset", "compaction", "message", "from", "__proto__"]
    ids: list[Any] = [None, 1, "x", 1.5, [], {}, 2**80, True]
    methods = [
        "tools/call",
        "tools/list",
        "initialize",
        "",
        "ping",
        5,
        None,
        "logging/setLevel",
        "server/discover",
    ]
    params: list[Any] = [
        None,
        [],
        {},
        5,
        "x",
        {"name": name, "arguments": chance.choice([None, [], 5, {"limit": -1}])},
    ]
    made: list[Any] = [
        chance.randbytes(200).replace(b"\n", b""),
        b"[" * chance.choice([10, 1_000, 100_000]),
        {"jsonrpc": "2.0", "id": chance.choice(ids), "method": chance.choice(methods),
         "params": chance.choice(params)},
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"search",'
        b'"arguments":{"query":"\\ud800\\u0000 x"}}}',
        json.dumps(HELLO).encode()[: chance.randrange(60)],
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": chance.choice(ids)}},
        [{"jsonrpc": "2.0", "id": 3, "method": "ping"}] * chance.randrange(4),
        {"jsonrpc": "2.0", "id": 7, "result": {}},
        b"\x00" * 50 + b"\xff\xfe",
        b"GET / HTTP/1.1\r",
        b"9" * 10_000,
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
        {"jsonrpc": "2.0", "id": chance.randrange(1_000), "method": "tools/call",
         "params": {"name": name if isinstance(name, str) else "search",
                    "arguments": {chance.choice(keys): chance.choice(values)}}},
        b" " * chance.randrange(3),
    ]  # fmt: skip
    line = chance.choice(made)
    return line if isinstance(line, bytes) else json.dumps(line).encode()


@pytest.mark.sqlite_only("about the protocol")
def test_hostile_lines_end_nothing_and_nothing_but_json_is_written(planted_url: str, tmp_path: Path) -> None:
    with running(tmp_path, "--db", planted_url) as server:
        for line in hostile_lines(500):
            server.send(line)
        found = json.loads(text_of(server.call("search", 424_242, query="5433")))
        code = server.end()
    assert RULE in [one["snippet"] for one in found["hits"]]
    assert code == 0
    messages = [json.loads(line) for line in server.lines]
    assert {one["jsonrpc"] for one in messages} == {"2.0"}
    assert b"Traceback" not in b"".join(server.lines)


@pytest.mark.sqlite_only("about the protocol")
def test_what_cannot_be_called_is_refused_and_the_next_call_answered(
    planted_url: str, tmp_path: Path
) -> None:
    with running(tmp_path, "--db", planted_url) as server:
        unknown = server.call("remember", 1, query="x")
        wrong = server.call("search", 2, query=["x"])
        right = server.call("search", 3, query="5433")
    assert "there is no tool 'remember'" in unknown["error"]["message"]
    assert wrong["result"]["isError"]
    assert "search: Expected `str`" in text_of(wrong)
    assert not right["result"].get("isError")


def test_calls_at_once_are_all_answered(planted_url: str, tmp_path: Path) -> None:
    with running(tmp_path, "--db", planted_url) as server:
        for number in range(1, 31):
            name, arguments = [("search", {"query": "5433"}), ("lost", {"conversation": NEW})][number % 2]
            server.send(
                {"jsonrpc": "2.0", "id": number, "method": "tools/call",
                 "params": {"name": name, "arguments": arguments}}
            )  # fmt: skip
        told = [text_of(server.wait_for(number)) for number in range(1, 31)]
    assert all("5433" in text for text in told)


@pytest.mark.sqlite_only("about processes")
def test_a_server_whose_client_is_killed_ends(planted_url: str, tmp_path: Path) -> None:
    """The client is a process between: its end of the pipes goes with it."""
    noted = tmp_path / "pid"
    client = subprocess.Popen(
        [sys.executable, "-m", leaving_client.__name__, str(noted), *COMMAND, "--db", planted_url]
    )
    deadline = time.monotonic() + WAIT_SECONDS
    while not (noted.exists() and noted.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    server = int(noted.read_text())
    assert _lives(server)
    client.kill()
    client.wait()
    while _lives(server) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _lives(server)


@pytest.mark.sqlite_only("about processes")
def test_an_interrupt_ends_it_at_once(planted_url: str, tmp_path: Path) -> None:
    with running(tmp_path, "--db", planted_url) as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(WAIT_SECONDS) == -signal.SIGINT
        assert "Traceback" not in server.errors.read_text()


def _lives(pid: int) -> bool:
    """Whether a process runs; one that ended and waits for its parent does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


# -- the store -------------------------------------------------------------------------------------


@pytest.mark.sqlite_only("a server's store is always there")
def test_a_missing_store_is_said_by_each_call_and_found_once_it_is_there(
    tmp_path: Path, empty_store: Path
) -> None:
    place = tmp_path / "later.db"
    with running(tmp_path, "--db", str(place)) as server:
        before = server.call("list", 1)
        place.write_bytes(empty_store.read_bytes())
        with Database.open(str(place)) as database:
            import_planted(database, tmp_path / "work")
        after = server.call("list", 2)
    assert before["result"]["isError"]
    assert "there is no store yet; `hermes-sessions import` makes one" in text_of(before)
    assert NEW[:6] in text_of(after)


@pytest.mark.sqlite_only("the line is the same")
def test_an_outdated_store_is_said_in_the_line_that_names_the_remedy(
    planted_url: str, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(planted_url)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    with running(tmp_path, "--db", planted_url) as server:
        told = server.call("search", 1, query="5433")
    assert told["result"]["isError"]
    assert "db upgrade" in text_of(told)


def test_sync_imports_what_an_agent_wrote_since(store_url: str, database: Database, tmp_path: Path) -> None:
    path = import_planted(database, tmp_path / "work")
    with closing(sqlite3.connect(path)) as agent, agent:
        agent.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, 1780000700)",
            (NEW, "The staging server is called zebra-7."),
        )
    with running(tmp_path, "--db", store_url, "--sync") as server:
        found = json.loads(text_of(server.call("search", 1, query="zebra", scope="all")))
    assert [one["snippet"] for one in found["hits"]] == ["The staging server is called zebra-7."]


@pytest.mark.sqlite_only("about files")
def test_sync_says_which_origin_could_not_be_read(planted_url: str, tmp_path: Path) -> None:
    path = tmp_path / "work" / "state.db"
    path.write_bytes(b"no database any more" * 400)
    with running(tmp_path, "--db", planted_url, "--sync") as server:
        found = json.loads(text_of(server.call("search", 1, query="5433")))
    assert found["hits"]
    assert [one for one in found["notes"] if one.startswith("Not up to date: ")]


def test_without_sync_nothing_is_imported(store_url: str, database: Database, tmp_path: Path) -> None:
    plant(tmp_path / "work")
    with running(tmp_path, "--db", store_url) as server:
        found = json.loads(text_of(server.call("list", 1)))
    assert found["conversations"] == []
