"""Rows of a transcript as values, and the parts a stored row splits into."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from sqlalchemy import Select, case, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute

from hermes_sessions.handoff import HandoffFacts, Part, as_shown, is_client_words, is_command, is_engine_note
from hermes_sessions.handoff.grammars.registry import grammar_named
from hermes_sessions.json_text import INVALID, parsed_json
from hermes_sessions.messages import Content, MessageKind, Role, content_text
from hermes_sessions.store.schema.models import Message, Session

MAX_TEXT = 200_000
"""Longest text a window loads; the page of one message loads all of it."""
MAX_BLOCKS = 4_000_000
MAX_CALLS = 400_000
MAX_REASONING = 50_000
NOTE: Final = "note"
"""Who speaks in a note of our engine, and what such a row is where rows are listed."""
CLIENT: Final = "client"
"""The same of what the user's client wrote in the user's place: an interruption, a notice, an output."""
COMMAND: Final = "command"
"""The same of a client's record of a command that the user gave it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRow:
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
    handoff_grammar: str | None
    state: str
    shown: bool
    created_at: float | None
    copy_of: int | None
    archived_by: int | None
    origin_key: str | None
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
    def origin_id(self) -> int | str | None:
        """What its origin calls it: a number where that is its key, else the key."""
        number = self.origin_row_id
        return number if self.origin_key in (None, str(number)) else self.origin_key

    @property
    def parts(self) -> tuple[Part, ...]:
        """The handoff and message parts of this row, in the order they stand."""
        return stored_parts(self)

    @property
    def is_note(self) -> bool:
        """Whether it is a note of our engine: nobody said it, whatever its role."""
        return self.kind == MessageKind.MESSAGE and is_engine_note(self.role, self.text, self.tool_calls)

    @property
    def voice(self) -> str:
        """Who speaks: its role, or `note`, `client` or `command`."""
        if self.kind != MessageKind.MESSAGE:
            return self.role
        return voice_of(self.role, self.text, self.tool_calls)

    @property
    def said_as(self) -> str:
        """What it is where rows are listed: its kind, or `note`, `client` or `command`."""
        return self.voice if self.voice in (NOTE, CLIENT, COMMAND) else self.kind

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
    value = parsed_json(blocks, INVALID)
    if value is INVALID:
        return None
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, (str, dict))] or None


def voice_of(role: str, text: str | None, tool_calls: str | None = None) -> str:
    """Return who speaks in a row that is no handoff: its role, or whoever wrote in the user's place."""
    if is_engine_note(role, text, tool_calls):
        return NOTE
    if role != Role.USER or not text or not is_client_words(text):
        return role
    return COMMAND if is_command(text) else CLIENT


def stored_parts(row: TranscriptRow) -> tuple[Part, ...]:
    """Split a row as its import decided, by the grammar of its handoff; messages are not looked into."""
    content = row.content
    if row.kind == MessageKind.MESSAGE:
        return () if content is None else (Part("message", row.text or "", content),)
    if row.reply_start is not None and row.reply_end is not None:
        return grammar_named(row.handoff_grammar).split_around(
            row.text or "", (row.reply_start, row.reply_end)
        )
    parts = grammar_named(row.handoff_grammar).split(content)
    if row.kind == MessageKind.HANDOFF and not any(part.kind == "handoff" for part in parts):
        # The agent marked it as one, in a form that is not known.
        return (Part("handoff", row.text or "", content),)
    return parts


def handoff_wording(row: TranscriptRow, part: Part) -> HandoffFacts:
    """Return what the wording of a row's handoff *part* tells about its making."""
    return grammar_named(row.handoff_grammar).facts(content_text(part.raw))


def visible_parts(row: TranscriptRow) -> tuple[Part, ...]:
    """Return what the one scroll shows of a row.

    A merged row whose reply repeats an earlier message shows its handoff alone. What a client wrote is
    shown without its markup.
    """
    if is_handoff_alone(row):
        return tuple(part for part in row.parts if part.kind == "handoff")
    if row.voice in (CLIENT, COMMAND):
        return tuple(replace(part, text=as_shown(part.text)) for part in row.parts)
    return row.parts


def visible_calls(row: TranscriptRow) -> str | None:
    """Return the tool calls that the one scroll shows of a row, as written: the handoff makes none."""
    return None if is_handoff_alone(row) else row.tool_calls


def is_handoff_alone(row: TranscriptRow) -> bool:
    """Return whether the one scroll shows only the handoff of a merged row: its reply is shown elsewhere."""
    return row.kind == MessageKind.MERGED and row.copy_of is not None


@cache
def select_rows(*, whole: bool = False) -> Select[Any]:
    """Return a statement whose rows are the fields of `TranscriptRow`; made once.

    Args:
        whole: load every cell completely, however large.
    """
    cut = {} if whole else {"text": MAX_TEXT, "tool_calls": MAX_CALLS, "reasoning": MAX_REASONING}
    special = {"ordinal", "session", "text_length", "blocks", *cut}
    own = [getattr(Message, name) for name in TranscriptRow.__slots__ if name not in special]
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
