"""Join what an agent deleted with what it wrote instead, where the store still has both.

The older way of compacting, like undo and retry, deletes a session's rows and writes
others. If the deleted ones were imported before, nothing of the conversation is lost:
they become the span that the origin no longer has.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.call_names import written_name
from hermes_sessions.importers.align import RowFacts, head_pairs
from hermes_sessions.importers.hanging import SessionInput
from hermes_sessions.importers.hermes_rows import read_call_ids, row_facts
from hermes_sessions.importers.reconstruct import reconstruct
from hermes_sessions.importers.values import CompactionRow, MessageRow, Verdict
from hermes_sessions.lineage import SessionFacts
from hermes_sessions.messages import Content, MessageKind, MessageState, Realisation
from hermes_sessions.operations.insert import change_messages
from hermes_sessions.store.indexed import INDEXED
from hermes_sessions.store.models import Compaction, Message
from hermes_sessions.store.statements import chunks, update_rows
from hermes_sessions.store.upkeep import is_shown

_COLUMNS = (
    Message.id, Message.session_id, Message.origin_row_id, Message.role, Message.kind, Message.state,
    Message.created_at, Message.copy_of, Message.archived_by, Message.search_key, Message.tool_call_id,
    Message.tool_name, Message.text, Message.blocks, Message.tool_calls, Message.reply_start,
    Message.reply_end, Message.extra,
)  # fmt: skip


def join_replaced(db: DbSession, session_id: int, gone: Sequence[int], compaction: int | None) -> None:
    """Join the rows *gone* from a session with the rows that its agent wrote instead.

    Args:
        gone: keys of rows that were live when the agent deleted them.
        compaction: the one that the new rows begin with and whose span the origin deleted,
            or None where the agent only took something back.
    """
    deleted = set(gone)
    rows = db.execute(
        select(*_COLUMNS).where(Message.session_id == session_id).order_by(Message.position)
    ).all()
    old = [row for row in rows if row.id in deleted]
    new = [row for row in rows if row.origin_row_id is not None]
    if compaction is None:
        _join_taken_back(db, old, new)
    else:
        _join_compacted(db, old, new, compaction)


def fold_again(db: DbSession, folded: Mapping[int, Mapping[str, Any]]) -> None:
    """Give rows back what they were when the message they repeat was still at the origin.

    Args:
        folded: by key, the columns that say so.
    """
    for chunk in chunks(folded):
        rows = db.execute(select(*_COLUMNS).where(Message.id.in_(chunk))).all()
        _change(db, [(row, folded[row.id]) for row in rows])


def _join_taken_back(db: DbSession, old: Sequence[Any], new: Sequence[Any]) -> None:
    """Rows written again stand where they were first; what was not is taken back."""
    pairs = head_pairs([_facts(row) for row in old], [_facts(row) for row in new])
    originals = {new[at].id: _original(old[source]) for at, source in pairs}
    kept = {old[source].id for _, source in pairs}
    _change(db, [(row, {"state": MessageState.SUPERSEDED}) for row in old if row.id in kept])
    _change(db, [(row, {"copy_of": originals[row.id]}) for row in new if row.id in originals])


def _join_compacted(db: DbSession, old: Sequence[Any], new: Sequence[Any], compaction: int) -> None:
    """The deleted rows become what the compaction summarised, as if it had archived them."""
    archived = [_facts(row)._replace(state=MessageState.COMPACTED) for row in old]
    given = SessionInput(
        facts=SessionFacts(id="it"), parent=None, rows=[*archived, *(_facts(row) for row in new)]
    )
    concluded = reconstruct({"it": given})
    event = next((one for one in concluded.compactions if one.realisation is Realisation.IN_PLACE), None)
    if event is None:
        return
    by_key = {row.id: row for row in old}
    _change(
        db,
        [
            (
                row,
                {
                    "state": MessageState.COMPACTED,
                    "archived_by": compaction
                    if _is_of(concluded.verdicts, row.id, event)
                    else row.archived_by,
                },
            )
            for row in old
        ],
    )
    _change(db, [(row, _joined(concluded.verdicts.get(row.id), row, by_key)) for row in new])
    update_rows(
        db,
        Compaction,
        [
            {
                "key": compaction,
                "span_first_id": event.span_first,
                "span_last_id": event.span_last,
                "span_messages": event.span_messages,
                "span_stored": True,
                "head_messages": event.head_messages,
                "tail_messages": event.tail_messages,
            }
        ],
    )


def _is_of(verdicts: Mapping[int, Verdict], key: int, event: CompactionRow) -> bool:
    known = verdicts.get(key)
    return known is not None and known.archived_by == event.key


def _joined(verdict: Verdict | None, row: Any, old: Mapping[int, Any]) -> dict[str, Any]:
    """Return what a new row is, now that what it repeats is known; only that."""
    if verdict is None or verdict.copy_of is None or verdict.copy_of not in old:
        return {}
    start, end = verdict.reply or (row.reply_start, row.reply_end)
    return {
        "kind": verdict.kind,
        "copy_of": _original(old[verdict.copy_of]),
        "reply_start": start,
        "reply_end": end,
    }


def _original(row: Any) -> int:
    original: int = row.id if row.copy_of is None else row.copy_of
    return original


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
            "state": str(values.get("state", row.state)),
            "copy_of": values.get("copy_of", row.copy_of),
            "archived_by": values.get("archived_by", row.archived_by),
            "reply_start": values.get("reply_start", row.reply_start),
            "reply_end": values.get("reply_end", row.reply_end),
        }
        copied = whole["copy_of"] is not None
        whole["shown"] = is_shown(row.role, whole["kind"], whole["state"], copied=copied)
        changed.append((row, whole))
    change_messages(db, changed)


def _facts(row: Any) -> RowFacts:
    """Return what alignment looks at, from a stored row; its id is the row's key."""
    message = MessageRow(
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
    # A handoff that was deleted is one of an earlier compaction: nothing to find again.
    flagged = row.kind != MessageKind.MESSAGE and row.origin_row_id is not None
    return row_facts(message, _content(row), read_call_ids(row.tool_calls), flagged=flagged)


def _content(row: Any) -> Content:
    if row.blocks is None:
        text: str | None = row.text
        return text
    blocks = json.loads(row.blocks)
    items = blocks if isinstance(blocks, list) else [blocks]
    return [block for block in items if isinstance(block, dict | str)]
