"""Tasks that a handoff gives as still to do and that it reports as done itself, in the same words."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import SentenceTerms, read_terms
from hermes_sessions.audit.words.coverage import covered
from hermes_sessions.audit.words.outcomes import AGAIN, FINISHED, UNFINISHED
from hermes_sessions.audit.words.sentence_ends import SENTENCE_ENDS
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.audit.words.wording import is_open
from hermes_sessions.facts.polarity import is_negated

_MAX_CHARS: Final = 1_000
_FEW: Final = 2
_LEAST: Final = 3
_HALF: Final = 0.5
_NEARLY: Final = 0.65
_ELSEWHERE: Final = 0.34


class ToldWork(NamedTuple):
    """What a handoff says outside of its lists of open work: what is done, what is not, and all it names."""

    done: Sequence[SentenceTerms]
    open: Sequence[SentenceTerms]
    all: frozenset[str]


def read_work(lines: Sequence[str]) -> ToldWork:
    """Return what *lines* of a handoff, which list no open work, say of work."""
    done: list[SentenceTerms] = []
    left: list[SentenceTerms] = []
    named = frozenset[str]()
    for line in lines:
        for sentence in SENTENCE_ENDS.split(line[:_MAX_CHARS]):
            terms = read_terms(sentence)
            named |= terms.all
            if _is_left(sentence):
                left.append(terms)
            elif FINISHED.search(sentence) or read_stance(sentence) is Stance.DONE:
                done.append(terms)
    return ToldWork(done, left, named)


def _is_left(sentence: str) -> bool:
    return is_negated(sentence) or is_open(sentence) or UNFINISHED.search(sentence) is not None


def is_told_as_done(task: str, work: ToldWork) -> bool:
    """Return whether a sentence reports the deed of *task* as done, and the handoff names nearly all of it."""
    terms = read_terms(task[:_MAX_CHARS])
    if AGAIN.search(task) or len(terms.all) < _LEAST or covered(terms.all, work.all) < _NEARLY:
        return False
    if any(len(terms.all & one.all) >= max(_FEW, len(terms.all) * _HALF) for one in work.open):
        return False
    return any(_reports(terms, one) for one in work.done)


def _reports(task: SentenceTerms, told: SentenceTerms) -> bool:
    shared = task.all & told.all
    if len(shared) < _FEW or not shared - task.deeds:
        return False
    return bool(task.deeds & told.deeds) or len(shared) >= len(task.all) * _NEARLY


def last_reply(task: str, rows: Sequence[AuditMessage]) -> int | None:
    """Return the last reply that names something of *task*, else the last row; None where the last request does."""
    words = read_terms(task[:_MAX_CHARS]).all
    request = next((row for row in reversed(rows) if row.is_request), None)
    if request is None or covered(words, read_terms(request.text[:_MAX_CHARS]).all) > _ELSEWHERE:
        return None
    naming = (
        row.id for row in reversed(rows) if row.is_reply and words & read_terms(row.text[:_MAX_CHARS]).all
    )
    return next(naming, rows[-1].id)
