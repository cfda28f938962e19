"""People of a handoff with what its source says of somebody else.

Each clause of a handoff that names one person is held against what its source says of every person. Where what
it speaks of, by itself or with the rest of its sentence, is said of another one and much less of it of this one,
one is in the place of the other. Two clauses near each other that have each other's are an exchange, which no
other words explain; nor do they where one clause of the source has several things of the handoff's clause, nearly
all, and the source has nothing of it for this person. All else is a note.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.align import Alignment
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.owners.people import OwnClause, People, Person, read_clauses
from hermes_sessions.audit.relations.replacing import replaces
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST: Final = 2_000
_TELLING: Final = 0.3
_SHARE: Final = 0.5
_LESS: Final = 0.5
_LATER: Final = 1.5
_AROUND: Final = 0.4
_UNKNOWN: Final = 0.3
_SEVERAL: Final = 2
_NEARLY_ALL: Final = 0.7
_HARDLY: Final = 0.2
_FEW: Final = 2
_LINES: Final = 2
_MOST_LINES: Final = 400
_NEAR_I: Final = 24
_WORDS: Final = late_pattern(r"[a-zß-ÿа-яё]{4}")
_FIRST_PERSON: Final = late_pattern(
    r"\bI\b|(?i:\b(?:me|my|we|our|ich|mir|mich|wir|je|moi|nous|yo|mí|nosotros|eu|nós|io|noi|я|мне|мы|ik|wij|jag|ben|ja)\b)|[我僕私]|저"
)
_I_AM: Final = late_pattern(
    r"(?i)\b(?:I['’]m|I am|my name is|this is|ich bin|ich heiße|hier(?: ist| spricht)?|je suis|je m['’]appelle|soy|me llamo|sou|sono|mi chiamo|ik ben|jestem|меня зовут|это|jag är)\s|我[是叫]"
)
_MAIL: Final = late_pattern(r"(?m)^\W*\"?(?:From|Von|De|Da|От|Van|Od|Från|Gönderen|发件人|差出人)\"?\s?[:：]")


class _Window(NamedTuple):
    """What a sentence says of somebody, the clause that names them, and its place."""

    at: int
    origin: OwnClause
    items: frozenset[str]


class _SaidOfAnother(NamedTuple):
    """A clause of a handoff, whom it names, and the source's clause that says it of another one."""

    at: int
    claim: OwnClause
    person: Person
    other: Person
    origin: OwnClause
    is_whole: bool
    """Whether the source's clause has several things of it, nearly all, and this person has nothing of it."""


def other_people(
    aligned: Alignment, told: ToldSentences, rows: Sequence[AuditMessage]
) -> Iterator[Deviation]:
    """Yield sentences of a handoff that give to one person what the source gives to another one."""
    told = ToldSentences(told[-_MOST:])
    people = People(aligned.people, [one.text for one in told], [one.text for one in aligned.claims])
    if len(people.people) < _FEW:
        return
    source: _Source | None = None
    found: list[_SaidOfAnother] = []
    for at, said in enumerate(aligned.claims):
        clauses = read_clauses(said, people)
        for place, claim in enumerate(clauses):
            if len(claim.people) == 1 and (
                claim.about or not _WORDS.search(people.without_names(claim.text))
            ):
                source = source or _Source(told, rows, people)
                around = [one for one in clauses if not one.people and one.before <= claim.people]
                beside = [one for one in clauses[max(0, place - 1) : place + 2] if one in around]
                own = claim.about or _about(beside[:1])
                found += _given_to_another(at, claim, own, _about(around), source)
    exchanged = {
        one
        for one in found
        for other in found
        if abs(one.at - other.at) <= 1 and (one.person, one.other) == (other.other, other.person)
        if one.person.is_sure and one.other.is_sure
    }
    for at in sorted({one.at for one in found}):
        here = [one for one in found if one.at == at]
        one = next((one for one in here if one in exchanged), here[0])
        text, origin = one.claim.said.text, one.origin.said
        yield Deviation(
            Grade.CONTRADICTS if one in exchanged or one.is_whole else Grade.NOT_VERBATIM, "name",
            people.as_written(one.person, one.claim.text) or text, text, "said-of-another",
            people.as_written(one.other, origin.text), origin.text, origin.message or None,
        )  # fmt: skip


