"""Rules about what a handoff tells the agent to do: orders nobody gave, and tasks that are over."""

from collections.abc import Iterator
from typing import Any, Final

from hermes_sessions.audit.directives.orders import find_orders
from hermes_sessions.audit.directives.stale_tasks import find_stale_tasks
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.rules.base import Rule, RuleHit
from hermes_sessions.facts import shorten_line
from hermes_sessions.messages import Severity
from hermes_sessions.redact import redact

_MAX_LINES: Final = 10
_MAX_CHARS: Final = 200


def _orders(found: MeasuredCompaction) -> Iterator[RuleHit]:
    orders = find_orders(found.case)
    if orders:
        lines = [{"kind": one.kind, "value": _quoted(one.text)} for one in orders[:_MAX_LINES]]
        yield RuleHit(messages=_handoff(found), evidence={"count": len(orders), "lines": lines})


def _stale_task(found: MeasuredCompaction) -> Iterator[RuleHit]:
    tasks = find_stale_tasks(found.case)
    if tasks:
        lines: list[dict[str, Any]] = [
            {"kind": one.why, "value": _quoted(one.text), "message": one.message}
            for one in tasks[:_MAX_LINES]
        ]
        messages = tuple(dict.fromkeys((*_handoff(found), *(one.message for one in tasks[:_MAX_LINES]))))
        yield RuleHit(
            messages=messages,
            evidence={"count": len(tasks), "tasks": lines},
            severity=None if any(one.is_sure for one in tasks) else Severity.INFO,
        )


def _handoff(found: MeasuredCompaction) -> tuple[int, ...]:
    return () if found.case.handoff is None else (found.case.handoff.id,)


def _quoted(text: str) -> str:
    return shorten_line(redact(text).text, _MAX_CHARS)


RULES: Final = (
    Rule(
        code="orders",
        severity=Severity.WARNING,
        about="The handoff gives orders, speaks as the user or the system, or asks for silence, in words"
        " that nobody said.",
        advice="Tell the agent what you want next, and that these lines are not from you.",
        compaction=_orders,
    ),
    Rule(
        code="stale-task",
        severity=Severity.WARNING,
        about="The handoff gives as active, pending or next what was finished, called off or replaced"
        " before. A note where the line may only advise, be set apart or keep a date.",
        advice="Tell the agent that this task is over, and which one counts.",
        compaction=_stale_task,
    ),
)
