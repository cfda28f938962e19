"""Which agent's database a file is, by the tables in it. Nothing of the rows is looked at."""

import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from hermes_sessions.agents.sqlite_source.expected_tables import ExpectedTables
from hermes_sessions.agents.sqlite_source.foreign_database import looks_like_database, open_foreign
from hermes_sessions.agents.sqlite_source.held_elsewhere import is_held, reading_bytes
from hermes_sessions.errors import HermesSessionsError

_LARGEST_COPIED: Final = 64_000_000
"""A database whose tables are all in its log is small: the log is written back long before."""
_OWN: Final = frozenset({"conversations", "origins", "compactions"})
"""Tables of a store of ours, which whoever opens it refuses by name."""

Columns = Mapping[str, Collection[str]]


def is_database_of(path: Path, expected: ExpectedTables) -> bool:
    """Return whether the file at *path* has the tables and columns that are expected."""
    found = _tables(path) if looks_like_database(path) else None
    return bool(found) and _fits(found or {}, expected)


def is_database_of_another(path: Path, expected: ExpectedTables) -> bool:
    """Return whether the file at *path* has tables that can be read, and not those that are expected."""
    found = _tables(path)
    return bool(found) and not set(found or ()) >= _OWN and not _fits(found or {}, expected)


def _fits(found: Columns, expected: ExpectedTables) -> bool:
    return all(set(columns) <= set(found.get(table, ())) for table, columns in expected.needs.items())


def _tables(path: Path) -> Columns | None:
    """Return the tables in a file with their columns; None where it cannot be told."""
    try:
        held = is_held(path)
        with reading_bytes(path) as possible:
            resting = possible and not held
            found = _resting_tables(path) if resting else {}
        if found:
            return found
        size = sum(one.stat().st_size for one in (path, path.with_name(f"{path.name}-wal")) if one.exists())
        if resting and size > _LARGEST_COPIED:
            return None
        nothing = ExpectedTables(agent="", file_name=path.name, needs={}, checked=())
        with open_foreign(path, nothing) as foreign:
            return {table: foreign.columns(table) for table in foreign.tables()}
    except (sqlite3.Error, OSError, UnicodeDecodeError, HermesSessionsError):
        return None


def _resting_tables(path: Path) -> Columns:
    """Return the tables of a file that nobody has open, without what waits in its log."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            asked = "SELECT name FROM pragma_table_info(?)"
            return {name: {one for (one,) in connection.execute(asked, (name,))} for (name,) in names}
    except sqlite3.Error:
        return {}
