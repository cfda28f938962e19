"""A value of a handoff that stands with other things than anybody ever put it with.

Of a clause of a handoff one value, a number, a day, a person, a code or a side, is taken out. What is left
is looked for in the transcript: where one clause has it all, and another value of the same sort, and no place
that has the handoff's own value speaks of it, the value is somebody else's: `Fans at 29` for `the main hall
opens at 29, fans start at 33`. Nothing is known of words but where they stand, so it holds in any language.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.slot_values import (
    SlotValue,
    is_like,
    is_of_one_sort,
    read_slots,
    words_of,
)
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.statements import contradiction
from hermes_sessions.facts.equivalence import spelled
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern

_TELLING: Final = 0.3
_MOST_PLACES: Final = 80
"""What stands at more places tells none from another."""
_LEAST: Final = 0.6
_COVERED: Final = 0.75
_SUPPORT: Final = 0.5
_KNOWN: Final = 0.5
_MOST_BESIDE: Final = 2
_VAGUE: Final = frozenset({"person", "number "})
_FEW: Final = 1
_NEAR: Final = 3
_LAST_WORDS: Final = 12
"""So many clauses of the message before a clause may be what it answers."""


_SHARE_OF: Final = late_pattern(
    r"(?:%|percent|Prozent) (?:of|von|der|des|de|du|di|dei|do|da|от|van)\b[^\d;,.]{0,20}"
    r"(\d[\d.,]{0,14}\d|\d)",
    re.I,
)
_CORRECTS: Final = late_pattern(
    r"\W*(?:correct(?:ion|ed)|sorry|scratch that|no, wait|make that|korrektur|berichtigung"
    r"|korrigiert|pardon|correcci[óo]n|perd[óo]n|corre[çc][ãa]o|perdão|correzione|scusa|correctie|korekta|poprawka|поправка|исправление|rectific\w+)\b|更正|订正|訂正|不对|정정",
    re.I,
)
_CALL: Final = late_pattern(r'\{\s?"')
"""Arguments of a call: they say what was tried."""


class Misbound(NamedTuple):
    """A value of a clause of a handoff, and the clause of the source that has another one in its place."""

    claim: Clause
    value: SlotValue
    origin: Clause
    other: SlotValue


class Bindings:
    """What every value of a transcript stands with."""

    def __init__(self, index: ClauseIndex, people: frozenset[str]) -> None:
        """Take the clauses of *index*, and the names of *people* in them."""
        self.index = index
        self.people = people
        self._slots: dict[int, tuple[SlotValue, ...]] = {}

    def slots(self, at: int) -> tuple[SlotValue, ...]:
        """Return the values of the clause at a place."""
        known = self._slots.get(at)
        if known is None:
            known = self._slots[at] = read_slots(self.index.clause(at), self.people)
        return known

    def read(self, claim: Clause) -> tuple[SlotValue, ...]:
        """Return the values of a clause of a handoff."""
        return read_slots(claim, self.people)

    @cached_property
    def _days(self) -> Mapping[int, Sequence[int]]:
        return self.index.day_places()

    def names_day(self, day: int) -> bool:
        """Return whether anybody names a day of the week, Monday 0."""
        return day in self._days

    def count(self, slot: SlotValue) -> int:
        """Return how many clauses have a value."""
        return len(self.places(slot)) if slot.sort == "day" else self.index.count(slot.value)

    def places(self, slot: SlotValue) -> Sequence[int]:
        """Return the places of the clauses that have a value."""
        if slot.sort == "day":
            return self._days.get(int(slot.value.removeprefix("day ")), ())
        return self.index.places(slot.value)

    def whole(self, at: int, sort: str) -> frozenset[str]:
        """Return what the clause at a place names, with those of its sentence that have no such value."""
        said = self.index.said(at)
        found = set(self.index.clause(at).named)
        for way in (-1, 1):
            for here in self.index.run(at, way):
                if self.index.said(here) is not said or self.of_sort(here, sort):
                    break
                found |= self.index.clause(here).named
        return frozenset(found)

    def of_sort(self, at: int, sort: str) -> Sequence[SlotValue]:
        """Return the values of a sort that the clause at a place has."""
        return [one for one in self.slots(at) if is_of_one_sort(one.sort, sort)]

    def around_text(self, at: int, reach: int) -> str:
        """Return the sentence of a place with those beside it in its message; no question but its own."""
        own = self.index.said(at)
        behind = [*islice(self.index.run(at, -1), reach)][::-1]
        said = dict.fromkeys(map(self.index.said, (*behind, at, *islice(self.index.run(at, 1), reach))))
        return "\n".join(one.text for one in said if one is own or not one.is_question)

    def around(self, at: int, sort: str) -> frozenset[str]:
        """Return what the clause at a place stands with: its neighbours without a value of that sort.

        What the message before it names counts too: it may be an answer to that.
        """
        index = self.index
        clause = index.clause(at)
        is_short = len(clause.items.named) < 2 or "" in clause.items.numbers.values()
        behind = [*islice(index.run(at, -1), _NEAR + 1)]
        found: set[str] = set()
        for side in (behind[:_NEAR], islice(index.run(at, 1), _NEAR)):
            for here in side:
                is_ellipsis = is_short and here < at and index.said(here) is clause.said
                if not is_ellipsis and self.of_sort(here, sort):
                    break
                found |= index.clause(here).named
        if len(behind) <= _NEAR:
            last = index.next_to(behind[-1] if behind else at, -1)
            if last is not None:
                for here in islice(chain((last,), index.run(last, -1)), _LAST_WORDS):
                    found |= index.clause(here).named
        return frozenset(found)


def misbound_values(
    claims: Sequence[Clause], bindings: Bindings, has_replaced: Callable[[SlotValue, SlotValue, int], bool]
) -> Iterator[Deviation]:
    """Yield clauses of a handoff with a value that stands with something else wherever it stands.

    One that *has_replaced* the other, which stands at a place, is the newer value of the same.
    """
    seen: set[str] = set()
    for claim in claims:
        if claim.said.text in seen:
            continue
        found = next(_misbound(claim, claims, bindings), None)
        if found is not None and not has_replaced(found.value, found.other, found.origin.place):
            seen.add(claim.said.text)
            yield contradiction(claim.said, found.origin.said, "bound-elsewhere", "order")


def _misbound(claim: Clause, claims: Sequence[Clause], bindings: Bindings) -> Iterator[Misbound]:
    slots = read_slots(claim, bindings.people)
    for slot in slots:
        if not 0 < bindings.count(slot) <= _MOST_PLACES:
            continue
        if slot.value.startswith("#") and is_base(slot.value[1:], claim.text):
            continue
        others = frozenset(one.value for one in slots if is_of_one_sort(one.sort, slot.sort)) - {slot.value}
        rest = frozenset(item for item in claim.named - slot.items if tells(item))
        total = bindings.index.weight(rest)
        if total < _LEAST or len(others) > _MOST_BESIDE or not _is_known(rest, bindings):
            continue
        found = _origin(claim, slot, others, rest, bindings)
        if found is None or _is_supported(slot, rest, found, bindings):
            continue
        if any(_gives(other, found[1], rest, bindings) for other in claims if other is not claim):
            continue
        yield Misbound(claim, slot, *found)


def is_base(number: str, text: str) -> bool:
    """Whether a number is what a share is of: `20 % of the 9,400 EUR` is about the share."""
    return number in (re.sub(r"[^\d.]", "", one) for one in _SHARE_OF.findall(text))


def _is_known(rest: frozenset[str], bindings: Bindings) -> bool:
    """Whether half of what is left stands in the transcript: else it is told in words that prove nothing."""
    known = sum(map(bindings.index.knows, rest))
    return known >= len(rest) * _KNOWN


def _origin(
    claim: Clause, slot: SlotValue, others: frozenset[str], rest: frozenset[str], bindings: Bindings
) -> tuple[Clause, SlotValue] | None:
    """Return the last clause that has nearly all of *rest*, and one other value of the sort instead."""
    index = bindings.index
    found: tuple[Clause, SlotValue] | None = None
    most = max(index.weight(rest) * _COVERED, _LEAST)
    least = 2 if slot.sort in _VAGUE else 1
    is_denied = is_negated(claim.text)
    for at in nearest(rest, index):
        if index.weight(rest & index.in_sentence(at)) < most:
            continue  # nor does its clause with those beside it have so much
        clause = index.clause(at)
        if len(rest & clause.named) < least or (clause.is_former and slot.value.startswith("#")):
            continue
        shared = index.weight(rest & bindings.whole(at, slot.sort))
        if shared < most:
            continue
        own = {one.value: one for one in bindings.of_sort(at, slot.sort)}
        if slot.value in own:
            return None
        fresh = [one for value, one in own.items() if value not in others]
        if len(fresh) != 1 or not others <= own.keys() or not is_like(slot, fresh[0]):
            continue
        if _CALL.search(clause.said.text) is None and is_negated(clause.text) == is_denied:
            found, most = (clause, fresh[0]), shared
    return found


def tells(item: str) -> bool:
    """Whether *item* is more than a number or a unit."""
    return not item.startswith("#") and "/" not in item and not item.isdecimal()


def nearest(items: Iterable[str], index: ClauseIndex) -> Sequence[int]:
    """Return the places of the clauses that have one of *items* that tells something."""
    places: set[int] = set()
    for item in items:
        if index.count(item) <= _MOST_PLACES and index.weight((item,)) >= _TELLING:
            places.update(index.places(item))
    return sorted(places)


def _is_supported(
    slot: SlotValue,
    rest: frozenset[str],
    found: tuple[Clause, SlotValue],
    bindings: Bindings,
) -> bool:
    """Whether a place that has the value speaks of what is left, or may."""
    index = bindings.index
    shared = rest & bindings.whole(found[0].place, slot.sort)
    wanted = index.weight(shared)
    for at in bindings.places(slot):
        own = index.clause(at).named
        if at > found[0].place and sum(map(tells, own)) <= _FEW and index.said(at) is not found[0].said:
            return True  # `that makes it 75 minutes`: a newer value of the same
        is_behind = at > found[0].place and index.message(at) == index.message(found[0].place)
        if is_behind and _CORRECTS.match(index.said(at).text):
            return True  # `use 1.0842. Correction: 1.0867`
        named = own | bindings.around(at, slot.sort)
        if index.weight(shared & named) > wanted * _SUPPORT:
            return True
    words = _words(slot)
    return bool(words) and any(words & words_of(index.said(at).text) for at in nearest(shared, index))


def _words(slot: SlotValue) -> frozenset[str]:
    """Return how a small number is said in words."""
    if not slot.sort.startswith("number"):
        return frozenset()
    return frozenset(one.strip() for one in spelled(f"{slot.value[1:]} "))


def _gives(other: Clause, value: SlotValue, rest: frozenset[str], bindings: Bindings) -> bool:
    """Whether another clause of the handoff gives the source's value for the same."""
    named = other.named
    return value.items <= named and bindings.index.weight(rest & named) > 0
