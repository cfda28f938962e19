"""A transcript as the engine sees it: each message with its cost and its handoff apart."""

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hermes_sessions.errors import TranscriptError
from hermes_sessions.handoff import OWN_NOTE, is_corroborated, is_synthetic, split_handoff, starts_handoff
from hermes_sessions.messages import (
    Content,
    Message,
    MessageKind,
    Role,
    attachments,
    content_text,
    read_message,
)
from hermes_sessions.tokens import TokenCounter, content_tokens, message_tokens

LEFT_OUT: Final = f"{OWN_NOTE} a tool call that never got a result is left out here.]"
"""Stands where a message had nothing but such calls."""

_SPEAKERS: Final = (Role.USER, Role.ASSISTANT)


@dataclass(frozen=True, slots=True)
class Entry:
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

    message: Message
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
    messages: Sequence[Mapping[str, Any]], counter: TokenCounter, handoffs: Collection[int] = ()
) -> tuple[Entry, ...]:
    """Read *messages*, oldest first; they are never modified.

    Args:
        handoffs: indices of messages that are known to carry a handoff; others need more
            than its bracket: people quote that.

    Raises:
        TranscriptError: something in the list is not a message dict.
    """
    entries: list[Entry] = []
    for index, source in enumerate(messages):
        if not isinstance(source, Mapping):
            raise TranscriptError(f"message {index} is a {type(source).__name__}, not a dict with a role")
        entries.append(_entry(read_message(source), counter, known=index in handoffs))
    return tuple(entries)


def _entry(message: Message, counter: TokenCounter, *, known: bool) -> Entry:
    text = content_text(message.content)
    whole = message_tokens(message, counter)
    carries = message.role in _SPEAKERS and starts_handoff(text) and (known or is_corroborated(text))
    if not carries:
        return Entry(message, MessageKind.MESSAGE, text, message.content, (), whole, whole)
    parts = split_handoff(message.content)
    handoffs = tuple(part.text for part in parts if part.kind == "handoff")
    said = [part for part in parts if part.kind == "message"]
    content = functools.reduce(_append, (part.content for part in said), None)
    merged = said or message.tool_calls
    kind = MessageKind.MERGED if merged else MessageKind.HANDOFF
    rest = whole - content_tokens(message.content, counter) + content_tokens(content, counter)
    return Entry(message, kind, "\n".join(part.text for part in said), content, handoffs, rest, whole)


def _append(first: Content, second: Content) -> Content:
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n{second}"
    return [*_as_blocks(first), *_as_blocks(second)]


def _as_blocks(content: Content) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())
