"""Where a store is: a SQLite file or a PostgreSQL database, behind one set of questions."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine

from hermes_sessions.errors import StoreError
from hermes_sessions.store.engines import sqlite_engine
from hermes_sessions.store.engines.backup import create_private
from hermes_sessions.store.engines.change_base import Transaction, TransactionEnd
from hermes_sessions.store.engines.exchange import Direct
from hermes_sessions.store.engines.file_probe import (
    FileState,
    Location,
    ProbedDatabase,
    judge,
    locate,
    probe_file,
    read_revision,
)
from hermes_sessions.store.engines.row_keys import pass_taken_keys
from hermes_sessions.store.engines.server_probe import SCHEMES, Server, locate_server, read_server


class StorePlace(Protocol):
    """What opening and migrating a store ask of the place where it is."""

    @property
    def name(self) -> str:
        """The place as messages show it; never a password."""

    @property
    def path(self) -> Path | None:
        """The store's file; None on a server."""

    def look(self) -> FileState | ProbedDatabase:
        """Return what stands there; raise a StoreError when it is no use."""

    def create(self) -> None:
        """Make room for a new store."""

    def make_engine(self) -> Engine:
        """Return an engine on it."""

    def begin_directly(self, engine: Engine) -> Direct:
        """Return a writer's transaction beside others, which has not asked anything yet."""

    def end_reading(self, connection: Connection) -> None:
        """End a transaction that only read, all having gone well."""

    def errors(self) -> AbstractContextManager[None]:
        """Turn what the engine says about the place into named errors."""

    def prepare(self, engine: Engine) -> str | None:
        """Make it ready for writers; return a notice for the user, if any."""

    def number_changes(self, engine: Engine) -> None:
        """Make sure that the numbers of changes grow; the schema is the newest."""

    def find_end(self, engine: Engine, transaction: Transaction, seconds: float) -> TransactionEnd:
        """Return what became of a transaction whose connection was lost; it may take *seconds*."""

    def pass_taken_keys(self, engine: Engine) -> None:
        """Give out keys behind those in use: a new row's was taken."""


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A store in a SQLite file."""

    location: Location

    @property
    def name(self) -> str:
        """The file's path."""
        return str(self.location.path)

    @property
    def path(self) -> Path:
        """The file."""
        return self.location.path

    def look(self) -> FileState | ProbedDatabase:
        """Look with the standard library; nothing is written, not even a journal."""
        return probe_file(self.location) or read_revision(self.location)

    def create(self) -> None:
        """Create the file for its owner alone."""
        create_private(self.location.path)

    def make_engine(self) -> Engine:
        """Return SQLite's engine."""
        return sqlite_engine.make_engine(self.location)

    def begin_directly(self, engine: Engine) -> Direct:
        """Give a writer's transaction."""
        return sqlite_engine.begin_directly(engine, self.location.path)

    def end_reading(self, connection: Connection) -> None:
        """Leave it to the rollback: what was written meanwhile is not to stay."""

    def errors(self) -> AbstractContextManager[None]:
        """Name SQLite's errors."""
        return sqlite_engine.named_errors(self.location.path)

    def prepare(self, engine: Engine) -> str | None:
        """Turn the write-ahead log on."""
        return sqlite_engine.use_wal(engine, self.location)

    def number_changes(self, engine: Engine) -> None:
        """Do nothing: every write looks at the highest."""

    def find_end(self, engine: Engine, transaction: Transaction, seconds: float) -> TransactionEnd:
        """Nobody stands between us and a file."""
        return TransactionEnd.OPEN

    def pass_taken_keys(self, engine: Engine) -> None:
        """Do nothing: keys are counted from the highest in use."""


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """A store on a PostgreSQL server; the driver is loaded when it is used."""

    server: Server

    @property
    def name(self) -> str:
        """The address without its password."""
        return self.server.name

    @property
    def path(self) -> None:
        """A server's store is no file."""

    def look(self) -> FileState | ProbedDatabase:
        """Ask the server, in one short connection."""
        with self.errors():
            return read_server(self.server)

    def create(self) -> None:
        """Do nothing: the database is its administrator's to create, the tables are ours."""

    def make_engine(self) -> Engine:
        """Return PostgreSQL's engine."""
        from hermes_sessions.store.engines.postgresql_engine import make_engine

        return make_engine(self.server)

    def begin_directly(self, engine: Engine) -> Direct:
        """Give a writer's transaction in this store's schema."""
        from hermes_sessions.store.engines.postgresql_engine import DirectServer

        return DirectServer(engine, self.server.schema)

    def end_reading(self, connection: Connection) -> None:
        """Commit: nothing can have been written."""
        from hermes_sessions.store.engines.postgresql_engine import end_reading

        end_reading(connection)

    def errors(self) -> AbstractContextManager[None]:
        """Name the server's errors."""
        from hermes_sessions.store.engines.postgresql_engine import named_errors

        return named_errors(self.server)

    def prepare(self, engine: Engine) -> str | None:
        """Do nothing: a server is always ready for writers."""
        return None

    def number_changes(self, engine: Engine) -> None:
        """Have them begin above all that were given out."""
        from hermes_sessions.store.engines.change_base import ensure_base

        ensure_base(engine)

    def find_end(self, engine: Engine, transaction: Transaction, seconds: float) -> TransactionEnd:
        """Ask the server, which keeps the end of every transaction."""
        from hermes_sessions.store.engines.change_base import find_end

        return find_end(engine, transaction, seconds)

    def pass_taken_keys(self, engine: Engine) -> None:
        """Have sequences follow an agent that does not ask them."""
        with engine.execution_options(write=True, beside=True).begin() as connection:
            pass_taken_keys(connection)


def find_place(url: str) -> FilePlace | ServerPlace:
    """Return where the store of *url* is: a path, `sqlite:///path` or `postgresql://...`.

    Raises:
        StoreError: another kind of database, or a URL that names none.
    """
    scheme = url.partition("://")[0]
    if "://" in url and scheme in SCHEMES:
        return ServerPlace(locate_server(url))
    return FilePlace(locate(url))


def probe_place(place: StorePlace, head: str) -> tuple[FileState, bool]:
    """Return what stands at *place*, and whether this user can only read it.

    Raises:
        StoreError: one of its kinds, when it is no use; the line says why.
    """
    found = place.look()
    if isinstance(found, FileState):
        return found, False
    state = judge(place.name, found, head)
    return state, state is FileState.CURRENT and found.read_only


def require_file(url: str, what: str, instead: str) -> Location:
    """Return the file of a store that *what* is possible for.

    Raises:
        StoreError: the store is on a server.
    """
    place = find_place(url)
    if isinstance(place, ServerPlace):
        raise StoreError(f"{place.name}: {what} is for a store in a file; {instead}")
    return place.location
