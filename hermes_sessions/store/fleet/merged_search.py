"""Searching many stores: the newest hits of all, by their second, then the store's name, then their place.

Each store is asked for the places of its newest few. What lies above the place where the first of
them stopped is complete; stores that stopped are asked for more until a page is full. What is at a
place is looked up when its turn on the page comes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import Select

from hermes_sessions.store.fleet.cursor_names import require_member
from hermes_sessions.store.fleet.hit_places import HitPlace, StorePlaces, find_hit_places
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.merging import load_by_key
from hermes_sessions.store.fleet.together import key_values
from hermes_sessions.store.searching.message_hits import MessageHit, Order, Search, select_placed

_FEW: Final = 12
_ROUNDS: Final = 4
_GROWTH: Final = 5
_AT_ONCE: Final = 24
"""Places that are looked up together."""


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
        notes: what single stores have to say, with their names; of use where nothing was found.
    """

    hits: tuple[StoreHit, ...]
    next: HitPlace | None = None
    notes: tuple[tuple[str, str], ...] = ()


def search_merged(
    fleet: Fleet,
    search: Search,
    *,
    stores: Sequence[str],
    after: HitPlace | None = None,
    conversations: int | None = None,
) -> MergedHits:
    """Return one page of hits; the search's own cursor and order are not looked at.

    Args:
        conversations: the page ends before the first hit in a further one.

    Raises:
        InvalidQueryError: as `find_hits` does, or *after* names none of the fleet's stores.
    """
    if after is not None:
        require_member(fleet, after.store)
    size = max(_FEW, 2 * search.limit // max(1, len(stores)))
    asked = replace(search, cursor=None, order=Order.NEWEST)
    page = _Page(select_placed(search, key_values()), search.limit, conversations)
    pending: dict[str, int | None] = dict.fromkeys(stores)
    for number in range(_ROUNDS):
        found = find_hit_places(fleet, replace(asked, limit=size), pending, after, by_walking=number == 0)
        page.add(found, pending)
        page.look_up(fleet)
        if page.is_full or not page.ends:
            break
        # Only those that stopped before the last place of the page: the others are not in the way.
        last = page.last_order()
        pending = {
            name: one.below
            for name, one in page.ends.items()
            if last is None or _stop(name, one).order < last
        }
        size *= 1 if number == 0 else _GROWTH
    return page.result()


@dataclass(slots=True)
class _Page:
    """A page that is being filled: what is known of each store, and the hits so far."""

    statement: Select[Any]
    limit: int
    conversations: int | None
    places: list[HitPlace] = field(default_factory=list)
    known: dict[HitPlace, MessageHit] = field(default_factory=dict)
    ends: dict[str, StorePlaces] = field(default_factory=dict)
    notes: dict[tuple[str, str], None] = field(default_factory=dict)
    hits: list[StoreHit] = field(default_factory=list)
    looked: int = 0
    is_full: bool = False

    def add(self, found: dict[str, StorePlaces], asked: dict[str, int | None]) -> None:
        """Take in what stores answered; one that was asked and left out meanwhile has no more."""
        for name in asked:
            self.ends.pop(name, None)
            if name in found and found[name].below is not None:
                self.ends[name] = found[name]
        for name, one in found.items():
            self.notes |= dict.fromkeys((name, note) for note in one.notes)
            added = {key: HitPlace(key >> one.bits, name, key) for key in one.keys}
            self.places += added.values()
            self.known |= {added[key]: hit for key, hit in one.hits.items()}
        self.places.sort(key=lambda one: one.order)

    def look_up(self, fleet: Fleet) -> None:
        """Take hits from the places that are complete, until the page is full or there are no more."""
        stops = [_stop(name, one).order for name, one in self.ends.items()]
        stop = min(stops, default=None)
        while not self.is_full and self.looked < len(self.places):
            some = self.places[self.looked : self.looked + _AT_ONCE]
            some = [one for one in some if stop is None or one.order <= stop]
            if not some:
                return
            self.looked += len(some)
            unknown = [(one.store, one.key) for one in some if one not in self.known]
            rows = load_by_key(fleet, unknown, self.statement, "key") if unknown else {}
            for place in some:
                row = rows.get((place.store, place.key))
                hit = self.known.get(place) or (MessageHit(**row) if row is not None else None)
                if hit is not None and not self.is_full:
                    self._take(StoreHit(place, hit))

    def _take(self, hit: StoreHit) -> None:
        taken = {(one.place.store, one.hit.conversation_id) for one in self.hits}
        further = (hit.place.store, hit.hit.conversation_id) not in taken
        if len(self.hits) == self.limit or (further and len(taken) == self.conversations):
            self.is_full = True
        else:
            self.hits.append(hit)

    def last_order(self) -> tuple[int, str, int] | None:
        """Return where the page ends at the latest, by the places that are known."""
        at = self.looked + self.limit - len(self.hits)
        return self.places[at].order if at < len(self.places) else None

    def result(self) -> MergedHits:
        """Return the page."""
        hits, notes = tuple(self.hits), tuple(self.notes)
        if self.is_full:
            return MergedHits(hits, hits[-1].place, notes)
        # All was shown down to where the first store stopped; there may be no hit up to here.
        stops = [_stop(name, one) for name, one in self.ends.items()]
        return MergedHits(hits, min(stops, key=lambda one: one.order, default=None), notes)


def _stop(name: str, one: StorePlaces) -> HitPlace:
    """Return where a store stopped that has more."""
    below = one.below or 0
    return HitPlace(below >> one.bits, name, below)
