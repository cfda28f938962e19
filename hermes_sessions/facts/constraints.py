"""The rules of a conversation alone: what is found of them beside the facts, in a part of the time."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from hermes_sessions.facts.page import Mark, TextPage, line_around, make_page
from hermes_sessions.facts.speech.rules import rule_marks
from hermes_sessions.facts.unwrap import unwrap_message
from hermes_sessions.facts.values import MAX_FACT_CHARS, Fact, FactKind, weigh


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
