"""Clauses with what they name: of a handoff, and of all that was said, called and returned before it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from math import fsum, log
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.chunks import NamedByChunk
from hermes_sessions.audit.alignment.items import ClauseItems, read_items
from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.audit.relations.statements import Statement, read_handoff
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.messages import Role

_STOP: Final = r"(?<=[.!?]\s)(?<!\b[A-Z]\.\s)(?<!\b(?:Dr|Mr|Ms|Sr)\.\s)(?<!\b(?:Mrs|Sra|Mme)\.\s)"
"""Behind the blank at the end of a sentence; `M. Garnier` is one name."""
_CUT = re.compile(
    rf"[\s、，；。](?:(?<=[,;·]\s)|(?<=[、，；。])|(?<=\s)/\s|{_STOP}|(?<=\s)(?:"
    r"and|but|while|whereas|although|instead of"
    r"|rather than|und|aber|während|obwohl|statt"
    r"|et|mais|tandis que|y|e|pero|mientras|mas|ma|mentre|и|а|но)\s)"
)
_COARSE = re.compile(rf"[\s；。](?:(?<=[；。])|(?<=;\s)|{_STOP})")
"""Both begin with a sign that is looked for fast."""
_INSIDE = re.compile(r"\([^()\n]{1,120}\)|（[^（）\n]{1,80}）")
_HIDDEN: Final = str.maketrans({",": "\ue000", ";": "\ue001", "、": "\ue002", "，": "\ue003", " ": "\ue004"})
_SHOWN: Final = str.maketrans({"\ue000": ",", "\ue001": ";", "\ue002": "、", "\ue003": "，", "\ue004": " "})
_LABEL = re.compile(
    r"\s*(?:[|]\s*)?(?:\*\*)?([^:：|]{1,40}?)(?:\*\*)?\s?(?:[:：](?=\s|\*|[\u2e80-\ud7ff])|\s\|(?=\s))"
)
_LIST = re.compile(r"[^\s/|(),:;]+(?: [^\s/|(),:;]{1,3})?(?: / [^\s/|(),:;]+(?: [^\s/|(),:;]{1,3})?)+")
_MAX_TOOL: Final = 8_000
_MAX_LINE: Final = 300


class Clause(NamedTuple):
    """A clause, what it names, and the sentence it is of.

    Attributes:
        place: its number among all clauses of its text.
    """

    said: Statement
    text: str
    items: ClauseItems
    place: int

    @property
    def named(self) -> frozenset[str]:
        """Everything it names, with what it stands under."""
        return self.items.all

    @property
    def is_former(self) -> bool:
        """Whether an older handoff says it: what it counted may have grown since."""
        return not self.said.message and not self.said.speaker


def cut_clauses(said: Statement, *, coarse: bool = False) -> Iterator[Clause]:
    """Yield the clauses of a sentence with what they stand under: at commas, or *coarse* at semicolons."""
    for place, (text, whole) in enumerate(_cut_texts(said.text, coarse=coarse)):
        yield Clause(said, text, read_items(whole), place)


def _cut_texts(said: str, *, coarse: bool = False) -> Sequence[tuple[str, str]]:
    """Return the clauses of a sentence, each also with what it stands under before it."""
    found: list[tuple[str, str]] = []
    for segment in _segments(said):
        label, text = "", segment
        if match := _LABEL.match(segment):
            label, text = match[1], segment[match.end() :]
        if not text.strip(" *|"):
            found.append((label, f"{label} " if label else ""))
            continue
        for part in [text] if coarse else _cut(text, _CUT):
            outer = label and _LABEL.match(part) is None
            found.append((part or label, f"{label} {part}" if outer else part))
    return found


def _segments(text: str) -> Sequence[str]:
    """Return what stands between semicolons; a row of a table is one segment a cell, after its first one."""
    if " | " not in text:
        return _cut(text, _COARSE)
    head, *cells = text.split(" | ")
    return [f"{head} | {one}" for one in cells]


def _cut(text: str, shape: re.Pattern[str]) -> Sequence[str]:
    if text.isascii() and "(" not in text:  # nothing to hide
        return [one for part in shape.split(text) if (one := part.strip(" *|"))]
    hidden = _INSIDE.sub(lambda match: match.group().translate(_HIDDEN), text)
    parts = [one.translate(_SHOWN).strip(" *|") for one in shape.split(hidden)]
    return [one for one in parts if one]


def read_claims(passages: Sequence[Passage]) -> Sequence[Statement]:
    """Return the sentences of a handoff; a row of a table is one, and stands under its first cell."""
    found: list[Statement] = []
    for passage in passages:
        if passage.mode is not Mode.OWN and passage.text.lstrip().startswith("|"):
            found.append(Statement(passage.text.strip(" |")[:_MAX_LINE], 0, "", passage.mode))
        else:
            found += read_handoff([passage])
    return [one for one in found if not one.is_question]


_CutText = tuple[Sequence[tuple[str, str]], Sequence[tuple[int, str]]]
"""The clauses of a text, and the items that are asked for with the clause that each is in."""


def _read_text(text: str, named: NamedByChunk) -> _CutText:
    chunks = text.split()
    if chunks and (
        named.cutting.isdisjoint(chunks)
        or (chunks[-1] in named.ending and text.isascii() and named.cutting.isdisjoint(chunks[:-1]))
    ):
        bare = text.strip(" *|")
        found = named.in_chunks(chunks, bare) if bare == text else named.in_text(bare)
        return [(bare, bare)], [(0, item) for item in found]
    texts = _cut_texts(text)
    return texts, [(at, item) for at, (_, whole) in enumerate(texts) for item in named.in_text(whole)]


class ClauseIndex:
    """The clauses of a transcript, found by what they name of some items that are asked for.

    A transcript has thousands of clauses and a handoff asks for few: of most of them only the items that
    both name are looked for, and everything else that one names is read when its turn comes.
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
        self.by_item: dict[str, list[int]] = {}
        self._together: dict[tuple[str, str], list[int]] = {}
        self._places: dict[str, frozenset[int]] = {}
        self._said: list[Statement] = []
        self._texts: list[tuple[str, str]] = []
        self._clauses: dict[int, Clause] = {}
        everything = (*_of_texts(former), *sorted((*told, *_of_tools(rows)), key=lambda one: one.message))
        chunks = {chunk for text in {said.text for said in everything} for chunk in text.split()}
        named = NamedByChunk(asked, chunks)
        known: dict[str, _CutText] = {}
        for said in everything:
            cut = known.get(said.text)
            if cut is None:
                cut = known[said.text] = _read_text(said.text, named)
            texts, items = cut
            first = len(self._said)
            for place, item in items:
                self.by_item.setdefault(item, []).append(first + place)
            self._said += [said] * len(texts)
            self._texts += texts
        total = len(self) + 1
        self._weights = {item: log(total / len(places)) / log(total) for item, places in self.by_item.items()}

    def __len__(self) -> int:
        """Return the number of clauses."""
        return len(self._said)

    def clause(self, at: int) -> Clause:
        """Return the clause at a place."""
        known = self._clauses.get(at)
        if known is None:
            text, whole = self._texts[at]
            known = self._clauses[at] = Clause(self._said[at], text, read_items(whole), at)
        return known

    def said(self, at: int) -> Statement:
        """Return the sentence that the clause at a place is of."""
        return self._said[at]

    def text(self, at: int) -> str:
        """Return the words of the clause at a place."""
        return self._texts[at][0]

    def weight(self, items: Iterable[str]) -> float:
        """Return how telling *items* are together: up to one for each rare one, nothing for unknown ones."""
        return fsum(self._weights.get(item, 0.0) for item in items)  # of a set: in any order the same

    def together(self, one: str, other: str) -> list[int]:
        """Return the places of the clauses that name both."""
        known = self._together.get((one, other))
        if known is None:
            both = self._places_of(one) & self._places_of(other)
            known = self._together[one, other] = self._together[other, one] = sorted(both)
        return known

    def _places_of(self, item: str) -> frozenset[int]:
        places = self._places.get(item)
        if places is None:
            places = self._places[item] = frozenset(self.by_item.get(item, ()))
        return places


def _of_texts(texts: Iterable[str]) -> Iterator[Statement]:
    for text in texts:
        for line in text.splitlines():
            if line.strip():
                yield Statement(line.strip(" -*+•\t|")[:_MAX_LINE], 0, "")


def _of_tools(rows: Iterable[AuditMessage]) -> Iterator[Statement]:
    for row in rows:
        texts = [f"{call.name} {call.arguments}".replace("\\n", "\n") for call in row.calls]
        if row.role == Role.TOOL:
            texts.append(row.text[:_MAX_TOOL].replace("\\n", "\n"))
        for text in texts:
            yield from _lines(text[:_MAX_TOOL], row.id)


def _lines(text: str, message: int) -> Iterator[Statement]:
    """Yield the lines of a result; one that is indented has what it stands under before it."""
    above: list[tuple[int, str]] = []
    for line in text.splitlines():
        bare = line.strip()
        if not bare:
            continue
        indent = len(line) - len(line.lstrip())
        if above:
            above = [one for one in above if one[0] < indent]
        whole = " ".join([*(one for _, one in above), bare]) if above else bare
        yield Statement(whole[:_MAX_LINE], message, Role.TOOL)
        if bare.endswith(":"):
            above.append((indent, bare[:-1]))
