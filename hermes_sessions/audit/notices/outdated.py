"""Values of a handoff in whose place another one came; in the very words that the handoff has it is certain by itself.

`The alarm is at 60 %` for `the alarm is at 57 % now`, where 60 % was said of it before and never since.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from hermes_sessions.audit.alignment.align import Alignment, Replaced
from hermes_sessions.audit.alignment.bindings import Bindings
from hermes_sessions.audit.alignment.items import items_of_word, read_items
from hermes_sessions.audit.alignment.slot_values import dates_of
from hermes_sessions.audit.alignment.turned_clauses import is_bent
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.newer_values import PROPOSAL
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.notices.nearer_values import KINDS, as_written
from hermes_sessions.audit.relations.replaced_values import FORMER_NUMBER
from hermes_sessions.audit.relations.replacing import tells_former
from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern

_MONTHS: Final = frozenset(item for month in MONTHS for item in items_of_word(month))
"""Part of the value: two days of one month are of one thing for other reasons."""
_WHY: Final = late_pattern(
    r"\b(?:why|how come|warum|wieso|weshalb|pourquoi|por qué|porqué|perché|come mai|por que|waarom|dlaczego|czemu"
    r"|почему|отчего|neden|niye|niçin)\b|为什么|为何|なぜ|どうして|왜",
    re.I,
)
"""What was so is to be explained; it may be otherwise by now."""

_COVERED: Final = 0.7
_THEIRS: Final = 0.3
_UNKNOWN: Final = 0.3


def outdated_values(aligned: Alignment) -> Iterator[Deviation]:
    """Yield values that were replaced, where the clause that has the new one is about just the same."""
    for one in aligned.replaced:
        said = one.claim.said
        if said.mode is Mode.PLANNED or tells_former(said.text) or FORMER_NUMBER.search(said.text):
            continue
        if one.old.sort == "person" or one.old.sort.startswith("code"):
            continue
        slots = (*aligned.bindings.read(one.claim), *dates_of(one.claim.text))
        about = one.claim.named.difference(_MONTHS, *(slot.items for slot in slots))
        if _is_of_same(about, one, aligned.bindings) and not _are_of_a_row(one, aligned.bindings):
            yield replaced_value(one, aligned, Grade.CONTRADICTS, "outdated")


def _are_of_a_row(found: Replaced, bindings: Bindings) -> bool:
    """Return whether both values number things of which there are several: mat 4, mat 5 and mat 6."""
    if not (found.old.value.startswith("#") and found.new.value.startswith("#")):
        return False
    noun = _noun_before(found.old.value[1:], found.claim.text)
    if not noun or noun != _noun_before(found.new.value[1:], bindings.index.text(found.place)):
        return False
    shape = re.compile(rf"(?<!\w){re.escape(noun)}s? (\d{{1,4}})(?!\w|[.,]\d)", re.I)
    places = (at for item in items_of_word(noun) for at in bindings.index.places(item))
    texts = {bindings.index.text(at) for at in islice(places, _MOST_PLACES)}
    return len({number for text in texts for number in shape.findall(text)}) >= _ROW


def _noun_before(number: str, text: str) -> str:
    found = re.search(rf"([^\W\d_]{{2,20}}) {re.escape(number)}(?!\w|[.,]\d)", text)
    return found[1].casefold() if found else ""


_ROW: Final = 3
_MOST_PLACES: Final = 120


def _is_of_same(about: frozenset[str], found: Replaced, bindings: Bindings) -> bool:
    """Return whether what a clause names beside its value stands with the new value, and stood with the old one."""
    old, other, place = found.old, found.new, found.place
    index = bindings.index
    if index.said(place).is_question or PROPOSAL.search(index.said(place).text):
        return False
    if old.items & read_items(index.said(place).text).all:
        return False  # both stand in one sentence: `4.7 % on floor 1, above 3 %`
    theirs = index.clause(place)
    rivals = [one for one in bindings.of_sort(place, other.sort) if one.value not in (other.value, old.value)]
    if rivals:
        return False
    shared = _shared(about, bindings.whole(place, other.sort) | theirs.named)
    if not shared or _weight(shared, bindings) < _weight(about, bindings) * _COVERED:
        return False
    rest = frozenset(one for one in theirs.named if not one.startswith("#"))
    if len(_shared(rest, about)) < len(rest) * _THEIRS:
        return False
    former = (
        [at for at in bindings.places(old) if at < place] if old.sort != "date" else index.places(old.value)
    )
    return any(_shared(about, index.clause(at).named | bindings.whole(at, old.sort)) for at in former)


def _shared(about: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in about if one in theirs or any(is_bent(one, other) for other in theirs))


def _weight(items: frozenset[str], bindings: Bindings) -> float:
    index = bindings.index
    return index.weight(items) + _UNKNOWN * sum(not index.knows(one) for one in items)


def replaced_since(aligned: Alignment) -> Iterator[Deviation]:
    """Yield values in whose place another one came, which the handoff has nowhere."""
    for one in aligned.replaced:
        if one.old.sort != "person" and not tells_former(one.claim.text) and not _is_to_be_explained(one):
            yield replaced_value(one, aligned, Grade.NOT_VERBATIM, "replaced-since")


def _is_to_be_explained(one: Replaced) -> bool:
    """Return whether a clause asks why the value was so: `find out why the invoice shows 10.07`."""
    found = _WHY.search(one.claim.text)
    return found is not None and as_written(one.old, one.claim.text) in one.claim.text[found.end() :]


def replaced_value(one: Replaced, aligned: Alignment, grade: Grade, how: str) -> Deviation:
    """Return where a handoff gives a value that was replaced, with the newer one."""
    origin, claim = aligned.bindings.index.said(one.place), one.claim.said.text
    kind = KINDS.get(one.old.sort, "number" if one.old.value.startswith("#") else "value")
    return Deviation(
        grade, kind, as_written(one.old, claim), claim, how,
        as_written(one.new, origin.text), origin.text, origin.message or None,
    )  # fmt: skip
