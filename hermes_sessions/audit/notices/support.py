"""Which clauses of a transcript speak most of what a clause of a handoff speaks of."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
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
        self._shared: dict[int, set[str]] = {}
        self._scores: dict[int, float] = {}
        for item in items:
            for place in index.places(item) if index.count(item) <= _MOST_PLACES else ():
                self._shared.setdefault(place, set()).add(item)

    def score(self, place: int) -> float:
        """Return how much the clause at *place* names, and those beside it in the same message."""
        known = self._scores.get(place)
        if known is None:
            index, own = self._index, self._shared.get(place, set())
            beside = frozenset[str]().union(*map(self._shared.__getitem__, self._near(place)))
            known = self._scores[place] = index.weight(own) + _BESIDE * index.weight(beside - own)
        return known

    @cached_property
    def _order(self) -> Sequence[int]:
        return sorted(self._shared)

    def _near(self, place: int) -> Iterator[int]:
        """Yield the places that share something beside *place*, on both sides."""
        order, at = self._order, bisect_left(self._order, place)
        behind = at + (at < len(order) and order[at] == place)
        for side in (range(at - 1, -1, -1), range(behind, len(order))):
            for here in side:
                if not self._index.are_near(place, order[here], _REACH):
                    break
                yield order[here]

    def own(self, place: int) -> float:
        """Return how much the clause at *place* names by itself."""
        return self._index.weight(self._shared.get(place, ()))

    def best(self, most: int) -> list[NearClause]:
        """Return the clauses that name most of it, best first, later ones before earlier ones."""
        found: list[NearClause] = []
        for place, bound in self._bounds:
            if len(found) == most and bound < found[-1].score:
                break  # nor does any of the others come up to it
            insort(found, NearClause(place, self.score(place)), key=lambda one: (-one.score, -one.place))
            del found[most:]
        return found

    @cached_property
    def _bounds(self) -> Sequence[tuple[int, float]]:
        """The places with what their scores are at most, were all of a message beside each other; highest first."""
        by_message: dict[int, set[str]] = {}
        for place, items in self._shared.items():
            by_message.setdefault(self._index.message(place), set()).update(items)
        whole = {message: self._index.weight(items) for message, items in by_message.items()}
        bounds = [
            (
                place,
                _ROUNDING * ((1 - _BESIDE) * self.own(place) + _BESIDE * whole[self._index.message(place)]),
            )
            for place in self._shared
        ]
        return sorted(bounds, key=lambda one: one[1], reverse=True)

    @property
    def shared(self) -> Mapping[int, set[str]]:
        """What of the items stands at each place."""
        return self._shared
