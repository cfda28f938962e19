"""Rules about the stored rows themselves: clocks, counters, clones."""

from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Final

from hermes_sessions.audit.rules.base import Rule, RuleHit, ids
from hermes_sessions.audit.values import AuditMessage, CompactionCase, ConversationCase
from hermes_sessions.lineage import Relation
from hermes_sessions.messages import MessageKind, MessageState, Role, Severity

_MIN_STEP_SECONDS: Final = 1.0


def _clock_backwards(found: ConversationCase) -> Iterator[RuleHit]:
    for session in found.sessions:
        steps = list(_steps_back(session.rows))
        if steps:
            yield RuleHit(
                session=session.key,
                messages=ids([row for row, _ in steps]),
                evidence={"times": len(steps), "seconds": round(max(step for _, step in steps), 3)},
            )


def _steps_back(rows: Sequence[AuditMessage]) -> Iterator[tuple[AuditMessage, float]]:
    """Yield rows that are older than the row before them; copies keep the time of what they repeat."""
    before: float | None = None
    for row in rows:
        if row.created_at is None or row.is_copy:
            continue
        if before is not None and before - row.created_at > _MIN_STEP_SECONDS:
            yield row, before - row.created_at
        before = row.created_at


def _counter_mismatch(found: ConversationCase) -> Iterator[RuleHit]:
    for session in found.sessions:
        counted = session.message_counter
        rows = [row for row in session.rows if row.role != Role.SESSION_META]
        live = [row for row in rows if row.state == MessageState.LIVE]
        if counted is not None and counted not in (len(rows), len(live), len(session.rows)):
            yield RuleHit(
                session=session.key,
                evidence={"counter": counted, "rows": len(rows), "live": len(live)},
            )
    for case in found.compactions:
        removed = case.wording.removed if case.wording else None
        if removed is not None and case.span and removed not in (len(case.span), _rows_gone(case)):
            yield RuleHit(
                session=case.facts.session,
                compaction=case.facts.id,
                evidence={"counter": removed, "rows": len(case.span)},
            )


def _rows_gone(case: CompactionCase) -> int:
    """Return how many rows left the context: the span, and older handoffs that were not kept."""
    handoffs = [row for row in case.before if row.kind == MessageKind.HANDOFF]
    span = {row.id for row in case.span}
    return len(span | {row.id for row in handoffs if row.original not in case.kept})


def _clones(found: ConversationCase) -> Iterator[RuleHit]:
    written = {row.id for case in found.compactions for row in case.after}
    made = {case.facts.child for case in found.compactions}
    for session in found.sessions:
        # A continuation that no compaction made begins with what it continues.
        begins = session.relation == Relation.COMPACTION and session.key not in made
        rows = dropwhile(lambda row: row.is_copy, session.rows) if begins else iter(session.rows)
        clones = [
            row
            for row in rows
            if row.is_copy and row.id not in written and row.kind == MessageKind.MESSAGE and row.is_in_context
        ]
        if clones:
            yield RuleHit(session=session.key, messages=ids(clones), evidence={"count": len(clones)})


RULES: Final = (
    Rule(
        code="clock-backwards",
        severity=Severity.INFO,
        about="A message is older than the one before it: the machine's clock was set back.",
        advice="Nothing to do: messages are shown in the order they were written.",
        conversation=_clock_backwards,
    ),
    Rule(
        code="counter-mismatch",
        severity=Severity.INFO,
        about="A number of messages that the agent wrote down agrees with none that can be counted.",
        advice="Trust the counts shown here; they are of stored rows.",
        conversation=_counter_mismatch,
    ),
    Rule(
        code="clones",
        severity=Severity.INFO,
        about="Rows were written twice, and no compaction carried them over. They are folded in the viewer.",
        advice="Nothing is lost; the agent sends them twice, which costs tokens.",
        conversation=_clones,
    ),
)
