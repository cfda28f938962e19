"""Decode the cells of Hermes' `sessions` and `messages` rows, whatever their columns.

The version number of a file does not tell its columns: they are probed. A value that
is not what its column says is kept raw in `extra` and reported; its neighbours are
not affected.
"""

import json
import marshal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from hermes_sessions.agents.concluding.row_facts import RowFacts, call_ids_of, row_facts
from hermes_sessions.agents.hermes.schema import SENTINEL, zero_by_default
from hermes_sessions.agents.sqlite_source.foreign_cells import Cells, Warn
from hermes_sessions.agents.values import MessageRow, SessionRow
from hermes_sessions.call_names import CallNames, lacks_name, named_extra
from hermes_sessions.handoff.grammars.hermes import GRAMMAR
from hermes_sessions.json_text import is_json
from hermes_sessions.messages import Content, MessageState, content_text, read_calls
from hermes_sessions.storable_text import storable

_TEXTS = ("tool_call_id", "tool_name", "finish_reason", "reasoning")
_NO_TEXTS: Final[dict[str, str | None]] = dict.fromkeys(_TEXTS)
_MESSAGE_FIELDS = {
    "id", "session_id", "role", "content", "timestamp", "token_count", "tool_calls", "active",
    "compacted", *_TEXTS,
}  # fmt: skip
_ZERO_BY_DEFAULT: Final = zero_by_default()
_SESSION_TEXTS = (
    "source", "model", "title", "cwd", "end_reason", "session_key", "model_config", "system_prompt",
)  # fmt: skip
_SESSION_COUNTS = (
    "tool_call_count", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
    "reasoning_tokens",
)  # fmt: skip
_SESSION_COSTS = ("estimated_cost_usd", "actual_cost_usd")
_SESSION_FIELDS = {
    "id", "parent_session_id", "started_at", "ended_at", "archived", "system_prompt_hash",
    *_SESSION_TEXTS, *_SESSION_COUNTS, *_SESSION_COSTS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MessageDecoder:
    """Turns raw rows with the given columns into values; made once per file."""

    columns: Sequence[str]
    index: Mapping[str, int]
    texts: Sequence[tuple[int, str]]
    """(index, column) of the plain text columns that are there."""
    others: Sequence[tuple[int, str, bool]]
    """(index, column, whether 0 is its default) of columns without a field of ours."""

    @classmethod
    def for_columns(cls, columns: Sequence[str]) -> "MessageDecoder":
        """Return a decoder for rows that have *columns*, in that order."""
        others = [
            (at, name, name in _ZERO_BY_DEFAULT)
            for at, name in enumerate(columns)
            if name not in _MESSAGE_FIELDS
        ]
        texts = [(at, name) for at, name in enumerate(columns) if name in _TEXTS]
        return cls(columns, {name: at for at, name in enumerate(columns)}, texts, others)

    def decode(
        self, row: Sequence[Any], warn: Warn, names: CallNames | None = None
    ) -> tuple[MessageRow, RowFacts]:
        """Return the row's value and what alignment needs to know of it.

        Args:
            names: of the session's calls so far; learns those of this row, and gives its
                value the name of the call it answers. What alignment gets is the row as it is.
        """
        cells = Cells(self.index, row, warn)
        role = cells.text("role") or ""
        text, blocks, content = _content(cells)
        state = _state(cells)
        calls, parsed = _tool_calls(cells)
        created_at = cells.epoch("timestamp")
        others = {name: None if row[at] is None else cells.text(name) for at, name in self.texts}
        for at, name, zero in self.others:
            value = row[at]
            if value is not None and not (zero and value == 0):
                cells.keep(name, value)
        row_id = row[self.index["id"]]
        message = MessageRow(
            ref=row_id,
            origin_key=str(row_id),
            origin_row_id=row_id,
            role=role,
            state=state,
            created_at=created_at,
            digest=_digest(row),
            token_count=cells.integer("token_count"),
            text=text,
            blocks=blocks,
            tool_calls=calls,
            extra=cells.extra,
            **_NO_TEXTS | others,
        )
        flagged = cells.value("_compressed_summary") == 1
        facts = row_facts(message, content, call_ids_of(parsed), flagged=flagged, grammar=GRAMMAR)
        return message if names is None else _named(message, parsed, names), facts


def decode_session(columns: Sequence[str], row: Sequence[Any], prompt: str | None, warn: Warn) -> SessionRow:
    """Return the session of a raw row.

    Args:
        prompt: text of the system prompt the row refers to by hash, if any.
    """
    cells = Cells({name: at for at, name in enumerate(columns)}, row, warn)
    texts = {name: cells.text(name) for name in _SESSION_TEXTS}
    texts["system_prompt"] = _system_prompt(cells, texts["system_prompt"], prompt)
    if cells.value("archived") not in (None, 0, 1):
        cells.keep("archived", cells.value("archived"))
    counts = {name: cells.integer(name) or 0 for name in _SESSION_COUNTS}
    costs = {name: cells.real(name) for name in _SESSION_COSTS}
    if texts["model_config"] and not is_json(texts["model_config"]):
        warn(str(cells.value("id")), "model_config", "is not valid JSON; kept as text")
    for name in ("session_key", "model_config"):
        if texts[name] is not None and (cells.extra is None or name not in cells.extra):
            cells.keep(name, texts[name])
    for at, name in enumerate(columns):
        value = row[at]
        if (
            name not in _SESSION_FIELDS
            and value is not None
            and not (name in _ZERO_BY_DEFAULT and value == 0)
        ):
            cells.keep(name, value)
    fields: dict[str, Any] = {**texts, **counts, **costs}
    return SessionRow(
        foreign_id=cells.text("id") or "",
        parent_session_id=cells.text("parent_session_id"),
        started_at=cells.epoch("started_at"),
        ended_at=cells.epoch("ended_at"),
        archived=bool(cells.value("archived")),
        extra=cells.extra,
        **fields,
    )


def _system_prompt(cells: Cells, inline: str | None, referred: str | None) -> str | None:
    """Return the system prompt, keeping where it stood: in the row, or behind a hash."""
    if cells.value("system_prompt_hash") is not None:
        cells.keep("system_prompt_hash", cells.value("system_prompt_hash"))
        if inline is not None:
            cells.keep("$inline_prompt", True)
    if inline is not None or referred is None:
        return inline
    if "\0" in referred:
        cells.keep("$prompt", referred)
    return referred.replace("\0", "\ufffd")


# -- inside ----------------------------------------------------------------------------------------


def _content(cells: Cells) -> tuple[str | None, str | None, Content]:
    """Return (text, blocks as JSON, content) of a message row."""
    value = cells.value("content")
    if value is None or type(value) is not str or not value.startswith(SENTINEL):
        text = cells.text("content")
        return text, None, text
    written = value[len(SENTINEL) :]
    try:
        parsed = json.loads(written)
    except (ValueError, RecursionError):
        cells.complain("content", "structured content is not valid JSON; kept as text")
        text = value.replace("\0", "\ufffd")
        return text, None, text
    if "\0" in written:
        cells.keep("content", value)
        written = written.replace("\0", "\ufffd")
    content: Content = parsed if isinstance(parsed, list) else [parsed]
    blocks = [block for block in content or () if isinstance(block, dict | str)]
    return storable(content_text(blocks)), written, blocks


def _state(cells: Cells) -> MessageState:
    """Read the two flags; NULL in `active` means shown."""
    active, compacted = cells.value("active"), cells.value("compacted")
    if active == 1 and compacted == 0:
        return MessageState.LIVE
    if cells.has("active") and active not in (0, 1):
        cells.keep("active", active)
        if active is not None:
            cells.warn(str(cells.value("id")), "active", f"is {str(active)[:40]!r}; shown")
    if cells.has("compacted") and compacted not in (0, 1):
        cells.keep("compacted", compacted)
    if cells.has("active") and active == 0:
        return MessageState.COMPACTED if compacted == 1 else MessageState.REWOUND
    if compacted == 1:
        cells.complain("compacted", "is set on an active row; shown as live")
    return MessageState.LIVE


def _tool_calls(cells: Cells) -> tuple[str | None, Sequence[Any]]:
    """Return the calls as written (None for none) and parsed."""
    written = cells.text("tool_calls")
    if not written:
        if written is not None:
            cells.keep("tool_calls", cells.value("tool_calls"))
        return None, ()
    try:
        calls = json.loads(written)
    except (ValueError, RecursionError):
        cells.warn(str(cells.value("id")), "tool_calls", "is not valid JSON; kept as text")
        return written, ()
    if isinstance(calls, dict):
        calls = [calls] if calls else []
    if not isinstance(calls, list):
        cells.warn(str(cells.value("id")), "tool_calls", f"is a JSON {type(calls).__name__}; kept as text")
        return written, ()
    return written, calls


def _named(message: MessageRow, calls: Sequence[Any], names: CallNames) -> MessageRow:
    """Return a result that does not name its tool with the name of its call."""
    if calls:
        names.learn(read_calls(calls))
    call_id = message.tool_call_id
    if call_id is None or not lacks_name(message.role, message.tool_name, call_id):
        return message
    name = names.find(call_id)
    if name is None:
        return message
    return message._replace(tool_name=name, extra=named_extra(message.extra, message.tool_name))


def _digest(row: Sequence[Any]) -> int:
    """First 8 bytes of a BLAKE2b over all cells, as a signed number.

    `marshal` version 2 writes equal values as equal bytes in every Python version.
    """
    try:
        written = marshal.dumps(tuple(row), 2)
    except ValueError:  # text that is not UTF-8 arrives as a kind of bytes of its own
        written = marshal.dumps(tuple(bytes(cell) if isinstance(cell, bytes) else cell for cell in row), 2)
    return int.from_bytes(blake2b(written, digest_size=8).digest(), "big", signed=True)
