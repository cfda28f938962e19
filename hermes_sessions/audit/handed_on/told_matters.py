"""Whether one line of a handoff has what a rule, a decision or a request is about, with its bar or its value. Pure."""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.handed_on.matter import matter_of, objects_of, shared_part
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.headings import read_items
from hermes_sessions.audit.words.keeping import KEEPS
from hermes_sessions.audit.words.modality import RULES_HEADING, Modality, is_same_demand, read_modality
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern

_CLAUSES = late_pattern(
    r"[,;，；、،:：]\s*|\s(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|en|maar|i|ale|ve|ama|и|но|а)\s"
)
_CONTRAST = late_pattern(
    r",?\s*(?:\b(?:and |und |et |y |e |en |i |ve )?(?:not|nicht|kein\w*|pas|no|non|não|niet|geen|nie|а не|не|instead of|statt|rather than|anstatt|au lieu d\w+|en vez de|al posto di|em vez de|in plaats van|zamiast|вместо)\s)[^,;.，。]{1,40}$",
    re.I,
)
_CONTRAST_FIRST = late_pattern(
    r"\S{1,30} değil,?\s|(?:不是|并非)[^,，。]{1,20}[,，]?(?:而是|是)|\S{1,20}ではなく", re.I
)
_SIGNS = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_QUOTED = late_pattern(r"[\"“„«「『]([^\"“”«»「」『』\n]{2,40})[\"”»」』]")
_NUMBER = late_pattern(r"\d[\d.,]*\d|\d")
BAR_WORDS: Final = frozenset(
    "never not only must always forbi allow don avoid witho until unles exact strict"
    " nicht niema immer nur muss darf verbo ohne jamai toujo interd doit faut nunca siemp debe prohi sempr mai solo deve vieta nooit altij moet"
    " nie zawsz tylko musi asla sadec никог всегд тольк нельз запре 禁止 不要 不得 必须 不能 절대 금지 항상 ممنو".split()
)
_HALF: Final = 0.5
_THIRD: Final = 0.34
_FEW: Final = 2
_MAX_LINES: Final = 1_000


class Telling(IntEnum):
    """Whether a handoff tells something: not, perhaps in other words, or in one of its lines."""

    NOT = 0
    PERHAPS = 1
    YES = 2


class _Line(NamedTuple):
    words: frozenset[str]
    numbers: frozenset[str]
    deeds: frozenset[str]
    demands: Modality
    keeps: bool


class ToldMatters:
    """The sentences and list items of a handoff, each with what it is about."""

    def __init__(self, bodies: Sequence[str]) -> None:
        """Take the handoffs that are in sight."""
        self._lines = tuple(line for body in bodies for line in _read_lines(body))
        self._rules: dict[str, Telling] = {}

    def of_rule(self, rule: str) -> Telling:
        """Return whether a line has the object of *rule* and a bar, or its value."""
        known = self._rules.get(rule)
        if known is None:
            known = self._rules[rule] = self._of_rule(rule)
        return known

    def _of_rule(self, rule: str) -> Telling:
        found = [self._of_demand(one) for one in demands_of(rule)]
        if not found:
            return Telling.NOT
        return Telling.YES if min(found) is Telling.YES else Telling(min(max(found), Telling.PERHAPS))

    def of_sentence(self, text: str) -> Telling:
        """Return whether the sentences of *text* have their objects in lines of the handoff, most of them."""
        parts = [one for one in SENTENCE_ENDS.split(text[:MAX_READ_CHARS]) if objects_of(one)]
        found = [self._of_words(objects_of(one), numbers_of(one)) for one in parts]
        told = sum(one is Telling.YES for one in found)
        if found and told * 2 >= len(found):
            return Telling.YES
        return Telling.PERHAPS if any(found) else Telling.NOT

    def _of_words(self, words: frozenset[str], numbers: frozenset[str]) -> Telling:
        best = Telling.NOT
        for line in self._lines:
            shared = words & line.words
            if numbers and not numbers & line.numbers:
                continue
            part = len(shared) / len(words)
            if part > _HALF or (part == _HALF and len(shared) >= _FEW):
                return Telling.YES
            if part >= _THIRD:
                best = Telling.PERHAPS
        return best

    def _of_demand(self, demand: str) -> Telling:
        positive = without_contrast(demand)
        words = (objects_of(positive) - BAR_WORDS) or matter_of(positive)
        numbers, deeds = numbers_of(positive), read_terms(positive).deeds
        asked = read_modality(demand) or Modality.BAN
        names = names_of(positive)
        best = Telling.NOT
        for line in self._lines if words else ():
            agrees = not numbers.isdisjoint(line.numbers)
            if not agrees and words.isdisjoint(line.words) and names.isdisjoint(line.words):
                continue
            shared, part = words & line.words, shared_part(words, line.words)
            if shared and part >= _HALF and (agrees or not numbers):
                enough = len(shared) >= _FEW or len(words) == 1
                bound = (agrees and asked is not Modality.BAN) or positive != demand
                bound = bound or is_same_demand(asked, line.demands)
                other_deed = deeds and line.deeds and deeds.isdisjoint(line.deeds)
                if enough and bound and not other_deed:
                    return Telling.YES
            exact = any(len(one) > 1 for one in numbers & line.numbers) or (names & line.words)
            if self._may_be(part, len(shared), line) or (agrees and shared) or exact:
                best = Telling.PERHAPS
        return best

    @staticmethod
    def _may_be(part: float, shared: int, line: "_Line") -> bool:
        bars = line.demands is not Modality.NONE or line.keeps
        return bars and (part >= _HALF or (part >= _THIRD and shared >= _FEW))


