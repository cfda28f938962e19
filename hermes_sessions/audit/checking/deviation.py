"""One place where a handoff says something else than its source."""

from enum import StrEnum
from typing import Final, NamedTuple

SECRET: Final = "secret"
"""The kind that is told of a value of which only a mask is shown."""


class Grade(StrEnum):
    """How a handoff departs from its source: another value, nothing like it, or only other words."""

    CONTRADICTS = "contradicts"
    INVENTED = "invented"
    NOT_VERBATIM = "not_verbatim"


class Deviation(NamedTuple):
    """What a handoff says, and what stands in its source.

    Attributes:
        grade: how bad it is.
        kind: of fact, or `negation`, `done`, `who`, `user_words`, `quotation`.
        value: what the handoff says.
        line: the line of the handoff it stands in.
        rule: how it was noticed.
        source: what the source says; '' where it says nothing.
        source_line: the line of the source it stands in.
        message: the message of the source, None where there is none.
        grave: it turns round a request, a rule or a test result.
        key: what the value is of, where that is known: the name of a setting.
    """

    grade: Grade
    kind: str
    value: str
    line: str
    rule: str
    source: str = ""
    source_line: str = ""
    message: int | None = None
    grave: bool = False
    key: str = ""
