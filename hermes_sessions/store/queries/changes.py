"""What changed since a place in the order of changes (`conversations.changed`).

On PostgreSQL the number of a change is that of its transaction, and transactions end in another
order than they began. So only changes below the lowest number that may still come are given
out: a cursor never passes one that is missing. Transactions of other databases of the same
server, which count together with ours, hold nothing up; on a replica, which does not know them, they do.
"""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy import orm as sa_orm
from sqlalchemy import text as sql

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
    """Changes since a cursor, newest first; of one number, the conversation stored last.

    Attributes:
        cursor: ask from here the next time.
        more: so much changed that some of it was left out: look at everything again.
        held: something changed that is not given out yet: look again, though nothing else may happen.
    """

    cursor: int
    items: tuple[ChangedConversation, ...]
    more: bool
    held: bool = False


_CEILING = sql(
    "SELECT coalesce((SELECT min(x::text::bigint) FROM pg_snapshot_xip(pg_current_snapshot()) AS x"
    "  WHERE NOT EXISTS (SELECT 1 FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid"
    "   WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted"
    "   AND l.transactionid::text::bigint = x::text::bigint & 4294967295"
    "   AND a.datid <> (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database()))),"
    " (CASE WHEN pg_is_in_recovery() THEN pg_snapshot_xmin(pg_current_snapshot())"
    "  ELSE pg_snapshot_xmax(pg_current_snapshot()) END)::text::bigint)"
)
_BASE = sql("SELECT last_value FROM change_base")


def _ceiling(db: sa_orm.Session) -> int | None:
    """Return the lowest number that a change may still get which is not seen yet; None: all are seen."""
    if db.connection().dialect.name != "postgresql":
        return None
    # Two questions: one about this server's transactions, one about the store.
    return int(db.scalar(_CEILING) or 0) + int(db.scalar(_BASE) or 0)


def latest_change(db: sa_orm.Session) -> int:
    """Return the cursor of this moment."""
    stmt = select(func.max(Conversation.changed))
    ceiling = _ceiling(db)
    return db.scalar(stmt if ceiling is None else stmt.where(Conversation.changed < ceiling)) or 0


def load_changes(db: sa_orm.Session, since: int) -> Changes:
    """Return the conversations that changed behind a cursor, each once."""
    columns = [getattr(Conversation, name) for name in ChangedConversation.__slots__]
    stmt = (
        select(*columns)
        .where(Conversation.changed > since)
        .order_by(Conversation.changed.desc(), Conversation.id.desc())
        .limit(MAX_CHANGES + 1)
    )
    held = False
    if (ceiling := _ceiling(db)) is not None:
        stmt = stmt.where(Conversation.changed < ceiling)
        held = bool(
            db.scalar(select(select(Conversation.id).where(Conversation.changed >= ceiling).exists()))
        )
    found = [ChangedConversation(**row._mapping) for row in db.execute(stmt)]
    cursor = found[0].changed if found else since
    return Changes(cursor, tuple(found[:MAX_CHANGES]), len(found) > MAX_CHANGES, held)
