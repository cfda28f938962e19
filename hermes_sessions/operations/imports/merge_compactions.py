"""The compactions of a family that is merged, and what a merge knows of the family.

Those the origin shows are stored under a key of their own, so that the next sync meets
them again; those made here, or known here only, are left as they are.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.values import CompactionRow, Family
from hermes_sessions.lineage import Relation
from hermes_sessions.messages import CompactionMethod, CompactionStatus, Realisation
from hermes_sessions.operations.writing.absent_parents import AbsentParents
from hermes_sessions.operations.writing.noted_compactions import NotedCompactions, with_noted
from hermes_sessions.operations.writing.row_values import (
    ImportedFrom,
    Keys,
    compaction_links,
    compaction_values,
)
from hermes_sessions.store.engines.row_keys import next_keys
from hermes_sessions.store.engines.statements import chunks, update_rows
from hermes_sessions.store.keeping.conversation_upkeep import MOST_ORDINAL
from hermes_sessions.store.schema.models import Compaction, Message, Session
from hermes_sessions.store.writes import UNPLACED, add_rows, release_rows

_LASTING = ("prune:", "attempt:")
"""How the keys begin of what an agent's log said once: logs are not kept for ever, and take nothing back.

Where an agent says it in its messages (`NATIVE`), it is as true as they are.
"""
_SPAN = ("span_messages", "span_stored", "head_messages", "tail_messages")


@dataclass(slots=True)
class Merge:
    """One family on its way into the store."""

    family: Family
    origin: ImportedFrom
    keys: Keys
    fresh: set[str] = field(default_factory=set)
    """Sessions that were not in the store: none of their rows is."""
    complete: bool = False
    """Every row of these sessions could be read."""
    unread: Collection[str] = ()
    """Sessions that are stored here and that this run could not read; they may well be there."""
    absent: AbsentParents = field(default_factory=AbsentParents)
    """Stored parents of sessions that are new."""
    links_lost: dict[str, int] = field(default_factory=dict)
    """Sessions whose parent is stored here but no longer at the origin, or not to be read today.

    Their files alone do not say what of them is the parent's; of how many first rows it is, is known here.
    """
    found_anew: set[str] = field(default_factory=set)
    """Keys of compactions that were not stored before."""
    waiting: set[str] = field(default_factory=set)
    """Those of them to look at again, when their parent can be read."""
    made_here: set[int] = field(default_factory=set)
    """Compactions of these sessions that only this store knows: made here, or their child is gone."""
    continued_here: set[int] = field(default_factory=set)
    """Sessions with such a continuation."""
    deleted: set[int] = field(default_factory=set)
    """Rows that the origin deleted; what was found to repeat them goes on to do so."""
    gone: dict[tuple[int, str], int] = field(default_factory=dict)
    """Those of them by session and the key that they had: the origin may have them again."""
    unfolded: dict[int, dict[str, Any]] = field(default_factory=dict)
    """What rows were that seem to repeat nothing any more."""
    joined: set[int] = field(default_factory=set)
    """Compactions whose span is known here only."""
    added: set[int] = field(default_factory=set)
    """Rows that this merge stored; all others were there before."""
    released: set[int] = field(default_factory=set)
    """Rows that a compaction took which is no longer known."""
    outdated: list[int] = field(default_factory=list)
    """Compactions in place that are no longer found; kept where the origin deleted their rows."""

    @property
    def is_told_whole(self) -> bool:
        """Whether the origin's files say all: they were read to their end, with all that compactions took.

        Then a row that is gone was rewritten or taken back, and no row is a copy of it.
        """
        whole = self.family.rows_whole or (self.complete and self.family.keeps_compacted)
        return whole and all(row.span_stored for row in self.family.compactions)


def find_made_here(db: DbSession, merge: Merge) -> None:
    """Find compactions of the family's sessions that the family as it is now does not show."""
    sessions = set(merge.keys.sessions.values())
    for chunk in chunks(sessions):
        for row in db.execute(
            select(
                Compaction.id, Compaction.origin_key, Compaction.session_id,
                Compaction.parent_id, Compaction.child_id,
            ).where(Compaction.parent_id.in_(chunk))
        ):  # fmt: skip
            if row.origin_key is None or row.session_id not in sessions:
                merge.made_here.add(row.id)
                if row.child_id is not None and row.child_id not in sessions:
                    merge.continued_here.add(row.parent_id)