@lru_cache(maxsize=32)  # the ledger and the retained facts ask the same handoffs
def read_matters(bodies: tuple[str, ...]) -> ToldMatters:
    """Return what is in *bodies*, ready to be asked."""
    return ToldMatters(bodies)


@lru_cache(maxsize=4_096)
def demands_of(rule: str) -> tuple[str, ...]:
    """Return the clauses of *rule* that bar, limit or ask for something; all of it where none does."""
    clauses = [
        one for sentence in SENTENCE_ENDS.split(rule) for one in _demanding(sentence) if objects_of(one)
    ]
    return tuple(clauses) or ((rule,) if matter_of(rule) else ())


def _demanding(sentence: str) -> Iterator[str]:
    if without_contrast(sentence) != sentence:
        yield sentence
        return
    for clause in _CLAUSES.split(sentence):
        if read_modality(clause) is not Modality.NONE:
            yield clause


@lru_cache(maxsize=4_096)
def without_contrast(text: str) -> str:
    """Return *text* without what it sets something against: `5 days, not 14` is 5 days."""
    bare = text.rstrip(" .!。")
    rest = _CONTRAST_FIRST.sub("", _CONTRAST.sub("", bare))
    return rest if rest != bare and matter_of(rest) else text


def names_of(text: str) -> frozenset[str]:
    """Return the words that *text* quotes: a name is told by itself."""
    return frozenset(one for quoted in _QUOTED.findall(text) for one in matter_of(quoted))


def numbers_of(text: str) -> frozenset[str]:
    """Return the numbers of *text*, with a decimal point and without leading noughts."""
    return frozenset(one.replace(",", ".").lstrip("0") or "0" for one in _NUMBER.findall(text))


def _read_lines(body: str) -> Iterator[_Line]:
    count = 0
    for item in read_items(body):
        ruling = RULES_HEADING.search(item.heading) is not None
        for text in SENTENCE_ENDS.split(item.text[:MAX_READ_CHARS]):
            count += 1
            if count > _MAX_LINES or not text.strip():
                continue
            demands = Modality.BAN | Modality.LIMIT | Modality.DUTY if ruling else read_modality(text)
            if _SIGNS.search(text) and is_negated(text):
                demands |= Modality.BAN  # `不做饼图` has no modal word
            keeps = KEEPS.search(text) is not None or is_negated(text)
            yield _Line(matter_of(text), numbers_of(text), read_terms(text).deeds, demands, keeps)
