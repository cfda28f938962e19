"""Rules about the rules of the conversation: were they kept in sight."""

from collections.abc import Iterator, Sequence
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
    for compaction, lost in lost_rules(ledger).items():
        sure = [one for one in lost if _is_sure(one, compaction)]
        doubtful = [one for one in lost if one not in sure]
        if sure:
            yield _hit(sure, compaction, holders[compaction], "rules", None)
        if doubtful:
            yield _hit(doubtful, compaction, holders[compaction], "maybe_lost", Severity.INFO)


def _hit(
    rules: Sequence[LedgerRule], compaction: int, session: int, name: str, severity: Severity | None
) -> RuleHit:
    broken = [row for rule in rules for row in _broken(rule, compaction)]
    places = [_told(one) for one in rules[:_MAX_RULES]]
    if name == "maybe_lost":
        places = [
            place | {"kind": _doubt(one, compaction)} for place, one in zip(places, rules, strict=False)
        ]
    evidence: dict[str, Any] = {"count": len(rules), name: places}
    if broken:
        evidence["broken_by"] = broken[:MAX_MESSAGES]
    return RuleHit(
        messages=tuple(one.message for one in rules)[:MAX_MESSAGES],
        evidence=evidence,
        severity=Severity.ERROR if broken else severity,
        session=session,
        compaction=compaction,
    )


def _is_sure(rule: LedgerRule, compaction: int) -> bool:
    """Return whether *rule* is one for sure and surely lost; what broke afterwards was one."""
    if _broken(rule, compaction):
        return True
    doubtful = any(one.is_doubtful for one in rule.sights if one.compaction == compaction)
    return rule.is_standing and not doubtful


def _doubt(rule: LedgerRule, compaction: int) -> str:
    """Return why a loss is none for sure; only what is in other words may be in sight after all."""
    if any(one.is_told_perhaps for one in rule.sights if one.compaction == compaction):
        return "other_words"
    return "unexplained" if rule.is_standing else "one_step"


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
        " the agent broke it afterwards; a note where it may have been meant for one step, or said in"
        " other words.",
        advice="Tell the agent the rule again; look at what it did since, the messages are listed.",
        conversation=_rule_lost,
    ),
)