def write_compactions(db: DbSession, merge: Merge) -> None:
    """Store the family's compactions without what points at rows; forget those that are no more."""
    sessions = list(merge.keys.sessions.values())
    spans = _stored_compactions(db, sessions)
    stored = {one: row.id for one, row in spans.items()}
    links_lost = {f"rotation:{one}" for one in merge.links_lost}
    kept = set(links_lost)
    found_events = [
        row
        for row in merge.family.compactions
        if row.status is not CompactionStatus.INTERRUPTED
        or row.child is not None
        or merge.keys.sessions[row.session] not in merge.continued_here
    ]
    logged = {one for one, row in spans.items() if row.realisation != Realisation.NATIVE}
    kept |= {one for one in logged if one.startswith(_LASTING)}
    kept |= _known_before(merge, found_events, spans)
    wanted = {row.key for row in found_events} | kept
    outdated = {} if merge.family.grown else {one: key for one, key in stored.items() if one not in wanted}
    merge.outdated = [key for one, key in outdated.items() if one.startswith("in_place:")]
    _forget_compactions(db, merge, [key for key in outdated.values() if key not in merge.outdated])
    noted = NotedCompactions(db, sessions)
    new, changed = [], []
    for row in found_events:
        if row.key in stored and (row.key in links_lost or row.session in merge.links_lost):
            merge.keys.compactions[row.key] = stored[row.key]
            continue
        values = merge.absent.linked(row, compaction_values(row, merge.keys))
        replaced = _replaced_rows(row)
        if row.key in stored and replaced and spans[row.key].span_stored:
            merge.joined.add(stored[row.key])
            values |= {name: getattr(spans[row.key], name) for name in _SPAN}
        if row.key in stored:
            merge.keys.compactions[row.key] = stored[row.key]
            values["focus"] = row.focus or spans[row.key].focus
            changed.append({"key": stored[row.key], **with_noted(values, spans[row.key].claim)})
        elif (known := noted.take(values)) is not None:
            merge.keys.compactions[row.key] = known.id
            changed.append({"key": known.id, **with_noted(values, known.claim)})
        else:
            new.append((row.key, values))
    # A parent has one continuation that is no fork: who becomes a fork makes room first.
    changed.sort(key=lambda values: not values["fork"])
    update_rows(db, Compaction, changed)
    merge.found_anew.update(key for key, _ in new)
    keys = next_keys(db, Compaction, len(new))
    merge.keys.compactions.update((key, one) for one, (key, _) in zip(keys, new, strict=True))
    add_rows(
        db,
        Compaction,
        [{"id": one, **UNPLACED, **values} for one, (_, values) in zip(keys, new, strict=True)],
    )
    if new and changed:
        _place_compactions(db, merge)


def _known_before(merge: Merge, events: Sequence[CompactionRow], spans: Mapping[str, Any]) -> set[str]:
    """Return the keys of compactions that are known here only: the file begins with a later one."""
    first: dict[int, int] = {}
    for row in events:
        if row.realisation is Realisation.NATIVE and _replaced_rows(row):
            known = spans.get(row.key)
            place = MOST_ORDINAL if known is None else known.ordinal or MOST_ORDINAL
            first.setdefault(merge.keys.sessions[row.session], place)
    return {
        one
        for one, row in spans.items()
        if row.realisation == Realisation.NATIVE and (row.ordinal or 0) < first.get(row.session_id, 0)
    }


def _stored_compactions(db: DbSession, sessions: Sequence[int]) -> dict[str, Any]:
    """Return what is stored of the compactions of sessions, by the key in their origin."""
    spans: dict[str, Any] = {}
    columns = [getattr(Compaction, name) for name in _SPAN]
    for at in range(0, len(sessions), 500):
        found = db.execute(
            select(
                Compaction.origin_key, Compaction.id, Compaction.claim, Compaction.realisation,
                Compaction.focus, Compaction.session_id, Compaction.ordinal, *columns
            ).where(Compaction.session_id.in_(sessions[at : at + 500]), Compaction.origin_key.is_not(None))
        )  # fmt: skip
        spans.update({row.origin_key: row for row in found})
    return spans


def _place_compactions(db: DbSession, merge: Merge) -> None:
    """Number the compactions of the sessions in the order of the family: a new one may be before others.

    Those that the family does not show stay behind the one that they were behind.
    """
    known = merge.keys.compactions
    wanted = [known[row.key] for row in merge.family.compactions if row.key in known]
    place = {key: at for at, key in enumerate(wanted)}
    rows: list[Any] = []
    for chunk in chunks(merge.keys.sessions.values()):
        asked = select(Compaction.id, Compaction.ordinal).where(Compaction.session_id.in_(chunk))
        rows += db.execute(asked)
    ordered: list[tuple[int, int, int]] = []
    before = -1
    for at, row in enumerate(sorted(rows, key=lambda row: (row.ordinal or MOST_ORDINAL, row.id))):
        before = place.get(row.id, before)
        ordered.append((before, at, row.id))
    ordered.sort()
    numbered = enumerate((key for *_, key in ordered), start=1)
    update_rows(db, Compaction, [{"key": key, "ordinal": number} for number, key in numbered])


