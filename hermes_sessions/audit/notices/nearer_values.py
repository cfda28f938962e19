"""Values of a handoff that stand in its source nearer to something else.

Of what a clause of a handoff names one value is taken out. Where the rest stands together with another value
of the same sort, and nowhere as closely with this one, the value may be somebody else's. Summaries tell things
in other words and another order, so this is a note, never an accusation.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hermes_sessions.audit.alignment.bindings import Bindings
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import names_in
from hermes_sessions.audit.alignment.slot_values import SlotValue, is_like, is_of_one_sort
from hermes_sessions.audit.alignment.timeline import Timeline
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.notices.support import Support
from hermes_sessions.audit.sources.growth import is_grown_count
from hermes_sessions.late_patterns import late_pattern

_WRITTEN: Final = late_pattern(r"[^\s,;()（）「」、。\"'`*|]*[^\s,;()（）「」、。\"'`*|.:]")
_FEW: Final = 2
_MOST: Final = 16
_MOST_PLACES: Final = 120
_LEAST: Final = 0.5
_AS_CLOSE: Final = 0.95
KINDS: Final = {"day": "date", "clock": "time", "person": "name", "hash": "hash", "letter": "name"}


def nearer_values(
    claims: Sequence[Clause], bindings: Bindings, timeline: Timeline, firm: Mapping[str, Sequence[str]]
) -> Iterator[Deviation]:
    """Yield values whose words stand with another value of the sort, and nowhere so closely with this one.

    Args:
        claims: the clauses of the handoff.
        bindings: what every value of the source stands with.
        timeline: the values of the source in their order.
        firm: of each sentence the figures that its source has for just this.
    """
    for claim in claims:
        slots = bindings.read(claim)
        for slot in slots:
            if _is_firm(slot, claim, firm):
                continue
            rivals = frozenset[str]().union(
                *(one.items for one in slots if is_of_one_sort(one.sort, slot.sort))
            )
            if slot.sort == "person" and _is_alone(claim, slot, bindings):
                yield Deviation(Grade.NOT_VERBATIM, "name", claim.said.text, claim.said.text, "stands-alone")
            elif found := _nearer(claim, slot, rivals, bindings, timeline):
                other, origin = found
                kind = KINDS.get(slot.sort, "number" if slot.value.startswith("#") else "value")
                yield Deviation(
                    Grade.NOT_VERBATIM, kind, as_written(slot, claim.said.text), claim.said.text, "stands-nearer",
                    as_written(other, origin.said.text), origin.said.text, origin.said.message or None,
                )  # fmt: skip


def _is_firm(slot: SlotValue, claim: Clause, firm: Mapping[str, Sequence[str]]) -> bool:
    """Return whether the source has a value for just this."""
    text = claim.said.text
    if text not in firm or slot.sort == "person":
        return False
    value = as_written(slot, text)
    return any(value in one or one in value for one in firm[text])


def as_written(slot: SlotValue, text: str) -> str:
    """Return the word or number of *text* that a value is, the whole of it where none is."""
    for match in _WRITTEN.finditer(text):
        if slot.items & names_in(match.group()):
            return match.group()
    return text


def _is_alone(claim: Clause, slot: SlotValue, bindings: Bindings) -> bool:
    """Return whether nothing else of a clause stands near where a value of it stands."""
    known = sum(map(bindings.index.knows, claim.named - slot.items))
    if known < _FEW or bindings.count(slot) > _MOST_PLACES:
        return False
    support = Support(claim.named - slot.items, bindings.index)
    return max(map(support.score, bindings.places(slot)), default=0.0) <= 0.0


def _nearer(
    claim: Clause, slot: SlotValue, rivals: frozenset[str], bindings: Bindings, timeline: Timeline
) -> tuple[SlotValue, Clause] | None:
    index = bindings.index
    if not 0 < bindings.count(slot) <= _MOST_PLACES:
        return None
    places = bindings.places(slot)
    support = Support(claim.named - slot.items - rivals, index)
    own = max(map(support.score, places))
    here = frozenset(places)
    for near in support.best(_MOST):
        if near.score < max(_LEAST, own * _AS_CLOSE):
            return None
        if near.place in here:
            continue
        others = [one for one in bindings.slots(near.place) if _may_be(slot, one) and not one.items <= rivals]
        if others and index.clause(near.place).is_former and _has_grown(slot, others[0], claim):
            continue  # so much was counted when the older handoff was written
        if others:
            if (own > 0 and _is_newer(places, bindings.places(others[0]), bindings)) or timeline.has_replaced(
                slot, others[0], near.place
            ):
                return None
            return others[0], index.clause(near.place)
    return None


def _has_grown(slot: SlotValue, former: SlotValue, claim: Clause) -> bool:
    return is_grown_count(slot.value, former.value, claim.said.text)


def _may_be(one: SlotValue, other: SlotValue) -> bool:
    """Return whether one value can stand for the other: of one sort, or both codes of some shape."""
    return is_like(one, other) or (one.sort.startswith("code") and other.sort.startswith("code"))


def _is_newer(places: Sequence[int], former: Sequence[int], bindings: Bindings) -> bool:
    """Return whether a value was named last in a later message than the other one."""
    said = bindings.index.said
    last, other = (max((said(at).message for at in found), default=0) for found in (places, former))
    return last > other > 0
