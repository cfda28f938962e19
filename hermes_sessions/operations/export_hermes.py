"""Write what a store has of an origin, or one conversation, as a Hermes `state.db`.

Imported rows become what they were, with their ids. Sessions made here that go on with
them come along as rows that Hermes would have written; their ids follow the highest.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, func, select, true
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.call_names import written_name
from hermes_sessions.errors import ExportError
from hermes_sessions.exporters.files import whole_file
from hermes_sessions.exporters.hermes import (
    SENTINEL,
    Cells,
    HermesWriter,
    UnfitColumnError,
    message_cells,
    raw_cell,
    session_cells,
)
from hermes_sessions.exporters.hermes_schema import MESSAGES, SCHEMA_VERSION
from hermes_sessions.messages import CompactionStatus, MessageKind, MessageState, Realisation
from hermes_sessions.operations.append import LOCAL
from hermes_sessions.operations.origins import get_origin
from hermes_sessions.operations.transcript import message_of
from hermes_sessions.store.db import Database
from hermes_sessions.store.models import Compaction, Message, Origin, Session, SystemPrompt
from hermes_sessions.store.queries.conversations import get_conversation

ROWS_AT_ONCE: Final = 100
_OWN_KEYS: Final = {"role", "content", "tool_calls", "tool_call_id", "name", "finish_reason", "reasoning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HermesOrder:
    """What to write: one conversation, one origin, or all there is of the only origin."""

    conversation: str | None = None
    origin: str | None = None
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HermesExport:
    """What was written."""

    origin: str
    schema_version: int
    conversations: int
    sessions: int
    messages: int
    notes: tuple[str, ...]


def export_hermes(database: Database, target: Path, order: HermesOrder) -> HermesExport:
    """Write a `state.db` to *target*, whole or not at all.

    Raises:
        ExportError: the file is there, or the order does not name one origin.
        NotFoundError: there is no such conversation or origin.
    """
    with database.read() as db, whole_file(target, force=order.force) as part:
        label, chosen = _choose(db, order)
        free: dict[str, set[str]] = defaultdict(set)
        while True:
            try:
                return _write(db, part, label, chosen, free)
            except UnfitColumnError as unfit:
                if unfit.column in free[unfit.table]:
                    raise ExportError(f"{target}: {unfit} cannot be written") from unfit
                # A value that was imported is worth more than the declaration of its column.
                free[unfit.table].add(unfit.column)
                part.write_bytes(b"")


def _choose(db: DbSession, order: HermesOrder) -> tuple[str, ColumnElement[bool]]:
    """Return a name for what is written, and the condition on sessions."""
    if order.conversation is not None:
        if order.origin is not None:
            raise ExportError("--conversation and --origin: name one of them")
        conversation = get_conversation(db, order.conversation)
        return conversation.origin or "", Session.conversation_id == conversation.id
    if order.origin is not None:
        origin = get_origin(db, order.origin)
        families = select(Session.conversation_id).where(Session.origin_id == origin.id)
        return origin.label, Session.conversation_id.in_(families)
    used = select(Session.origin_id).distinct()
    origins = db.scalars(select(Origin).where(Origin.id.in_(used)).order_by(Origin.label)).all()
    foreign = [one.label for one in origins if one.kind != LOCAL]
    if len(foreign) > 1:
        raise ExportError(
            "a state.db has room for one origin, for their ids clash; name one with --origin:"
            f" {', '.join(foreign)}"
        )
    if not origins:
        raise ExportError("the store holds no session to export")
    return (foreign or [origins[0].label])[0], true()


# -- writing ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Writing:
    """One file on its way."""

    db: DbSession
    writer: HermesWriter
    local: set[int]
    next_id: int
    prompts: dict[str, str] = field(default_factory=dict)
    sessions: int = 0
    messages: int = 0
    conversations: set[int] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)


def _write(
    db: DbSession, part: Path, label: str, chosen: ColumnElement[bool], free: Mapping[str, set[str]]
) -> HermesExport:
    local = set(db.scalars(select(Origin.id).where(Origin.kind == LOCAL)))
    highest = db.scalar(
        select(func.max(Message.origin_row_id)).join(Session, Session.id == Message.session_id).where(chosen)
    )
    gone = _highest_gone(db, chosen)
    with HermesWriter(part, free) as writer:
        writing = _Writing(db, writer, local, max(highest or 0, gone, 0) + 1)
        for row in _sessions(db, chosen):
            _write_session(writing, row)
        _write_locks(writing, chosen)
        writer.finish()
        notes = list(writer.notes)
    if writing.dropped:
        names = ", ".join(sorted(writing.dropped))
        notes.append(f"a state.db has no place for these keys of messages made here: {names}")
    if any(free.values()):
        names = ", ".join(sorted(f"{table}.{name}" for table, columns in free.items() for name in columns))
        notes.append(f"declared without type, for what they hold: {names}")
    return HermesExport(
        origin=label,
        schema_version=SCHEMA_VERSION,
        conversations=len(writing.conversations),
        sessions=writing.sessions,
        messages=writing.messages,
        notes=tuple(notes),
    )


def _sessions(db: DbSession, chosen: ColumnElement[bool]) -> Iterator[Mapping[str, Any]]:
    """Yield sessions by their start, a few hundred at a time."""
    order = (func.coalesce(Session.started_at, 0.0), Session.id)
    keys = db.scalars(select(Session.id).where(chosen).order_by(*order)).all()
    for at in range(0, len(keys), 200):
        stmt = select(*Session.__table__.columns).where(Session.id.in_(keys[at : at + 200]))
        found = {row.id: dict(row._mapping) for row in db.execute(stmt)}
        yield from (found[key] for key in keys[at : at + 200])


def _highest_gone(db: DbSession, chosen: ColumnElement[bool]) -> int:
    """Return the highest id that a row deleted at the origin had: it is written with it."""
    stmt = (
        select(Message.extra)
        .join(Session, Session.id == Message.session_id)
        .join(Origin, Origin.id == Session.origin_id)
        .where(chosen, Message.origin_row_id.is_(None), Origin.kind != LOCAL)
    )
    found = (extra for extra in db.scalars(stmt) if extra and "$gone" in extra)
    return max((extra["$gone"]["id"] for extra in found), default=0)


def _write_session(writing: _Writing, row: Mapping[str, Any]) -> None:
    extra = row["extra"] or {}
    local = row["origin_id"] in writing.local
    session_id = raw_cell(extra["id"]) if "id" in extra else row["foreign_id"]
    if "$placeholder" not in extra:
        prompt = _prompt(writing, row["system_prompt_hash"])
        cells = _local_session(writing.db, row, prompt) if local else session_cells(row, prompt)
        writing.writer.add("sessions", cells)
        if "system_prompt_hash" in extra and prompt is not None and not local:
            exact = raw_cell(extra.get("$prompt", prompt))
            writing.writer.add_prompt(raw_cell(extra["system_prompt_hash"]), exact)
        writing.sessions += 1
    writing.conversations.add(row["conversation_id"])
    stmt = (
        select(*Message.__table__.columns)
        .where(Message.session_id == row["id"])
        .order_by(Message.position)
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    for message in writing.db.execute(stmt):
        if local:
            cells = _local_message(writing, message, session_id)
        else:
            cells = message_cells(dict(message._mapping), session_id)
        if cells["id"] is None:
            cells["id"] = writing.next_id
            writing.next_id += 1
        writing.writer.add("messages", cells)
        writing.messages += 1


def _prompt(writing: _Writing, key: str | None) -> str | None:
    if key is None:
        return None
    if key not in writing.prompts:
        if len(writing.prompts) > 50:
            writing.prompts.clear()
        writing.prompts[key] = writing.db.scalars(
            select(SystemPrompt.text).where(SystemPrompt.hash == key)
        ).one()
    return writing.prompts[key]


def _write_locks(writing: _Writing, chosen: ColumnElement[bool]) -> None:
    """Write the locks of compactions that were interrupted while they held one."""
    stmt = (
        select(Session.foreign_id, Session.extra, Compaction.started_at)
        .join(Session, Session.id == Compaction.session_id)
        .where(chosen, Compaction.status == CompactionStatus.INTERRUPTED, Compaction.origin_key.is_not(None))
        .where((Compaction.realisation == Realisation.IN_PLACE) | Compaction.started_at.is_not(None))
    )
    for foreign_id, extra, started_at in writing.db.execute(stmt):
        session_id = raw_cell(extra["id"]) if extra and "id" in extra else foreign_id
        writing.writer.add_lock(session_id, started_at)


# -- what was made here ----------------------------------------------------------------------------


def _local_session(db: DbSession, row: Mapping[str, Any], prompt: str | None) -> Cells:
    """Return a session of ours as Hermes would have written it."""
    live = select(func.count()).where(Message.session_id == row["id"], Message.state == MessageState.LIVE)
    cells = session_cells({**row, "extra": None}, prompt)
    return {"source": LOCAL, **cells, "message_count": db.scalar(live) or 0}


def _local_message(writing: _Writing, row: Any, session_id: str) -> Cells:
    """Return a message of ours as Hermes would have written it."""
    message = message_of(row)
    own = {**row._mapping, "tool_name": written_name(row.tool_name, row.extra), "extra": None}
    cells = message_cells(own, session_id)
    content = message.get("content")
    cells["content"] = SENTINEL + json.dumps(content) if isinstance(content, list) else _text(content)
    for name, value in message.items():
        if name in MESSAGES and name not in _OWN_KEYS and name not in cells:
            cells[name] = value if isinstance(value, str | int | float) else json.dumps(value)
        elif name not in _OWN_KEYS and name not in MESSAGES:
            writing.dropped.add(name)
    if row.kind != MessageKind.MESSAGE:
        cells["_compressed_summary"] = 1
    return cells


def _text(content: Any) -> str | None:
    """Return content as SQLite holds it: lone surrogates, which no UTF-8 has, are replaced."""
    return None if content is None else str(content).encode("utf-8", "replace").decode()
