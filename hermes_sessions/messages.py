"""What an agent's transcript is made of, as frozen values.

Not database rows and not the dicts agents pass around. Content blocks are JSON
values, kept exactly as the agent wrote them.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from hermes_sessions.json_text import parsed_json

Block = Mapping[str, Any] | str
"""One element of structured content: usually ``{"type": ..., ...}``."""

Content = str | Sequence[Block] | None
"""Content as agents send it: text, a list of blocks, or nothing."""


SENT: Final = "$sent"
"""Where `extra` says of a note that it is sent to the model: the agent itself wrote it, in its `role`."""


class Role(StrEnum):
    """The roles the field uses; foreign rows may carry any other text."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SESSION_META = "session_meta"


class MessageState(StrEnum):
    """Where a message stands in its session."""

    LIVE = "live"
    COMPACTED = "compacted"
    SUPERSEDED = "superseded"
    REWOUND = "rewound"


class MessageKind(StrEnum):
    """What a stored row holds: a message, a handoff, or both merged."""

    MESSAGE = "message"
    HANDOFF = "handoff"
    MERGED = "merged"


class Realisation(StrEnum):
    """How a compaction shows in the data."""

    ROTATION = "rotation"
    IN_PLACE = "in_place"
    NATIVE = "native"


class Severity(StrEnum):
    """How bad a finding is, in rising order."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """Its place in the order: 0 is the mildest."""
        return list(Severity).index(self)


class CompactionStatus(StrEnum):
    """How a compaction ended."""

    COMMITTED = "committed"
    ABORTED = "aborted"
    INTERRUPTED = "interrupted"
    UNDONE = "undone"


class CompactionOutcome(StrEnum):
    """How one run of the engine ended."""

    COMMITTED = "committed"
    ABORTED = "aborted"
    NOTHING = "nothing"


class CompactionMethod(StrEnum):
    """Where the summary came from."""

    MODEL = "model"
    EXTRACTIVE = "extractive"
    FALLBACK = "fallback"
    MARKER = "marker"
    PRUNE = "prune"
    """Results of tools were cleared; nothing was summarised."""
    NONE = "none"
    UNKNOWN = "unknown"


class ConversationKind(StrEnum):
    """Which list a conversation belongs to."""

    CHAT = "chat"
    DELEGATE = "delegate"
    SCHEDULED = "scheduled"
    TRASH = "trash"
    """Pruned here, whatever it was before; shown nowhere else."""


def block_text(block: Block) -> str | None:
    """Return the text of a text block, or None for an image, a file or anything else."""
    if isinstance(block, str):
        return block
    text = block.get("text")
    return text if isinstance(text, str) else None


def content_text(content: Content) -> str:
    """Return the readable text of *content*: its text blocks joined by newlines."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "\n".join(text for block in content if (text := block_text(block)))


def result_texts(content: Content) -> Iterator[str]:
    """Yield the readable texts of the blocks in *content* that are results of tools."""
    for block in _blocks(content):
        if block.get("type") == "tool_result" and (text := content_text(_content(block.get("content")))):
            yield text


_UNSEEN_BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking", "reasoning")
_TEXT_BLOCKS = ("text", "input_text", "output_text")


def is_image(block: Mapping[str, Any]) -> bool:
    """Return whether a block holds an image, or stands where one was."""
    return block.get("type") in ("image_url", "image", "input_image")


def image_url(block: Mapping[str, Any]) -> str:
    """Return the URL of an image block in any of the shapes that agents write; '' where it has none."""
    value = block.get("image_url", block.get("url"))
    if isinstance(value, Mapping):
        value = value.get("url")
    if isinstance(value, str):
        return value
    source = block.get("source")
    if isinstance(source, Mapping) and isinstance(source.get("data"), str):
        return f"data:{source.get('media_type', '')};base64,{source['data']}"
    return ""


