"""Locks of conversations, for writers that work beside each other on PostgreSQL.

Whoever changes sessions, messages, compactions or tags of a conversation, or what is kept of it, has its row
locked from before the first look until the end of the transaction. Rows are locked in the order
of their keys. A file has one writer at a time: nothing is asked there.
"""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.schema.models import Conversation, Session

_LOCKED: Final = "hermes_sessions.locked"


def lock_conversations(db: DbSession, conversations: Iterable[int]) -> bool:
    """Lock conversations by key; return whether any was not locked by this transaction yet."""
    if db.connection().dialect.name != "postgresql":
        return False
    locked: set[int] = db.info.setdefault(_LOCKED, set())
    wanted = set(conversations) - locked - {0}
    for chunk in chunks(wanted):
        db.execute(
            select(Conversation.id)
            .where(Conversation.id.in_(chunk))
            .order_by(Conversation.id)
            .with_for_update()
        ).all()
    locked |= wanted
    return bool(wanted)


def lock_sessions(db: DbSession, sessions: Iterable[int]) -> None:
    """Lock the conversations that sessions, by key, are part of, also where they move meanwhile."""
    if db.connection().dialect.name != "postgresql":
        return
    wanted = set(sessions)
    while True:
        owners: set[int] = set()
        for chunk in chunks(wanted):
            owners.update(db.scalars(select(Session.conversation_id).where(Session.id.in_(chunk))))
        if not lock_conversations(db, owners):
            return
