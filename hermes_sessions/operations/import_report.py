"""What an import tells: counts of the file's rows that are in the store, and all that was odd."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.importers.hermes import HermesSource
from hermes_sessions.store.models import Compaction, Message, Origin, Session

_KEPT_WARNINGS: Final = 1_000
_PORTION: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did; counts are of the file's rows that are in the store now.

    Attributes:
        unchanged: the store was up to date with the file already.
        copy: the file is a copy of a database that is still where it was.
        forgotten: sessions of the file that were forgotten here, and not taken.
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
    seconds: float = 0.0

    @property
    def needs_a_look(self) -> bool:
        """Rows were not taken, or the file is damaged."""
        return bool(self.rejected or self.damage)


def make_report(
    db: DbSession, source: HermesSource, origin: Origin, clashes: Mapping[str, str]
) -> ImportReport:
    """Return what the store has of the file that *source* reads.

    Args:
        clashes: session ids of the file that another origin uses too -> that origin's label.
    """
    sessions = conversations = rows = copies = 0
    compactions = {"rotation": 0, "in_place": 0, "interrupted": 0}
    before: int | None = None
    for part in _stored_sessions(db, source, origin.id):
        for row in part:
            sessions += source.entries[row.foreign_id].stored
            conversations += row.conversation_id != before
            before = row.conversation_id
        chunk = [row.id for row in part]
        own = Message.session_id.in_(chunk), Message.origin_row_id <= source.bound
        rows += db.scalar(select(func.count()).select_from(Message).where(*own)) or 0
        copies += (
            db.scalar(select(func.count()).select_from(Message).where(*own, Message.copy_of.is_not(None)))
            or 0
        )
        for realisation, status, number in db.execute(
            select(Compaction.realisation, Compaction.status, func.count())
            .where(Compaction.session_id.in_(chunk), Compaction.origin_key.is_not(None))
            .group_by(Compaction.realisation, Compaction.status)
        ):
            compactions["interrupted" if status == "interrupted" else realisation] += number
    return ImportReport(
        origin=origin.label,
        location=str(source.foreign.path),
        schema_version=source.schema_version,
        sessions=sessions,
        messages=rows,
        conversations=conversations,
        compactions=compactions,
        copies=copies,
        rejected=tuple({"table": one.table, "id": one.id, "reason": one.reason} for one in source.rejected),
        warnings=_told_warnings(source, origin.label, clashes),
        damage=tuple(str(one) for one in source.damage),
    )


def _stored_sessions(db: DbSession, source: HermesSource, origin_id: int) -> Iterator[list[Any]]:
    """Yield the stored sessions of the file in portions, those of a conversation side by side."""
    known = db.execute(
        select(Session.id, Session.foreign_id, Session.conversation_id)
        .where(Session.origin_id == origin_id)
        .order_by(Session.conversation_id),
        execution_options={"yield_per": _PORTION},
    )
    for part in known.partitions():
        mine = [row for row in part if row.foreign_id in source.entries]
        if mine:
            yield mine


def _told_warnings(
    source: HermesSource, label: str, clashes: Mapping[str, str]
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
    return (*apart[:_KEPT_WARNINGS], *values)
