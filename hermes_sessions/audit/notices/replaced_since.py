"""Values that a handoff gives as they were before something else took their place."""

from collections.abc import Iterator

from hermes_sessions.audit.alignment.align import Alignment, Replaced
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.notices.nearer_values import KINDS, as_written
from hermes_sessions.audit.relations.replacing import tells_former


def replaced_since(aligned: Alignment) -> Iterator[Deviation]:
    """Yield values in whose place another one came, which the handoff has nowhere."""
    for one in aligned.replaced:
        if not tells_former(one.claim.text):
            yield replaced_value(one, aligned, Grade.NOT_VERBATIM, "replaced-since")


def replaced_value(one: Replaced, aligned: Alignment, grade: Grade, how: str) -> Deviation:
    """Return where a handoff gives a value that was replaced, with the newer one."""
    origin, claim = aligned.bindings.index.said(one.place), one.claim.said.text
    kind = KINDS.get(one.old.sort, "number" if one.old.value.startswith("#") else "value")
    return Deviation(
        grade, kind, as_written(one.old, claim), claim, how,
        as_written(one.new, origin.text), origin.text, origin.message or None,
    )  # fmt: skip
