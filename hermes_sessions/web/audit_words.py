"""The viewer's words for what the audit measures: fates, facts, evidence. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from hermes_sessions.audit.fates import Fate
from hermes_sessions.audit.rules import RULES
from hermes_sessions.audit.values import Severity
from hermes_sessions.web.audit_pages import RuleCount
from hermes_sessions.web.filters import number, plural

FATES: Final[dict[str, str]] = {
    Fate.KEPT: "kept",
    Fate.CARRIED: "kept again",
    Fate.PRUNED: "kept, cut short",
    Fate.SUMMARISED: "summarised away",
    Fate.GONE: "gone",
}
FACT_KINDS: Final[dict[str, str]] = {
    "ask": "request",
    "error": "error",
    "path": "path",
    "command": "command",
    "url": "address",
    "id": "id",
    "version": "version",
    "number": "number",
    "decision": "decision",
    "todo": "open point",
    "user_words": "words of the user",
}
_MAX_ITEMS: Final = 6


def evidence_words(evidence: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """Return a finding's evidence as (name, value) in words; empty values are left out."""
    pairs = ((str(name).replace("_", " "), _words(value)) for name, value in (evidence or {}).items())
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
        return _joined([_item(one) for one in value])
    return str(value)


def _item(value: object) -> str:
    """Return one element of a list; an invention is its kind and its value."""
    if isinstance(value, Mapping) and "value" in value:
        kind = FACT_KINDS.get(str(value.get("kind")), str(value.get("kind") or ""))
        return f"{kind} “{value['value']}”".strip()
    return _words(value)


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
