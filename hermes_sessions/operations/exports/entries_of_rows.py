"""From stored rows to the entries that show them: parts, tool calls with their results, images. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from hermes_sessions.exporters.readable_entries import (
    Entry,
    ExportedCall,
    ExportedHandoff,
    Picture,
    Speech,
    ToolOutput,
)
from hermes_sessions.handoff import Part
from hermes_sessions.json_text import INVALID, parsed_json
from hermes_sessions.messages import (
    Content,
    MessageKind,
    Role,
    ToolCall,
    content_text,
    image_url,
    is_image,
    read_call,
)
from hermes_sessions.store.queries.lineage import FamilySession
from hermes_sessions.store.queries.transcript_rows import (
    CLIENT,
    COMMAND,
    TranscriptRow,
    handoff_wording,
    visible_calls,
    visible_parts,
)


def row_entries(
    rows: Iterable[TranscriptRow], session: FamilySession
) -> Iterator[tuple[TranscriptRow, tuple[Entry, ...]]]:
    """Yield each row with its entries; results that stand right behind their call go into it."""
    waiting: TranscriptRow | None = None
    results: list[TranscriptRow] = []
    for row in chain(rows, (None,)):
        if row is not None and row.role == Role.TOOL and waiting is not None:
            results.append(row)
            continue
        if waiting is not None:
            yield from _with_results(waiting, results, session)
            waiting, results = None, []
        if row is None:
            return
        if visible_calls(row) and row.role != Role.TOOL:
            waiting = row
        else:
            yield row, tuple(_entries_of(row, (), session))


def _with_results(
    row: TranscriptRow, results: Sequence[TranscriptRow], session: FamilySession
) -> Iterator[tuple[TranscriptRow, tuple[Entry, ...]]]:
    calls, others = _paired(row, results)
    yield row, tuple(_entries_of(row, calls, session))
    for other in others:
        yield other, tuple(_entries_of(other, (), session))


def _paired(
    row: TranscriptRow, results: Sequence[TranscriptRow]
) -> tuple[tuple[ExportedCall, ...], list[TranscriptRow]]:
    """Give each call the first result that names it; also return the results that name none."""
    open_results = list(results)
    calls = []
    for call in _read_calls(row.tool_calls) or ():
        found = next((one for one in open_results if one.tool_call_id in call.ids), None)
        if found is not None:
            open_results.remove(found)
        calls.append(
            ExportedCall(
                name=call.name or "tool",
                arguments=call.arguments,
                result=None if found is None else content_text(found.content),
                result_key=None if found is None else found.id,
            )
        )
    return tuple(calls), open_results


def _read_calls(stored: str | None) -> tuple[ToolCall, ...] | None:
    """Return stored calls; None where the JSON is not valid or holds none."""
    value = parsed_json(stored or "[]", INVALID)
    if value is INVALID:
        return None
    items = value if isinstance(value, list) else [value]
    calls = tuple(read_call(item) for item in items if isinstance(item, dict) and item)
    return calls if calls or not items or value in ({}, "") else None


def _entries_of(
    row: TranscriptRow, calls: tuple[ExportedCall, ...], session: FamilySession
) -> Iterator[Entry]:
    if row.role == Role.TOOL:
        text = content_text(row.content)
        yield ToolOutput(key=row.id, name=row.tool_name or "tool", at=row.created_at, text=text)
        return
    parts = visible_parts(row)
    last = max((at for at, part in enumerate(parts) if part.kind == "message"), default=-1)
    for at, part in enumerate(parts):
        if part.kind == "handoff":
            yield _handoff(row, part, first=at == 0)
        else:
            yield _speech(row, part, calls if at == last else (), session, first=at == 0)
    if last < 0 and (row.kind == MessageKind.MESSAGE or calls):
        # A row without text: only tool calls, only reasoning, or nothing at all.
        yield _speech(row, Part("message", "", None), calls, session, first=not parts)


def _speech(
    row: TranscriptRow, part: Part, calls: tuple[ExportedCall, ...], session: FamilySession, *, first: bool
) -> Speech:
    broken = row.tool_calls is not None and _read_calls(row.tool_calls) is None
    return Speech(
        key=row.id,
        role=row.voice if row.voice in (CLIENT, COMMAND) else row.role,
        at=row.created_at,
        text=part.text,
        reasoning=row.reasoning if first else None,
        pictures=_pictures(part.raw),
        calls=calls,
        broken_calls=row.tool_calls if broken and first else None,
        inherited=row.position < session.inherited_count,
        first=first,
    )


def _handoff(row: TranscriptRow, part: Part, *, first: bool) -> ExportedHandoff:
    facts = handoff_wording(row, part)
    return ExportedHandoff(
        key=row.id,
        at=row.created_at,
        text=part.text,
        pictures=_pictures(part.raw),
        fallback=facts.fallback,
        marker=facts.marker,
        first=first,
    )


def _pictures(content: Content) -> tuple[Picture, ...]:
    if content is None or isinstance(content, str):
        return ()
    found: list[Picture] = []
    for block in content:
        if isinstance(block, str) or isinstance(block.get("text"), str):
            continue
        if is_image(block):
            found.append(Picture(url=image_url(block), label=f"image {len(found) + 1} of this message"))
        else:
            kind = str(block.get("type") or "unknown")[:40]
            found.append(Picture(url="", label=f"{kind} block"))
    return tuple(found)
