"""From where PostgreSQL counts the numbers of changes: `change_base` and the number of the transaction.

A transaction's number is lower than that of every one that begins after it has ended, so a
follower can say below which number nothing is still to come. A copy of the store on another
server, where transactions have lower numbers, counts from a higher base.
"""

import time
from typing import Any, Final, NamedTuple

from sqlalchemy import Engine, text

SERVER_RUN: Final = (
    "pg_postmaster_start_time()::text || coalesce(' ' || pg_stat_get_bgwriter_stat_reset_time()::text, '')"
)
"""Changes where a server was started anew, or recovered from the crash of one of its processes."""
TRANSACTION: Final = "hermes_sessions.transaction"
"""Where a connection notes its `Transaction`."""
_LOWEST: Final = 1_000_000_000_000
"""Bases are milliseconds since 1970, as the numbers of a store in a file are; below is none."""
NUMBER_CHANGES: Final = (
    "SELECT set_config('hermes_sessions.base', last_value::text, true) FROM change_base;"
    " SELECT set_config('hermes_sessions.change', (pg_current_xact_id()::text::bigint"
    " + current_setting('hermes_sessions.base')::bigint)::text, true),"
    f" pg_current_xact_id()::text, {SERVER_RUN}"
)
"""Gives a transaction its number, which `NextChange` finds. The base is read each time: it may be raised."""
_STATE: Final = text(
    "SELECT b.last_value, pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS following,"
    " coalesce((SELECT c.changed FROM conversations AS c ORDER BY c.changed DESC LIMIT 1), 0) AS highest"
    " FROM change_base AS b"
)
_SET: Final = text("SELECT setval('change_base', :base)")


class Transaction(NamedTuple):
    """A transaction of a server: its number, and the run of that server, see `SERVER_RUN`.

    After the server was started anew, or recovered from a crash, the number may be another
    transaction's: one that had written nothing to the log when the server went down.
    """

    number: int
    server_run: str


def begun_transaction(begun: Any) -> Transaction:
    """Return what the last of several commands, `NUMBER_CHANGES`, answered to the driver's cursor *begun*."""
    while begun.nextset():
        pass
    _, number, started = begun.fetchone()
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
