"""What an agent may ask: the arguments of each tool, with their limits. The schemas are made of these."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

MAX_HITS = 20
MAX_MESSAGES = 50
_BIGGEST = 2**53

_Conversation = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=500,
        description="Id of a conversation or of any of its sessions, or a unique beginning of one.",
    ),
]
_Ordinal = Annotated[int, Meta(ge=1, le=_BIGGEST, description="Its number in the conversation, from 1.")]
_Message = Annotated[int, Meta(ge=0, le=_BIGGEST, description="A message's number, as answers give it.")]
_Offset = Annotated[int, Meta(ge=0, le=_BIGGEST, description="`next` of the answer before.")]
_Cursor = Annotated[str, Meta(max_length=100, description="`next` of the answer before.")]
_Place = Annotated[
    str, Meta(max_length=60, description="`next` of the answer before, with the same arguments.")
]
_Hits = Annotated[int, Meta(ge=1, le=MAX_HITS, description="How many at most.")]
_Messages = Annotated[int, Meta(ge=1, le=MAX_MESSAGES, description="How many at most.")]
_Query = Annotated[
    str,
    Meta(
        min_length=1,
        description='All words must occur. Also: "a phrase", begin*, this OR that, -not, role:user,'
        " tool:NAME, has:error, after:7d, before:2026-05-01. At most 1,000 characters.",
    ),
]


class ToolArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arguments of one call."""


class SearchArguments(ToolArguments, frozen=True, kw_only=True):
    """What to find. `archived` looks only at what a compaction took out of the context."""

    query: _Query
    conversation: _Conversation | None = None
    scope: Literal["archived", "all"] = "archived"
    limit: _Hits = 10
    cursor: _Cursor | None = None


class ExpandArguments(ToolArguments, frozen=True, kw_only=True):
    """Which messages to quote: one of `compaction`, `around`, `from` (with `to`)."""

    conversation: _Conversation
    compaction: _Ordinal | None = None
    around: _Message | None = None
    first: _Message | None = field(default=None, name="from")
    last: _Message | None = field(default=None, name="to")
    offset: _Place | None = None
    limit: _Messages = 20


class SeenArguments(ToolArguments, frozen=True, kw_only=True):
    """At which message."""

    conversation: _Conversation
    message: _Message
    offset: _Offset = 0


class CompactionsArguments(ToolArguments, frozen=True, kw_only=True):
    """Of which conversation."""

    conversation: _Conversation
    offset: _Offset = 0


class LostArguments(ToolArguments, frozen=True, kw_only=True):
    """Which compaction; the newest where none is named."""

    conversation: _Conversation
    compaction: _Ordinal | None = None


class LineageArguments(ToolArguments, frozen=True, kw_only=True):
    """Of which conversation."""

    conversation: _Conversation
    offset: _Offset = 0


class ListArguments(ToolArguments, frozen=True, kw_only=True):
    """Which page."""

    limit: _Messages = 20
    cursor: _Cursor | None = None
