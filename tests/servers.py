"""PostgreSQL databases for tests: made by the migrations once per process, then wiped for each test."""

import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
from sqlalchemy import make_url

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Base

WIPES_BEFORE_A_NEW_ONE = 60
"""Deleted rows stay in the files of a database until it is vacuumed."""
_COLLATION = "LOCALE_PROVIDER icu ICU_LOCALE 'en' ENCODING 'UTF8' TEMPLATE template0"
"""One that orders words as people do: what relies on code points must say so itself."""


def admin_url() -> str | None:
    """Where databases can be made; None where no server is at hand."""
    return os.environ.get("HERMES_SESSIONS_TEST_PG") or None


class Databases:
    """The databases of one test process; `fresh` gives an empty store."""

    def __init__(self, admin: str) -> None:
        self._admin = make_url(admin)
        self._prefix = f"hs_test_{secrets.token_hex(4)}"
        self._template = f"{self._prefix}_t"
        self._current: str | None = None
        self._wipes = self._made = 0
        self.make(self._template, f"CREATE DATABASE {self._template} {_COLLATION}")
        Database.open(self.url(self._template)).close()

    def url(self, name: str) -> str:
        return self._admin.set(drivername="postgresql", database=name).render_as_string(hide_password=False)

    def fresh(self) -> str:
        """Return the URL of a store without rows."""
        if self._current is not None and self._wipes < WIPES_BEFORE_A_NEW_ONE:
            self._wipes += 1
            if self._wipe(self._current):
                return self.url(self._current)
        if self._current is not None:
            self.drop(self._current)
        self._current, self._wipes = self.copy(), 0
        return self.url(self._current)

    def copy(self) -> str:
        """Make one more database that holds a store without rows; return its name."""
        self._made += 1
        name = f"{self._prefix}_{self._made}"
        return self.make(name, f"CREATE DATABASE {name} TEMPLATE {self._template}")

    def bare(self) -> str:
        """Make a database without any table; return its name."""
        self._made += 1
        name = f"{self._prefix}_{self._made}"
        return self.make(name, f"CREATE DATABASE {name} {_COLLATION}")

    def make(self, name: str, statement: str) -> str:
        self.run(statement)
        self.run(f"ALTER DATABASE {name} SET synchronous_commit = off")  # no test pulls the plug
        return name

    def drop(self, name: str) -> None:
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def run(self, statement: str, name: str | None = None) -> list[tuple[Any, ...]]:
        """Run a statement as the server's administrator, in the database *name*; return its rows."""
        plain = self.url(name or str(self._admin.database))
        with closing(psycopg.connect(plain, autocommit=True)) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        found = self.run(f"SELECT datname FROM pg_database WHERE datname LIKE '{self._prefix}%'")
        for (name,) in found:
            self.drop(name)

    def _wipe(self, name: str) -> bool:
        """Empty every table; False when somebody still holds rows of it."""
        tables = [table.name for table in reversed(Base.metadata.sorted_tables)]
        statements = [f"DELETE FROM {table}" for table in (*tables, "messages_fts")]
        statements.append(
            "SELECT setval(oid::regclass, 1, false) FROM pg_class"
            " WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace"
        )
        try:
            with psycopg.connect(self.url(name), options="-c lock_timeout=2s") as connection:
                connection.execute(";".join(statements).encode())
        except psycopg.Error:
            return False
        return True


@contextmanager
def databases() -> Iterator[Databases]:
    """Give databases on the server of HERMES_SESSIONS_TEST_PG; they are gone afterwards."""
    admin = admin_url()
    assert admin is not None, "mark the test with pytest.mark.postgresql"
    made = Databases(admin)
    try:
        yield made
    finally:
        made.close()
