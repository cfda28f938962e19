"""Rows of a foreign table by one of its columns, also where it has no index that serves."""

import sqlite3

from hermes_sessions.agents.sqlite_source.salvage import quote_name


def rows_of(connection: sqlite3.Connection, table: str, column: str) -> str:
    """Return the condition, with one `?`, by which rows with a value of *column* are found.

    Where no index begins with the column, the places of all rows are noted once in a temporary table
    of the connection: otherwise each value would cost a reading of the whole table. Call it while
    nothing is being read, on a connection whose file is read in one state.
    """
    asked = (
        "SELECT 1 FROM pragma_index_list(?) AS one, pragma_index_info(one.name) AS part"
        " WHERE part.seqno = 0 AND part.name = ? AND one.partial = 0"
    )
    if connection.execute(asked, (table, column)).fetchone() is not None:
        return f"{quote_name(column)} = ?"
    places = quote_name(f"places_{table}_{column}")
    name, source = quote_name(column), quote_name(table)
    connection.execute(f"CREATE TEMP TABLE {places} AS SELECT {name} AS named, rowid AS place FROM {source}")
    index = quote_name(f"by_{table}_{column}")
    connection.execute(f"CREATE INDEX temp.{index} ON {places} (named, place)")
    return f"rowid IN (SELECT place FROM temp.{places} WHERE named = ?)"
