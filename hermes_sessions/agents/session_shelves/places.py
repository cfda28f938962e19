"""Where a shelf lies: a database of a known name in a folder, or one that is named."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from hermes_sessions.agents.contract import OpenOptions, Source
from hermes_sessions.agents.session_shelves.reading import OutlineT, SaidT, ShelfForm
from hermes_sessions.agents.session_shelves.source import ShelfFindings, ShelfSource
from hermes_sessions.agents.sqlite_source.expected_tables import ExpectedTables
from hermes_sessions.agents.sqlite_source.opened_again import OpenForeign
from hermes_sessions.agents.sqlite_source.readable import ReadableDatabase, open_readable
from hermes_sessions.agents.sqlite_source.told_apart import is_database_of
from hermes_sessions.agents.told_messages import Refuse


class ShelfDatabase(NamedTuple):
    """A database at a place, what it must have, and the indexes that a rescued copy of it gets."""

    path: Path
    expected: ExpectedTables
    indexes: Mapping[str, Sequence[Sequence[str]]]


def database_at(path: Path, file_name: str) -> Path | None:
    """Return the database that a located path is, or holds."""
    for one in (path / file_name, path):
        if one.is_file():
            return one
    return None


def located_database(path: Path, expected: ExpectedTables) -> Path | None:
    """Return the place of the database file at *path*: its folder, where it has the usual name.

    None where it is another program's.

    Raises:
        OSError: it cannot be read.
    """
    if not is_database_of(path, expected):
        return None
    return path.parent if path.name == expected.file_name else path


@contextmanager
def open_shelf(
    place: Path,
    database: ShelfDatabase,
    form: Callable[[ReadableDatabase, Refuse], ShelfForm[SaidT, OutlineT]],
    options: OpenOptions,
) -> Iterator[Source]:
    """Open a database as a source.

    Raises:
        SourceError: it cannot be read at all, or is another program's.
    """
    path, expected, indexes = database
    with open_readable(path, expected, indexes, damage=options.damage, scratch=options.scratch) as readable:
        foreign = None if readable.damage else OpenForeign.of(readable.foreign)
        found = ShelfFindings(readable.damage, [], foreign)
        yield ShelfSource(place, form(readable, found.rejected.append), found, options)
