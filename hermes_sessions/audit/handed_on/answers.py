"""Whether a handoff may tell the user's last words by what they answer, what came of them, or what they alone name. Pure."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, zip_longest
from typing import Final

from hermes_sessions.audit.handed_on.answer_words import (
    AGREES,
    CLOSES,
    DECIDES,
    HESITATES,
    LEFT_TO_OTHERS,
    STATES,
    SUBJECT_FIRST,
)
from hermes_sessions.audit.handed_on.claim_origins import named_in
from hermes_sessions.audit.handed_on.matter import objects_of
from hermes_sessions.audit.handed_on.told_matters import numbers_of
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.headings import PartKind, read_items
from hermes_sessions.audit.words.modality import read_modality
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.facts.speech.requests import asks_for_something
from hermes_sessions.late_patterns import late_pattern

_FEW: Final = 2
_AT_HAND: Final = frozenset({PartKind.ACTIVE, PartKind.NEXT})
_EXACT: Final = late_pattern(r"\d{3}|(?=.*[^\W\d_]).*[\d_@/.:-]")
"""A number of three digits, or a word with digits or signs in it: by chance it is in no other text."""
_SIGNS: Final = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ANYBODY: Final = frozenset({"°user"})
_CONCEPT: Final = "°"
_UNITS: Final = frozenset(
    "minut secon sekun stund hour hours heure hora horas ora ore uur godzi saat час минут tag tage day days jour jours dia dias día giorn dag dagen dni gun дней week weeks woch woche sema seman setti tydzi hafta неде month monat mois mes mesi euro euros eur dolla perce proze pourc porce".split()
)
_MAX_ROWS: Final = 400
_MAX_LINES: Final = 400
_LAST_SENTENCES: Final = 4


class LastWords:
    """What the user said last, what the agent had said before, and what was done since."""

    def __init__(self, before: Sequence[AuditMessage], request: AuditMessage, bodies: Sequence[str]) -> None:
        """Take the transcript before a compaction, its last request and the handoffs that are in sight."""
        place = next(at for at, row in enumerate(before) if row.id == request.id)
        self._text = request.text[:MAX_READ_CHARS]
        self._earlier = before[max(place - _MAX_ROWS, 0) : place]
        self._since = before[place + 1 :][:_MAX_ROWS]
        self._bodies = bodies
        self._named: set[str] = set()
        self._unread = chain.from_iterable(map(_texts, reversed(self._earlier)))

    def ask_nothing(self) -> bool:
        """Return whether they only decide, confirm or take leave, and no sentence asks for anything.

        Where the agent asked, who leaves it to somebody to decide has answered.
        """
        is_left = any(map(LEFT_TO_OTHERS.search, self._sentences))
        asks = any(map(asks_for_something, self._sentences))
        if is_left and self._is_asked and not asks and all(map(SUBJECT_FIRST.search, self._sentences)):
            return True
        if not (DECIDES.match(self._text) or HESITATES.match(self._text) or CLOSES.search(self._text)):
            return False
        rest = [one for one in self._sentences if not _hesitates(one)]
        first = len(rest) == len(self._sentences)
        return not any(map(asks_for_something, rest)) and all(
            self._says(one) or DECIDES.match(one) for one in rest[first:]
        )

    def _says(self, sentence: str) -> bool:
        """Whether a sentence says how something is, takes leave or is about what the agent said last."""
        near = self._reply and _objects(sentence) & self._reply
        return bool(near or _says(sentence) or not _objects(sentence))

    def may_be_told(self) -> bool:
        """Return whether the handoff has what they name alone, what came of them, or what they answer."""
        return self._has_answered() or self._has_news(self._text) or self._has_outcome()

    def _has_news(self, text: str) -> bool:
        """Whether a line has two things that *text* named first, or one that is in no line by chance."""
        left = _things(text) - self._named
        while self._has_line_of(left):
            known = next((one for one in self._read_on() if not left.isdisjoint(one)), None)
            if known is None:
                return True
            left -= known
        return False

    def _read_on(self) -> Iterator[frozenset[str]]:
        """Yield the things of texts before the request that were not asked for yet, the last one first."""
        for text in self._unread:
            things = _things(text)
            self._named |= things
            yield things

    def _has_line_of(self, things: frozenset[str]) -> bool:
        """Whether a line has two of *things*, or one that is in no line by chance."""
        exact = frozenset(filter(_is_exact, things))
        return any(
            not exact.isdisjoint(line) or (not things.isdisjoint(line) and len(things & line) >= _FEW)
            for line in self._lines
        )

    def _has_outcome(self) -> bool:
        """Whether a line has something that was first said, or came up, when the agent did what was asked."""
        return any(self._has_news(text) for text in chain.from_iterable(map(_texts, self._since)))

    def _has_answered(self) -> bool:
        """Whether they answer what the agent said last, and a line has that."""
        if not self._is_answer or self._is_other_work_named:
            return False
        return self._has_line_of(self._topic)

    @property
    def _is_answer(self) -> bool:
        """Whether no sentence asks for something that has nothing to do with what the agent said last."""
        opens = bool(AGREES.match(self._text) or DECIDES.match(self._text))
        near = [bool(_objects(one) & self._reply) for one in self._sentences]
        apart = [
            not close and _is_apart(one, opens and at == 0)
            for at, (one, close) in enumerate(zip(self._sentences, near, strict=True))
        ]
        return bool(self._reply) and sum(apart) <= sum(near) and (opens or any(near))

    @property
    def _is_other_work_named(self) -> bool:
        """Whether the handoff lists work that is at hand or next, and nothing of it was asked for, or offered."""
        named = [
            _things(one.text) for body in self._bodies for one in read_items(body) if one.kind in _AT_HAND
        ]
        if not named:
            return False
        own = _things(self._text)
        asks = any(map(asks_for_something, self._sentences)) and not AGREES.match(self._text)
        if asks:
            return not any(len(one & own) >= max(len(one & self._reply), 1) for one in named)
        return not any(one & self._topic for one in named)

    @cached_property
    def _sentences(self) -> Sequence[str]:
        return tuple(_unanswered(self._text))

    @property
    def _is_asked(self) -> bool:
        """Whether the agent's last sentence before them was a question."""
        return self._last_reply.rstrip(' *_`"»”)')[-1:] in set("?？؟")

    @cached_property
    def _last_reply(self) -> str:
        return next((row.text for row in reversed(self._earlier) if row.is_reply and row.text.strip()), "")

    @cached_property
    def _reply(self) -> frozenset[str]:
        """The things of the agent's last sentences before the request."""
        cut = [one for one in SENTENCE_ENDS.split(self._last_reply[-MAX_READ_CHARS:]) if one.strip()]
        return frozenset().union(*map(_things, cut[-_LAST_SENTENCES:]))

    @property
    def _topic(self) -> frozenset[str]:
        return self._reply | _things(self._text)

    @cached_property
    def _lines(self) -> Sequence[frozenset[str]]:
        return [_things(one) for body in self._bodies for one in _told(body)][:_MAX_LINES]


