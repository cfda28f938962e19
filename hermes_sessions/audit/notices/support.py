"""Which clauses of a transcript speak most of what a clause of a handoff speaks of, and how much of it."""

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import groupby
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.alignment.turned_clauses import about_of
from hermes_sessions.audit.notices.polarity import Signs
from hermes_sessions.facts.polarity import is_portuguese
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST_PLACES: Final = 120
"""What stands at more places tells none from another."""
_REACH: Final = 3
_ROUNDING: Final = 1 + 1e-9
BESIDE: Final = 0.4
"""What stands in the clauses beside counts for less than what stands in the clause."""

_UNKNOWN: Final = 0.4
"""What an item that stands nowhere before counts for."""
_ASKED: Final = 0.7
"""What the question names that a clause answers counts for less than what the clause names."""
_ANSWER: Final = 3
"""So many clauses of the next message may answer a question."""


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
            index, own = self._index, self.shared(place)
            known = self._scores[place] = index.weight(own) + BESIDE * index.weight(self.beside(place))
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
        for _, run in groupby(self.places, key=self._index.message):
            places = [*run]
            shared = [*map(self.shared, places)]
            beside = weigh(frozenset[str]().union(*shared)) if len(places) > 1 else 0.0
            for place, items in zip(places, shared, strict=True):
                own = weigh(items)
                bounds.append((own + BESIDE * max(0.0, beside - own) * _ROUNDING, place))
        return sorted(bounds, reverse=True)

    def shared(self, place: int) -> frozenset[str]:
        """Return what of the items the clause at a place names."""
        return self._index.named_at(place) & self._items

    def beside(self, place: int) -> frozenset[str]:
        """Return what the clauses beside a place name, and it does not."""
        return frozenset[str]().union(*map(self.shared, self._near(place))) - self.shared(place)

    @cached_property
    def places(self) -> Sequence[int]:
        """The places of all clauses that name some of the items, in their order."""
        return sorted(set[int]().union(*map(self._index.places, self._items)))

    def _near(self, place: int) -> Iterator[int]:
        """Yield the places that share something beside *place*, on both sides."""
        order, at = self.places, bisect_left(self.places, place)
        behind = at + (at < len(order) and order[at] == place)
        for side in (range(at - 1, -1, -1), range(behind, len(order))):
            for here in side:
                if not self._index.are_near(place, order[here], _REACH):
                    break
                yield order[here]


class Nearby(NamedTuple):
    """A clause of the source: how much of the matter it and those beside it name, and what it says."""

    place: int
    score: float
    core: float
    signs: Signs


class Matter:
    """What a clause is about, and the clauses of the source that name some of it, or answer a question that does."""

    def __init__(self, about: frozenset[str], before: frozenset[str], index: ClauseIndex) -> None:
        self.about = about | before
        self._before = before - about
        self._index = index
        self._support = Support(self.about, index)
        self._whole = self._weigh(self.about)
        self._asked = _answers(self._support, index)
        found = {*self._support.places, *self._asked} if self._whole else set[int]()
        self.places = [one for one in sorted(found) if not index.said(one).is_question]

    def named(self, place: int) -> frozenset[str]:
        """Return what of the matter the clause at a place names, or the question that it answers."""
        return self._asked.get(place, frozenset()) | self._support.shared(place)

    @cached_property
    def ranked(self) -> Sequence[Nearby]:
        """What is told at each of the places, most first, of equal ones the latest; what they say is not read."""
        found = (self.told(place, frozenset()) for place in self.places)
        return sorted(found, key=lambda one: (one.score, one.place), reverse=True)

    def told(self, place: int, signs: Signs) -> Nearby:
        """Return how much of the matter the clause at a place names."""
        own = self._support.shared(place)
        core = self._weigh(own) + _ASKED * self._weigh(self.named(place) - own)
        score = core + (BESIDE * self._weigh(self._support.beside(place) - self.named(place)) if own else 0.0)
        return Nearby(place, min(1.0, score / self._whole), min(1.0, core / self._whole), signs)

    def _weigh(self, items: frozenset[str]) -> float:
        """Return how telling *items* are; what only stands before the clause counts for less."""
        known = self._index.weight(items - self._before) + BESIDE * self._index.weight(items & self._before)
        return known + _UNKNOWN * sum(not self._index.knows(one) for one in items - self._before)


def _answers(support: Support, index: ClauseIndex) -> Mapping[int, frozenset[str]]:
    """Return, of the clauses that may answer a question, what that names."""
    found: dict[int, frozenset[str]] = {}
    for place in support.places:
        said = index.said(place)
        if not said.is_question or said.speaker not in (Role.USER, Role.ASSISTANT):
            continue
        here, most = next(index.after(said.message), None), _ANSWER
        while here is not None and most and index.said(here).speaker not in (said.speaker, Role.TOOL):
            found[here] = found.get(here, frozenset()) | support.shared(place)
            here, most = index.next_to(here, 1), most - 1
    return found


def matter_of(claim: Clause) -> frozenset[str]:
    """Return what a clause is about: what it and its label name but for the words that turn it round."""
    return about_of(claim.text) | (claim.named - read_items(claim.text).all)


def said_at(place: int, index: ClauseIndex) -> str:
    """Return the clause at a place, without what denies only in another language: *no* is *in the* in Portuguese."""
    text = index.text(place)
    return (
        _NO_WORD.sub("em", text) if _NO_WORD.search(text) and is_portuguese(index.said(place).text) else text
    )


_NO_WORD: Final = late_pattern(r"\bno\b", re.I)
