"""Rows with sensible defaults, one keyword per thing a test is about.

Every builder adds to the session it is given, flushes, and keeps the kept columns
true, so that a store built here passes `db check`. Any column can be given by name.
"""

import itertools
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.messages import MessageKind, MessageState
from hermes_sessions.store.language.indexed_text import INDEXED, indexable, is_searchable
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Origin, Session
from hermes_sessions.store.searching.full_text import index_rows, next_search_keys

NOON = 1_767_268_800.0
"""2026-01-01 12:00 UTC: when things start unless a test says otherwise."""

_numbers = itertools.count(1)


def an_origin(db: OrmSession, *, label: str | None = None, kind: str = "hermes", **columns: Any) -> Origin:
    number = next(_numbers)
    row = Origin(label=label or f"origin-{number}", kind=kind, **{"created_at": NOON, **columns})
    db.add(row)
    db.flush()
    return row


def a_conversation(
    db: OrmSession,
    *,
    origin: Origin | None = None,
    id: str | None = None,
    title: str | None = None,
    **root: Any,
) -> Conversation:
    """Add a conversation and its root session.

    Args:
        db: open session.
        origin: where it comes from; a new one otherwise.
        id: public id of the conversation and of its root session.
        title: the root's title.
        **root: other columns of the root session; kind, archived and pinned reach the conversation.
    """
    of = origin or an_origin(db)
    kind = root.pop("kind", "chat")
    name = id or f"session-{next(_numbers)}"
    row = Conversation(public_id=name, origin_id=of.id, kind=kind, title=title)
    db.add(row)
    db.flush()
    session = _a_session_row(db, row, name, {"relation": "root", "title": title, **root})
    row.root_id = row.tip_id = session.id
    row.session_count = 1
    for column in ("source", "model", "cwd", "started_at", "ended_at", "end_reason", "archived", "pinned"):
        setattr(row, column, getattr(session, column))
    row.last_active_at = session.last_active_at or 0.0
    db.flush()
    return row


def a_session(
    db: OrmSession,
    conversation: Conversation,
    *,
    id: str | None = None,
    parent: Session | None = None,
    fork: bool = False,
    **columns: Any,
) -> Session:
    """Add a continuation: of the tip, or of *parent*; it becomes the tip unless it is a fork."""
    before = parent or db.get_one(Session, conversation.tip_id)
    given = {
        "relation": "compaction",
        "ordinal": before.ordinal + 1,
        "parent_id": before.id,
        "parent_session_id": before.foreign_id,
        "started_at": (before.started_at or NOON) + 3600,
        "fork": fork,
        **columns,
    }
    session = _a_session_row(db, conversation, id or f"session-{next(_numbers)}", given)
    conversation.session_count += 1
    conversation.fork_count += fork
    if not fork:
        conversation.tip_id = session.id
        for column in ("ended_at", "end_reason"):
            setattr(conversation, column, getattr(session, column))
        for column in ("model", "cwd"):
            setattr(conversation, column, getattr(session, column) or getattr(conversation, column))
        conversation.title = conversation.title or session.title
    conversation.last_active_at = max(conversation.last_active_at, session.last_active_at or 0.0)
    db.flush()
    return session


def a_message(
    db: OrmSession, session: Session, text: str | None = "Hello.", *, role: str = "user", **columns: Any
) -> Message:
    """Add a row at the end of *session*, one minute after the row before."""
    position = session.message_count
    given = {
        "position": position,
        "kind": MessageKind.MESSAGE.value,
        "state": MessageState.LIVE.value,
        "created_at": (session.started_at or NOON) + 60 * position,
        **columns,
    }
    if given["kind"] != MessageKind.MESSAGE:
        given.setdefault("handoff_grammar", "hermes")
    given.setdefault("conversation_id", session.conversation_id)
    row = Message(session_id=session.id, role=role, text=text, **given)
    row.shown = columns.get("shown", is_shown(row))
    db.add(row)
    session.message_count += 1
    session.last_active_at = max(session.last_active_at or 0.0, row.created_at or 0.0)
    conversation = db.get_one(Conversation, session.conversation_id)
    conversation.last_active_at = max(conversation.last_active_at, session.last_active_at)
    if row.shown:
        session.shown_count += 1
        if not session.fork:
            conversation.message_count += 1
    _index(db, row)
    db.flush()
    _keep_preview(db, conversation)
    return row


