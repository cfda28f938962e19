"""What the agent offered and the user refused, and a handoff reports or orders: `the package is held at its version`."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause, cut_told
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import is_heading
from hermes_sessions.audit.notices.polarity import NO, YES, denial, denied_items, is_bare_no
from hermes_sessions.audit.outcomes.deed_families import has_condition, is_reported, lead_of
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.messages import Role

_OFFERS: Final = sieve(
    r"\b(?:could|would|shall|should|can|might|sugges\w+|propos\w+|offer\w*|want me to|recommend\w*|könnte\w*|kann|soll|würde|vorschl\w+|schlag\w*|empf[ei]\w+|pourrais|peux|pouvons|conseil\w*|puedo|podría\w*|propon\w+|sugier\w+|suger\w+|recom[ie]\w+|posso|potrei|consigli\w+|poderia|kan|zou|stel|mógłbym|mogłabym|mogę|propon\w+|могу|мог(?:ла)? бы|предлаг\w+|стоит|ayudaría|aiderait)\b|可以|建议|ましょうか|できます|提案|案です|할까요|제안",
    re.I,
)
_LEAST: Final = 2
_ENOUGH: Final = 0.5


class _Refusal(NamedTuple):
    """What was offered, the sentence that refuses it, and what that one denies."""

    offered: frozenset[str]
    said: Statement
    denied: frozenset[str]


def refused_offers(claims: Sequence[Clause], index: ClauseIndex, told: ToldSentences) -> Iterator[Deviation]:
    """Yield clauses that report or order what the user refused when it was offered, and nobody took up again."""
    refusals = [*_refusals(told)]
    for claim in claims if refusals else ():
        items = read_items(claim.text).all
        if is_heading(claim.said.text) or not _is_said_to_be(claim):
            continue
        for one in reversed(refusals):
            shared = items & one.offered
            is_same = len(shared) >= _LEAST and not one.denied.isdisjoint(items)
            if (
                is_same
                and index.weight(shared) >= _ENOUGH * index.weight(items)
                and not _is_taken_up(one, shared, told)
            ):
                yield Deviation(
                    Grade.NOT_VERBATIM, "choice", claim.text, claim.said.text, "refused-offer", one.said.text,
                    one.said.text, one.said.message or None,
                )  # fmt: skip
                break


def _is_said_to_be(claim: Clause) -> bool:
    """Return whether a clause reports or orders something, and neither its sentence nor its heading bars it."""
    said = claim.said
    if not is_reported(claim.text) or _OFFERS.search(said.text) or denial(claim.whole) != YES:
        return False
    lead = said.text[: max(0, said.text.find(claim.text))]
    return not has_condition(lead_of(claim)) and not any(
        denial(one) == NO for one in (lead, said.heading) if one
    )


def _refusals(told: ToldSentences) -> Iterator[_Refusal]:
    """Yield the offers of the agent that the user's next message refuses."""
    offers: list[Statement] = []
    message = 0
    for said in told:
        if said.message != message and said.speaker == Role.ASSISTANT:
            offers = []
        message = said.message
        if said.speaker == Role.ASSISTANT and _OFFERS.search(said.text):
            offers.append(said)
        elif said.speaker == Role.USER and offers:
            for offer in offers:
                offered = read_items(offer.text).all
                if denied := _denied(said.text, offered):
                    yield _Refusal(offered, said, denied)


def _denied(text: str, offered: frozenset[str]) -> frozenset[str]:
    """Return what a sentence of the user denies of what was offered."""
    found = frozenset[str]()
    for clause, _ in cut_told(text):
        if denial(clause) == NO and not is_bare_no(clause):
            found |= denied_items(clause)[0] & offered
    return found


def _is_taken_up(refusal: _Refusal, shared: frozenset[str], told: ToldSentences) -> bool:
    """Return whether somebody speaks of it later and denies nothing."""
    later = (one for one in told.sharing(shared, _LEAST) if one.message > refusal.said.message)
    return any(denial(one.text) != NO for one in later)
