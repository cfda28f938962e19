"""The JSON documents of the command line and of the viewer's API: one place for their shapes.

Every value is plain (dicts, lists, text, numbers), ready for `json.dumps`. Fields may
be added; the ones here stay.
"""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import orm as sa_orm

from hermes_sessions.audit.rules import get_rule
from hermes_sessions.errors import NotFoundError
from hermes_sessions.messages import MessageKind
from hermes_sessions.store.queries.compactions import CompactionRow, load_compactions
from hermes_sessions.store.queries.conversations import (
    ConversationListing,
    ConversationRow,
    get_conversation,
    list_conversations,
)
from hermes_sessions.store.queries.finding import find_session
from hermes_sessions.store.queries.ledger import CompactionListing, list_compactions
from hermes_sessions.store.queries.lineage import (
    FindingRow,
    SessionRow,
    load_family,
    load_findings,
    load_session,
    load_sessions,
    load_system_prompt,
)
from hermes_sessions.store.queries.rows import MessageRow, visible_parts
from hermes_sessions.store.queries.windows import Window, WindowQuery, get_row, iter_rows, load_window

Document = dict[str, Any]


def list_document(db: sa_orm.Session, listing: ConversationListing) -> Document:
    """Return `{conversations, next}`; `next` is the cursor of the following page, or None."""
    page = list_conversations(db, listing)
    return {
        "conversations": [conversation_value(row) for row in page.items],
        "next": str(page.next) if page.next else None,
    }


def show_document(db: sa_orm.Session, public_id: str, *, every: bool = False) -> Document:
    """Return `{conversation, messages}`: the one scroll, or every stored row.

    Raises:
        NotFoundError: nothing has this id.
        AmbiguousIdError: the prefix fits several conversations.
    """
    conversation = get_conversation(db, public_id)
    inherited = _inherited(load_sessions(db, conversation.id))
    rows = iter_rows(db, conversation.id, every=every)
    return {
        "conversation": conversation_value(conversation),
        "messages": [message_value(row, inherited, every=every) for row in rows],
    }


def window_document(db: sa_orm.Session, conversation: ConversationRow, query: WindowQuery) -> Document:
    """Return `{conversation, messages, previous, next}` for one window of one view.

    In the views of one session a merged row has all its parts, as on the page.
    """
    window = load_window(db, conversation.id, query)
    inherited = _inherited(load_sessions(db, conversation.id))
    return {
        "conversation": conversation_value(conversation),
        "messages": [message_value(row, inherited, every=not query.view.one_scroll) for row in window.rows],
        **_edges(window),
    }


def message_document(db: sa_orm.Session, message_id: int) -> Document:
    """Return `{conversation, message}`: one stored row, complete, with all its parts.

    Raises:
        NotFoundError: no message has this id.
    """
    row, public_id = get_row(db, message_id)
    session = load_session(db, row.session_id)
    return {
        "conversation": conversation_value(get_conversation(db, public_id)),
        "message": message_value(row, _inherited([session] if session else []), every=True),
    }


def system_prompt_document(db: sa_orm.Session, public_id: str) -> Document:
    """Return `{conversation, session, text}` of the session that the id names; `text` may be None.

    Raises:
        NotFoundError: nothing has this id.
        AmbiguousIdError: the prefix fits several conversations.
    """
    conversation = get_conversation(db, public_id)
    found = find_session(db, public_id)
    session = load_session(db, found[0]) if found else None
    if session is None:
        raise NotFoundError(f"no session has the id {public_id!r}")
    return {
        "conversation": conversation.public_id,
        "session": session.public_id,
        "text": load_system_prompt(db, session.id),
    }


def lineage_document(db: sa_orm.Session, public_id: str) -> Document:
    """Return `{root, tip, sessions, findings}` for the whole family of a conversation.

    `root` and `tip` are those of the conversation that was asked for.
    """
    conversation = get_conversation(db, public_id)
    family = load_family(db, conversation.id)
    findings = load_findings(db, sorted({row.conversation_id for row in family.sessions}))
    return {
        "conversation": conversation.public_id,
        "root": conversation.public_id,
        "tip": conversation.tip,
        "sessions": [session_value(row) for row in family.sessions],
        "findings": [finding_value(row) for row in findings],
    }


def compactions_document(
    db: sa_orm.Session, public_id: str | None = None, listing: CompactionListing | None = None
) -> Document:
    """Return `{compactions, next}`: all of a conversation's in order, or a page of the ledger."""
    if public_id is not None:
        rows = load_compactions(db, get_conversation(db, public_id).id)
        return {"compactions": [compaction_value(row) for row in rows], "next": None}
    listing = listing or CompactionListing()
    if listing.rule is not None:
        get_rule(listing.rule)
    page = list_compactions(db, listing)
    return {
        "compactions": [compaction_value(row) for row in page.items],
        "next": str(page.next) if page.next else None,
    }


