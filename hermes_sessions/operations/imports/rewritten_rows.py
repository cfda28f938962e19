"""Rows that are stored and not read again: deleted ones are joined with what the agent wrote instead.

The older way of compacting, like undo and retry, deletes a session's rows and writes
others. If the deleted ones were imported before, nothing of the conversation is lost:
they become the span that the origin no longer has.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.concluding.rewritten import Rejoined, StoredRow, join_compacted, join_taken_back
from hermes_sessions.agents.values import CompactionRow, MessageRow
from hermes_sessions.call_names import written_name
from hermes_sessions.handoff.grammars.grammar import HandoffGrammar
from hermes_sessions.messages import Content, MessageKind, MessageState
from hermes_sessions.operations.imports.merge_compactions import Merge
from hermes_sessions.operations.writing.ready_rows import PLAIN
from hermes_sessions.store.engines.statements import chunks, update_rows
from hermes_sessions.store.keeping.conversation_values import is_shown, newest_time
from hermes_sessions.store.language.indexed_text import INDEXED
from hermes_sessions.store.schema.models import Compaction, Message, Session
from hermes_sessions.store.writes import change_messages

_COLUMNS = (
    Message.id, Message.session_id, Message.origin_key, Message.role, Message.kind,
    Message.handoff_grammar, Message.state,
    Message.created_at, Message.copy_of, Message.archived_by, Message.search_key, Message.tool_call_id,
    Message.tool_name, Message.text, Message.blocks, Message.tool_calls, Message.reply_start,
    Message.reply_end, Message.extra,
)  # fmt: skip


def join_replaced(
    db: DbSession,
    session_id: int,
    gone: Sequence[int],
    added: Collection[int],
    compaction: int | None,
    grammar: HandoffGrammar,
) -> None:
    """Join the rows *gone* from a session with the rows that its agent wrote instead.

    Args:
        gone: keys of rows that were live when the agent deleted them.
        added: keys of rows that were not stored before; what was there all along repeats no deleted row.
        compaction: the one that the new rows begin with and whose span the origin deleted,
            or None where the agent only took something back.
        grammar: how the agent frames a summary.
    """
    deleted = set(gone)
    rows = db.execute(
        select(*_COLUMNS).where(Message.session_id == session_id).order_by(Message.position)
    ).all()
    old = [_stored(row) for row in rows if row.id in deleted]
    new = [_stored(row) for row in rows if row.origin_key is not None]
    if compaction is None:
        written = [one for one in new if one.key in added]
        joined: Rejoined | None = join_taken_back(old, written, grammar)
    else:
        joined = join_compacted(old, new, grammar)
    if joined is None:
        return
    grammars = {row.id: row.handoff_grammar for row in rows}
    _change(db, [(row, _known(row, joined, compaction, grammars)) for row in rows])
    if compaction is not None and joined.event is not None:
        _set_span(db, compaction, joined.event)


def fold_again(db: DbSession, folded: Mapping[int, Mapping[str, Any]]) -> None:
    """Give rows back what they were when the message they repeat was still at the origin.

    Args:
        folded: by key, the columns that say so.
    """
    for chunk in chunks(folded):
        rows = db.execute(select(*_COLUMNS).where(Message.id.in_(chunk))).all()
        _change(db, [(row, folded[row.id]) for row in rows])


def _known(
    row: Any, joined: Rejoined, compaction: int | None, grammars: Mapping[int, str | None]
) -> dict[str, Any]:
    """Return what is new about a stored row.

    Args:
        grammars: of the session's rows by key.
    """
    if row.id in joined.states:
        by = compaction if row.id in joined.summarised else row.archived_by
        return {"state": joined.states[row.id], "archived_by": by}
    verdict = joined.copies.get(row.id)
    if verdict is None:
        return {}
    start, end = verdict.reply or (row.reply_start, row.reply_end)
    grammar = None
    if verdict.kind is not MessageKind.MESSAGE:
        grammar = row.handoff_grammar or grammars.get(verdict.copy_of or 0)
    return {
        "kind": verdict.kind,
        "handoff_grammar": grammar,
        "copy_of": verdict.copy_of,
        "reply_start": start,
        "reply_end": end,
    }


def _set_span(db: DbSession, compaction: int, event: CompactionRow) -> None:
    """Say what a compaction summarised, now that it is known; row ids of *event* are our keys."""
    span = {
        "key": compaction,
        "span_first_id": event.span_first,
        "span_last_id": event.span_last,
        "span_messages": event.span_messages,
        "span_stored": True,
        "head_messages": event.head_messages,
        "tail_messages": event.tail_messages,
    }
    update_rows(db, Compaction, [span])


def _change(db: DbSession, changes: Sequence[tuple[Any, Mapping[str, Any]]]) -> None:
    """Update rows, with what the one scroll shows of them and their place in the index."""
    changed = []
    for row, values in changes:
        if not values:
            continue
        whole = {
            **{name: getattr(row, name) for name in INDEXED},
            "created_at": row.created_at,
            "kind": str(values.get("kind", row.kind)),
            "handoff_grammar": values.get("handoff_grammar", row.handoff_grammar),
            "state": str(values.get("state", row.state)),
            "copy_of": values.get("copy_of", row.copy_of),
            "archived_by": values.get("archived_by", row.archived_by),
            "reply_start": values.get("reply_start", row.reply_start),
            "reply_end": values.get("reply_end", row.reply_end),
        }
        whole["shown"] = is_shown(whole)
        changed.append((row, whole))
    change_messages(db, changed)


def _stored(row: Any) -> StoredRow:
    """Return a row of the store as a value; its id is the row's key."""
    message = MessageRow(
        ref=row.id,
        origin_key="",
        origin_row_id=row.id,
        role=row.role,
        state=MessageState(row.state),
        created_at=row.created_at,
        digest=0,
        token_count=None,
        tool_call_id=row.tool_call_id,
        tool_name=written_name(row.tool_name, row.extra),
        finish_reason=None,
        text=row.text,
        blocks=row.blocks,
        tool_calls=row.tool_calls,
        reasoning=None,
        extra=None,
    )
    return StoredRow(message, _content(row), MessageKind(row.kind), row.copy_of)


