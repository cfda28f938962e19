"""Exceptions that a handoff makes and nobody made: `apart from one trial text, nothing has gone out`."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.outcomes.unheard_deeds import language_beside
from hermes_sessions.audit.relations.statements import ToldSentences
from hermes_sessions.late_patterns import late_pattern

_EXCEPT: Final = late_pattern(
    r"(?:\b(?:apart from|except(?:ing)?(?: for)?|other than|save for|with the exception of|bis auf|außer|abgesehen von|mit Ausnahme (?:von|des|der)|sauf|à part(?!ir)|hormis|excepté|à l['’]exception d\w+|salvo|excepto|aparte de|a excepción de|tranne|eccetto|a parte(?= )|ad eccezione d\w+|exceto|à exceção d\w+|behalve|met uitzondering van|oprócz|poza|z wyjątkiem|кроме|за исключением)|除了)\s?([^,.;:()\n，。；]{3,80})"
    r"|([^,.;:()\n，。；、]{2,20})(?:以外|を除)",
    re.I,
)
_TWO: Final = 2


def unsaid_exceptions(
    claims: Sequence[Clause], index: ClauseIndex, told: ToldSentences
) -> Iterator[Deviation]:
    """Yield clauses that except something of which no sentence names two things together, nor the only one."""
    _, is_own = language_beside(claims, told)
    for claim in claims if is_own else ():
        match = None if is_heading(claim.said.text) else _EXCEPT.search(claim.text)
        if match is None:
            continue
        items = read_items(f"x {match[1] or match[2]}").all
        if items and not _is_said(items, index):
            yield Deviation(Grade.NOT_VERBATIM, "exception", claim.text, claim.said.text, "unsaid-exception")


def _is_said(items: frozenset[str], index: ClauseIndex) -> bool:
    """Return whether a sentence names two of *items*; one that is alone, whether it is named at all."""
    known = [one for one in sorted(items) if index.knows(one)]
    if len(items) < _TWO or len(known) < _TWO:
        return len(known) >= len(items)
    return any(len(items & index.in_sentence(place)) >= _TWO for one in known for place in index.places(one))
