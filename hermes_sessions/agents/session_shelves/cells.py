"""Tables of sessions in somebody else's database: columns are probed, cells are objects of JSON."""

import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, Final

from hermes_sessions.agents.json_lines.lines import FileLine, ParsedLine, parse_line
from hermes_sessions.agents.sqlite_source.salvage import quote_name
from hermes_sessions.agents.told_messages import Refuse
from hermes_sessions.agents.values import Rejected

MOST_NAMED: Final = 1_000
"""How many messages without a session are named one by one."""


def parsed(raw: Any) -> ParsedLine:
    """Return the object that a cell or a file holds, or why it holds none."""
    if isinstance(raw, str):
        raw = raw.encode("utf-8", "surrogatepass")
    if not isinstance(raw, bytes):
        return ParsedLine(None, "it has no data")
    return parse_line(FileLine(0, len(raw), bytes(raw)))


def columns_of(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the names of a table's columns."""
    found = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return {name for (name,) in found}


def bound_of(connection: sqlite3.Connection, table: str) -> int:
    """Return the highest rowid of a table: what is written later is for the next run."""
    found = connection.execute(f"SELECT max(rowid) FROM {quote_name(table)}").fetchone()[0]
    return found if isinstance(found, int) else 0


def session_rows(
    connection: sqlite3.Connection, table: str, wanted: Sequence[str], refuse: Refuse
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a table of sessions by their id, with those of the *wanted* columns it has."""
    known = columns_of(connection, table)
    names = [name for name in wanted if name in known]
    seen: set[str] = set()
    asked = f"SELECT {', '.join(map(quote_name, names))} FROM {quote_name(table)}"
    for row in connection.execute(asked):
        cells = dict(zip(names, row, strict=True))
        one = cells["id"]
        if type(one) is not str or not one or one in seen:
            refuse(Rejected(table, row_name(one), "its id is no text, or another session's"))
            continue
        seen.add(one)
        yield one, cells


def cells_mark(cells: Any) -> str:
    """Return a digest of cells."""
    return blake2b(repr(cells).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def row_name(one: Any) -> str:
    """Return what a report calls a row of that id, which may be anything, also empty."""
    return str(one)[:200] or "''"


def lost_row(table: str, one: Any, session: Any) -> Rejected:
    """Return what is said of a row whose session is not there."""
    return Rejected(table, row_name(one), f"its session is not there: {str(session)[:80]!r}")
