"""From where PostgreSQL counts the numbers of changes: `change_base` and the number of the transaction.

A transaction's number is lower than that of every one that begins after it has ended, so a
follower can say below which number nothing is still to come. A copy of the store on another
server, where transactions have lower numbers, counts from a higher base. By its number the server
is asked how a transaction ended whose connection was lost.
"""

import time
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

SERVER_RUN: Final = (
    "pg_postmaster_start_time()::text || coalesce(' ' || pg_stat_get_bgwriter_stat_reset_time()::text, '')"
)
"""Changes where a server was started anew, or recovered from the crash of one of its processes."""
TRANSACTION: Final = "hermes_sessions.transaction"
"""Where a connection notes its `Transaction`."""
_LOWEST: Final = 1_000_000_000_000
"""Bases are milliseconds since 1970, as the numbers of a store in a file are; below is none."""
NUMBER_CHANGES: Final = (
    "set_config('hermes_sessions.change', (pg_current_xact_id()::text::bigint"
    " + (SELECT last_value FROM change_base))::text, true),"
    f" pg_current_xact_id()::text, {SERVER_RUN}"
)
"""The last columns of what a transaction says first: they give it its number, which `NextChange` finds.

The base is read each time, behind the lock, which is a column before these: it may be raised.
"""
_STATE: Final = text(
    "SELECT b.last_value, pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS following,"
    " coalesce((SELECT c.changed FROM conversations AS c ORDER BY c.changed DESC LIMIT 1), 0) AS highest"
    " FROM change_base AS b"
)
_SET: Final = text("SELECT setval('change_base', :base)")

_STATUS: Final = text(f"SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8)), {SERVER_RUN}")
_NOT_YET_GIVEN: Final = "22023"
"""The answer to a number that is still to come: the server went down before the transaction was logged."""


class Transaction(NamedTuple):
    """A transaction of a server: its number, and the run of that server, see `SERVER_RUN`.

    After the server was started anew, or recovered from a crash, the number may be another
    transaction's: one that had written nothing to the log when the server went down.
    """

    number: int
    server_run: str


class TransactionEnd(Enum):
    """What became of a transaction.

    `FORGOTTEN`: the server was started anew since, so the number may be another's. `OPEN`: it is under
    way still, or no server answers.
    """

    COMMITTED = "committed"
    UNDONE = "undone"
    FORGOTTEN = "forgotten"
    OPEN = "open"


def begun_transaction(answer: Sequence[Any]) -> Transaction:
    """Return which transaction began, from the row that `NUMBER_CHANGES` ends."""
    *_, number, started = answer
    return Transaction(int(number), started)


def ensure_base(engine: Engine) -> None:
    """Have numbers begin above all that were given out, where they do not."""
    with engine.connect() as connection:
        base, following, highest = connection.execute(_STATE).one()
    if base >= _LOWEST and highest < base + following:
        return
    with engine.execution_options(write=True, migrating=True).begin() as connection:
        base, following, highest = connection.execute(_STATE).one()
        if base < _LOWEST or highest >= base + following:
            wanted = max(int(time.time() * 1000), highest + 1) - following
            connection.execute(_SET, {"base": max(wanted, _LOWEST)})


def find_end(engine: Engine, transaction: Transaction, seconds: float) -> TransactionEnd:
    """Return what became of *transaction*; one that is under way is waited for, and a server that is away."""
    import psycopg

    deadline = time.monotonic() + seconds
    while True:
        try:
            with engine.connect() as connection:
                status, started = connection.execute(_STATUS, {"number": transaction.number}).one()
        except (SQLAlchemyError, psycopg.Error) as error:
            if getattr(getattr(error, "orig", error), "sqlstate", None) == _NOT_YET_GIVEN:
                return TransactionEnd.UNDONE
            status, started = "in progress", ""  # the server is not back yet
        if status == "committed":
            same_run = started == transaction.server_run
            return TransactionEnd.COMMITTED if same_run else TransactionEnd.FORGOTTEN
        if status != "in progress":
            return TransactionEnd.FORGOTTEN if status is None else TransactionEnd.UNDONE
        if time.monotonic() > deadline:
            return TransactionEnd.OPEN
        time.sleep(0.1)
