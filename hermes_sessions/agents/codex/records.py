"""One line of a rollout, in any of the forms that releases wrote. Not here: what lines say together."""

import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.json_lines.lines import LONGEST, FileLine, LargerLines, parse_line, read_lines
from hermes_sessions.agents.json_lines.reading import records_of
from hermes_sessions.agents.parsed_values import epoch_of, text_of
from hermes_sessions.agents.told_messages import Refuse

META: Final = "session_meta"
ITEM: Final = "response_item"
EVENT: Final = "event_msg"
TURN: Final = "turn_context"
COMPACTED: Final = "compacted"
KINDS: Final = frozenset({
    META, ITEM, EVENT, TURN, COMPACTED, "world_state", "inter_agent_communication",
    "inter_agent_communication_metadata", "security_risk_score", "realtime_item", "token_usage_record",
    "state",
})  # fmt: skip
_KNOWN_ITEMS: Final = frozenset({
    "message", "agent_message", "reasoning", "function_call", "function_call_output", "custom_tool_call",
    "custom_tool_call_output", "local_shell_call", "local_shell_call_output", "web_search_call",
    "tool_search_call", "tool_search_output", "image_generation_call", "ghost_snapshot", "compaction",
    "compaction_summary", "context_compaction", "compaction_trigger", "additional_tools",
})  # fmt: skip
_KNOWN_EVENTS: Final = frozenset({
    "token_count", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break",
    "agent_message", "user_message", "task_started", "task_complete", "turn_started", "turn_complete",
    "turn_aborted", "turn_diff", "thread_rolled_back", "context_compacted", "item_started", "item_completed",
    "raw_response_item", "thread_name_updated", "view_image_tool_call", "entered_review_mode",
    "exited_review_mode", "error", "warning", "stream_error", "background_event", "deprecation_notice",
    "plan_update", "session_configured", "undo_started", "undo_completed", "shutdown_complete",
    "mcp_startup_update", "mcp_startup_complete", "request_user_input", "elicitation_request",
    "exec_approval_request", "apply_patch_approval_request", "model_reroute", "sub_agent_activity",
    "thread_goal_updated", "thread_settings_applied", "world_state", "image_generation_end",
})  # fmt: skip
_EVENT_ENDS: Final = ("_begin", "_end", "_delta", "_response")
"""How events are called that tell of a step of something that an item tells whole."""
LONGEST_COMPACTED: Final = 100_000_000
"""Bytes of a compaction's line that is still read: it repeats what goes on, with its pictures."""
_COMPACTED_LINE: Final = re.compile(
    rb'\s*\{(?:\s*"(?:timestamp|ordinal)"\s*:\s*(?:"[^"\\]*"|\d+)\s*,){0,2}\s*"type"\s*:\s*"compacted"\s*,'
)
_ITEMS: Final = frozenset({
    "message", "reasoning", "function_call", "function_call_output", "custom_tool_call",
    "custom_tool_call_output", "local_shell_call", "local_shell_call_output", "web_search_call",
})  # fmt: skip
"""Items that the oldest releases wrote without anything around them."""


class RolloutLine(NamedTuple):
    """A line that is an object.

    Attributes:
        at: the offset of its line.
        end: the offset of the next one.
        kind: what the line is; `sort` is what its payload is.
        value: its payload.
        ordinal: its number in its thread, where lines are numbered.
        digest: a hash of its bytes.
        exact: its bytes in base 64, where they are not UTF-8.
    """

    at: int
    end: int
    kind: str
    value: dict[str, Any]
    time: float | None
    ordinal: int | None
    digest: bytes
    exact: str | None

    @property
    def sort(self) -> str:
        """The kind of its payload, "" where it has none."""
        return text_of(self.value.get("type")) or ""

    @property
    def unknown(self) -> str | None:
        """What it is, where nobody here knows that; None for all others."""
        sort = self.sort
        if self.kind == ITEM:
            return None if sort in _KNOWN_ITEMS else f"{ITEM}: {sort}"
        if self.kind == EVENT:
            return None if sort in _KNOWN_EVENTS or sort.endswith(_EVENT_ENDS) else f"{EVENT}: {sort}"
        return None if self.kind in KINDS else self.kind


def read_rollout(path: Path, start: int, end: int, refuse: Refuse) -> Iterator[RolloutLine]:
    """Yield the lines between two offsets; *refuse* is told of each that is none and not empty."""
    return records_of(rollout_lines(path, start, end), line_of, path.name.partition(".")[0], refuse)


def rollout_lines(path: Path, start: int, end: int) -> Iterator[FileLine]:
    """Yield the lines of a file; of one that is a single object, its items as lines."""
    if path.suffix == ".json":
        yield from _items_as_lines(path)
    else:
        yield from read_lines(path, start, end, LargerLines(_is_compacted, LONGEST_COMPACTED))


def line_of(line: FileLine) -> RolloutLine | str:
    """Return what a line says, or why it says nothing."""
    parsed = parse_line(line)
    value = parsed.value
    if value is None or line.raw is None:
        return parsed.reason
    digest = blake2b(line.raw, digest_size=8).digest()
    time, number = epoch_of(value.get("timestamp")), value.get("ordinal")
    ordinal = number if type(number) is int and 0 <= number < 2**53 else None
    kind, payload = _unwrapped(value)
    if kind is None:
        return "it has no type"
    return RolloutLine(line.offset, line.end, kind, payload, time, ordinal, digest, parsed.exact)


def _is_compacted(beginning: bytes) -> bool:
    return _COMPACTED_LINE.match(beginning) is not None


def _unwrapped(value: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Return the kind and the payload of a line: the oldest releases wrote payloads alone."""
    kind, payload = text_of(value.get("type")), value.get("payload")
    if isinstance(payload, dict):
        return kind, payload
    if kind in _ITEMS:
        return ITEM, value
    if kind is not None:
        return (kind if kind not in (META, ITEM, EVENT, COMPACTED) else None), {}
    if "record_type" in value:
        return "state", value
    return (META, value) if text_of(value.get("id")) and "timestamp" in value else (None, {})


def _items_as_lines(path: Path) -> Iterator[FileLine]:
    """Yield the items of a file of the first releases, which is one object: its session, then its items."""
    with path.open("rb") as file:
        raw = file.read(LONGEST + 1)
    parsed = parse_line(FileLine(0, len(raw), raw if len(raw) <= LONGEST else None))
    if parsed.value is None:
        yield FileLine(0, len(raw), raw if len(raw) <= LONGEST else None)
        return
    items = parsed.value.get("items")
    for at, item in enumerate([parsed.value.get("session"), *(items if isinstance(items, list) else [])]):
        text = json.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass")
        yield FileLine(at, at + 1, text)
