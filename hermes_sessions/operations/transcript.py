"""Between message dicts, as agents send them, and rows of the store; nothing gets lost on the way."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.call_names import written_name
from hermes_sessions.errors import NotFoundError, TranscriptError
from hermes_sessions.handoff import asks_nothing
from hermes_sessions.handoff.grammars.grammar import OWN
from hermes_sessions.json_text import parsed_json
from hermes_sessions.messages import (
    MessageKind,
    MessageState,
    Role,
    ToolCall,
    content_text,
    read_message,
    result_texts,
)
from hermes_sessions.storable_text import is_storable, storable
from hermes_sessions.store.keeping.conversation_values import is_shown
from hermes_sessions.store.schema.models import Message, Session, SystemPrompt

_OWN: Final = frozenset(
    {"role", "content", "tool_calls", "tool_call_id", "name", "finish_reason", "reasoning"}
)
_PLAIN: Final = dict.fromkeys(
    ("blocks", "tool_calls", "tool_call_id", "tool_name", "finish_reason", "reasoning", "extra")
)
"""The columns that a message of nothing but a role and a text leaves empty."""
_ALONE: Final[Mapping[str, Any]] = {
    "kind": MessageKind.MESSAGE.value,
    "handoff_grammar": None,
    "state": MessageState.LIVE.value,
    "copy_of": None,
    "archived_by": None,
    "origin_key": None,
    "origin_row_id": None,
    "digest": None,
    "token_count": None,
    "reply_start": None,
    "reply_end": None,
}
"""The other columns of a message that stands for itself."""
_YEARS: Final = (631_152_000.0, 4_102_444_800.0)
"""1990 to 2100: a timestamp outside is kept, but no time."""
KEYS: Final = "$keys"
"""Where `extra` holds the keys of a message dict that have no column."""
RAW: Final = "$raw"
"""Where `extra` holds, as JSON escapes, texts that no engine can hold."""
_CALLED: Final = '"tool_'
"""In the JSON of blocks that call a tool or answer a call."""
EXACT: Final = "$message"
"""Where `extra` holds, as JSON, a whole message dict that its columns cannot give back."""

_LIVE_ROWS: Final = (
    select(
        Message.id,
        Message.position,
        Message.copy_of,
        Message.created_at,
        Message.kind,
        Message.handoff_grammar,
        Message.role,
        Message.text,
        Message.blocks,
        Message.tool_calls,
        Message.tool_call_id,
        Message.tool_name,
        Message.finish_reason,
        Message.reasoning,
        Message.extra,
    )
    .where(
        Message.session_id == bindparam("session"),
        Message.state == MessageState.LIVE,
        Message.role != Role.SESSION_META,
    )
    .order_by(Message.position)
)


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A live row with the dict an agent would send for it."""

    id: int
    position: int
    original: int
    """The row it repeats, or itself."""
    created_at: float | None
    kind: str
    grammar: str | None
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Transcript:
    """What the model sees of a session now: the system prompt and the live rows, in order.

    `raw` are the same rows as the store gave them, to see later whether they changed.
    """

    session: Session
    system_prompt: str | None
    rows: tuple[StoredMessage, ...]
    raw: Sequence[Any] = ()

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The context to send: OpenAI-style dicts, the system prompt first."""
        return [*self.lead, *(row.message for row in self.rows)]

    @property
    def lead(self) -> list[dict[str, Any]]:
        """What stands in the context ahead of the rows: the system prompt, or nothing."""
        return lead_of(self.system_prompt, [row.message for row in self.rows[:1]])


def lead_of(prompt: str | None, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a session's system prompt as a message, or nothing where *messages* begin with it.

    Where they begin with another system message the model had both: agents keep the
    prompt apart from their messages and send it ahead of them.
    """
    if prompt is None:
        return []
    first = read_message(messages[0]) if messages else None
    if first is not None and first.role == Role.SYSTEM and content_text(first.content) == prompt:
        return []
    return [{"role": Role.SYSTEM.value, "content": prompt}]


