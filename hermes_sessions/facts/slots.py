"""Which fact a later one replaces, and which rule was lifted."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.facts.equivalence import equal_by
from hermes_sessions.facts.polarity import content_words, overlap
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.values import Fact
from hermes_sessions.facts.wording.heads import fold_case, may_hold
from hermes_sessions.late_patterns import late_pattern

_SLOT_KINDS: Final = frozenset(
    {
        "port",
        "config",
        "version",
        "number",
        "money",
        "percentage",
        "duration",
        "host",
        "ip",
        "image",
        "date",
        "time",
        "branch",
    }
)
_SENTENCE = SentenceCut(r"(?<=[.!?。！？])\s*|\n")
_RANKS: Final = {"tool": 0, "assistant": 1, "system": 2, "user": 2}
_PART = late_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-zà-ÿа-яё]+|\d+|[\u2e80-\ud7ff]+|[\u0600-\u06ff]+")
_NOISE: Final = frozenset("the of for our number value server service default".split())
_LIFTED = late_pattern(
    r"\b(?:lifted|no longer|any ?more|is over|are over|ended|you (?:can|may) now|now allowed|allowed again|from now on you may|ignore (?:the|that) rule|rule is gone|drop the rule|aufgehoben|nicht mehr|ab jetzt darfst|wieder erlaubt|levée?|n'est plus|désormais autorisé"
    r"|ya no|levantad[ao]|ya puedes|отменен\w?|отменён|снят\w?|больше не|теперь можно)\b|不再|已解除|可以了|取消|解除|もう.{0,12}(?:ない|よい|いい)|رفع|لم يعد|يمكنك الآن", re.I
)  # fmt: skip


@lru_cache(maxsize=8_192)
def subject_words(key: str) -> frozenset[str]:
    """Return the words of a key: `GATEWAY_PORT`, `gateway port` and `gateway.port` are one subject."""
    words = (part.lower() for part in _PART.findall(key))
    return frozenset(word.rstrip("s") if len(word) > 3 else word for word in words if word not in _NOISE)


def same_subject(one: str, other: str) -> bool:
    """Return whether two keys name the same subject; the word for the kind itself may be left out."""
    first, second = (
        subject_words(one) - {"port", "version", "host"},
        subject_words(other) - {"port", "version", "host"},
    )
    return first == second and (bool(first) or subject_words(one) == subject_words(other) != frozenset())


def find_superseded(messages: Sequence[Sequence[Fact]]) -> frozenset[tuple[int, int]]:
    """Return the places (message, fact) of facts that a later one replaces.

    Superseded is a fact whose slot, kind and key both named, has another value in a later
    message of the same or a higher speaker. A message that gives one slot several values
    replaces nothing and its values stay, as their subject is not sure.

    Args:
        messages: the facts of each message, oldest first.
    """
    current: dict[tuple[str, frozenset[str]], tuple[int, int]] = {}
    replaced: set[tuple[int, int]] = set()
    for index, facts in enumerate(messages):
        for slot, place in _named_slots(facts).items():
            fact = facts[place]
            before = current.get(slot)
            if before is not None:
                old = messages[before[0]][before[1]]
                if equal_by(fact.kind, old.value, fact.value):
                    continue
                if _rank(fact) < _rank(old):
                    continue
                replaced.add(before)
            current[slot] = (index, place)
    return frozenset(replaced)


def _named_slots(facts: Sequence[Fact]) -> dict[tuple[str, frozenset[str]], int]:
    """The slots that *facts* give exactly one value."""
    found: dict[tuple[str, frozenset[str]], int] = {}
    unsure: set[tuple[str, frozenset[str]]] = set()
    for place, fact in enumerate(facts):
        if not fact.key or fact.kind not in _SLOT_KINDS or not (words := subject_words(fact.key)):
            continue
        slot = (fact.kind, words)
        if slot in found and facts[found[slot]].value != fact.value:
            unsure.add(slot)
        found.setdefault(slot, place)
    return {slot: place for slot, place in found.items() if slot not in unsure}


def _rank(fact: Fact) -> int:
    return _RANKS.get(fact.speaker, 1)


def tells_of_lifting(text: str) -> bool:
    """Return whether *text* says of anything that it holds no longer: most texts lift no rule at all."""
    return may_hold(_LIFTED, fold_case(text)) and _LIFTED.search(text) is not None


def is_lifted(rule: Fact, text: str, speaker: str) -> bool:
    """Return whether *text*, said later by *speaker*, lifts *rule*.

    Only who set the rule, or somebody above, can; and the text must name what the rule
    is about.
    """
    if _RANKS.get(speaker, 1) < _rank(rule) or _LIFTED.search(text) is None:
        return False
    words = content_words(rule.value)
    for sentence in _SENTENCE.split(text[:4_000]):
        if _LIFTED.search(sentence) and (
            len(words & content_words(sentence)) >= 2 or overlap(words, content_words(sentence)) >= 0.3
        ):
            return True
    return False
