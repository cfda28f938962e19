"""The rules of a conversation alone: what is found of them beside the facts, in a part of the time."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from hermes_sessions.facts.page import Mark, TextPage, line_around, make_page
from hermes_sessions.facts.speech.rules import rule_marks
from hermes_sessions.facts.unwrap import unwrap_message
from hermes_sessions.facts.values import MAX_FACT_CHARS, Fact, FactKind, weigh
from hermes_sessions.late_patterns import late_pattern

_CUT: Final = late_pattern(
    r"[;:—–] (?:\s?(?:and|but|und|aber|et|mais|y|pero|e|mas|ma|en|maar|i|a|ale|и|но|а) )?"
    r"|, (?:(?:and|but|only|though|just|und|aber|nur|et|mais|y|pero|e|mas|ma|en|maar|i|a|ale|и|но|а) )?"
    r"| (?:and|but|und|aber|et|mais|y|pero|e|mas|ma|en|maar|ale|и|но) |[，；。、](?:但|不过|只是)?",
    re.I,
)
_REASON: Final = late_pattern(
    r",? (?:because|since|as|weil|denn|car|parce qu|puisqu|porque|pois|perché|poiché|siccome|omdat|want|bo|ponieważ|gdyż|потому что|так как)\b.*$|[，,]因为.*$",
    re.I | re.S,
)
_CONDITION: Final = late_pattern(
    r"\W{0,3}(?:if|when|whenever|while|as long as|until|before|after|once|unless|wenn|falls|sobald|solange|während|bis|bevor|nach\w*|si|quand|lorsqu\w*|dès|tant qu\w*|avant|après|cuando|mientras|hasta|antes|después|se|quando|enquanto|até|depois|finché|prima|dopo|als|wanneer|zolang|tot\w*|voor\w*|na\w*"
    r"|jeśli|jeżeli|gdy|kiedy|dopóki|póki|zanim|до|если|когда|пока|прежде|после|перед)\b|.*(?:之前|之后|期间|时|なら|まで|間は?|前に?)$",
    re.I,
)
_LEAST_PART: Final = 12
_LEAST_SIGNS: Final = 6
_MOST_CUTS: Final = 5


def extract_rules(message: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return the rules that one message sets, in their order, each once."""
    found: list[Fact] = []
    for piece in unwrap_message(message).pieces:
        page = make_page(piece)
        found += rule_facts(page, rule_marks(page), piece.start)
    return each_rule_once(found)


@lru_cache(maxsize=4_096)
def would_be_rule(text: str) -> bool:
    """Return whether a sentence would set a rule if the user said it."""
    return any(fact.span[0] == 0 for fact in extract_rules({"role": "user", "content": text}))


@lru_cache(maxsize=4_096)
def binding_part(text: str) -> str:
    """Return what of a rule binds: without the request that it stands behind, and without its reason.

    *Measure the tanks, and take no more than 800 litres from the well* binds with its second half.
    """
    bare = _REASON.sub("", text)
    least = _LEAST_PART if text.isascii() else _LEAST_SIGNS
    if bare != text and not (len(bare) >= least and would_be_rule(bare)):
        bare = text
    for cut in islice(_CUT.finditer(bare), _MOST_CUTS):
        rest, head = bare[cut.end() :], bare[: cut.start()]
        if len(rest) < least or _CONDITION.match(head):
            continue
        if would_be_rule(rest) and not would_be_rule(head):
            return rest
    return bare


def rule_facts(page: TextPage, marks: Iterable[Mark], base: int) -> Iterator[Fact]:
    """Yield the rules at *marks* of a page that begins at *base* of its message."""
    weight = weigh(FactKind.CONSTRAINT, page.speaker)
    for mark in marks:
        value = page.text[mark.start : min(mark.end, mark.start + MAX_FACT_CHARS)]
        first, last = line_around(page.text, mark.start, mark.start + len(value))
        place = (base + mark.start, base + mark.start + len(value))
        kind, line = FactKind.CONSTRAINT.value, page.text[first:last]
        if value:
            yield Fact(kind, mark.key, value, line, page.speaker, weight, place)


def each_rule_once(rules: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return *rules*, each where it stands first."""
    found: dict[str, Fact] = {}
    for rule in rules:
        found.setdefault(rule.value, rule)
    return tuple(found.values())
