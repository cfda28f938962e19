"""A piece of a message: a handoff, or what somebody really said."""

from dataclasses import dataclass, field
from typing import Literal

from hermes_sessions.messages import Content


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a message: a handoff, or what somebody really said.

    Attributes:
        kind: what the piece is.
        text: a handoff's body without prefix and markers; a message's own text.
        raw: the piece as stored, text or a list of blocks; all raws joined are the input.
        content: the same without prefix, markers and separators, where the split found it.
    """

    kind: Literal["handoff", "message"]
    text: str
    raw: Content
    content: Content = field(default=None, compare=False, repr=False)
