"""Compactions that a host noted here before an import showed them: found again, and joined."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.messages import CompactionMethod, CompactionStatus, Realisation
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.schema.models import Compaction

NOTED: Final = "$noted"
"""In `claim`: the columns that only the host knows; an import leaves them."""


class NotedCompactions:
    """What was noted of some sessions and not joined yet, oldest first."""

    def __init__(self, db: DbSession, session_ids: Sequence[int]) -> None:
        self._waiting: dict[tuple[str, int], list[Any]] = {}
        columns = (Compaction.id, Compaction.realisation, Compaction.parent_id, Compaction.summary)
        for chunk in chunks(session_ids):
            stmt = (
                select(*columns, Compaction.claim)
                .where(Compaction.parent_id.in_(chunk), Compaction.origin_key.is_(None))
                .where(Compaction.status == CompactionStatus.COMMITTED, Compaction.child_id.is_(None))
                .order_by(Compaction.id)
            )
            for row in db.execute(stmt):
                if NOTED in (row.claim or {}):
                    self._waiting.setdefault((row.realisation, row.parent_id), []).append(row)

    def take(self, values: Mapping[str, Any]) -> Any | None:
        """Return the row noted for a compaction with these *values*: by its summary, else the oldest."""
        rotation = values["realisation"] == Realisation.ROTATION
        compacted = values["parent_id"] if rotation else values["session_id"]
        waiting = self._waiting.get((values["realisation"], compacted), [])
        is_prune = values["method"] == CompactionMethod.PRUNE
        if values["status"] != CompactionStatus.COMMITTED or is_prune or not waiting:
            return None
        same = [row for row in waiting if row.summary and row.summary == values["summary"]]
        found = (same or waiting)[0]
        waiting.remove(found)
        return found


def with_noted(values: dict[str, Any], claim: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return *values* of an import with what a host noted under *claim* in their place."""
    noted = (claim or {}).get(NOTED)
    if noted is None:
        return values
    return {**values, **noted, "claim": {**(values["claim"] or {}), NOTED: noted}}
