"""Clauses that report as done what the talk last spoke of as open."""

from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.directives.closed_work import ClosedWork, is_left_open
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.outcomes import FINISHED, UNFINISHED
from hermes_sessions.audit.words.stances import Stance, read_stance

_FEW: Final = 3


def reported_too_early(claims: Sequence[Clause], rows: Sequence[AuditMessage]) -> Iterator[Deviation]:
    """Yield clauses that report something as done of which the last words before were that it is open."""
    talk: ClosedWork | None = None
    for claim in claims:
        text = claim.text
        if is_left_open(text) or UNFINISHED.search(text):
            continue
        if not (FINISHED.search(text) or read_stance(text) is Stance.DONE):
            continue
        terms = read_terms(text).all
        if len(terms) < _FEW:
            continue
        talk = talk or ClosedWork(rows)
        if (message := talk.left_open(terms)) is not None:
            yield Deviation(Grade.NOT_VERBATIM, "done", text, claim.said.text, "left-open", "", "", message)