def find_session(db: DbSession, public_id: str) -> Session:
    """Return the session with this public id.

    Raises:
        NotFoundError: there is none.
    """
    session = db.scalar(select(Session).where(Session.public_id == public_id))
    if session is None:
        raise NotFoundError(f"no session has the id {public_id!r}")
    return session


def load_transcript(db: DbSession, session: Session) -> Transcript:
    """Load what the model sees of *session* now."""
    raw = db.connection().execute(_LIVE_ROWS, {"session": session.id}).all()
    return Transcript(session, _system_prompt(db, session), tuple(map(_stored, raw)), raw)


def load_later(db: DbSession, before: Transcript) -> tuple[StoredMessage, ...] | None:
    """Return the rows that a transcript got since *before*, or None where it changed otherwise."""
    raw = db.connection().execute(_LIVE_ROWS, {"session": before.session.id}).all()
    if raw[: len(before.raw)] != before.raw:
        return None
    return tuple(map(_stored, raw[len(before.raw) :]))


def _stored(row: Any) -> StoredMessage:
    return StoredMessage(
        row.id,
        row.position,
        row.copy_of or row.id,
        row.created_at,
        row.kind,
        row.handoff_grammar,
        message_of(row),
    )


def _system_prompt(db: DbSession, session: Session) -> str | None:
    exact: dict[str, str] = (session.extra or {}).get(RAW, {})
    if "system_prompt" in exact:
        return str(json.loads(exact["system_prompt"]))
    if session.system_prompt_hash is None:
        return None
    return db.scalar(select(SystemPrompt.text).where(SystemPrompt.hash == session.system_prompt_hash))


def message_of(row: Any) -> dict[str, Any]:
    """Return the message dict of a row."""
    extra = row.extra or {}
    if EXACT in extra:
        exact: dict[str, Any] = json.loads(extra[EXACT])
        return exact
    raw = extra.get(RAW, {})
    message: dict[str, Any] = {"role": row.role, "content": _content(row, raw)}
    calls = parsed_json(row.tool_calls) if row.tool_calls else None
    if isinstance(calls, dict):
        calls = [calls]
    if isinstance(calls, list) and calls:
        message["tool_calls"] = calls
    for name, value in (
        ("tool_call_id", row.tool_call_id),
        ("name", written_name(row.tool_name, extra)),
        ("finish_reason", row.finish_reason),
        ("reasoning", row.reasoning),
    ):
        if value is not None:
            message[name] = json.loads(raw[name]) if name in raw else value
    others: dict[str, Any] = extra.get(KEYS, {})
    return message | others


def row_of(message: Mapping[str, Any], now: float) -> dict[str, Any]:
    """Return the columns of a message dict, from which `message_of` gives it back exactly.

    Raises:
        TranscriptError: it has no role, its content is neither text nor a list of blocks,
            or something in it is no JSON.
    """
    try:
        return _plainly_said(message, now) or _row_of(message, now)
    except (TypeError, ValueError, RecursionError) as error:
        raise TranscriptError(f"a message holds something that JSON cannot: {error}") from error


def _plainly_said(message: Mapping[str, Any], now: float) -> dict[str, Any] | None:
    """Return the columns of a message that is a role and a text and nothing else: what most of them are."""
    if type(message) is not dict or len(message) != 2:
        return None
    role, text = message.get("role"), message.get("content")
    if type(role) is not str or type(text) is not str or not role:
        return None
    if not is_storable(role) or not is_storable(text):
        return None
    return {**_PLAIN, "role": role, "text": text, "created_at": now}


