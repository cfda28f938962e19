"""How a server is asked: options of the URL, the encoding, a server that is starting."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import text as sql

from hermes_sessions import Store
from hermes_sessions.errors import StoreError, StoreUnavailableError
from hermes_sessions.store.engines.server_probe import locate_server
from hermes_sessions.store.opening.database import Database
from tests.servers import Databases

pytestmark = pytest.mark.postgresql
STARTING = "the database system is starting up"


@pytest.mark.parametrize(
    ("given", "meant"),
    [("a%20b", "a b"), ("a+b", "a b"), ("a%2Bb", "a+b"), ("-c%20geqo%3Doff", "-c geqo=off")],
)
def test_options_reach_libpq_as_they_are_meant(given: str, meant: str) -> None:
    url = f"postgresql://me:p+w%20d%3F@db.example/sessions?options={given}"
    asked = conninfo_to_dict(locate_server(url).conninfo)
    assert (asked["options"], asked["password"], asked["dbname"]) == (meant, "p+w d?", "sessions")


def test_a_setting_of_the_url_holds(servers: Databases) -> None:
    url = f"{servers.fresh()}?options=-c%20geqo_effort%3D3%20-c%20geqo_threshold%3D9"
    with Database.open(url) as database, database.read() as db:
        assert [db.scalar(sql(f"SHOW geqo_{name}")) for name in ("effort", "threshold")] == ["3", "9"]


@pytest.mark.parametrize("option", ["foo=bar", "connect_timeout=x"])
def test_an_option_that_is_none_is_refused_in_one_line(servers: Databases, option: str) -> None:
    with pytest.raises(StoreError, match=option.partition("=")[0]) as refused:
        Database.open(f"{servers.fresh()}?{option}")
    assert "\n" not in str(refused.value)


def test_the_encoding_is_ours_whatever_the_database_prefers(servers: Databases) -> None:
    name = servers.copy()
    servers.run(f"ALTER DATABASE {name} SET client_encoding = 'latin1'")
    for url in (servers.url(name), f"{servers.url(name)}?client_encoding=latin1"):
        with Store.open(url) as store:
            session = store.create_session()
            store.append(session, {"role": "user", "content": "日本語 ✓"})
            assert store.load(session)[0]["content"] == "日本語 ✓"
    servers.drop(name)


def packet(connection: socket.socket) -> bytes:
    head = connection.recv(4, socket.MSG_WAITALL)
    return head + connection.recv(struct.unpack("!I", head)[0] - 4, socket.MSG_WAITALL)


def pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


@contextmanager
def gate(url: str, refusals: int, words: str) -> Iterator[str]:
    """Stand before a server, and answer the first connections in its place; give the URL of the gate."""
    asked = conninfo_to_dict(url)
    left = [refusals]
    said = b"SFATAL\0VFATAL\0C57P03\0M" + words.encode() + b"\0\0"

    def serve(mine: socket.socket) -> None:
        with closing(mine), suppress(OSError):
            first = packet(mine)
            while struct.unpack("!I", first[4:8])[0] in (80877103, 80877104):  # asks for TLS, or GSSAPI
                mine.sendall(b"N")
                first = packet(mine)
            if left[0]:
                left[0] -= 1
                mine.sendall(b"E" + struct.pack("!I", len(said) + 4) + said)
                return
            place = (str(asked.get("host") or "127.0.0.1"), int(asked.get("port") or 5432))
            with socket.create_connection(place) as theirs:
                theirs.sendall(first)
                threading.Thread(target=pump, args=(mine, theirs), daemon=True).start()
                pump(theirs, mine)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"postgresql://{asked['user']}@127.0.0.1:{listener.getsockname()[1]}/{asked['dbname']}"


def test_a_server_that_is_starting_is_waited_for(servers: Databases) -> None:
    with gate(servers.fresh(), 3, STARTING) as url, Store.open(url) as store:
        assert store.load(store.create_session()) == []


def test_a_refusal_that_will_not_pass_is_told_at_once(servers: Databases) -> None:
    with gate(servers.fresh(), 1, "role missing") as url:
        with pytest.raises(StoreUnavailableError, match="role missing"):
            Store.open(url)
        psycopg.connect(url).close()  # it was asked once
