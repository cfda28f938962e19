"""Two clauses side by side, each with a word that belongs to the other one: `Ana agreed, Kim refused`."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading

_MOST: Final = 6
_MOST_PLACES: Final = 12


def crossed_words(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield sentences two of whose clauses beside each other name crosswise what two of the source do."""
    noted: set[str] = set()
    for one, other in pairwise(claims):
        if one.said is not other.said or one.said.text in noted or is_heading(one.said.text):
            continue
        place = _crossed(_telling(one, other, index), _telling(other, one, index), index)
        if place is not None:
            noted.add(one.said.text)
            said = index.said(place)
            yield Deviation(
                Grade.NOT_VERBATIM, "order", one.said.text, one.said.text, "crossed-words",
                said.text, said.text, said.message or None,
            )  # fmt: skip


def _telling(clause: Clause, beside: Clause, index: ClauseIndex) -> Sequence[str]:
    """Return the rare things that a clause names, and the one beside it does not; none of a long one."""
    items = read_items(clause.text).all - read_items(beside.text).all
    found = [one for one in items if 0 < index.count(one) <= _MOST_PLACES and not one.startswith("#")]
    return sorted(found) if 1 < len(found) <= _MOST else ()


def _crossed(one: Sequence[str], other: Sequence[str], index: ClauseIndex) -> int | None:
    """Return where two clauses name *one* and *other* crosswise, which no clause names together as here."""
    for first, second in product(one, repeat=2):
        if first == second or index.together(first, second):
            continue
        for third, fourth in product(other, repeat=2):
            if third == fourth or index.together(third, fourth):
                continue
            places = product(index.together(first, fourth), index.together(third, second))
            for here, there in places:
                if here != there and index.are_near(here, there, 2):
                    return here
    return None
