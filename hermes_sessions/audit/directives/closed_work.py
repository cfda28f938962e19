"""Work that the talk shows as over: reported, seen in calls or confirmed by the user, over however many turns.

Each exchange (a request and what was done upon it) is read as steps: asked, proposed, done, left open. A line of a
handoff is over where what it names was done and nothing after that takes it up again. It may be in another
language than the talk: then names, numbers and words with a meaning of their own are compared.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Final

from hermes_sessions.audit.checking.inventions import language_of
from hermes_sessions.audit.directives.follow_ups import (
    ABOUT,
    ALSO,
    FOLLOWS_UP,
    LATER,
    LIGHT,
    PRAISE,
    TOLD_BY_USER,
    VERB_LAST,
)
from hermes_sessions.audit.directives.taken_on import is_announced, is_under_way, without_assent
from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import DEEDS, SentenceTerms, read_terms
from hermes_sessions.audit.words.coverage import covered
from hermes_sessions.audit.words.outcomes import (
    AGAIN,
    CANCELLED,
    FINISHED,
    STILL_BROKEN,
    UNFINISHED,
    has_failed,
)
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.audit.words.wording import AGREES
from hermes_sessions.facts.effects.values import LASTING, Effect
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_CLAUSES: Final = SentenceCut(
    r"(?<=[.!?;])\s+|(?<=[。！？；])|\n|,\s+(?:and|und|et|y|e|и|dann|then|luego|puis)\s+|\s(?:and|und)\s"
)
_IN_PART: Final = late_pattern(
    r"(?<![\d.,])\d{1,2} ?%|\b(?:ид[её]т|läuft noch|under way|en cours|en curso|em curso|in corso)\b"
)
_CALL = late_pattern(r"[\"'{}\[\],;=]|\\[nt]")
_TOUCHES: Final = 0.34
_OWN: Final = 0.6
_WHOLE: Final = 0.7
_HALF: Final = 0.5
_GOES_ON: Final = 0.25
_LEFT: Final = 0.25
_HALF_OF: Final = 0.4
_FEW: Final = 2
_SHORT: Final = 4
_LEAST_FOREIGN: Final = 2
_MAKING: Final = frozenset({"upgrade", "install", "migrate", "change", "write", "use", "run", "draft"})
"""Deeds that another language names by another one."""
_OBJECTS: Final = frozenset(
    {"production", "staging", "customer", "supplier", "branch", "march", "friday", "monday", "english"}
)
"""Things that are another one where they are not named: what was done in staging was not done in production."""
_ONE_IN: Final = 5
_MAX_CALL: Final = 4_000
_MAX_ROWS: Final = 400
"""Turns far behind are over or forgotten, and their words come up again for other reasons."""


class _Kind(Enum):
    ASKED = "asked"
    PROPOSED = "proposed"
    DONE = "done"
    RAN = "ran"
    OPEN = "open"
    TOLD = "told"


class _Step:
    """A sentence of an exchange, or a call in it; what a reply's sentence says is read when it is asked for."""

    def __init__(
        self, kind: _Kind | str, terms: SentenceTerms, message: int, *, by_user: bool = False
    ) -> None:
        """Take the kind, or the sentence of a reply that tells it."""
        self._told = kind
        self.terms = terms
        self.message = message
        self.by_user = by_user

    @cached_property
    def kind(self) -> _Kind:
        """What is asked, proposed, done or left open."""
        return self._told if isinstance(self._told, _Kind) else _told(self._told)


@dataclass(slots=True)
class _Exchange:
    """A request, and what was said and done until the next one."""

    steps: list[_Step] = field(default_factory=list)
    about: set[str] = field(default_factory=set)
    """What the request names; where it only goes on with what was proposed, that as well."""
    before: frozenset[str] = frozenset()
    """What the exchange before it was about."""
    offered: frozenset[str] = frozenset()
    """What the last words before it proposed."""
    all: set[str] = field(default_factory=set)
    asked: int = 0
    named: frozenset[str] = frozenset()
    """All that was named before."""
    has_calls: bool = False
    is_praised: bool = False
    """The next request begins with praise."""
    is_refused: bool = False
    """The next request says that it is not so."""


