"""What a fact is: a slot with a kind, a key and a value, and where it was said."""

from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple


class FactKind(StrEnum):
    """The kinds of fact, those first whose loss hurts most."""

    CONSTRAINT = "constraint"
    REQUEST = "request"
    DECISION = "decision"
    ERROR = "error"
    TEST_RESULT = "test_result"
    QUESTION = "question"
    TODO = "todo"
    NEXT_STEP = "next_step"
    FILE_CHANGED = "file_changed"
    FILE_READ = "file_read"
    COMMAND = "command"
    CONFIG = "config"
    PORT = "port"
    HOST = "host"
    IP = "ip"
    URL = "url"
    EMAIL = "email"
    ID = "id"
    HASH = "hash"
    BRANCH = "branch"
    VERSION = "version"
    IMAGE = "image"
    MONEY = "money"
    PERCENTAGE = "percentage"
    NUMBER = "number"
    DURATION = "duration"
    DATE = "date"
    TIME = "time"
    IDENTIFIER = "identifier"
    NAME = "name"
    PATH = "path"


MAX_FACT_CHARS: Final = 400
"""No value and no quoted line is longer."""

_WEIGHTS: Final[dict[str, float]] = {
    "constraint": 10.0,
    "request": 9.0,
    "decision": 9.0,
    "error": 8.0,
    "test_result": 7.0,
    "question": 6.0,
    "todo": 7.0,
    "next_step": 6.0,
    "file_changed": 8.0,
    "file_read": 2.0,
    "command": 5.0,
    "path": 2.5,
    "identifier": 3.0,
    "name": 4.0,
    "time": 3.0,
    "number": 4.0,
}
_OTHER_WEIGHT: Final = 5.0
_SPEAKERS: Final[dict[str, float]] = {"user": 2.0, "system": 1.0, "assistant": 0.0, "tool": -1.0}


class Fact(NamedTuple):
    """One slot: the value of *key*, of a kind, as somebody said it.

    Attributes:
        kind: a value of `FactKind`.
        key: what the value is the value of; '' where no subject is sure.
        value: as it stands in the message, never normalised.
        text: the line it stands in, at most `MAX_FACT_CHARS`.
        speaker: `user`, `assistant`, `tool` or `system`.
        weight: how much its loss hurts.
        span: start and end in the unwrapped text.
    """

    kind: str
    key: str
    value: str
    text: str
    speaker: str
    weight: float
    span: tuple[int, int]


@lru_cache(maxsize=256)
def weigh(kind: str, speaker: str) -> float:
    """Return what a fact of this kind weighs when this speaker says it."""
    return _WEIGHTS.get(kind, _OTHER_WEIGHT) + _SPEAKERS.get(speaker, 0.0)
