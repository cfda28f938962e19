"""Session store, compaction engine, audit and viewer for long-running LLM agents.

The public names are loaded when they are first used: importing this package does no work.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from hermes_sessions.agents.hermes.markers import SessionFacts, classify_child
    from hermes_sessions.compaction import (
        Attempt,
        CompactionContext,
        CompactionPlan,
        CompactionPolicy,
        CompactionResult,
        compact_transcript,
        compaction_due,
        plan_compaction,
        should_compact,
    )
    from hermes_sessions.errors import HermesSessionsError, SummaryFailedError
    from hermes_sessions.facts.extract import extract_facts
    from hermes_sessions.facts.values import Fact
    from hermes_sessions.handoff import Part, split_handoff
    from hermes_sessions.lineage import Relation
    from hermes_sessions.messages import Summarize, SummaryRequest
    from hermes_sessions.operations.agent.agent_store import Store
    from hermes_sessions.operations.agent.record_compaction import StoredCompaction

_HOMES = {
    "agents.hermes.markers": ("SessionFacts", "classify_child"),
    "compaction": (
        "Attempt",
        "CompactionContext",
        "CompactionPlan",
        "CompactionPolicy",
        "CompactionResult",
        "compact_transcript",
        "compaction_due",
        "plan_compaction",
        "should_compact",
    ),
    "errors": ("HermesSessionsError", "SummaryFailedError"),
    "facts.extract": ("extract_facts",),
    "facts.values": ("Fact",),
    "handoff": ("Part", "split_handoff"),
    "lineage": ("Relation",),
    "messages": ("Summarize", "SummaryRequest"),
    "operations.agent.agent_store": ("Store",),
    "operations.agent.record_compaction": ("StoredCompaction",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Attempt",
    "CompactionContext",
    "CompactionPlan",
    "CompactionPolicy",
    "CompactionResult",
    "Fact",
    "HermesSessionsError",
    "Part",
    "Relation",
    "SessionFacts",
    "Store",
    "StoredCompaction",
    "Summarize",
    "SummaryFailedError",
    "SummaryRequest",
    "__version__",
    "classify_child",
    "compact_transcript",
    "compaction_due",
    "extract_facts",
    "plan_compaction",
    "should_compact",
    "split_handoff",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
