"""The viewer's words for what the audit measures: fates, facts, evidence. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from hermes_sessions.audit.fates import Fate
from hermes_sessions.audit.rules import RULES
from hermes_sessions.audit.verdict.evidence_names import evidence_name
from hermes_sessions.messages import Severity
from hermes_sessions.web.auditing.audit_values import RuleCount
from hermes_sessions.web.text.filters import number, plural

FATES: Final[dict[str, str]] = {
    Fate.KEPT: "kept",
    Fate.CARRIED: "kept again",
    Fate.PRUNED: "kept, cut short",
    Fate.SUMMARISED: "summarised away",
    Fate.GONE: "gone",
}
FACT_KINDS: Final[dict[str, str]] = {
    "constraint": "rule",
    "test_result": "test result",
    "todo": "open point",
    "next_step": "next step",
    "file_changed": "changed file",
    "file_read": "read file",
    "config": "setting",
    "url": "address",
    "ip": "IP address",
    "money": "amount",
    "user_words": "words of the user",
    "negation": "turned round",
    "done": "not done",
    "who": "who decided",
}
"""Kinds whose name is not the word for them."""

BADGES: Final[dict[str, str]] = {
    "last-request-lost": "last request lost",
    "reply-swallowed": "last reply swallowed",
    "no-receipt": "turns gone without a trace",
    "fallback-used": "summary made by rule",
    "empty-summary": "summary says nothing",
    "summary-larger": "summary longer than the text",
    "ineffective": "little saved",
    "rule-lost": "rule forgotten",
    "end-marker-missing": "handoff has no end",
    "merged-handoff": "handoff inside a message",
    "nested-handoff": "handoff inside a handoff",
    "stale-directive": "outdated instructions",
    "secret-in-handoff": "secret in the summary",
    "tail-anchor-stacked": "old tails pile up",
    "orders": "orders nobody gave",
    "stale-task": "finished task shown as open",
    "contradicts": "summary contradicts its source",
    "invented": "summary makes things up",
    "not-verbatim": "values put another way",
    "head-fossilised": "old beginning kept forever",
    "orphan-tool-pair": "call without its result",
    "role-order": "roles out of order",
    "ghost-response": "acted unasked afterwards",
    "work-repeated": "work done twice",
    "re-read-after-loss": "files read again",
    "fork": "continued twice",
    "interrupted": "compaction not finished",
    "closed-without-child": "ended without continuation",
    "missing-parent": "beginning is missing",
    "cycle": "sessions in a circle",
    "compaction-loop": "compacted again and again",
    "clock-backwards": "clock was set back",
    "counter-mismatch": "counts do not agree",
    "clones": "rows written twice",
}
"""What each rule found, in two to five words."""

_MAX_ITEMS: Final = 6


def badge_words(rule: str | None) -> str:
    """Return what a rule found, in a few words."""
    code = rule or ""
    return BADGES.get(code) or code.replace("-", " ")


def evidence_words(evidence: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """Return a finding's evidence as (name, value) in words; empty values are left out."""
    pairs = ((evidence_name(str(name)), _words(value)) for name, value in (evidence or {}).items())
    return tuple((name, value) for name, value in pairs if value)


def _words(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, Mapping):
        return _joined([f"{name} {_words(one)}" for name, one in value.items()])
    if isinstance(value, (list, tuple)):
        return _joined([_words(one) for one in value])
    return str(value)


def _joined(words: list[str]) -> str:
    more = len(words) - _MAX_ITEMS
    shown = "; ".join(words[:_MAX_ITEMS])
    return f"{shown}; and {plural(more, 'other')}" if more > 0 else shown


def count_rules(counts: Mapping[tuple[str, str], int]) -> tuple[RuleCount, ...]:
    """Return every rule that struck, the worst and most frequent first, then the quiet ones.

    Args:
        counts: how many findings are stored, by rule and severity.
    """
    codes = dict.fromkeys([*RULES, *sorted(rule for rule, _ in counts)])
    found = [_rule_count(code, counts) for code in codes]
    return tuple(sorted(found, key=lambda one: (not one.total, -Severity(one.worst).rank, -one.total)))


def _rule_count(code: str, counts: Mapping[tuple[str, str], int]) -> RuleCount:
    rule = RULES.get(code)
    own = [(level.value, counts.get((code, level.value), 0)) for level in reversed(Severity)]
    struck = tuple((level, count) for level, count in own if count)
    usual = rule.severity.value if rule else Severity.INFO.value
    return RuleCount(
        code=code,
        about=rule.about if rule else "A rule of an earlier release.",
        advice=rule.advice if rule else "",
        worst=struck[0][0] if struck else usual,
        counts=struck,
        total=sum(count for _, count in struck),
    )
