"""Hold the clauses of a handoff against those of everything before it that speak of the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.bindings import Bindings, misbound_values
from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause, cut_clauses, read_claims
from hermes_sessions.audit.alignment.crossings import binds_one_thing, crossed_clauses
from hermes_sessions.audit.alignment.directions import turned_ways
from hermes_sessions.audit.alignment.slot_values import SlotValue, dates_of, name_items
from hermes_sessions.audit.alignment.timeline import Timeline
from hermes_sessions.audit.alignment.turned_clauses import turned_clauses
from hermes_sessions.audit.alignment.twins import turned_twins
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.passages import Passage
from hermes_sessions.audit.relations.holders import addressed_people, doers_named, names_of_people
from hermes_sessions.audit.relations.name_shapes import names_by_mail, names_by_shape, names_of_places
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.audit.values import CompactionCase

_MOST_CLAIMS: Final = 400


class Replaced(NamedTuple):
    """A value of a handoff's clause, and what took its place in the transcript, and where."""

    claim: Clause
    old: SlotValue
    new: SlotValue
    place: int


@dataclass(frozen=True)
class Alignment:
    """The sentences of a handoff, their clauses, fine and coarse, and what every value stands with."""

    claims: Sequence[Statement]
    fine: Sequence[Clause]
    coarse: Sequence[Clause]
    bindings: Bindings
    people: frozenset[str] = frozenset()
    """Names that persons have in the transcript, in small letters."""

    @cached_property
    def timeline(self) -> Timeline:
        """The values of the transcript in the order in which they were said."""
        return Timeline(self.bindings)

    @cached_property
    def replaced(self) -> Sequence[Replaced]:
        """The values in whose place another one came, which the handoff has nowhere."""
        written = frozenset[str]().union(*(claim.named for claim in self.fine)) | {
            slot.value for claim in self.fine for slot in self.bindings.read(claim) if slot.sort == "day"
        }
        found = []
        for claim in self.fine:
            for slot in (*self.bindings.read(claim), *dates_of(claim.text)):
                new = self.timeline.replacement(slot, claim, written)
                if new is not None:
                    found.append(Replaced(claim, slot, *new))
        return found


def align(case: CompactionCase, passages: Sequence[Passage], told: ToldSentences) -> Alignment:
    """Cut a handoff into clauses, and find those of the transcript that name the same things."""
    claims = read_claims(passages)[:_MOST_CLAIMS]
    fine = [clause for claim in claims for clause in cut_clauses(claim)]
    coarse = [
        clause for claim in claims for clause in cut_clauses(claim, coarse=True) if binds_one_thing(clause)
    ]
    asked = frozenset[str]().union(*(clause.named for clause in (*fine, *coarse)))
    index = ClauseIndex(told, case.before, case.previous_handoffs, asked | _full_hours(asked))
    texts = _messages(told)
    people = names_of_people(told) | doers_named(told) | names_by_mail(texts)
    people |= names_by_shape(texts, [claim.text for claim in claims])
    people = people - names_of_places(texts) | addressed_people(told)
    return Alignment(claims, fine, coarse, Bindings(index, name_items(people)), people)


def _full_hours(asked: frozenset[str]) -> frozenset[str]:
    """Return the numbers that may be full hours, in the other way to write them: `8 Uhr` is 8:00."""
    bare = {one.removesuffix(":00") for one in asked}
    return frozenset(f"{one}{end}" for one in bare & _HOURS for end in ("", ":00"))


_HOURS: Final = frozenset(f"#{hour}" for hour in range(25))


def _messages(told: ToldSentences) -> Sequence[str]:
    """Return what was said, each message in one text."""
    return ["\n".join(one.text for one in said) for _, said in groupby(told, key=lambda one: one.message)]


def misaligned_clauses(found: Alignment, told: ToldSentences) -> Iterator[Deviation]:
    """Yield sentences of a handoff whose things belong otherwise in every clause that has them."""
    yield from crossed_clauses(found.fine, found.bindings.index)
    yield from crossed_clauses(found.coarse, found.bindings.index)
    yield from misbound_values(found.fine, found.bindings, found.timeline.has_replaced)
    yield from turned_ways(found.claims, told)
    yield from turned_twins(found.fine, found.bindings.index)
    yield from turned_clauses(found.fine, found.bindings.index)