def _content(row: Any) -> Content:
    if row.blocks is None:
        text: str | None = row.text
        return text
    blocks = json.loads(row.blocks)
    items = blocks if isinstance(blocks, list) else [blocks]
    return [block for block in items if isinstance(block, dict | str)]


# -- of a family that only grew --------------------------------------------------------------------


def change_earlier(db: DbSession, merge: Merge) -> None:
    """Note the keys of a grown family's earlier rows, and write their state and who archived them."""
    refs = {key: ref for ref, key in merge.family.earlier.items()}
    if not refs:
        return
    wanted = list(refs)
    sessions = list(merge.keys.sessions.values())
    changed: list[dict[str, Any]] = []
    for at in range(0, len(wanted), 500):
        for row in _earlier_rows(db, sessions, wanted[at : at + 500]):
            ref = refs[row.origin_key]
            merge.keys.messages[ref] = row.id
            verdict = merge.family.verdicts.get(ref, PLAIN)
            if verdict.state is None and verdict.archived_by is None:
                continue
            state = row.state if verdict.state is None else verdict.state.value
            archived_by = merge.keys.compactions.get(verdict.archived_by or "", row.archived_by)
            shown = is_shown({**row._mapping, "state": MessageState(state)})
            changed.append({"key": row.id, "state": state, "archived_by": archived_by, "shown": shown})
    update_rows(db, Message, changed)


def count_grown(db: DbSession, sessions: Sequence[int], batches: Iterable[Sequence[MessageRow]]) -> None:
    """Count sessions again of which no row went away: by indexes alone, and times only of what was read."""
    times = [row.created_at for rows in batches for row in rows]
    for session in sessions:
        mine = select(func.count()).where(Message.session_id == session)
        active = db.scalar(select(Session.last_active_at).where(Session.id == session))
        values = {
            "key": session,
            "message_count": db.scalar(mine),
            "shown_count": db.scalar(mine.where(Message.shown)),
            "last_active_at": newest_time(active, *times),
        }
        update_rows(db, Session, [values])


def _earlier_rows(db: DbSession, sessions: Sequence[int], keys: Sequence[str]) -> Sequence[Any]:
    columns = ("id", "origin_key", "role", "kind", "state", "copy_of", "archived_by", "text", "tool_calls")
    asked = select(*(getattr(Message, name) for name in columns))
    return db.execute(asked.where(Message.session_id.in_(sessions), Message.origin_key.in_(keys))).all()
