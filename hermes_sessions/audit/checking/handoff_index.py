"""Handoffs, ready to be asked which facts they tell."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Final

from hermes_sessions.audit.checking.sentences import cut_sentences
from hermes_sessions.audit.searchable_text import without_written_breaks
from hermes_sessions.audit.sources.source_index import SourceIndex, TextReader
from hermes_sessions.audit.sources.written_text import Told, ascii_runs
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
        return bool(self.told_of([fact]))

    def told_of(self, facts: Iterable[Fact]) -> Collection[tuple[str, str]]:
        """Return kind and value of those of *facts* that a handoff says, in whatever words.

        Of thousands it has the letters, or the number, of few: no more is asked of the others of a kind.
        """
        by_kind: dict[str, dict[str, Fact]] = defaultdict(dict)
        for fact in facts:
            by_kind[fact.kind][fact.value] = fact
        return {
            (kind, value)
            for kind, held in by_kind.items()
            for value in (held if kind in SENTENCES else self.which_it_may_say(kind, held))
            if self._says(held[value])
        }

    def _says(self, fact: Fact) -> bool:
        key = (fact.kind, fact.value)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._tells(fact)
        return known

    def _may_stand(self, value: str) -> bool:
        return self._stand_together(ascii_runs(value))

    def _may_have_path(self, value: str) -> bool:
        runs = ascii_runs(value)
        return self._stand_together(runs[1:]) or self._stand_together(runs[:-1])

    def _stand_together(self, runs: Sequence[bytes]) -> bool:
        """Whether runs of letters and digits stand there one behind the other, as far as pairs of them tell."""
        return self._pairs.issuperset(pairwise(runs)) if len(runs) > 1 else self._runs.issuperset(runs)

    @cached_property
    def _pairs(self) -> frozenset[tuple[bytes, bytes]]:
        return frozenset(pairwise(ascii_runs(self.text)))

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
