"""Stored parents of sessions that come late: their origin no longer shows the parent or is unread."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.values import CompactionRow, Family, SessionRow
from hermes_sessions.lineage import Placement, Relation
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.keeping.row_locks import lock_sessions
from hermes_sessions.store.schema.models import Session

_PORTION: Final = 5_000


@dataclass(slots=True)
class AbsentParents:
    """Parents that are in the store and not in the families that are written.

    Attributes:
        stored: foreign id -> key, `gone_at`, `trashed_at` and whether it is a fork.
        continued: keys of those that have a continuation which is followed.
        forks: new sessions that became forks because their parent went on elsewhere.
        placed: where new sessions hang whose parent is one of `stored`.
    """

    stored: dict[str, Any] = field(default_factory=dict)
    continued: set[int] = field(default_factory=set)
    forks: set[str] = field(default_factory=set)
    placed: dict[str, Placement] = field(default_factory=dict)

    def place(self, row: SessionRow, placed: Placement) -> Placement:
        """Return where *row* hangs when its parent is looked for here, too; parents come before children."""
        parent = self.stored.get(row.parent_session_id or "") if placed.parent is None else None
        is_continuation = placed.relation is Relation.COMPACTION
        if parent is None:
            if is_continuation and placed.parent in self.forks:
                self.forks.add(row.foreign_id)
                return replace(placed, fork=True)
            return placed
        fork = placed.fork
        if is_continuation:
            fork = parent.fork or parent.id in self.continued
            self.continued.add(parent.id)
            self.forks.update([row.foreign_id] if fork else ())
        relation = Relation.UNKNOWN if placed.relation is Relation.ROOT else placed.relation
        found = Placement(relation, row.parent_session_id, fork)
        self.placed[row.foreign_id] = found
        return found

    def key_among(self, written: Mapping[str, int], parent: str | None) -> int | None:
        """Return the key of a parent that is one of *written* (foreign id -> key) or stored; "" is an id."""
        if parent is None:
            return None
        known = self.stored.get(parent)
        return written.get(parent, None if known is None else known.id)

    def linked(self, row: CompactionRow, values: dict[str, Any]) -> dict[str, Any]:
        """Return the columns of a compaction, with the stored parent that its session goes on from."""
        placed = self.placed.get(row.session) if row.child is not None else None
        if placed is not None and row.parent == placed.parent and values["parent_id"] is None:
            return {**values, "parent_id": self.key_among({}, row.parent), "fork": placed.fork}
        forked = row.child is not None and row.session in self.forks
        return {**values, "fork": True} if forked else values

    def may_return(self, parent: str | None) -> bool:
        """Whether that parent is not known to be gone, so that its children are to be looked at again."""
        return parent in self.stored and self.stored[parent].gone_at is None

    def trashed_at(self, parent: str | None) -> float | None:
        """Return since when a stored parent is in the trash."""
        return None if parent not in self.stored else self.stored[parent].trashed_at


def find_absent_parents(
    db: DbSession, origin_id: int, families: Sequence[Family], fresh: Iterable[str]
) -> AbsentParents:
    """Look up the parents that sessions of *families* name and that are not among them; lock those found.

    Args:
        fresh: the sessions that are not in the store.
    """
    found = AbsentParents()
    rows = {row.foreign_id: row for family in families for row in family.sessions}
    parents = {rows[one].parent_session_id for one in fresh} - rows.keys()
    named = sorted(one for one in parents if one is not None)
    asked = [Session.id, Session.foreign_id, Session.gone_at, Session.trashed_at, Session.fork]
    for locking in (True, False):  # as they are now that nobody changes them
        for at in range(0, len(named), _PORTION):
            known = db.execute(
                select(*asked).where(
                    Session.origin_id == origin_id, Session.foreign_id.in_(named[at : at + _PORTION])
                )
            )
            found.stored.update({row.foreign_id: row for row in known})
        if locking:
            lock_sessions(db, [row.id for row in found.stored.values()])
    for keys in chunks([row.id for row in found.stored.values()]):
        found.continued.update(
            one
            for one in db.scalars(
                select(Session.parent_id).where(
                    Session.parent_id.in_(keys), Session.relation == Relation.COMPACTION, ~Session.fork
                )
            )
            if one is not None
        )
    return found
