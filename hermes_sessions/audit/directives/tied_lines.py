"""Whether a line of open work names what an exchange finished, or called off, and nothing else."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hermes_sessions.audit.directives.follow_ups import ABOUT
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import SentenceTerms, read_terms
from hermes_sessions.audit.words.coverage import covered
from hermes_sessions.audit.words.outcomes import FINISHED
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.audit.words.stances import Stance, read_stance

_MAX_CHARS: Final = 1_000
_MAX_CALL: Final = 4_000
_STEM: Final = 4
_ONE_IN: Final = 4
_BEFORE: Final = 40
"""So many rows before a request may have named what it calls off."""


def is_tied(text: str, over: int, rows: Sequence[AuditMessage], *, is_cancelled: bool) -> bool:
    """Return whether a line names only what message *over* ended, as it was asked for.

    It adds hardly a word and no deed of its own, and it is no other part of what was asked than the one that the
    reply reports.

    Args:
        text: the line.
        over: the message that says that the work is over.
        rows: the context before.
        is_cancelled: whether it was called off.
    """
    place = next((at for at, row in enumerate(rows) if row.id == over), None)
    if place is None:
        return True
    start = next((at for at in range(place, -1, -1) if rows[at].is_request), 0)
    first = max(0, start - _BEFORE) if is_cancelled else start
    item = read_terms(ABOUT.sub(" ", text[:_MAX_CHARS]))
    exchange = rows[first : place + 1]
    known = frozenset().union(*(terms.all for row in exchange for terms in _named(row)))
    stems = _stems(known)
    added = {one for one in item.all if one[:_STEM] not in stems and not covered(frozenset([one]), known)}
    if is_cancelled:
        added -= item.deeds
    if added & item.deeds or len(added) > len(item.all) // _ONE_IN:
        return False
    return is_cancelled or not _is_other_part(read_terms(text[:_MAX_CHARS]), exchange)


def _is_other_part(item: SentenceTerms, exchange: Sequence[AuditMessage]) -> bool:
    """Return whether the line and the report of what is done each name a thing asked for that the other lacks."""
    asked = frozenset().union(*(terms.all for row in exchange if row.is_request for terms in _named(row)))
    done = frozenset().union(*(one.all for row in exchange for one in _reported(row)))
    own, told, asked = _stems(item.all), _stems(done), _stems(asked)
    return bool((own & asked) - told and (told & asked) - own)


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(one[:_STEM] for one in words)


def _reported(row: AuditMessage) -> Iterator[SentenceTerms]:
    for sentence in SENTENCE_ENDS.split(row.text[:MAX_READ_CHARS]) if row.is_reply else ():
        if FINISHED.search(sentence) or read_stance(sentence) is Stance.DONE:
            yield read_terms(sentence[:_MAX_CHARS])


def _named(row: AuditMessage) -> Iterator[SentenceTerms]:
    if row.role == "tool":
        return
    yield read_terms(row.text[:MAX_READ_CHARS])
    for call in row.calls:
        yield read_terms(call.arguments[:_MAX_CALL])
