"""Whole sentences of a transcript and of a handoff, with what each is about in any language that is read."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.audit.values import CompactionCase
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_ENDS = SentenceCut(r"(?<=[.!?])\s+|(?<=[。！？؟।])|\n|\s\|\s", plain=r"\s(?:(?<=[.!?]\s)\s*|(?<=\n)|\|\s)")
_ASKS_WHETHER = sieve(
    r"\b(?:(?:ask(?:s|ed|ing)?|wonder\w*)\b[^.;!?]{0,60}\b(?:if|whether)|frag\w*\b[^.;!?]{0,60}\bob|(?:demand(?:e[rz]?|é|ait)(?:-lui|-leur)?|pregunt\w*|pregúnt\w*)\b[^.;!?]{0,60}\bsi"
    r"|(?:pergunt\w*|chied\w*|chiest\w*)\b[^.;!?]{0,60}\bse|(?:vraagt?|gevraagd)\b[^.;!?]{0,60}\bof|(?:zapyta\w*|spyta\w*)\b[^.;!?]{0,60}\bczy|спро[сш]\w*\b[^.;!?]{0,60}\bли)\b|是否|かどうか",
    re.I,
)
_MAX_CHARS: Final = 4_000
_MAX_SENTENCE: Final = 400
_SPEAKERS: Final = frozenset({Role.USER, Role.ASSISTANT, Role.SYSTEM})


class Statement(NamedTuple):
    """A sentence, who says it and in which message; of a handoff, `''` and 0."""

    text: str
    message: int
    speaker: str
    mode: Mode = Mode.STATED
    heading: str = ""
    """What it stands under in a handoff."""

    @property
    def about(self) -> frozenset[str]:
        """What the sentence names: deeds and things by concept, names, numbers, other words."""
        return read_terms(self.text).all

    @property
    def is_question(self) -> bool:
        """Whether the sentence asks, or has somebody ask whether something is so."""
        return _asks(self.text)


@lru_cache(maxsize=32_768)  # many ask of the same sentences
def _asks(text: str) -> bool:
    if text.rstrip(" *_`\"'»”)").endswith(("?", "？", "؟")):
        return True
    return _ASKS_WHETHER.search(text) is not None


class ToldSentences(tuple[Statement, ...]):
    """The sentences that people and the agent said, oldest first, found by what they are about.

    A handoff asks for a few things, and of thousands of sentences few speak of one of them.
    """

    def sharing(self, words: Iterable[str], least: int = 1) -> Sequence[Statement]:
        """Return the sentences that are about so many of *words*, in their order."""
        found = Counter(chain.from_iterable(self._places.get(word, ()) for word in words))
        return [self[at] for at in sorted(at for at, count in found.items() if count >= least)]

    def doing(self, deed: str) -> Sequence[Statement]:
        """Return the sentences that name a deed, by its concept, in their order."""
        return [said for said in self.sharing((deed,)) if deed in read_terms(said.text).deeds]

    def holding(self, text: str) -> Sequence[Statement]:
        """Return the sentences that *text*, which is of one line, stands in, in their order."""
        found: dict[int, None] = {}
        place = self._whole.find(text)
        while place >= 0:
            at = bisect_right(self._starts, place) - 1
            found[at] = None
            place = self._whole.find(text, self._starts[at + 1] if at + 1 < len(self) else len(self._whole))
        return [self[at] for at in found]

    @cached_property
    def _whole(self) -> str:
        return "\n".join(one.text for one in self)

    @cached_property
    def _starts(self) -> Sequence[int]:
        """Where each sentence begins in all of them."""
        return [0, *accumulate(len(one.text) + 1 for one in self)]

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for at, said in enumerate(self):
            for word in said.about:
                found.setdefault(word, []).append(at)
        return found


def read_transcript(case: CompactionCase) -> ToldSentences:
    """Return the sentences that people and the agent said before a compaction, oldest first."""
    found = [Statement(one, 0, Role.SYSTEM) for one in split_sentences(case.prompt[:_MAX_CHARS])]
    for row in case.before:
        if row.role in _SPEAKERS and row.text:
            found += [Statement(one, row.id, row.role) for one in split_sentences(row.text[:_MAX_CHARS])]
    return ToldSentences(found)


def read_handoff(passages: Sequence[Passage]) -> tuple[Statement, ...]:
    """Return the sentences of a handoff that are not its machinery's own."""
    found: list[Statement] = []
    heading = ""
    for passage in passages:
        heading = heading_of(passage.text) or heading
        if passage.mode is not Mode.OWN:
            found += [Statement(one, 0, "", passage.mode, heading) for one in split_sentences(passage.text)]
    return tuple(found)


def heading_of(line: str) -> str:
    """Return what a line says that the lines below it are about, `''` where it does not."""
    title = _HEADING.match(line)
    return title[1] if title else ""


_HEADING = late_pattern(r"\s{0,3}(?:#{1,6}\s+|(?=\*\*)|(?=[^-*\s][^\n]{0,59}[:：]\s*$))([^\n]{1,80})")


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of *text*, without the signs of a list."""
    for part in _ENDS.split(text):
        if one := part.strip(" -*+•\t|"):
            yield one[:_MAX_SENTENCE]


def contradiction(
    claim: Statement, said: Statement, rule: str, kind: str = "", *, grave: bool = False
) -> Deviation:
    """Return that *claim* says otherwise than *said*."""
    return Deviation(
        Grade.CONTRADICTS, kind or rule, claim.text, claim.text, rule, said.text, said.text, said.message or None, grave,
    )  # fmt: skip
