"""Kept results that the window cannot hold: which are cut, and the copy with its receipt."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from hermes_sessions.compaction.policy import LEAST_HANDOFF_TOKENS, CompactionPolicy
from hermes_sessions.compaction.transcript import TranscriptEntry
from hermes_sessions.handoff import OWN_NOTE
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role
from hermes_sessions.tokens import TokenCounter

_LEAST_RESULT_TOKENS: Final = 80
"""A result is never cut to less: the receipt needs most of that."""
_TRIES: Final = 8
_RECEIPT = late_pattern(rf"{re.escape(OWN_NOTE)} the middle of this result is left out[^\n]*\]")


def shortened_results(
    entries: Sequence[TranscriptEntry], kept: Sequence[int], tokens: Sequence[int], policy: CompactionPolicy
) -> tuple[tuple[int, int], ...]:
    """Return the *kept* results to cut, each with the tokens it may keep; () where all fit.

    The largest are cut first, all to one size, so that a compaction is not due again at once.
    """
    total = sum(tokens[index] for index in kept)
    if total + LEAST_HANDOFF_TOKENS <= policy.fitting_tokens:
        return ()
    results = {index: tokens[index] for index in kept if _is_result(entries[index])}
    room = max(policy.least_tokens, policy.room_tokens // 2) - (total - sum(results.values()))
    level = max(_LEAST_RESULT_TOKENS, _level(sorted(results.values()), room))
    return tuple((index, level) for index, size in results.items() if size > level)


def _is_result(entry: TranscriptEntry) -> bool:
    return entry.role == Role.TOOL or bool(entry.message.result_ids)


def _level(sizes: Sequence[int], room: int) -> int:
    """Return to what size the largest of *sizes*, sorted, must come down for all to fit *room*."""
    left = room
    for place, size in enumerate(sizes):
        share = left // (len(sizes) - place)
        if size > share:
            return share
        left -= size
    return sizes[-1] if sizes else 0


def cut_results(message: dict[str, Any], max_tokens: int, counter: TokenCounter, where: str) -> None:
    """Cut the result texts in *message* in their middle, so that they share *max_tokens*.

    Args:
        message: its own copy; the blocks in it are replaced, not changed.
        where: where the whole result can be read, without line breaks.
    """
    sizes = sorted(counter.count(text) for text in _texts(message))
    level = max(_LEAST_RESULT_TOKENS, _level(sizes, max_tokens))

    def cut(text: str) -> str:
        return _cut(text, level, counter, where)

    if message.get("role") == Role.TOOL:
        message["content"] = _cut_content(message.get("content"), cut)
    elif isinstance(content := message.get("content"), list | tuple):
        message["content"] = [_cut_block(block, cut) for block in content]


def _texts(message: Mapping[str, Any]) -> Iterator[str]:
    content = message.get("content")
    if message.get("role") == Role.TOOL:
        yield from _content_texts(content)
    elif isinstance(content, list | tuple):
        for block in content:
            if _is_result_block(block):
                yield from _content_texts(block.get("content"))


def _content_texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list | tuple):
        yield from (text for block in content if isinstance(text := _text(block), str))


def _cut_block(block: Any, cut: Callable[[str], str]) -> Any:
    if not _is_result_block(block):
        return block
    return {**block, "content": _cut_content(block.get("content"), cut)}


def _cut_content(content: Any, cut: Callable[[str], str]) -> Any:
    if isinstance(content, str):
        return cut(content)
    if not isinstance(content, list | tuple):
        return content
    return [
        (cut(block) if isinstance(block, str) else {**block, "text": cut(text)})
        if isinstance(text := _text(block), str)
        else block
        for block in content
    ]


def _is_result_block(block: object) -> bool:
    return isinstance(block, Mapping) and block.get("type") == "tool_result"


def _text(block: object) -> object:
    return block if isinstance(block, str) else block.get("text") if isinstance(block, Mapping) else None


def _cut(text: str, max_tokens: int, counter: TokenCounter, where: str) -> str:
    tokens = counter.count(text)
    if tokens <= max_tokens:
        return text
    earlier = _RECEIPT.search(text)
    receipt = (
        earlier[0]
        if earlier  # it says where the whole is; this one is a copy that was cut before
        else f"{OWN_NOTE} the middle of this result is left out here, it has {tokens:,} tokens; {where}]"
    )
    keep = len(text) * max_tokens // tokens
    for _ in range(_TRIES):
        half = max(0, keep - len(receipt)) // 2
        head, tail = text[:half], text[len(text) - half :]
        cut = "\n".join(part for part in (head, receipt, tail) if part)
        if not half or counter.count(cut) <= max_tokens:
            return cut
        keep = keep * 4 // 5
    return receipt
