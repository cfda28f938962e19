"""Whether another text says a fact: word for word, in other words, something else, or nothing.

Every answer names the rule it comes from and what it was found beside. What the other text
plans, or counts of itself, is for the caller to leave out.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from hermes_sessions.facts.equivalence import (
    derived,
    equal_by,
    expand_braces,
    outcome,
    same_family,
    spelled,
    under,
)
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.polarity import content_words, is_negated, numbers_in, overlap
from hermes_sessions.facts.slots import same_subject
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.values import Fact, FactKind

_SENTENCES: Final = frozenset({"decision", "constraint", "todo", "next_step", "request", "question"})
_SLOTS: Final = frozenset(
    {
        "port",
        "config",
        "version",
        "number",
        "money",
        "percentage",
        "duration",
        "date",
        "time",
        "host",
        "ip",
        "email",
        "branch",
        "image",
        "url",
        "id",
        "hash",
        "test_result",
    }
)
_STATEMENT = SentenceCut(r"(?<=[.!?;])\s|(?<=[。！？；])|\s[-*•]\s")
_SAME_LINE: Final = 0.6
_SAME_WORDS: Final = 0.8


class Likeness(StrEnum):
    """What a text says of a fact."""

    VERBATIM = "verbatim"
    EQUIVALENT = "equivalent"
    CONTRADICTED = "contradicted"
    ABSENT = "absent"


class Comparison(NamedTuple):
    """An answer: the likeness, the rule it comes from, and the words of the other text."""

    likeness: Likeness
    rule: str = ""
    other: str = ""


HeardFact = tuple[Fact, frozenset[str]]
"""A fact, and the words of its line but for its value."""


class Heard(NamedTuple):
    """A text that many facts are compared with: folded, its facts and sentences read once.

    Attributes:
        text: with blanks and quotation marks made the same.
        facts: found in it, each with the words of its line but for its value.
        statements: its sentences, each with its words.
        lower: the text in lower case.
        families: of its facts those that a fact of a kind can be about the same value as, by that kind.
        counts: the values of its numbers and results of tests.
    """

    text: str
    facts: tuple[HeardFact, ...]
    statements: tuple[tuple[str, frozenset[str]], ...]
    lower: str
    families: Mapping[str, tuple[HeardFact, ...]]
    counts: tuple[str, ...]


def hear(source: str | Sequence[Fact]) -> Heard:
    """Return *source* ready for many comparisons."""
    if isinstance(source, str):
        expanded = expand_braces(source)
        text = f"{source}\n{expanded}" if expanded else source
        facts: Sequence[Fact] = extract_text_facts(text)
    else:
        text, facts = "\n".join(fact.text for fact in source), source
    whole = folded(text)
    heard = tuple((fact, _beside_value(fact)) for fact in facts)
    return Heard(
        whole,
        heard,
        tuple((one, content_words(one)) for one in _STATEMENT.split(whole) if one.strip()),
        whole.lower(),
        _by_family(heard),
        tuple(fact.value for fact in facts if fact.kind in ("test_result", "number")),
    )


def _by_family(heard: Sequence[HeardFact]) -> dict[str, tuple[HeardFact, ...]]:
    kinds = {fact.kind for fact, _ in heard}
    found: dict[str, tuple[HeardFact, ...]] = {}
    for kind in FactKind:
        near = {one for one in kinds if same_family(kind, one)}
        found[kind] = tuple(one for one in heard if one[0].kind in near) if near else ()
    return found


def _beside_value(fact: Fact) -> frozenset[str]:
    return content_words(fact.text.replace(fact.value, " ", 1)) if fact.kind in _SLOTS else frozenset()


def compare(fact: Fact, source: str | Sequence[Fact] | Heard, *, cwd: str = "") -> Comparison:
    """Return what *source* says of *fact*.

    Args:
        fact: of the message that is asked about.
        source: a text, its facts, or what `hear()` made of either.
        cwd: the folder that relative paths begin in, where it is known.
    """
    heard = source if isinstance(source, Heard) else hear(source)
    if fact.kind in _SENTENCES:
        return _compare_sentence(fact, heard)
    value = under(fact.value, cwd)
    if stands_in(value, heard.text) or (value != fact.value and stands_in(fact.value, heard.text)):
        return Comparison(Likeness.VERBATIM, "same", fact.value)
    family = heard.families.get(fact.kind, ())
    for other, _ in family:
        if rule := equal_by(fact.kind, value, other.value):
            return Comparison(Likeness.EQUIVALENT, rule, other.value)
    if fact.kind in ("number", "test_result", "duration") and (
        word := next((one for one in spelled(fact.value.lower()) if stands_in(one, heard.lower)), "")
    ):
        return Comparison(Likeness.EQUIVALENT, "number-word", word)
    return (
        _derived(fact, heard)
        or _contradicted(fact, family)
        or _error(fact, heard)
        or Comparison(Likeness.ABSENT)
    )


def stands_in(value: str, text: str) -> bool:
    """Return whether *value* stands in the folded *text* as a whole: `812` is not in `8123`, nor 1.2 in 1.2.3."""
    value = folded(value)
    if not value:
        return False
    place = text.find(value)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(value) : place + len(value) + 2]
        if not (
            _joins(value[0], before)
            or _joins(value[-1], after[:1])
            or (after[:1] in (".", ",") and after[1:].isdigit() and value[-1].isdigit())
        ):
            return True
        place = text.find(value, place + 1)
    return False


def _joins(one: str, beside: str) -> bool:
    return bool(beside) and one.isalnum() and beside.isalnum() and one < "\u2e80" and beside < "\u2e80"


_QUOTES: Final = '"`“”„«»‘’‚「」『』'
_ASCII_QUOTES: Final = 2


def folded(text: str) -> str:
    """Return *text* with every quotation mark and every run of blanks made the same."""
    for sign in _QUOTES[: _ASCII_QUOTES if text.isascii() else None]:
        text = text.replace(sign, "'")
    return " ".join(text.split())


def _derived(fact: Fact, heard: Heard) -> Comparison | None:
    if fact.kind not in ("number", "test_result", "percentage"):
        return None
    return (
        Comparison(Likeness.EQUIVALENT, "derived-count", ", ".join(heard.counts[:4]))
        if derived(fact.value, heard.counts)
        else None
    )


def _contradicted(fact: Fact, family: Sequence[HeardFact]) -> Comparison | None:
    """The same slot with another value: the same subject, or the same line but for the value."""
    if fact.kind not in _SLOTS:
        return None
    words = _beside_value(fact)
    for other, beside in family:
        if other.kind != fact.kind and "config" not in (other.kind, fact.kind):
            continue
        if fact.key and other.key:
            if same_subject(fact.key, other.key) and fact.kind not in ("id", "hash", "url"):
                return Comparison(Likeness.CONTRADICTED, "same-slot", other.value)
            continue
        if fact.kind == "test_result" and outcome(fact.value) == outcome(other.value) != "":
            return Comparison(Likeness.CONTRADICTED, "same-outcome", other.value)
        if (
            (len(words) >= 2 or (words and words == beside))
            and min(overlap(words, beside), overlap(beside, words)) >= _SAME_LINE
            and _unit(fact) == _unit(other)
        ):
            return Comparison(Likeness.CONTRADICTED, "same-line", other.value)
    return None


def _unit(fact: Fact) -> str:
    if fact.kind not in ("number", "duration", "money"):
        return fact.kind
    return (
        fact.value.lstrip("0123456789.,' \u00a0-+$€£¥").rpartition(" ")[2].lower().rstrip("s")
        if fact.kind == "number"
        else fact.kind
    )


def _error(fact: Fact, heard: Heard) -> Comparison | None:
    """An error is kept by its type and its message, wherever the line around it went."""
    if fact.kind != "error":
        return None
    words = content_words(fact.value)
    for line, others in heard.statements if len(words) > 2 else ():
        if overlap(words, others) >= _SAME_WORDS:
            return Comparison(Likeness.EQUIVALENT, "same-words", line[:200])
    return None


def _compare_sentence(fact: Fact, heard: Heard) -> Comparison:
    value = folded(fact.value)
    place = heard.text.find(value)
    if place >= 0:
        start = max(heard.text.rfind(sign, 0, place) for sign in (". ", "! ", "? ", "; ", "。")) + 1
        lead = heard.text[start:place]
        if len(lead) < 60 and is_negated(lead) and not is_negated(value):
            return Comparison(Likeness.CONTRADICTED, "negation", (lead + value).strip()[:200])
        return Comparison(Likeness.VERBATIM, "same", value)
    words = content_words(value)
    best = Comparison(Likeness.ABSENT)
    for line, others in heard.statements:
        if words.isdisjoint(others):
            continue
        answer = _beside(words, others, value, line)
        if answer.likeness is Likeness.EQUIVALENT:
            return answer
        best = answer if answer.likeness is Likeness.CONTRADICTED else best
    return best


def _beside(words: frozenset[str], others: frozenset[str], value: str, line: str) -> Comparison:
    shared = overlap(words, others)
    if len(words) < 2 or shared < _SAME_LINE:
        return Comparison(Likeness.ABSENT)
    line = line.strip()[:200]
    if is_negated(value) != is_negated(line):
        return Comparison(Likeness.CONTRADICTED, "negation", line)
    mine, theirs = numbers_in(words), numbers_in(others)
    if mine - theirs and theirs - mine and overlap(words - mine, others) >= _SAME_WORDS:
        return Comparison(Likeness.CONTRADICTED, "value-changed", line)
    same = shared >= _SAME_WORDS and mine <= theirs
    return Comparison(Likeness.EQUIVALENT, "same-words", line) if same else Comparison(Likeness.ABSENT)