def messages(db: OrmSession, session: Session, shape: str) -> list[Message]:
    """Add one row per letter of *shape*: s(ystem) u(ser) a(ssistant) t(ool result)."""
    roles = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}
    return [
        a_message(db, session, f"{roles[letter]} {number}", role=roles[letter])
        for number, letter in enumerate(shape)
    ]


def a_compaction(
    db: OrmSession,
    session: Session,
    *,
    realisation: str = "rotation",
    status: str = "committed",
    handoff: Message | None = None,
    **columns: Any,
) -> Compaction:
    """Add a compaction whose child (or place) is *session*."""
    conversation = db.get_one(Conversation, session.conversation_id)
    before = db.scalar(
        select(func.count()).select_from(Compaction).where(Compaction.conversation_id == conversation.id)
    )
    rotation = realisation == "rotation"
    is_prune = columns.get("method") == "prune"
    of_kind = (Compaction.method == "prune") if is_prune else (Compaction.method != "prune")
    same = db.scalar(
        select(func.count())
        .select_from(Compaction)
        .where(Compaction.conversation_id == conversation.id, of_kind)
    )
    given = {
        "ordinal": (before or 0) + 1,
        "number": (same or 0) + 1,
        "method": "model",
        "fork": session.fork,
        "parent_id": session.parent_id if rotation else session.id,
        "parent_session_id": session.parent_session_id if rotation else session.foreign_id,
        "child_id": session.id if rotation else None,
        "handoff_id": handoff.id if handoff else None,
        "finished_at": session.started_at,
        **columns,
    }
    row = Compaction(
        conversation_id=conversation.id,
        session_id=session.id,
        realisation=realisation,
        status=status,
        **given,
    )
    db.add(row)
    counted = status in ("committed", "interrupted")
    conversation.compaction_count += counted and row.method != "prune"
    conversation.prune_count += counted and row.method == "prune"
    db.flush()
    return row


def is_shown(row: Message) -> bool:
    """Say again, in the test's words, which rows the one scroll shows."""
    if row.role == "session_meta" or row.state == "rewound":
        return False
    if row.role != "tool" and (row.text or "").startswith("[Note by the compaction:"):
        return False
    return row.copy_of is None or (row.kind == "merged" and row.state != "superseded")


def _a_session_row(db: OrmSession, conversation: Conversation, name: str, columns: dict[str, Any]) -> Session:
    given = {"source": "cli", "model": "model-a", "started_at": NOON, **columns}
    given.setdefault("last_active_at", max(given["started_at"] or 0.0, given.get("ended_at") or 0.0) or None)
    row = Session(
        origin_id=conversation.origin_id,
        conversation_id=conversation.id,
        foreign_id=given.pop("foreign_id", name),
        public_id=name,
        **_zeros(),
        **given,
    )
    db.add(row)
    db.flush()
    return row


def _zeros() -> dict[str, Any]:
    # Column defaults arrive at the flush; counting starts before.
    return {"message_count": 0, "shown_count": 0}


def _index(db: OrmSession, row: Message) -> None:
    text = indexable({name: getattr(row, name) for name in INDEXED})
    wanted = {name: getattr(row, name) for name in ("role", "kind", "copy_of", "text", "tool_calls")}
    if row.search_key is None and is_searchable(wanted):
        db.flush()
        [row.search_key] = next_search_keys(db, [(row.id, row.created_at)])
        index_rows(db, [(row.search_key, text)])


def _keep_preview(db: OrmSession, conversation: Conversation) -> None:
    shown = (
        select(Message.text)
        .join(Session, Session.id == Message.session_id)
        .where(Session.conversation_id == conversation.id, ~Session.fork, Message.shown, Message.text != "")
        .order_by(Session.ordinal, Message.position)
        .limit(1)
    )
    asked = db.scalar(shown.where(Message.role == "user", Message.kind == "message"))
    text = asked or db.scalar(shown)
    conversation.preview = " ".join(text.split())[:200] if text else None
    db.flush()
