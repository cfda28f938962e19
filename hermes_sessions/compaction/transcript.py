"""A transcript as the engine sees it: each message with its cost and its handoff apart."""

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hermes_sessions.errors import TranscriptError
from hermes_sessions.handoff import (
    Part,
    is_corroborated,
    is_synthetic,
    split_handoff,
    starts_handoff,
)
from hermes_sessions.handoff.grammars.registry import grammar_named
from hermes_sessions.messages import (
    Content,
    MessageKind,
    Role,
    TranscriptMessage,
    attachments,
    content_text,
    read_message,
    result_texts,
)
from hermes_sessions.tokens import (
    DEFAULT_ENCODING,
    TokenCounter,
    content_tokens,
    message_tokens,
    token_counter,
)

_SPEAKERS: Final = (Role.USER, Role.ASSISTANT)
_NONE: Final[Mapping[int, str]] = {}


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One message of a transcript.

    Attributes:
        message: as read; its `source` is the caller's dict.
        kind: a message, a handoff, or both in one.
        text: what somebody really said, the handoff left out.
        content: the same as content: what is re-emitted when the message is kept.
        handoffs: bodies of the handoffs it carries, oldest first.
        tokens: what it costs without its handoff.
        whole_tokens: what it costs as it stands.
    """

    message: TranscriptMessage
    kind: MessageKind
    text: str
    content: Content
    handoffs: tuple[str, ...]
    tokens: int
    whole_tokens: int

    @property
    def role(self) -> str:
        """The role it is sent with."""
        return self.message.role

    @property
    def is_handoff(self) -> bool:
        """Whether nothing but a handoff is in it."""
        return self.kind is MessageKind.HANDOFF

    @property
    def is_visible(self) -> bool:
        """Whether it shows something: text, an image or a file."""
        return bool(self.text.strip()) or any(attachments(self.content))

    @property
    def output(self) -> str:
        """What tools returned in it: all of a tool message, or the texts of its blocks with results."""
        if self.role == Role.TOOL:
            return self.text
        return "\n".join(result_texts(self.content))

    @property
    def is_note(self) -> bool:
        """Whether an agent or this engine wrote it in somebody's name."""
        return is_synthetic(self.text)

    @property
    def is_request(self) -> bool:
        """Whether the user said something here, and not an agent in the user's name."""
        return self.role == Role.USER and not self.is_handoff and self.is_visible and not self.is_note

    @property
    def is_reply(self) -> bool:
        """Whether the assistant said something the user could read."""
        spoken = self.role == Role.ASSISTANT and not self.is_handoff and bool(self.text.strip())
        return spoken and not self.is_note


def read_transcript(
    messages: Sequence[Mapping[str, Any]],
    counter: TokenCounter,
    handoffs: Collection[int] = (),
    grammars: Mapping[int, str] = _NONE,
) -> tuple[TranscriptEntry, ...]:
    """Read *messages*, oldest first; they are never modified.

    Args:
        handoffs: indices of messages that are known to carry a handoff; others need more
            than its bracket: people quote that.
        grammars: names of the grammars that framed them, by index.

    Raises:
        TranscriptError: something in the list is not a message dict.
    """
    entries: list[TranscriptEntry] = []
    for index, source in enumerate(messages):
        if not isinstance(source, Mapping):
            raise TranscriptError(f"message {index} is a {type(source).__name__}, not a dict with a role")
        entries.append(_entry(read_message(source), counter, index in handoffs, grammars.get(index)))
    return tuple(entries)


def context_tokens(messages: Sequence[Mapping[str, Any]], encoding: str = DEFAULT_ENCODING) -> int:
    """Return how many tokens a context costs, as the engine counts.

    Args:
        messages: what is sent, oldest first; what is sent beside it (tools) is not known here.

    Raises:
        TranscriptError: something in the list is not a message dict.
    """
    return sum(entry.whole_tokens for entry in read_transcript(messages, token_counter(encoding)))


def _entry(
    message: TranscriptMessage, counter: TokenCounter, known: bool, grammar: str | None
) -> TranscriptEntry:
    text = content_text(message.content)
    whole = message_tokens(message, counter)
    parts = _parts(message, text, known, grammar) if message.role in _SPEAKERS else ()
    if not any(part.kind == "handoff" for part in parts):
        return TranscriptEntry(message, MessageKind.MESSAGE, text, message.content, (), whole, whole)
    handoffs = tuple(part.text for part in parts if part.kind == "handoff")
    said = [part for part in parts if part.kind == "message"]
    content = functools.reduce(_append, (part.content for part in said), None)
    merged = said or message.tool_calls
    kind = MessageKind.MERGED if merged else MessageKind.HANDOFF
    rest = whole - content_tokens(message.content, counter) + content_tokens(content, counter)
    return TranscriptEntry(
        message, kind, "\n".join(part.text for part in said), content, handoffs, rest, whole
    )


def _parts(message: TranscriptMessage, text: str, known: bool, grammar: str | None) -> tuple[Part, ...]:
    if grammar is not None:
        return grammar_named(grammar).split(message.content)
    if starts_handoff(text) and (known or is_corroborated(text)):
        return split_handoff(message.content)
    return ()


def _append(first: Content, second: Content) -> Content:
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n{second}"
    return [*_as_blocks(first), *_as_blocks(second)]


def _as_blocks(content: Content) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())