def attachments(content: Content) -> Iterator[Mapping[str, Any]]:
    """Yield the blocks of *content* that show something other than text: images, files."""
    for block in _blocks(content):
        if block_text(block) is None and block.get("type") not in (*_UNSEEN_BLOCKS, *_TEXT_BLOCKS):
            yield block


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call of an assistant message.

    `ids` are every id a result may name it by (`id` and `call_id` differ for some
    providers); `arguments` is the text as written, valid JSON or not. `in_content`
    says that it is a block of the content and not an entry of `tool_calls`.
    """

    ids: tuple[str, ...]
    name: str
    arguments: str
    in_content: bool = False


@dataclass(frozen=True, slots=True)
class TranscriptMessage:
    """One message of a transcript, read from the dict an agent passes around.

    Attributes:
        role: as written; `developer` is read as `system`.
        content: text, blocks, or nothing.
        tool_calls: what it calls, in order.
        result_ids: the calls it answers: one for a tool message, several for blocks.
        tool_name: who answered, where the message says so.
        reasoning: reasoning text that is sent back to the provider.
        source: the dict itself, never modified.
    """

    role: str
    content: Content
    tool_calls: tuple[ToolCall, ...]
    result_ids: tuple[str, ...]
    tool_name: str | None
    reasoning: str
    source: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SpanFact:
    """An exact fact of a span, as a handoff lists it.

    Attributes:
        kind: a value of `facts.values.FactKind`.
        value: the fact alone, to the letter, on one line.
        shown: the value with what it is the value of: its line, or its key.
        weight: how much its loss hurts.
        index: of the message in the transcript.
        speaker: user, system, assistant or tool.
    """

    kind: str
    value: str
    shown: str
    weight: float
    index: int
    speaker: str = Role.ASSISTANT


@dataclass(frozen=True, slots=True)
class SpanEntry:
    """One message or tool call of a span as a summariser may see it: masked and shortened.

    Attributes:
        index: of the message in the transcript.
        kind: `user`, `assistant`, `call`, `result`, `summary` or `note`.
        name: the tool's, for calls and results.
        text: what it says.
    """

    index: int
    kind: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRequest:
    """All that a summariser is given; secrets are masked and sizes bounded.

    Attributes:
        instructions: what to write and how, for a model.
        prompt: the material, for a model: previous summary, focus, transcript.
        entries: the same transcript as values, oldest first.
        facts: exact strings of the span, oldest first.
        previous: the summary to update, or ''.
        focus: what the user wants kept above all, or ''.
        max_tokens: how long the answer may be.
    """

    instructions: str
    prompt: str
    entries: tuple[SpanEntry, ...]
    facts: tuple[SpanFact, ...]
    previous: str
    focus: str
    max_tokens: int


Summarize = Callable[[SummaryRequest], str]
"""A summariser: returns the summary, or raises `SummaryFailedError`."""


def read_message(source: Mapping[str, Any]) -> TranscriptMessage:
    """Read one OpenAI-style message dict; what has an unexpected shape reads as absent."""
    role = source.get("role")
    content = _content(source.get("content"))
    calls = source.get("tool_calls")
    reasoning = source.get("reasoning_content")
    name = source.get("tool_name") or source.get("name")
    return TranscriptMessage(
        role="system" if role == "developer" else str(role or ""),
        content=content,
        tool_calls=(*(read_calls(calls) if calls else ()), *_block_calls(content)),
        result_ids=_result_ids(source, content),
        tool_name=name if isinstance(name, str) else None,
        reasoning=reasoning if isinstance(reasoning, str) else "",
        source=source,
    )


def _content(value: object) -> Content:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return [value]
    if isinstance(value, Sequence):
        return [block if isinstance(block, Mapping) else str(block) for block in value]
    return str(value)


def read_calls(value: object) -> Iterator[ToolCall]:
    """Yield the entries of `tool_calls`, a list or its JSON; what is no call is passed over."""
    if isinstance(value, str):
        value = parsed_json(value)
    for call in value if isinstance(value, list | tuple) else ():
        if isinstance(call, Mapping):
            yield read_call(call)


def read_call(call: Mapping[str, Any]) -> ToolCall:
    """Read one entry of `tool_calls`, nested under `function` or flat."""
    function = call.get("function")
    inner: Mapping[str, Any] = function if isinstance(function, Mapping) else call
    ids = [call.get("id"), call.get("call_id")]
    return ToolCall(
        ids=tuple(dict.fromkeys(str(value) for value in ids if value)),
        name=str(inner.get("name") or ""),
        arguments=_as_text(inner.get("arguments")),
    )


def _block_calls(content: Content) -> Iterator[ToolCall]:
    for block in _blocks(content):
        if block.get("type") == "tool_use":
            ids = (str(block["id"]),) if block.get("id") else ()
            yield ToolCall(ids, str(block.get("name") or ""), _as_text(block.get("input")), in_content=True)


def _result_ids(source: Mapping[str, Any], content: Content) -> tuple[str, ...]:
    if source.get("role") == Role.TOOL:
        named = (source.get("tool_call_id"), source.get("call_id"))
        return tuple(dict.fromkeys(str(value) for value in named if value))
    answered = (block for block in _blocks(content) if block.get("type") == "tool_result")
    return tuple(str(block["tool_use_id"]) for block in answered if block.get("tool_use_id"))


def _blocks(content: Content) -> Iterator[Mapping[str, Any]]:
    if content is not None and not isinstance(content, str):
        yield from (block for block in content if isinstance(block, Mapping))


def _as_text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""
