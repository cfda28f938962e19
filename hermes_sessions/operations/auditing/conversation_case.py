"""Load a conversation as the audit looks at it: rows of the store become its values."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import AuditedSession, AuditMessage, CompactionFacts, ConversationCase
from hermes_sessions.errors import CycleError
from hermes_sessions.json_text import parsed_json
from hermes_sessions.lineage import find_cycles
from hermes_sessions.messages import MessageKind, Realisation, attachments, content_text, read_message
from hermes_sessions.store.queries.transcript_rows import TranscriptRow, select_rows
from hermes_sessions.store.schema.models import Compaction, Message, Session, SystemPrompt

_SESSION = (
    Session.id, Session.origin_id, Session.foreign_id, Session.parent_id, Session.parent_session_id,
    Session.fork, Session.relation, Session.end_reason, Session.started_at, Session.extra,
    Session.system_prompt_hash, Session.inherited_count,
)  # fmt: skip
_COMPACTION = (
    Compaction.id, Compaction.number, Compaction.realisation, Compaction.status, Compaction.session_id,
    Compaction.parent_id, Compaction.child_id, Compaction.fork, Compaction.method, Compaction.span_stored,
    Compaction.span_messages, Compaction.head_messages, Compaction.tail_messages, Compaction.handoff_id,
    Compaction.summary, Compaction.tokens_before, Compaction.tokens_after, Compaction.finished_at,
    Compaction.error, Compaction.ordinal,
)  # fmt: skip
_GENERATIONS: Final = 20
"""How far up a fork's handoffs are looked for."""
_Named = Mapping[tuple[int, str], str | None]
"""The parents that the sessions of a conversation name, by origin and id."""


def load_case(db: DbSession, conversation_id: int) -> ConversationCase:
    """Return a conversation with all its rows, cut into what stood around each compaction."""
    sessions = db.execute(
        select(*_SESSION)
        .where(Session.conversation_id == conversation_id)
        .order_by(Session.ordinal, Session.fork, Session.id)
    ).all()
    compactions = db.execute(
        select(*_COMPACTION)
        .where(Compaction.conversation_id == conversation_id)
        .order_by(Compaction.ordinal, Compaction.id)
    ).all()
    prompts = load_prompts(db, conversation_id)
    named = {(row.origin_id, row.foreign_id): row.parent_session_id for row in sessions}
    return cut_conversation(
        [_session(db, row, prompts, named) for row in sessions],
        [compaction_facts(row) for row in compactions],
    )


def load_rows(db: DbSession, session_id: int) -> list[AuditMessage]:
    """Return all rows of one session in their order; very long texts are cut."""
    return load_rows_where(db, Message.session_id == session_id)


def load_rows_where(db: DbSession, wanted: ColumnElement[bool]) -> list[AuditMessage]:
    """Return the rows that are *wanted*, in the order of their positions; very long texts are cut."""
    found = db.execute(select_rows().where(wanted).order_by(Message.position))
    names = tuple(found.keys())
    return [read_row(TranscriptRow(**dict(zip(names, row, strict=True)))) for row in found]


def read_row(row: TranscriptRow) -> AuditMessage:
    """Return a row of a transcript as the audit sees it, its handoff apart from what was said."""
    text, handoff = row.text or "", ""
    if row.kind != MessageKind.MESSAGE:
        parts = row.parts
        text = "\n".join(part.text for part in parts if part.kind == "message")
        handoff = "\n".join(content_text(part.raw) for part in parts if part.kind == "handoff")
    said = read_message(
        {
            "role": row.role,
            "content": row.content if row.blocks is not None else None,
            "tool_calls": row.tool_calls,
            "tool_call_id": row.tool_call_id,
        }
    )
    return AuditMessage(
        id=row.id,
        position=row.position,
        role=said.role,
        original=row.copy_of or row.id,
        kind=row.kind,
        state=row.state,
        text=text,
        handoff=handoff,
        grammar=row.handoff_grammar,
        attachments=tuple(map(_digest, attachments(said.content))),
        calls=said.tool_calls,
        result_ids=said.result_ids,
        tool_name=row.tool_name,
        archived_by=row.archived_by,
        created_at=row.created_at,
    )


def _digest(block: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(block, sort_keys=True).encode()).hexdigest()[:16]


def in_place_compactions(db: DbSession, session_id: int) -> list[CompactionFacts]:
    """Return the compactions that began a new generation inside this session."""
    rows = db.execute(
        select(*_COMPACTION).where(Compaction.session_id == session_id).order_by(Compaction.ordinal)
    )
    found = (compaction_facts(row) for row in rows)
    return [facts for facts in found if facts.is_committed and not facts.is_rotation]


