"""Values that stand in a rule alone: without their rule a handoff that has them keeps nothing. Pure."""

from collections.abc import Sequence

from hermes_sessions.audit.handed_on.kept_facts import KeptFact
from hermes_sessions.audit.relations.bans import read_clauses
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.modality import Modality, read_modality

_RULE = "constraint"
_SAID = frozenset({"constraint", "decision", "request", "question", "todo", "next_step", "error"})


def without_bound(facts: Sequence[KeptFact], rows: Sequence[AuditMessage]) -> tuple[KeptFact, ...]:
    """Return *facts* with those values lost that were said in a lost rule, and nowhere besides."""
    lost = [one for one in facts if one.kind == _RULE and one.is_lost]
    if not lost:
        return tuple(facts)
    texts = {row.id: row.text for row in rows}
    return tuple(
        one._replace(in_handoff=False, in_doubt=False) if _is_bound(one, lost, texts) else one
        for one in facts
    )


def _is_bound(fact: KeptFact, lost: Sequence[KeptFact], texts: dict[int, str]) -> bool:
    if fact.kind in _SAID or fact.in_tail or fact.is_lost:
        return False
    rules = [one.value for one in lost if _bars(one.value, fact.value)]
    return bool(rules) and all(_is_within(fact.value, rules, texts.get(one, "")) for one in fact.messages)


def _bars(rule: str, value: str) -> bool:
    """Return whether the clause of *rule* with *value* forbids: `take port 8080 and leave 8081 alone`."""
    parts = [one for one in read_clauses(Statement(rule, 0, "")) if value in one.text]
    return any(read_modality(one.text) & Modality.BAN for one in parts)


def _is_within(value: str, rules: Sequence[str], text: str) -> bool:
    """Return whether *text* names a value in *rules* alone."""
    for rule in rules:
        text = text.replace(rule, " ")
    return value not in text
