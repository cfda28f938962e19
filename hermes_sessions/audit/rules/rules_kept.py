"""Rules about the rules of the conversation: were they kept in sight."""

from collections.abc import Iterator
from typing import Any, Final

from hermes_sessions.audit.ledger.ledger import build_ledger, lost_rules
from hermes_sessions.audit.ledger.values import LedgerRule
from hermes_sessions.audit.rules.base import MAX_MESSAGES, Rule, RuleHit
from hermes_sessions.audit.values import ConversationCase
from hermes_sessions.facts import shorten_line
from hermes_sessions.messages import Severity
from hermes_sessions.redact import redact

_MAX_RULES: Final = 20
_MAX_CHARS: Final = 200


def _rule_lost(found: ConversationCase) -> Iterator[RuleHit]:
    holders = {case.facts.id: case.facts.session for case in found.compactions}
    ledger = build_ledger(found) if found.ledger is None else found.ledger
    for compaction, rules in lost_rules(ledger).items():
        broken = [row for rule in rules for row in _broken(rule, compaction)]
        evidence: dict[str, Any] = {"count": len(rules), "rules": [_told(one) for one in rules[:_MAX_RULES]]}
        if broken:
            evidence["broken_by"] = broken[:MAX_MESSAGES]
        yield RuleHit(
            messages=tuple(one.message for one in rules)[:MAX_MESSAGES],
            evidence=evidence,
            severity=Severity.ERROR if broken else None,
            session=holders[compaction],
            compaction=compaction,
        )


def _broken(rule: LedgerRule, compaction: int) -> list[int]:
    return [row for row, after in zip(rule.broken_by, rule.broken_after, strict=True) if after == compaction]


def _told(rule: LedgerRule) -> dict[str, Any]:
    text = shorten_line(redact(rule.text).text, _MAX_CHARS)
    return {"value": text, "speaker": rule.speaker, "message": rule.message}


RULES: Final = (
    Rule(
        code="rule-lost",
        severity=Severity.WARNING,
        about="A rule of the conversation is neither in the handoff nor in a kept message. An error where"
        " the agent broke it afterwards.",
        advice="Tell the agent the rule again; look at what it did since, the messages are listed.",
        conversation=_rule_lost,
    ),
)
