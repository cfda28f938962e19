"""The stores of a fleet: which there are, by which names, and how each is reached at the moment.

Stores that are schemas of one database share their connections and are asked together. A store
that cannot be read is left out and says why; it is looked at again while others are read.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from sqlalchemy import Engine

from hermes_sessions.errors import HermesSessionsError, NotFoundError, StoreError, StoreUnavailableError
from hermes_sessions.store.engines.server_stores import (
    has_extension,
    list_stores,
    matching_schemas,
    schema_url,
)
from hermes_sessions.store.engines.store_place import FilePlace, ServerPlace, StorePlace, find_place
from hermes_sessions.store.fleet.faults import fault_of_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.migrate import head_revision

LOOK_SECONDS: Final = 5.0
"""How long what was found about the stores holds; looking goes on beside the requests."""
_AT_ONCE: Final = 16


@dataclass(frozen=True, slots=True)
class MemberState:
    """A store of the fleet: its name, its address, and why it is left out (None: it is read)."""

    name: str
    address: str
    problem: str | None


@dataclass(slots=True)
class FleetMember:
    """A store: where it is, its database once it was opened, and why it is not read.

    `opening` is held while it is opened, which takes long where its server is away.
    """

    name: str
    place: StorePlace
    database: Database | None = None
    problem: str | None = None
    opening: threading.Lock = field(default_factory=threading.Lock, repr=False)
    address: str = field(init=False)

    def __post_init__(self) -> None:
        self.address = self.place.name  # worded once: pages ask it of every store


@dataclass(slots=True)
class SharedServer:
    """Stores of one database that are asked together; `apart` says that each wants its own statement."""

    place: ServerPlace
    members: dict[str, FleetMember] = field(default_factory=dict)
    engine: Engine | None = None
    engine_of_stores: Engine | None = None
    apart: bool = False
    making: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def schema_of(self, name: str) -> str:
        """Return the schema that the store of this name is."""
        place = self.members[name].place
        assert isinstance(place, ServerPlace)
        return str(place.server.schema)

    def opened(self) -> Engine:
        """Return the engine over which all of its stores are asked together."""
        with self.making:  # nothing is connected yet
            if self.engine is None:
                self.engine = self.place.make_engine().execution_options(planned_once=True)
            return self.engine

    def opened_for_stores(self) -> Engine:
        """Return the engine that single stores share.

        It is another: a reader's transaction is rolled back at its end, and then the driver forgets what the
        server has planned for the connection.
        """
        with self.making:
            if self.engine_of_stores is None:
                self.engine_of_stores = self.place.make_engine()
            return self.engine_of_stores


def expand_urls(urls: Sequence[str], patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the URLs of all stores that are meant.

    Args:
        urls: of stores; of servers' databases where there are patterns.
        patterns: names of schemas, `%` or `*` for any characters.

    Raises:
        StoreError: a pattern without a server, one that fits nothing, or a server that is away.
    """
    if not patterns:
        return tuple(urls)
    found: list[str] = []
    for url in urls:
        place = find_place(url)
        if not isinstance(place, ServerPlace):
            raise StoreError(f"{place.name}: is a file; --schemas is about a server's database")
        if place.server.schema is not None:
            raise StoreError(f"{place.name}: names one store; with --schemas leave ?schema= out")
        with place.errors():
            for pattern in patterns:
                found += [schema_url(place.server, one) for one in matching_schemas(place.server, pattern)]
    return tuple(dict.fromkeys(found))


