"""Two values of one sentence of a handoff, each beside the words that its source has beside the other one.

`52 helpers and 5 children` for `52 children, 5 helpers`: of each word near both it is asked which of the two
values is nearer, in the handoff and in the transcript. Where that is the other one for some, and for none the
same one, the two were exchanged. Nothing is known of the words but where they stand.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.bindings import Bindings
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_row
from hermes_sessions.audit.alignment.slot_values import SlotValue
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern

_MOST_VALUES: Final = 10
_MOST_PLACES: Final = 24
_BESIDE: Final = 3
"""So many clauses on each side of a value belong to it."""
_NEAR: Final = 6
_FAR: Final = 40
_MARGIN: Final = 2
_BESIDE_IT: Final = 2
_BOTH: Final = 2
_TELLING: Final = 0.2
_OF_DATE: Final = late_pattern(r"\d+(?= ?[年月日号월일])")


class Distances(NamedTuple):
    """How far a word stands from each of two values."""

    one: int
    other: int

    @property
    def nearer(self) -> int:
        """Return 1 where the first value is clearly nearer, -1 for the other one, 0 for neither."""
        if min(self) > _NEAR or abs(self.one - self.other) < _MARGIN:
            return 0
        return 1 if self.one < self.other else -1


def exchanged_neighbours(claims: Sequence[Clause], bindings: Bindings) -> Iterator[Deviation]:
    """Yield sentences two of whose values stand crosswise to the transcript."""
    rows_of = cache(partial(_rows, bindings=bindings))
    sentences: dict[str, list[Clause]] = {}
    for claim in claims:
        sentences.setdefault(claim.said.text, []).append(claim)
    for text, clauses in sentences.items():
        dates = frozenset(_OF_DATE.findall(text))
        slots = {
            slot.value: slot
            for one in clauses
            for slot in bindings.read(one)
            if bindings.places(slot) and slot.value[1:] not in dates
        }
        if not 1 < len(slots) <= _MOST_VALUES:
            continue
        for one, other in combinations(slots.values(), 2):
            crossed = _crossed(text, one, other, rows_of, bindings) if one.sort == other.sort else None
            if crossed is not None:
                said, is_sure = crossed
                grade = Grade.CONTRADICTS if is_sure and len(slots) == _BOTH else Grade.NOT_VERBATIM
                yield Deviation(
                    grade, "order", text, text, "crosswise", said.text, said.text, said.message or None
                )
                break


def _crossed(
    text: str, one: SlotValue, other: SlotValue, rows_of: "_RowsOf", bindings: Bindings
) -> tuple[Statement, bool] | None:
    """Return where the values have each other's words beside them, None where any word has its own.

    It is sure where both have, and stand beside each other in the transcript, too.
    """
    rows = [rows_of(value) for value in (one, other)]
    if not all(rows):
        return None
    sides: set[int] = set()
    is_close = False
    for item, own in _words(text, one, other, bindings):
        if not own.nearer:
            continue
        told = Distances(*(_least(item, value, row) for value, row in zip((one, other), rows, strict=True)))
        if told.nearer == own.nearer:
            return None
        if told.nearer:
            sides.add(told.nearer)
            is_close = is_close or max(min(told), min(own)) <= _BESIDE_IT
    is_paired = _are_together(one, other, rows)
    if len(sides) < _BOTH and not (is_close and is_paired):
        return None
    return bindings.index.said(bindings.places(one)[-1]), is_paired and len(sides) == _BOTH


def _words(
    text: str, one: SlotValue, other: SlotValue, bindings: Bindings
) -> Iterator[tuple[str, Distances]]:
    """Yield the telling words of a sentence with their distances to both values."""
    row = read_row(text)
    items = {item for _, found in row for item in found if not item.startswith("#")}
    for item in sorted(items - one.items - other.items):
        if bindings.index.knows(item) and bindings.index.weight((item,)) >= _TELLING:
            yield item, Distances(_distance(item, one, row), _distance(item, other, row))


def _are_together(one: SlotValue, other: SlotValue, rows: Sequence[Sequence["_Row"]]) -> bool:
    """Return whether one sentence, or one beside it, names both values, once each."""
    for row in (row for each in rows for row in each):
        counts = [sum(bool(found & value.items) for _, found in row) for value in (one, other)]
        if counts == [1, 1]:
            return True
    return False


_Row = Sequence[tuple[int, frozenset[str]]]
_RowsOf = Callable[[SlotValue], Sequence[_Row]]


def _rows(value: SlotValue, bindings: Bindings) -> Sequence[_Row]:
    """Return what stands around a value wherever it stands."""
    if bindings.count(value) > _MOST_PLACES:
        return ()
    places = bindings.places(value)
    return [
        read_row(bindings.around_text(at, _BESIDE))
        for at in places
        if not bindings.index.said(at).is_question
    ]


def _least(item: str, value: SlotValue, rows: Sequence[_Row]) -> int:
    return min((_distance(item, value, row) for row in rows), default=_FAR)


def _distance(item: str, value: SlotValue, row: _Row) -> int:
    here = [at for at, found in row if item in found]
    there = [at for at, found in row if found & value.items]
    return min((abs(at - to) for at in here for to in there), default=_FAR)
