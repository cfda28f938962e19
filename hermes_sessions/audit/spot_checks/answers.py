"""Clauses of a handoff that say yes where a question about the same was answered with no, or no for yes."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.notices.polarity import NO, YES, denial
from hermes_sessions.audit.notices.support import Support
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST: Final = 6
_LEAST: Final = 1.0
_PART: Final = 0.6
"""So much of what a clause names the question has to name."""
_UNKNOWN: Final = 0.4
_FEW: Final = 3
_SHORT: Final = 4
"""A clause of fewer words, or signs, is an entry of a list."""
_NO: Final = late_pattern(
    r"\W*(?:(?:no|not|nope|nein|nicht|kein\w*|non|pas|não|nee|niet|geen|нет|не|nie)\b|不|没|いいえ|ない|아니|안 )",
    re.I,
)
_YES: Final = late_pattern(
    r"\W*(?:(?:yes|yep|yeah|ja|jawohl|oui|sí|si|sim|sì|да|tak)\b|是的|对[，。]|はい|네[,. ])", re.I
)

_REFUSED: Final = late_pattern(
    r"\b(?:refus\w+|reject\w+|declin\w+|turned down|abgelehnt|verworfen|écarté\w*|rechazad\w+|descartad\w+|recusad\w+|rifiutat\w+|scartat\w+|respint\w+|afgewezen|afgeslagen|odrzucon\w+|отклон\w+|отказ\w+|avböj\w+|avslag\w*|reddedil\w+)"
    r"|拒绝|否决|不采纳|却下|断[らっり]|거절|رفض|अस्वीकार",
    re.I,
)
"""A clause that says that something was refused."""


def answered_otherwise(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield clauses that a question names, where the other one's answer begins with the opposite word."""
    for claim in claims:
        signs = denial(claim.text)
        if len(signs) != 1 or is_heading(claim.said.text) or _is_entry(claim.text):
            continue
        whole = index.weight(claim.named) + _UNKNOWN * sum(not index.knows(one) for one in claim.named)
        if whole < _LEAST:
            continue
        for near in Support(claim.named, index).best(_MOST):
            question = index.said(near.place)
            if not question.is_question or near.score < whole * _PART:
                continue
            answer = _answer_to(question, index)
            if answer is None or not _is_opposite(index.text(answer), is_no=signs == NO):
                continue
            said = index.said(answer)
            if signs != NO and _REFUSED.search(claim.text):
                continue  # it tells the no
            both = f"{question.text} {said.text}"
            yield Deviation(
                Grade.NOT_VERBATIM, "negation", claim.text, claim.said.text, "answered", said.text, both, said.message or None
            )  # fmt: skip
            break


def _is_entry(text: str) -> bool:
    return len(text.split()) < _FEW and (text.isascii() or len(text) < _SHORT)


def _answer_to(question: Statement, index: ClauseIndex) -> int | None:
    """Return the place of the first clause that the other one says next."""
    if question.speaker not in (Role.USER, Role.ASSISTANT):
        return None
    here = next(index.after(question.message), None)
    if here is None or index.said(here).speaker not in (Role.USER, Role.ASSISTANT):
        return None
    return here if index.said(here).speaker != question.speaker else None


def _is_opposite(answer: str, *, is_no: bool) -> bool:
    if is_no:
        return _YES.match(answer) is not None and denial(answer) == YES
    return _NO.match(answer) is not None and denial(answer) != YES