def inherited_compactions(
    db: DbSession, session_id: int, rows: Sequence[AuditMessage]
) -> list[CompactionFacts]:
    """Return the native compactions whose handoffs a fork inherits, as if they were its own."""
    inherited = db.scalar(select(Session.inherited_count).where(Session.id == session_id)) or 0
    handoffs = [row.id for row in rows[:inherited] if row.handoff]
    found: dict[int, CompactionFacts] = {}
    parent, steps = session_id, 0
    while len(found) < len(handoffs) and steps < _GENERATIONS:
        steps += 1
        parent = db.scalar(select(Session.parent_id).where(Session.id == parent)) or 0
        # A fork begins as its parent does: the handoffs of both are in one order.
        same = select(Message.id).where(Message.session_id == parent, Message.kind == MessageKind.HANDOFF)
        theirs = db.scalars(same.order_by(Message.position).limit(len(handoffs))).all()
        mine = dict(zip(theirs, handoffs, strict=False))
        asked = select(*_COMPACTION).where(
            Compaction.session_id == parent, Compaction.realisation == Realisation.NATIVE
        )
        for one in map(compaction_facts, db.execute(asked) if theirs else ()):
            if one.is_committed and one.handoff in mine:
                handoff = mine[one.handoff]
                found.setdefault(handoff, replace(one, session=session_id, handoff=handoff))
    ordered = [found[one] for one in handoffs if one in found]
    return [replace(one, ordinal=at - len(ordered)) for at, one in enumerate(ordered)]


def load_prompts(db: DbSession, conversation_id: int) -> dict[str, str]:
    """Return the system prompts of a conversation by hash; its sessions mostly share one."""
    used = select(Session.system_prompt_hash).where(Session.conversation_id == conversation_id)
    rows = db.execute(select(SystemPrompt.hash, SystemPrompt.text).where(SystemPrompt.hash.in_(used)))
    return {row.hash: row.text for row in rows}


def _session(db: DbSession, row: Any, prompts: Mapping[str, str], named: _Named) -> AuditedSession:
    return AuditedSession(
        key=row.id,
        foreign_id=row.foreign_id,
        parent=row.parent_id,
        parent_id=row.parent_session_id,
        fork=row.fork,
        relation=row.relation,
        end_reason=row.end_reason,
        started_at=row.started_at,
        message_counter=_counter(row.extra),
        cycle=_find_cycle(db, row, named),
        prompt=prompts.get(row.system_prompt_hash, ""),
        inherited=row.inherited_count or 0,
        rows=load_rows(db, row.id),
    )


def compaction_facts(row: Any) -> CompactionFacts:
    """Return what the audit looks at of a compaction's row."""
    return CompactionFacts(
        id=row.id,
        ordinal=row.number,
        realisation=row.realisation,
        status=row.status,
        session=row.session_id,
        parent=row.parent_id,
        child=row.child_id,
        fork=row.fork,
        method=row.method,
        span_stored=row.span_stored,
        span_messages=row.span_messages,
        head=row.head_messages,
        tail=row.tail_messages,
        handoff=row.handoff_id,
        summary=row.summary,
        tokens_before=row.tokens_before,
        tokens_after=row.tokens_after,
        finished_at=row.finished_at,
        error=row.error,
        place=row.ordinal,
    )


def _counter(extra: object) -> int | None:
    """Return the number of messages that the agent wrote down for a session."""
    if isinstance(extra, str):
        extra = parsed_json(extra)
    counted = extra.get("message_count") if isinstance(extra, Mapping) else None
    return counted if isinstance(counted, int) and not isinstance(counted, bool) else None


def _find_cycle(db: DbSession, row: Any, named: _Named) -> tuple[str, ...]:
    """Return the circle of parents that was cut at this session, or nothing.

    It was cut where the session names a parent that is stored, and does not hang on it.
    """
    if row.parent_id is not None or not row.parent_session_id:
        return ()
    parents: dict[str, str | None] = {row.foreign_id: row.parent_session_id}
    current: str | None = row.parent_session_id
    while current is not None and current not in parents:
        if (row.origin_id, current) in named:
            parents[current] = named[row.origin_id, current]
        else:
            parents[current] = db.scalar(
                select(Session.parent_session_id).where(
                    Session.origin_id == row.origin_id, Session.foreign_id == current
                )
            )
        current = parents[current]
    return _members(find_cycles(parents), row.foreign_id)


def _members(cycles: Iterable[CycleError], session: str) -> tuple[str, ...]:
    members: Sequence[str] = next((one.members for one in cycles if session in one.members), ())
    return tuple(members)
