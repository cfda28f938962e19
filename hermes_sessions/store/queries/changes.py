"""What changed since a place in the order of changes (`conversations.changed`)."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.store.schema.models import Conversation

MAX_CHANGES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedConversation:
    """A conversation that changed, as far as a page must know to follow.

    Attributes:
        id: the key, which never changes; `public_id` does when an older root turns up.
    """

    id: int
    public_id: str
    changed: int
    kind: str
    last_active_at: float
    message_count: int
    compaction_count: int
    worst_finding: str | None


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes since a cursor, newest first.

    Attributes:
        cursor: ask from here the next time.
        more: so much changed that some of it was left out: look at everything again.
    """

    cursor: int
    items: tuple[ChangedConversation, ...]
    more: bool


def latest_change(db: sa_orm.Session) -> int:
    """Return the cursor of this moment."""
    return db.scalar(select(func.max(Conversation.changed))) or 0


def load_changes(db: sa_orm.Session, since: int) -> Changes:
    """Return the conversations that changed behind a cursor, each once."""
    columns = [getattr(Conversation, name) for name in ChangedConversation.__slots__]
    stmt = (
        select(*columns)
        .where(Conversation.changed > since)
        .order_by(Conversation.changed.desc())
        .limit(MAX_CHANGES + 1)
    )
    found = [ChangedConversation(**row._mapping) for row in db.execute(stmt)]
    cursor = found[0].changed if found else since
    return Changes(cursor, tuple(found[:MAX_CHANGES]), len(found) > MAX_CHANGES)
