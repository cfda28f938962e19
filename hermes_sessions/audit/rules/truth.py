"""Rules about what a handoff says that its source does not."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules.base import Rule, RuleHit
from hermes_sessions.messages import Severity
from hermes_sessions.redact import redact

_MAX_NAMED: Final = 20


def _contradicts(found: MeasuredCompaction) -> Iterator[RuleHit]:
    yield from _hits(found, Grade.CONTRADICTS)


def _invented(found: MeasuredCompaction) -> Iterator[RuleHit]:
    yield from _hits(found, Grade.INVENTED)


def _not_verbatim(found: MeasuredCompaction) -> Iterator[RuleHit]:
    yield from _hits(found, Grade.NOT_VERBATIM)


def _hits(found: MeasuredCompaction, grade: Grade) -> Iterator[RuleHit]:
    """Yield one hit for all that departs so from the source; an error where any of it is grave."""
    told = found.departs(grade)
    if not told:
        return
    handoff = found.case.handoff
    rows = dict.fromkeys([handoff.id] if handoff else [])
    rows.update(dict.fromkeys(one.message for one in told if one.message))
    yield RuleHit(
        messages=tuple(one for one in rows if one is not None),
        evidence={"count": len(told), "values": [_named(one) for one in _gravest(told)]},
        severity=Severity.ERROR if any(one.grave for one in told) else None,
    )


def _gravest(told: Sequence[Deviation]) -> Sequence[Deviation]:
    return sorted(told, key=lambda one: not one.grave)[:_MAX_NAMED]


def _named(one: Deviation) -> dict[str, Any]:
    """Return a deviation as evidence: both values, and where the source's stands; secrets masked."""
    named: dict[str, Any] = {"kind": one.kind, "value": redact(one.value).text}
    if one.key:
        named["key"] = redact(one.key).text
    if one.source:
        named["source"] = redact(one.source).text
    if one.message:
        named["message"] = one.message
    return named


RULES: Final = (
    Rule(
        code="contradicts",
        severity=Severity.WARNING,
        about="The handoff states another value than its source, or the opposite of it. An error where it"
        " turns round a request, a rule or a test result.",
        advice="Tell the agent the right value: it relies on the one in the handoff.",
        compaction=_contradicts,
    ),
    Rule(
        code="invented",
        severity=Severity.WARNING,
        about="The handoff quotes words that nobody said, or reports as done a file or a commit that is"
        " nowhere before it.",
        advice="Check these before you rely on them; tell the agent which are wrong.",
        compaction=_invented,
    ),
    Rule(
        code="not-verbatim",
        severity=Severity.INFO,
        about="Values of the handoff are nowhere in its source, and nothing says that they are wrong:"
        " counts, sums, other words.",
        advice="Nothing to do; look here first where a number seems odd.",
        compaction=_not_verbatim,
    ),
)
