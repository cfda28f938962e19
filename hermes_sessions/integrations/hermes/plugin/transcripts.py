"""The agent's messages on their way into the engine and out of it. Pure."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hermes_sessions.compaction import CompactionResult
from hermes_sessions.messages import MessageKind

_PERSISTED: Final = "_db_persisted"
"""The agent's mark of a row that is in its database; one that keeps it is not written to a new session."""
_SUMMARY: Final = "_compressed_summary"
"""By this newer builds know the message that holds a summary."""


def snapshot(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a deep copy: what the host does with its list meanwhile is no affair of a compaction."""
    return [copy.deepcopy(dict(one)) for one in messages]


def outgoing(result: CompactionResult) -> list[dict[str, Any]]:
    """Return the messages of a committed result as the host wants them."""
    return [_outgoing(one.message, one.kind is MessageKind.HANDOFF) for one in result.placed]


def _outgoing(message: Mapping[str, Any], handoff: bool) -> dict[str, Any]:
    kept = {key: value for key, value in message.items() if key not in (_PERSISTED, _SUMMARY)}
    return {**kept, _SUMMARY: True} if handoff else kept
