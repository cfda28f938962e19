"""The real server against clients that are slow, loud or hostile on the wire."""

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hermes_sessions.cli.serve import THREADS
from tests.cli.test_browse import Served


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Where a viewer in a process of its own answers."""
    served = Served(tmp_path, "--no-sync", "--port", "0")
    yield int(served.line().split()[2].rstrip("/").rpartition(":")[2])
    code, errors = served.end()
    assert code == 0
    assert "Traceback" not in errors


def ask(port: int, sent: bytes) -> bytes:
    """Send something; return the answer up to the end, 64 KB, or the reset of the line."""
    found = b""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line, suppress(ConnectionResetError):
        line.sendall(sent)
        while len(found) < 65_536 and (more := line.recv(65_536)):
            found += more
    return found


def plain(port: int, path: bytes = b"/healthz", more: bytes = b"") -> bytes:
    head = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n%s\r\n"
    return ask(port, head % (path, more))


def test_clients_that_never_finish_asking_keep_nobody_waiting(port: int) -> None:
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(2 * THREADS)]
    try:
        for number, line in enumerate(slow):
            line.sendall(
                (
                    b"GET / HTTP/1.1\r\nHost: 127",
                    b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na",
                )[number % 2]
            )
        began = time.monotonic()
        assert b"200 OK" in plain(port)
        assert time.monotonic() - began < 10
    finally:
        for line in slow:
            line.close()


def test_clients_that_never_read_keep_nobody_waiting(port: int) -> None:
    deaf = []
    try:
        for _ in range(2 * THREADS):
            line = socket.socket()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            line.connect(("127.0.0.1", port))
            line.sendall(b"GET /help HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20)
            deaf.append(line)
        assert b"200 OK" in plain(port)
    finally:
        for line in deaf:
            line.close()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 33_500 + b"\r\n\r\n", b"431"),
        (b"GET /" + b"x" * 33_500 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"431"),
        (b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n", b"413"),
        (b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: nonsense\r\n\r\n", b"501"),
        (b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", b"400"),
        (b"\x00\xff\x16\x03\x01" * 20 + b"\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", b"403"),
    ],
    ids=["header", "address", "length", "negative length", "encoding", "space", "noise", "rebound name"],
)
def test_what_is_no_request_is_refused_in_one_answer(port: int, sent: bytes, status: bytes) -> None:
    found = ask(port, sent)
    # With the rest of a long request still on its way, the line may break before the answer is read.
    assert found.split()[1] == status if found else len(sent) > 30_000
    assert b"Traceback" not in found
    assert b"200 OK" in plain(port)


def test_a_folded_request_id_adds_no_header(port: int) -> None:
    found = plain(port, more=b"X-Request-ID: a\r\n b: c\r\nX-Request-ID: d\r\n")
    head = found.partition(b"\r\n\r\n")[0]
    assert head.lower().count(b"x-request-id:") in (0, 1)
    assert b"\r\n b" not in head
