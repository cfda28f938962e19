"""People of a handoff with what its source says of somebody else.

Each clause of a handoff that names one person is held against all clauses of its source that name one, or
that follow one who is named in their sentence. Where what it speaks of is said of another person and nothing
of it of this one, one stands in the place of the other. Two clauses of a sentence that have each other's are
an exchange, which no other words explain.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import fsum, log
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.align import Alignment
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.owners.people import OwnClause, People, Person, read_clauses, spoken_in, spoken_of
from hermes_sessions.audit.relations.replacing import replaces
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST: Final = 2_000
_NEAR: Final = 3
_TELLING: Final = 0.3
_HALF: Final = 0.5
_MOST_OF: Final = 0.6
_COVERED: Final = 0.65
_UNKNOWN: Final = 0.6
_FEW: Final = 2
_LINES: Final = 2
_MOST_LINES: Final = 400
_FIRST_PERSON: Final = late_pattern(
    r"\b(?:I|I['’]\w+|me|my|we|our|ich|mir|mich|wir|je|moi|nous|yo|mí|nosotros|eu|nós|io|noi|я|мне|мы|ik|wij|jag|ben|ja)\b|[我僕私]|저"
)
_POINTS: Final = late_pattern(
    r"(?i)\b(?:it|this|that|them|those|these|es|das|dies|sie|ça|cela|lo|eso|esto|isso|это|его|её|их|dat|det|to)\b|这|那|它|それ|これ|그것"
)
_ANSWERS: Final = 3
_MAIL: Final = late_pattern(r"(?m)^\W*\"?(?:From|Von|De|Da|От|Van|Od|Från|Gönderen|发件人|差出人)\"?\s?[:：]")
_MUST: Final = late_pattern(
    r"(?i)\b(?:must|has to|have to|needs? to|should|first|before|muss|soll|erst|zuerst|bevor|doit|d['’]abord|avant|debe|tiene que|antes|primero|deve|tem de|tem que|primeiro|prima|должен|должна|сначала|moet|eerst|musi|najpierw|måste|först)\b|必须|先|要"
)


class _SaidOfAnother(NamedTuple):
    """A clause of a handoff, whom it names, and the source's clause that says it of another one."""

    claim: OwnClause
    person: Person
    other: Person
    origin: OwnClause
    shared: frozenset[str]
    share: float


def other_people(
    aligned: Alignment, told: ToldSentences, rows: Sequence[AuditMessage]
) -> Iterator[Deviation]:
    """Yield sentences of a handoff that give to one person what the source gives to another one."""
    told = ToldSentences(told[-_MOST:])
    people = People(aligned.people, [one.text for one in told])
    if len(people.people) < _FEW:
        return
    claims = [(at, one) for at, said in enumerate(aligned.claims) for one in read_clauses(said, people)]
    asked = [(at, one) for at, one in claims if len(one.people) == 1 and one.about]
    if not asked:
        return
    source = _Source(told, rows, people)
    found = [(at, one) for at, claim in asked if (one := _given_to_another(claim, source)) is not None]
    swapped = [
        one
        for at, one in found
        if any(_are_exchanged(one, other) and to - at in (0, 1, -1) for to, other in found)
    ]
    seen: set[str] = set()
    for _, one in found:
        if one.claim.said.text in seen:
            continue
        is_sure = one in swapped or _is_sure(one, source)
        if not is_sure and any(other in swapped and other.claim.said == one.claim.said for _, other in found):
            continue
        seen.add(one.claim.said.text)
        text, origin = one.claim.said.text, one.origin.said
        yield Deviation(
            Grade.CONTRADICTS if is_sure else Grade.NOT_VERBATIM, "name",
            people.as_written(one.person, one.claim.text) or text, text, "said-of-another",
            people.as_written(one.other, origin.text), origin.text, origin.message or None,
        )  # fmt: skip


