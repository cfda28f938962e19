"""Work that an earlier turn did and said to have done, while the user went on to something else."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from hermes_sessions.audit.directives.follow_ups import PRAISE
from hermes_sessions.audit.directives.taken_on import is_announced
from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.ledger.said_sentences import AskedForms
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.coverage import bent_form, covered
from hermes_sessions.audit.words.outcomes import FINISHED, STILL_BROKEN, UNFINISHED, has_failed
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.audit.words.wording import AGREES
from hermes_sessions.facts.effects.values import LASTING
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role, ToolCall

_USERS: Final = (
    r"(?:the )?user|der nutzer|die nutzerin|l['’]utilisat\w+|el usuario|la usuaria"
    r"|o usuário|l['’]utente|de gebruiker|пользователь"
)
_WANTS: Final = (
    r"asks?|asked|wants?|wanted|requests?|requested|needs?|bittet|möchte|will|verlangt|demande|veut|souhaite"
    r"|pide|pidió|quiere|pediu|pede|quer|chiede|ha chiesto|vuole|vraagt|wil|просит|хочет"
)
_ASKS: Final = late_pattern(
    rf"^\W{{0,3}}(?:{_USERS}) (?:now )?(?:{_WANTS})\b(?: (?:to|for|that|um|dass|de|que|di|che))?",
    re.I,
)  # fmt: skip
_FEW: Final = 3
_MAX_CHARS: Final = 1_000
_MAX_CALL: Final = 4_000
_FEW_ASKED: Final = 2
_ELSEWHERE: Final = 0.25
_NAMED: Final = 0.7
_DONE: Final = 0.5
_NEARLY: Final = 0.9


class _Outcome(NamedTuple):
    """What was named in a turn, what of it was done, and the message that says so; 0 where none does."""

    all: frozenset[str]
    done: frozenset[str]
    by: int


@dataclass
class _Turn:
    """What one request led to; what was said and done is read where a line may be about it.

    Attributes:
        asked: the words asked with.
        results: the results of each call, of all turns.
        rows: what the agent said and called.
        has_asked: its last words were a question, which the next request answers.
        is_praised: the next request begins with praise, and goes on to something else.
        is_broken: the next request says that it is not done.
    """

    asked: frozenset[str]
    results: Mapping[str, Sequence[AuditMessage]]
    rows: list[AuditMessage] = field(default_factory=list)
    has_asked: bool = False
    is_praised: bool = False
    is_broken: bool = False

    def add(self, row: AuditMessage) -> None:
        """Add a message of the agent."""
        self.rows.append(row)
        if row.text.strip():
            self.has_asked = row.text.rstrip()[-1:] in ("?", "？")

    def may_name(self, forms: AskedForms) -> Iterator[str]:
        """Yield those of the words asked for that it names, those of calls that failed included."""
        yield from map(bent_form, self.asked)
        for row in self.rows:
            text = row.text[:MAX_READ_CHARS]
            for piece in (
                (text,) if text.isascii() else (one[:_MAX_CHARS] for one in SENTENCE_ENDS.split(text))
            ):
                yield from forms.in_text(piece) or ()
            for call in row.calls:
                yield from forms.in_text(_arguments(call)) or ()

    @cached_property
    def outcome(self) -> _Outcome:
        """What was named and done in it."""
        named, done, by = set(self.asked), set[str](), 0
        for row in self.rows:
            for sentence in SENTENCE_ENDS.split(row.text[:MAX_READ_CHARS]):
                words = read_terms(sentence[:_MAX_CHARS]).all
                named |= words
                if _says_done(sentence):
                    done |= words
                    by = row.id
            for call in row.calls:
                if any(has_failed(one.text) for key in call.ids for one in self.results.get(key, ())):
                    continue
                words = read_terms(_arguments(call)).all
                named |= words
                if any(action.effect in LASTING for action in read_actions(call)):
                    done |= words
                    by = by or row.id
        return _Outcome(frozenset(named), frozenset(done), 0 if self.is_broken else by)


class FinishedTurns:
    """The turns before a compaction, to ask which of them finished what is given as active."""

    def __init__(self, rows: Sequence[AuditMessage], texts: Iterable[str]) -> None:
        """Take the transcript, and the lines that will be asked about."""
        self._turns = list(_turns(rows))
        self._forms = AskedForms(frozenset(bent_form(word) for text in texts for word in _words(text)))

    def goes_on(self, texts: Sequence[str]) -> bool:
        """Return whether one of the active tasks is about the last request, or that says too little."""
        if len(self._turns) < 2 or len(self._turns[-1].asked) < _FEW_ASKED:
            return True
        last = self._turns[-1]
        words = [_words(text) for text in texts]
        return any(
            covered(one, last.asked) > _ELSEWHERE or covered(last.asked, one) > _ELSEWHERE
            for one in words
            if one
        )

    def finisher(self, text: str, *, is_active: bool = True) -> int | None:
        """Return the message that reports a task as done, where nothing later takes it up again.

        Of what is not given as active, only what the user was content with is over.
        """
        words = _words(text)
        if len(words) < _FEW:
            return None
        least = _NAMED if is_active else _NEARLY
        for place in range(len(self._turns) - 2, -1, -1):
            turn = self._turns[place]
            if not (is_active or turn.is_praised) or covered(words, self._named[place]) < least:
                continue
            named, done, by = turn.outcome
            if not by:
                continue
            share = covered(words, named)
            is_done = is_active and share >= _NAMED and covered(words, done) >= _DONE
            if is_done or (turn.is_praised and share >= _NEARLY):
                later = self._turns[place + 1 :]
                taken_up = any(covered(words, one.asked) > _ELSEWHERE for one in later)
                return None if taken_up or covered(words, later[-1].outcome.all) > _ELSEWHERE else by
        return None

    @cached_property
    def _named(self) -> Sequence[frozenset[str]]:
        """What each turn may name of the lines asked about."""
        return [frozenset(turn.may_name(self._forms)) for turn in self._turns]


def _words(text: str) -> frozenset[str]:
    return read_terms(_ASKS.sub(" ", text[:_MAX_CHARS])).all


def _turns(rows: Sequence[AuditMessage]) -> Iterator[_Turn]:
    turn: _Turn | None = None
    results: dict[str, list[AuditMessage]] = defaultdict(list)
    for row in rows:
        for key in row.result_ids:
            results[key].append(row)
        if row.is_request:
            asked = read_terms(row.text[:MAX_READ_CHARS]).all
            if turn is not None and turn.has_asked and AGREES.search(row.text):
                turn.asked |= asked  # `Yes, do that`: it goes on with what its last words proposed
                turn.has_asked = False
                continue
            if turn is not None:
                turn.is_praised = PRAISE.search(row.text) is not None
                turn.is_broken = STILL_BROKEN.search(row.text) is not None and not turn.has_asked
                yield turn
            turn = _Turn(asked, results)
        elif turn is not None and row.role == Role.ASSISTANT:
            turn.add(row)
    if turn is not None:
        yield turn


def _says_done(sentence: str) -> bool:
    asks = sentence.rstrip()[-1:] in ("?", "？")
    if asks or FINISHED.search(sentence) is None:
        return False
    return not (UNFINISHED.search(sentence) or is_announced(sentence))


def _arguments(call: ToolCall) -> str:
    return _PUNCTUATION.sub(" ", call.arguments[:_MAX_CALL])


_PUNCTUATION = late_pattern(r"[\"'{}\[\],;]|\\[nt]")
