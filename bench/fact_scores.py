"""Recall and precision of an extractor over the labelled set: pure, the same for every extractor."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, Protocol

from bench.gold import LINE_KINDS, GoldText, Label

ANY_KIND: Final = "*"
"""The kind of a baseline's fact: it passes for every kind."""
_TRIMMED: Final = " \t\r\n.,;:!?…'\"`*«»„“”‘’()[]{}<>。，、；：！？「」『』（）،؛؟"
_KEYED: Final = re.compile(r"[\w.\-]+(?:\s*={1,2}\s*|:\s+)(\S.*)")
_BULLET: Final = re.compile(r"^(?:[-*>$#•●+] ?|\[[ x]\] )+")
_Z: Final = 1.96


class Fact(Protocol):
    """What is read of a fact."""

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def value(self) -> str: ...  # noqa: D102


Extractor = Callable[[Mapping[str, Any]], Iterable[Fact]]


@dataclass(frozen=True, slots=True)
class Found:
    """A baseline's fact."""

    kind: str
    value: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """What an extractor made of one text; repeats and what is allowed are in neither list of facts."""

    text: GoldText
    hits: tuple[tuple[Label, Fact], ...]
    misses: tuple[Label, ...]
    right: tuple[Fact, ...]
    false: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """Return the share, 0 of nothing."""
        return self.part / self.whole if self.whole else 0.0

    def interval(self) -> tuple[float, float]:
        """Return Wilson's 95 % interval."""
        if not self.whole:
            return 0.0, 1.0
        n, p = self.whole, self.value
        middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(0.0, middle - half), min(1.0, middle + half)


def score_text(text: GoldText, extract: Extractor) -> Scored:
    """Hold what *extract* finds in a text against its labels.

    A fact is right when it matches a label that no fact before it has taken. One that
    matches a taken label only repeats it and counts neither way, like what is allowed.
    """
    taken: dict[int, Fact] = {}
    right, false = [], []
    for fact in _distinct(extract(text.message)):
        matched = [number for number, label in enumerate(text.labels) if matches(label, fact)]
        new = [number for number in matched if number not in taken]
        taken.update((number, fact) for number in new)
        if new:
            right.append(fact)
        elif not matched and not any(same(fact, one) for one in text.allowed):
            false.append(fact)
    hits = tuple(
        (text.labels[number], fact) for number, fact in sorted(taken.items(), key=lambda one: one[0])
    )
    misses = tuple(label for number, label in enumerate(text.labels) if number not in taken)
    return Scored(text, hits, misses, tuple(right), tuple(false))


def _distinct(facts: Iterable[Fact]) -> Iterator[Fact]:
    seen = set()
    for fact in facts:
        if (fact.kind, fact.value) not in seen:
            seen.add((fact.kind, fact.value))
            yield fact


def matches(label: Label, fact: Fact) -> bool:
    """Tell whether a fact is the one a label asks for."""
    return fact.kind in (*label.kinds, ANY_KIND) and any(same(fact, value) for value in label.values)


def same(fact: Fact, value: str) -> bool:
    """Compare values: lines by what they share, all else exactly, but for punctuation and `key=`."""
    if fact.kind in LINE_KINDS or fact.kind == ANY_KIND:
        if _mostly_same(fact.value, value):
            return True
        if fact.kind in LINE_KINDS:
            return False
    return bool(_forms(fact.value) & _forms(value))


def _mostly_same(one: str, other: str) -> bool:
    """Tell whether one line contains the other and is not more than twice as long."""
    shorter, longer = sorted((_line(one), _line(other)), key=len)
    return bool(shorter) and shorter in longer and 2 * len(shorter) >= len(longer)


def _line(value: str) -> str:
    return _BULLET.sub("", " ".join(value.split())).strip(_TRIMMED)


def _forms(value: str) -> set[str]:
    flat = " ".join(value.split())
    keyed = _KEYED.fullmatch(flat)
    return {flat.strip(_TRIMMED)} | ({keyed[1].strip(_TRIMMED)} if keyed else set())


def recall_of(scores: Sequence[Scored], kind: str | None = None) -> Share:
    """Return the share of labels that were found, of one kind (a label's first) or of all."""
    hits = Counter(label.kinds[0] for one in scores for label, _ in one.hits)
    misses = Counter(label.kinds[0] for one in scores for label in one.misses)
    if kind is None:
        return Share(hits.total(), hits.total() + misses.total())
    return Share(hits[kind], hits[kind] + misses[kind])


def precision_of(scores: Sequence[Scored], kind: str | None = None) -> Share:
    """Return the share of facts that are right, of one kind or of all."""
    right = Counter(fact.kind for one in scores for fact in one.right)
    false = Counter(fact.kind for one in scores for fact in one.false)
    if kind is None:
        return Share(right.total(), right.total() + false.total())
    return Share(right[kind], right[kind] + false[kind])


def keys_of(scores: Sequence[Scored]) -> Share:
    """Return the share of found labels with a key whose fact has that key, or one within it."""
    pairs = [
        (label.key.casefold(), fact.key.casefold()) for one in scores for label, fact in one.hits if label.key
    ]
    agree = [asked for asked, found in pairs if found and (asked in found or found in asked)]
    return Share(len(agree), len(pairs))


def any_kind_of(scores: Sequence[Scored]) -> Share:
    """Return the share of labels that were found under a kind of theirs or any other."""
    whole = recall_of(scores)
    misplaced = sum(
        any(same(fact, value) for fact in (*one.right, *one.false) for value in label.values)
        for one in scores
        for label in one.misses
    )
    return Share(whole.part + misplaced, whole.whole)
