"""Values that a handoff gives as they were before something else took their place."""

from collections.abc import Iterator, Sequence

from hermes_sessions.audit.alignment.bindings import Bindings
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.slot_values import dates_of
from hermes_sessions.audit.alignment.timeline import Timeline
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.notices.nearer_values import KINDS, as_written
from hermes_sessions.audit.relations.replacing import tells_former


def replaced_since(claims: Sequence[Clause], bindings: Bindings, timeline: Timeline) -> Iterator[Deviation]:
    """Yield values in whose place another one came, which the handoff has nowhere."""
    written = frozenset[str]().union(*(claim.named for claim in claims)) | {
        slot.value for claim in claims for slot in bindings.read(claim) if slot.sort == "day"
    }
    for claim in claims:
        if tells_former(claim.text):
            continue
        for slot in (*bindings.read(claim), *dates_of(claim.text)):
            found = timeline.replacement(slot, claim, written - slot.items)
            if found is None:
                continue
            other, place = found
            origin = bindings.index.said(place)
            kind = KINDS.get(slot.sort, "number" if slot.value.startswith("#") else "value")
            yield Deviation(
                Grade.NOT_VERBATIM, kind, as_written(slot, claim.said.text), claim.said.text, "replaced-since",
                as_written(other, origin.text), origin.text, origin.message or None,
            )  # fmt: skip
