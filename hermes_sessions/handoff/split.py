"""Split a message into handoffs and what somebody really said."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from hermes_sessions.errors import TranscriptError
from hermes_sessions.handoff.grammars.own import (
    DELIM_MARK,
    OWN_PREFIXES,
    PREFIX,
    PRIOR_MARK,
    find_delim,
    find_end,
    first_prefix,
    skip_breaks,
    skip_prefixes,
    skip_space,
    skip_unseen,
    strip_ends,
)
from hermes_sessions.handoff.parts import Part
from hermes_sessions.messages import Block, Content, block_text, content_text

_MAX_NESTING: Final = 16
"""How deep prior messages may hold prior messages before the rest is taken as text."""

_TEXT_BLOCKS: Final = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True)
class PartRange:
    """Half-open offsets of a part in the flat text: all of it, and its readable core."""

    kind: Literal["handoff", "message"]
    start: int
    end: int
    text_start: int
    text_end: int


def split_handoff(content: Content) -> tuple[Part, ...]:
    """Split *content* into handoffs and messages, in the order they stand.

    The bracket at the start (after white space) decides; a marker further inside is
    a quotation. Looks at the text alone: whether a stored row is a handoff at all is
    decided at import, with corroboration.

    Args:
        content: text, a list of content blocks, or None; never modified.

    Returns:
        Parts whose `raw` joined give *content* exactly; a block may be cut in two.
        None gives `()`; content without a handoff gives one message.

    Raises:
        TranscriptError: *content* is none of these; the text says what, and where.
    """
    return split_content(content, bracket_ranges, strip_ends)


def split_content(
    content: Content, cut: Callable[[str], Sequence[PartRange]], trim: Callable[[str], str] = str.strip
) -> tuple[Part, ...]:
    """Split *content* where *cut* says; it covers a text without gaps.

    Args:
        trim: takes from the body of a handoff what does not belong to it.

    Raises:
        TranscriptError: *content* is not text, a list of blocks or None; the text says what, and where.
    """
    if content is None:
        return ()
    if isinstance(content, str):
        return _text_parts(content, cut(content), trim)
    _require_blocks(content)
    flat, laid = _flatten(content)
    ranges = cut(flat)
    if len(ranges) == 1 and ranges[0].kind == "message":
        return (Part("message", content_text(content), content, content),)
    return tuple(_block_part(part, laid, trim, last=part is ranges[-1]) for part in ranges)


def _require_blocks(content: object) -> None:
    if not isinstance(content, list | tuple):
        kind = type(content).__name__
        raise TranscriptError(f"content is text, a list of blocks or None, and not {kind}")
    for at, block in enumerate(content):
        if not isinstance(block, str | Mapping):
            raise TranscriptError(
                f"content: block {at} is {type(block).__name__}; a block is an object or text"
            )


def split_at_length(text: str, length: int, is_reply: Callable[[str], bool]) -> tuple[int, int] | None:
    """Return where a reply of *length* characters, known from elsewhere, stands in a merged row.

    This is exact where the text alone cannot be: a row merged before there was an end
    marker, or a reply that quotes a marker.

    Args:
        is_reply: whether a piece of that length is the reply.

    Returns:
        Half-open character offsets, or None when *text* does not carry the reply in
        any merged shape.
    """
    start = skip_unseen(text, 0)
    if prior := PRIOR_MARK.match(text, start):
        for at in (prior.end() + 1, prior.end() + 2, prior.end()):
            after = skip_space(text, at + length)
            if DELIM_MARK.match(text, after) and is_reply(text[at : at + length]):
                return at, at + length
        return None
    at = len(text) - length
    if length and at > 2 and text[at - 2 : at] == "\n\n" and PREFIX.match(text, start):
        return (at, len(text)) if is_reply(text[at:]) else None
    return None


def parts_around(text: str, reply: tuple[int, int]) -> tuple[Part, ...]:
    """Split *text* at a reply whose offsets are known; the rest is the handoff."""
    start, end = reply
    if end == len(text):
        body_start, _ = skip_prefixes(text, first_prefix(text), start)
        body = strip_ends(text[body_start:start])
        return Part("handoff", body, text[:start]), Part("message", text[start:], text[start:])
    body_start, _ = skip_prefixes(text, first_prefix(text, end), len(text))
    return (
        Part("message", text[start:end], text[:end]),
        Part("handoff", strip_ends(text[body_start:]), text[end:]),
    )


def bracket_ranges(text: str) -> list[PartRange]:
    """Return the ranges of the handoffs and messages in *text*; they cover it without gaps."""
    return list(_parse(text, 0, len(text)))


def _parse(text: str, start: int, end: int, depth: int = 0) -> Iterator[PartRange]:
    """Cut text[start:end] into ranges that cover it without gaps."""
    while True:
        prefix = skip_unseen(text, start)
        if not PREFIX.match(text, prefix, end):
            delim = _closing_delim(text, prefix, end) if depth < _MAX_NESTING else None
            if delim is None:
                yield PartRange("message", start, end, start, end)
                return
            prefix = skip_space(text, delim.end())
            for inner in _parse_prior(text, start, delim, depth):
                yield inner
                start = inner.end
        handoff = _handoff_range(text, start, prefix, end)
        yield handoff
        start = handoff.end
        if start == end:
            return


def _closing_delim(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the DELIM behind a PRIOR at *start*, or None where there is no such pair."""
    return find_delim(text, start, end) if PRIOR_MARK.match(text, start, end) else None


