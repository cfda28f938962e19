"""What a handoff reports as done, and somebody asked for last: nothing that was said or called since speaks of it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.notices.polarity import TO_COME, YES, state
from hermes_sessions.audit.notices.support import NearClause, Support
from hermes_sessions.audit.relations.replacing import tells_former
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.outcomes import FINISHED
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST: Final = 12
_NEARLY: Final = 0.8
_PART: Final = 0.45
"""So much of what a clause is about the request has to name."""
_TOUCHED: Final = 0.4
"""What names so much of it since may have done it."""
_UNKNOWN: Final = 0.3
_STATES: Final = frozenset({"export-end", "user", "agent", "assistant"})
"""What tells of no matter: that something is at its end, and who is who."""
_AXES: Final = ("outcome:", "switch:", "answer:")
_ASKED: Final = sieve(
    r"\b(?:ask(?:s|ed)|wants?|wanted|request\w*|bat|bittet|wünscht\w*|demand\w+|pidi[óo]|pide|pediu|pede|chiest\w+|chiede|попрос\w+|прос[иия]т\w*|vroeg|vraagt|poprosi\w+|prosi)\b|要求|希望|依頼|요청",
    re.I,
)
ALREADY: Final = sieve(
    r"\b(?:already|by now|bereits|schon|inzwischen|déjà|já|già|уже|al ge\w+|reeds|już|zaten)\b|已|もう|済|이미",
    re.I,
)
"""Words that say that something has been done."""
_UNDONE: Final = late_pattern(r"\b(?:un\w{3,}ed|capped|limited|decided by)\b", re.I)
"""Participles that report no deed."""


def reported_though_asked_last(
    claims: Sequence[Clause], index: ClauseIndex, rows: Sequence[AuditMessage]
) -> Iterator[Deviation]:
    """Yield clauses that report as done what best fits the user's last message, and nothing after it."""
    last = max((row.id for row in rows if row.role == Role.USER and row.text), default=None)
    if last is None:
        return
    for claim in claims:
        if not claim.named or not _reports(claim):
            continue
        place = _asked_at(claim, index, last)
        if place is not None:
            said = index.said(place)
            yield Deviation(
                Grade.NOT_VERBATIM, "done", claim.text, claim.said.text, "asked-last", said.text, said.text, said.message or None
            )  # fmt: skip


def _reports(claim: Clause) -> bool:
    """Return whether a clause says outright that something has been done."""
    text = claim.text
    if is_heading(claim.said.text) or _ASKED.search(claim.said.text) or tells_former(claim.said.text):
        return False
    if not (FINISHED.search(text) or ALREADY.search(text)) or _UNDONE.search(text):
        return False
    return state(text) == YES and TO_COME.search(text) is None


def _asked_at(claim: Clause, index: ClauseIndex, last: int) -> int | None:
    """Return the place of the last message that names most of what a clause is about, and was not taken up."""
    about = frozenset(one for one in claim.named - _STATES if not one.startswith(_AXES))
    best = Support(about, index).best(_MOST)
    if not best:
        return None
    whole = index.weight(about) + _UNKNOWN * sum(not index.knows(one) for one in about)
    asked = next((one for one in best if _asks(one, index, last)), None)
    if asked is None or asked.score < max(best[0].score * _NEARLY, whole * _PART):
        return None
    for one in best:
        if index.message(one.place) > last and one.score >= best[0].score * _TOUCHED:
            return None
        is_others = index.message(one.place) != last and index.said(one.place).speaker != Role.USER
        if is_others and one.score >= asked.score * _NEARLY:
            return None
    return asked.place


def _asks(one: NearClause, index: ClauseIndex, last: int) -> bool:
    text = index.text(one.place)
    if index.message(one.place) != last or index.said(one.place).is_question:
        return False
    return state(text) != YES and FINISHED.search(text) is None
