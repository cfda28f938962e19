"""The servers that are read: a primary and its streaming replicas, looked at once a second.

Whoever asks is given a replica that is well and holds what the reader must find, else the
primary. Which one is `store.opening.replica_choice`' to decide; here are the connections and the looks.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import count
from types import TracebackType
from typing import Any, Final, Self

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from hermes_sessions import paths
from hermes_sessions.errors import StoreError
from hermes_sessions.store.engines.file_probe import list_revisions
from hermes_sessions.store.engines.store_place import ServerPlace, find_place
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.replica_choice import (
    MAX_LAG_SECONDS,
    ReplicaState,
    Sample,
    Standing,
    Wish,
    as_heard,
    holds,
    in_order,
    lag_seconds,
    left_out,
    remember,
)

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
CLOSE_SECONDS: Final = 5.0
NOT_A_REPLICA: Final = "it is not a replica (any more)"
ANOTHER_STORE: Final = "it holds another store"

# What is not flushed is sent to nobody; and who only reads leaves such bits behind (pruned pages),
# which may lie there for seconds.
_POSITION = (
    "pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN coalesce(pg_last_wal_replay_lsn(), '0/0')"
    " ELSE pg_current_wal_flush_lsn() END, '0/0')::bigint AS position"
)
_LOOK = text(
    "SELECT system_identifier || ' ' || oid || ' ' || current_schema() AS identity,"
    f" pg_is_in_recovery() AS replica, {_POSITION},"
    " extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 AS since_replay"
    " FROM pg_control_system(), pg_database WHERE datname = current_database()"
)
_REVISION = text("SELECT version_num FROM alembic_version")
_STANDING = text(
    f"SELECT pg_is_in_recovery() AS replica, {_POSITION},"
    " pg_postmaster_start_time()::text AS started,"
    " coalesce((SELECT max(changed) FROM conversations WHERE changed <"
    "  pg_snapshot_xmin(pg_current_snapshot())::text::bigint + (SELECT last_value FROM change_base)), 0)"
    " AS cursor"
)
_FLUSHED = text(f"SELECT {_POSITION}")
_WRITTEN = text(
    "SELECT pg_wal_lsn_diff(CASE WHEN current_setting('synchronous_commit') = 'off'"
    " THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0')::bigint"
)
"""A commit is flushed when it returns, unless the server was told otherwise."""


@dataclass(frozen=True, slots=True)
class OpenedReader:
    """What one reader is given: a store to read, and the token of its state where that was asked already."""

    database: Database
    token: str | None = None
    replica: str | None = None


class Readers:
    """Owns the connections to the replicas of one store; safe to use from any thread.

    Attributes:
        primary: the store that is written; not closed here.
        max_lag_seconds: how far behind a replica may be and still be read.
        notices: lines the user should see, of replicas that cannot be read yet.
    """

    def __init__(
        self, primary: Database, watched: Database, replicas: Sequence[Database], max_lag_seconds: float
    ) -> None:
        self.primary = primary
        self.max_lag_seconds = max_lag_seconds
        self._watched = watched
        self._replicas = {one.name: one for one in replicas}
        self._head = list_revisions(paths.migrations())[-1]
        self._lock = threading.Lock()
        self._history: tuple[Sample, ...] = ()
        self._states: dict[str, ReplicaState] = {}
        self._primary_up = True
        self._identity = ""
        self._readers = count()
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self.notices: tuple[str, ...] = ()

    @classmethod
    def open(
        cls,
        primary: Database,
        url: str,
        replica_urls: Sequence[str],
        *,
        max_lag_seconds: float = MAX_LAG_SECONDS,
    ) -> Self:
        """Connect to the replicas of a store and begin to look at them.

        One that is down, behind or of another revision is left out until it is well.

        Args:
            primary: the open store.
            url: where that is.
            replica_urls: where its replicas are.
            max_lag_seconds: how far behind a replica may be and still be read.

        Raises:
            StoreError: a URL names no server, or a server with another store.
        """
        place = _server_place(url, "only a store on PostgreSQL has replicas")
        places = [_server_place(one, "a replica is a PostgreSQL server, not a file") for one in replica_urls]
        made = cls(primary, _reader(place), [_reader(one) for one in places], max_lag_seconds)
        try:
            made._look_first()
        except BaseException:
            made.close()
            raise
        made._start()
        return made

    # -- asking ------------------------------------------------------------------------------------

    def choose(self, wish: Wish, but_not: Collection[str] = ()) -> OpenedReader:
        """Return where to read: a replica that holds what is wished for, else the primary.

        Where the primary is gone too, any replica that is well: it is all there is.

        Args:
            wish: what the reader must find.
            but_not: names of stores that were tried.
        """
        chosen = self._choose_replica(wish, but_not)
        if chosen is not None:
            return chosen
        if not self._primary_up:
            last = self._choose_replica(replace(wish, position=0, cursor=0), but_not)
            if last is not None:
                return last
        return OpenedReader(self.primary)

    def anybody(self) -> str:
        """Return a name for a reader without one: the next in turn."""
        return f"reader {next(self._readers)}"

    def leave_out(self, name: str, problem: str) -> None:
        """Note that a store failed while it was read; the next look at it may find it well."""
        if name == self.primary.name:
            self._primary_up = False
        elif name in self._replicas:
            self._put(ReplicaState(name=name, looked_at=time.monotonic(), problem=problem))

    def written(self) -> int:
        """Return a position that holds everything committed so far; the primary is asked."""
        with self.primary.read() as db:
            return int(db.execute(_WRITTEN).scalar_one())

    @property
    def primary_up(self) -> bool:
        """Whether the primary answered when it was last asked."""
        return self._primary_up

    def states(self) -> tuple[tuple[ReplicaState, str | None], ...]:
        """Return each replica as it was last seen, and why it is not read, if it is not."""
        now = time.monotonic()
        with self._lock:
            found = [self._states[name] for name in self._replicas]
        return tuple(
            (as_heard(one, now), left_out(one, max_lag_seconds=self.max_lag_seconds, now=now))
            for one in found
        )

    def close(self) -> None:
        """Stop looking and close the connections to the replicas; the primary stays open."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(CLOSE_SECONDS)
        for one in (self._watched, *self._replicas.values()):
            one.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _choose_replica(self, wish: Wish, but_not: Collection[str]) -> OpenedReader | None:
        with self._lock:
            states = [one for name, one in self._states.items() if name not in but_not]
        limits: dict[str, float] = {"max_lag_seconds": self.max_lag_seconds, "now": time.monotonic()}
        for state in in_order(states, wish.reader, **limits):
            replica = self._replicas[state.name]
            try:
                standing = _standing(replica)
            except (StoreError, SQLAlchemyError) as error:
                self.leave_out(state.name, _words(error, state.name))
                continue
            if holds(standing, wish, at_least=state.replayed):
                return OpenedReader(replica, standing.token, state.name)
        return None

    # -- looking -----------------------------------------------------------------------------------

    def look(self) -> None:
        """Look at the primary and then at every replica, now."""
        self._look_at_primary()
        for replica in self._replicas.values():
            self._look_at(replica)

    def _look_first(self) -> None:
        with self._watched.read() as db:
            self._identity = db.execute(_LOOK).one().identity
        self.look()
        for state, problem in self.states():
            if state.problem == ANOTHER_STORE:
                raise StoreError(f"{state.name}: is not a replica of {self.primary.name}: {problem}")
        self.notices = tuple(
            f"{state.name}: not read for now: {problem}" for state, problem in self.states() if problem
        )

    def _start(self) -> None:
        looks: list[tuple[str, Callable[[], None]]] = [("primary", self._look_at_primary)]
        looks += [(name, _bound(self._look_at, one)) for name, one in self._replicas.items()]
        for name, look in looks:
            thread = threading.Thread(target=self._keep_looking, args=(look,), name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _keep_looking(self, look: Callable[[], None]) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            look()

    def _look_at_primary(self) -> None:
        try:
            with self._watched.read() as db:
                position = int(db.execute(_FLUSHED).scalar_one())
        except (StoreError, SQLAlchemyError):
            self._primary_up = False
            return
        self._primary_up = True
        with self._lock:
            self._history = remember(self._history, time.monotonic(), position)

    def _look_at(self, replica: Database) -> None:
        state = self._state_of(replica)
        with self._lock:
            before = self._states.get(replica.name)
        self._put(state)
        if before is not None and before.problem != state.problem:
            logger.warning("%s: %s", replica.name, state.problem or "well again")

    def _state_of(self, replica: Database) -> ReplicaState:
        nothing = ReplicaState(name=replica.name, looked_at=time.monotonic())
        try:
            with replica.read() as db:
                seen = db.execute(_LOOK).one()
                if seen.identity != self._identity:
                    return replace(nothing, problem=ANOTHER_STORE)
                if not seen.replica:
                    return replace(nothing, problem=NOT_A_REPLICA)
                revision = str(db.execute(_REVISION).scalar_one())
        except (StoreError, SQLAlchemyError) as error:
            return replace(nothing, problem=_words(error, replica.name))
        now = time.monotonic()
        with self._lock:
            history = self._history
        lag = lag_seconds(history, seen.position, now=now, since_replay=seen.since_replay)
        behind = max(0, history[-1][1] - seen.position) if history else 0
        problem = (
            None
            if revision == self._head
            else f"its schema is revision {revision}, this version's {self._head}"
        )
        return ReplicaState(
            name=replica.name, looked_at=now, problem=problem, replayed=seen.position,
            lag_bytes=behind, lag_seconds=lag,
        )  # fmt: skip

    def _put(self, state: ReplicaState) -> None:
        with self._lock:
            self._states[state.name] = state


def _server_place(url: str, otherwise: str) -> ServerPlace:
    place = find_place(url)
    if not isinstance(place, ServerPlace):
        raise StoreError(f"{place.name}: {otherwise}; see docs/team.md")
    return ServerPlace(replace(place.server, patient=False))


def _reader(place: ServerPlace) -> Database:
    return Database(place.make_engine(), place, read_only=True)


def _standing(replica: Database) -> Standing:
    with replica.read() as db:
        row: Any = db.execute(_STANDING).one()
    # The position is the token: commits come in the order of the log.
    return Standing(
        replica=row.replica, position=row.position, cursor=row.cursor, token=f"{row.started} {row.position}"
    )


def _words(error: Exception, name: str) -> str:
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0].removeprefix(f"{name}: ")


def _bound(look: Callable[[Database], None], replica: Database) -> Callable[[], None]:
    return lambda: look(replica)
