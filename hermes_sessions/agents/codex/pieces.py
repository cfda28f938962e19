"""Lines to pieces: messages, thoughts, calls, results and marks, in their order, each once.

What is said is written twice, as an item and as an event, either first. The twin is looked for among the
64 pieces around it; an event without one is the message itself.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from hermes_sessions.agents.codex.records import COMPACTED, EVENT, ITEM, RolloutLine
from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.agents.told_messages import call_row, dumped
from hermes_sessions.messages import Role

_WINDOW: Final = 64
_WINDOW_BYTES: Final = 32_000_000
_INJECTED: Final = (
    "<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>",
    "<subagent_notification>", "<skill>", "<user_shell_command>", "<user_action>", "Warning:",
    "<permissions instructions>", "<collaboration_mode>",
)  # fmt: skip
"""How texts begin that a person did not type, though they are in a user's place."""
_CALLS: Final = ("function_call", "custom_tool_call", "local_shell_call")
_RESULTS: Final = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
_DONE_BY_PROVIDER: Final = (
    "web_search_call",
    "image_generation_call",
    "tool_search_call",
    "tool_search_output",
)
"""Calls whose results the provider keeps, and what belongs to them: blocks of a reply."""
_TEXT_BLOCKS: Final = ("input_text", "output_text", "text")
_KNOWN_BLOCKS: Final = frozenset({
    *_TEXT_BLOCKS, *_DONE_BY_PROVIDER, "input_image", "output_image", "image", "input_audio", "audio",
    "input_file", "resource", "resource_link", "encrypted_content", "summary_text", "reasoning_text",
})  # fmt: skip
_KEPT_BYTES: Final = 65_536
"""Of a block that a provider wrote; a larger one keeps the names of its fields."""


class PieceSort(StrEnum):
    """What a piece is."""

    MESSAGE = "message"
    THOUGHT = "thought"
    CALL = "call"
    RESULT = "result"
    BLOCK = "block"
    MARK = "mark"


@dataclass(slots=True)
class LinePiece:
    """What one line gives.

    Attributes:
        at: its place: the offset of its line, or of the event that said the same before it.
        blocks: its content, as the agent wrote it.
        twin: the other of item and event was met.
        injected: the agent wrote it in the user's place.
        unknown: what the line is, where nobody here knows that.
    """

    line: RolloutLine
    sort: PieceSort
    role: str = ""
    text: str = ""
    blocks: list[Any] = field(default_factory=list)
    event: bool = False
    twin: bool = False
    injected: bool = False
    unknown: str | None = None
    at: int = field(init=False)

    def __post_init__(self) -> None:
        self.at = self.line.at


def read_pieces(lines: Iterable[RolloutLine], spoken: set[str] | None = None) -> Iterator[LinePiece]:
    """Yield what the lines of a stream give, each message once.

    Args:
        spoken: roles of which there were events; grows. An item of such a role without a twin was
            not said by it.
    """
    spoken = set() if spoken is None else spoken
    waiting: deque[LinePiece] = deque()
    held = 0
    for line in lines:
        if line.kind == COMPACTED:  # what is said is written twice on one side of it, and it may be large
            while waiting:
                yield _judged(waiting.popleft(), spoken)
            held = 0
            yield LinePiece(line, PieceSort.MARK)
            continue
        piece = _piece(line)
        if piece.event:
            spoken.add(piece.role)
        if piece.sort is not PieceSort.MESSAGE or not _is_echo(piece, waiting):
            waiting.append(piece)
            held += _size(piece)
        while len(waiting) > _WINDOW or (held > _WINDOW_BYTES and len(waiting) > 1):
            done = waiting.popleft()
            held -= _size(done)
            yield _judged(done, spoken)
    while waiting:
        piece = waiting.popleft()
        # The item of a last event may be written next: it will be the same message, found again by its text.
        yield _judged(piece, spoken if waiting else set())


def text_in(blocks: Iterable[Any]) -> str:
    """Return what can be read of blocks, joined by line feeds."""
    return "\n".join(text for one in blocks if (text := block_text(one)))


def block_text(block: Any) -> str | None:
    """Return the text of a block; None where it has none."""
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return None
    if block.get("type") in _TEXT_BLOCKS:
        text = block.get("text")
        return text if isinstance(text, str) else None
    return None if is_known(block) else _text_told(block)


def is_known(block: Any) -> bool:
    """Whether a block is of a kind that somebody here knows; text alone is."""
    return not isinstance(block, dict) or (
        isinstance(kind := block.get("type"), str) and kind in _KNOWN_BLOCKS
    )


def _text_told(value: Mapping[str, Any]) -> str | None:
    """Return what something of an unknown kind says, where it says it as text."""
    named = (value.get(name) for name in ("text", "message", "content", "refusal"))
    return next((one for one in named if isinstance(one, str) and one.strip()), None)


def blocks_of(content: Any) -> list[Any]:
    """Return content as blocks: text is one, nothing is none."""
    if content is None:
        return []
    return list(content) if isinstance(content, list) else [content]


