"""How well a transcript stands behind a figure of a handoff, against other figures of its sort.

What a sentence of the handoff names beside a figure is what the figure is of, the nearer the more, and what
is nearer to another figure of its sort the less. A place of the transcript stands behind a figure by how much
of that it names, near to the figure and not nearer to another one; what is named beside counts for less.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from hermes_sessions.audit.support.spellings import Spellings, may_be_named, spellings_of
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


class Standings:
    """Holds the figures of a handoff against the places of a transcript."""

    def __init__(self, bindings: Bindings) -> None:
        """Look in the clauses of *bindings*."""
        self.index = bindings.index
        self._people = bindings.people
        self._shared: dict[str, Mapping[int, set[str]]] = {}
        self._read: dict[str, FigureReading] = {}
        self._aside: dict[tuple[str, str], bool] = {}

    def read(self, text: str) -> FigureReading:
        """Return what *text* names, with the people in it as figures."""
        known = self._read.get(text)
        if known is None:
            known = self._read[text] = self._with_people(read_figures(text))
        return known

    def is_set_aside(self, written: str, text: str) -> bool:
        """Return whether *text* names a figure only to say that another one counts; many ask of the same."""
        known = self._aside.get((written, text))
        if known is None:
            known = self._aside[written, text] = is_set_aside(written, text)
        return known

    def _with_people(self, reading: FigureReading) -> FigureReading:
        named = [one for one in reading.spans if one in self._people]
        people = [Figure("person", one, reading.places[one][0], *reading.spans[one]) for one in named]
        return reading._replace(figures=(*reading.figures, *people)) if people else reading

    def compare(self, claim: Statement) -> Iterator["Compared"]:
        """Yield each figure of a sentence of a handoff with where it and others stand."""
        reading = self.read(claim.text)
        if not 0 < len(reading.figures) <= MOST_FIGURES:
            return
        pieces = {item: self.pieces(item, claim.text, reading) for item in reading.places}
        shared = self.shared(claim.text)
        for figure in reading.figures:
            yield Compared(self, claim, figure, reading, pieces, shared)

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
        for at in self.sentences_with(figure, self.pieces(figure.value, text, reading)):
            yield from self._having(figure, at)

    def likely_places_of(
        self, figure: Figure, text: str, reading: FigureReading
    ) -> Iterator[tuple[Statement, Figure, FigureReading]]:
        """Yield the same, those first that name most of what *text* names, each read in its turn."""
        shared = self.shared(text)
        places = self.sentences_with(figure, self.pieces(figure.value, text, reading))
        for at in sorted(places, key=lambda one: len(shared.get(one, ())), reverse=True):
            yield from self._having(figure, at)

    def _having(self, figure: Figure, at: int) -> Iterator[tuple[Statement, Figure, FigureReading]]:
        said = self.index.said(at << _SHIFT)
        theirs = self.read(said.text)
        yield from ((said, one, theirs) for one in theirs.figures if is_same(one, figure))

    def shared(self, text: str) -> Mapping[int, set[str]]:
        """Return what each sentence of the transcript names of what a sentence of the handoff names."""
        known = self._shared.get(text)
        if known is None:
            known = self._shared[text] = self._share(text)
        return known

    def _share(self, text: str) -> Mapping[int, set[str]]:
        found: dict[int, set[str]] = {}
        reading = self.read(text)
        for item in reading.places:
            held = self.pieces(item, text, reading)
            if held and self.index.count(held[0]) <= _MOST_PLACES:
                for place in self.index.places(held[0]):
                    found.setdefault(place >> _SHIFT, set()).add(item)
        return found


class Compared:
    """A figure of a handoff, and where it and others stand in the transcript: looked for as it is asked.

    Attributes:
        claim: the sentence of the handoff.
        figure: its figure.
        total: how much it tells what the figure is of.
    """

    def __init__(
        self,
        standings: Standings,
        claim: Statement,
        figure: Figure,
        reading: FigureReading,
        pieces: Mapping[str, Sequence[str]],
        shared: Mapping[int, set[str]],
    ) -> None:
        """Take a figure of *claim*, how clauses hold what that names, and what sentences share of it."""
        self.claim = claim
        self.figure = figure
        self._standings = standings
        self._index = standings.index
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
        self.total = sum(self._weights.values())
        self._own_at: dict[int, Sequence[FigurePlace]] = {}

    @cached_property
    def telling(self) -> frozenset[str]:
        """What tells most of what stands nearest to the figure, and to no other one."""
        near = [item for item, part in self._near.items() if part >= _BOUND]
        return frozenset(nlargest(_MOST_TELLING, near, key=self._weights.__getitem__))

    @property
    def is_said(self) -> bool:
        """Whether a place has the figure."""
        return next(self.likely, None) is not None

    @property
    def likely(self) -> Iterator[FigurePlace]:
        """The places of the figure, those first that share most of what it is of, each read in its turn."""
        for at in sorted(self._with_figure, key=self._sum_at, reverse=True):
            yield from self._own(at)

    @cached_property
    def own(self) -> Sequence[FigurePlace]:
        """The places of the figure, whatever they speak of, the best first."""
        return sorted((one for at in self._with_figure for one in self._own(at)), key=_rank)

    def last(self, counts: Callable[[FigurePlace], bool]) -> int:
        """Return the last place of the figure that *counts*, -1 where none does."""
        return next((at for at in reversed(self._with_figure) if any(map(counts, self._own(at)))), -1)

    def bound(self, start: int = 0) -> Sequence[FigurePlace]:
        """Return the rivals from a place on that have what tells most, near to them, the best first."""
        read = self._standings.read
        texts = ((at, self._index.said(at << _SHIFT).text) for at in self._looked_at if at >= start)
        found = (
            self._place(one, at)
            for at, text in texts
            if may_be_named(self._spellings, text)
            for one in self._figures(at)
            if self._is_rival(one) and self._is_bound(one, read(text))
        )
        return sorted(found, key=_rank)

    def rivals(self, start: int = 0) -> Sequence[FigurePlace]:
        """Return the places from one on that have a figure which the sentence lacks, the best first."""
        places = (at for at in self._looked_at if at >= start)
        found = (self._place(one, at) for at in places for one in self._figures(at) if self._is_rival(one))
        return sorted(found, key=_rank)

    @cached_property
    def _looked_at(self) -> Collection[int]:
        """The sentences that name most of what the figure is of, and those beside."""
        if not self.telling:
            return ()
        scores = {at: self._sum_at(at) for at in self._shared}
        seen: dict[int, None] = {}
        for at in nlargest(_LOOKED_AT, scores, key=lambda one: (scores[one], one)):
            seen[at] = None
            beside = self._index.beside(at << _SHIFT, _NEAR_BY)
            seen.update((place >> _SHIFT, None) for apart, place in beside if apart <= _NEAR_BY)
        return seen

    def _sum_at(self, at: int) -> float:
        """Return how much a sentence shares of what the figure is of."""
        return sum(self._weights.get(item, 0.0) for item in self._shared.get(at, ()))

    @cached_property
    def _spellings(self) -> Spellings:
        return spellings_of(self.telling)

    @cached_property
    def _with_figure(self) -> Sequence[int]:
        return self._standings.sentences_with(self.figure, self._pieces.get(self.figure.value, ()))

    def _own(self, at: int) -> Sequence[FigurePlace]:
        known = self._own_at.get(at)
        if known is None:
            figures = (one for one in self._figures(at) if is_same(one, self.figure))
            known = self._own_at[at] = [self._place(one, at) for one in figures]
        return known

    def _is_rival(self, figure: Figure) -> bool:
        """Return whether neither the figure nor another one of its sentence says the same."""
        return not any(is_same(figure, one) for one in self._reading.figures)

    def _has_another(self, place: int, figure: Figure) -> bool:
        """Return whether a sentence has a figure of the sort of its own: what it names is of that one."""
        figures = self._standings.read(self._index.said(place).text).figures
        return any(one.sort == figure.sort and not is_same(one, figure) for one in figures)

    def _figures(self, at: int) -> Iterator[Figure]:
        """Yield the figures of a sentence that may be this one, as far as they stand there for something."""
        said = self._index.said(at << _SHIFT)
        if not (has_digit(said.text) or is_without_digit(self.figure)) or said.is_question:
            return
        standings = self._standings
        for figure in standings.read(said.text).figures[:MOST_FIGURES]:
            is_like = is_same(figure, self.figure) or may_be(figure, self.figure)
            if is_like and not standings.is_set_aside(said.text[figure.start : figure.end], said.text):
                yield figure

    def _is_bound(self, figure: Figure, reading: FigureReading) -> bool:
        """Return whether what tells most is named near to a figure of a sentence, and to no other one."""
        rivals = _rivals(figure, reading)
        places = (reading.places[item] for item in self.telling if item in reading.places)
        return any(nearness(figure, one, rivals) >= _BOUND for one in places)

    def _place(self, figure: Figure, at: int) -> FigurePlace:
        said = self._index.said(at << _SHIFT)
        reading = self._standings.read(said.text)
        rivals = _rivals(figure, reading)
        best = {
            item: weight * nearness(figure, reading.places[item], rivals)
            for item, weight in self._weights.items()
            if item in reading.places
        }
        alone = sum(best.values())
        for apart, place in self._index.beside(at << _SHIFT, _REACH):
            shared = self._shared.get(place >> _SHIFT, ())
            is_theirs = bool(shared) and said.speaker == Role.TOOL and self._has_another(place, figure)
            part = _BESIDE[apart - 1] * (_OF_THEIRS if is_theirs else 1)
            for item in shared:
                if item in self._weights:
                    best[item] = max(best.get(item, 0.0), self._weights[item] * part)
        score = sum(best.values()) * (_OTHER_UNIT if has_other_unit(figure, self.figure) else 1.0)
        foreign = len(reading.places.keys() - self._reading.places.keys())
        return FigurePlace(figure, said, at, score, alone, self._is_bound(figure, reading), foreign)


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