def _is_apart(sentence: str, is_first: bool) -> bool:
    """Whether a sentence asks for something by itself, or may; what it forbids is followed as a rule.

    The first of an answer does so only where it asks in plain words.
    """
    objects = len(_objects(sentence))
    if asks_for_something(sentence):
        return objects >= _FEW
    return not is_first and objects > _FEW and not (_says(sentence) or read_modality(sentence))


def _says(sentence: str) -> bool:
    """Whether a sentence says how something is, or takes leave."""
    return any(shape.search(sentence) for shape in (STATES, SUBJECT_FIRST, CLOSES))


def _hesitates(sentence: str) -> bool:
    """Whether a sentence says that the user thinks it over, or asks somebody; that asks nothing of the agent."""
    return HESITATES.match(sentence) is not None and sentence.rstrip()[-1:] not in "?？؟"


def _unanswered(text: str) -> Iterator[str]:
    """Yield the sentences of a text without questions that the next one answers: *Both? Later, not now.*"""
    cut = [one for one in SENTENCE_ENDS.split(text) if one.strip()]
    for one, following in zip_longest(cut, cut[1:], fillvalue=""):
        if one.rstrip()[-1:] not in "?？؟" or not DECIDES.match(following):
            yield one


def _told(body: str) -> Iterator[str]:
    for item in read_items(body):
        yield from filter(str.strip, SENTENCE_ENDS.split(f"{item.text[:MAX_READ_CHARS]}"))


def _texts(row: AuditMessage) -> Iterator[str]:
    yield row.text[:MAX_READ_CHARS]
    yield from (call.arguments[:MAX_READ_CHARS] for call in row.calls)


def _things(text: str) -> frozenset[str]:
    return (named_in(text) | numbers_of(text)) - _ANYBODY


def _objects(text: str) -> frozenset[str]:
    """Return the things of *text* that another text does not name by chance."""
    return frozenset(
        one
        for one in objects_of(text) & named_in(text)
        if one not in _UNITS and (len(one) > _FEW or _SIGNS.match(one))
    )


def _is_exact(thing: str) -> bool:
    return _EXACT.search(thing) is not None and thing[0] != _CONCEPT
