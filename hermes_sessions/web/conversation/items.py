"""Rows of a window to the items a page shows: bubbles, handoffs, paired tool calls. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hermes_sessions.exporters.readable_entries import CALLING_AGENT
from hermes_sessions.exporters.readable_entries import SPEAKERS as EXPORT_SPEAKERS
from hermes_sessions.handoff import Part
from hermes_sessions.messages import (
    Block,
    Content,
    ConversationKind,
    MessageKind,
    Role,
    ToolCall,
    content_text,
)
from hermes_sessions.store.queries.transcript_rows import (
    NOTE,
    TranscriptRow,
    handoff_wording,
    visible_calls,
    visible_parts,
)
from hermes_sessions.web.conversation.item_values import Bubble, CallItem, HandoffItem, Item, ToolResult
from hermes_sessions.web.text.images import Attachment, attachments, image_sources
from hermes_sessions.web.text.tools import Output, parse_calls, show_arguments, show_output

MAX_TEXT = 12_000
SPEAKERS: dict[str, str] = {
    **EXPORT_SPEAKERS,
    Role.SESSION_META: "Session note",
    NOTE: "Note by the compaction",
}


def who_asks(conversation_kind: str) -> str:
    """Return who speaks with the user's role in a conversation of that kind."""
    return CALLING_AGENT if conversation_kind == ConversationKind.DELEGATE else SPEAKERS[Role.USER]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemOptions:
    """How rows are to be read.

    Attributes:
        every_part: show each part of a merged row where it is stored, copies included.
        complete: cut nothing.
        asked_by: who wrote what has the role of the user; see `who_asks`.
        inherited: how many first rows of a branch are its parent's, by session key.
        merged_copies: original message id -> the row whose handoff was merged with it.
    """

    every_part: bool = False
    complete: bool = False
    asked_by: str = SPEAKERS[Role.USER]
    inherited: Mapping[int, int] = field(default_factory=dict)
    merged_copies: Mapping[int, int] = field(default_factory=dict)
    max_image_bytes: int = 8_000_000


@dataclass(frozen=True, slots=True)
class _Paired:
    """Which result belongs to which call: (row id, number of the call) -> result row."""

    calls: dict[int, tuple[ToolCall, ...] | None]
    results: dict[tuple[int, int], TranscriptRow]
    attached: frozenset[int]


def row_items(
    rows: Sequence[TranscriptRow], reading: ItemOptions
) -> Iterator[tuple[TranscriptRow, tuple[Item, ...]]]:
    """Yield each row with its items; a tool result that went to its call yields none."""
    paired = _pair(rows, reading)
    for row in rows:
        if row.id in paired.attached:
            yield row, ()
        elif row.role == Role.TOOL:
            yield row, (_result(row, reading),)
        else:
            yield row, tuple(_parts(row, paired, reading))


def _pair(rows: Sequence[TranscriptRow], reading: ItemOptions) -> _Paired:
    """Match results to the latest call before them that has their id and no result yet."""
    calls: dict[int, tuple[ToolCall, ...] | None] = {}
    results: dict[tuple[int, int], TranscriptRow] = {}
    open_calls: dict[str, tuple[int, int]] = {}
    for row in rows:
        written = _calls_written(row, reading)
        if written and row.role != Role.TOOL:
            calls[row.id] = parse_calls(written)
            for number, call in enumerate(calls[row.id] or ()):
                open_calls.update((known, (row.id, number)) for known in call.ids)
        elif row.role == Role.TOOL and row.tool_call_id in open_calls:
            where = open_calls[row.tool_call_id]
            if where not in results:
                results[where] = row
    return _Paired(calls, results, frozenset(row.id for row in results.values()))


def _calls_written(row: TranscriptRow, reading: ItemOptions) -> str | None:
    return row.tool_calls if reading.every_part else visible_calls(row)


