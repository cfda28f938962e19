"""What an import tells: counts of the file's rows that are in the store, and all that was odd."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.contract import Source
from hermes_sessions.messages import CompactionMethod
from hermes_sessions.store.schema.models import Compaction, Message, Origin, Session

USUAL_KINDS: Final = ("rotation", "in_place", "interrupted")
"""Kinds of compactions that are counted even where there is none."""
NO_SESSIONS: Final = "there is none in this place yet"
NO_MESSAGES: Final = "no messages in it; `list --kind all` shows it"
_KEPT_WARNINGS: Final = 1_000
_PORTION: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did; counts are of the file's rows that are in the store now.

    Attributes:
        unchanged: the store was up to date with the file already.
        compactions: their realisation, or "interrupted" -> how many; `USUAL_KINDS` and any other.
        prunes: how often results of tools were cleared; none of them is a compaction.
        copy: the file is a copy of a database that is still where it was.
        forgotten: sessions of the file that were forgotten here, and not taken.
        reread: all of it was read, for an older release had read it in another way.
        unscrubbed: why text that was masked or erased is still in the store's file.
    """

    origin: str
    location: str
    schema_version: str
    sessions: int
    messages: int
    conversations: int
    compactions: Mapping[str, int]
    copies: int
    rejected: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[Mapping[str, Any], ...] = ()
    damage: tuple[str, ...] = ()
    unchanged: bool = False
    copy: bool = False
    forgotten: int = 0
    unscrubbed: str | None = None
    prunes: int = 0
    reread: bool = False
    seconds: float = 0.0

    @property
    def needs_a_look(self) -> bool:
        """Rows were not taken, the file is damaged, or the store's file could not be scrubbed."""
        return bool(self.rejected or self.damage or self.unscrubbed)


def make_report(
    db: DbSession, source: Source, origin: Origin, clashes: Mapping[str, str], *, copy: bool
) -> ImportReport:
    """Return what the store has of the file that *source* reads.

    Args:
        copy: the file is another copy of the origin, maybe an older one with fewer rows.
        clashes: session ids of the file that another origin uses too -> that origin's label.
    """
    sessions = conversations = rows = copies = prunes = 0
    compactions: Counter[str] = Counter()
    before: int | None = None
    empty: list[str] = []
    for part in _stored_sessions(db, source, origin.id):
        for row in part:
            sessions += source.entries[row.foreign_id].stored
            conversations += row.conversation_id != before
            before = row.conversation_id
            if not row.message_count and len(empty) < _KEPT_WARNINGS:
                empty.append(row.foreign_id)
        chunk = [row.id for row in part]
        for stored, repeated in _stored_rows(db, part, source, copy=copy):
            rows += stored
            copies += repeated
        kinds = (Compaction.realisation, Compaction.status, Compaction.method)
        for realisation, status, method, number in db.execute(
            select(*kinds, func.count())
            .where(Compaction.session_id.in_(chunk), Compaction.origin_key.is_not(None))
            .group_by(*kinds)
        ):
            if method == CompactionMethod.PRUNE:
                prunes += number
            else:
                compactions["interrupted" if status == "interrupted" else realisation] += number
    return ImportReport(
        origin=origin.label,
        location=str(source.location),
        schema_version=source.schema_version,
        sessions=sessions,
        messages=rows,
        conversations=conversations,
        compactions=counted_compactions(compactions),
        prunes=prunes,
        copies=copies,
        rejected=tuple({"table": one.table, "id": one.id, "reason": one.reason} for one in source.rejected),
        warnings=_told_warnings(source, origin.label, clashes, empty),
        damage=tuple(source.damage),
    )


def counted_compactions(found: Mapping[str, int]) -> dict[str, int]:
    """Return how many compactions there are of each kind: the usual ones, then any other that was met."""
    return {kind: found.get(kind, 0) for kind in USUAL_KINDS} | dict(sorted(found.items()))


def _stored_sessions(db: DbSession, source: Source, origin_id: int) -> Iterator[list[Any]]:
    """Yield the stored sessions of the file in portions, those of a conversation side by side."""
    known = db.execute(
        select(Session.id, Session.foreign_id, Session.conversation_id, Session.message_count)
        .where(Session.origin_id == origin_id)
        .order_by(Session.conversation_id),
        execution_options={"yield_per": _PORTION},
    )
    for part in known.partitions():
        mine = [row for row in part if row.foreign_id in source.entries]
        if mine:
            yield mine


def _stored_rows(
    db: DbSession, part: Sequence[Any], source: Source, *, copy: bool
) -> Iterator[tuple[int, int]]:
    """Yield for each of some sessions how many of the file's rows are stored, and how many are copies."""
    names = {row.id: row.foreign_id for row in part}
    found = db.execute(
        select(Message.session_id, func.count().label("rows"), func.count(Message.copy_of).label("copies"))
        .where(Message.session_id.in_(names), Message.origin_key.is_not(None))
        .group_by(Message.session_id)
    )
    for row in found.all():
        most = source.entries[names[row.session_id]].rows
        if not copy or row.rows <= most:
            yield row.rows, row.copies
        else:  # it is an older copy: its rows are the first ones
            first = (
                select(Message.copy_of)
                .where(Message.session_id == row.session_id, Message.origin_key.is_not(None))
                .order_by(Message.position)
                .limit(most)
            )
            yield most, sum(one is not None for one in db.scalars(first))


def _told_warnings(
    source: Source, label: str, clashes: Mapping[str, str], empty: Sequence[str]
) -> tuple[dict[str, Any], ...]:
    apart = [
        {
            "table": "sessions",
            "id": one,
            "column": "id",
            "reason": f"origin {other} uses this id too; kept apart as {label}:{one}",
        }
        for one, other in clashes.items()
    ]
    values = [
        {"table": one.table, "id": one.id, "column": one.column, "reason": one.reason}
        for one in source.warnings[:_KEPT_WARNINGS]
    ]
    without = [{"table": "sessions", "id": one, "column": None, "reason": NO_MESSAGES} for one in empty]
    told: tuple[dict[str, Any], ...] = (*apart[:_KEPT_WARNINGS], *values, *without)
    if told or source.entries or source.rejected or source.damage:
        return told
    return ({"table": "sessions", "id": label, "column": None, "reason": NO_SESSIONS},)
