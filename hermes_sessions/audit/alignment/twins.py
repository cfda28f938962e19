"""Clauses of a handoff that repeat one of the source but for a word of state or side, which is the opposite.

`The refund for order 4471 succeeded` for `the refund for order 4471 was denied`. Certain by itself: nearly
all words are the same, nobody says of the same what the handoff says, and what may have changed since is
not spoken of again.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import ClauseItems, read_items
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.opposite_states import CHANGING, IF, LASTING
from hermes_sessions.audit.relations.statements import contradiction
from hermes_sessions.audit.words.wording import MODAL, is_open
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.messages import Role

_LEAST: Final = 2
_OWN: Final = 0.75
_THEIRS: Final = 0.5
_HALF: Final = 0.5
_FEW: Final = 2
_MOST_PLACES: Final = 120
_RARE: Final = 8
"""At so few places must one of the words stand: words that are everywhere are about anything."""
_Sides = tuple[re.Pattern[str], ...]


class _AskedState(NamedTuple):
    """A clause of a handoff with one side of an axis, and what else it names."""

    claim: Clause
    shapes: _Sides
    side: int
    rest: frozenset[str]
    changes: bool


def turned_twins(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield clauses of a handoff with the opposite of what the clause of the source says that they repeat."""
    seen: set[str] = set()
    for claim in claims:
        if claim.said.text in seen or claim.said.mode is Mode.PLANNED:
            continue
        for asked in _asked(claim):
            if (origin := _twin(asked, index)) is not None:
                seen.add(claim.said.text)
                yield contradiction(claim.said, origin.said, "twin", "opposite", grave=asked.changes)
                break


def _asked(claim: Clause) -> Iterator[_AskedState]:
    """Yield each side that a clause names alone, with all else that it names."""
    if MODAL.search(claim.text) or IF.search(claim.text):
        return
    for axes, changes in ((CHANGING, True), (LASTING, False)):
        yield from _of_axes(claim, axes, changes=changes)


def _of_axes(claim: Clause, axes: Mapping[str, _Sides], *, changes: bool) -> Iterator[_AskedState]:
    for shapes in axes.values():
        side = _side(claim.text, shapes)
        if side is None or _side(claim.said.text, shapes) is None:
            continue
        rest = _without(claim.items, claim.text, shapes[side])
        if len(rest) >= _LEAST:
            yield _AskedState(claim, shapes, side, rest, changes)


def _side(text: str, shapes: _Sides) -> int | None:
    """Return the one side that *text* names, None where it names none or both."""
    found = [at for at, shape in enumerate(shapes) if shape.search(text)]
    return found[0] if len(found) == 1 else None


def _without(items: ClauseItems, text: str, shape: re.Pattern[str]) -> frozenset[str]:
    """Return what a clause names but for the words of a side."""
    words = (read_items(f"x {match.group()}").all for match in shape.finditer(text))
    return items.all - frozenset(chain.from_iterable(words))


def _twin(asked: _AskedState, index: ClauseIndex) -> Clause | None:
    """Return the last clause that says the opposite in nearly the same words, where none agrees."""
    near = _near(asked.rest, index)
    origin = next((at for at in reversed(near) if _is_opposite(asked, index.clause(at), index)), None)
    if origin is None or _is_backed(asked, near, index):
        return None
    if asked.changes and _is_outlived(asked, origin, near, index):
        return None
    return index.clause(origin)


def _near(rest: frozenset[str], index: ClauseIndex) -> Sequence[int]:
    """Return the places of the clauses that name half of *rest*, in their order."""
    places = (index.places(item) for item in rest if index.count(item) <= _MOST_PLACES)
    counts = Counter(chain.from_iterable(places))
    least = max(1.0, len(rest) * _HALF)
    return sorted(at for at, count in counts.items() if count >= least)


def _is_opposite(asked: _AskedState, told: Clause, index: ClauseIndex) -> bool:
    if _side(told.text, asked.shapes) != 1 - asked.side or told.said.is_question or told.is_former:
        return False
    theirs = _without(told.items, told.text, asked.shapes[1 - asked.side])
    shared = asked.rest & theirs
    is_alike = len(shared) >= max(_LEAST, len(asked.rest) * _OWN) and len(shared) >= len(theirs) * _THEIRS
    if not is_alike or min(map(index.count, shared)) > _RARE:
        return False
    if asked.claim.items.numbers.keys() - told.items.numbers.keys():
        return False  # another number is of another thing
    if is_negated(told.text) != is_negated(asked.claim.text) or is_open(told.text) != is_open(
        asked.claim.text
    ):
        return False
    if not asked.changes:
        return True
    return told.said.speaker != Role.USER and not (MODAL.search(told.text) or IF.search(told.said.text))


def _is_backed(asked: _AskedState, near: Sequence[int], index: ClauseIndex) -> bool:
    """Return whether somebody names the handoff's side of the same."""
    return any(asked.shapes[asked.side].search(index.said(at).text) for at in near)


def _is_outlived(asked: _AskedState, origin: int, near: Sequence[int], index: ClauseIndex) -> bool:
    """Return whether the same is spoken of again, in other words, or something has the handoff's state."""
    other = asked.shapes[1 - asked.side]
    message = index.said(origin).message
    later = (at for at in near if index.said(at).message > message)
    if any(other.search(index.text(at)) is None for at in later):
        return True
    own = asked.shapes[asked.side]
    return any(
        own.search(index.text(at)) and len(index.clause(at).named) <= _FEW for at in index.after(message)
    )
