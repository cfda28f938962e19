"""The value that stands in the same slot: bounded by the same word, in a sentence about the same. Pure.

What a sentence is about is asked in every language that is read, so that a slot is found in a
summary that translates: `not before 22:00` for `erst nach 22:00 Uhr`.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern

_AFTER: Final = r"not before|no earlier than|not earlier than|after|from|since|nicht vor|nach|ab|frühestens|après|dès|à partir de|pas avant|después de|a partir de|no antes de|depois d[aoe]s?|após|não antes d[aeo]s?|dopo|non prima d\w+|не раньше|после"
_UNTIL: Final = r"before|by|until|till|no later than|not after|vor|bis(?: zum)?|spätestens|avant|jusqu[’']?(?:à|au)|antes d[aeo]s?|hasta|até|prima d\w+|entro|fino a\w*|до|не позже|к"
_BOUND = late_pattern(
    rf"(?:\b(?:(?P<after>{_AFTER})|(?P<until>{_UNTIL}))|(?P<latest>最晚|最迟|不晚于)|(?P<earliest>最早))"
    r"(?:\s(?:the|um|at|le|la|les|las|el|den|dem|à|ca\.?))?\s?(?:[^\W\d_]{2,10}[ .]{1,2})?$",
    re.I,
)
_BEHIND = late_pattern(
    r"\s?(?:点|時|号|日)?\s?(?:(?P<after>以后|之后|以降|のあと|이후|후에)|(?P<until>以前|之前|まで|까지|이전|전에))"
)
_CUT = SentenceCut(r"(?<=[.!?;])\s|[。！？；]|\n|\s\|\s|,\s|，")
_ENOUGH: Final = 0.5
_LEAST: Final = 2


def in_same_slot(fact: Fact, candidates: Sequence[Told]) -> Told | None:
    """Return the newest value of *candidates* that has the same bound before it, in a sentence about the same."""
    bound = _bound(fact.text, fact.value)
    about = _about(fact.text, fact.value)
    best: tuple[int, int, Told] | None = None
    for told in candidates if about else ():
        theirs = _about(told.fact.text, told.fact.value)
        shared = len(about & theirs)
        is_bound = bool(bound) and bound == _bound(told.fact.text, told.fact.value)
        if not is_bound or not shared:
            continue
        if best is None or (shared, told.message) >= best[:2]:
            best = (shared, told.message, told)
    return best[2] if best else None


@lru_cache(maxsize=4_096)
def _bound(line: str, value: str) -> str:
    """Return on which side of *value* what its line speaks of lies."""
    at = line.find(value)
    if at < 0:
        return ""
    found = _BOUND.search(line[max(0, at - 40) : at]) or _BEHIND.match(line, at + len(value))
    return "" if found is None else "after" if found.lastgroup in ("after", "earliest") else "until"


@lru_cache(maxsize=4_096)
def _about(line: str, value: str) -> frozenset[str]:
    """Return what the sentence of *value* names, numbers left out."""
    at = line.find(value)
    if at < 0:
        return frozenset()
    start = max((one.end() for one in _CUT.finditer(line, 0, at)), default=0)
    end = next((one.start() for one in _CUT.finditer(line, at + len(value))), len(line))
    return _without_numbers(read_terms(f"{line[start:at]} {line[at + len(value) : end]}").all)


def _without_numbers(terms: Iterable[str]) -> frozenset[str]:
    return frozenset(one for one in terms if not any(map(str.isdigit, one)))
