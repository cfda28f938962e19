"""Where hits stand in each store: its newest few places below a key; a server is asked about all together."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from sqlalchemy import Connection, Select
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import InvalidQueryError, StoreUnavailableError
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.store.fleet.cursor_names import NOT_OURS, name_from_cursor, name_in_cursor
from hermes_sessions.store.fleet.faults import fault_of_store
from hermes_sessions.store.fleet.members import Fleet, SharedServer
from hermes_sessions.store.fleet.reading import in_each, on_server
from hermes_sessions.store.fleet.together import StoreQuestion, ask_in_parts, own_value
from hermes_sessions.store.searching.full_text import MAX_KEY, place_bits, select_gathered
from hermes_sessions.store.searching.message_hits import MessageHit, Search, find_hits, is_walked
from hermes_sessions.store.searching.search_plan import make_plan

NEAR_ROWS: Final = 2_000
"""So many of the newest rows of all stores of a server are walked before the index is asked."""
FEWEST_NEAR: Final = 10
PART: Final = 25
"""Stores that the index is asked about in one statement: always the same, so that each is planned once."""
_CURSOR = late_pattern(r"(\d{1,10})\.(\d{1,18})_(.{1,3000})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HitPlace:
    """Where a hit stands among those of all stores."""

    second: int
    store: str
    key: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a cursor back from a URL.

        Raises:
            InvalidQueryError: *text* is not a cursor that a page gave out.
        """
        found = _CURSOR.fullmatch(text)
        if found is None:
            raise InvalidQueryError(NOT_OURS)
        return cls(int(found[1]), name_from_cursor(found[3]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.second}.{self.key}_{name_in_cursor(self.store)}"

    @property
    def order(self) -> tuple[int, str, int]:
        """Ascending: the newest first, in a second by the store's name, in a store the newest first."""
        return (-self.second, self.store, -self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorePlaces:
    """What a store answered.

    Attributes:
        keys: of places, the newest first.
        bits: how many bits of a key are the place within its second.
        below: the key below which it goes on; None: that was all.
        hits: what is at the places, where that is known.
        notes: what its search has to say.
    """

    keys: Sequence[int]
    bits: int
    below: int | None
    hits: Mapping[int, MessageHit] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def find_hit_places(
    fleet: Fleet,
    search: Search,
    pending: Mapping[str, int | None],
    after: HitPlace | None,
    *,
    by_walking: bool,
) -> dict[str, StorePlaces]:
    """Return the places of each store in *pending*, below its key there, else below *after*.

    Args:
        search: its limit is how many places of each store are wanted.
        by_walking: on servers the newest rows are walked; else the index is asked.
    """
    found: dict[str, StorePlaces] = {}
    if is_walked(search):
        for server, every in fleet.servers():
            names = [name for name in every if name in pending]
            if server.apart or len(names) < 2:
                continue
            try:
                found |= _of_server(server, search, {one: pending[one] for one in names}, after, by_walking)
            except StoreUnavailableError as error:
                fleet.leave_out(names, error)
                found |= {name: StorePlaces(keys=(), bits=0, below=None) for name in names}
            except Exception as error:
                if fault_of_store(error, server.place.name) is None:
                    raise  # else each is asked alone, to find which it is
    rest = [name for name in pending if name not in found]

    def work(db: sa_orm.Session, name: str) -> StorePlaces:
        bits = place_bits(db)
        below = _below(name, pending[name], after, bits)
        page = find_hits(db, replace(search, cursor=None if below >= MAX_KEY else str(below)))
        return StorePlaces(
            keys=[hit.key for hit in page.hits],
            bits=bits,
            below=None if page.next is None else int(page.next),
            hits={hit.key: hit for hit in page.hits},
            notes=page.notes,
        )

    return found | in_each(fleet, rest, work)


def _of_server(
    server: SharedServer,
    search: Search,
    pending: Mapping[str, int | None],
    after: HitPlace | None,
    by_walking: bool,
) -> dict[str, StorePlaces]:
    def work(connection: Connection) -> dict[str, StorePlaces]:
        db = sa_orm.Session(connection)  # to word statements for this engine; it is asked nothing
        bits, matching = place_bits(db), make_plan(db, search.query).matching
        below = {name: min(matching.below, _below(name, key, after, bits)) for name, key in pending.items()}
        found: dict[str, StorePlaces] = {}
        if by_walking:
            near = max(FEWEST_NEAR, NEAR_ROWS // len(pending))
            statement = select_gathered(matching, own_value(), near, by_walking=True)
            found = dict(_gather(connection, server, statement, [tuple(pending)], below, near, bits))
            if sum(len(one.keys) for one in found.values()) > search.limit:
                return found
            # The word is rare: what lies behind is had at once, of all that have more.
            below = {name: one.below for name, one in found.items() if one.below is not None}
        statement = select_gathered(matching, own_value(), search.limit, by_walking=False)
        parts = [part for part in _parts(server) if below.keys() & set(part)]
        for name, one in _gather(connection, server, statement, parts, below, search.limit, bits):
            if name in below:
                known = found[name].keys if name in found else ()
                found[name] = replace(one, keys=[*known, *one.keys])
        return found

    return on_server(server, work)


def _gather(
    connection: Connection,
    server: SharedServer,
    statement: Select[Any],
    parts: Iterable[Sequence[str]],
    below: Mapping[str, int],
    rows: int,
    bits: int,
) -> Iterator[tuple[str, StorePlaces]]:
    """Yield what each store of each part has below its key; those without one are asked for nothing."""
    names = {server.schema_of(name): name for part in parts for name in part}
    asked = [
        {server.schema_of(name): StoreQuestion(statement, own=below.get(name, 0)) for name in part}
        for part in parts
    ]
    for schema, (keys, edge, count) in ask_in_parts(connection, asked):
        more = edge if count == rows else None
        yield names[schema], StorePlaces(keys=sorted(keys or (), reverse=True), bits=bits, below=more)


def _parts(server: SharedServer) -> Iterator[tuple[str, ...]]:
    every = [name for name, one in server.members.items() if one.problem is None]
    return (tuple(every[at : at + PART]) for at in range(0, len(every), PART))


def _below(name: str, key: int | None, after: HitPlace | None, bits: int) -> int:
    """Return below which key a store goes on: its own, or where the page before ended."""
    if key is not None:
        return key
    if after is None:
        return MAX_KEY
    if name == after.store:
        return after.key
    return (after.second + (1 if name > after.store else 0)) << bits