def _row_of(message: Mapping[str, Any], now: float) -> dict[str, Any]:
    if not isinstance(message, Mapping):
        raise TranscriptError(f"a message is a dict with a role, got {type(message).__name__}")
    role = message.get("role")
    if not isinstance(role, str) or not role:
        raise TranscriptError(f"a message needs a role, got {role!r}")
    raw: dict[str, str] = {}
    text, blocks = _text_and_blocks(message.get("content"), raw)
    calls = message.get("tool_calls")
    answered = message.get("tool_call_id")
    if blocks is not None and not calls and _CALLED in blocks:
        called = _read_blocks(message)
        if called is not None:
            role, text, calls, answered = called
            blocks, text = None, kept_text(text, "", {})
    others = {name: value for name, value in message.items() if name not in _OWN}
    extra: dict[str, Any] = {KEYS: others} if others else {}
    values: dict[str, Any] = {
        "role": kept_text(role, "role", raw),
        "text": text,
        "blocks": blocks,
        "tool_calls": json.dumps(calls) if calls else None,
        "tool_call_id": kept_text(answered, "tool_call_id", raw),
        "tool_name": kept_text(message.get("name"), "name", raw),
        "finish_reason": kept_text(message.get("finish_reason"), "finish_reason", raw),
        "reasoning": kept_text(message.get("reasoning"), "reasoning", raw),
        "created_at": _time(message.get("timestamp"), now),
    }
    if raw:
        extra[RAW] = raw
    values["extra"] = extra or None
    if not _holdable(others) or message_of(SimpleNamespace(**values)) != message:
        values["extra"] = {EXACT: json.dumps(dict(message))}
    return values


def _read_blocks(
    message: Mapping[str, Any],
) -> tuple[str, str, list[dict[str, Any]] | None, str | None] | None:
    """Return role, text, calls and the call that is answered of a message whose blocks call or answer.

    Its columns are those of the same message in OpenAI's form, so that whoever reads the store finds calls
    as calls and results as results. None where a message answers and says something besides.
    """
    read = read_message(message)
    said = content_text(read.content)
    if read.tool_calls and not read.result_ids:
        return str(message["role"]), said, list(map(_written_call, read.tool_calls)), None
    results = list(result_texts(read.content))
    words = _without_reminders(said)
    speaks = bool(words) and not asks_nothing(words)
    if not results or speaks or read.tool_calls or message["role"] == Role.TOOL:
        return None
    text = "\n".join([*results, *filter(None, (said,))])
    return Role.TOOL.value, text, None, next(iter(read.result_ids), None)


def _without_reminders(text: str) -> str:
    """Return *text* without what an agent reminds its model of beside a result."""
    first, *rest = text.split("<system-reminder>")
    return "".join((first, *(one.partition("</system-reminder>")[2] for one in rest))).strip()


def _written_call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": next(iter(call.ids), ""), "type": "function", "function": function}


def plain_row(values: Mapping[str, Any], kind: MessageKind = MessageKind.MESSAGE) -> dict[str, Any]:
    """Return *values* with the other columns of a message that stands for itself."""
    row = {**_ALONE, **values}
    if kind is not MessageKind.MESSAGE:
        row |= {"kind": kind.value, "handoff_grammar": OWN}
    row["shown"] = is_shown(row)
    return row


def _text_and_blocks(content: Any, raw: dict[str, str]) -> tuple[str | None, str | None]:
    if content is None or isinstance(content, str):
        return kept_text(content, "content", raw), None
    if not isinstance(content, Sequence) or not all(isinstance(block, Mapping | str) for block in content):
        raise TranscriptError(
            f"a message's content is text or a list of blocks, got {type(content).__name__}"
        )
    return kept_text(content_text(content), "", {}), json.dumps(list(content))


def _time(value: Any, now: float) -> float:
    known = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if known and _YEARS[0] <= value <= _YEARS[1] else now


def _holdable(value: dict[str, Any]) -> bool:
    """Return whether both engines hold *value* as JSON: no NUL, no lone surrogate, no NaN."""
    if not value:
        return True
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except ValueError:
        return False
    return "\\u0000" not in text


def kept_text(value: Any, name: str, raw: dict[str, str]) -> str | None:
    """Return a text as both engines hold it; the exact one goes into *raw* where it differs."""
    if value is None:
        return None
    text = value if isinstance(value, str) else str(value)
    clean = storable(text)
    if clean != text:
        raw[name] = json.dumps(text)
    return clean


def _content(row: Any, raw: Mapping[str, str]) -> Any:
    if "content" in raw:
        return json.loads(raw["content"])
    if row.blocks is not None:
        parsed = parsed_json(row.blocks)
        if isinstance(parsed, list):
            return [block for block in parsed if isinstance(block, dict | str)]
        if isinstance(parsed, dict):
            return [parsed]
    return row.text
