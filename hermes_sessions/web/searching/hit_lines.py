"""The line of a hit as the search page shows it: words instead of Markdown, calls instead of JSON. Pure."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hermes_sessions.messages import Role, content_text
from hermes_sessions.operations.search import FoundMessage
from hermes_sessions.store.language.highlight import Highlighter, Piece
from hermes_sessions.store.language.indexed_text import call_values
from hermes_sessions.store.queries.transcript_rows import (
    TranscriptRow,
    is_handoff_alone,
    visible_calls,
    visible_parts,
)
from hermes_sessions.web.text.filters import clean
from hermes_sessions.web.text.plain_words import plain_words
from hermes_sessions.web.text.tools import parse_calls, show_arguments, show_output

AROUND_CHARS: Final = 1_200
"""How much of a long text around a hit is read for its line."""
BEGINNING_CHARS: Final = 200


def readable(hit: FoundMessage, highlighter: Highlighter) -> FoundMessage:
    """Return *hit* with a snippet of what its page shows; as it was found where the words are not in that."""
    texts = [text for text in _texts(hit.row) if text.strip()]
    snippet = next((found for text in texts if (found := _around(text, highlighter))), None)
    if snippet is None and texts and (hit.where in ("tool", "id") or not highlighter):
        snippet = (Piece(_beginning(texts[0])),)
    return hit if snippet is None else replace(hit, snippet=snippet)


def repeats_its_reply(hit: FoundMessage, highlighter: Highlighter) -> bool:
    """Return whether only the reply in a handoff's row holds the words: it is found where it was said."""
    if not (highlighter and is_handoff_alone(hit.row)):
        return False
    return not any(highlighter.spans(part.text) for part in visible_parts(hit.row))


def _texts(row: TranscriptRow) -> Iterator[str]:
    """Yield what the pages show of a row: what was said, then its calls, shortly and whole."""
    if row.role == Role.TOOL:
        yield clean(show_output(content_text(row.content), row.tool_name or "", most=None).text)
        return
    for part in visible_parts(row):
        yield part.text
    calls = parse_calls(visible_calls(row)) or ()
    for call in calls:
        yield f"{call.name} {show_arguments(call.arguments, call.name).subject}"
    for call in calls:
        yield from call_values(json.dumps({"name": call.name, "arguments": call.arguments}))


def _around(text: str, highlighter: Highlighter) -> tuple[Piece, ...] | None:
    """Return the first place in *text* as words; with the marks of Markdown where it is among them."""
    first = next(iter(highlighter.spans(text)), None)
    if first is None:
        return None
    near = text[max(0, first[0] - AROUND_CHARS) : first[1] + AROUND_CHARS]
    return highlighter.snippet(plain_words(near)) or highlighter.snippet(near)


def _beginning(text: str) -> str:
    words = plain_words(text[:AROUND_CHARS])
    return words if len(words) <= BEGINNING_CHARS else f"{words[:BEGINNING_CHARS]} …"
