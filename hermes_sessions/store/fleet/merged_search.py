"""Searching many stores: the newest hits of all, by their second, then the store's name, then their place.

Each store is asked for its newest few. What lies above the place where the first of them
stopped is complete; stores that stopped are asked for more until a page is full.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from sqlalchemy import Connection
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import InvalidQueryError, StoreUnavailableError
from hermes_sessions.store.fleet.faults import fault_of_store
from hermes_sessions.store.fleet.members import Fleet, SharedServer
from hermes_sessions.store.fleet.reading import in_each
from hermes_sessions.store.fleet.together import StoreQuestion, ask_together
from hermes_sessions.store.searching.full_text import MAX_KEY, place_bits
from hermes_sessions.store.searching.message_hits import (
    MessageHit,
    Order,
    Search,
    find_hits,
    is_walked,
    select_walked,
)

_FEW: Final = 12
_ROUNDS: Final = 4
_GROWTH: Final = 5
_CURSOR = re.compile(r"(\d{1,10})\.(\d{1,19})_(.{1,300})", re.DOTALL)


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
            raise InvalidQueryError("this page cursor is not one of ours; start from the first page")
        return cls(int(found[1]), found[3], int(found[2]))

    def __str__(self) -> str:
        return f"{self.second}.{self.key}_{self.store}"

    @property
    def order(self) -> tuple[int, str, int]:
        """Ascending: the newest first, in a second by the store's name, in a store the newest first."""
        return (-self.second, self.store, -self.key)


@dataclass(frozen=True, slots=True)
class StoreHit:
    """A hit and where it stands."""

    place: HitPlace
    hit: MessageHit


@dataclass(frozen=True, slots=True)
class MergedHits:
    """Hits of many stores, the newest first.

    Attributes:
        next: where the page ended, with hits or, after long looking, without; None at the end of all.
        notes: what the user should know, as one store's search says it.
    """

    hits: tuple[StoreHit, ...]
    next: HitPlace | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _StoreAnswer:
    """What a store answered: its hits, below which key it goes on (None: that was all), what it notes."""

    hits: Sequence[MessageHit]
    below: int | None
    bits: int
    notes: tuple[str, ...] = ()


