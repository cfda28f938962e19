"""Whether a reply gives what was asked, or only promises it, looks at it, asks back or fails. Pure."""

import re
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import Final

from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.audit.effects.reply_words import (
    ASKING_BACK,
    ASKS_TO_ASK,
    COURTESY,
    FAILS,
    KEEPS,
    LOOKED,
    LOOKS,
    NOTED,
    ORDERS,
    PROMISES,
    THEN,
)
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.modality import read_modality
from hermes_sessions.audit.words.outcomes import FINISHED, has_failed
from hermes_sessions.audit.words.sentence_ends import SENTENCE_ENDS
from hermes_sessions.facts.effects.values import LASTING
from hermes_sessions.facts.speech.requests import asks_for_something
from hermes_sessions.facts.wording.request_shapes import POLITE
from hermes_sessions.late_patterns import late_pattern

_LONG: Final = 600
"""A reply of more characters has something in it, whatever its sentences say."""
_SHORT: Final = 300
_MAX_REQUEST: Final = 2_000
_MAX_ROWS: Final = 400
_SIGNS: Final = " \t\n.,;:!…–—-*_。！、，"
_WILL: Final = late_pattern(r"will\b|werde\b|vais\b|voy a\b|vou\b|ska\b|ga\b|буду\b", re.I)
"""How a second half promises whose subject is named in the first."""
_RULES: Final = frozenset({"constraint", "decision"})


class Delivery(StrEnum):
    """What replies give of what was asked."""

    GIVEN = "given"
    PERHAPS = "perhaps"
    OPEN = "open"


class _ReplyPart(StrEnum):
    """What a sentence of a reply does."""

    COURTESY = "courtesy"
    PROMISE = "promise"
    QUESTION = "question"
    FAILURE = "failure"
    LOOK = "look"
    DONE = "done"
    SAID = "said"


class _RequestWish(StrEnum):
    """What a request is for."""

    TASK = "task"
    ANSWER = "answer"
    NOTHING = "nothing"


def read_delivery(request: str, rows: Sequence[AuditMessage], kinds: Collection[str] = ()) -> Delivery:
    """Return what the replies among *rows*, which follow a request, give of it.

    In doubt it is given, or perhaps given: open is what all of them only promise, ask about or fail at.

    Args:
        request: what the user said.
        rows: what followed it, up to the compaction.
        kinds: kinds of the facts in the request.
    """
    replies = [row for row in rows[:_MAX_ROWS] if row.is_reply and not row.calls]
    if not replies:
        return Delivery.OPEN
    wish = _read_wish(request[:_MAX_REQUEST], kinds)
    found = {_of_reply(row, request[:_MAX_REQUEST], wish) for row in replies}
    if Delivery.GIVEN in found:
        return Delivery.GIVEN
    if Delivery.PERHAPS in found or _has_effect(rows[:_MAX_ROWS]):
        return Delivery.PERHAPS
    return Delivery.OPEN


def _read_wish(request: str, kinds: Collection[str]) -> _RequestWish:
    sentences = [one for one in SENTENCE_ENDS.split(request) if one.strip()]
    asked = [one for one in sentences if asks_for_something(one) or ORDERS.search(one)]
    if not asked:
        return _RequestWish.NOTHING
    if all(ASKING_BACK.search(one) and not POLITE.match(one.lstrip()) for one in asked):
        return _RequestWish.ANSWER
    is_rule = not _RULES.isdisjoint(kinds) and all(map(read_modality, asked))
    return _RequestWish.NOTHING if is_rule else _RequestWish.TASK


def _of_reply(row: AuditMessage, request: str, wish: _RequestWish) -> Delivery:
    if wish is _RequestWish.NOTHING or row.attachments or len(row.text) > _LONG:
        return Delivery.GIVEN
    parts = [one for one in _parts(row.text) if one is not _ReplyPart.COURTESY]
    if _ReplyPart.DONE in parts:
        return Delivery.GIVEN
    if _ReplyPart.SAID in parts:
        is_left = wish is _RequestWish.TASK and parts[-1] is not _ReplyPart.SAID and len(row.text) <= _SHORT
        return Delivery.PERHAPS if is_left else Delivery.GIVEN
    return Delivery.PERHAPS if _may_answer(set(parts), request, wish) else Delivery.OPEN


def _may_answer(parts: set[_ReplyPart], request: str, wish: _RequestWish) -> bool:
    """Whether what a reply says without saying anything else may be what was asked for."""
    if not parts or parts == {_ReplyPart.LOOK}:
        return True
    if _ReplyPart.QUESTION in parts and ASKS_TO_ASK.search(request):
        return True
    looks = wish is _RequestWish.ANSWER or LOOKS.search(request) is not None
    if looks and not parts.isdisjoint((_ReplyPart.FAILURE, _ReplyPart.LOOK)):
        return True
    return wish is _RequestWish.ANSWER and _ReplyPart.PROMISE in parts and not LOOKS.search(request)


def _parts(text: str) -> Iterator[_ReplyPart]:
    """Yield what each sentence of a reply does."""
    for sentence in SENTENCE_ENDS.split(text):
        polite = COURTESY.sub("", sentence, count=1)
        rest = COURTESY.sub("", NOTED.sub("", polite, count=1), count=1)
        if rest.strip(_SIGNS):
            yield _part(rest)
        elif PROMISES.search(polite):  # `will do` agrees and promises
            yield _ReplyPart.PROMISE


def _part(sentence: str) -> _ReplyPart:
    if ASKING_BACK.search(sentence):
        halves = _halves(sentence)
        return _ReplyPart.DONE if len(halves) > 1 and FINISHED.search(halves[0]) else _ReplyPart.QUESTION
    if KEEPS.search(sentence):
        return _ReplyPart.SAID
    if FAILS.search(sentence):
        return _ReplyPart.FAILURE
    if PROMISES.search(sentence):
        return _ReplyPart.PROMISE
    if LOOKED.search(sentence):
        later = _halves(sentence)[1:]
        return (
            _ReplyPart.PROMISE
            if any(PROMISES.search(one) or _WILL.match(one) for one in later)
            else _ReplyPart.LOOK
        )
    return _ReplyPart.DONE if FINISHED.search(sentence) else _ReplyPart.SAID


def _halves(sentence: str) -> list[str]:
    return [one for one in THEN.split(sentence) if one.strip()]


def _has_effect(rows: Sequence[AuditMessage]) -> bool:
    """Whether a call since changed something: what was promised may be done."""
    failed = {key for row in rows if has_failed(row.text) for key in row.result_ids}
    calls = (call for row in rows for call in row.calls if failed.isdisjoint(call.ids))
    return any(action.effect in LASTING for call in calls for action in read_actions(call))
