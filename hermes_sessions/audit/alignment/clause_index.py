"""The clauses of a transcript, found by what they name of some items that a handoff asks for."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, partial
from itertools import chain, islice, takewhile
from math import fsum, log
from typing import Final

from hermes_sessions.audit.alignment.chunks import NamedByChunk
from hermes_sessions.audit.alignment.clauses import MAX_LINE, Clause, cut_told
from hermes_sessions.audit.alignment.days import DAY_HEADS, days_of, may_name_day
from hermes_sessions.audit.alignment.likely_chunks import ChunkShapes
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.messages import Role

_MAX_TOOL: Final = 8_000
_FEW: Final = 3_000
"""Of so many sentences all are cut and every item is counted by clauses; of more so many are a sample."""
_OFTEN: Final = 120
"""What more sentences name tells none from another; among many it is counted by sentences."""
_SHIFT: Final = 16
"""The place of a clause is that of its sentence, moved so far, and its number in it."""
_NUMBER: Final = (1 << _SHIFT) - 1


class ClauseIndex:
    """The clauses of a transcript, found by what they name of some items that are asked for.

    A transcript has thousands of clauses and a handoff asks for few. A sentence is cut when it names
    something rare that is asked for, or stands beside one that does; what its chunks name is known before.
    """

    def __init__(
        self,
        told: Sequence[Statement],
        rows: Sequence[AuditMessage],
        former: Sequence[str],
        asked: frozenset[str],
    ) -> None:
        """Read the sentences *told*, the calls and results of *rows*, and *former* handoffs.

        Args:
            asked: the items that clauses are found by; of others nothing is known here.
        """
        self._said = (
            *_of_texts(former),
            *sorted((*told, *_of_tools(rows)), key=lambda one: one.message),
        )
        self._messages = [one.message for one in self._said]
        self._sentences: dict[str, list[int]] = {}
        for at, said in enumerate(self._said):
            self._sentences.setdefault(said.text, []).append(at)
        self._cut: dict[str, Sequence[tuple[str, str]]] = {}
        self._items: dict[str, Sequence[frozenset[str]]] = {}
        self._whole: dict[str, frozenset[str]] = {}
        self._named_at: dict[int, frozenset[str]] = {}
        self._clauses: dict[int, Clause] = {}
        self._together: dict[tuple[str, str], Sequence[int]] = {}
        self._sets: dict[str, frozenset[int]] = {}
        self._weights: dict[str, float] = {}
        self._named = NamedByChunk(asked)
        self._chunks = ChunkShapes(self._sentences)
        self._naming = self._find_naming()
        counts = self._count_sentences()
        most = _OFTEN if len(self._said) > _FEW else len(self._said)
        self._often = {item: count for item, count in counts.items() if count > most}
        self._places = self._find_places()
        self._total = self._count_clauses() + 1

    # -- finding -----------------------------------------------------------------------------------

    def _find_naming(self) -> Sequence[tuple[str, frozenset[str]]]:
        """Return the texts of the sentences that name something, with what each names or may name."""
        naming = self._named.naming(self._chunks)
        found: list[tuple[str, frozenset[str]]] = []
        for text in self._sentences:
            if here := naming.intersection(text.split()):
                items = self._named.together(here, text)
                found.append((text, self._in_text(text) if items is None else items))
        return found

    def _count_sentences(self) -> Mapping[str, int]:
        """Return how many sentences name each item."""
        counts = Counter(chain.from_iterable(items for _, items in self._naming))
        for text, items in self._naming:
            if (more := len(self._sentences[text]) - 1) > 0:
                counts.update(dict.fromkeys(items, more))
        return counts

    def _find_places(self) -> dict[str, Sequence[int]]:
        """Return the places of the clauses that name each item that is not named often."""
        found: dict[str, list[int]] = {}
        for text in (text for text, items in self._naming if not items <= self._often.keys()):
            for sentence in self._sentences[text]:
                for at, items in enumerate(self._items_of(text), sentence << _SHIFT):
                    self._named_at[at] = items
                    for item in items:
                        if item not in self._often:
                            found.setdefault(item, []).append(at)
        return {item: sorted(places) for item, places in found.items()}

    def _count_clauses(self) -> int:
        """Return how many clauses there are; of many sentences as many as those looked at have."""
        sample = self._said[:: max(1, len(self._said) // _FEW)]
        found = sum(len(self._cut_text(one.text)) for one in sample)
        return round(found * len(self._said) / len(sample)) if sample else 0

    def _cut_text(self, text: str) -> Sequence[tuple[str, str]]:
        known = self._cut.get(text)
        if known is None:
            known = self._cut[text] = cut_told(text)
        return known

    def _items_of(self, text: str) -> Sequence[frozenset[str]]:
        """Return what each clause of a sentence names of the items that are asked for."""
        known = self._items.get(text)
        if known is None:
            known = self._items[text] = [self._named.in_text(whole) for _, whole in self._cut_text(text)]
        return known

    @cached_property
    def _texts(self) -> Mapping[str, Set[str]]:
        """The texts of the sentences that name what is named often."""
        found: dict[str, set[str]] = {item: set() for item in self._often}
        for text, items in self._naming:
            for item in items & found.keys():
                found[item].add(text)
        return found

    def _places_in(self, texts: Iterable[str], items: Set[str]) -> list[int]:
        """Return the places of the clauses of *texts* that name all of *items*."""
        found: list[int] = []
        for text in texts:
            for number, named in enumerate(self._items_of(text)):
                if items <= named:
                    found += ((at << _SHIFT) + number for at in self._sentences[text])
        return sorted(found)

    # -- what is named -----------------------------------------------------------------------------

    @property
    def known(self) -> Set[str]:
        """The items that some clause names."""
        return self._places.keys() | self._often.keys()

    def knows(self, item: str) -> bool:
        """Return whether a clause names *item*."""
        return item in self._places or item in self._often

    def count(self, item: str) -> int:
        """Return how many clauses name *item*; of what is named often, how many sentences."""
        return self._often.get(item) or len(self._places.get(item, ()))

    def places(self, item: str) -> Sequence[int]:
        """Return the places of the clauses that name *item*, in their order."""
        if item in self._often and item not in self._places:
            self._places[item] = self._places_in(self._texts[item], {item})
        return self._places.get(item, ())

    def weight(self, items: Iterable[str]) -> float:
        """Return how telling *items* are together: up to one for each rare one, nothing for unknown ones."""
        return fsum(map(self._weigh, items))  # of a set: in any order the same

    def _weigh(self, item: str) -> float:
        known = self._weights.get(item)
        if known is None:
            count = self.count(item)
            known = self._weights[item] = log(self._total / count) / log(self._total) if count else 0.0
        return known

    def together(self, one: str, other: str) -> Sequence[int]:
        """Return the places of the clauses that name both, in their order."""
        known = self._together.get((one, other))
        if known is None:
            known = self._together[one, other] = self._together[other, one] = self._find_both(one, other)
        return known

    def _find_both(self, one: str, other: str) -> Sequence[int]:
        if not (self.knows(one) and self.knows(other)):
            return ()
        if one in self._often and other in self._often:
            return self._places_in(self._texts[one] & self._texts[other], {one, other})
        if one not in self._often and other not in self._often:
            return sorted(self._set_of(one) & self._set_of(other))
        rare, item = (other, one) if one in self._often else (one, other)
        return [at for at in self._places[rare] if item in self.named_at(at)]

    def _set_of(self, item: str) -> frozenset[int]:
        """Return the places of what is not named often, to be held against others."""
        known = self._sets.get(item)
        if known is None:
            known = self._sets[item] = frozenset(self._places[item])
        return known

    def named_at(self, at: int) -> frozenset[str]:
        """Return what the clause at a place names of the items that are asked for."""
        known = self._named_at.get(at)
        return self._items_of(self.said(at).text)[at & _NUMBER] if known is None else known

    def in_sentence(self, at: int) -> frozenset[str]:
        """Return what the sentence of a place names of the items that are asked for."""
        return self._in_text(self.said(at).text)

    def _in_text(self, text: str) -> frozenset[str]:
        """Return what the clauses of a sentence of this *text* name of the items that are asked for."""
        known = self._whole.get(text)
        if known is None:
            known = self._whole[text] = frozenset[str]().union(*self._items_of(text))
        return known

    def day_places(self) -> Mapping[int, Sequence[int]]:
        """Return the places of the clauses that name each day of the week, Monday 0."""
        chunks = self._chunks
        naming = {
            *chunks.of(filter(may_name_day, chunks.shapes_with(DAY_HEADS))),
            *filter(may_name_day, chunks.foreign),
        }
        found: dict[int, list[int]] = {}
        for text, sentences in self._sentences.items() if naming else ():
            if naming.isdisjoint(text.split()):
                continue
            for number, (clause, _) in enumerate(self._cut_text(text)):
                for day in days_of(clause):
                    found.setdefault(day, []).extend((at << _SHIFT) + number for at in sentences)
        return {day: sorted(places) for day, places in found.items()}

    # -- clauses and those beside them ---------------------------------------------------------------

    def clause(self, at: int) -> Clause:
        """Return the clause at a place."""
        known = self._clauses.get(at)
        if known is None:
            said = self.said(at)
            text, whole = self._cut_text(said.text)[at & _NUMBER]
            known = self._clauses[at] = Clause(said, text, whole, at)
        return known

    def said(self, at: int) -> Statement:
        """Return the sentence that the clause at a place is of."""
        return self._said[at >> _SHIFT]

    def message(self, at: int) -> int:
        """Return the message that the clause at a place is of."""
        return self._messages[at >> _SHIFT]

    def beside(self, at: int, most: int) -> Iterator[tuple[int, int]]:
        """Yield how far the sentences beside the one at a place are, and the place of each, so many a side.

        The last sentences of the message before are further away than all of its own.
        """
        sentence = at >> _SHIFT
        message = self._messages[sentence]
        for way in (-1, 1):
            for apart in range(1, most + 1):
                other = sentence + way * apart
                if not 0 <= other < len(self._said):
                    break
                if self._messages[other] != message:
                    if way < 0:
                        yield from ((most + 1, one << _SHIFT) for one in range(max(0, other - 1), other + 1))
                    break
                yield apart, other << _SHIFT

    def text(self, at: int) -> str:
        """Return the words of the clause at a place."""
        return self._cut_text(self.said(at).text)[at & _NUMBER][0]

    def whole(self, at: int) -> str:
        """Return the words of the clause at a place, with what it stands under."""
        return self._cut_text(self.said(at).text)[at & _NUMBER][1]

    def behind(self, at: int, most: int) -> Iterator[int]:
        """Yield the places of so many clauses behind another one, of later messages, too."""
        return islice(self._from(at, 1), most)

    @staticmethod
    def sentences_apart(one: int, other: int) -> int:
        """Return how many sentences lie between two places."""
        return abs((one >> _SHIFT) - (other >> _SHIFT))

    def next_to(self, at: int, way: int) -> int | None:
        """Return the place of the clause before another one (*way* -1) or behind it (1)."""
        return next(self._from(at, way), None)

    def run(self, at: int, way: int) -> Iterator[int]:
        """Yield the places of the clauses of the same message before a place (*way* -1) or behind it (1)."""
        message = self.message(at)
        return takewhile(lambda here: self.message(here) == message, self._from(at, way))

    def _from(self, at: int, way: int) -> Iterator[int]:
        """Yield the places of all clauses before a place (*way* -1), the nearest first, or behind it (1)."""
        sentence, number = at >> _SHIFT, at & _NUMBER
        if way < 0:
            yield from range(at - 1, at - number - 1, -1)
            for other in range(sentence - 1, -1, -1):
                yield from reversed(self._all_of(other))
        else:
            yield from range(at + 1, self._all_of(sentence).stop)
            for other in range(sentence + 1, len(self._said)):
                yield from self._all_of(other)

    def after(self, message: int) -> Iterator[int]:
        """Yield the places of all clauses of later messages."""
        for sentence in range(bisect_right(self._messages, message), len(self._said)):
            yield from self._all_of(sentence)

    def are_near(self, one: int, other: int, most: int) -> bool:
        """Return whether two places are in one message and at most so many clauses apart."""
        low, high = (one, other) if one < other else (other, one)
        first, last = low >> _SHIFT, high >> _SHIFT
        if self._messages[first] != self._messages[last]:
            return False
        apart = (high & _NUMBER) - (low & _NUMBER)
        for sentence in range(first, last):
            if apart > most:
                return False
            apart += self._size(sentence)
        return apart <= most

    def _all_of(self, sentence: int) -> range:
        """Return the places of the clauses of a sentence."""
        first = sentence << _SHIFT
        return range(first, first + self._size(sentence))

    def _size(self, sentence: int) -> int:
        return len(self._cut_text(self._said[sentence].text))


def _of_texts(texts: Iterable[str]) -> Iterator[Statement]:
    for text in texts:
        for line in text.splitlines():
            if line.strip():
                yield Statement(line.strip(" -*+•\t|")[:MAX_LINE], 0, "")


def _of_tools(rows: Iterable[AuditMessage]) -> Iterator[Statement]:
    for row in rows:
        texts = [f"{call.name} {call.arguments}".replace("\\n", "\n") for call in row.calls]
        if row.role == Role.TOOL:
            texts.append(row.text[:_MAX_TOOL].replace("\\n", "\n"))
        for text in texts:
            yield from _lines(text[:_MAX_TOOL], row.id)


_as_statement: Final[Callable[[tuple[object, ...]], Statement]] = partial(tuple.__new__, Statement)
"""A sentence of its fields: the call of a class for each of thousands takes longer than to cut them."""


def _lines(text: str, message: int) -> Iterator[Statement]:
    """Yield the lines of a result; one that is indented has what it stands under before it."""
    above: list[tuple[int, str]] = []
    for line in text.splitlines():
        bare = line.strip()
        if not bare:
            continue
        if not (above or bare.endswith(":")):
            yield _as_statement((bare[:MAX_LINE], message, Role.TOOL, Mode.STATED, ""))
            continue
        indent = len(line) - len(line.lstrip())
        above = [one for one in above if one[0] < indent]
        yield Statement(" ".join([*(one for _, one in above), bare])[:MAX_LINE], message, Role.TOOL)
        if bare.endswith(":"):
            above.append((indent, bare[:-1]))
