"""Two things of a handoff that are each bound to what belongs to the other one.

The handoff has a clause with *a* and *d* and another one with *b* and *c*; the transcript has *a* with
*b* and *c* with *d*, and neither *a* with *d* nor *b* with *c* in any clause. *a* and *c* are of one
kind, and so are *b* and *d*: `motor A draws 4.8 A and motor B 3.1 A` for `motor B draws 4.8 A,
motor A 3.1 A`. Any word can be *a*, in any language: nothing is known of it but where it stands.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import ClauseItems, items_of_word
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.relations.statements import contradiction
from hermes_sessions.audit.words.poles import other_poles
from hermes_sessions.late_patterns import late_pattern

_NEAR: Final = 5
_BESIDE: Final = 3
_TELLING: Final = 0.3
_SHORT: Final = 6
"""In a clause that names more, words may be two lists: only values are held against each other."""
_MOST_ITEMS: Final = 24
"""A clause that names more is a list, and binds nothing to anything."""


_POINTING: Final = frozenset(
    item
    for words in (
        "one ones ein eine einen einem einer eines un une uno una um uma een eentje jeden jedną jedno jedną",
        "один одну одно одна одного it them this that these those es sie ihn dies diese dieses davon en ello",
        "ella esto lui elle ça isso ne его её их это",
    )
    for word in words.split()
    for item in items_of_word(word)
)
"""What stands for a thing that was named before: `3 % own one`."""


class _Tie(NamedTuple):
    """An item of each of two clauses of a handoff that stand together in the transcript, and where."""

    mine: str
    theirs: str
    places: Sequence[int]


class _Crossing(NamedTuple):
    """The source's clause of what a handoff has crosswise, and whether only an exchange can be meant."""

    origin: Clause
    is_sure: bool


_AND: Final = late_pattern(r"\s(?:and|und|et|y|e|en|i|oraz|и|ve)\s", re.I)


def crossed_clauses(clauses: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield clauses of a handoff that cross what belongs together, each with the source's clause."""
    seen: set[str] = set()
    for at, one in enumerate(clauses):
        for other in clauses[at + 1 : at + _NEAR]:
            if one.said.text not in seen and (crossing := _crossed(one, other, index)):
                seen.add(one.said.text)
                found = contradiction(one.said, crossing.origin.said, "bound-otherwise", "order")
                yield found if crossing.is_sure else found._replace(grade=Grade.NOT_VERBATIM)


def binds_one_thing(clause: Clause) -> bool:
    """Return whether a whole sentence has one value, and no two sides of anything: a list has more."""
    axes = [one.partition(":")[0] for one in clause.items.poles]
    return len(clause.items.numbers) < 2 and len(axes) == len(set(axes))


def _crossed(one: Clause, other: Clause, index: ClauseIndex) -> _Crossing | None:
    first, second = _own(one, other, index), _own(other, one, index)
    if not 1 < len(first) <= _MOST_ITEMS or not 1 < len(second) <= _MOST_ITEMS:
        return None
    is_long = max(len(first), len(second)) > _SHORT
    ties = [
        _Tie(mine, theirs, places)
        for mine, theirs in product(first, second)
        if (places := index.together(mine, theirs))
    ]
    for tie, back in product(ties, ties):
        if tie.mine == back.mine or tie.theirs == back.theirs:
            continue
        if not alike(back.mine, one.items, tie.theirs, other.items):
            continue
        if not alike(tie.mine, one.items, back.theirs, other.items):
            continue
        if index.together(tie.mine, back.mine) or index.together(tie.theirs, back.theirs):
            continue
        if _is_counted(tie.mine, back.mine, one) or _is_counted(back.theirs, tie.theirs, other):
            continue
        if is_long and not _is_strict(tie.theirs, other.items):
            continue
        origin = _origin(tie, back, one, other, index)
        counts = any(item.startswith("#") for item in (tie.mine, tie.theirs, back.mine, back.theirs))
        if origin is not None and not (origin.is_former and counts):
            is_strict = any(_is_strict(item, one.items) for item in (tie.mine, back.mine))
            return _Crossing(origin, is_strict or not _are_joined(one, other))
    return None


def _are_joined(one: Clause, other: Clause) -> bool:
    """Return whether two clauses are halves of a list: `in the hall and on stage` has no order."""
    text = one.said.text
    at = text.find(one.text)
    between = text[at + len(one.text) : text.find(other.text, at + len(one.text))]
    return one.said is other.said and _AND.fullmatch(between) is not None


def _is_counted(item: str, number: str, clause: Clause) -> bool:
    """Return whether *item* is what a number of *clause* counts, as other numbers may: `25 entries`."""
    if not number.startswith("#") or item.startswith("#"):
        return False
    behind = re.search(rf"(?<![\d.,]){re.escape(number[1:])} ([^\W\d_]{{3,}})", clause.text)
    return behind is not None and item in items_of_word(behind[1])


def _own(one: Clause, other: Clause, index: ClauseIndex) -> Sequence[str]:
    """Return the telling items that *one* has and *other* has not; a deed can be done to many things."""
    return [
        item
        for item in sorted(one.named - other.named - one.items.deeds - _POINTING)
        if index.weight((item,)) >= _TELLING
    ]


def _origin(tie: _Tie, back: _Tie, one: Clause, other: Clause, index: ClauseIndex) -> Clause | None:
    """Return the source's clause: what was crossed stands side by side there, or cannot be mistaken."""
    beside = [
        here
        for here, there in product(tie.places, back.places)
        if here != there and index.are_near(here, there, _BESIDE)
    ]
    if beside:
        return index.clause(beside[-1])
    is_sure = _is_strict(tie.theirs, other.items) and _is_strict(tie.mine, one.items)
    return index.clause(tie.places[-1]) if is_sure and not {*tie.places} & {*back.places} else None


def _is_strict(item: str, items: ClauseItems) -> bool:
    return item.startswith("#") or item in items.poles | items.letters | items.anchors


def alike(item: str, items: ClauseItems, other: str, others: ClauseItems) -> bool:
    """Return whether two items are of one kind: numbers, poles, letters, names of one shape, words."""
    if item.startswith("#") or other.startswith("#"):
        return item[0] == other[0]
    if item in items.poles or other in others.poles:
        return other in other_poles(item)
    if item in items.letters or other in others.letters:
        return item in items.letters and other in others.letters
    if (item in items.anchors) != (other in others.anchors):
        return not any(map(str.isdigit, item + other))  # `DNS` and `payments`
    if item in items.anchors:
        return item in items.anchors and other in others.anchors and shape_of(item) == shape_of(other)
    return True


def shape_of(name: str) -> str:
    """Return a name with every letter alike, and every digit."""
    return "".join("0" if one.isdigit() else "a" if one.isalpha() else one for one in name)
