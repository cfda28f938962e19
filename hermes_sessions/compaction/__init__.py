"""The compaction engine. PURE: no SQL, HTTP, clock, environment, logging."""

from hermes_sessions.compaction.assemble import Omission, Placed
from hermes_sessions.compaction.due import Attempt, Due, compaction_due, should_compact
from hermes_sessions.compaction.engine import compact_transcript
from hermes_sessions.compaction.plan import CompactionPlan, plan_compaction
from hermes_sessions.compaction.policy import CompactionPolicy
from hermes_sessions.compaction.result import CompactionContext, CompactionResult
from hermes_sessions.compaction.transcript import context_tokens

__all__ = [
    "Attempt",
    "CompactionContext",
    "CompactionPlan",
    "CompactionPolicy",
    "CompactionResult",
    "Due",
    "Omission",
    "Placed",
    "compact_transcript",
    "compaction_due",
    "context_tokens",
    "plan_compaction",
    "should_compact",
]
