"""Commands that go to a server in one packet, through libpq."""

import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from hermes_sessions import Store
from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.engines.server_line import ServerLine
from tests.servers import Databases

pytestmark = pytest.mark.postgresql
PREPARED = "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'hs%'"


@pytest.fixture
def line(servers: Databases) -> Iterator[ServerLine]:
    with psycopg.connect(servers.url(servers.bare()), autocommit=True) as raw:
        raw.execute("CREATE TABLE things (number bigint PRIMARY KEY, share float8, fine boolean, name text)")
        yield ServerLine(raw)


PUT = "INSERT INTO things VALUES (%(number)s, %(share)s, %(fine)s, %(name)s)"
GET = "SELECT * FROM things WHERE number = %(number)s OR name = %(name)s AND 7 %% 4 = 3 ORDER BY number"


def thing(number: int, name: str | None) -> dict[str, Any]:
    return {"number": number, "share": 0.1 + number, "fine": number % 2 == 0, "name": name}


def test_values_come_back_as_they_were_and_rows_in_their_order(line: ServerLine) -> None:
    many = "ä漢\n'%" * 40_000
    given = [thing(1, many), thing(2**60, None), thing(-3, "")]
    answers = line.send(
        [
            ("BEGIN", None),
            *((PUT, one) for one in given),
            (GET, {"number": 2**60, "name": many}),
            (GET, {"number": 9, "name": "nobody"}),
            ("SELECT '100%', NULL", None),
            ("COMMIT", None),
        ]
    )
    assert answers[4:7] == [[tuple(given[0].values()), tuple(given[1].values())], [], [("100%", None)]]
    assert line.send([(GET, {"number": -3, "name": None})]) == [[tuple(given[2].values())]]


def test_a_statement_is_prepared_once(line: ServerLine) -> None:
    for number in range(5):
        line.send([(PUT, thing(number, "a")), (PUT, thing(number + 100, "b")), (GET, thing(number, "b"))])
    assert line.raw.execute(PREPARED).fetchone() == (2,)


def test_the_oldest_statements_are_forgotten_where_there_are_too_many(line: ServerLine) -> None:
    texts = [f"SELECT {number} + %(more)s::bigint" for number in range(10)]
    assert line.send([(text, {"more": 1}) for text in texts]) == [[(number + 1,)] for number in range(10)]
    line.keep(10)
    assert line.raw.execute(PREPARED).fetchone() == (10,)
    line.keep(9)
    assert line.raw.execute(PREPARED).fetchone() == (4,)
    assert line.send([(texts[0], {"more": 2}), (texts[9], {"more": 2})]) == [[(2,)], [(11,)]]
    assert line.raw.execute(PREPARED).fetchone() == (5,)


def test_what_fails_ends_the_packet_and_the_connection_goes_on(line: ServerLine) -> None:
    line.send([(PUT, thing(1, "first"))])
    with pytest.raises(psycopg.errors.UniqueViolation) as told:
        line.send([("BEGIN", None), (PUT, thing(2, "x")), (PUT, thing(1, "again")), ("COMMIT", None)])
    assert told.value.diag.constraint_name == "things_pkey"
    line.raw.rollback()
    with pytest.raises(psycopg.errors.UndefinedTable):
        line.send([("SELECT * FROM nothing", None), (PUT, thing(3, "x"))])
    assert line.send([(GET, thing(1, "x"))]) == [[tuple(thing(1, "first").values())]]


def test_a_value_that_no_server_holds_is_refused_before_anything_is_sent(line: ServerLine) -> None:
    with pytest.raises(psycopg.DataError, match="NUL"):
        line.send([("BEGIN", None), (PUT, thing(1, "a\0b"))])
    assert line.raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    assert line.send([(GET, thing(1, "x"))]) == [[]]


def test_more_than_the_way_holds_at_once_goes_out(line: ServerLine) -> None:
    long = "x" * 30_000_000
    echoed = line.send([("SELECT %(text)s::text", {"text": long}) for _ in range(2)])
    assert echoed == [[(long,)], [(long,)]]


def test_an_end_in_the_middle_closes_the_connection(line: ServerLine) -> None:
    def interrupt() -> None:
        time.sleep(0.5)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # processes of pytest-xdist ignore it
    threading.Thread(target=interrupt).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            line.send([("BEGIN", None), ("SELECT pg_sleep(20)", None), ("COMMIT", None)])
    finally:
        signal.signal(signal.SIGINT, before)
    assert line.raw.closed


def test_a_server_that_ends_the_connection_is_an_operational_error(line: ServerLine) -> None:
    number = line.raw.info.backend_pid
    with psycopg.connect(line.raw.info.dsn, password="", autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", (number,))
        time.sleep(0.2)
    with pytest.raises(psycopg.OperationalError):
        line.send([(GET, thing(1, "x"))])
    assert line.raw.closed


def test_an_append_goes_on_where_the_server_forgot_what_was_prepared(servers: Databases) -> None:
    with Store.open(servers.fresh()) as store:
        session = store.create_session()
        for text in ("first", "second"):
            store.append(session, {"role": "user", "content": text})
        with store.database.read() as db:
            raw: Any = db.connection().connection.driver_connection
        assert raw.execute(PREPARED).fetchone()[0] > 5
        raw.execute("DEALLOCATE ALL")
        raw._prepared.clear()
        store.append(session, {"role": "user", "content": "third"})
        assert [one["content"] for one in store.load(session)] == ["first", "second", "third"]
        assert raw.execute(PREPARED).fetchone()[0] > 5


def test_an_id_with_nul_is_no_session(servers: Databases) -> None:
    with Store.open(servers.fresh()) as store, pytest.raises(InvalidQueryError, match="NUL"):
        store.append("a\0b", {"role": "user", "content": "text"})
