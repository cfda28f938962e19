"""Which exact facts of a span are still in front of the model, and which are not.

Exact strings only: a summary that says the same in other words counts as lost here,
and lost means out of the model's sight, not out of the store.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.facts import WORD_CHARS, message_facts, without_escapes
from hermes_sessions.handoff import is_synthetic
from hermes_sessions.messages import Fact, Message, Role

_WORD = re.compile(rf"[{WORD_CHARS}]+")
_INSIDE_WORD = re.compile(rf"[{WORD_CHARS}]{{2}}")
# A fact is a piece of a longer one by how the text before it ends, and by how the text behind it begins.
# A leading `./` leaves a path the same, and so does a line number behind it.
_LONGER_BEFORE: Final = {
    "number": re.compile(r"[0-9][.,]\Z"),
    "version": re.compile(r"[0-9]\.\Z"),
    "path": re.compile(rf"(?:[{WORD_CHARS}~.]|[{WORD_CHARS}]-|(?<!\.)/|[{WORD_CHARS}/.~-]\./)\Z"),
}
_LONGER_BEHIND: Final = {
    "version": re.compile(rf"\.[0-9]|[-+][{WORD_CHARS}]"),
    "path": re.compile(rf"[{WORD_CHARS}]|/\.?\w|[.-][{WORD_CHARS}]"),
    "url": re.compile(rf"[{WORD_CHARS}]|/\.?[\w~-]|[.?&=%-][{WORD_CHARS}]"),
}
_BLANKS = re.compile(r"\s+")
_LINE_NUMBER = re.compile(r":[0-9]{1,6}\Z")
_NEAR: Final = 3
"""How many characters before a fact tell whether it is a piece of a longer one."""

MAX_CURVE: Final = 50
"""How many compactions long a survival curve is at most: a chain of a thousand has a million points."""

FactReader = Callable[[AuditMessage], Sequence[Fact]]
"""Returns the facts of a message; one that remembers them makes long chains fast."""


@dataclass(frozen=True, slots=True)
class KeptFact:
    """One exact fact of a span: where it came from, and where it still stands.

    Attributes:
        messages: rows of the span that hold it.
        in_tail: it stands in a message that was kept verbatim, head or tail.
        in_handoff: it stands in the summary, or in an older one that was carried along.
    """

    kind: str
    value: str
    messages: tuple[int, ...]
    in_tail: bool
    in_handoff: bool

    @property
    def is_lost(self) -> bool:
        """Whether it stands nowhere in the new transcript."""
        return not (self.in_tail or self.in_handoff)


@dataclass(frozen=True, slots=True)
class Share:
    """Counts of facts: all, in kept messages, in the handoff, in both, in neither."""

    total: int = 0
    tail: int = 0
    handoff: int = 0
    both: int = 0
    lost: int = 0

    @property
    def kept(self) -> float | None:
        """The share that is still in sight, None where there was nothing to lose."""
        return None if not self.total else (self.total - self.lost) / self.total


@dataclass(frozen=True)
class Retention:
    """The facts of one span, in the order they first stand there."""

    facts: tuple[KeptFact, ...]

    @cached_property
    def shares(self) -> Mapping[str, Share]:
        """Counts by kind of fact; kinds that do not occur are left out."""
        kinds = dict.fromkeys(fact.kind for fact in self.facts)
        return {kind: _share(fact for fact in self.facts if fact.kind == kind) for kind in kinds}

    @cached_property
    def total(self) -> Share:
        """Counts over all kinds."""
        return _share(self.facts)


def read_facts(message: AuditMessage) -> tuple[Fact, ...]:
    """Return the exact facts of one message; a note in the user's name asks for nothing."""
    asked = message_facts(
        Message(
            role=message.role,
            content=message.text,
            tool_calls=message.calls,
            result_ids=message.result_ids,
            tool_name=message.tool_name,
            reasoning="",
            source={},
        ),
        message.id,
    )
    if message.role == Role.USER and is_synthetic(message.text):
        return tuple(fact for fact in asked if fact.kind != "ask")
    return asked


def measure_retention(case: CompactionCase, read: FactReader = read_facts) -> Retention:
    """Return every fact of the span and where it still stands."""
    found: dict[tuple[str, str], list[int]] = {}
    for message in case.span:
        for fact in read(message):
            found.setdefault((fact.kind, fact.value), []).append(message.id)
    sight = _Sight(case, read)
    return Retention(
        tuple(
            KeptFact(kind, value, tuple(messages), sight.keeps(kind, value), sight.tells(kind, value))
            for (kind, value), messages in found.items()
        )
    )


