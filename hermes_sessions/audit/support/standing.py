"""How well a transcript stands behind a figure of a handoff, against other figures of its sort.

What a sentence of the handoff names beside a figure is what the figure is of, the nearer the more, and what
is nearer to another figure of its sort the less. A place of the transcript stands behind a figure by how much
of that it names, near to the figure and not nearer to another one; what is named beside counts for less.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from heapq import nlargest
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.bindings import Bindings
from hermes_sessions.audit.alignment.items import names_in
from hermes_sessions.audit.figures.written_numbers import scale_behind
from hermes_sessions.audit.relations.replacing import is_set_aside
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.audit.support.figures import (
    Figure,
    FigureReading,
    has_digit,
    has_other_unit,
    is_same,
    is_without_digit,
    may_be,
    read_figures,
)
from hermes_sessions.messages import Role

_FULL: Final = 4
"""What stands within so many words of a figure is of it."""
_FADES: Final = 0.035
_LEAST_NEAR: Final = 0.25
_THEIRS: Final = 0.35
"""So much counts what is nearer to another figure of the sort."""
_BESIDE: Final = (0.4, 0.3, 0.25, 0.3)
"""So much counts what is named one, two, three sentences away, and at the end of the message before."""
_OF_THEIRS: Final = 0.35
"""So much of that in a tool's rows, of which each has a figure of the sort itself."""
_REACH: Final = 3
_BOUND: Final = 0.7
"""What is so near to a figure, and to no other one, is surely what it is of."""
_OTHER_UNIT: Final = 0.5
"""So much counts the same number of another unit."""
_MOST_TELLING: Final = 2
_MOST_PLACES: Final = 120
"""What stands at more places tells none from another."""
MOST_FIGURES: Final = 80
"""A sentence with more is a table or a list: nearness to one of them tells nothing."""
_LOOKED_AT: Final = 12
_NEAR_BY: Final = 2
_SHIFT: Final = 16
"""By so much the place of a clause is that of its sentence."""


class FigurePlace(NamedTuple):
    """A figure of a transcript, and how much of what a handoff's figure is of its place names.

    Attributes:
        figure: the figure.
        said: the sentence that has it.
        place: which sentence that is.
        score: what the place names, with the sentences beside.
        alone: what the sentence names.
        is_bound: whether it has what tells most, near to the figure.
        foreign: how much else the sentence names.
    """

    figure: Figure
    said: Statement
    place: int
    score: float
    alone: float
    is_bound: bool
    foreign: int


class Compared(NamedTuple):
    """A figure of a handoff, and where it and others stand in the transcript, best first.

    Attributes:
        claim: the sentence of the handoff.
        figure: its figure.
        total: how much it tells what the figure is of.
        telling: what tells most of that.
        own: the places that have the figure.
        rivals: places that have another one, which the sentence has not.
    """

    claim: Statement
    figure: Figure
    total: float
    telling: frozenset[str]
    own: Sequence[FigurePlace]
    rivals: Sequence[FigurePlace]


