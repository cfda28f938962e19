"""Where each claim of a handoff most likely came from, and what each message became in it.

A claim is a sentence or a list item. Shared exact facts weigh first, then shared words,
rare ones more than common ones. A likely source is no proof: the scores are shown.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Final

from hermes_sessions.audit.retention import FactReader, read_facts
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.facts.collector import without_collector
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.handoff import handoff_sections
from hermes_sessions.late_patterns import late_pattern

MAX_SOURCES: Final = 3
MIN_OVERLAP: Final = 0.25
"""A message that shares less of a claim's weighted words, and no fact, is no source."""

_MAX_WORDS_CHARS: Final = 4_000
"""A longer message's words are read from its first and last half of this length."""
_LEAD = late_pattern(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX>~]\]\s+)?")
_SENTENCE = SentenceCut(r"(?<=[.!?])\s+(?=[A-Z\"'`(])|(?<=[。！？])")
_SHORTEST_WORD: Final = 3
_LONGEST_WORD: Final = 40
_WORD = late_pattern(rf"\w{{{_SHORTEST_WORD},{_LONGEST_WORD}}}")
_BLANKED: Final = str.maketrans(
    {sign: " " for sign in map(chr, range(128)) if not (sign.isalnum() or sign == "_")}
)
"""Makes blanks of all that stands in no word of ASCII: what is left is cut faster than by a pattern."""
_NOTHING: Final = frozenset(
    {
        *("", "none", "none yet", "none so far", "n/a", "na", "nothing", "nothing yet", "no", "nil", "empty"),
        *("not applicable", "none identified", "none mentioned", "none known", "none pending", "unknown"),
        *(
            "keine",
            "nichts",
            "aucun",
            "aucune",
            "ninguno",
            "ninguna",
            "nessuno",
            "rien",
            "нет",
            "无",
            "無",
            "暂无",
            "没有",
            "なし",
            "無し",
            "없음",
        ),
    }
)
_EDGES = late_pattern(r"^[\W_]+|(?<![\W_])[\W_]+$")
_HEADING = late_pattern(r"\s*#{1,6}(?:\s.*)?")
_MANY: Final = 20
"""What so many messages hold tells little of where a claim comes from."""
_SAME_OVERLAP: Final = 0.001
"""Overlaps are rounded to as much."""
_NOBODY: Final[frozenset[int]] = frozenset()
_CJK = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")


