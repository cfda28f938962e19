"""Clauses of a handoff that report as done what everybody who spoke of it left open."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.directives.closed_work import ClosedWork, is_left_open
from hermes_sessions.audit.notices.polarity import NO, TO_COME, YES, is_left, state
from hermes_sessions.audit.notices.support import Support
from hermes_sessions.audit.searchable_text import quotes_json
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.headings import PartKind, classify_heading
from hermes_sessions.audit.words.outcomes import FINISHED, UNFINISHED
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_LEAST: Final = 1.0
"""So much must the clause that leaves it open, and those beside it, name: one rare thing."""
_COVERED: Final = 0.5
_UNKNOWN: Final = 0.3
_ENOUGH: Final = 0.6
_FEW: Final = 3
_SPOKEN: Final = frozenset({Role.USER, Role.ASSISTANT})


def reported_too_early(
    claims: Sequence[Clause], index: ClauseIndex, rows: Sequence[AuditMessage]
) -> Iterator[Deviation]:
    """Yield clauses that report something as done that was last said to be open, and never to be done."""
    talk = _LastWords(rows)
    for claim in claims:
        if not claim.named or is_heading(claim.said.text) or not _reports(claim):
            continue
        if state(claim.said.text) == NO or TO_COME.search(claim.said.text) or quotes_json(claim.said.text):
            continue  # `written, not sent yet`
        place = _left_open(claim, index)
        if place is not None:
            said = index.said(place)
            yield Deviation(
                Grade.NOT_VERBATIM, "done", claim.text, claim.said.text, "left-open", said.text, said.text, said.message or None
            )  # fmt: skip
        elif (message := talk.left_open(claim.text)) is not None:
            yield Deviation(
                Grade.NOT_VERBATIM, "done", claim.text, claim.said.text, "left-open", "", "", message
            )


class _LastWords:
    """The last words of a talk about something, whoever said them: read once a clause asks."""

    def __init__(self, rows: Sequence[AuditMessage]) -> None:
        self._rows = rows

    @cached_property
    def _talk(self) -> ClosedWork:
        return ClosedWork(self._rows)

    def left_open(self, text: str) -> int | None:
        """Return the message that left open last what a clause reports as done."""
        if is_left_open(text) or UNFINISHED.search(text):
            return None
        if not (FINISHED.search(text) or read_stance(text) is Stance.DONE):
            return None
        terms = read_terms(text).all
        return self._talk.left_open(terms) if len(terms) >= _FEW else None


def _reports(claim: Clause) -> bool:
    """Return whether a clause says that its matter is done, or stands under a heading that does."""
    found = state(claim.text)
    return found == YES or (not found and classify_heading(claim.said.heading) is PartKind.DONE)


def _left_open(claim: Clause, index: ClauseIndex) -> int | None:
    """Return the place of the last clause that leaves open what a clause reports as done."""
    own = read_items(claim.text).all
    support = Support(read_items(claim.said.text).all | claim.named, index)
    weight = index.weight(own) + _UNKNOWN * sum(not index.knows(one) for one in own)
    near: dict[int, float] = {}
    for place in support.places:
        if index.said(place).is_question or index.said(place).speaker not in _SPOKEN:
            continue
        here = support.shared(place)
        shared = here | support.beside(place)
        is_named = any(map(_ID.search, here & own)) or index.weight(shared & own) >= weight * _COVERED
        if is_named and index.weight(shared) >= _LEAST:
            near[place] = index.weight(shared)
    best = max(near.values(), default=0.0)
    told = [place for place in sorted(near) if near[place] >= best * _ENOUGH]
    left = [place for place in told if is_left(index.text(place))]
    if not left:
        return None
    named = index.weight(support.shared(left[-1]) & own)
    done = (place for place in told if state(index.text(place)) == YES)
    return None if any(index.weight(support.shared(place) & own) >= named for place in done) else left[-1]


_ID: Final = late_pattern(r"[^\W\d].*\d|\d.*[^\W\d]")
"""A name with a digit in it is of one thing."""
