"""Whether a handoff reports, asks for or allows what a rule forbids, or turns its bound round."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.audit.checking.passages import read_passages
from hermes_sessions.audit.exchanges.degree_words import DEGREES
from hermes_sessions.audit.exchanges.degrees import Degree, read_degrees
from hermes_sessions.audit.relations.bans import (
    PROHIBITS,
    SaidPart,
    frees,
    gives_reason,
    is_about,
    is_ban,
    read_clauses,
    read_parts,
    touches,
)
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, read_handoff, read_transcript
from hermes_sessions.audit.values import CompactionCase
from hermes_sessions.audit.words.concepts import DEEDS, SentenceTerms, is_of_signs, read_terms
from hermes_sessions.audit.words.keeping import KEEPS
from hermes_sessions.audit.words.modality import Modality, read_modality
from hermes_sessions.audit.words.wording import DONE
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.values import Fact
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.messages import Role

_ENOUGH: Final = 0.6
_ENOUGH_SIGNS: Final = 0.5
_HEAD: Final = 4
_OF_VALUES: Final = frozenset(
    "port ports puerto porta poort порт versio versi versió versão host hosts server branch addres adress адрес ip nummer number numero date anyth anymor ever again service dienst"
    " portu portun porci porcie порту порта порте ポート 端口 포트 バージョン 版本 file folder database table".split()
)
"""What names the sort of a value, and nothing that is done with it."""
_USED: Final = (
    "use",
    "gebrui",
    "run",
    "使",
    "forbid",
    "verbot",
    "interd",
    "prohib",
    "vietat",
    "proib",
    "запре",
    "off",
    "limit",
    "taboo",
    "tabu",
    "allow",
)
_KIN: Final = (frozenset({"write", "send", "disclose", "answer"}), frozenset({"pay", "book", "order"}))
"""Deeds that one word forbids: who must not be written to is sent nothing."""
_CHANGES: Final = frozenset(
    "delete deploy restart migrate write install push merge commit change upgrade rename refactor fix".split()
)
"""Deeds of which each changes its thing: what must not be touched."""
_BOUND: Final = "bound"
_TO_USE: Final = frozenset(
    {"use", "run", "change", "write", "send", "deploy", "push", "commit", "book", "pay"}
)
_IN_USE: Final = sieve(
    r"\b(?:pick(?:s|ed)?|chos(?:e|en)|choose[sn]?|select(?:s|ed)?|listen(?:s|ing)?|bound|binds?|runs?|ran|running|set|serves?|served|tak(?:es?|en)|took|in use|goes|went|moved|opened|gewählt|wählt\w*|lauscht|läuft|laufen|gestartet|genommen|eingestellt|gesetzt|belegt"
    r"|choisi\w*|écoute\w*|tourne\w*|pris\w*|réglé\w*|démarré\w*|elegid\w+|escucha\w*|corre|tomad\w+|pues?t[oa]|escolhid\w+|escuta\w*|roda|scelt\w+|ascolta\w*|gira|avviat\w+|gekozen|luistert|draait|gestart|gezet|wybran\w+|ustawion\w+|działa|выбран\w*|слуша\w+|запущен\w*|работает)\b|选|選|监听|监聽|启动|運行|运行|使われ|起動|待ち受け|선택|실행",
    re.I,
)
"""How a value is told to be in use."""
_DENIES_ELSEWHERE: Final = sieve(
    r"नहीं|(?<!\w)(?:न|मत)(?!\w)|\b(?:ikke|ikkje|aldri|aldrig|inte|ej|ingen|inga|inget|nikdy|není|nesmí\w*|nelze|zakázán\w*|älä|älkää|eivät|ei|ikinä|kielletty\w*|nem|soha|tilos|nu|niciodată|interzis\w*|δεν|μην|ποτέ|απαγορεύ\w+|ніколи|заборонен\w*|không|đừng|cấm|jangan|tidak|dilarang|asla|yok|yasak\w*|değil|hiç\w*|niet|geen|nooit|nigdy|nie)\b"
    r"|\w{2,}(?:m[ae]y[ae]\w*|m[ae]m[ae]l[ıi]\w*|m[ae]z\w*|m[ae]s[ıi]n\w*|m[ae]d[ıi]\w*)\b|ห้าม|ไม่|\b(?:לא|אל|אסור)\b",
    re.I,
)
"""How languages deny of which only few words are read."""


class BrokenRules:
    """The handoffs of one compaction, asked for the opposite of a rule.

    A rule that one of their sentences says as well, or limits, is not broken; nor is one whose deed
    somebody asked for, or told of, after the rule was set.
    """

    def __init__(self, case: CompactionCase, handoffs: Sequence[str]) -> None:
        self._case = case
        self._handoffs = handoffs
        self._known: dict[str, bool] = {}

    def breaks(self, rule: Fact, rows: Sequence[int]) -> bool:
        """Return whether the handoffs have the opposite of *rule*, said in these rows."""
        known = self._known.get(rule.value)
        if known is None:
            known = self._known[rule.value] = self._breaks(rule, min(rows, default=0))
        return known

    def _breaks(self, rule: Fact, message: int) -> bool:
        said = Statement(rule.value, message, rule.speaker)
        if said.is_question or not any(self._handoffs):
            return False
        return any(self._breaks_ban(ban, rule) for ban in _bans(said)) or self._turns_bound(rule.value)

    def _breaks_ban(self, ban: SaidPart, rule: Fact) -> bool:
        exact = _exact(ban.terms)
        near = [part for part in self._parts if _is_near(part, ban, exact)]
        if _is_of_use(ban.terms, exact):
            near = [part for part in near if not gives_reason(part, ban)]
        if not near or any(_bars(part, ban, exact) for part in self._parts):
            return False
        return not self._is_freed(ban)

    def _is_freed(self, ban: SaidPart) -> bool:
        """Return whether somebody did, asked for or allowed later what *ban* forbids."""
        later = (said for said in self._told.sharing(ban.terms.all) if said.message > ban.said.message)
        return any(frees(part, ban) for said in later for part in read_clauses(said))

    def _turns_bound(self, rule: str) -> bool:
        """`At most 3` for `at least 3`, of the same thing."""
        about = read_terms(rule).all
        for degree in read_degrees(rule):
            if degree.axis == _BOUND and not read_modality(rule) & Modality.BAN:
                sides = {one.side for one in self._degrees_of(degree, about)}
                if sides == {1 - degree.side}:
                    return True
        return False

    def _degrees_of(self, degree: Degree, about: frozenset[str]) -> Iterator[Degree]:
        for claim in self._claims:
            found = [one for one in read_degrees(claim.text) if one[::2] == degree[::2]]
            if found and any(not term[:1].isdigit() for term in about & read_terms(claim.text).all):
                yield from found

    @cached_property
    def _claims(self) -> Sequence[Statement]:
        return read_handoff([one for text in self._handoffs for one in read_passages(text)])[:_MOST_CLAIMS]

    @cached_property
    def _parts(self) -> Sequence[SaidPart]:
        return [part for claim in self._claims for part in read_parts(claim)]

    @cached_property
    def _told(self) -> ToldSentences:
        return read_transcript(self._case)


_MOST_CLAIMS: Final = 1_000


def _bans(said: Statement) -> Iterator[SaidPart]:
    """Yield the clauses of a rule that forbid, whatever happens: a condition may have been met."""
    for part in read_clauses(said):
        modality = read_modality(part.text)
        is_plain = modality & Modality.BAN and not modality & Modality.LIMIT and not _measures(part.text)
        is_said = said.speaker != Role.ASSISTANT or PROHIBITS.search(part.text)
        if is_plain and (is_ban(part) or (_exact(part.terms) and is_said)):
            yield part


def _measures(text: str) -> bool:
    """Return whether a clause bars more, or less, of something: `not more than 70 km` bars no 70 km."""
    return any(shape.search(text) for axis in (_BOUND, "amount") for shape in DEGREES[axis])


def _exact(terms: SentenceTerms) -> frozenset[str]:
    """Return the numbers, paths and codes that a clause names."""
    return frozenset(one for one in terms.anchors if len(one) > 1 and not one.isalpha())


def _is_of_use(ban: SentenceTerms, exact: frozenset[str]) -> bool:
    """Return whether nothing but the use of an exact value is forbidden: `never 8002`, `port 8002 is forbidden`."""
    left = (one for one in ban.all - exact - _OF_VALUES if not read_modality(one) & Modality.BAN)
    return bool(exact) and all(one.startswith(_USED) or _is_piece(one) for one in left)


def _is_piece(term: str) -> bool:
    """Return whether a term is a piece of the name of a sort, in a script without blanks."""
    return not term.isascii() and any(term in one for one in _OF_VALUES)


def _is_near(part: SaidPart, ban: SaidPart, exact: frozenset[str]) -> bool:
    """Return whether a clause of the handoff does what *ban* forbids, and denies nothing."""
    if part.is_denied or not _is_of_ban(part, ban, exact):
        return False
    return not (part.said.is_question or _DENIES_ELSEWHERE.search(part.said.text))


def _is_of_ban(part: SaidPart, ban: SaidPart, exact: frozenset[str]) -> bool:
    if exact and not exact <= (part.terms.anchors | part.terms.spelled):
        return False
    if exact and _is_of_use(ban.terms, exact):
        return _is_used(part)
    if is_about(ban.terms, part.terms, _ENOUGH_SIGNS if is_of_signs(ban.text) else _ENOUGH):
        return True
    return bool(exact) and _is_same_deed(ban.terms, part.terms)


def _is_same_deed(ban: SentenceTerms, told: SentenceTerms) -> bool:
    """Return whether what is done to an exact thing is what must not be: of the same kind, or of the same word."""
    if any(ban.deeds & kind and told.deeds & kind for kind in _KIN):
        return True
    if "change" in ban.deeds and told.deeds & _CHANGES:
        return True
    heads = {one[:_HEAD] for one in ban.words - _OF_VALUES if len(one) >= _HEAD}
    return any(one[:_HEAD] in heads for one in told.words - _OF_VALUES)


def _is_used(part: SaidPart) -> bool:
    text = part.text
    if KEEPS.search(text) or is_negated(text):
        return False
    return bool(part.terms.deeds & _TO_USE or DONE.search(text) or _IN_USE.search(text))


def _bars(part: SaidPart, ban: SaidPart, exact: frozenset[str]) -> bool:
    """Return whether a clause of the handoff denies or limits what *ban* forbids."""
    if not (part.is_denied or KEEPS.search(part.text)):
        return False
    if exact and exact & (part.terms.anchors | part.terms.spelled):
        return True
    things = (ban.terms.all & part.terms.all) - DEEDS
    return touches(ban.terms, part.terms) or (bool(things) and things == ban.terms.all - DEEDS)
