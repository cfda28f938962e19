"""Questions an agent asks after a compaction whose answer the compaction took out of its sight."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from hermes_sessions.audit.handed_on.kept_facts import KeptFact
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.audit.verdict.asking import ASKED_KINDS, ASKING_WORDS, QUESTION_TOOL, WANTED
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.slots import subject_words
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.messages import Role, ToolCall

_MAX_ROWS: Final = 500
_MAX_CHARS: Final = 8_000
_MAX_FACTS: Final = 2_000
_SENTENCE = SentenceCut(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n")
_QUESTION: Final = ("?", "？", "؟")
_ENOUGH: Final = 0.75
_HALF: Final = 0.5
_STEM: Final = 5
_QUESTION_KEYS: Final = frozenset({"question", "questions", "prompt", "text", "message", "query"})
_DEPTH: Final = 4


class AskedAgain(NamedTuple):
    """A question, and what was lost that answers it.

    Attributes:
        row: the message that asks.
        question: in the agent's words.
        kind: of the fact, '' where the same was asked before and answered.
        value: the answer.
        message: where the answer is.
        line: what the answer stands in.
    """

    row: AuditMessage
    question: str
    kind: str
    value: str
    message: int
    line: str


def find_asked_again(
    case: CompactionCase, following: Sequence[AuditMessage], lost: Sequence[KeptFact]
) -> Iterator[AskedAgain]:
    """Yield the questions among *following* that a *lost* fact, or an answer in the span, answers."""
    answered = _Answered(case)
    known = [fact for fact in lost if fact.kind in ASKED_KINDS or fact.key][-_MAX_FACTS:]
    said: list[str] = []
    for row in following:
        for question in _questions(row):
            found = _fact_asked_for(question, known, said)
            if found is not None:
                yield AskedAgain(row, question, found.kind, found.value, found.messages[-1], found.text)
            elif (answer := answered.to(question)) is not None:
                yield AskedAgain(row, question, "", answer.text.strip(), answer.id, answer.text)
        said.append(row.text)


class _Answered:
    """What the agent asked in the span, with what the user answered there."""

    def __init__(self, case: CompactionCase) -> None:
        body = case.body.casefold()
        kept = case.kept
        self._pairs = [
            (terms, answer)
            for question, answer in _asked_and_answered(case.span[-_MAX_ROWS:])
            if answer.original not in kept
            and answer.text.strip().rstrip(".!").casefold() not in body
            and (terms := read_terms(question).all)
        ]

    def to(self, question: str) -> AuditMessage | None:
        """Return the answer that the user gave to the same question."""
        mine = read_terms(question).all
        if len(mine) < 2:
            return None
        return next(
            (row for one, row in self._pairs if len(mine & one) / max(len(mine), len(one)) >= _ENOUGH), None
        )


def _asked_and_answered(rows: Sequence[AuditMessage]) -> Iterator[tuple[str, AuditMessage]]:
    waiting: list[str] = []
    for row in rows:
        if row.is_request:
            yield from ((one, row) for one in waiting)
            waiting = []
        elif row.is_reply:
            waiting = list(_questions(row))


def _questions(row: AuditMessage) -> Iterator[str]:
    """Yield what the agent asks the user, in words or through a tool that asks."""
    if row.role != Role.ASSISTANT:
        return
    if row.is_reply:
        for sentence in _SENTENCE.split(row.text[-_MAX_CHARS:]):
            if sentence.rstrip().endswith(_QUESTION) or WANTED.search(sentence):
                yield sentence.strip()
    for call in row.calls:
        if QUESTION_TOOL.search(call.name):
            yield from _asked_in(call)


def _asked_in(call: ToolCall) -> Iterator[str]:
    try:
        arguments = json.loads(call.arguments)
    except ValueError:
        return
    yield from _texts(arguments, _DEPTH)


def _texts(value: Any, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(value, Mapping):
        for name, one in value.items():
            if name in _QUESTION_KEYS:
                yield from ([one] if isinstance(one, str) else _texts(one, depth - 1))
    elif isinstance(value, list):
        for one in value:
            yield from ([one] if isinstance(one, str) else _texts(one, depth - 1))


def _fact_asked_for(question: str, lost: Sequence[KeptFact], said: Sequence[str]) -> KeptFact | None:
    """Return the lost fact that answers *question*: its key is named, or its kind and what it is of."""
    # What the question holds itself it does not ask for, nor what was said since.
    lost = [fact for fact in lost if not any(fact.value in text for text in (question, *said))]
    keyed = [fact for fact in lost if _is_named(fact.key, question)]
    if keyed:
        return keyed[-1]
    kinds = [kind for kind, asks in ASKED_KINDS.items() if asks.search(question)]
    content = _content(question, kinds)
    for kind in kinds:
        facts = [fact for fact in lost if fact.kind == kind]
        if content:
            scored = [(_closeness(fact, content), fact) for fact in facts]
            found = max(scored, key=lambda one: one[0], default=None)
            if found is not None and found[0] > 0:
                return found[1]
        elif len({fact.value for fact in facts}) == 1:
            return facts[-1]
    return None


def _is_named(key: str, question: str) -> bool:
    """Return whether *question* names a key as it is written: `DB_POOL`, `gateway.port`."""
    if len(key) < 3 or not any(sign in key for sign in "_.-/"):
        return False
    return re.search(rf"(?<![\w.-]){re.escape(key)}(?![\w-])", question, re.I) is not None


def _content(question: str, kinds: Sequence[str]) -> frozenset[str]:
    """Return the words of a question that say what it is about."""
    for kind in kinds:
        question = ASKED_KINDS[kind].sub(" ", question)
    return read_terms(ASKING_WORDS.sub(" ", question)).all


def _closeness(fact: KeptFact, content: frozenset[str]) -> float:
    """Return how well a fact's surroundings hold the words of a question; 0 where half of them is missing."""
    key = frozenset(subject_words(fact.key))
    if key and content and all(_has(key, word) for word in content):
        return 3.0
    around = read_terms(fact.text).all | key
    share = sum(_has(around, word) for word in content) / len(content)
    if share < _HALF:
        return 0.0
    place = fact.text.find(fact.value)
    near = read_terms(fact.text[max(0, place - 40) : place + len(fact.value) + 25]).all
    return share + sum(_has(near, word) for word in content) / len(content)


def _has(words: frozenset[str], word: str) -> bool:
    if word in words:
        return True
    return len(word) >= _STEM and any(
        len(one) >= _STEM and (one.startswith(word) or word.startswith(one)) for one in words
    )
