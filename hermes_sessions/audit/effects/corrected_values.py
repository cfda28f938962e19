"""Values that a later word corrects: replaced without being named again, or asked about and denied. Pure.

`Use port 8080`, then `no, make it 9090 instead`; `is the deadline 3 May?`, answered by `no, it is 5 May`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.relations.replacing import is_set_aside, without_change_words
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import DEEDS, read_terms
from hermes_sessions.audit.words.small_words import SMALL_WORDS
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.values import Fact, weigh
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.handoff import is_synthetic
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_KINDS: Final = frozenset(
    {
        *("port", "config", "version", "number", "money", "percentage", "duration", "date", "time"),
        *("host", "ip", "url", "email", "branch", "image", "id"),
    }
)
_COUNTED: Final = frozenset({"port", "number", "money", "percentage", "duration", "config", "version"})
"""Kinds of which a correction may give the bare number."""
_CORRECTS: Final = sieve(
    r"\b(?:instead|rather|actually|on second thoughts?|change of plans?|plans? (?:have |has )?changed|changed my mind|scratch that|correction|my mistake|i meant|i mean|sorry|wait|make (?:it|that|this|them)|(?:go|switch|change|move)(?: it| that| them)?(?: back)? to|(?:change|set|raise|lower|move) (?:\S+ ){1,4}to(?= \W?\d)|better|no longer)\b|^\W{0,3}(?:no|nope)\b[,:;!. ]"
    r"|\b(?:statt ?dessen|lieber|doch(?: lieber| besser| noch)?|planänderung|korrektur|ich meinte|besser|ändere?|änder|geändert|entschuldigung|sorry|moment|umgeplant)\b|^\W{0,3}(?:nein|nee)\b|\b(?:finalement|plutôt|à la place|changement de plan|je voulais dire|pardon|correction|en fait|change[zs]?|mets plutôt)\b|^\W{0,3}non\b"
    r"|\b(?:mejor|en (?:su|vez de eso|lugar de eso)|en realidad|cambio de planes?|perdón|quise decir|cámbial[oa]|más bien|cambia)\b|\b(?:na verdade|em vez disso|mudança de planos?|melhor|desculpa|quis dizer|muda|troca)\b|\b(?:anzi|invece|piuttosto|meglio|cambio di programma|scusa|volevo dire|in realtà|cambia\w*)\b"
    r"|\b(?:toch(?: maar| liever)?|liever|in plaats daarvan|eigenlijk|ik bedoelde|verander\w*|sorry)\b|^\W{0,3}nee\b|\b(?:jednak|lepiej|zamiast tego|zmiana planów|zmień)\b|\b(?:вместо этого|лучше|нет,|передумал\w*|планы изменились|изменение планов|на самом деле|извини\w*|измени|поменяй|давай лучше)|\b(?:yerine|aslında|daha iyisi|değiştir\w*|vazgeçtim)\b"
    r"|改成|改为|改用|换成|还是用|不对|不是这个|计划有变|やはり|やっぱり|代わりに|変更して|じゃなくて|訂正|대신|변경해|바꿔|아니[,요]|بدلا من ذلك|غيّر",
    re.I,
)
"""How somebody corrects what was said before."""
_NO: Final = late_pattern(
    r"^\W{0,3}(?:no|nope|nah|not (?:quite|really|exactly)|nein|nee|nicht ganz|non|pas (?:tout à fait|exactement|vraiment)|não|нет|не совсем|nie|hayır)\b(?! (?:problem|worries|trouble|issue|doubt|problema|probleem))"
    r"|^\W{0,3}(?:不是|不对|不，|不,|いいえ|違います|아니|لا[,، ])",
    re.I,
)
_WHETHER: Final = late_pattern(
    r"^\W{0,3}(?:(?:so|and|or|und|et|y|e) )?(?:is|are|was|were|isn['’]t|aren['’]t|wasn['’]t|ist|sind|war|waren|est|était|es|era|è|é|são|czy|это|does|do|did|doesn['’]t|didn['’]t)\b|[吗か][?？]|^\W{0,3}(?:le|la|el|il|o|a|der|die|das|порт|срок)\b",
    re.I,
)
"""A question that is answered by yes or no."""
_ASKS_FOR: Final = late_pattern(
    r"^\W{0,3}(?:please|can|could|will|would|kannst|könntest|könnt|würdest|peux|pourrais|pouvez|pourriez|puedes|podrías|podes|poderia|puoi|potresti|kun|kunt|możesz|можешь|можете|能|可以|请)",
    re.I,
)
_SENTENCES: Final = SentenceCut(r"(?<=[.!?])\s+|(?<=[。！？])|\n")
_NUMBER: Final = late_pattern(
    r"(?<![\w.,:/#-])\d[\d.,]*\d(?![\w/:-])|(?<![\w.,:/#-])\d(?![\w/:-]|[.,]\d)|(?<=[\u3040-\ud7ff])\d+"
)
_MOST_CHARS: Final = 400
_MOST_GIVEN: Final = 400
_NEAR: Final = 2
"""So many requests back a correction reaches that does not name its thing."""

_Place = tuple[int, int]


class _GivenValue(NamedTuple):
    """A value that somebody gave: the row, the place of its fact in it, -1 for one that was added."""

    row: int
    place: int
    fact: Fact


@dataclass(slots=True)
class ValueCorrections:
    """What corrections did to facts, each named by its message and its place there.

    Attributes:
        spent: values that hold no longer.
        weights: by message, what values weigh that the answer to a question gave, by their places.
        added: by message, values that only the words around them make a fact.
    """

    spent: set[_Place] = field(default_factory=set)
    weights: dict[int, dict[int, float]] = field(default_factory=dict)
    added: dict[int, list[Fact]] = field(default_factory=dict)

    def read(self, row: AuditMessage, read: Callable[[AuditMessage], Sequence[Fact]]) -> Sequence[Fact]:
        """Return the facts of a row as corrected; those that were added come last."""
        found, added = read(row), self.added.get(row.id)
        if weights := self.weights.get(row.id):
            found = [
                fact._replace(weight=weights.get(place, fact.weight)) for place, fact in enumerate(found)
            ]
        return [*found, *added] if added else found


def find_corrections(rows: Sequence[AuditMessage], facts: Sequence[Sequence[Fact]]) -> ValueCorrections:
    """Return what later words of *rows* did to the values before them; *facts* are those of each row."""
    walk = _CorrectionWalk(rows, facts)
    for at, row in enumerate(rows):
        walk.meet(at, row)
    return walk.found


class _CorrectionWalk:
    def __init__(self, rows: Sequence[AuditMessage], facts: Sequence[Sequence[Fact]]) -> None:
        self.found = ValueCorrections()
        self._rows = rows
        self._facts = facts
        self._given: list[_GivenValue] = []
        self._requests: list[int] = []

    def meet(self, at: int, row: AuditMessage) -> None:
        if row.role not in (Role.USER, Role.ASSISTANT) or not row.text.strip() or is_synthetic(row.text):
            return
        if row.is_request:
            for sentence in _sentences(row.text):
                if not _asks(sentence) and _CORRECTS.search(sentence):
                    self._correct(at, sentence)
            self._requests.append(at)
        if "?" in row.text or "？" in row.text:
            self._answer(at, row)
        self._given += [
            _GivenValue(at, place, fact) for place, fact in enumerate(self._facts[at]) if fact.kind in _KINDS
        ]

    def _correct(self, at: int, sentence: str) -> None:
        """Note that a sentence of a request gives one value of before another one."""
        fresh, aside = _values_in(sentence, self._facts[at])
        for old in aside:
            self._spend(old.fact.value, at)
        if aside or len(fresh) != 1:
            return
        new = fresh[0]
        former = self._former(at, sentence, new.fact)
        if former is not None and _plain(former.value) != _plain(new.fact.value):
            self._spend(former.value, at)
            self._add(at, new, former, sentence)

    def _former(self, at: int, sentence: str, new: Fact) -> Fact | None:
        named = _named(sentence, new.value)
        near = set(self._requests[-_NEAR:])
        held = [
            one
            for one in self._given[-_MOST_GIVEN:]
            if self._rows[one.row].role == Role.USER and _is_alike(one.fact, new) and not self._is_spent(one)
        ]
        if named:
            held = [one for one in held if _are_named(named, _named(_around(one.fact), one.fact.value))]
        else:
            held = [one for one in held if one.row in near]
        values = {_plain(one.fact.value) for one in held}
        return held[-1].fact if len(values) == 1 else None

    def _is_spent(self, one: _GivenValue) -> bool:
        return (self._rows[one.row].id, one.place) in self.found.spent

    def _spend(self, value: str, before: int) -> None:
        """Note that a value holds no longer, wherever it was said before."""
        for one in self._given:
            if one.row < before and _plain(one.fact.value) == _plain(value):
                key = self._rows[one.row].id
                self.found.spent.add((key, one.place))
                if one.place < 0:
                    left = [each for each in self.found.added.get(key, ()) if each.value != one.fact.value]
                    self.found.added[key] = left

    def _add(self, at: int, new: "_GivenValue", former: Fact, sentence: str) -> None:
        """Note the value that holds now, as what the former one was."""
        key, weight = self._rows[at].id, max(former.weight, weigh(former.kind, Role.USER))
        if new.place >= 0 and new.fact.kind == former.kind:
            if new.fact.weight < weight:
                self.found.weights.setdefault(key, {})[new.place] = weight
            return
        value = _with_number(former.value, new.fact.value)
        fact = Fact(
            former.kind,
            former.key,
            value,
            sentence[:_MOST_CHARS],
            self._rows[at].role,
            weight,
            (0, len(value)),
        )
        self.found.added.setdefault(key, []).append(fact)
        self._given.append(_GivenValue(at, -1, fact))

    def _answer(self, at: int, row: AuditMessage) -> None:
        """Note the values of a question that the next answer denies."""
        answer = next(
            (one for one in range(at + 1, min(at + 1 + _REACH, len(self._rows))) if self._answers(row, one)),
            None,
        )
        if answer is None:
            return
        told = self._rows[answer].text
        first = next(iter(_sentences(told)), "")
        for sentence in _sentences(row.text):
            if not _asks(sentence) or _ASKS_FOR.match(sentence):
                continue
            asked = [
                (place, fact)
                for place, fact in enumerate(self._facts[at])
                if fact.kind in _KINDS and fact.value in sentence
            ]
            for place, fact in asked:
                if fact.value in told:
                    continue
                instead = self._instead(answer, fact, told)
                if _NO.match(first) or (instead is not None and _WHETHER.search(sentence)):
                    self.found.spent.add((row.id, place))
                    if instead is not None:
                        self._add(answer, instead, fact, instead.fact.text or first)

    def _answers(self, row: AuditMessage, at: int) -> bool:
        other = self._rows[at]
        return (
            other.role in (Role.USER, Role.ASSISTANT) and other.role != row.role and bool(other.text.strip())
        )

    def _instead(self, at: int, asked: Fact, told: str) -> _GivenValue | None:
        """Return the one value of an answer that is of the kind asked about."""
        lead = " ".join(list(_sentences(told))[:2])
        fresh, _ = _values_in(lead, self._facts[at])
        alike = [one for one in fresh if _is_alike(asked, one.fact)]
        return alike[0]._replace(row=at) if len({_plain(one.fact.value) for one in alike}) == 1 else None


_REACH: Final = 12
"""So many rows behind a question its answer is looked for: calls and results may stand between."""


def _sentences(text: str) -> Iterator[str]:
    return (one.strip()[:_MOST_CHARS] for one in _SENTENCES.split(text[:4_000]) if one.strip())


def _asks(sentence: str) -> bool:
    return sentence.rstrip(" *_`\"'»”)").endswith(("?", "？", "؟"))


def _values_in(sentence: str, facts: Sequence[Fact]) -> tuple[list[_GivenValue], list[_GivenValue]]:
    """Return the values that a sentence gives, and those that it sets aside; bare numbers among them."""
    held = {
        fact.value: _GivenValue(0, place, fact)
        for place, fact in enumerate(facts)
        if fact.kind in _KINDS and fact.value in sentence
    }
    rest = sentence
    for value in sorted(held, key=len, reverse=True):
        rest = rest.replace(value, " ")
    for number in dict.fromkeys(_NUMBER.findall(rest)):
        held[number] = _GivenValue(0, -1, Fact("", "", number, sentence, "", 0.0, (0, 0)))
    aside = [one for value, one in held.items() if is_set_aside(value, sentence)]
    return [one for one in held.values() if one not in aside], aside


def _is_alike(old: Fact, new: Fact) -> bool:
    """Return whether one value may stand in the place of the other: of one kind and, of counts, of one unit."""
    if not new.kind:
        return old.kind in _COUNTED and len(_NUMBER.findall(old.value)) == 1
    if old.kind != new.kind:
        return False
    if old.kind == "number":
        return _unit(old.value) == _unit(new.value)
    return old.kind != "config" or old.key == new.key


def _unit(value: str) -> str:
    return _NUMBER.sub("", value).strip().casefold().rstrip("s")


def _plain(value: str) -> str:
    return value.casefold().replace(",", "").strip()


def _with_number(former: str, number: str) -> str:
    """Return a former value with another number: `45 seconds` for `30 seconds`."""
    if not _NUMBER.fullmatch(number):
        return number
    return _NUMBER.sub(number, former, count=1)


def _around(fact: Fact) -> str:
    """Return the sentence of a fact's line that has its value."""
    return next((one for one in _sentences(fact.text) if fact.value in one), fact.text)


def _are_named(wanted: frozenset[str], told: frozenset[str]) -> bool:
    """Return whether one sentence names half of what another one names, or more."""
    return len(wanted & told) * 2 >= max(len(wanted), 1)


@lru_cache(maxsize=4_096)
def _named(sentence: str, value: str) -> frozenset[str]:
    """Return the things that a sentence names beside its value and its words of change."""
    rest = without_change_words(_CORRECTS.sub(" ", sentence.replace(value, " ")))
    terms = read_terms(rest)
    words = terms.things | terms.words | (terms.deeds & DEEDS)
    return frozenset(one for one in words if len(one) > 1) - SMALL_WORDS - _SAID_OF_ANY


_SAID_OF_ANY: Final = frozenset({"use", "change", "no", "yes", "user", "plan", "now", "pleas"})