def search_merged(
    fleet: Fleet, search: Search, *, stores: Sequence[str], after: HitPlace | None = None
) -> MergedHits:
    """Return one page of hits; the search's own cursor and order are not looked at.

    Raises:
        InvalidQueryError: as `find_hits` does.
    """
    size = max(_FEW, 2 * search.limit // max(1, len(stores)))
    pending: dict[str, int | None] = dict.fromkeys(stores)
    hits: dict[str, list[StoreHit]] = {name: [] for name in stores}
    notes: dict[str, None] = {}
    ends: dict[str, _StoreAnswer] = {}
    whole: list[StoreHit] = []
    for _ in range(_ROUNDS):
        found = _ask(fleet, replace(search, limit=size, cursor=None, order=Order.NEWEST), pending, after)
        for name, one in found.items():
            notes |= dict.fromkeys(one.notes)
            hits[name] += [StoreHit(HitPlace(hit.key >> one.bits, name, hit.key), hit) for hit in one.hits]
        for name in pending:  # one that is left out meanwhile has no more
            ends.pop(name, None)
            if name in found and found[name].below is not None:
                ends[name] = found[name]
        whole = _complete(hits, ends)
        if len(whole) > search.limit or not ends:
            break
        # Only those that stopped before the last place of the page: the others are not in the way.
        last = _nth(hits, search.limit)
        pending = {
            name: one.below for name, one in ends.items() if last is None or _stop(name, one).order < last
        }
        size *= _GROWTH
    page = tuple(whole[: search.limit])
    if len(whole) > search.limit:
        return MergedHits(page, page[-1].place, tuple(notes))
    # All was shown down to where the first store stopped; there may be no hit up to here.
    stops = [_stop(name, one) for name, one in ends.items()]
    return MergedHits(page, min(stops, key=lambda one: one.order, default=None), tuple(notes))


def _complete(hits: Mapping[str, Sequence[StoreHit]], ends: Mapping[str, _StoreAnswer]) -> list[StoreHit]:
    """Return the hits in order, down to where the first store stopped that has more."""
    every = sorted((hit for some in hits.values() for hit in some), key=lambda one: one.place.order)
    stops = [_stop(name, one).order for name, one in ends.items()]
    return [one for one in every if not stops or one.place.order <= min(stops)]


def _nth(hits: Mapping[str, Sequence[StoreHit]], limit: int) -> tuple[int, str, int] | None:
    """Return where the page ends at the latest, by the hits that are known."""
    every = sorted(one.place.order for some in hits.values() for one in some)
    return every[limit] if len(every) > limit else None


def _stop(name: str, one: _StoreAnswer) -> HitPlace:
    """Return where a store stopped that has more."""
    below = one.below or 0
    return HitPlace(below >> one.bits, name, below)


def _ask(
    fleet: Fleet, search: Search, pending: Mapping[str, int | None], after: HitPlace | None
) -> dict[str, _StoreAnswer]:
    """Ask the stores in *pending*, each below the key that it goes on at."""
    found: dict[str, _StoreAnswer] = {}
    if is_walked(search):
        for server, every in fleet.servers():
            names = [name for name in every if name in pending]
            if not server.apart and len(names) > 1:
                try:
                    found |= _of_server(server, search, {name: pending[name] for name in names}, after)
                except StoreUnavailableError as error:
                    fleet.leave_out(names, error)
                    found |= {name: _StoreAnswer((), None, 0) for name in names}
                except Exception as error:
                    if fault_of_store(error, server.place.name) is None:
                        raise  # else each is asked alone, to find which it is
    rest = [name for name in pending if name not in found]

    def work(db: sa_orm.Session, name: str) -> _StoreAnswer:
        bits = place_bits(db)
        below = _below(name, pending[name], after, bits)
        page = find_hits(db, replace(search, cursor=None if below >= MAX_KEY else str(below)))
        return _StoreAnswer(page.hits, None if page.next is None else int(page.next), bits, page.notes)

    return found | in_each(fleet, rest, work)


def _of_server(
    server: SharedServer, search: Search, pending: Mapping[str, int | None], after: HitPlace | None
) -> dict[str, _StoreAnswer]:
    # Committed at the end: after a rollback the driver forgets what is planned.
    with server.place.errors(), server.opened().begin() as connection:
        return _walk(connection, server, search, pending, after)


def _walk(
    connection: Connection,
    server: SharedServer,
    search: Search,
    pending: Mapping[str, int | None],
    after: HitPlace | None,
) -> dict[str, _StoreAnswer]:
    db = sa_orm.Session(connection)  # to word statements for this engine; it is asked nothing
    bits = place_bits(db)
    below = {name: _below(name, key, after, bits) for name, key in pending.items()}
    near = max(20, 2_000 // len(pending))
    made = {key: select_walked(db, search, key, near) for key in set(below.values())}
    schemas = {server.schema_of(name): name for name in pending}
    asked = {schema: StoreQuestion(made[below[name]]) for schema, name in schemas.items()}
    rows: dict[str, list[MessageHit]] = {name: [] for name in pending}
    ends: dict[str, int] = {}
    counts = dict.fromkeys(pending, 0)
    for schema, row in ask_together(connection, asked):
        name = schemas[schema]
        counts[name] += 1
        ends[name] = min(ends.get(name, MAX_KEY), row[0])
        if row[4]:
            rows[name].append(MessageHit(*row[:4]))
    return {
        name: _StoreAnswer(
            sorted(found, key=lambda one: -one.key),
            ends[name] if counts[name] >= search.limit else None,
            bits,
        )
        for name, found in rows.items()
    }


def _below(name: str, key: int | None, after: HitPlace | None, bits: int) -> int:
    """Return below which key a store goes on: its own, or where the page before ended."""
    if key is not None:
        return key
    if after is None:
        return MAX_KEY
    if name == after.store:
        return after.key
    return (after.second + (1 if name > after.store else 0)) << bits
