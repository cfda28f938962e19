"""The facts of a message: its pieces, every rule on each, one fact a slot."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from hermes_sessions.facts.constraints import each_rule_once, rule_facts
from hermes_sessions.facts.kinds.addresses import address_marks, url_part_marks
from hermes_sessions.facts.kinds.code import code_marks
from hermes_sessions.facts.kinds.commands import command_marks
from hermes_sessions.facts.kinds.dates import dated_marks
from hermes_sessions.facts.kinds.directives import directive_marks
from hermes_sessions.facts.kinds.failures import failure_marks
from hermes_sessions.facts.kinds.files import file_marks
from hermes_sessions.facts.kinds.keyed import keyed_marks
from hermes_sessions.facts.kinds.names import name_marks
from hermes_sessions.facts.kinds.numbered import numbered_marks
from hermes_sessions.facts.kinds.outcomes import outcome_marks
from hermes_sessions.facts.kinds.quantities import quantity_marks
from hermes_sessions.facts.kinds.settings import setting_marks
from hermes_sessions.facts.kinds.tables import table_marks
from hermes_sessions.facts.kinds.tokens import token_marks
from hermes_sessions.facts.page import LineReader, Mark, TextPage, make_page
from hermes_sessions.facts.speech.requests import request_marks
from hermes_sessions.facts.speech.rules import rule_marks
from hermes_sessions.facts.speech.speech import speech_marks
from hermes_sessions.facts.unwrap import Form, Unwrapped, unwrap_message, unwrap_text
from hermes_sessions.facts.values import MAX_FACT_CHARS, Fact, FactKind, weigh

Rule = Callable[[TextPage], Iterable[Mark]]

VALUE_RULES: Final[tuple[Rule, ...]] = (
    directive_marks,
    dated_marks,
    address_marks,
    file_marks,
    outcome_marks,
    keyed_marks,
    numbered_marks,
    token_marks,
    quantity_marks,
    code_marks,
    table_marks,
)
LINE_RULES: Final[tuple[Rule, ...]] = (
    url_part_marks,
    setting_marks,
    failure_marks,
    command_marks,
    rule_marks,
    speech_marks,
    name_marks,
)

_MAX_REMEMBERED_CHARS: Final = 8_000
"""The facts of a longer text that is no message are not remembered."""


def extract_facts(message: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return the facts of one OpenAI- or Anthropic-style message in the order they stand.

    Each kind, key and value once, where it stands first. Never raises, whatever the
    message holds; takes time linear in its length.
    """
    return facts_of(unwrap_message(message))


def extract_text_facts(text: str, speaker: str = "assistant") -> tuple[Fact, ...]:
    """Return the facts of a text that is no message: a summary, a draft, a sentence of one.

    Those of the last texts are remembered: a summary is read again by the next compaction.
    """
    if len(text) > _MAX_REMEMBERED_CHARS:
        return facts_of(unwrap_text(text, speaker))
    return _remembered_facts(text, speaker)


@lru_cache(maxsize=1_024)
def _remembered_facts(text: str, speaker: str) -> tuple[Fact, ...]:
    return facts_of(unwrap_text(text, speaker))


def facts_of(unwrapped: Unwrapped) -> tuple[Fact, ...]:
    """Return the facts of a message that is unwrapped already."""
    return facts_and_rules(unwrapped)[0]


def facts_and_rules(unwrapped: Unwrapped) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """Return the facts of an unwrapped message, and of what it says what `constraints` finds: its rules."""
    facts: list[Fact] = []
    rules: list[Fact] = []
    seen: set[tuple[str, str, str]] = set()
    asking = True
    for piece in unwrapped.pieces:
        page = make_page(piece)
        ruled = list(rule_marks(page))
        if not piece.tool:
            rules += rule_facts(page, ruled, piece.start)
        marks = _marks(page, ruled)
        if asking and piece.form is Form.SPEECH and piece.speaker == "user":
            requests = request_marks(page, [mark for mark in marks if mark.kind == FactKind.CONSTRAINT])
            asking = not requests or len(unwrapped.pieces) > 1
            marks = [*requests, *marks]
        lines = LineReader(page.text)
        for mark in marks:
            value = page.text[mark.start : min(mark.end, mark.start + MAX_FACT_CHARS)]
            slot = (mark.kind, mark.key, value)
            if slot not in seen and value:
                seen.add(slot)
                facts.append(_fact(page, lines, mark, value, piece.start))
    return _once(facts), each_rule_once(rules)


def _marks(page: TextPage, ruled: Iterable[Mark]) -> list[Mark]:
    """Return the marks of all rules; of two values at one place, the earlier rule's."""
    taken = bytearray(len(page.text))
    marks: list[Mark] = []
    for rule in VALUE_RULES:
        for mark in rule(page):
            if taken.find(1, mark.start, mark.end) < 0:
                taken[mark.start : mark.end] = b"\1" * (mark.end - mark.start)
                if mark.kind:
                    marks.append(mark)
    for rule in LINE_RULES:
        marks += ruled if rule is rule_marks else rule(page)
    marks.sort(key=_start)
    return marks


def _start(mark: Mark) -> int:
    return mark.start


def _fact(page: TextPage, lines: LineReader, mark: Mark, value: str, base: int) -> Fact:
    start, end = mark.start, mark.start + len(value)
    return Fact(
        mark.kind,
        mark.key,
        value,
        lines.around(start, end),
        page.speaker,
        weigh(mark.kind, page.speaker),
        (base + start, base + end),
    )


def _once(facts: list[Fact]) -> tuple[Fact, ...]:
    """Keep each kind, value and key once; one without a key gives way to one with it."""
    kept: dict[tuple[str, str, str], Fact] = {}
    keyed = {(fact.kind, fact.value) for fact in facts if fact.key}
    changed = {fact.value for fact in facts if fact.kind in ("file_changed", "file_read")}
    for fact in sorted(facts, key=_place):
        if fact.kind == "path" and fact.value in changed:
            continue
        if fact.key or (fact.kind, fact.value) not in keyed:
            kept.setdefault((fact.kind, fact.value, fact.key), fact)
    return tuple(kept.values())


def _place(fact: Fact) -> tuple[int, int]:
    return fact.span
