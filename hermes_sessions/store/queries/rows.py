"""Rows of a transcript as values, and the parts a stored row splits into."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, case, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute

from hermes_sessions.handoff import Part, parts_around, split_handoff
from hermes_sessions.messages import Content, MessageKind
from hermes_sessions.store.models import Message, Session

MAX_TEXT = 200_000
"""Longest text a window loads; the page of one message loads all of it."""
MAX_BLOCKS = 4_000_000
MAX_CALLS = 400_000
MAX_REASONING = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRow:
    """One stored row of a transcript, with its place in the conversation.

    `text_length` is the stored length where `text` was cut. `blocks` and `tool_calls`
    are JSON as the agent wrote it, valid or not.
    """

    id: int
    session_id: int
    ordinal: int
    session: str
    position: int
    role: str
    kind: str
    state: str
    shown: bool
    created_at: float | None
    copy_of: int | None
    archived_by: int | None
    origin_row_id: int | None
    token_count: int | None
    tool_call_id: str | None
    tool_name: str | None
    finish_reason: str | None
    reply_start: int | None
    reply_end: int | None
    text: str | None
    text_length: int | None
    blocks: str | None
    tool_calls: str | None
    reasoning: str | None

    @property
    def parts(self) -> tuple[Part, ...]:
        """The handoff and message parts of this row, in the order they stand."""
        return stored_parts(self)

    @property
    def content(self) -> Content:
        """The row's content: its blocks where it has any, else its text."""
        return parse_blocks(self.blocks) or self.text


def parse_blocks(blocks: str | None) -> Sequence[Any] | None:
    """Return structured content as a list of blocks, or None where it is none.

    A lone object counts as a list of one; anything that is not text or an object
    inside is left out, for it has nothing to show.
    """
    if not blocks:
        return None
    try:
        value = json.loads(blocks)
    except (ValueError, RecursionError):
        return None
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, (str, dict))] or None


def stored_parts(row: MessageRow) -> tuple[Part, ...]:
    """Split a row as its import decided: only handoff and merged rows are looked into."""
    content = row.content
    if row.kind == MessageKind.MESSAGE:
        return () if content is None else (Part("message", row.text or "", content),)
    if row.reply_start is not None and row.reply_end is not None:
        return parts_around(row.text or "", (row.reply_start, row.reply_end))
    parts = split_handoff(content)
    if row.kind == MessageKind.HANDOFF and not any(part.kind == "handoff" for part in parts):
        # The agent marked it as one, in a form that is not known.
        return (Part("handoff", row.text or "", content),)
    return parts


def visible_parts(row: MessageRow) -> tuple[Part, ...]:
    """Return what the one scroll shows of a row.

    A merged row whose reply repeats an earlier message shows its handoff alone.
    """
    if row.kind == MessageKind.MERGED and row.copy_of is not None:
        return tuple(part for part in row.parts if part.kind == "handoff")
    return row.parts


def select_rows(*, whole: bool = False) -> Select[Any]:
    """Return a statement whose rows are the fields of `MessageRow`.

    Args:
        whole: load every cell completely, however large.
    """
    cut = {} if whole else {"text": MAX_TEXT, "tool_calls": MAX_CALLS, "reasoning": MAX_REASONING}
    special = {"ordinal", "session", "text_length", "blocks", *cut}
    own = [getattr(Message, name) for name in MessageRow.__slots__ if name not in special]
    columns = [
        *own,
        Session.ordinal.label("ordinal"),
        Session.public_id.label("session"),
        func.length(Message.text).label("text_length"),
        *(_at_most(getattr(Message, name), size).label(name) for name, size in cut.items()),
        Message.blocks if whole else _none_beyond(Message.blocks, MAX_BLOCKS).label("blocks"),
    ]
    return select(*columns).join(Session, Session.id == Message.session_id)


def _at_most(column: InstrumentedAttribute[str | None], size: int) -> Any:
    # SQLite's substr() stops at NUL, so a short text is taken as it is.
    return case((func.length(column) > size, func.substr(column, 1, size)), else_=column)


def _none_beyond(column: InstrumentedAttribute[str | None], size: int) -> Any:
    return case((func.length(column) > size, literal(None)), else_=column)
