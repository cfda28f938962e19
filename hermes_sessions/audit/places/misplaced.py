"""Values of a handoff that its source has with something else: notes, no accusations."""

from collections.abc import Iterator, Sequence

from hermes_sessions.audit.alignment.align import Alignment
from hermes_sessions.audit.checking.asked_values import JudgedValue
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.places.denied_beside import denied_beside
from hermes_sessions.audit.places.last_values import last_values
from hermes_sessions.audit.places.other_names import other_names
from hermes_sessions.audit.places.swapped_figures import swapped_figures
from hermes_sessions.audit.sources.source_index import SourceIndex


def misplaced_values(
    aligned: Alignment, judged: Sequence[JudgedValue], source: SourceIndex
) -> Iterator[Deviation]:
    """Yield names and numbers that the source has with something else, and former values of settings.

    Args:
        aligned: the sentences of the handoff, and the clauses of its source.
        judged: its values.
        source: everything that was said, called and returned.
    """
    claims = aligned.claims
    yield from other_names(claims, judged, source)
    yield from last_values(claims, source.texts)
    yield from denied_beside(claims, source.texts)
    yield from swapped_figures(claims, aligned.bindings.index)