def call_of(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call as the store has calls."""
    if value.get("type") == "local_shell_call":
        name: Any = "shell"
        given = value.get("action")
    else:
        name, given = value.get("name"), value.get("arguments", value.get("input"))
    return call_row(value.get("call_id") or value.get("id"), name, given)


# -- inside ----------------------------------------------------------------------------------------


def _piece(line: RolloutLine) -> LinePiece:
    if line.unknown is not None:
        return _unknown(line)
    if line.kind == ITEM:
        return _item(line)
    if line.kind == EVENT and line.sort in ("user_message", "agent_message"):
        text = line.value.get("message")
        if isinstance(text, str):
            role = Role.USER if line.sort == "user_message" else Role.ASSISTANT
            return LinePiece(
                line, PieceSort.MESSAGE, role, text, [*_text_block(text), *_images(line.value)], event=True
            )
    return LinePiece(line, PieceSort.MARK)


def _unknown(line: RolloutLine) -> LinePiece:
    """Return what a line of an unknown kind says, as nobody's words; a mark where it says nothing."""
    content = line.value.get("content")
    told = _text_told(line.value)
    blocks = content if isinstance(content, list) else _text_block(told or "")
    text = text_in(blocks)
    if not text:
        return LinePiece(line, PieceSort.MARK)
    return LinePiece(line, PieceSort.MESSAGE, Role.SYSTEM, text, blocks, injected=True, unknown=line.unknown)


def _item(line: RolloutLine) -> LinePiece:
    value, sort = line.value, line.sort
    if sort == "message":
        blocks = blocks_of(value.get("content"))
        role = text_of(value.get("role")) or Role.ASSISTANT
        piece = LinePiece(line, PieceSort.MESSAGE, role, text_in(blocks), blocks)
        piece.injected = role not in (Role.USER, Role.ASSISTANT)
        return piece
    if sort == "agent_message":  # what another agent says to this one
        blocks = blocks_of(value.get("content"))
        return LinePiece(line, PieceSort.MESSAGE, Role.SYSTEM, text_in(blocks), blocks, injected=True)
    if sort == "reasoning":
        found = [*blocks_of(value.get("summary")), *blocks_of(value.get("content"))]
        texts = (dict_of(one).get("text") for one in found)
        return LinePiece(
            line, PieceSort.THOUGHT, Role.ASSISTANT, "\n".join(one for one in texts if isinstance(one, str))
        )
    if sort in _CALLS:
        return LinePiece(line, PieceSort.CALL, Role.ASSISTANT)
    if sort in _RESULTS:
        blocks = _output(value.get("output"))
        return LinePiece(line, PieceSort.RESULT, Role.TOOL, text_in(blocks), blocks)
    if sort in _DONE_BY_PROVIDER:
        return LinePiece(line, PieceSort.BLOCK, Role.ASSISTANT, "", [_bounded(value)])
    return LinePiece(line, PieceSort.MARK)


def _output(output: Any) -> list[Any]:
    """Return what a tool gave as blocks; some releases wrote an object around it."""
    if isinstance(output, dict):
        content = output.get("content_items") or output.get("content") or output.get("body")
        return blocks_of(content) if isinstance(content, list | str) else [dumped(output)]
    return blocks_of(output)


def _bounded(value: Mapping[str, Any]) -> Any:
    if len(dumped(value)) <= _KEPT_BYTES:
        return dict(value)
    return {
        "type": value.get("type"),
        "id": str(value.get("id"))[:200],
        "left_out": sorted(map(str, value))[:50],
    }


def _text_block(text: str) -> list[Any]:
    return [{"type": "input_text", "text": text}] if text else []


def _images(event: Mapping[str, Any]) -> list[Any]:
    urls = event.get("images")
    found = urls if isinstance(urls, list) else []
    return [{"type": "input_image", "image_url": one} for one in found if isinstance(one, str)]


def _size(piece: LinePiece) -> int:
    return piece.line.end - piece.line.at


def _is_echo(piece: LinePiece, waiting: deque[LinePiece]) -> bool:
    """Whether *piece* is an event whose item waits; an item takes the place of an event that waits."""
    for at, other in enumerate(waiting):
        if other.sort is not PieceSort.MESSAGE or other.twin or other.event is piece.event:
            continue
        if other.role == piece.role and _same(other, piece):
            other.twin = piece.twin = True
            if piece.event:
                return True
            piece.at = other.at
            waiting[at] = piece
            return True
    return False


def _same(one: LinePiece, other: LinePiece) -> bool:
    if one.text.strip() == other.text.strip():
        return True
    item, event = (other, one) if one.event else (one, other)
    return bool(event.text) and any(block_text(block) == event.text for block in item.blocks)


def _judged(piece: LinePiece, spoken: set[str]) -> LinePiece:
    """Settle whether a message in the user's place was typed."""
    if piece.sort is PieceSort.MESSAGE and piece.role == Role.USER and not (piece.event or piece.twin):
        piece.injected = Role.USER in spoken or piece.text.lstrip().startswith(_INJECTED)
    return piece


def is_compaction(line: RolloutLine) -> bool:
    """Whether a compaction ends here; a guardian's history alone is none."""
    if line.kind != COMPACTED:
        return False
    named = ("message", "replacement_history", "replacement_history_entries")
    return "guardian_history" not in line.value or any(line.value.get(name) for name in named)
