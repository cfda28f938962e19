"""The lines of a lossless export: one JSON object each, keys sorted, in an order that never varies.

A header, then origins, system prompts, sessions, messages, compactions, and an end line
that counts them. Numbers count from 1 within the file and stand for the store's keys.
`docs/export.md` is the contract; `agents.export_file.source` reads it.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

FORMAT: Final = "hermes_sessions.conversation"
VERSION: Final = 1

ORIGIN: Final = ("kind", "label", "fingerprint", "schema_version", "created_at")
SESSION: Final = (
    "foreign_id", "public_id", "parent_session_id", "relation", "fork", "inherited_count", "source", "model",
    "title", "cwd", "system_prompt_hash", "started_at", "ended_at", "end_reason", "tool_call_count",
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens",
    "estimated_cost_usd", "actual_cost_usd", "origin_archived", "gone_at",
    "origin_mark", "extra",
)  # fmt: skip
MESSAGE: Final = (
    "position", "role", "kind", "handoff_grammar", "state", "shown", "created_at", "origin_key",
    "origin_row_id", "digest", "token_count", "tool_call_id", "tool_name", "finish_reason", "reply_start",
    "reply_end", "text", "blocks", "tool_calls", "reasoning", "extra",
)  # fmt: skip
COMPACTION: Final = (
    "origin_key", "realisation", "status", "fork", "parent_session_id", "span_messages", "span_stored",
    "head_messages", "tail_messages", "summary", "method", "summarizer_model", "trigger", "focus", "policy",
    "tokens_before", "tokens_after", "tokens_method", "started_at", "finished_at", "error", "claim",
)  # fmt: skip


def header_line(conversation: str, *, masked: bool) -> str:
    """Return the first line; it begins with the format's name, so that a look suffices to know it."""
    header = {"format": FORMAT, "version": VERSION, "conversation": conversation, "masked": masked}
    return _written(header, sort=False)


def data_line(kind: str, values: Mapping[str, Any]) -> str:
    """Return a line that says what kind of thing it is, then its values by name."""
    return _written({"line": kind, **values}, sort=True)


def end_line(counts: Mapping[str, int]) -> str:
    """Return the last line; without it a file was cut off."""
    return data_line("end", counts)


def _written(value: Mapping[str, Any], *, sort: bool) -> str:
    return (
        json.dumps(value, ensure_ascii=False, sort_keys=sort, separators=(",", ":"), allow_nan=False) + "\n"
    )
