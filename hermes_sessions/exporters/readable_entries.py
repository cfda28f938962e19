"""What a readable export shows, in order: one frozen value per thing, no store behind it."""

from dataclasses import dataclass, field
from typing import Final

from hermes_sessions.exporters.compaction_words import (
    compaction_name,
    method_words,
    realisation_words,
    span_words,
)
from hermes_sessions.messages import CompactionStatus, Role

SPEAKERS: Final[dict[str, str]] = {
    Role.USER: "You",
    Role.ASSISTANT: "Assistant",
    Role.SYSTEM: "System",
    Role.TOOL: "Tool",
    "client": "Client",
    "command": "Command",
}
CALLING_AGENT: Final = "Calling agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What a document says of the conversation before its first message.

    Times are epoch seconds, None where unknown. `parent` is the id of the session that a
    branch, reset or delegate left, and `parent_words` what it is to it ("Branch of").
    `delegated` says that an agent wrote what has the role of the user.
    """

    id: str
    title: str | None
    preview: str | None
    source: str | None
    model: str | None
    started_at: float | None
    last_active_at: float | None
    messages: int
    sessions: int
    compactions: int
    prunes: int = 0
    parent: str | None = None
    parent_words: str = ""
    delegated: bool = False

    @property
    def name(self) -> str:
        """The title, else how the conversation begins, else its id."""
        return self.title or self.preview or self.id

    def speaker(self, role: str) -> str:
        """Return who speaks in a message of that role: "You", "Calling agent", a role that is not known."""
        if self.delegated and role == Role.USER:
            return CALLING_AGENT
        return SPEAKERS.get(role, role) or "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image of a message: `url` as the agent wrote it, '' where it has none."""

    url: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedCall:
    """A tool call: arguments as written, its result where that follows it."""

    name: str
    arguments: str
    result: str | None = None
    result_key: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """What somebody said: one message part with its tool calls.

    `broken_calls` is the stored JSON where it holds no calls that can be read.
    """

    key: int
    role: str
    at: float | None
    text: str
    reasoning: str | None = None
    pictures: tuple[Picture, ...] = ()
    calls: tuple[ExportedCall, ...] = ()
    broken_calls: str | None = None
    inherited: bool = False
    first: bool = True
    kind: str = field(default="speech", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedHandoff:
    """A context handoff: the summary as it stands in the transcript."""

    key: int
    at: float | None
    text: str
    pictures: tuple[Picture, ...] = ()
    fallback: bool = False
    marker: bool = False
    first: bool = True
    kind: str = field(default="handoff", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """A tool's result whose call does not stand right before it."""

    key: int
    name: str
    at: float | None
    text: str
    kind: str = field(default="output", init=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionLine:
    """Where a compaction happened; `summary` only where no handoff row carries it."""

    ordinal: int
    total: int
    status: str
    realisation: str
    method: str
    at: float | None
    span_messages: int | None
    span_stored: bool
    tokens_before: int | None
    tokens_after: int | None
    error: str | None
    summary: str | None = None
    encrypted: bool = False
    number: int | None = None
    """The number that looks it up in the store."""
    kind: str = field(default="compaction", init=False)

    @property
    def anchor(self) -> str:
        """What the line is called in the addresses of a document: "compaction-2"."""
        return compaction_name(self.method, self.ordinal).replace(" ", "-").lower()

    @property
    def headline(self) -> str:
        """Return "Compaction 2 of 5", and how it ended where it did not succeed."""
        return self.headline_of(compaction_name(self.method, self.ordinal, self.total))

    def headline_of(self, name: str) -> str:
        """Return *name*, and how the compaction ended where it did not succeed."""
        return name if self.status == CompactionStatus.COMMITTED else f"{name}, {self.status}"

    @property
    def facts(self) -> tuple[str, ...]:
        """What is known about it, a few words each."""
        if self.status != CompactionStatus.COMMITTED:
            return (self.error,) if self.error else ()
        told = []
        if self.span_messages is not None:
            told.append(span_words(self.span_messages, self.method))
        if not self.span_stored:
            told.append("the originals were not stored")
        told.append(realisation_words(self.realisation))
        if method := method_words(self.method):
            told.append(method)
        if self.encrypted:
            told.append("summary encrypted by the provider")
        if self.tokens_before is not None and self.tokens_after is not None:
            told.append(f"{self.tokens_before} to {self.tokens_after} tokens")
        return tuple(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One line about what is not shown here: folded copies, a fork, a branch that left."""

    text: str
    kind: str = field(default="note", init=False)


Entry = Speech | ExportedHandoff | ToolOutput | CompactionLine | Note
