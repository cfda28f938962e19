"""A few numbers about the store as a whole, for whoever watches it; each by one index or small table."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.queries.overview import stored_bytes
from hermes_sessions.store.schema.models import Compaction, Conversation, Finding, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginFigures:
    """How an origin's last sync went; `location` is where it lies."""

    label: str
    location: str | None
    paused: bool
    last_synced_at: float | None
    failing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFigures:
    """What there is of everything.

    Attributes:
        bytes: what the store takes, its log not counted.
        messages: what the scrolls show together.
        compactions: (realisation, status) -> how many.
        findings: severity -> how many.
    """

    bytes: int
    conversations: int
    messages: int
    compactions: dict[tuple[str, str], int]
    findings: dict[str, int]
    origins: tuple[OriginFigures, ...]


def load_figures(db: DbSession) -> StoreFigures:
    """Count; no message is read."""
    conversations, messages = db.execute(
        select(func.count(), func.coalesce(func.sum(Conversation.message_count), 0)).select_from(Conversation)
    ).one()
    kinds = select(Compaction.realisation, Compaction.status, func.count())
    compactions = db.execute(kinds.group_by(Compaction.realisation, Compaction.status)).all()
    findings = db.execute(select(Finding.severity, func.count()).group_by(Finding.severity)).all()
    origins = select(
        Origin.label, Origin.location, Origin.paused, Origin.last_synced_at, Origin.last_error
    ).order_by(Origin.label)
    return StoreFigures(
        bytes=stored_bytes(db),
        conversations=conversations,
        messages=int(messages),
        compactions={(row[0], row[1]): row[2] for row in compactions},
        findings={row[0]: row[1] for row in findings},
        origins=tuple(
            OriginFigures(
                label=row.label,
                location=row.location,
                paused=row.paused,
                last_synced_at=row.last_synced_at,
                failing=row.last_error is not None,
            )
            for row in db.execute(origins)
        ),
    )
