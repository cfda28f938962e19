"""Rules and decisions that still hold when a handoff is written. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import FactLine
from hermes_sessions.facts.slots import is_lifted, tells_of_lifting
from hermes_sessions.facts.values import FactKind

_SET: Final = (FactKind.CONSTRAINT, FactKind.DECISION)

_AMOUNT = re.compile(r"[$€£¥]\d[\d.,]*\d|[$€£¥]\d|(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
"""What a rule is said again with when it is changed: other numbers may tell two rules apart."""


def not_set_anew(lines: Sequence[FactLine]) -> list[FactLine]:
    """Return *lines*, oldest first, without rules and decisions that the same speaker set anew.

    That is: said again later, to the letter, with another amount of money or another date.
    """
    newest = {_apart_from_amounts(line): place for place, line in enumerate(lines) if line.kind in _SET}
    return [
        line
        for place, line in enumerate(lines)
        if line.kind not in _SET or newest[_apart_from_amounts(line)] == place
    ]


def _apart_from_amounts(rule: FactLine) -> tuple[str, str]:
    return rule.speaker, _AMOUNT.sub("#", rule.text)


def in_force(rules: Sequence[FactLine], said: Sequence[tuple[int, str, str]]) -> list[FactLine]:
    """Return the rules that nobody lifted later; what sets a rule lifts no other."""
    set_at: dict[int, list[str]] = {}
    for rule in rules:
        set_at.setdefault(rule.at, []).append(rule.slots[0].value)
    lifting = []
    for index, speaker, text in said:
        if tells_of_lifting(text):
            for rule_text in set_at.get(index, ()):
                text = text.replace(rule_text, " ")
            lifting.append((index, speaker, text))
    return [
        rule
        for rule in rules
        if not any(
            index > rule.at and is_lifted(rule.slots[0], text, speaker) for index, speaker, text in lifting
        )
    ]
