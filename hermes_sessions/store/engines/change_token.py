"""A text that every commit changes: what conditional requests and open pages compare.

It asks no table, so it may be asked before every answer and twice a second. SQLite
counts commits per connection, as seen by a connection that makes none: one is kept
aside for that. PostgreSQL names the state that a transaction beginning now would see;
other databases of the same server move it too, which costs a look and nothing else. A
replica's snapshot does not list which transactions are open, so a commit need not move it:
there the token is how much of the primary's log was replayed. When the server started
stands before both, since after a failover another server may count the same numbers.
"""

import secrets
import threading

from sqlalchemy import Engine, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import PoolProxiedConnection

_TOKEN = text(
    "SELECT pg_postmaster_start_time()::text || ' ' || CASE WHEN pg_is_in_recovery()"
    " THEN pg_last_wal_replay_lsn()::text ELSE pg_current_snapshot()::text END"
)


class ChangeToken:
    """The change token of one store; safe to use from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._opening = ""
        """SQLite's count starts anew with each connection: tokens of two of them never meet."""
        self._lock = threading.Lock()
        self._watching: PoolProxiedConnection | None = None

    def read(self) -> str:
        """Return the token; equal ones mean that nothing was committed in between."""
        if self._engine.dialect.name == "sqlite":
            return self._count()
        with self._engine.connect() as connection:
            return str(connection.execute(_TOKEN).scalar_one())

    def close(self) -> None:
        """Give the connection back; asking again takes another one."""
        with self._lock:
            watching, self._watching = self._watching, None
            if watching is not None:
                watching.invalidate()

    def _count(self) -> str:
        with self._lock:
            if self._watching is None:
                self._watching = self._engine.raw_connection()
                self._opening = secrets.token_hex(4)
            connection: DBAPIConnection = self._watching
            cursor = connection.cursor()
            try:
                cursor.execute("PRAGMA data_version")
                (commits,) = cursor.fetchone() or (None,)
                return f"{self._opening}.{commits}"
            finally:
                cursor.close()
