"""The server against clients that hold connections, each limit made small enough to watch."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from flask import Flask, Response

from hermes_sessions.cli.serve import bind
from hermes_sessions.web.serving.http_server import Limits, ViewerServer
from tests.cli.test_browse import Served
from tests.web.serving.test_server import plain

HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\n"
CHUNKS = POST.replace(b"Content-Length: 5000", b"Transfer-Encoding: chunked")
LARGE = 30_000_000


def application() -> Flask:
    """Something that answers: the limits are about connections, not about pages."""
    app = Flask(__name__)

    @app.get("/healthz")
    def healthz() -> str:
        return "well"

    @app.get("/large")
    def large() -> Response:
        return Response(b"x" * 100_000 for _ in range(LARGE // 100_000))

    return app


@contextmanager
def serving(**limits: float | None) -> Iterator[int]:
    """A server in this process; its port."""
    listening = bind("127.0.0.1", 0)
    server = ViewerServer(application(), listening, limits=Limits(**limits), threads=2)  # type: ignore[arg-type]
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()

    def end() -> None:
        for connection in list(server.active_channels.values()):
            connection.handle_close()
        server.close()

    try:
        yield int(listening.getsockname()[1])
    finally:
        server.trigger.pull_trigger(end)
        thread.join(10)
        server.task_dispatcher.shutdown()
        assert not thread.is_alive()


def opened(stack: ExitStack, port: int, sent: bytes = b"") -> socket.socket:
    line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.sendall(sent)
    return line


def is_open(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(65_536, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        line.settimeout(20)


def seconds_until_closed(line: socket.socket, drip: Callable[[int], bytes], most: float = 20.0) -> float:
    """Send what *drip* gives, ten times a second, until the server closes; return how long that took."""
    began = time.monotonic()
    number = 0
    while is_open(line):
        assert time.monotonic() - began < most, "never closed"
        try:
            line.sendall(drip(number))
        except OSError:
            break
        number += 1
        time.sleep(0.1)
    return time.monotonic() - began


@pytest.mark.parametrize(
    ("start", "drip"),
    [
        pytest.param(b"", b"", id="never a byte"),
        pytest.param(HEAD, b"X", id="a head without an end"),
        pytest.param(POST, b"x", id="a body without an end"),
        pytest.param(CHUNKS, b"1\r\nx\r\n", id="chunks"),
    ],
)
def test_a_steady_drip_does_not_extend_a_deadline(start: bytes, drip: bytes) -> None:
    with serving(head_seconds=1, request_seconds=2, idle_seconds=60) as port, ExitStack() as stack:
        line = opened(stack, port, start)
        assert 0.9 < seconds_until_closed(line, lambda _: drip) < 15


@pytest.mark.parametrize("start", [b"", b"\r\n"], ids=["whole", "halves"])
def test_empty_lines_do_not_extend_a_deadline(start: bytes) -> None:
    with serving(head_seconds=1, request_seconds=2, idle_seconds=2) as port, ExitStack() as stack:
        line = opened(stack, port, start)
        assert 0.9 < seconds_until_closed(line, lambda _: b"\r\n\r\n") < 15


def test_a_kept_connection_is_closed_when_it_is_idle_and_not_before() -> None:
    with serving(head_seconds=2, idle_seconds=4) as port, ExitStack() as stack:
        line = opened(stack, port)
        for _ in range(3):
            line.sendall(HEAD + b"\r\n")
            while not line.recv(65_536).endswith(b"well"):
                pass
            time.sleep(1)
        assert is_open(line)
        assert 2.5 < seconds_until_closed(line, lambda _: b"") < 12


def test_an_answer_that_nobody_takes_frees_its_worker() -> None:
    with serving(stalled_seconds=1) as port, ExitStack() as stack:
        for _ in range(2):  # as many as there are workers
            opened(stack, port, b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b"well" in plain(port)


def test_an_answer_that_is_taken_slowly_arrives_whole() -> None:
    with serving(stalled_seconds=2) as port, ExitStack() as stack:
        line = opened(stack, port, b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        taken, began = 0, time.monotonic()
        while more := line.recv(1_000_000):
            taken += len(more)
            if time.monotonic() - began < 4:
                time.sleep(0.2)
        assert taken > LARGE


def test_beyond_the_cap_of_an_address_the_one_that_waited_longest_gives_way() -> None:
    with serving(per_address=10) as port, ExitStack() as stack:
        held = [opened(stack, port, HEAD) for _ in range(10)]
        assert b"well" in plain(port)
        assert [is_open(line) for line in held] == [False] + [True] * 9


def test_an_address_gives_way_to_others_only_where_it_has_most() -> None:
    with serving(connections=10, per_address=None) as port, ExitStack() as stack:
        few = stack.enter_context(
            socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0), timeout=20)
        )
        few.sendall(HEAD)
        many = [opened(stack, port, HEAD) for _ in range(20)]
        assert b"well" in plain(port)
        few.sendall(b"\r\n")
        assert b"200 OK" in few.recv(65_536)
        assert sum(is_open(line) for line in many) <= 9


def test_a_whole_request_is_not_closed_to_make_room() -> None:
    with serving(per_address=5, stalled_seconds=2) as port, ExitStack() as stack:
        for _ in range(2):  # as many as there are workers
            busy = opened(stack, port, b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert busy.recv(1, socket.MSG_PEEK)
        queued = opened(stack, port, HEAD + b"\r\n")
        time.sleep(0.2)
        for _ in range(20):
            opened(stack, port, HEAD)
        assert b"200 OK" in queued.recv(65_536)


def test_urgent_data_ends_the_connection_and_busies_nobody(caplog: pytest.LogCaptureFixture) -> None:
    with serving() as port, ExitStack() as stack:
        line = opened(stack, port, HEAD)
        line.send(b"!", socket.MSG_OOB)
        assert seconds_until_closed(line, lambda _: b"") < 5
    assert not caplog.records


def drip_for(port: int, lines: list[socket.socket], seconds: float) -> list[float]:
    """Send a byte a second on every line that is open; return how long each look at /healthz took."""
    took = []
    for _ in range(round(seconds)):
        began = time.monotonic()
        for line in filter(is_open, lines):
            line.sendall(b"x")
        asked = time.monotonic()
        assert b'"ok"' in plain(port)
        took.append(time.monotonic() - asked)
        time.sleep(max(0.0, 1 - (time.monotonic() - began)))
    return took


@pytest.mark.slow
def test_half_open_and_dripping_connections_keep_nobody_waiting(tmp_path: Path) -> None:
    served = Served(tmp_path, "--no-sync", "--port", "0", "--token", "a-token-nobody-has")
    port = int(served.line().split()[2].rstrip("/").rpartition(":")[2])
    with ExitStack() as stack:
        half_open = [opened(stack, port, HEAD if number % 2 else b"") for number in range(150)]
        dripping = [opened(stack, port, (HEAD, POST)[number % 2]) for number in range(64)]
        assert all(map(is_open, half_open + dripping))  # held, not refused
        took = drip_for(port, dripping, 66)
        assert max(took) < 2, sorted(took)[-5:]
        assert not any(map(is_open, half_open + dripping))  # and given up
    code, errors = served.end()
    assert (code, errors) == (0, "")


@pytest.mark.slow
def test_more_connections_than_there_is_room_for_keep_nobody_waiting(tmp_path: Path) -> None:
    served = Served(tmp_path, "--no-sync", "--port", "0")
    port = int(served.line().split()[2].rstrip("/").rpartition(":")[2])
    with ExitStack() as stack:
        lines = [opened(stack, port, HEAD) for _ in range(600)]
        took = drip_for(port, lines, 5)
        assert max(took) < 2, took
        assert sum(map(is_open, lines)) < 260
    code, errors = served.end()
    assert code == 0
    assert len(errors.splitlines()) == 1, errors
