"""What is remembered of a session's messages while its family is read. Names no agent."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hermes_sessions.agents.told_messages import TokenUsage, ToldMessage
from hermes_sessions.messages import Role

_MOST_TOKENS = 2**53


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
