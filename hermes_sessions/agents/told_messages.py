"""A message as an agent's reading gives it, and the row of the store made of it. Names no agent."""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from hermes_sessions.agents.values import MessageRow, Rejected
from hermes_sessions.call_names import CallNames
from hermes_sessions.messages import MessageState, read_calls
from hermes_sessions.storable_text import is_storable

Refuse = Callable[[Rejected], object]
"""What is told of each record that cannot be read."""


class TokenUsage(NamedTuple):
    """Tokens of one call of a model, those from a cache apart, and its price in US dollars."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cost: float = 0.0


class ToldMessage(NamedTuple):
    """One message as an agent has it.

    Attributes:
        key: what it is found again by: unique in its session.
        at: its place; grows from message to message.
        digest: a hash of what a later reading of the same message must agree on, 64 bits.
        blocks: its content, where some of it is neither text, thought nor call.
        calls: as the store has calls.
        answers: the call that it is the result of.
        summary: the agent wrote it about other messages.
    """

    key: str
    at: int
    role: str
    time: float | None
    text: str
    digest: int
    blocks: Sequence[Any] | None = None
    calls: Sequence[Mapping[str, Any]] = ()
    reasoning: str | None = None
    answers: str | None = None
    tool_name: str | None = None
    finish: str | None = None
    extra: Mapping[str, Any] | None = None
    usage: TokenUsage | None = None
    model: str | None = None
    summary: bool = False


def message_row(told: ToldMessage, ref: int, names: CallNames) -> MessageRow:
    """Return the row of a message.

    Args:
        names: the calls of its session so far; learns those of this message.
    """
    calls = [dict(one) for one in told.calls]
    names.learn(read_calls(calls))
    known = names.find(told.answers) if told.answers is not None else None
    return MessageRow(
        ref=ref,
        origin_key=told.key,
        origin_row_id=told.at,
        role=str(told.role),  # a plain text is the quicker one to look at
        state=MessageState.LIVE,
        created_at=told.time,
        digest=told.digest,
        token_count=None,
        tool_call_id=told.answers,
        tool_name=told.tool_name or known,
        finish_reason=told.finish,
        text=told.text,
        blocks=None if told.blocks is None else dumped(told.blocks),
        tool_calls=dumped(calls) if calls else None,
        reasoning=told.reasoning,
        extra=kept_beside(told.extra),
    )


def kept_beside(extra: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return what is kept beside a row as JSON that every engine can hold; None where it is nothing."""
    found: dict[str, Any] | None = json.loads(dumped(extra)) if extra else None
    return found


def dumped(value: Any) -> str:
    """Return JSON text that every engine can hold."""
    text = json.dumps(value, ensure_ascii=False)
    return text if is_storable(text) else json.dumps(value)


def call_row(call_id: Any, name: Any, given: Any) -> dict[str, Any]:
    """Return a call of a tool as the store has calls; *given* are its arguments."""
    arguments = given if isinstance(given, str) else dumped({} if given is None else given)
    function = {"name": str(name or ""), "arguments": arguments}
    return {"id": str(call_id or ""), "type": "function", "function": function}


def digest_of(raw: bytes) -> int:
    """Return a hash, 64 bits."""
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "big", signed=True)
