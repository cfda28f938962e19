"""Two figures of a sentence of which each stands beside what the sentence gives to the other one.

Of `the pump has 4 bar and the tank 7` *pump* is nearer to 4, *tank* to 7. Where the transcript has the 7
beside the pump and the 4 beside the tank, and neither the other way round, they were exchanged. What stands
nearer to another figure of the sort is not beside a figure.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.audit.support.figures import Figure, FigureReading, became, is_same
from hermes_sessions.audit.support.standing import Standings, is_beside_another, nearness

_THERE: Final = 0.5
"""So much of what a sentence gives to one figure stands beside the other one."""
_HERE: Final = 0.3
"""At most so much of it stands beside its own."""
_LEAST: Final = 0.6
"""What both give to each other tells at least so much more than what they keep."""
_ONE_SIDE: Final = 0.8
"""So much is told of one figure where nothing is known of what is told of the other one."""
_MOST: Final = 0.7


class _GivenWord(NamedTuple):
    """What a sentence gives to a figure: how much it tells, and whether it is before it."""

    weight: float
    is_before: bool


class _Beside(NamedTuple):
    """How much of some items stands beside a figure, and in which sentence."""

    score: float
    said: Statement | None


class CrossedPair(NamedTuple):
    """Two figures of a sentence that were exchanged, as it is said, and whether both sides tell so."""

    one: Figure
    other: Figure
    said: Statement
    is_sure: bool


def crossed_pairs(claim: Statement, standings: Standings) -> Iterator[CrossedPair]:
    """Yield the pairs of figures of a sentence of a handoff that the transcript has crosswise."""
    reading = standings.read(claim.text)
    figures = reading.figures
    if len(figures) < 2:
        return
    crossing = _SidesOfASentence(claim, reading, standings)
    for one, other in combinations(figures, 2):
        if one.sort != other.sort or is_same(one, other) or is_beside_another(one, other):
            continue
        if became(claim.text, one, other):
            continue
        found = crossing.pair(one, other)
        if found is not None:
            yield found


def crossed_figures(claim: Statement, pair: CrossedPair) -> Deviation:
    """Return what is said of figures that were exchanged."""
    grade = Grade.CONTRADICTS if pair.is_sure else Grade.NOT_VERBATIM
    return Deviation(
        grade, "order", claim.text, claim.text, "figures-crossed",
        pair.said.text, pair.said.text, pair.said.message or None,
    )  # fmt: skip


class _SidesOfASentence:
    """The figures of one sentence, each with what is nearer to it than to another one of its sort."""

    def __init__(self, claim: Statement, reading: FigureReading, standings: Standings) -> None:
        self._claim, self._reading, self._standings = claim, reading, standings
        self._places: dict[Figure, Sequence[tuple[Statement, Figure, FigureReading]]] = {}

    def pair(self, one: Figure, other: Figure) -> CrossedPair | None:
        """Return two figures as crossed, where both sides, or one where the other is silent, tell so."""
        mine, theirs = self._told(one, other), self._told(other, one)
        own, its = (sum(item.weight for item in items.values()) for items in (mine, theirs))
        if not own or not its:
            return None
        if self._keeps(one, mine, _HERE * own) or self._keeps(other, theirs, _HERE * its):
            return None
        kept, left = self._beside(one, mine), self._beside(other, theirs)
        taken, given = self._beside(one, theirs, other), self._beside(other, mine, one)
        said = taken.said or given.said
        if said is None:
            return None
        both = taken.score >= _THERE * its and given.score >= _THERE * own
        if both and taken.score + given.score - kept.score - left.score >= _LEAST:
            return CrossedPair(one, other, said, is_sure=True)
        is_one = (its >= _ONE_SIDE and taken.score >= _MOST * its and not left.score) or (
            own >= _ONE_SIDE and given.score >= _MOST * own and not kept.score
        )
        return CrossedPair(one, other, said, is_sure=False) if is_one else None

    def _told(self, figure: Figure, other: Figure) -> Mapping[str, _GivenWord]:
        """Return what the sentence gives to a figure and to no other one of its sort."""
        rivals = [
            one for one in self._reading.figures if one.sort == figure.sort and one.value != figure.value
        ]
        values = {figure.value, *(one.value for one in rivals)}
        found: dict[str, _GivenWord] = {}
        for item, places in self._reading.places.items():
            near = 0.0 if item in values else nearness(figure, places, rivals, theirs=0.0, is_strict=True)
            pieces = self._standings.pieces(item, self._claim.text, self._reading) if near else ()
            if pieces:
                weight = self._standings.index.weight(pieces[:1]) * near
                found[item] = _GivenWord(weight, _is_before(figure, places))
        return found

    def _keeps(self, figure: Figure, items: Mapping[str, _GivenWord], most: float) -> bool:
        """Return whether a sentence has more than so much of *items* beside a figure."""
        places = self._standings.likely_places_of(figure, self._claim.text, self._reading)
        return any(_score(there, reading, items) > most for _, there, reading in places)

    def _beside(
        self, figure: Figure, items: Mapping[str, _GivenWord], other: Figure | None = None
    ) -> _Beside:
        """Return the sentence that has most of *items* beside a figure.

        In one that has the *other* figure, too, they have to be on the same side: what stands between two
        figures may be of either.
        """
        best = _Beside(0.0, None)
        if figure not in self._places:
            self._places[figure] = list(self._standings.places_of(figure, self._claim.text, self._reading))
        for said, there, reading in self._places[figure]:
            score = _score(there, reading, items, other)
            if score > best.score:
                best = _Beside(score, said)
        return best


def _score(
    there: Figure, reading: FigureReading, items: Mapping[str, _GivenWord], other: Figure | None = None
) -> float:
    """Return how much of *items* a sentence has beside a figure, on the same side if it has the *other*."""
    rivals = [one for one in reading.figures if one.sort == there.sort and one.value != there.value]
    rivals = [one for one in rivals if not is_beside_another(one, there)]
    has_both = other is not None and any(is_same(one, other) for one in rivals)
    return sum(
        item.weight * nearness(there, reading.places[name], rivals, theirs=0.0)
        for name, item in items.items()
        if name in reading.places
        and not (has_both and _is_before(there, reading.places[name]) != item.is_before)
    )


def _is_before(figure: Figure, places: Sequence[int]) -> bool:
    """Return whether the nearest of *places* is before a figure."""
    return min(places, key=lambda place: abs(place - figure.place)) < figure.place