def yield_to_origin(db: DbSession, merge: Merge) -> None:
    """Where the agent went on from a session that was compacted here too, ours becomes the fork."""
    parents = {
        merge.keys.sessions[placed.parent]
        for placed in merge.family.placements.values()
        if placed.relation is Relation.COMPACTION and placed.parent is not None and not placed.fork
    }
    rivals: Sequence[int] = []
    for chunk in chunks(parents):
        rivals = db.scalars(
            select(Session.id).where(
                Session.parent_id.in_(chunk),
                Session.relation == Relation.COMPACTION,
                Session.origin_id != merge.origin.id,
                ~Session.fork,
            )
        ).all()
        while rivals:
            update_rows(db, Session, [{"key": one, "fork": True} for one in rivals])
            events = db.scalars(select(Compaction.id).where(Compaction.child_id.in_(rivals))).all()
            update_rows(db, Compaction, [{"key": one, "fork": True} for one in events])
            rivals = db.scalars(
                select(Session.id).where(
                    Session.parent_id.in_(rivals), Session.relation == Relation.COMPACTION, ~Session.fork
                )
            ).all()


def forget_rewritten(db: DbSession, merge: Merge) -> None:
    """Forget compactions in place that the rows no longer show, unless those rows were deleted."""
    handoff = Message.__table__.alias("handoff")
    for chunk in chunks(merge.outdated):
        _forget_compactions(
            db,
            merge,
            db.scalars(
                select(Compaction.id)
                .outerjoin(handoff, handoff.c.id == Compaction.handoff_id)
                .where(
                    Compaction.id.in_(chunk),
                    or_(handoff.c.id.is_(None), handoff.c.origin_key.is_not(None)),
                )
            ).all(),
        )


def forget_inherited(db: DbSession, merge: Merge) -> None:
    """Forget what seems to be a new compaction of a session whose parent is away, and is that parent's."""
    rows = [
        row
        for row in merge.family.compactions
        if row.key in merge.found_anew and row.session in merge.links_lost
    ]
    for row in rows:
        refs = (row.span_last, row.handoff)
        last = [key for ref in refs if ref is not None and (key := merge.keys.messages.get(ref)) is not None]
        place = db.scalar(select(func.max(Message.position)).where(Message.id.in_(last)))
        if place is not None and place < merge.links_lost[row.session]:
            _forget_compactions(db, merge, [merge.keys.compactions.pop(row.key)])


def find_replacing(merge: Merge, session: str, realisation: Realisation) -> int | None:
    """Return the compaction that a session's new rows begin with, if its span was deleted."""
    for row in merge.family.compactions:
        if row.session == session and row.realisation is realisation and _replaced_rows(row):
            return merge.keys.compactions[row.key]
    return None


def _replaced_rows(row: CompactionRow) -> bool:
    """Whether a compaction deleted the rows that it summarised; a prune deletes none."""
    return (
        row.realisation is not Realisation.ROTATION
        and not row.span_stored
        and row.method is not CompactionMethod.PRUNE
    )


def _forget_compactions(db: DbSession, merge: Merge, ids: Sequence[int]) -> None:
    if not ids:
        return
    merge.released.update(release_rows(db, ids))
    db.execute(delete(Compaction).where(Compaction.id.in_(ids)).execution_options(synchronize_session=False))


def link_compactions(db: DbSession, merge: Merge) -> None:
    """Write what points at rows, now that the rows are there."""
    lost = {f"rotation:{one}" for one in merge.links_lost}
    rows = [
        {
            "key": merge.keys.compactions[row.key],
            **compaction_links(row, merge.keys.messages.get),
        }
        for row in merge.family.compactions
        if row.key not in lost and row.key in merge.keys.compactions
        if row.session not in merge.links_lost or row.key in merge.found_anew
    ]
    update_rows(db, Compaction, [row for row in rows if row["key"] not in merge.joined])
    joined = [row for row in rows if row["key"] in merge.joined]
    update_rows(db, Compaction, [{"key": row["key"], "handoff_id": row["handoff_id"]} for row in joined])
