"""Rows that their agent wrote anew under other ids, with the same contents: they are the same rows.

So does an agent that gives ids to the lines of an older version in their place.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.values import MessageRow
from hermes_sessions.operations.imports.merge_compactions import Merge
from hermes_sessions.store.engines.statements import chunks, update_rows
from hermes_sessions.store.schema.models import Message

_SAID = ("role", "created_at", "text", "blocks", "tool_calls", "tool_call_id", "reasoning")
"""By what a row is known again: who said what, and when."""


def rename_rows(db: DbSession, merge: Merge, batches: Sequence[tuple[str, Sequence[MessageRow]]]) -> None:
    """Give stored rows whose keys are gone the keys that the same messages have now.

    Args:
        batches: all rows of the family, by session.
    """
    rows: dict[str, list[MessageRow]] = defaultdict(list)
    for session, batch in batches:
        if session not in merge.fresh:
            rows[session] += batch
    for session, mine in rows.items():
        _rename(db, merge, merge.keys.sessions[session], mine)


def _rename(db: DbSession, merge: Merge, session_id: int, rows: Sequence[MessageRow]) -> None:
    asked = select(Message.id, Message.origin_key).where(
        Message.session_id == session_id, Message.origin_key.is_not(None)
    )
    stored = {row.origin_key: row.id for row in db.execute(asked)}
    new = [
        row for row in rows if row.origin_key not in stored and (session_id, row.origin_key) not in merge.gone
    ]
    if not new:
        return
    present = {row.origin_key for row in rows}
    waiting = _said(db, [key for name, key in stored.items() if name not in present])
    renamed = []
    for row in new:
        same = waiting.get(tuple(getattr(row, name) for name in _SAID))
        if same:
            renamed.append({"key": same.popleft(), "origin_key": row.origin_key})
    update_rows(db, Message, renamed)


def _said(db: DbSession, gone: Sequence[int]) -> dict[tuple[Any, ...], deque[int]]:
    """Return the rows whose keys are gone by what they say, each time in their order."""
    columns = [getattr(Message, name) for name in _SAID]
    found = [
        row
        for chunk in chunks(gone)
        for row in db.execute(select(Message.id, Message.position, *columns).where(Message.id.in_(chunk)))
    ]
    said: dict[tuple[Any, ...], deque[int]] = defaultdict(deque)
    for row in sorted(found, key=lambda one: one.position):
        said[tuple(getattr(row, name) for name in _SAID)].append(row.id)
    return said
