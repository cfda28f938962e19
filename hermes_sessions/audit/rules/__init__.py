"""All rules, in the order of the documentation, and the one function that asks them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules import (
    behaviour,
    directives,
    lineage,
    loss,
    rules_kept,
    stored_rows,
    transcript,
    truth,
    wording,
)
from hermes_sessions.audit.rules.base import Rule, RuleHit
from hermes_sessions.audit.values import ConversationCase, FindingValue
from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.facts.collector import without_collector

RULES_VERSION: Final = "26"
"""Raise it whenever a rule, or what it looks at, changes: stored findings are then made anew."""

RULES: Final[Mapping[str, Rule]] = {
    rule.code: rule
    for rule in (
        *loss.RULES,
        *rules_kept.RULES,
        *wording.RULES,
        *directives.RULES,
        *truth.RULES,
        *transcript.RULES,
        *behaviour.RULES,
        *lineage.RULES,
        *stored_rows.RULES,
    )
}
"""Every rule by its code."""


def get_rule(code: str) -> Rule:
    """Return the rule with this code.

    Raises:
        InvalidQueryError: there is none; the text names all there are.
    """
    if code not in RULES:
        raise InvalidQueryError(f"there is no rule {code!r}; known: {', '.join(sorted(RULES))}")
    return RULES[code]


@without_collector
def check_compaction(found: MeasuredCompaction) -> Sequence[FindingValue]:
    """Return what the rules for single compactions find; they look at committed ones only."""
    return tuple(_check(found))


def _check(found: MeasuredCompaction) -> Iterator[FindingValue]:
    if not found.case.facts.is_committed:
        return
    handoff = found.case.handoff
    grammar = None if handoff is None else handoff.grammar
    for rule in RULES.values():
        if rule.compaction is not None and rule.is_about(grammar):
            for hit in rule.compaction(found):
                yield _finding(rule, hit, found.case.facts.id, found.case.facts.session)


def check_conversation(found: ConversationCase) -> Iterator[FindingValue]:
    """Yield what the rules for whole conversations find; each compaction's own are not among them."""
    for rule in RULES.values():
        if rule.conversation is not None:
            for hit in rule.conversation(found):
                yield _finding(rule, hit, hit.compaction, hit.session)


def _finding(rule: Rule, hit: RuleHit, compaction: int | None, session: int | None) -> FindingValue:
    return FindingValue(
        rule=rule.code,
        severity=hit.severity or rule.severity,
        session=session,
        compaction=compaction,
        messages=hit.messages,
        evidence=hit.evidence,
    )