class Fleet:
    """Owns the connections to many stores; safe to use from any thread.

    Attributes:
        read_only: nothing is changed through the fleet as a whole.
        name: what messages call all of them.
    """

    read_only: Final = True
    name: Final = "the stores"

    def __init__(self, members: Iterable[FleetMember], clock: Callable[[], float] = time.monotonic) -> None:
        self._members = {one.name: one for one in members}
        self._servers = list(_shared(self._members.values()))
        self._clock = clock
        self._lock = threading.Lock()
        self._looking = False
        self._look()
        self._looked_at = clock()

    @classmethod
    def open(cls, urls: Sequence[str]) -> "Fleet":
        """Open the stores at *urls*, in the order of their names.

        Raises:
            StoreError: a URL is none, two stores have one name, or none of them can be read.
        """
        members: dict[str, FleetMember] = {}
        known: dict[tuple[object, ...], StorePlace] = {}
        for url in urls:
            place = _impatient(find_place(url))
            name = _name_of(place)
            before = known.setdefault(_identity(place), place)
            if before is not place:
                also = "" if before.name == place.name else f", as {before.name}, too"
                raise StoreError(f"{place.name}: is named twice{also}; leave one out")
            if name in members:
                raise StoreError(
                    f"two stores are called {name!r} ({members[name].place.name} and {place.name});"
                    " a file goes by its name without its ending, a symbolic link may give it another"
                )
            members[name] = FleetMember(name, place)
        made = cls(members[name] for name in sorted(members))
        left_out = [one for one in made.states() if one.problem is not None]
        if len(left_out) == len(members):
            made.close()
            raise StoreError("; ".join(str(one.problem) for one in left_out[:3]))
        return made

    @property
    def names(self) -> tuple[str, ...]:
        """The stores that are read, in order."""
        self._look_again()
        return tuple(one.name for one in self._members.values() if one.problem is None)

    def has(self, name: str) -> bool:
        """Return whether a store has this name, also where it is left out."""
        return name in self._members

    def states(self) -> tuple[MemberState, ...]:
        """Return how every store is."""
        self._look_again()
        return tuple(MemberState(one.name, one.address, one.problem) for one in self._members.values())

    def servers(self) -> Iterator[tuple[SharedServer, tuple[str, ...]]]:
        """Yield what is asked together, each with its stores that are read."""
        for server in self._servers:
            names = tuple(one.name for one in server.members.values() if one.problem is None)
            if names:
                yield server, names

    def database(self, name: str) -> Database:
        """Return one store, opened; one that could not be read when it was looked at is not tried again here.

        Raises:
            NotFoundError: none has this name.
            StoreError: it cannot be opened.
        """
        member = self._members.get(name)
        if member is None:
            raise NotFoundError(f"no store has the name {name!r}")
        self._look_again()
        problem = member.problem
        if problem is not None:
            raise StoreError(problem)
        return self._opened(member)

    def change_token(self) -> str:
        """Return a text that changes with every commit in a store, and with stores that come or go."""
        self._look_again()
        asked = [names for _, names in self.servers()]
        asked += [(one.name,) for one in self.alone() if one.problem is None and one.database is not None]
        found = []
        for names in asked:
            try:
                found.append(self.database(names[0]).change_token())
            except StoreUnavailableError as error:
                self.leave_out(names, error)  # so that the next page does not wait for it, too
            except HermesSessionsError as error:
                found.append(str(error))
        states = repr([(one.name, one.problem) for one in self._members.values()])
        return "\n".join([states, *found])

    def leave_out(self, names: Iterable[str], error: Exception) -> None:
        """Note why stores cannot be read; they are looked at again.

        Raises:
            Exception: *error* itself, where it is no fault of theirs: it is for who asked.
        """
        for name in names:
            member = self._members[name]
            problem = fault_of_store(error, member.address)
            if problem is None:
                raise error
            member.problem = problem

    def close(self) -> None:
        """Close all connections."""
        for member in self._members.values():
            if member.database is not None:
                member.database.close()
        for server in self._servers:
            if server.engine is not None:
                server.engine.dispose()

    # -- looking -----------------------------------------------------------------------------------

    def _look_again(self) -> None:
        """Look at the stores beside the requests, where the last look was a while ago."""
        with self._lock:
            if self._looking or self._clock() - self._looked_at < LOOK_SECONDS:
                return
            self._looking = True
        threading.Thread(target=self._look_beside, name="look at the stores", daemon=True).start()

    def _look_beside(self) -> None:
        try:
            self._look()
        finally:
            with self._lock:
                self._looked_at, self._looking = self._clock(), False

    def _look(self) -> None:
        """Look at all at once: one that is away is waited for once, and not by the others."""
        jobs = [partial(_look_at_server, server) for server in self._servers]
        jobs += [partial(self._look_at_one, member) for member in self.alone()]
        if jobs:
            with ThreadPoolExecutor(min(_AT_ONCE, len(jobs)), "look at the stores") as threads:
                list(threads.map(lambda job: job(), jobs))

    def _look_at_one(self, member: FleetMember) -> None:
        try:
            opened = self._opened(member)
            opened.change_token()
            with opened.read():
                member.problem = None
        except Exception as error:
            member.problem = _problem_of(error, member)

    def alone(self) -> list[FleetMember]:
        """Return the stores that share their connections with no other."""
        together = {name for server in self._servers for name in server.members}
        return [one for one in self._members.values() if one.name not in together]

    def _opened(self, member: FleetMember) -> Database:
        with member.opening:
            if member.database is None:
                server = next((one for one in self._servers if member.name in one.members), None)
                if server is None:
                    member.database = Database.open_place(member.place, create=False)
                else:
                    assert isinstance(member.place, ServerPlace)
                    member.database = Database.sharing(server.opened_for_stores(), member.place)
            return member.database


