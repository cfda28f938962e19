"""A kept message as it is re-emitted: the caller's own dict, with what is broken or too large left out."""

import json
from collections.abc import Mapping
from typing import Any

from hermes_sessions.compaction.pairs import Pairing
from hermes_sessions.compaction.transcript import TranscriptEntry
from hermes_sessions.handoff import LEFT_OUT


def kept_message(entry: TranscriptEntry, pairing: Pairing, index: int) -> dict[str, Any]:
    """Return the message at *index* without an earlier handoff, calls without a result and the reverse.

    Equal to its source where there is none of these; what is nothing any more says so.
    """
    source = entry.message.source
    message = dict(source)
    if entry.handoffs:
        message["content"] = entry.content
    unanswered = pairing.unanswered.get(index, frozenset())
    strays = pairing.strays.get(index, frozenset())
    if not unanswered and not strays:
        return message
    _leave_out_calls(message, entry, unanswered)
    _leave_out_blocks(message, entry, unanswered, strays)
    if not (entry.is_visible or message.get("tool_calls") or _holds_tools(message.get("content"))):
        message["content"] = LEFT_OUT
    return message


def _leave_out_calls(message: dict[str, Any], entry: TranscriptEntry, places: frozenset[int]) -> None:
    """Take the calls at *places* out of `tool_calls`, a list or its JSON."""
    listed_calls = [place for place, call in enumerate(entry.message.tool_calls) if not call.in_content]
    if not places.intersection(listed_calls):
        return
    written = message.get("tool_calls")
    listed = json.loads(written) if isinstance(written, str) else written
    listed = [listed] if isinstance(listed, Mapping) else listed
    if not isinstance(listed, list | tuple):
        return
    mappings = [call for call in listed if isinstance(call, Mapping)]
    kept = [call for place, call in enumerate(mappings) if place not in places]
    if kept:
        message["tool_calls"] = json.dumps(kept, ensure_ascii=False) if isinstance(written, str) else kept
    else:
        message.pop("tool_calls", None)


def _leave_out_blocks(
    message: dict[str, Any], entry: TranscriptEntry, places: frozenset[int], strays: frozenset[str]
) -> None:
    """Take the calls at *places* and the results named *strays* out of the content's blocks."""
    if isinstance(entry.content, str) or entry.content is None:
        return
    calls = iter([place for place, call in enumerate(entry.message.tool_calls) if call.in_content])
    kept = [
        block
        for block in entry.content
        if not (_is(block, "tool_use") and next(calls) in places)
        and not (_is(block, "tool_result") and _names(block) in strays)
    ]
    if len(kept) < len(entry.content):
        message["content"] = kept


def _holds_tools(content: object) -> bool:
    return isinstance(content, list) and any(
        _is(block, "tool_use") or _is(block, "tool_result") for block in content
    )


def _is(block: object, kind: str) -> bool:
    return isinstance(block, Mapping) and block.get("type") == kind


def _names(block: object) -> str:
    return str(block.get("tool_use_id")) if isinstance(block, Mapping) else ""