class Standings:
    """Holds the figures of a handoff against the places of a transcript."""

    def __init__(self, bindings: Bindings) -> None:
        """Look in the clauses of *bindings*."""
        self.index = bindings.index
        self._people = bindings.people

    def read(self, text: str) -> FigureReading:
        """Return what *text* names, with the people in it as figures."""
        reading = read_figures(text)
        named = [one for one in reading.spans if one in self._people]
        people = [Figure("person", one, reading.places[one][0], *reading.spans[one]) for one in named]
        return reading._replace(figures=(*reading.figures, *people)) if people else reading

    def compare(self, claim: Statement) -> Iterator[Compared]:
        """Yield each figure of a sentence of a handoff with where it and others stand."""
        reading = self.read(claim.text)
        if not 0 < len(reading.figures) <= MOST_FIGURES:
            return
        pieces = {item: self.pieces(item, claim.text, reading) for item in reading.places}
        shared = self._shared(pieces)
        for figure in reading.figures:
            yield _Comparison(self, claim, figure, reading, pieces, shared).result

    def pieces(self, item: str, text: str, reading: FigureReading) -> Sequence[str]:
        """Return how clauses hold what a sentence names, the rarest first, as far as they have it."""
        figure = next((one for one in reading.figures if one.value == item and one.sort != "person"), None)
        pieces = (item,) if figure is None else _pieces_of(figure, text)
        return sorted((one for one in pieces if self.index.knows(one)), key=self.index.count)

    def sentences_with(self, figure: Figure, pieces: Sequence[str]) -> Sequence[int]:
        """Return the sentences that may have a figure, of which clauses hold *pieces*."""
        found = [*pieces[:1]]
        if figure.sort == "date":
            found.append(f"#{figure.value.partition('-')[2]}")
        known = (self.index.places(one) for one in found if self.index.count(one) <= _MOST_PLACES)
        return sorted({place >> _SHIFT for places in known for place in places})

    def places_of(
        self, figure: Figure, text: str, reading: FigureReading
    ) -> Iterator[tuple[Statement, Figure, FigureReading]]:
        """Yield the sentences of the transcript that have a figure of *text*, and all they name."""
        pieces = self.pieces(figure.value, text, reading)
        for at in self.sentences_with(figure, pieces):
            said = self.index.said(at << _SHIFT)
            theirs = self.read(said.text)
            yield from ((said, one, theirs) for one in theirs.figures if is_same(one, figure))

    def _shared(self, pieces: Mapping[str, Sequence[str]]) -> Mapping[int, set[str]]:
        """Return what each sentence of the transcript names of what a sentence of the handoff names."""
        found: dict[int, set[str]] = {}
        for item, held in pieces.items():
            if held and self.index.count(held[0]) <= _MOST_PLACES:
                for place in self.index.places(held[0]):
                    found.setdefault(place >> _SHIFT, set()).add(item)
        return found


class _Comparison:
    """One figure of a sentence of a handoff, held against the transcript."""

    def __init__(
        self,
        standings: Standings,
        claim: Statement,
        figure: Figure,
        reading: FigureReading,
        pieces: Mapping[str, Sequence[str]],
        shared: Mapping[int, set[str]],
    ) -> None:
        self._standings = standings
        self._index = standings.index
        self._claim = claim
        self._figure = figure
        self._reading = reading
        self._pieces = pieces
        self._shared = shared
        rivals = _rivals(figure, reading)
        own = (one for one in reading.figures if one.sort == figure.sort and is_beside_another(one, figure))
        taken = {figure.value, *(one.value for one in (*rivals, *own))}
        self._near = {
            item: nearness(figure, places, rivals)
            for item, places in reading.places.items()
            if item not in taken and pieces[item]
        }
        self._weights = {
            item: self._index.weight(pieces[item][:1]) * near for item, near in self._near.items()
        }

    @property
    def result(self) -> Compared:
        own, others = sorted(self._own(), key=_rank), sorted(self._others(), key=_rank)
        rivals = [
            one for one in others if not any(is_same(one.figure, each) for each in self._reading.figures)
        ]
        return Compared(self._claim, self._figure, sum(self._weights.values()), self._telling, own, rivals)

    @cached_property
    def _telling(self) -> frozenset[str]:
        """What tells most of what stands nearest to the figure, and to no other one."""
        near = [item for item, part in self._near.items() if part >= _BOUND]
        return frozenset(nlargest(_MOST_TELLING, near, key=self._weights.__getitem__))

    def _own(self) -> Iterator[FigurePlace]:
        """Yield the places of the figure, whatever they speak of."""
        pieces = self._pieces.get(self._figure.value, ())
        for at in self._standings.sentences_with(self._figure, pieces):
            yield from (one for one in self._places(at) if is_same(one.figure, self._figure))

    def _others(self) -> Iterator[FigurePlace]:
        """Yield other figures at the places that name most of what the figure is of, and beside those."""
        if not self._telling:
            return
        weights = self._weights
        scores = {at: sum(weights.get(item, 0.0) for item in items) for at, items in self._shared.items()}
        seen: dict[int, None] = {}
        for at in nlargest(_LOOKED_AT, scores, key=lambda one: (scores[one], one)):
            seen[at] = None
            beside = self._index.beside(at << _SHIFT, _NEAR_BY)
            seen.update((place >> _SHIFT, None) for apart, place in beside if apart <= _NEAR_BY)
        for at in seen:
            yield from (one for one in self._places(at) if not is_same(one.figure, self._figure))

    def _has_another(self, place: int, figure: Figure) -> bool:
        """Return whether a sentence has a figure of the sort of its own: what it names is of that one."""
        figures = self._standings.read(self._index.said(place).text).figures
        return any(one.sort == figure.sort and not is_same(one, figure) for one in figures)

    def _places(self, at: int) -> Iterator[FigurePlace]:
        """Yield the figures of a sentence that may be this one, as far as they stand there for something."""
        said = self._index.said(at << _SHIFT)
        if not has_digit(said.text) and not is_without_digit(self._figure):
            return
        reading = self._standings.read(said.text)
        for figure in reading.figures[:MOST_FIGURES]:
            if not (is_same(figure, self._figure) or may_be(figure, self._figure)):
                continue
            if not said.is_question and not is_set_aside(said.text[figure.start : figure.end], said.text):
                yield self._place(figure, said, at, reading)

    def _place(self, figure: Figure, said: Statement, at: int, reading: FigureReading) -> FigurePlace:
        rivals = _rivals(figure, reading)
        named = {
            item: nearness(figure, reading.places[item], rivals)
            for item in self._weights
            if item in reading.places
        }
        best = {item: self._weights[item] * part for item, part in named.items()}
        alone = sum(best.values())
        for apart, place in self._index.beside(at << _SHIFT, _REACH):
            shared = self._shared.get(place >> _SHIFT, ())
            is_theirs = bool(shared) and said.speaker == Role.TOOL and self._has_another(place, figure)
            part = _BESIDE[apart - 1] * (_OF_THEIRS if is_theirs else 1)
            for item in shared:
                if item in self._weights:
                    best[item] = max(best.get(item, 0.0), self._weights[item] * part)
        score = sum(best.values()) * (_OTHER_UNIT if has_other_unit(figure, self._figure) else 1.0)
        is_bound = any(named.get(item, 0.0) >= _BOUND for item in self._telling)
        foreign = len(reading.places.keys() - self._reading.places.keys())
        return FigurePlace(figure, said, at, score, alone, is_bound, foreign)