class _Source:
    """The clauses of a transcript by whom they speak of."""

    def __init__(self, told: ToldSentences, rows: Sequence[AuditMessage], people: People) -> None:
        self.people = people
        self._rows = rows
        self.clauses = [
            one for said in told for one in read_clauses(said, people) if one.people or one.before
        ]
        self._told = told
        counts = Counter(item for one in self.clauses for item in one.about)
        self._counts: Mapping[str, int] = counts

    def weigh(self, items: frozenset[str]) -> float:
        """Return how telling *items* are together."""
        return fsum(map(self.weight, items))

    def weight(self, item: str) -> float:
        """Return how telling an item is: 1 for a rare one, 0 for one that nobody names."""
        count, total = self._counts.get(item, 0), len(self.clauses) + 1
        if not count or item.isdecimal() or "/" in item:
            return 0.0
        return log(total / count) / log(total) if total > _FEW else 1.0

    def supports(self, person: Person, claim: frozenset[str], items: frozenset[str], besides: Person) -> bool:
        """Return whether anything of *items*, or much of a clause, is said of a person, or by them, or by who speaks."""
        least = self.weigh(items) * _HALF
        return any(items & one or self.weigh(claim & one) >= least for one in self._of(person)) or any(
            items & one.about
            for one in self.clauses
            if besides not in one.people and one.said.speaker == Role.USER and _FIRST_PERSON.search(one.text)
        )

    def _of(self, person: Person) -> Sequence[frozenset[str]]:
        known = self._known.get(person)
        if known is None:
            known = self._known[person] = [*self._said_of(person), *self._written_of(person)]
        return known

    @cached_property
    def _known(self) -> dict[Person, Sequence[frozenset[str]]]:
        return {}

    def _said_of(self, person: Person) -> Iterator[frozenset[str]]:
        """Yield what is said in clauses that name a person, beside those, and in the sentences around without a name."""
        people = self.people
        last: Statement | None = None
        is_own = False
        for said in self._told:
            named = people.named_in(said.text)
            if person in named:
                yield from _own_clauses(read_clauses(said, people), person)
                if last is not None and (last.is_question or not people.named_in(last.text)):
                    yield spoken_of(last.text, people)
            elif not named and last is not None and last.message == said.message and is_own:
                yield spoken_of(said.text, people)
            is_own = person in named
            last = said

    def _written_of(self, person: Person) -> Iterator[frozenset[str]]:
        """Yield what results, calls and former handoffs have near a name; of a mail, all of it."""
        for row in self._rows:
            texts = [row.handoff, *(call.arguments for call in row.calls)]
            if row.role == Role.TOOL or _MAIL.search(row.text):
                texts.append(row.text)
            for text in (one.replace("\\n", "\n") for one in texts if one):
                if any(one in text.casefold() for one in person.names):
                    yield from self._lines_of(text, person, row)

    def _lines_of(self, text: str, person: Person, row: AuditMessage) -> Iterator[frozenset[str]]:
        is_mail = _MAIL.search(text) is not None
        lines = text.splitlines()[:_MOST_LINES]
        for at, line in enumerate(lines):
            near = "\n".join(lines[max(0, at - _LINES) : at + _LINES + 1]).casefold()
            if is_mail or any(one in near for one in person.names):
                for each in read_clauses(Statement(line, row.id, ""), self.people):
                    if not each.people or person in each.people:
                        yield each.about

    def turns_to(self, person: Person, origin: OwnClause) -> bool:
        """Return whether somebody names a person later, pointing at what was spoken of: `no, Kim does it`."""
        since = origin.said
        at = self._told.index(since)
        following = self._told[at + 1] if at + 1 < len(self._told) else since
        for one in self.clauses:
            if person not in one.people or one.said.message < since.message or one.said == since:
                continue
            is_next = one.said == following or one.said.message > since.message
            most = _ANSWERS if _POINTS.search(one.text) or replaces(one.said.text) else 0
            if len(one.about) <= most and (is_next or replaces(one.said.text)):
                return True
        return False


def _own_clauses(clauses: Sequence[OwnClause], person: Person) -> Iterator[frozenset[str]]:
    """Yield what is said in a sentence of a person: where they are named, beside it, or anywhere where nobody else is."""
    is_alone = len(frozenset[Person]().union(*(one.people for one in clauses))) == 1
    for at, one in enumerate(clauses):
        is_beside = any(person in other.people for other in clauses[max(0, at - 1) : at + 2])
        if person in one.people or (not one.people and (is_beside or is_alone)):
            yield one.about


def _given_to_another(claim: OwnClause, source: _Source) -> _SaidOfAnother | None:
    """Return who has in the source what a clause gives to somebody of whom nothing of it is said."""
    person = next(iter(claim.people))
    total = source.weigh(claim.about) + _UNKNOWN * _HALF * sum(not source.weight(one) for one in claim.about)
    best: _SaidOfAnother | None = None
    for one in source.clauses:
        holders = one.people or one.before
        if len(holders) != 1 or person in holders or one.said.is_question:
            continue
        other = next(iter(holders))
        shared = frozenset(item for item in claim.about & one.about if source.weight(item) >= _TELLING)
        if not other.is_sure or all(map(_is_of_date, shared)):
            continue
        share = source.weigh(shared) / total
        is_close = share >= (_HALF if len(shared) >= _FEW else _MOST_OF)
        if is_close and (best is None or share >= best.share):
            best = _SaidOfAnother(claim, person, other, one, shared, share)
    if best is None or is_negated(claim.text) != is_negated(best.origin.text):
        return None
    if source.supports(person, claim.about, best.shared, best.other) or source.turns_to(person, best.origin):
        return None
    return best


def _is_of_date(item: str) -> bool:
    return item.startswith("#") or item in _MONTHS


_MONTHS: Final = frozenset(item for month in MONTHS for item in spoken_in(month))


def _are_exchanged(one: _SaidOfAnother, other: _SaidOfAnother) -> bool:
    return one.person == other.other and one.other == other.person


def _are_told_apart(found: _SaidOfAnother, source: _Source) -> bool:
    """Return whether the sentence of the handoff and that of the source name both, each in a clause of their own."""
    return all(
        {found.person, found.other}
        <= {person for one in clauses if len(one.people) == 1 for person in one.people}
        for clauses in (read_clauses(each.said, source.people) for each in (found.claim, found.origin))
    )


def _is_sure(found: _SaidOfAnother, source: _Source) -> bool:
    """Return whether two things or more, nearly all that the clause names, are said of just one other person."""
    others = {
        person for one in source.clauses for person in one.people or one.before if found.shared & one.about
    }
    if others != {found.other} or not found.origin.people:
        return False
    if len(found.shared) >= _FEW:
        return found.share >= _COVERED
    if _are_told_apart(found, source):
        return found.share >= _COVERED
    is_demanded = _MUST.search(found.claim.text) is not None and _MUST.search(found.origin.text) is not None
    return is_demanded and found.share >= _COVERED
