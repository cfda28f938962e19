"""A reader's statements have a time, where one is given."""

import time

import pytest
from sqlalchemy import text

from hermes_sessions.errors import QueryTimeoutError
from hermes_sessions.store.opening.database import Database

LONG = text(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :most) SELECT count(*) FROM n"
)


def test_a_statement_that_takes_longer_is_ended(database: Database) -> None:
    started = time.monotonic()
    with pytest.raises(QueryTimeoutError, match="ask for less"), database.read(statement_seconds=0.2) as db:
        db.execute(LONG, {"most": 10**9})
    assert time.monotonic() - started < 5


def test_each_statement_has_the_time_for_itself(database: Database) -> None:
    with database.read(statement_seconds=0.4) as db:
        for _ in range(3):
            db.execute(LONG, {"most": 1}).scalar()
            time.sleep(0.2)


def test_a_later_reader_is_not_bound_by_it(database: Database) -> None:
    with pytest.raises(QueryTimeoutError), database.read(statement_seconds=0.05) as db:
        db.execute(LONG, {"most": 10**9})
    with database.read() as db:
        assert db.execute(LONG, {"most": 1_000_000}).scalar() == 1_000_000