def measure_survival(
    cases: Sequence[CompactionCase], read: FactReader = read_facts
) -> tuple[tuple[float, ...], ...]:
    """Return, for each compaction, the share of its span's facts in sight after it and each later one.

    The first curve has a value per compaction (at most `MAX_CURVE`), the last one has one.
    A span without facts gives an empty curve.
    """
    spans = [facts_in(case.span, read) for case in cases]
    curves: list[list[float]] = [[] for _ in cases]
    for place, case in enumerate(cases):
        sight = _Sight(case, read)
        for earlier in range(max(place + 1 - MAX_CURVE, 0), place + 1):
            if facts := spans[earlier]:
                curves[earlier].append(sum(sight.holds(*fact) for fact in facts) / len(facts))
    return tuple(map(tuple, curves))


def facts_in(messages: Iterable[AuditMessage], read: FactReader = read_facts) -> set[tuple[str, str]]:
    """Return the kinds and values of all facts in *messages*."""
    return {(fact.kind, fact.value) for message in messages for fact in read(message)}


class SearchableText:
    """A text that is asked for many exact strings; white space counts as one blank, colours as nothing."""

    def __init__(self, *texts: str) -> None:
        self._raw = without_escapes("\n".join(texts))

    @cached_property
    def _text(self) -> str:
        return one_line(self._raw)

    def holds(self, value: str, kind: str = "") -> bool:
        """Return whether *value* stands in the text, and not within a longer word or fact of its kind."""
        value = one_line(value.removesuffix("…"))
        # A string without blanks stands in the raw text too: no need to make one line of it.
        text = self._text if " " in value else self._raw
        at = text.find(value) if value else -1
        while at >= 0:
            end = at + len(value)
            if _stands_alone(text, at, end, kind):
                return True
            at = text.find(value, at + 1)
        return False


class IndexedText(SearchableText):
    """The same for a text that is asked for thousands of strings, most of which are not in it."""

    def __init__(self, *texts: str) -> None:
        super().__init__(*texts)
        self._words = set(_WORD.findall(self._raw))

    def holds(self, value: str, kind: str = "") -> bool:
        """Return whether *value* stands in the text; all its words must be words of the text."""
        return self._words.issuperset(_WORD.findall(value)) and super().holds(value, kind)


class _Sight:
    """What a compaction left in front of the model: kept messages and handoffs, older ones among them."""

    def __init__(self, case: CompactionCase, read: FactReader) -> None:
        kept = facts_in(case.after, read)
        self._facts = kept.union(*(_beginnings(*fact) for fact in kept))
        older = (row.handoff for row in case.after if row.id != case.facts.handoff)
        self._handoffs = IndexedText(case.body, *older)

    def holds(self, kind: str, value: str) -> bool:
        """Return whether the fact is in sight."""
        return self.keeps(kind, value) or self.tells(kind, value)

    def keeps(self, kind: str, value: str) -> bool:
        """Return whether it stands in a kept message, by itself or as the beginning of a longer one."""
        return (kind, value) in self._facts

    def tells(self, kind: str, value: str) -> bool:
        """Return whether it stands in the summary, or in an older one that was carried along."""
        return self._handoffs.holds(value, kind)


def _beginnings(kind: str, value: str) -> Iterator[tuple[str, str]]:
    """Yield what also stands where this fact does: a path without its line, a command with fewer words."""
    if kind == "path":
        yield kind, _LINE_NUMBER.sub("", value)
    elif kind == "command":
        yield from ((kind, value[: blank.start()]) for blank in _BLANKS.finditer(value))


def one_line(text: str) -> str:
    """Return *text* with each run of white space as one blank, none at the ends."""
    return " ".join(text.split())


def _stands_alone(text: str, start: int, end: int, kind: str) -> bool:
    """Return whether what stands from *start* to *end* is neither within a word nor within a longer fact."""
    if (start and _INSIDE_WORD.match(text, start - 1)) or _INSIDE_WORD.match(text, end - 1):
        return False
    before, behind = _LONGER_BEFORE.get(kind), _LONGER_BEHIND.get(kind)
    if before is not None and before.search(text[max(start - _NEAR, 0) : start]):
        return False
    return behind is None or behind.match(text, end) is None


def _share(facts: Iterable[KeptFact]) -> Share:
    counts: Counter[str] = Counter()
    for fact in facts:
        counts["total"] += 1
        counts["tail"] += fact.in_tail
        counts["handoff"] += fact.in_handoff
        counts["both"] += fact.in_tail and fact.in_handoff
        counts["lost"] += fact.is_lost
    return Share(**counts)
