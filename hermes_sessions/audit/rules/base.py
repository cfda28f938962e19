"""What a rule is: a code, a severity, what it means, what to do, and one small function over values."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.values import AuditMessage, ConversationCase
from hermes_sessions.messages import Severity

MAX_MESSAGES: Final = 50
"""How many rows a finding points at; its evidence has the count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleHit:
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
        applies_to: names of the grammars whose handoffs it is about; None: of any.
    """

    code: str
    severity: Severity
    about: str
    advice: str
    compaction: Callable[[MeasuredCompaction], Iterator[RuleHit]] | None = None
    conversation: Callable[[ConversationCase], Iterator[RuleHit]] | None = None
    applies_to: frozenset[str] | None = None

    def is_about(self, grammar: str | None) -> bool:
        """Return whether the rule can strike a handoff that *grammar* framed; None: there is no handoff."""
        return self.applies_to is None or grammar is None or grammar in self.applies_to


def ids(rows: Sequence[AuditMessage]) -> tuple[int, ...]:
    """Return the keys of the first rows of *rows*, enough to look at."""
    return tuple(row.id for row in rows[:MAX_MESSAGES])
