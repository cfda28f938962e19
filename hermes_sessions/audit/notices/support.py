"""Which clauses of a transcript speak most of what a clause of a handoff speaks of."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import groupby
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex

_MOST_PLACES: Final = 120
"""What stands at more places tells none from another."""
_REACH: Final = 3
_ROUNDING: Final = 1 + 1e-9
_BESIDE: Final = 0.4
"""What stands in the clauses beside counts for less than what stands in the clause."""


class NearClause(NamedTuple):
    """The place of a clause, and how much of what was asked it and those beside it name."""

    place: int
    score: float


class Support:
    """The clauses that share something with a set of items, each with how much that is."""

    def __init__(self, items: Iterable[str], index: ClauseIndex) -> None:
        """Look for *items* in the clauses of *index*; what is everywhere, or nowhere, is not asked for."""
        self._index = index
        self._items = frozenset(one for one in items if 0 < index.count(one) <= _MOST_PLACES)
        self._scores: dict[int, float] = {}

    def score(self, place: int) -> float:
        """Return how much the clause at *place* names, and those beside it in the same message."""
        known = self._scores.get(place)
        if known is None:
            index, own = self._index, self._shared(place)
            beside = frozenset[str]().union(*map(self._shared, self._near(place)))
            known = self._scores[place] = index.weight(own) + _BESIDE * index.weight(beside - own)
        return known

    def best(self, most: int) -> list[NearClause]:
        """Return the clauses that name most of it, best first, later ones before earlier ones."""
        found: list[NearClause] = []
        for bound, place in self._bounds():
            if len(found) == most and (bound, place) < (found[-1].score, found[-1].place):
                break  # nor does any of the others come up to it
            insort(found, NearClause(place, self.score(place)), key=lambda one: (-one.score, -one.place))
            del found[most:]
        return found

    def _bounds(self) -> Sequence[tuple[float, int]]:
        """Return what the score of each place is at most, highest first; what has nothing beside it has its own."""
        weigh, bounds = cache(self._index.weight), list[tuple[float, int]]()
        for _, run in groupby(self._order, key=self._index.message):
            places = [*run]
            shared = [*map(self._shared, places)]
            beside = weigh(frozenset[str]().union(*shared)) if len(places) > 1 else 0.0
            for place, items in zip(places, shared, strict=True):
                own = weigh(items)
                bounds.append((own + _BESIDE * max(0.0, beside - own) * _ROUNDING, place))
        return sorted(bounds, reverse=True)

    def _shared(self, place: int) -> frozenset[str]:
        return self._index.named_at(place) & self._items

    @cached_property
    def _order(self) -> Sequence[int]:
        return sorted(set[int]().union(*map(self._index.places, self._items)))

    def _near(self, place: int) -> Iterator[int]:
        """Yield the places that share something beside *place*, on both sides."""
        order, at = self._order, bisect_left(self._order, place)
        behind = at + (at < len(order) and order[at] == place)
        for side in (range(at - 1, -1, -1), range(behind, len(order))):
            for here in side:
                if not self._index.are_near(place, order[here], _REACH):
                    break
                yield order[here]