@dataclass(frozen=True, slots=True)
class ClaimSource:
    """A message that a claim may come from.

    Attributes:
        message: its key.
        facts: exact facts that both hold.
        overlap: the share of the claim's words found in it, rare ones weighing more, 0 to 1.
    """

    message: int
    facts: tuple[str, ...]
    overlap: float


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence or list item of a handoff with its likeliest sources, best first."""

    text: str
    section: str
    sources: tuple[ClaimSource, ...]

    @property
    def is_heading(self) -> bool:
        """Whether it names what follows it: a heading in bold, or a few words before a colon."""
        bare = self.text.strip()
        return bare.strip("*_ ").endswith((":", "：")) or (bare.startswith("**") and bare.endswith("**"))


@without_collector
def trace_claims(case: CompactionCase, read: FactReader = read_facts) -> tuple[Claim, ...]:
    """Return every claim of the handoff with the messages before it that most likely said so.

    What an older handoff said in the same words comes from there first.
    """
    cut = list(cut_claims(case.body))
    index = _Index([text for _, text in cut], case.before, read)
    former = _lines_before(case.before)
    return tuple(
        Claim(text, section, _with_former(index.sources(text), former.get(text))) for section, text in cut
    )


def _lines_before(rows: Iterable[AuditMessage]) -> Mapping[str, int]:
    """Return what older handoffs said, each piece with the row of the newest that did."""
    return {text: row.id for row in rows if row.handoff for _, text in cut_claims(row.handoff)}


def _with_former(sources: Sequence[ClaimSource], former: int | None) -> tuple[ClaimSource, ...]:
    """Return *sources* with the older handoff that said just this, the surest of all, ahead of them."""
    if former is None:
        return tuple(sources)
    others = [one for one in sources if one.message != former]
    return (ClaimSource(former, (), 1.0), *others[: MAX_SOURCES - 1])


def claims_by_message(claims: Sequence[Claim]) -> Mapping[int, tuple[int, ...]]:
    """Return, for each message, the places in *claims* of those it is a source of."""
    found: dict[int, list[int]] = defaultdict(list)
    for place, claim in enumerate(claims):
        for source in claim.sources:
            found[source.message].append(place)
    return {message: tuple(places) for message, places in found.items()}


def cut_claims(body: str) -> Iterator[tuple[str, str]]:
    """Yield (section, text) for each sentence and list item of a handoff's body, in order.

    A mere "None." is no claim: summarisers fill empty sections with it.
    """
    return ((title, text) for title, text in _pieces(body) if not _says_nothing(text))


def _says_nothing(text: str) -> bool:
    return _EDGES.sub("", text).casefold() in _NOTHING


def _pieces(body: str) -> Iterator[tuple[str, str]]:
    for section in handoff_sections(body):
        for line in section.text.splitlines():
            text = _LEAD.sub("", line).strip()
            if _HEADING.fullmatch(line) or not text:
                continue
            if _LEAD.match(line):
                yield section.title, text
                continue
            for sentence in _SENTENCE.split(text):
                if sentence.strip():
                    yield section.title, sentence.strip()


class _Index:
    """Which messages hold the words and facts of the claims; of no other words is it kept who said them."""

    def __init__(self, claims: Iterable[str], messages: Sequence[AuditMessage], read: FactReader) -> None:
        self._words = {claim: _words(claim) for claim in claims}
        self._facts = {claim: _values(claim) for claim in self._words}
        self._count = len(messages)
        words = frozenset[str]().union(*self._words.values())
        self._by_word = _holders(messages, lambda message: words.intersection(_cut_words(_readable(message))))
        values = frozenset[str]().union(*self._facts.values())
        self._by_fact = _holders(messages, lambda message: {one.value for one in read(message)} & values)

    def sources(self, claim: str) -> tuple[ClaimSource, ...]:
        """Return the messages that share facts or enough words with *claim*, best first."""
        shared = self._shared_facts(claim)
        overlaps = self._overlaps(claim, shared)
        likely = {message for message, overlap in overlaps.items() if overlap >= MIN_OVERLAP} | set(shared)
        found = (
            ClaimSource(message, shared.get(message, ()), round(overlaps.get(message, 0.0), 3))
            for message in likely
        )
        best = sorted(found, key=lambda one: (-len(one.facts), -one.overlap, one.message))
        return tuple(best[:MAX_SOURCES])

    def _shared_facts(self, claim: str) -> dict[int, tuple[str, ...]]:
        found: dict[int, list[str]] = defaultdict(list)
        for value in self._facts[claim]:
            for message in self._by_fact.get(value, ()):
                found[message].append(value)
        return {message: tuple(values) for message, values in found.items()}

    def _overlaps(self, claim: str, wanted: Collection[int]) -> Mapping[int, float]:
        """Return the overlap of each message that may be among the best, and of the *wanted* ones.

        Rare words first. Once those left weigh too little to make a message likely, or as good as the
        best so far, they only count for messages that have some of the others: a common word is in most.
        """
        weights = sorted(((self._weight(word), word) for word in self._words[claim]), reverse=True)
        left = total = sum(weight for weight, _ in weights)
        scores: dict[int, float] = dict.fromkeys(wanted, 0.0)
        for weight, word in weights:
            share, holders = weight / total, self._by_word.get(word, _NOBODY)
            if len(holders) > _MANY:
                least = _least_of_best(scores.values()) - _SAME_OVERLAP - left / total
                if least > 0.0 or left / total < MIN_OVERLAP:
                    scores = {one: score for one, score in scores.items() if score >= least or one in wanted}
                    holders = scores.keys() & holders
            for message in holders:
                scores[message] = scores.get(message, 0.0) + share
            left -= weight
        return scores

    def _weight(self, word: str) -> float:
        """Return how telling a word is: one that every message holds tells nothing."""
        return math.log((self._count + 1) / (len(self._by_word.get(word, ())) + 1)) + 0.01


def _holders(
    messages: Iterable[AuditMessage], held: Callable[[AuditMessage], Iterable[str]]
) -> Mapping[str, Collection[int]]:
    """Return which of *messages* hold each of the texts that *held* returns of them."""
    found: dict[str, set[int]] = defaultdict(set)
    for message in messages:
        for one in held(message):
            found[one].add(message.id)
    return found


def _values(text: str) -> Sequence[str]:
    """Return the values of the facts of *text*, each once, in their order."""
    return tuple(dict.fromkeys(fact.value for fact in extract_text_facts(text)))


def _least_of_best(scores: Iterable[float]) -> float:
    """Return the score that a source must have: that of the last of the best, 0 where there are too few."""
    best = nlargest(MAX_SOURCES, scores)
    return best[-1] if len(best) == MAX_SOURCES else 0.0


def _readable(message: AuditMessage) -> str:
    text = "\n".join([message.text, *(f"{call.name} {call.arguments}" for call in message.calls)])
    if len(text) <= _MAX_WORDS_CHARS:
        return text
    half = _MAX_WORDS_CHARS // 2
    return f"{text[:half]}\n{text[-half:]}"


def _words(text: str) -> frozenset[str]:
    """Return the words of *text*, and the pairs of characters of scripts without spaces."""
    return frozenset(one for one in _cut_words(text) if len(one) >= _SHORTEST_WORD or not one.isascii())


def _cut_words(text: str) -> Sequence[str]:
    """Return the words of *text* as often as they stand there, of ASCII shorter ones than count, too."""
    text = text.casefold()
    if text.isascii():
        words = text.translate(_BLANKED).split()
        if max(map(len, words), default=0) <= _LONGEST_WORD:
            return words
    found: list[str] = _WORD.findall(text)
    for run in _CJK.findall(text):
        found += (run[at : at + 2] for at in range(len(run) - 1))
    return found
