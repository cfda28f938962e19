"""From an importer's values to rows of the store: column values, nothing decided here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from hermes_sessions.agents.values import CompactionRow, Family, MessageRow, SessionRow, Verdict
from hermes_sessions.lineage import Placement
from hermes_sessions.operations.writing.noted_compactions import NOTED, with_noted
from hermes_sessions.operations.writing.ready_rows import plain_values
from hermes_sessions.store.keeping.conversation_values import is_shown
from hermes_sessions.store.language.indexed_text import PreparedRow
from hermes_sessions.store.writes import prompt_hash


class ImportedFrom(NamedTuple):
    """The origin that rows come from: its key, its label, and how its agent frames a summary."""

    id: int
    label: str
    grammar: str


@dataclass(frozen=True, slots=True)
class Keys:
    """Surrogate keys of a family: sessions by foreign id, messages by `ref`, compactions by key."""

    sessions: dict[str, int]
    messages: dict[int, int]
    compactions: dict[str, int]


def session_values(row: SessionRow, placed: Placement, parent_id: int | None) -> dict[str, Any]:
    """Return the columns of a session that its origin decides."""
    return {
        "parent_session_id": row.parent_session_id,
        "parent_id": parent_id,
        "relation": placed.relation.value,
        "fork": placed.fork,
        "source": row.source,
        "model": row.model,
        "title": row.title,
        "cwd": row.cwd,
        "system_prompt_hash": prompt_hash(row.system_prompt) if row.system_prompt is not None else None,
        "started_at": row.started_at,
        "ended_at": row.ended_at,
        "end_reason": row.end_reason,
        "tool_call_count": row.tool_call_count,
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "cache_read_tokens": row.cache_read_tokens,
        "cache_write_tokens": row.cache_write_tokens,
        "reasoning_tokens": row.reasoning_tokens,
        "estimated_cost_usd": row.estimated_cost_usd,
        "actual_cost_usd": row.actual_cost_usd,
        "origin_archived": row.archived,
        "gone_at": None,
        "extra": {**(row.extra or {}), "$placeholder": True} if row.placeholder else row.extra,
    }


def message_values(
    row: MessageRow, verdict: Verdict, session_id: int, keys: Keys, grammar: str
) -> dict[str, Any]:
    """Return the columns of a message, without key, position and search key.

    Args:
        grammar: how its agent frames a summary.
    """
    copy_of = keys.messages.get(verdict.copy_of) if verdict.copy_of is not None else None
    values = {
        **plain_values(row, verdict, grammar),
        "session_id": session_id,
        "copy_of": copy_of,
        "archived_by": keys.compactions.get(verdict.archived_by) if verdict.archived_by else None,
    }
    values["shown"] = is_shown(values)
    return values if row.indexed is None else PreparedRow(values, row.indexed)


def compaction_values(row: CompactionRow, keys: Keys) -> dict[str, Any]:
    """Return the columns of a compaction that do not point at messages."""
    values = {
        "origin_key": row.key,
        "realisation": row.realisation.value,
        "status": row.status.value,
        "fork": row.fork,
        "session_id": keys.sessions[row.session],
        "parent_session_id": row.parent,
        "parent_id": keys.sessions.get(row.parent) if row.parent is not None else None,
        "child_id": keys.sessions.get(row.child) if row.child is not None else None,
        "span_messages": row.span_messages,
        "span_stored": row.span_stored,
        "head_messages": row.head_messages,
        "tail_messages": row.tail_messages,
        "summary": row.summary,
        "method": row.method.value,
        "trigger": row.trigger,
        "focus": row.focus,
        "tokens_before": row.tokens_before,
        "tokens_after": row.tokens_after,
        "tokens_method": "claim" if row.tokens_before is not None else None,
        "started_at": row.started_at,
        "finished_at": row.finished_at,
        "error": row.error,
        "claim": row.claim,
    }
    return values if row.noted is None else with_noted(values, {NOTED: row.noted})


def compaction_links(row: CompactionRow, message: Callable[[int], int | None]) -> dict[str, Any]:
    """Return the columns of a compaction that point at messages."""

    def key(ref: int | None) -> int | None:
        return None if ref is None else message(ref)

    return {
        "span_first_id": key(row.span_first),
        "span_last_id": key(row.span_last),
        "handoff_id": key(row.handoff),
    }


def prompts_of(family: Family) -> Mapping[str, str]:
    """Return the system prompts of a family by content address."""
    return {
        prompt_hash(session.system_prompt): session.system_prompt
        for session in family.sessions
        if session.system_prompt is not None
    }