class ClosedWork:
    """The talk before a compaction, to ask whether what is given as open was done in it."""

    def __init__(self, rows: Sequence[AuditMessage]) -> None:
        """Read the steps of *rows*, oldest first."""
        self._exchanges = list(_exchanges(rows[-_MAX_ROWS:]))
        self._language = language_of(
            "\n".join(row.text[:500] for row in rows if row.is_request or row.is_reply)
        )

    def closed_by(self, text: str) -> int | None:
        """Return the message after which the work that *text* names was over, None where it may be open."""
        if AGAIN.search(text) or LATER.search(text) or FINISHED.search(text):
            return None
        terms = read_terms(ABOUT.sub(" ", text[:1_000]))
        words = self._comparable(text, terms)
        if len(words) < _FEW:
            return None
        found: int | None = None
        for place, exchange in enumerate(self._exchanges):
            is_last = place == len(self._exchanges) - 1
            found = _closed(text, terms, words, exchange, found, is_last=is_last)
        return found

    def left_open(self, words: frozenset[str]) -> int | None:
        """Return the message whose words were the last about *words*, where they say that it is open."""
        last: _Step | None = None
        for step in (one for each in self._exchanges for one in each.steps):
            shared = len(words & step.terms.all)
            if shared >= _FEW and shared >= len(words) * _HALF_OF and step.kind in (_Kind.OPEN, _Kind.DONE):
                last = step
        return last.message if last is not None and last.kind is _Kind.OPEN else None

    def is_elsewhere(self, text: str) -> bool:
        """Return whether a line names where or for whom, and nobody spoke of that before; or what was left open last."""
        terms = read_terms(text[:1_000])
        named = frozenset().union(*(one.all for one in self._exchanges))
        if (terms.things & _OBJECTS) - named:
            return True
        last: _Kind | None = None
        for step in (one for each in self._exchanges for one in each.steps):
            if covered(terms.all, step.terms.all) >= _LEFT and step.kind in (_Kind.OPEN, _Kind.DONE):
                last = step.kind
        return last is _Kind.OPEN

    def _comparable(self, text: str, terms: SentenceTerms) -> frozenset[str]:
        """Return the words of a line that the talk would have: of another language, those that are the same in all."""
        own = language_of(text)
        if not own or not self._language or own == self._language:
            return terms.all - _light(text)
        named = frozenset().union(*(one.all for one in self._exchanges))
        same = terms.anchors | terms.concepts
        alike = frozenset(word for word in terms.words if covered(frozenset([word]), named))
        least = _LEAST_FOREIGN if terms.anchors else _LEAST_FOREIGN + 1
        return same | alike if len(same | alike) >= least else frozenset()


def _light(text: str) -> frozenset[str]:
    """Return the terms of the words that say only that something is to be done."""
    verbs = (one for one in re.findall(r"[^\W\d_]{2,}", text) if LIGHT.match(one))
    return read_terms(" ".join(verbs)).words