class _Source:
    """What a transcript says of whom."""

    def __init__(self, told: ToldSentences, rows: Sequence[AuditMessage], people: People) -> None:
        self.surely: dict[Person, list[_Window]] = defaultdict(list)
        self._perhaps: dict[Person, list[_Window]] = defaultdict(list)
        self._people, self._rows = people, rows
        self._has_written: set[Person] = set()
        read = [clauses for said in told if (clauses := read_clauses(said, people))]
        self._counts = Counter(item for clauses in read for one in clauses for item in one.about)
        self._total = sum(map(len, read)) + 1
        speakers: set[Person] = set()
        spoken: list[_Window] = []
        last: Sequence[OwnClause] = ()
        of_last: frozenset[Person] = frozenset()
        for at, clauses in enumerate(read):
            said = clauses[0].said
            named = frozenset[Person]().union(*(one.people for one in clauses))
            for person in named:
                self._read_sentence(at, clauses, person, last, is_alone=len(named) == 1)
            if not named and last and last[0].said.message == said.message:
                named = of_last
                for person in named:
                    self._perhaps[person].append(_Window(at, clauses[0], _about(clauses)))
            if said.speaker == Role.USER:
                for match in _I_AM.finditer(said.text):
                    speakers |= people.named_in(said.text[match.end() : match.end() + _NEAR_I])
                if _FIRST_PERSON.search(said.text):
                    spoken.append(_Window(at, clauses[0], _about(clauses)))
            last, of_last = clauses, named
        for person in speakers:
            self._perhaps[person] += spoken

    def _read_sentence(
        self,
        at: int,
        clauses: Sequence[OwnClause],
        person: Person,
        last: Sequence[OwnClause],
        *,
        is_alone: bool,
    ) -> None:
        """Read what a sentence says of a person; an answer says what was asked, a correction what is corrected."""
        mine = [one for one in clauses if person in one.people]
        bare = [
            (place, one)
            for place, one in enumerate(clauses)
            if not one.people and (is_alone or not _FIRST_PERSON.search(one.text))
        ]
        beside = [
            one
            for place, one in bare
            if any(person in each.people for each in clauses[max(0, place - 1) : place + 2])
        ]
        about = _about([*mine, *([one for _, one in bare] if is_alone else beside)])
        is_answer = bool(last) and last[0].said.is_question
        if is_answer or (
            last and ((is_alone and not any(one.people for one in last)) or replaces(mine[0].said.text))
        ):
            about |= _about(last)
        self._perhaps[person].append(_Window(at, mine[0], about))
        alone = [one for one in mine if len(one.people) == 1]
        if alone and not mine[0].said.is_question:
            follows = [one for one in beside if one.before == {person}]
            self.surely[person].append(
                _Window(at, mine[0], about if is_answer else _about([*alone, *follows]))
            )

    def weight(self, item: str) -> float:
        """Return how telling an item is: 1 for a rare one, 0 for one that nobody names."""
        count = self._counts.get(item, 0)
        if not count or item.isdecimal() or "/" in item:
            return 0.0
        return log(self._total / count) / log(self._total)

    def perhaps(self, person: Person) -> Sequence[_Window]:
        """Return all that may be said of a person, what calls, results and mails have near their names with it."""
        if person not in self._has_written:
            self._has_written.add(person)
            for row in self._rows:
                texts = [row.handoff, *(call.arguments for call in row.calls)]
                if row.role == Role.TOOL or _MAIL.search(row.text):
                    texts.append(row.text)
                for text in (one.replace("\\n", "\n") for one in texts if one):
                    if any(one in text.casefold() for one in person.names):
                        self._perhaps[person] += self._lines_of(text, person, row)
        return self._perhaps[person]

    def _lines_of(self, text: str, person: Person, row: AuditMessage) -> Iterator[_Window]:
        is_mail = _MAIL.search(text) is not None
        lines = text.splitlines()[:_MOST_LINES]
        for at, line in enumerate(lines):
            near = "\n".join(lines[max(0, at - _LINES) : at + _LINES + 1]).casefold()
            if is_mail or any(one in near for one in person.names):
                for each in read_clauses(Statement(line, row.id, ""), self._people):
                    if not each.people or person in each.people:
                        yield _Window(0, each, each.about)


def _about(clauses: Sequence[OwnClause]) -> frozenset[str]:
    return frozenset[str]().union(*(one.about for one in clauses))


def _given_to_another(
    at: int, claim: OwnClause, mine: frozenset[str], around: frozenset[str], source: _Source
) -> Iterator[_SaidOfAnother]:
    """Yield who has in the source what a clause gives to somebody of whom much less of it is said."""
    person = next(iter(claim.people))
    own = {item: source.weight(item) for item in mine}
    wide = own | {item: source.weight(item) * _AROUND for item in around if item not in own}
    for weights in (own, wide):
        total = sum(weights.values()) + _UNKNOWN * sum(not one for one in own.values())
        if max(weights.values(), default=0.0) < _TELLING * (1 if weights is own else _AROUND):
            continue
        best: tuple[float, _Window, Person] | None = None
        for other, windows in source.surely.items():
            for one in windows if other != person and other.is_sure else ():
                score = _score(weights, one.items)
                if score >= total * _SHARE and (best is None or score > best[0]):
                    best = score, one, other
        if best is None:
            continue
        score, window, other = best
        known = max(
            (
                _score(weights, one.items) * (_LATER if one.at > window.at else 1)
                for one in source.perhaps(person)
            ),
            default=0.0,
        )
        if known >= score * _LESS:
            return
        said = window.origin.about
        is_whole = len(said & weights.keys()) >= _SEVERAL and _score(weights, said) >= total * _NEARLY_ALL
        is_sure = person.is_sure and known <= total * _HARDLY
        yield _SaidOfAnother(at, claim, person, other, window.origin, is_whole and is_sure)
        return


def _score(weights: Mapping[str, float], items: frozenset[str]) -> float:
    return sum(weight for item, weight in weights.items() if item in items)
