"""An open store: where transactions begin and end. No queries."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

from sqlalchemy import Engine, event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from hermes_sessions import paths
from hermes_sessions.errors import (
    StoreConflictError,
    StoreDamagedError,
    StoreError,
    StoreMissingError,
    StoreUnavailableError,
)
from hermes_sessions.store.engines.change_base import TRANSACTION, Transaction, TransactionEnd
from hermes_sessions.store.engines.change_token import ChangeToken
from hermes_sessions.store.engines.exchange import Direct, Planned, Step, exchange
from hermes_sessions.store.engines.file_probe import FileState, list_revisions
from hermes_sessions.store.engines.outage import Outage, SameFile
from hermes_sessions.store.engines.store_place import ServerPlace, StorePlace, find_place, probe_place
from hermes_sessions.store.opening.migrate import move_schema, renew_index
from hermes_sessions.store.opening.tries import Tries

T = TypeVar("T")
R = TypeVar("R")
_CONFLICTS: Final = ("23505", "23503")
"""SQLSTATE of a key that another has stored meanwhile, and of a row that another has taken away."""


@dataclass(slots=True)
class _End(Generic[T]):
    """How far an attempt came: which transaction, what its work returned, what would prove it stored."""

    transaction: Transaction | None = None
    done: list[T] = field(default_factory=list)
    proof: Callable[[], Step] | None = None


class Database:
    """Owns the connections to one store; share it between threads, not between processes.

    Attributes:
        engine: SQLAlchemy's engine; begin transactions with `read` and `write` instead.
        name: where it is, as messages show it; never a password.
        path: the store's file (None for a server).
        read_only: this user cannot write the file or its folder, or the server's tables; `write` says so.
        notice: one line the user should see, such as a file system without a write-ahead log.
    """

    def __init__(
        self, engine: Engine, place: StorePlace, notice: str | None = None, *, read_only: bool = False
    ) -> None:
        self.engine = engine
        self.name = place.name
        self.path: Path | None = place.path
        self._place = place
        self.notice = notice
        self.read_only = read_only
        self._writer = engine.execution_options(write=True)
        self._beside = engine.execution_options(write=True, beside=True)
        self._changes = ChangeToken(engine)
        self._outage = Outage()
        self._file = None if place.path is None else SameFile(place.path)
        event.listen(engine, "invalidate", self._note_lost_connection)

    @classmethod
    def open(cls, url: str, *, create: bool = True, migrations: Path | None = None) -> Self:
        """Open the store at *url*: a path, `sqlite:///path` or `postgresql://user@host/database`.

        A missing or empty one gets the newest schema; an existing store is never
        migrated. A file's folders are created, and it is its owner's alone; a server's
        database must be there. A store that cannot be written can still be read.

        Args:
            url: where the store is.
            create: False makes a missing store an error.
            migrations: another folder of revisions than the installed one.

        Raises:
            StoreError: one of its kinds, each with a line that says what to do.
        """
        return cls.open_place(find_place(url), create=create, migrations=migrations)

    @classmethod
    def open_place(cls, place: StorePlace, *, create: bool = True, migrations: Path | None = None) -> Self:
        """Open the store at *place*, as `open` does.

        Raises:
            StoreError: one of its kinds, each with a line that says what to do.
        """
        folder = migrations or paths.migrations()
        head = list_revisions(folder)[-1]
        state, read_only = probe_place(place, head)
        if state is not FileState.CURRENT:
            if not create:
                raise StoreMissingError.at(place.name)
            place.create()
        engine = place.make_engine()
        try:
            with place.errors():
                notice = None if read_only else place.prepare(engine)
                if state is not FileState.CURRENT:
                    with engine.execution_options(write=True, migrating=True).begin() as connection:
                        move_schema(connection, head, migrations=folder)
                        renew_index(connection)
                    engine.dispose()  # that connection has foreign keys off
                if not read_only:
                    place.number_changes(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, place, notice, read_only=read_only)

    @classmethod
    def sharing(cls, engine: Engine, place: ServerPlace) -> Self:
        """Return the store at *place*, a schema, over the connections of an engine on its database.

        Raises:
            StoreError: it is no use; the line says why.
        """
        state, read_only = probe_place(place, list_revisions(paths.migrations())[-1])
        if state is not FileState.CURRENT:
            raise StoreMissingError.at(place.name)
        return cls(engine.execution_options(store_schema=place.server.schema), place, read_only=read_only)

    @contextmanager
    def read(self, *, statement_seconds: float | None = None) -> Iterator[Session]:
        """Give one consistent state of the store to read; nothing can be written there for good.

        SQLite rolls back what is written, PostgreSQL refuses it.

        Args:
            statement_seconds: how long one statement may take; by default what the engine allows.

        Raises:
            QueryTimeoutError: a statement took longer.
        """
        engine = self.engine
        if statement_seconds is not None:
            engine = engine.execution_options(statement_seconds=statement_seconds)
        with self._errors(), Session(engine, autoflush=False) as db:
            yield db
            if db.in_transaction():
                self._place.end_reading(db.connection())

    def look(self, work: Callable[[Session], T]) -> T:
        """Do *work*, which only reads, in a transaction as `read` gives it, and return what it returns.

        It is done again, from its beginning, where a server went away meanwhile.

        Raises:
            StoreError: as `read` does; StoreUnavailableError after several tries.
        """
        tries = Tries()
        while True:
            try:
                with self.read() as db:
                    return work(db)
            except StoreUnavailableError:
                if self.path is not None or not tries.may_wait_for_server():
                    raise

    @contextmanager
    def write(self, *, beside: bool = False) -> Iterator[Session]:
        """Give a writer's transaction: committed at the end, rolled back on any error.

        Args:
            beside: on a server others may write meanwhile, who asked for the same; rows are locked by
                `store.keeping.row_locks` before they are read. In a file there is one writer at a time.

        Raises:
            StoreError: the store is read-only for this user.
            StoreBusyError: another process kept the lock for too long.
            StoreConflictError: of two that wrote the same rows this one gave way; nothing was stored.
        """
        self._require_writable()
        engine = self._beside if beside else self._writer
        with (
            self._errors(),
            _conflicts_named(self.name) if beside else nullcontext(),
            Session(engine, expire_on_commit=False) as db,
            db.begin(),
        ):
            # Begin now: the lock is taken before anything is read, or the read could be stale.
            db.connection()
            yield db

    def run(self, work: Callable[[Session], T], prove: Callable[[T], Step] | None = None) -> T:
        """Do *work* in a transaction beside other writers and return what it returns.

        It is done again, from its beginning, where another writer was faster or the server went
        away, unless the server says that it had been committed: so *work* changes nothing else.

        Args:
            work: what is done.
            prove: given what *work* returned, the question that has rows where all of it was stored; asked
                where the server forgot how the transaction ended.

        Raises:
            StoreError: as `write` does; StoreConflictError and StoreUnavailableError after several tries.
                After the latter it is not known whether it was stored.
        """

        def attempt(end: _End[T]) -> T:
            with self.write(beside=True) as db:
                end.transaction = db.connection().info.get(TRANSACTION)
                end.done.append(work(db))
                end.proof = partial(prove, end.done[0]) if prove else None
            return end.done[0]

        return self._try(attempt)

    def run_directly(self, work: Callable[[Direct], Planned[T] | None]) -> T | None:
        """Do what `run` does with nothing between *work* and the driver: for what an agent waits for.

        *work* asks once and returns what is to be written and returned; None, and nothing is written.

        Raises:
            StoreError: as `run` does.
        """

        def attempt(end: _End[T]) -> T | None:
            try:
                value = self._do_directly(work, end)
            except BaseException:
                with self._named(), _conflicts_named(self.name):
                    raise
            self._outage.ended()
            return value

        self._require_writable()
        return self._try(attempt)

    def _do_directly(self, work: Callable[[Direct], Planned[T] | None], end: "_End[T]") -> T | None:
        self._require_file()
        direct = self._place.begin_directly(self.engine)
        try:
            planned = work(direct)
            if planned is not None:
                end.transaction, end.proof = direct.transaction, planned.proof
                end.done.append(planned.value)
                direct.finish(planned.steps)
        except BaseException:
            direct.end(clean=False)
            raise
        direct.end(clean=planned is not None)
        return None if planned is None else planned.value

    def _try(self, attempt: Callable[["_End[T]"], R]) -> R | T:
        """Attempt a transaction until it has ended well, or may not be tried again."""
        tries: Tries | None = None
        while True:
            end: _End[T] = _End()
            try:
                return attempt(end)
            except StoreConflictError as error:
                tries = tries or Tries()
                if not tries.may_go_on():
                    raise
                if _takes_a_key(error.__cause__):
                    self._pass_taken_keys()
            except StoreUnavailableError:
                tries = tries or Tries()
                if self.path is not None or not tries.may_wait_for_server():
                    raise
                ended = self._end_of(end, tries)
                if ended is TransactionEnd.COMMITTED:
                    return end.done[0]
                if ended is not TransactionEnd.UNDONE:
                    raise

    def _pass_taken_keys(self) -> None:
        with self._errors():
            self._place.pass_taken_keys(self.engine)

    def _end_of(self, end: "_End[Any]", tries: Tries) -> TransactionEnd:
        # Work that did not come to its end was not committed, whatever the server says.
        if not end.done or end.transaction is None:
            return TransactionEnd.UNDONE
        ended = self._place.find_end(self.engine, end.transaction, tries.seconds_left)
        proof = end.proof
        if ended not in (TransactionEnd.FORGOTTEN, TransactionEnd.UNDONE) or proof is None:
            return ended
        # A cluster's coordinator that crashed says that nothing was stored, though a node may have committed.
        stored = self.look(lambda db: exchange(db.connection(), [proof()]) != [[]])
        return TransactionEnd.COMMITTED if stored else TransactionEnd.UNDONE

    def change_token(self) -> str:
        """Return a text that every commit changes, whoever makes it; it costs next to nothing.

        Read it before what it stands for: then what is read is never older than the token.
        """
        with self._errors():
            return self._changes.read()

    def tell_outages(self, tell: Callable[[str], None]) -> None:
        """Have it told, in one line each time, that the store went away or was damaged while it was open."""
        self._outage.tell(tell)

    def close(self) -> None:
        """Close the connections; the last process to do so folds the write-ahead log in.

        One that a request still holds, or opens from now on, is closed as soon as it is given back.
        """
        self._changes.close()
        event.listen(self.engine.pool, "checkin", _close_returned)  # the pool after it listens, too
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _require_writable(self) -> None:
        if self.read_only:
            why = "the file or its folder is read-only"
            if self.path is None:
                why = "this user may only read, or the server is a replica; see docs/team.md"
            raise StoreError(f"{self.name}: cannot be written: {why}")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Name what goes wrong, and take note when the store is away, or its file another."""
        with self._named():
            self._require_file()
            yield

    def _require_file(self) -> None:
        if self._file is not None:
            self._file.require()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            with self._place.errors():
                yield
        except (StoreUnavailableError, StoreDamagedError) as error:
            self._outage.began(str(error))
            raise
        self._outage.ended()

    def _note_lost_connection(self, raw: object, record: object, error: BaseException | None) -> None:
        # Without an error it is we who end it. SQLite has no server that could.
        if error is not None and self.path is None:
            self._outage.began(
                f"{self.name}: the server ended the connections; continuing as soon as it answers"
            )


@contextmanager
def _conflicts_named(name: str) -> Iterator[None]:
    """Turn what two writers beside each other run into into one of our errors."""
    try:
        yield
    except IntegrityError as error:
        if getattr(error.orig, "sqlstate", None) not in _CONFLICTS:
            raise
        raise StoreConflictError(f"{name}: another process stored the same meanwhile; try again") from error


def _takes_a_key(error: BaseException | None) -> bool:
    """Whether a new row's key was in use, which no sequence gives out twice."""
    diagnosis = getattr(getattr(error, "orig", None), "diag", None)
    return (getattr(diagnosis, "constraint_name", None) or "").startswith("pk_")


def _close_returned(connection: Any, record: Any) -> None:
    """Close a connection that comes back to a pool which nobody closes any more."""
    if connection is not None:
        record.invalidate()
