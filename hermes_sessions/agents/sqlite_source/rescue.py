"""Rescue what can be read of a damaged database into a private copy.

After this there is one way of reading, whatever the damage: the copy has the same
columns, no constraints, and an index of its own.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from hermes_sessions.agents.sqlite_source.foreign_database import ForeignDatabase, RawText
from hermes_sessions.agents.sqlite_source.salvage import Damage, iter_rows, quote_name


def rescue(
    foreign: ForeignDatabase, target: Path, tables: Mapping[str, Sequence[Sequence[str]]]
) -> tuple[sqlite3.Connection, list[Damage]]:
    """Copy every readable row of the tables an import needs to a new database at *target*.

    Args:
        tables: names, each with the columns of the indexes that its copy gets.

    Returns:
        The open copy, in autocommit, decoding text as *foreign* does; and what was lost.
    """
    copy = sqlite3.connect(target, isolation_level=None)
    copy.text_factory = foreign.connection.text_factory
    copy.execute("PRAGMA journal_mode = OFF")
    copy.execute("PRAGMA synchronous = OFF")
    damage: list[Damage] = []
    present = foreign.tables()
    copy.execute("BEGIN")
    for table, indexes in tables.items():
        if table in present:
            damage.extend(_rescue_table(foreign, copy, table))
            for number, columns in enumerate(indexes):
                name = quote_name(f"rescued_{table}_{number}")
                names = ", ".join(map(quote_name, columns))
                copy.execute(f"CREATE INDEX {name} ON {quote_name(table)} ({names})")
    copy.execute("COMMIT")
    return copy, damage


def _rescue_table(foreign: ForeignDatabase, copy: sqlite3.Connection, table: str) -> list[Damage]:
    columns = foreign.columns(table)
    names = ", ".join(quote_name(column) for column in columns)
    # No column types: a value keeps the type it had.
    copy.execute(f"CREATE TABLE {quote_name(table)} ({names})")
    insert = f"INSERT INTO {quote_name(table)} VALUES ({', '.join('?' * len(columns))})"
    damage = []
    for row in iter_rows(foreign, table, columns):
        if isinstance(row, Damage):
            damage.append(row)
        else:
            copy.execute(insert, [_plain(value) for value in row[1:]])
    return damage


def _plain(value: object) -> object:
    """Bytes that were text stay bytes: SQLite would refuse them as text."""
    return bytes(value) if isinstance(value, RawText) else value
