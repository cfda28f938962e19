"""Make a Hermes `state.db` of a version and fill it: for the demo and for tests.

The tables are those of `agents.hermes.schema`.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from hermes_sessions.agents.hermes.schema import (
    UNIQUE_TITLES,
    UNIQUE_TITLES_SINCE,
    columns_of,
    index_statements,
    table_statements,
)


def session_columns(version: int) -> tuple[str, ...]:
    """Return the names of the columns of `sessions` in *version*."""
    return tuple(columns_of("sessions", version))


def message_columns(version: int) -> tuple[str, ...]:
    """Return the names of the columns of `messages` in *version*."""
    return tuple(columns_of("messages", version))


def create_tables(connection: sqlite3.Connection, version: int) -> None:
    """Create the tables of *version* in an empty database, and say the version in it."""
    for statement in (*table_statements(version), *index_statements(version)):
        connection.execute(statement)
    if version >= UNIQUE_TITLES_SINCE:
        connection.execute(UNIQUE_TITLES)
    connection.execute("INSERT INTO schema_version VALUES (?)", (version,))


def insert_rows(
    connection: sqlite3.Connection, table: str, columns: Iterable[str], rows: Iterable[Mapping[str, Any]]
) -> None:
    """Insert *rows* into *table*; keys that are no column of this version are left out."""
    known = set(columns)
    for row in rows:
        names = [name for name in row if name in known]
        connection.execute(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
            [row[name] for name in names],
        )
