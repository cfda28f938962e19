"""How a transaction on PostgreSQL ended whose connection was lost while it ended."""

import time
from typing import Final

import psycopg
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from hermes_sessions.store.engines.change_base import SERVER_RUN, Transaction

_ENDS_SECONDS: Final = 10.0
"""How long a transaction is waited for that the server has not given up yet."""
_STATUS: Final = text(f"SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8)), {SERVER_RUN}")
_NOT_YET_GIVEN: Final = "22023"
"""The answer to a number that is still to come: the server went down before the transaction was logged."""


def was_committed(engine: Engine, transaction: Transaction) -> bool | None:
    """Return whether *transaction* was committed; None where the server does not know (any more).

    It does not know where it was started anew since: the number may have been given out a second time.
    """
    deadline = time.monotonic() + _ENDS_SECONDS
    while True:
        try:
            with engine.connect() as connection:
                status, started = connection.execute(_STATUS, {"number": transaction.number}).one()
        except (SQLAlchemyError, psycopg.Error) as error:
            if getattr(getattr(error, "orig", error), "sqlstate", None) == _NOT_YET_GIVEN:
                return False
            status, started = "in progress", ""  # the server is not back yet
        if status == "committed":
            return True if started == transaction.server_run else None
        if status != "in progress":
            return None if status is None else False
        if time.monotonic() > deadline:
            return None
        time.sleep(0.1)
