"""From stored rows to the entries that show them: parts, tool calls with their results, images. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from hermes_sessions.exporters.values import Call, Entry, Handoff, Picture, Speech, ToolOutput
from hermes_sessions.handoff import Part, handoff_facts
from hermes_sessions.messages import Content, MessageKind, Role, ToolCall, content_text, read_call
from hermes_sessions.store.queries.lineage import SessionRow
from hermes_sessions.store.queries.rows import MessageRow, visible_parts


def row_entries(
    rows: Iterable[MessageRow], session: SessionRow
) -> Iterator[tuple[MessageRow, tuple[Entry, ...]]]:
    """Yield each row with its entries; results that stand right behind their call go into it."""
    waiting: MessageRow | None = None
    results: list[MessageRow] = []
    for row in chain(rows, (None,)):
        if row is not None and row.role == Role.TOOL and waiting is not None:
            results.append(row)
            continue
        if waiting is not None:
            yield from _with_results(waiting, results, session)
            waiting, results = None, []
        if row is None:
            return
        if row.tool_calls and row.role != Role.TOOL:
            waiting = row
        else:
            yield row, tuple(_entries_of(row, (), session))


def _with_results(
    row: MessageRow, results: Sequence[MessageRow], session: SessionRow
) -> Iterator[tuple[MessageRow, tuple[Entry, ...]]]:
    calls, others = _paired(row, results)
    yield row, tuple(_entries_of(row, calls, session))
    for other in others:
        yield other, tuple(_entries_of(other, (), session))


def _paired(row: MessageRow, results: Sequence[MessageRow]) -> tuple[tuple[Call, ...], list[MessageRow]]:
    """Give each call the first result that names it; also return the results that name none."""
    open_results = list(results)
    calls = []
    for call in _read_calls(row.tool_calls) or ():
        found = next((one for one in open_results if one.tool_call_id in call.ids), None)
        if found is not None:
            open_results.remove(found)
        calls.append(
            Call(
                name=call.name or "tool",
                arguments=call.arguments,
                result=None if found is None else content_text(found.content),
                result_key=None if found is None else found.id,
            )
        )
    return tuple(calls), open_results


def _read_calls(stored: str | None) -> tuple[ToolCall, ...] | None:
    """Return stored calls; None where the JSON is not valid or holds none."""
    try:
        value = json.loads(stored or "[]")
    except (ValueError, RecursionError):
        return None
    items = value if isinstance(value, list) else [value]
    calls = tuple(read_call(item) for item in items if isinstance(item, dict) and item)
    return calls if calls or not items or value in ({}, "") else None


def _entries_of(row: MessageRow, calls: tuple[Call, ...], session: SessionRow) -> Iterator[Entry]:
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
    row: MessageRow, part: Part, calls: tuple[Call, ...], session: SessionRow, *, first: bool
) -> Speech:
    broken = row.tool_calls is not None and _read_calls(row.tool_calls) is None
    return Speech(
        key=row.id,
        role=row.role,
        at=row.created_at,
        text=part.text,
        reasoning=row.reasoning if first else None,
        pictures=_pictures(part.raw),
        calls=calls,
        broken_calls=row.tool_calls if broken and first else None,
        inherited=row.position < session.inherited_count,
        first=first,
    )


def _handoff(row: MessageRow, part: Part, *, first: bool) -> Handoff:
    facts = handoff_facts(content_text(part.raw))
    return Handoff(
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
        kind = str(block.get("type") or "unknown")[:40]
        if kind in ("image_url", "image", "input_image"):
            found.append(Picture(url=_image_url(block), label=f"image {len(found) + 1} of this message"))
        else:
            found.append(Picture(url="", label=f"{kind} block"))
    return tuple(found)


def _image_url(block: Mapping[str, Any]) -> str:
    """Return the URL in any of the shapes that agents write; '' where there is none."""
    value = block.get("image_url", block.get("url"))
    if isinstance(value, Mapping):
        value = value.get("url")
    if isinstance(value, str):
        return value
    source = block.get("source")
    if isinstance(source, Mapping) and isinstance(source.get("data"), str):
        return f"data:{source.get('media_type', '')};base64,{source['data']}"
    return ""
