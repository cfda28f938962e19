"""Work that an earlier turn did and said to have done, while the user went on to something else."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from hermes_sessions.audit.directives.follow_ups import PRAISE
from hermes_sessions.audit.directives.taken_on import is_announced
from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.coverage import covered
from hermes_sessions.audit.words.outcomes import FINISHED, STILL_BROKEN, UNFINISHED, has_failed
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.audit.words.wording import AGREES
from hermes_sessions.facts.effects.values import LASTING
from hermes_sessions.late_patterns import late_pattern

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
_FEW_ASKED: Final = 2
_ELSEWHERE: Final = 0.25
_NAMED: Final = 0.7
_DONE: Final = 0.5
_NEARLY: Final = 0.9


@dataclass(slots=True)
class _Turn:
    """What one request led to: the words asked with, all words, and those of what was done."""

    asked: frozenset[str]
    message: int
    all: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    by: int = 0
    has_asked: bool = False
    """Its last words were a question, which the next request answers."""
    is_praised: bool = False
    """The next request begins with praise, and goes on to something else."""


class FinishedTurns:
    """The turns before a compaction, to ask which of them finished what is given as active."""

    def __init__(self, rows: Sequence[AuditMessage]) -> None:
        self._turns = list(_turns(rows))

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
        for place in range(len(self._turns) - 2, -1, -1):
            turn = self._turns[place]
            if not turn.by:
                continue
            share = covered(words, turn.all)
            is_done = is_active and share >= _NAMED and covered(words, turn.done) >= _DONE
            if is_done or (turn.is_praised and share >= _NEARLY):
                later = self._turns[place + 1 :]
                taken_up = any(covered(words, one.asked) > _ELSEWHERE for one in later)
                return None if taken_up or covered(words, later[-1].all) > _ELSEWHERE else turn.by
        return None


def _words(text: str) -> frozenset[str]:
    return read_terms(_ASKS.sub(" ", text[:1_000])).all


def _turns(rows: Sequence[AuditMessage]) -> Iterator[_Turn]:
    turn: _Turn | None = None
    failed = {key for row in rows if has_failed(row.text) for key in row.result_ids}
    for row in rows:
        if row.is_request:
            if turn is not None and turn.has_asked and AGREES.search(row.text):
                _goes_on(turn, row)
                continue
            if turn is not None:
                turn.is_praised = PRAISE.search(row.text) is not None
                if STILL_BROKEN.search(row.text) and not turn.has_asked:
                    turn.by = 0
                yield turn
            asked = read_terms(row.text[:MAX_READ_CHARS]).all
            turn = _Turn(asked, row.id, set(asked))
        elif turn is not None and row.role == "assistant":
            _add(turn, row, failed)
    if turn is not None:
        yield turn


def _goes_on(turn: _Turn, row: AuditMessage) -> None:
    """`Yes, do that`: the turn goes on with what its last words proposed."""
    asked = read_terms(row.text[:MAX_READ_CHARS]).all
    turn.asked |= asked
    turn.all |= asked
    turn.has_asked = False


def _add(turn: _Turn, row: AuditMessage, failed: set[str]) -> None:
    for sentence in SENTENCE_ENDS.split(row.text[:MAX_READ_CHARS]):
        words = read_terms(sentence[:1_000]).all
        turn.all |= words
        asks = sentence.rstrip()[-1:] in ("?", "？")
        if FINISHED.search(sentence) and not (UNFINISHED.search(sentence) or is_announced(sentence) or asks):
            turn.done |= words
            turn.by = row.id
    if row.text.strip():
        turn.has_asked = row.text.rstrip()[-1:] in ("?", "？")
    for call in row.calls:
        if not failed.isdisjoint(call.ids):
            continue
        words = read_terms(_PUNCTUATION.sub(" ", call.arguments[:4_000])).all
        turn.all |= words
        if any(action.effect in LASTING for action in read_actions(call)):
            turn.done |= words
            turn.by = turn.by or row.id


_PUNCTUATION = late_pattern(r"[\"'{}\[\],;]|\\[nt]")