# -- values ----------------------------------------------------------------------------------------


def conversation_value(row: ConversationRow) -> Document:
    """Return a conversation as documents show it."""
    return {
        "id": row.public_id,
        "tip": row.tip,
        "kind": row.kind,
        "title": row.title,
        "preview": row.preview,
        "source": row.source,
        "model": row.model,
        "started_at": row.started_at,
        "last_active_at": row.last_active_at or None,
        "messages": row.message_count,
        "sessions": row.session_count,
        "compactions": row.compaction_count,
        "origin": row.origin,
        "cwd": row.cwd,
        "ended_at": row.ended_at,
        "end_reason": row.end_reason,
        "forks": row.fork_count,
        "archived": row.archived,
        "pinned": row.pinned,
        "tags": list(row.tag_names),
        "note": row.note,
        "gone": row.gone,
        "tokens": {"input": row.input_tokens, "output": row.output_tokens},
        "cost_usd": row.actual_cost_usd if row.actual_cost_usd is not None else row.estimated_cost_usd,
    }


def message_value(row: MessageRow, inherited: dict[int, int], *, every: bool) -> Document:
    """Return a message as documents show it.

    Args:
        inherited: how many first rows each branch session inherited, by session key.
        every: show all parts of a merged row, also those that stand elsewhere.
    """
    alone = not every and row.kind == MessageKind.MERGED and row.copy_of is not None
    value: Document = {
        "id": row.id,
        "origin_id": row.origin_row_id,
        "session": row.session,
        "position": row.position,
        "role": row.role,
        "kind": str(MessageKind.HANDOFF) if alone else row.kind,
        "state": row.state,
        "copy_of": row.copy_of,
        "parts": [
            {"kind": part.kind, "text": part.text} for part in (row.parts if every else visible_parts(row))
        ],
        "tool_calls": _json_or_text(row.tool_calls),
        "tool_call_id": row.tool_call_id,
        "tool_name": row.tool_name,
        "created_at": row.created_at,
        "archived_by": row.archived_by,
    }
    if row.position < inherited.get(row.session_id, 0):
        value["inherited"] = True
    return value


def session_value(row: SessionRow) -> Document:
    """Return a session as the lineage document shows it."""
    return {
        "id": row.public_id,
        "parent": row.parent or row.parent_session_id,
        "relation": row.relation,
        "fork": row.fork,
        "conversation": row.conversation,
        "started_at": row.started_at,
        "messages": row.message_count,
        "shown": row.shown_count,
        "title": row.title,
        "ended_at": row.ended_at,
        "end_reason": row.end_reason,
        "tip": row.is_tip,
    }


def compaction_value(row: CompactionRow) -> Document:
    """Return a compaction as documents show it."""
    return {
        "id": row.id,
        "conversation": row.conversation,
        "ordinal": row.ordinal,
        "realisation": row.realisation,
        "status": row.status,
        "method": row.method,
        "parent": row.parent_session_id,
        "child": row.child,
        "summary": row.summary,
        "span": {
            "first": row.span_first_id,
            "last": row.span_last_id,
            "messages": row.span_messages,
            "stored": row.span_stored,
        },
        "tokens_before": row.tokens_before,
        "tokens_after": row.tokens_after,
        "created_at": row.at,
        "session": row.session,
        "handoff": row.handoff_id,
        "trigger": row.trigger,
        "fork": row.fork,
        "error": row.error,
        "retained": row.retained,
        "saved_tokens": row.saved_tokens,
        "worst_finding": row.worst_finding,
    }


def finding_value(row: FindingRow) -> Document:
    """Return an audit result as documents show it."""
    return {
        "rule": row.rule,
        "severity": row.severity,
        "conversation": row.conversation,
        "session": row.session,
        "compaction": row.compaction,
        "messages": row.messages or [],
        "evidence": row.evidence or {},
    }


def _inherited(sessions: Iterable[SessionRow]) -> dict[int, int]:
    return {row.id: row.inherited_count for row in sessions if row.inherited_count}


def _edges(window: Window) -> Document:
    first = window.rows[0] if window.rows else None
    last = window.rows[-1] if window.rows else None
    return {
        "previous": f"{first.ordinal}.{first.position}" if first and window.previous else None,
        "next": f"{last.ordinal}.{last.position}" if last and window.following else None,
    }


def _json_or_text(text: str | None) -> Any:
    """Return tool calls as JSON where they are valid, as the stored text where not."""
    if not text:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