def _closed(
    text: str,
    terms: SentenceTerms,
    words: frozenset[str],
    exchange: _Exchange,
    found: int | None,
    *,
    is_last: bool,
) -> int | None:
    """Return what closed a line after one more exchange."""
    asked = covered(words, exchange.about) >= _OWN
    answered: int | None = None
    for step in exchange.steps:
        share = covered(words, step.terms.all)
        touches = share >= _TOUCHES and (len(words & step.terms.all) >= _FEW or share >= _OWN)
        if step.kind in (_Kind.DONE, _Kind.RAN):
            is_own = touches and share >= _OWN and step.kind is _Kind.DONE
            is_told = step.by_user and words & step.terms.all and covered(words, exchange.before) >= _HALF
            is_answer = not is_last and (touches or (asked and exchange.asked < _FEW))
            if (is_own or is_told or is_answer) and _is_whole(text, terms, words, exchange, step):
                found = step.message
                answered = None if is_own or is_told else found
        elif "decide" in terms.deeds and step.kind is _Kind.ASKED and _is_choice(words, exchange, step):
            found = step.message
        elif step.kind is _Kind.OPEN and answered and (touches or words & step.terms.all):
            found = None
        elif touches and step.kind is not _Kind.TOLD:
            found, asked = None, asked or step.kind is _Kind.ASKED
    is_praised = exchange.is_praised and exchange.has_calls and asked and not is_last
    if is_praised and not _leaves_open(words, exchange):
        last = exchange.steps[-1]
        found = last.message if _is_whole(text, terms, words, exchange, last) else found
    return None if exchange.is_refused and asked else found


def _leaves_open(words: frozenset[str], exchange: _Exchange) -> bool:
    left = (one for one in exchange.steps if one.kind in (_Kind.OPEN, _Kind.PROPOSED))
    return any(words & one.terms.all for one in left)


def _is_choice(words: frozenset[str], exchange: _Exchange, step: _Step) -> bool:
    """Return whether the user answers which of the things that were offered it is to be."""
    things = words - {"decide"}
    return covered(things, exchange.offered) >= _HALF and bool(things & step.terms.all & exchange.offered)