def _parse_prior(text: str, start: int, delim: re.Match[str], depth: int) -> Iterator[PartRange]:
    """PRIOR and an original message, which may be merged itself; nothing if it is blank."""
    prior = PRIOR_MARK.search(text, start)
    original = prior.end() if prior else start
    original = skip_breaks(text, original, 1)
    cut = delim.start()
    # Only both breaks alike are the writer's: a single return may be the end of the message.
    line_break = "\r\n" if text.endswith("\r\n\r\n", original, cut) else "\n"
    for _ in range(2):
        if text.endswith(line_break, original, cut):
            cut -= len(line_break)
    if not text[original:cut].strip():
        return
    for inner in _parse(text, original, cut, depth + 1):
        yield replace(inner, start=start) if inner.start == original else inner


def _handoff_range(text: str, start: int, prefix: int, end: int) -> PartRange:
    """A prefix, a body, and END with the line breaks behind it where something follows."""
    body, _ = skip_prefixes(text, prefix, end)
    found = find_end(text, body, end, own=text.startswith(OWN_PREFIXES, prefix))
    if found is None or skip_space(text, found.end()) >= end:
        return PartRange("handoff", start, end, body, end)
    reply = skip_breaks(text, found.end(), 2)
    return PartRange("handoff", start, reply, body, found.start())


def _text_parts(text: str, ranges: Sequence[PartRange], trim: Callable[[str], str]) -> tuple[Part, ...]:
    cores = (_core(part.kind, text[part.text_start : part.text_end], trim) for part in ranges)
    return tuple(
        Part(part.kind, core, text[part.start : part.end], core)
        for part, core in zip(ranges, cores, strict=True)
    )


def _core(kind: str, text: str, trim: Callable[[str], str]) -> str:
    return trim(text) if kind == "handoff" else text


def _flatten(blocks: Sequence[Block]) -> tuple[str, list[tuple[Block, int, int]]]:
    """Return the blocks' texts end to end, a placeholder for each other block, and where each lies."""
    pieces: list[str] = []
    laid: list[tuple[Block, int, int]] = []
    at = 0
    for block in blocks:
        text = block_text(block)
        pieces.append(_placeholder(block) if text is None else text)
        laid.append((block, at, at + len(pieces[-1])))
        at += len(pieces[-1])
    return "".join(pieces), laid


def _placeholder(block: Block) -> str:
    """Return what stands for a block without a text; a text block that is empty says nothing."""
    empty = not isinstance(block, str) and block.get("type") in _TEXT_BLOCKS and block.get("text") is None
    return "" if empty else "\ufffc"


def _block_part(
    part: PartRange, laid: Sequence[tuple[Block, int, int]], trim: Callable[[str], str], *, last: bool
) -> Part:
    raw = list(_slice(laid, part.start, part.end, last))
    core = list(_slice(laid, part.text_start, part.text_end, last))
    return Part(part.kind, _core(part.kind, content_text(core), trim), raw, core)


def _slice(laid: Sequence[tuple[Block, int, int]], start: int, end: int, last: bool) -> Iterator[Block]:
    """Yield the blocks of flat offsets [start, end), cutting text blocks at the edges."""
    for block, low, high in laid:
        if low == high:
            if start <= low < end or (last and low == end):
                yield block
        elif low >= start and high <= end:
            yield block
        elif low < end and high > start:
            yield _cut(block, max(start, low) - low, min(end, high) - low)


def _cut(block: Block, start: int, end: int) -> Block:
    if isinstance(block, str):
        return block[start:end]
    whole: dict[str, Any] = dict(block)
    return {**whole, "text": whole["text"][start:end]}
