"""A foreign database that one process has open, opened by another one in the same way."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermes_sessions.agents.sqlite_source.foreign_database import ForeignDatabase, ReadMode, connect_foreign
from hermes_sessions.agents.sqlite_source.held_elsewhere import reading_in_place

_OPTIONS: Final = {
    ReadMode.LIVE: "mode=ro&readonly_shm=1",
    ReadMode.COPY: "mode=ro",
    ReadMode.IMMUTABLE: "mode=ro&immutable=1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenForeign:
    """Where an open database is, and what is known of it; usable as long as the first process has it open.

    Attributes:
        database: the file that is read: the agent's own, or a private copy of it.
    """

    path: Path
    database: Path
    mode: ReadMode
    token: str

    @classmethod
    def of(cls, foreign: ForeignDatabase) -> "OpenForeign":
        """Return what another process needs to open *foreign* as well."""
        _, _, file = foreign.connection.execute("PRAGMA database_list").fetchone()
        return cls(path=foreign.path, database=Path(file), mode=foreign.mode, token=foreign.token)


@contextmanager
def opened_again(told: OpenForeign) -> Iterator[ForeignDatabase]:
    """Open what another process has open; `ForeignDatabase.verify` compares with what that one saw first.

    Raises:
        SourceChangedError: somebody wrote to a file that is read as it is.
        sqlite3.Error: it cannot be opened any more.
    """
    with ExitStack() as stack:
        if told.mode is ReadMode.LIVE:
            stack.enter_context(reading_in_place(told.database))
        connection, notes = connect_foreign(stack, told.database, _OPTIONS[told.mode])
        foreign = ForeignDatabase(connection, told.path, told.mode, notes, False, told.token)
        foreign.verify()
        yield foreign
