"""What an agent's reading of one session gives: messages, and what is remembered of them. Names no agent."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from hermes_sessions.messages import Role
from hermes_sessions.storable_text import is_storable

_MOST_TOKENS = 2**53


class TokenUsage(NamedTuple):
    """Tokens of one call of a model, those from a cache apart, and its price in US dollars."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cost: float = 0.0


class ToldMessage(NamedTuple):
    """One message as a file has it.

    Attributes:
        key: what it is found again by: unique in its session.
        at: its place; grows from message to message.
        blocks: its content, where some of it is neither text, thought nor call.
        calls: as the store has calls.
        answers: the call that it is the result of.
        raw: what a later reading of the same message must agree on.
        summary: the agent wrote it about other messages.
    """

    key: str
    at: int
    role: str
    time: float | None
    text: str
    raw: bytes
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

    @property
    def digest(self) -> int:
        """A hash of what it says, 64 bits."""
        return int.from_bytes(blake2b(self.raw, digest_size=8).digest(), "big", signed=True)


class RememberedMessage(NamedTuple):
    """What comparing, counting and concluding need of one message; no texts.

    Attributes:
        ref: its number in its family.
        calls: how many calls of tools are in it.
    """

    ref: int
    key: str
    role: str
    digest: int
    calls: int
    answers: str | None
    is_summary: bool
    usage: TokenUsage | None
    model: str | None

    @property
    def is_said(self) -> bool:
        """Whether somebody said it: it is neither a summary nor a note of the agent's."""
        return not self.is_summary and self.role != Role.SESSION_META


@dataclass(slots=True)
class SessionOutline:
    """One session as far as it was read. An agent's own outline may know more.

    Attributes:
        kinds: of records, and how many of each.
        unknown: kinds that nobody here knows.
        notes: what was odd, a sentence each.
        model: the last that was chosen, where messages name none.
        whole: tokens of all calls, where messages have none of their own.
    """

    heard: list[RememberedMessage] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    title: str | None = None
    model: str | None = None
    cwd: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    whole: TokenUsage | None = None


def heard_of(told: ToldMessage, ref: int) -> RememberedMessage:
    """Return what is remembered of a message."""
    return RememberedMessage(
        ref=ref,
        key=told.key,
        role=told.role,
        digest=told.digest,
        calls=len(told.calls),
        answers=told.answers,
        is_summary=told.summary,
        usage=told.usage,
        model=told.model,
    )


def dumped(value: Any) -> str:
    """Return JSON text that every engine can hold."""
    text = json.dumps(value, ensure_ascii=False)
    return text if is_storable(text) else json.dumps(value)


def call_row(call_id: Any, name: Any, given: Any) -> dict[str, Any]:
    """Return a call of a tool as the store has calls; *given* are its arguments."""
    arguments = given if isinstance(given, str) else dumped({} if given is None else given)
    function = {"name": str(name or ""), "arguments": arguments}
    return {"id": str(call_id or ""), "type": "function", "function": function}


def count_of(value: Any) -> int:
    """Return a number of tokens; 0 where it is none."""
    return value if type(value) is int and 0 < value < _MOST_TOKENS else 0


def number_of(value: Any) -> int | None:
    """Return a number that may be 0; None where it is none."""
    return value if type(value) is int and 0 <= value < _MOST_TOKENS else None


def price_of(value: Any) -> float:
    """Return an amount in dollars; 0 where it is none."""
    return float(value) if type(value) in (int, float) and 0 < value < 1e9 else 0.0


def epoch_of_ms(value: Any) -> float | None:
    """Return epoch seconds of a number of milliseconds; None where it is none."""
    return value / 1000 if type(value) in (int, float) and 0 < value < 1e14 else None


class FreshKeys:
    """Keys that no message of a session has yet: one that is taken gets a number."""

    def __init__(self) -> None:
        self._given: Counter[str] = Counter()
        self._taken: set[str] = set()

    def fresh(self, key: str) -> str:
        """Return *key*, or, where it is taken, *key* with the next number."""
        self._given[key] += 1
        found = key
        while found in self._taken:
            self._given[key] += 1
            found = f"{key}~{self._given[key]}"
        self._taken.add(found)
        return found
