"""Origins: the foreign databases that rows came from, and how their last sync went."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.store.schema.models import Conversation, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginRow:
    """One origin as its page shows it."""

    id: int
    kind: str
    label: str
    location: str | None
    schema_version: str | None
    paused: bool
    created_at: float
    last_synced_at: float | None
    last_error: str | None
    conversations: int


def list_labels(db: sa_orm.Session) -> tuple[str, ...]:
    """Return the label of every origin, in their order."""
    return tuple(db.scalars(select(Origin.label).order_by(Origin.label)))


def list_origins(db: sa_orm.Session) -> tuple[OriginRow, ...]:
    """Return every origin by label, with the number of its conversations."""
    count = (
        select(func.count())
        .select_from(Conversation)
        .where(Conversation.origin_id == Origin.id)
        .scalar_subquery()
    )
    own = [getattr(Origin, name) for name in OriginRow.__slots__ if name != "conversations"]
    rows = db.execute(select(*own, count.label("conversations")).order_by(Origin.label))
    return tuple(OriginRow(**row._mapping) for row in rows)
