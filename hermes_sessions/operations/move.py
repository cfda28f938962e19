"""Move a store to another engine or place: copy every row, compare, and only then let it be opened.

The target has no usable revision until it is whole, so nobody takes half of a store for
all of it. A killed move goes on where its rows end.
"""

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, delete, insert, select
from sqlalchemy import text as sql
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import StoreBusyError, StoreDamagedError, StoreError
from hermes_sessions.operations.writing.lease_holders import is_over, make_holder
from hermes_sessions.store.engines.file_probe import MOVING, FileState, ProbedDatabase, judge
from hermes_sessions.store.engines.store_place import StorePlace, find_place
from hermes_sessions.store.keeping.leases import acquire
from hermes_sessions.store.keeping.transfer import (
    clear_tables,
    count_rows,
    digest_rows,
    drop_links,
    last_key,
    list_tables,
    read_batches,
    restore_links,
    write_rows,
)
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.migrate import head_revision, move_schema
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.schema.models import Lease, Origin
from hermes_sessions.store.searching.full_text import rebuild_index, renumber

_LEASE = "move"
_MARK = "move of "
"""Begins the name of the lease whose row says which store is being moved here; it never runs out."""
_LEASE_SECONDS = 60.0
_SET_REVISION = sql("UPDATE alembic_version SET version_num = :revision")


@dataclass(frozen=True, slots=True)
class Moved:
    """What a move did: from where to where, rows by table, and whether an earlier one went on."""

    source: str
    target: str
    rows: dict[str, int]
    resumed: bool


def move_store(url: str, target: str, *, progress: Progress = silent) -> Moved:
    """Copy the store at *url* to *target*, which is empty, or what an earlier move left there.

    The source is only read; what is written to it meanwhile is not taken along.

    Raises:
        StoreError: the target holds something else, or another move is going on.
        StoreDamagedError: the copy is not the same as the source.
    """
    place = find_place(target)
    with Database.open(url, create=False) as source:
        if source.name == place.name:
            raise StoreError(f"{place.name}: is the store itself; name another place with --to")
        with source.read() as db, place.errors():
            mark = _mark_of(db, source.name)
            resumed = _prepare(place, mark)
            engine = place.make_engine().execution_options(write=True, migrating=True)
            try:
                move = _Move(db, engine, place, make_holder(), progress)
                rows = move.run(resumed=resumed)
            finally:
                engine.dispose()
    return Moved(source.name, place.name, rows, resumed)


def _mark_of(db: DbSession, name: str) -> str:
    """Return what tells this store from others: where it is, and how its first origins came to be."""
    origins = db.execute(select(Origin.id, Origin.label, Origin.created_at).order_by(Origin.id).limit(5))
    text = "\n".join([name, *(repr(tuple(row)) for row in origins)])
    return _MARK + hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def _prepare(place: StorePlace, mark: str) -> bool:
    """Make the target ready to take rows; return whether an earlier move goes on."""
    found = place.look()
    if isinstance(found, ProbedDatabase) and found.revision == MOVING:
        _require_same(place, mark)
        return True
    state = found if isinstance(found, FileState) else judge(place.name, found, head_revision())
    if state is not FileState.CURRENT:
        place.create()
    engine = place.make_engine().execution_options(write=True, migrating=True)
    try:
        place.prepare(engine)
        with engine.begin() as connection:
            if state is not FileState.CURRENT:
                move_schema(connection, head_revision())
            elif any(count_rows(connection, table) for table in list_tables()):
                raise StoreError(f"{place.name}: holds a store already; a move needs an empty place")
            drop_links(connection)
            connection.execute(delete(Lease))
            connection.execute(insert(Lease).values(name=mark, holder=mark, acquired_at=0, expires_at=0))
            connection.execute(_SET_REVISION, {"revision": MOVING})
    finally:
        engine.dispose()
    return False


def _require_same(place: StorePlace, mark: str) -> None:
    """Raise StoreError when what an earlier move left at *place* is of another store."""
    engine = place.make_engine()
    try:
        with engine.connect() as connection:
            started = set(connection.scalars(select(Lease.name).where(Lease.name.startswith(_MARK))))
    finally:
        engine.dispose()
    if mark not in started:
        raise StoreError(f"{place.name}: another store is being moved there; a move needs an empty place")


class _Move:
    """One run of a move: the source's open transaction, the target, and whose turn it is."""

    def __init__(
        self, db: DbSession, engine: Engine, place: StorePlace, holder: str, progress: Progress
    ) -> None:
        self.db = db
        self.engine = engine
        self.place = place
        self.holder = holder
        self.progress = progress
        self.tables = list_tables()
        self.total = sum(count_rows(db, table) for table in self.tables)

    def run(self, *, resumed: bool) -> dict[str, int]:
        """Copy, compare, open to everybody; return the rows by table."""
        self._copy()
        rows = self._compare()
        if rows is None and resumed:
            # The source went on after the earlier run; what that run copied is old.
            with self._turn() as connection:
                clear_tables(connection)
            self._copy()
            rows = self._compare()
        if rows is None:
            raise StoreDamagedError(f"{self.place.name}: is not what the source holds; nothing was opened")
        with self._turn() as connection, DbSession(connection) as target:
            renumber(target)  # each engine has its own places in the index
            rebuild_index(target, self.progress)
            target.flush()
            restore_links(connection)
            connection.execute(delete(Lease))
            connection.execute(_SET_REVISION, {"revision": head_revision()})
        return rows

    def _copy(self) -> None:
        done = 0
        for table in self.tables:
            with self._turn() as connection:
                after, had = last_key(connection, table), count_rows(connection, table)
            done += had
            for batch in read_batches(self.db, table, after):
                with self._turn() as connection:
                    write_rows(connection, table, batch)
                done += len(batch)
                self.progress("move", done, self.total)

    def _compare(self) -> dict[str, int] | None:
        rows: dict[str, int] = {}
        for table in self.tables:
            with self._turn() as connection, DbSession(connection) as target:
                there = digest_rows(target, table)
            if there != digest_rows(self.db, table):
                return None
            rows[table.name] = there[0]
            self.progress("compare", sum(rows.values()), self.total)
        return rows

    @contextmanager
    def _turn(self) -> Iterator[Connection]:
        """Give a transaction on the target while no other move writes to it."""
        with self.engine.begin() as connection:
            with DbSession(connection) as target:
                self._require_turn(target)
                target.flush()
            yield connection

    def _require_turn(self, target: DbSession) -> None:
        now = time.time()
        if not acquire(target, _LEASE, self.holder, now=now, seconds=_LEASE_SECONDS, is_over=is_over):
            raise StoreBusyError(f"{self.place.name}: another move to it is in progress")