def _is_whole(
    text: str, terms: SentenceTerms, words: frozenset[str], exchange: _Exchange, step: _Step
) -> bool:
    """Return whether what was done has all that a line names: its deed, its names, and most of its words."""
    named = exchange.about | step.terms.all | (exchange.before if step.by_user else frozenset())
    known = named | exchange.all
    is_translated = not words >= terms.words - _light(text)
    near = known | exchange.named
    missing = len(words) * (1 - covered(words, known))
    if missing > (len(words) * (1 - _WHOLE) if is_translated else len(words) // _ONE_IN):
        is_near = missing <= len(words) // _SHORT and covered(words, step.terms.all) >= 1 - 1 / _SHORT
        if not is_near:
            return False
    if (terms.things & _OBJECTS) - near or (terms.anchors & words) - near or covered(words, named) < _OWN:
        return False
    own, told = _names_in(terms), _names_in(step.terms)
    if own and told and not covered(own, told):
        return False  # it was done with another one
    if terms.deeds - known - (_MAKING if is_translated else frozenset()):
        return False
    if (match := FOLLOWS_UP.search(text)) and not _knows(match.group(), known):
        return False
    verb = _verb(text)
    return not verb or is_translated or LIGHT.match(verb) is not None or _knows(verb, known)


def _names_in(terms: SentenceTerms) -> frozenset[str]:
    """Return the names, paths and codes of a sentence, without its plain numbers."""
    return frozenset(one for one in terms.anchors if any(map(str.isalpha, one)))


def _knows(word: str, known: set[str]) -> bool:
    terms = read_terms(word).all
    return not terms or covered(terms, known) > 0


def _verb(text: str) -> str:
    """Return the word that says what is to be done, where the language puts it first or last."""
    letters: list[str] = re.findall(r"[^\W\d_]{2,}", text)
    if not letters or not letters[0].isascii():
        return letters[0] if letters and re.match(r"[a-zà-ÿа-яё]", letters[0], re.I) else ""
    return letters[-1] if VERB_LAST.search(text) else letters[0]


def _exchanges(rows: Sequence[AuditMessage]) -> Iterator[_Exchange]:
    failed = {key for row in rows if has_failed(row.text) for key in row.result_ids}
    exchange: _Exchange | None = None
    proposal: frozenset[str] = frozenset()
    for row in rows:
        if row.is_request:
            former = exchange
            if former is not None:
                former.is_praised = PRAISE.search(row.text) is not None
                has_asked = bool(former.steps) and former.steps[-1].kind is _Kind.PROPOSED
                former.is_refused = STILL_BROKEN.search(row.text) is not None and not has_asked
                yield former
            exchange = _Exchange()
            _add_request(exchange, row, former, proposal)
            proposal = frozenset()
        elif exchange is not None and row.role == Role.ASSISTANT:
            if row.text.strip():
                proposal = _add_reply(exchange, row)
            _add_calls(exchange, row, failed)
    if exchange is not None:
        yield exchange


def _add_request(
    exchange: _Exchange, row: AuditMessage, former: _Exchange | None, proposal: frozenset[str]
) -> None:
    text = row.text[:MAX_READ_CHARS]
    own = read_terms(text).all
    exchange.offered = proposal
    if former is not None:
        exchange.before = frozenset(former.about | former.all)
        exchange.named = former.named | exchange.before
        if (
            ALSO.search(text)
            or AGREES.search(text)
            or len(own) <= _SHORT
            or covered(own, former.all) >= _GOES_ON
        ):
            bound = DEEDS if len(own) > _SHORT and own & DEEDS else frozenset()
            exchange.about |= (proposal | former.about) - bound
    for clause in _CLAUSES.split(text):
        terms = read_terms(clause[:1_000])
        if not terms.all:
            continue
        if _is_told(clause):
            kind = _Kind.DONE
        else:
            kind = _Kind.TOLD if CANCELLED.search(clause) else _Kind.ASKED
            exchange.asked += kind is _Kind.ASKED and len(terms.all) >= _FEW
        exchange.steps.append(_Step(kind, terms, row.id, by_user=True))
    exchange.about |= own
    exchange.all |= exchange.about


def _is_told(clause: str) -> bool:
    """Return whether a clause of a request says that something was done, and neither asks nor supposes it."""
    asks = clause.rstrip()[-1:] in ("?", "？") or LATER.search(clause)
    return not asks and TOLD_BY_USER.search(clause) is not None and not _is_open(clause)


def _add_reply(exchange: _Exchange, row: AuditMessage) -> frozenset[str]:
    """Add what a reply says, and return what its last words propose."""
    last: list[SentenceTerms] = []
    for sentence in SENTENCE_ENDS.split(row.text[:MAX_READ_CHARS]):
        if not sentence.strip():
            continue
        terms = read_terms(sentence[:1_000])
        exchange.all |= terms.all
        exchange.steps.append(_Step(sentence, terms, row.id))
        last.append(terms)
    return frozenset().union(*(one.all for one in last[-_FEW:]))


def _told(sentence: str) -> _Kind:
    if sentence.rstrip()[-1:] in ("?", "？"):
        return _Kind.PROPOSED
    if _is_open(sentence) or is_under_way(sentence) or is_announced(sentence):
        return _Kind.OPEN
    said = without_assent(sentence)
    if FINISHED.search(said) or read_stance(said) is Stance.DONE:
        return _Kind.DONE
    return _Kind.TOLD


def _is_open(sentence: str) -> bool:
    return (
        UNFINISHED.search(sentence) is not None
        or read_stance(sentence) is Stance.OFF
        or is_left_open(sentence)
    )


def is_left_open(sentence: str) -> bool:
    """Return whether a sentence says that something is not done, or done in part."""
    return read_stance(sentence) is Stance.OPEN or _IN_PART.search(sentence) is not None


def _add_calls(exchange: _Exchange, row: AuditMessage, failed: set[str]) -> None:
    for call in row.calls:
        exchange.has_calls = True
        if not failed.isdisjoint(call.ids):
            continue
        terms = read_terms(_CALL.sub(" ", call.arguments[:_MAX_CALL]))
        exchange.all |= terms.all
        effects = {action.effect for action in read_actions(call)}
        if effects & LASTING:
            exchange.steps.append(_Step(_Kind.DONE, terms, row.id))
        elif Effect.RUNS in effects:
            exchange.steps.append(_Step(_Kind.RAN, terms, row.id))
