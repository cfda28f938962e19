"""An item of a task's history to messages: what was said, results of tools, what the editor added. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.session_files.told import epoch_of_ms
from hermes_sessions.agents.told_messages import ToldMessage, call_row, digest_of, dumped
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT}
_ELSEWHERE: Final = ("tool_use", "thinking", "reasoning")
"""Blocks that have a column of their own."""
_ADDED: Final = "<environment_details>"
_RESULT: Final = late_pattern(r"\[(\w{1,60})(?: for [^\n]{0,4000}?)?\] Result:")
"""How a result begins in releases that wrote calls as text."""


@dataclass(slots=True)
class _Piece:
    """A part of an item that is a message of its own; `block` is the result of a tool around it."""

    role: str
    blocks: list[Any] = field(default_factory=list)
    block: Mapping[str, Any] = field(default_factory=dict)


def key_of(item: Mapping[str, Any]) -> str:
    """Return what an item is found again by: the id of its summary, its time, else what it says."""
    named = text_of(item.get("condenseId")) if is_summary(item) else None
    if named is not None:
        return named
    at = item.get("ts")
    if type(at) in (int, float):
        return f"ts:{at}:{item.get('role')}"
    return f"said:{_hash([item.get('role'), item.get('content')]).hex()}"


def is_summary(item: Mapping[str, Any]) -> bool:
    """Return whether an item is a compaction's summary."""
    return item.get("isSummary") is True


def is_marker(item: Mapping[str, Any]) -> bool:
    """Return whether an item says that messages before it are not sent any more."""
    return item.get("isTruncationMarker") is True


def messages_of(item: Mapping[str, Any], key: str, place: int, exact: str | None) -> Iterator[ToldMessage]:
    """Yield the messages of an item.

    Args:
        place: of the first of them in the session.
        exact: its bytes in base 64, where they are not UTF-8.
    """
    for at, piece in enumerate(_pieces(item)):
        text = _text(piece.blocks)
        called = [one for one in piece.blocks if _kind(one) == "tool_use"]
        result = piece.role == Role.TOOL
        extra: dict[str, Any] = {} if exact is None else {"lines_b64": [exact]}
        if piece.block.get("is_error") is True:
            extra["is_error"] = True
        written = _RESULT.match(text) if result and not piece.block else None
        yield ToldMessage(
            key=key if at == 0 else f"{key}#{at}",
            at=place + at,
            role=piece.role,
            time=epoch_of_ms(item.get("ts")),
            text=text,
            digest=digest_of(_hash([key, piece.role, piece.blocks, dict(piece.block)])),
            blocks=_other(piece.blocks),
            calls=[call_row(one.get("id"), one.get("name"), one.get("input")) for one in called],
            reasoning=_thoughts(item, piece),
            answers=text_of(piece.block.get("tool_use_id")),
            tool_name=written.group(1) if written is not None else None,
            extra=extra or None,
            summary=is_summary(item),
        )


def _pieces(item: Mapping[str, Any]) -> list[_Piece]:
    """Return the messages in an item: results of tools, what the editor added, and the rest together."""
    wrote = item.get("role")
    role = _ROLES.get(wrote, Role.SESSION_META) if isinstance(wrote, str) else Role.SESSION_META
    blocks = _blocks(item.get("content"))
    if is_summary(item) or role is not Role.USER:
        return [_Piece(Role.USER if is_summary(item) else role, blocks)]
    if is_marker(item):
        return [_Piece(Role.SESSION_META, blocks)]
    made: list[_Piece] = []
    rest: _Piece | None = None
    for block in blocks:
        if _kind(block) == "tool_result":
            made.append(_Piece(Role.TOOL, _blocks(block.get("content")), block))
        elif (_said(block) or "").lstrip().startswith(_ADDED):
            made.append(_Piece(Role.SESSION_META, [block]))
        elif rest is None:
            rest = _Piece(Role.TOOL if _RESULT.match(_said(block) or "") else role, [block])
            made.append(rest)
        else:
            rest.blocks.append(block)
    return made or [_Piece(role)]


def _blocks(content: Any) -> list[Any]:
    if content is None:
        return []
    return list(content) if isinstance(content, list) else [content]


def _kind(block: Any) -> str | None:
    return text_of(block.get("type")) if isinstance(block, dict) else None


def _said(block: Any) -> str | None:
    if isinstance(block, str):
        return block
    return text_of(block.get("text")) if _kind(block) == "text" else None


def _text(blocks: Sequence[Any]) -> str:
    return "\n".join(text for one in blocks if (text := _said(one)))


def _other(blocks: Sequence[Any]) -> list[Any] | None:
    """Return content as blocks, where some of it is neither text, thought nor call."""
    kept = [
        {"type": "text", "text": one} if isinstance(one, str) else one
        for one in blocks
        if isinstance(one, str) or (isinstance(one, dict) and _kind(one) not in _ELSEWHERE)
    ]
    return kept if any(_said(one) is None for one in kept) else None


def _thoughts(item: Mapping[str, Any], piece: _Piece) -> str | None:
    if piece.role != Role.ASSISTANT:
        return None
    found = [text_of(item.get("reasoning_content"))]
    for one in piece.blocks:
        if _kind(one) in ("thinking", "reasoning"):
            found.append(text_of(one.get("thinking")) or text_of(one.get("text")))
    return "\n".join(one for one in found if one) or None


def _hash(value: Any) -> bytes:
    return blake2b(dumped(value).encode("utf-8", "surrogatepass"), digest_size=8).digest()