def _pieces_of(figure: Figure, text: str) -> frozenset[str]:
    """Return how clauses may hold a figure of *text*."""
    own = frozenset({figure.value}) if figure.value.startswith("#") else frozenset[str]()
    if scale_behind(text, figure.end) > 1:
        return own  # `58` is only a part of `58 thousand`
    return names_in(text[figure.start : figure.end]) | own


def _rank(one: FigurePlace) -> tuple[float, int]:
    """Return what orders places: the best first, of equal ones the latest."""
    return -one.score, -one.place


def _rivals(figure: Figure, reading: FigureReading) -> list[Figure]:
    """Return the other figures of the sort; two names side by side are one person's."""
    others = [one for one in reading.figures if one.value != figure.value and one.sort == figure.sort]
    return [one for one in others if not is_beside_another(one, figure)]


def is_beside_another(one: Figure, other: Figure) -> bool:
    """Return whether two names stand side by side: they are one person's."""
    return one.sort == "person" and abs(one.place - other.place) <= 1


def nearness(
    figure: Figure,
    places: Sequence[int],
    rivals: Sequence[Figure],
    *,
    theirs: float = _THEIRS,
    is_strict: bool = False,
) -> float:
    """Return how much of a figure is what stands at *places*.

    Args:
        figure: the figure.
        places: where it stands.
        rivals: other figures of the sort.
        theirs: how much counts what is nearer to one of them.
        is_strict: what is as near to one of them is theirs, too.
    """
    apart = min(abs(one - figure.place) for one in places)
    part = max(_LEAST_NEAR, 1 - _FADES * max(0, apart - _FULL))
    reach = apart + 1 if is_strict else apart
    is_theirs = any(abs(one - other.place) < reach for other in rivals for one in places)
    return part * theirs if is_theirs else part