def _result(row: TranscriptRow, reading: ItemOptions) -> ToolResult:
    return ToolResult(
        row=row,
        name=row.tool_name or "tool result",
        output=_output(row, row.tool_name or "", reading),
        inherited=_inherited(row, reading),
    )


def _parts(row: TranscriptRow, paired: _Paired, reading: ItemOptions) -> Iterator[Item]:
    parts = row.parts if reading.every_part else visible_parts(row)
    seen_images = 0
    last_message = max((index for index, part in enumerate(parts) if part.kind == "message"), default=-1)
    for index, part in enumerate(parts):
        found = _attachments(part, reading, seen_images)
        seen_images += len(image_sources(_blocks(part.raw)))
        if part.kind == "handoff":
            yield _handoff(row, part, reading, found, first=index == 0)
        else:
            calls = _calls(row, paired, reading) if index == last_message else ()
            yield _bubble(row, part.text, reading, _Extras(calls, found, first=index == 0))
    if last_message < 0 and (row.kind == MessageKind.MESSAGE or _calls_written(row, reading)):
        # A row without text: only tool calls, only reasoning, or nothing at all.
        calls = _calls(row, paired, reading)
        yield _bubble(row, "", reading, _Extras(calls, (), first=not parts))


@dataclass(frozen=True, slots=True)
class _Extras:
    calls: tuple[CallItem, ...]
    attachments: tuple[Attachment, ...]
    first: bool


def _bubble(row: TranscriptRow, text: str, reading: ItemOptions, extras: _Extras) -> Bubble:
    written = _calls_written(row, reading)
    unread = (row.text_length or 0) - len(row.text or "") if row.kind == MessageKind.MESSAGE else 0
    return Bubble(
        row=row,
        speaker=reading.asked_by
        if row.voice == Role.USER
        else SPEAKERS.get(row.voice, row.voice) or "unknown",
        text=text if reading.complete else text[:MAX_TEXT],
        length=len(text) + max(unread, 0),
        first=extras.first,
        calls=extras.calls,
        broken_calls=written if written and parse_calls(written) is None else None,
        attachments=extras.attachments,
        inherited=_inherited(row, reading),
        merged_into=reading.merged_copies.get(row.id),
    )


def _handoff(
    row: TranscriptRow, part: Part, reading: ItemOptions, found: tuple[Attachment, ...], *, first: bool
) -> HandoffItem:
    shares = row.kind == MessageKind.MERGED
    return HandoffItem(
        row=row,
        text=part.text if reading.complete else part.text[:MAX_TEXT],
        length=len(part.text),
        facts=handoff_wording(row, part),
        first=first,
        reply_id=(row.copy_of or row.id) if shares else None,
        attachments=found,
    )


def _calls(row: TranscriptRow, paired: _Paired, reading: ItemOptions) -> tuple[CallItem, ...]:
    most = {"most": None} if reading.complete else {}
    found = []
    for number, call in enumerate(paired.calls.get(row.id) or ()):
        result = paired.results.get((row.id, number))
        found.append(
            CallItem(
                name=call.name,
                arguments=show_arguments(call.arguments, call.name, **most),
                result=_output(result, call.name, reading) if result else None,
                result_row=result,
                message_id=row.id,
                number=number,
            )
        )
    return tuple(found)


def _output(row: TranscriptRow, name: str, reading: ItemOptions) -> Output:
    text = content_text(row.content)
    if reading.complete:
        return show_output(text, name, most=None)
    return show_output(text, name)


def _attachments(part: Part, reading: ItemOptions, first: int) -> tuple[Attachment, ...]:
    return attachments(_blocks(part.raw), reading.max_image_bytes, first=first)


def _blocks(raw: Content) -> Sequence[Block]:
    return () if raw is None or isinstance(raw, str) else raw


def _inherited(row: TranscriptRow, reading: ItemOptions) -> bool:
    return row.position < reading.inherited.get(row.session_id, 0)
