"""Whether a sentence of the transcript is what a clause of a handoff most likely stems from. Pure."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.handed_on.matter import matter_of
from hermes_sessions.audit.handed_on.told_matters import Telling, numbers_of, without_contrast
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.headings import read_items
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.audit.words.small_words import SMALL_WORDS
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_CLAUSES = late_pattern(
    r"[,;:，；、：|(（]\s*|\s(?:and|but|so|und|aber|et|mais|y|pero|e|ma|mas|en|maar|i|ale|ve|ama|и|но|а)\s"
)
_STEM: Final = 5
_SMALL: Final = frozenset(word[:_STEM] for word in SMALL_WORDS)
_CONCEPT: Final = "°"
_MAX_CLAUSES: Final = 1_500
_MOST_NEAR: Final = 12
"""So many clauses of a handoff are looked at for one sentence."""
_MAX_ROW_CHARS: Final = 20_000
_FEW: Final = 2
_HALF: Final = 0.5
_SOME: Final = 0.4


class _ClaimClause(NamedTuple):
    """What a clause names, what the sentence or list item it is of names, and the numbers there."""

    named: frozenset[str]
    around: frozenset[str]
    numbers: frozenset[str]
    anchors: frozenset[str]
    negated: bool


class ClaimOrigins:
    """The clauses of handoffs, each asked whether it stems from a sentence.

    It does where the sentence has half of what the clause names, and no other sentence of the
    transcript has more of it. What the assistant says next in nearly the same words is no other one.
    """

    def __init__(self, bodies: Sequence[str], before: Sequence[AuditMessage]) -> None:
        """Take the handoffs that are in sight and the transcript before them."""
        self._bodies = bodies
        self._before = [row for row in before if row.kind != "handoff" and row.text.strip()]

    def of(self, text: str, rows: Sequence[int], needed: frozenset[str] = frozenset()) -> Telling:
        """Return whether a clause stems from *text*, said in these rows, and has most of what it names.

        Args:
            text: the sentence.
            rows: messages in which it stands.
            needed: numbers without which nothing of it is told.
        """
        wanted = named_in(text)
        numbers = numbers_of(without_contrast(text))
        best = Telling.NOT
        for clause in self._near(wanted, numbers, needed)[:_MOST_NEAR]:
            shared = len(clause.named & wanted)
            if self._is_said_better(clause.named, shared, text, rows):
                continue
            best = Telling.PERHAPS
            part = len(clause.around & wanted) / len(wanted)
            enough = part >= _HALF or (part >= _SOME and _has_anchors(text, clause))
            if enough and numbers <= clause.numbers and clause.negated == is_negated(text):
                return Telling.YES
        return best

    def _near(
        self, wanted: frozenset[str], numbers: frozenset[str], needed: frozenset[str]
    ) -> Sequence[_ClaimClause]:
        """Return the clauses that have two things of *wanted*, and half of their own; most first."""
        found = [
            (shared, one)
            for one in self._clauses
            if (shared := len(one.named & wanted)) >= _FEW
            and shared >= len(one.named) * _HALF
            and needed <= one.numbers
            and not (numbers and one.numbers and numbers.isdisjoint(one.numbers))
        ]
        found.sort(key=lambda one: -one[0])
        return [one for _, one in found]

    def _is_said_better(self, named: frozenset[str], least: int, text: str, rows: Sequence[int]) -> bool:
        for row, lowered in zip(self._before, self._lowered, strict=True):
            if sum(one[0] == _CONCEPT or one in lowered for one in named) <= least:
                continue
            own = row.id in rows
            for sentence in SENTENCE_ENDS.split(row.text[:_MAX_ROW_CHARS]):
                if own and (sentence.strip() in text or text in sentence):
                    continue
                if len(named_in(sentence) & named) > least and not self._echoes(row, sentence, text, rows):
                    return True
        return False

    def _echoes(self, row: AuditMessage, sentence: str, text: str, rows: Sequence[int]) -> bool:
        """Whether the assistant takes up in *sentence* what was said right before it."""
        if row.role != Role.ASSISTANT or self._answered.get(row.id) not in rows:
            return False
        said, words = named_in(sentence), named_in(text)
        return len(said & words) >= max(_FEW, len(said) * _HALF)

    @cached_property
    def _answered(self) -> dict[int, int]:
        return {two.id: one.id for one, two in zip(self._before, self._before[1:], strict=False)}

    @cached_property
    def _lowered(self) -> Sequence[str]:
        return [row.text[:_MAX_ROW_CHARS].casefold() for row in self._before]

    @cached_property
    def _clauses(self) -> Sequence[_ClaimClause]:
        found = (one for body in self._bodies for one in _read_clauses(body))
        return [one for one, _ in zip(found, range(_MAX_CLAUSES), strict=False)]


def _read_clauses(body: str) -> Iterator[_ClaimClause]:
    for item in read_items(body):
        whole = item.text[:MAX_READ_CHARS]
        around, numbers, terms = named_in(whole), numbers_of(whole), read_terms(whole)
        anchors = terms.anchors | terms.spelled
        for sentence in SENTENCE_ENDS.split(whole):
            for text in dict.fromkeys((sentence, *_CLAUSES.split(sentence))):
                if named := named_in(text):
                    yield _ClaimClause(named, around, numbers, anchors, is_negated(sentence))


def _has_anchors(text: str, clause: _ClaimClause) -> bool:
    anchors = read_terms(text).anchors
    return len(anchors) >= _FEW and anchors <= clause.anchors


@lru_cache(maxsize=8_192)
def named_in(text: str) -> frozenset[str]:
    """Return what *text* names: numbers, names and words in whatever form, deeds and things by concept."""
    return (matter_of(text) - _SMALL) | {f"{_CONCEPT}{one}" for one in read_terms(text).concepts}