def _problem_of(error: Exception, member: FleetMember) -> str:
    """Return why a store that was looked at is left out; what is a mistake of ours is raised."""
    problem = fault_of_store(error, member.address)
    if problem is None and not isinstance(error, HermesSessionsError):
        raise error
    return problem or str(error)


def _look_at_server(server: SharedServer) -> None:
    head = head_revision()
    try:
        with server.place.errors():
            found = {one.schema: one for one in list_stores(server.place.server)}
            server.apart = has_extension(server.place.server, "citus")
    except Exception as error:
        for member in server.members.values():
            member.problem = _problem_of(error, member)
        return
    for member in server.members.values():
        assert isinstance(member.place, ServerPlace)
        one = found.get(str(member.place.server.schema))
        problem: str | None = None
        if one is None:
            problem = "there is no such store any more"
        elif not one.readable:
            problem = "this user may not read it; see docs/team.md"
        elif one.revision is None:
            problem = "is being filled by `db move`"
        elif one.revision != head:
            newer = one.revision > head
            advice = "upgrade hermes-sessions" if newer else "run `hermes-sessions db upgrade`"
            problem = f"is of {'a newer' if newer else 'an older'} version ({one.revision}); {advice}"
        member.problem = None if problem is None else f"{member.address}: {problem}"


def _shared(members: Iterable[FleetMember]) -> Iterator[SharedServer]:
    found: dict[str, SharedServer] = {}
    for member in members:
        if isinstance(member.place, ServerPlace) and member.place.server.schema is not None:
            server = member.place.server.without_schema()
            key = server.conninfo
            found.setdefault(key, SharedServer(ServerPlace(server))).members[member.name] = member
    yield from found.values()


def _impatient(place: StorePlace) -> StorePlace:
    """Return a place that is not waited for: the other stores are shown meanwhile."""
    return ServerPlace(replace(place.server, patient=False)) if isinstance(place, ServerPlace) else place


def _identity(place: StorePlace) -> tuple[object, ...]:
    """Return what is the same for one store alone: a file is one under each of its names."""
    if isinstance(place, FilePlace):
        with suppress(OSError, ValueError):
            found = place.path.stat()
            return (found.st_dev, found.st_ino)
    return (_name_of(place), place.name)


def _name_of(place: StorePlace) -> str:
    if isinstance(place, ServerPlace):
        return place.server.schema or str(place.server.url.database)
    assert isinstance(place, FilePlace)
    return os.fsencode(place.path.stem).decode("utf-8", "replace") or "store"
