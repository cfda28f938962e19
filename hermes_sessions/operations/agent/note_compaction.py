"""Note a compaction that a host committed in its own files, until an import shows it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.compaction import CompactionPolicy, CompactionResult
from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.handoff import split_handoff
from hermes_sessions.messages import CompactionOutcome, CompactionStatus, Realisation
from hermes_sessions.operations.agent.append import LOCAL
from hermes_sessions.operations.transcript import find_session, kept_text
from hermes_sessions.operations.writing.noted_compactions import NOTED
from hermes_sessions.store.engines.row_keys import next_key
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.keeping.row_locks import lock_sessions
from hermes_sessions.store.schema.models import Compaction, Origin
from hermes_sessions.store.writes import add_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedCompaction:
    """What a host did with a result of the engine.

    Attributes:
        realisation: `rotation` or `in_place`.
        policy: that it was made with.
        started_at, finished_at: epoch seconds.
    """

    result: CompactionResult
    policy: CompactionPolicy
    realisation: Realisation
    trigger: str
    focus: str
    summarizer_model: str | None
    started_at: float
    finished_at: float


def note_compaction(db: DbSession, session_id: str, noted: NotedCompaction) -> int:
    """Store an attempt of a host; a committed one is joined with what the next import finds.

    Raises:
        NotFoundError: no such session: import it first.
        InvalidQueryError: the session is one of ours, or nothing was attempted.
    """
    session = find_session(db, session_id)
    lock_sessions(db, [session.id])
    db.refresh(session)
    if db.scalar(select(Origin.kind).where(Origin.id == session.origin_id)) == LOCAL:
        raise InvalidQueryError(f"{session_id}: is a session of this store; `compact` records what it does")
    if noted.result.status is CompactionOutcome.NOTHING and not noted.result.reason:
        raise InvalidQueryError(f"{session_id}: nothing was attempted")
    committed = noted.result.status is CompactionOutcome.COMMITTED
    values = _told(noted)
    key = next_key(db, Compaction)
    row = {
        "id": key,
        "conversation_id": session.conversation_id,
        "session_id": session.id,
        "realisation": noted.realisation.value,
        "status": (CompactionStatus.COMMITTED if committed else CompactionStatus.ABORTED).value,
        "parent_session_id": session.foreign_id,
        "parent_id": session.id,
        "span_messages": len(noted.result.plan.span) if committed else None,
        "span_stored": False,
        "summary": _summary(noted.result) if committed else None,
        "finished_at": noted.finished_at,
        "error": kept_text(noted.result.reason or None, "error", {}),
        "claim": {NOTED: values},
        **values,
    }
    add_rows(db, Compaction, [row])
    refresh_conversations(db, [session.id])
    return key


def _told(noted: NotedCompaction) -> Mapping[str, Any]:
    """Return what only the one who compacted knows; it outlives imports."""
    result = noted.result
    failed = result.status is not CompactionOutcome.COMMITTED and bool(result.failure)
    told = {
        "method": result.method.value if result.method is not None else "none",
        "summarizer_model": kept_text(noted.summarizer_model, "summarizer_model", {}),
        "trigger": kept_text(noted.trigger, "trigger", {}),
        "focus": kept_text(noted.focus or None, "focus", {}),
        "policy": asdict(noted.policy),
        "tokens_before": result.tokens_before,
        "tokens_after": None if failed else result.tokens_after,
        "tokens_method": result.tokens_method,
        "started_at": noted.started_at,
    }
    return told


def _summary(result: CompactionResult) -> str | None:
    parts = split_handoff(result.handoff)
    text = next((part.text for part in parts if part.kind == "handoff"), None)
    return kept_text(text, "summary", {})
