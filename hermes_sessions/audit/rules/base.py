"""What a rule is: a code, a severity, what it means, what to do, and one small function over values."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.values import AuditMessage, ConversationCase, Severity

MAX_MESSAGES: Final = 50
"""How many rows a finding points at; its evidence has the count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Where a rule struck.

    Attributes:
        messages: keys of the rows that show it.
        evidence: plain values, no secrets.
        severity: another than the rule's own.
        session: key of the session it is about.
        compaction: key of the compaction it is about.
    """

    messages: tuple[int, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    severity: Severity | None = None
    session: int | None = None
    compaction: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A kind of finding.

    Attributes:
        code: its stable name.
        severity: how bad it usually is.
        about: what it means, one sentence.
        advice: what the reader can do.
        compaction: asks one committed compaction; or
        conversation: asks a whole conversation.
    """

    code: str
    severity: Severity
    about: str
    advice: str
    compaction: Callable[[MeasuredCompaction], Iterator[Hit]] | None = None
    conversation: Callable[[ConversationCase], Iterator[Hit]] | None = None


def ids(rows: Sequence[AuditMessage]) -> tuple[int, ...]:
    """Return the keys of the first rows of *rows*, enough to look at."""
    return tuple(row.id for row in rows[:MAX_MESSAGES])
