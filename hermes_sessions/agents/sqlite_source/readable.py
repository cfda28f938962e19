"""A foreign database that can be read in one way, whatever its damage: itself, or what was rescued of it."""

import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermes_sessions.agents.sqlite_source.expected_tables import ExpectedTables
from hermes_sessions.agents.sqlite_source.foreign_database import (
    ForeignDatabase,
    ReadMode,
    is_passing,
    open_foreign,
)
from hermes_sessions.agents.sqlite_source.rescue import rescue
from hermes_sessions.errors import SourceDamagedError, SourceError
from hermes_sessions.late_patterns import late_pattern

_MAX_DISORDER: Final = 5
_PAGE_DAMAGE = late_pattern(r"\*\*\* in database|[Pp]age|Rowid|btree|Tree")


@dataclass(frozen=True, slots=True)
class ReadableDatabase:
    """An open foreign database.

    Attributes:
        connection: to the file itself, or to the private copy of what could be rescued.
        damage: what could not be read, a line each.
    """

    foreign: ForeignDatabase
    connection: sqlite3.Connection
    damage: Sequence[str]


@contextmanager
def open_readable(
    path: Path,
    expected: ExpectedTables,
    tables: Mapping[str, Sequence[Sequence[str]]],
    *,
    damage: str | None = None,
    scratch: Path | None = None,
) -> Iterator[ReadableDatabase]:
    """Open a database; one with damage is first rescued, row by row.

    Args:
        tables: those that are read, each with the columns of the indexes that a rescued copy gets.
        damage: what an earlier reading stumbled on.
        scratch: folder for private copies; None is the system's temporary folder.

    Raises:
        SourceError: it cannot be read at all, or is not what is expected.
    """
    with ExitStack() as stack:
        foreign = stack.enter_context(open_foreign(path, expected, scratch=scratch))
        try:
            notes = [*foreign.notes, *disorder(foreign, expected.checked), *([damage] if damage else [])]
            sound = not notes and not foreign.padded
        except sqlite3.DatabaseError as error:
            if is_passing(error):
                raise SourceError(f"{foreign.path}: {error}") from error
            notes, sound = [*foreign.notes, str(error)], False
        if sound:
            yield ReadableDatabase(foreign, foreign.connection, ())
            return
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="hs-", dir=scratch))
        copy, lost = rescue(foreign, Path(folder) / "rescued.db", tables)
        stack.callback(copy.close)
        yield ReadableDatabase(foreign, copy, [*notes, *map(str, lost)])


def disorder(foreign: ForeignDatabase, tables: Collection[str]) -> list[str]:
    """Return what is wrong with the pages of *tables*; rows of a misplaced page look sound.

    A live file is spared the reading: it would be read again with every change.
    """
    if foreign.mode is ReadMode.LIVE:
        return []
    found = []
    for table in tables:
        lines = foreign.connection.execute("SELECT * FROM pragma_quick_check(?)", (table,)).fetchall()
        # It also tells of values that break a constraint, which is no damage.
        found += [str(line) for (line,) in lines if _PAGE_DAMAGE.search(str(line))]
    return [f"{line.splitlines()[-1]}" for line in found[:_MAX_DISORDER]]


@contextmanager
def naming_damage(path: Path) -> Iterator[None]:
    """Give an error of SQLite its name: damage that the file can be read around, or the end.

    Raises:
        SourceDamagedError: damage.
        SourceError: anything else, such as a lock that is not given up.
    """
    try:
        yield
    except sqlite3.Error as error:
        damaged = isinstance(error, sqlite3.DatabaseError) and not is_passing(error)
        kind = SourceDamagedError if damaged else SourceError
        raise kind(f"{path}: {error}") from error
