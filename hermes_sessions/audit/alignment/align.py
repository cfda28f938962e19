"""Hold the clauses of a handoff against those of everything before it that speak of the same."""

from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.bindings import Bindings, misbound_values
from hermes_sessions.audit.alignment.clauses import ClauseIndex, cut_clauses, read_claims
from hermes_sessions.audit.alignment.crossings import binds_one_thing, crossed_clauses
from hermes_sessions.audit.alignment.directions import turned_ways
from hermes_sessions.audit.alignment.slot_values import name_items
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.passages import Passage
from hermes_sessions.audit.relations.holders import names_of_people
from hermes_sessions.audit.relations.statements import ToldSentences
from hermes_sessions.audit.values import CompactionCase

_MOST_CLAIMS: Final = 400


def misaligned_clauses(
    case: CompactionCase, passages: Sequence[Passage], told: ToldSentences
) -> Iterator[Deviation]:
    """Yield sentences of a handoff whose things belong otherwise in every clause that has them."""
    claims = read_claims(passages)[:_MOST_CLAIMS]
    fine = [clause for claim in claims for clause in cut_clauses(claim)]
    coarse = [
        clause for claim in claims for clause in cut_clauses(claim, coarse=True) if binds_one_thing(clause)
    ]
    asked = frozenset[str]().union(*(clause.named for clause in (*fine, *coarse)))
    index = ClauseIndex(told, case.before, case.previous_handoffs, asked)
    yield from crossed_clauses(fine, index)
    yield from crossed_clauses(coarse, index)
    yield from misbound_values(fine, Bindings(index, name_items(names_of_people(told))))
    yield from turned_ways(claims, told)
