"""What the source most likely says where a handoff has a value that the source does not hold."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.audit.checking.contexts import (
    edits,
    is_misread,
    is_misspelt,
    is_renamed,
    is_scaled,
    is_swapped,
    word_behind,
    words_beside,
)
from hermes_sessions.audit.checking.source_index import PATHS, QUANTITIES, SourceIndex, Told
from hermes_sessions.facts.equivalence import equal_by, outcome
from hermes_sessions.facts.quantities.amounts import is_physical, read_amount, same_unit
from hermes_sessions.facts.slots import same_subject, subject_words
from hermes_sessions.facts.values import Fact

_ONLY: Final = frozenset(
    {
        "port",
        "ip",
        "email",
        "host",
        "branch",
        "money",
        "date",
        "time",
        "duration",
        "version",
        "percentage",
        "image",
    }
)
_MAX_ONLY: Final = 3
_MOST_TIMES: Final = 12
BARE_NUMBER = re.compile(r"\d(?:[\d.,'\u00a0\u202f]{0,20}\d)?")
"""A number without its unit."""


def find_counterpart(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> tuple[Told, str] | None:
    """Return what the source most likely says in this place, and by which rule it was found."""
    candidates = list(_candidates(fact, source))
    beside = words_beside(fact.text, fact.value)
    best: tuple[float, Told, str] | None = None
    missing: dict[str, Told] = {}
    for told in candidates:
        is_missing = not handoff.says_strictly(told.fact.kind, told.fact.value)
        if is_missing:
            missing.setdefault(told.fact.value, told)
        rule, score = _likeness(fact, told.fact, beside, is_missing=is_missing)
        if rule and (best is None or score > best[0]):
            best = (score, told, rule)
    if best is not None:
        return best[1], best[2]
    if fact.kind == "id" and not fact.weight:
        return _misspelt_token(fact, source, handoff)
    if fact.kind == "number" and not is_physical(fact.value) and (found := _same_noun(fact, source, handoff)):
        return found, "swapped" if is_swapped(fact.value, found.fact.value) else "same-noun"
    if fact.kind == "duration" and (other := source.loose.other_length(fact, handoff.loose)):
        return Told(fact._replace(value=other[0], text=other[0]), other[1]), "misspelt"
    if fact.kind in ("number", "duration", "port") and (found := _misread(fact, source, handoff)):
        return found, "misspelt"
    if fact.kind in _ONLY or (fact.kind == "number" and is_physical(fact.value)):
        alike = [told for value, told in missing.items() if _unit(value) == _unit(fact.value)]
        left = alike or [told for told in missing.values() if _is_of_one_size(fact, told.fact)]
        return (left[0], "only-value") if 0 < len(left) <= _MAX_ONLY else None
    return None


def _is_of_one_size(fact: Fact, other: Fact) -> bool:
    """Whether two durations may be meant for each other: hours are not mistaken for milliseconds."""
    if fact.kind != "duration":
        return True
    sizes = [
        one.number for value in (fact.value, other.value) for one in read_amount(value)[:1] if one.number
    ]
    return len(sizes) == 2 and max(sizes) / min(sizes) <= _MOST_TIMES


def _unit(value: str) -> str:
    return "".join(sign for sign in value if not (sign.isdigit() or sign in " .,'-")).casefold()


def _misspelt_token(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> tuple[Told, str] | None:
    if source.holds_text(fact.value):
        return None
    for word, told in source.tokens.items():
        if is_misspelt(fact.value, word) and not handoff.holds_text(word):
            return told, "misspelt"
    return None


def _same_noun(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> Told | None:
    """Return the one other number that the source has before the same word."""
    number = BARE_NUMBER.search(fact.value)
    noun = word_behind(fact.text, number.group()) if number else ""
    known = source.counted(noun)
    if not noun or number is None or number.group() in known:
        return None
    missing = [told for value, told in known.items() if not _counts(handoff, noun, value)]
    close = [told for told in missing if is_swapped(number.group(), told.fact.value)]
    if close:
        return close[0]
    beside = words_beside(fact.text, fact.value)
    alike = [told for told in missing if len(beside & words_beside(told.fact.text, told.fact.value)) >= 2]
    return alike[0] if len(missing) <= _MAX_ONLY - 1 and alike else None


def _counts(index: SourceIndex, noun: str, number: str) -> bool:
    return number in index.counted(noun)


def _misread(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> Told | None:
    """Return the number of the source, fact or not, that this one is with a digit wrong."""
    number = BARE_NUMBER.search(fact.value)
    for other, told in source.numbers.items() if number else ():
        if number and is_misread(number.group(), other) and not handoff.holds_number(other):
            return told
    return None


def _candidates(fact: Fact, source: SourceIndex) -> Iterator[Told]:
    kinds = PATHS if fact.kind in PATHS else {fact.kind}
    if fact.kind == "port":
        kinds = {"port", "config"}
    if fact.kind == "number" and not fact.weight:
        kinds = QUANTITIES
    if fact.kind in ("id", "hash"):
        kinds = {"id", "hash"}
    for kind in sorted(kinds):
        for told in source.by_kind.get(kind, ()):
            if equal_by(fact.kind, fact.value, told.fact.value):
                continue
            if fact.kind in QUANTITIES and fact.kind != "port" and not same_unit(fact.value, told.fact.value):
                continue
            if fact.kind == "test_result" and outcome(fact.value) != outcome(told.fact.value):
                continue
            yield told


def _likeness(fact: Fact, other: Fact, beside: frozenset[str], *, is_missing: bool) -> tuple[str, float]:
    """Return the rule by which *other* stood where *fact* stands now, '' for none, and how sure that is."""
    if (
        fact.key
        and other.key
        and fact.kind not in ("id", "hash", "url", "command", "file_changed")
        and _is_one_subject(fact, other)
    ):
        return "same-key", 4.0
    around = words_beside(other.text, other.value)
    shared = beside & around
    overlap = len(shared) / max(1, min(len(beside), len(around), 6))
    if len(shared) >= 2 and overlap >= 0.5 and _is_copied(fact, other, is_missing=is_missing):
        return "same-line", 2.0 + overlap + is_missing
    if fact.kind == "test_result" and is_missing:
        return "same-outcome", 2.0
    if fact.kind in PATHS or fact.kind in ("host", "email"):
        end = "/".join(other.value.split("/")[-1 - fact.value.count("/") :])
        letters = re.sub(r"\d", "0", fact.value.casefold()), re.sub(r"\d", "0", end.casefold())
        if len(fact.value) >= 8 and letters[0] != letters[1] and edits(*letters, 1) == 1:
            return "misspelt", 1.5
    if not is_missing or fact.kind in PATHS:
        return "", 0.0
    if fact.kind == "identifier" and is_renamed(fact.value, other.value):
        return "misspelt", 1.0
    if is_swapped(fact.value, other.value) and _is_of_one_noun(fact, other):
        return "swapped", 1.5
    close = (
        is_misread(fact.value, other.value)
        if fact.kind in QUANTITIES or fact.kind == "version"
        else is_misspelt(fact.value, other.value)
    )
    close = close or (
        fact.kind in QUANTITIES
        and (is_scaled(fact.value, other.value) or is_swapped(fact.value, other.value))
    )
    return ("misspelt", 1.0 + overlap) if close else ("", 0.0)


def _is_of_one_noun(fact: Fact, other: Fact) -> bool:
    """Return whether both count the same things, or are shares."""
    if fact.kind != "number" or other.kind != "number":
        return fact.kind == "percentage"
    nouns = {
        word_behind(one.text, found.group())
        for one in (fact, other)
        if (found := BARE_NUMBER.search(one.value))
    }
    return len(nouns) == 1 and nouns != {""}


def _is_one_subject(fact: Fact, other: Fact) -> bool:
    """Return whether both are of one subject; a setting may be named with its section or without."""
    if same_subject(fact.key, other.key):
        return True
    if fact.kind != "config" or other.kind != "config":
        return False
    short, long = sorted((subject_words(fact.key), subject_words(other.key)), key=len)
    return len(short) > 1 and short < long


def _is_copied(fact: Fact, other: Fact, *, is_missing: bool) -> bool:
    """Return whether a value of this kind, in the same words, should be the same."""
    if fact.kind in PATHS or fact.kind in ("identifier", "name", "number"):
        if fact.kind == "number":
            return is_missing
        return is_missing and is_misspelt(fact.value, other.value)
    return is_missing or fact.kind in ("port", "branch", "version", "image", "host", "ip")
