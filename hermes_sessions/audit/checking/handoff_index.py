"""Handoffs, ready to be asked which facts they tell."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Final

from hermes_sessions.audit.checking.sentences import cut_sentences
from hermes_sessions.audit.searchable_text import without_written_breaks
from hermes_sessions.audit.sources.source_index import SourceIndex, TextReader
from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.facts.compare import Likeness
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.values import Fact

SENTENCES: Final = frozenset(
    {"request", "decision", "constraint", "question", "todo", "next_step", "error", "name"}
)
"""Kinds whose value is said in a sentence, and told when a sentence of the handoff has most of its words."""

_ENOUGH: Final = 0.6
_ANCHORED: Final = 0.35
_NOWHERE: Final[set[int]] = set()


class HandoffIndex(SourceIndex):
    """The handoffs that stand in a context."""

    def __init__(self, bodies: Sequence[str], tell: TextReader = extract_text_facts) -> None:
        """Take the handoffs without what frames them."""
        bodies = [without_written_breaks(body) for body in bodies]
        told = [Told(fact, 0) for body in bodies for fact in tell(body)]
        super().__init__([(0, body) for body in bodies], told)
        self._known: dict[tuple[str, str], bool] = {}

    def tells(self, fact: Fact) -> bool:
        """Return whether a handoff says *fact*, word for word or in other words."""
        kind, value = fact.kind, fact.value
        if kind not in SENTENCES and not self.may_say(kind, value):
            return False  # most of thousands
        key = (kind, value)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._tells(fact)
        return known

    def _tells(self, fact: Fact) -> bool:
        if fact.kind in SENTENCES:
            return self._tells_sentence(fact)
        return self.says(fact.kind, fact.value).likeness is not Likeness.ABSENT

    def _tells_sentence(self, fact: Fact) -> bool:
        if self._stands(fact.value.rstrip("….")):
            return True
        words = telling_words(fact.value)
        if not words:
            return False
        anchors = [word for word in words if any(sign.isdigit() or sign in "/_.@" for sign in word)]
        anchored = (
            set.intersection(*(self._by_word.get(word, _NOWHERE) for word in anchors)) if anchors else ()
        )
        negated = is_negated(fact.value)
        for line, count in self._shared(words).items():
            share = count / len(words)
            enough = share >= _ENOUGH or (share >= _ANCHORED and line in anchored)
            if enough and (fact.kind != "constraint" or not negated or self._limits(line)):
                return True
        return False

    def _limits(self, line: int) -> bool:
        text = self._lines[line]
        return is_negated(text) or any(word in text.casefold() for word in _LIMITING)

    def _shared(self, words: frozenset[str]) -> Mapping[int, int]:
        """Return how many of *words* stand in each passage of the handoff, its neighbours counted in."""
        return Counter(chain.from_iterable(self._by_word.get(word, ()) for word in words))

    @cached_property
    def _lines(self) -> list[str]:
        """Sentences, and every two that follow each other: a request may be told in two."""
        sentences = [one for _, text in self.texts for one in cut_sentences(text)]
        pairs = [f"{one} {two}" for one, two in pairwise(sentences)]
        return [*sentences, *pairs]

    @cached_property
    def _by_word(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = defaultdict(set)
        for place, line in enumerate(self._lines):
            for word in telling_words(line):
                found[word].add(place)
        return dict(found)


_LIMITING: Final = (
    "only", "until", "unless", "before", "forb", "avoid", "without", "reject", "refus", "keep", "unchanged", "wait", "nur", "erst", "verbot",
    "seulement", "avant", "interdi", "solo", "sólo", "hasta", "prohib", "только", "запре", "只", "禁止", "のみ", "만",
)  # fmt: skip
