"""Notes of where the facts of messages stand: kept with the message, and gone with it or with its words.

A note counts only for the digest that it was kept under, so that a stale one is never read;
what changes words in place takes it away all the same, for the sake of what was masked.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from sqlalchemy import delete, exists, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session as DbSession

from hermes_sessions import paths
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.schema.models import Message, MessageFacts, Session


@cache
def facts_version() -> str:
    """Return what changes with the code that finds facts."""
    return paths.source_digest("facts", "messages.py", "json_text.py")


def load_notes(db: DbSession, conversation_id: int) -> dict[int, str]:
    """Return the notes about the messages of a conversation, by digest."""
    stmt = (
        select(MessageFacts.digest, MessageFacts.places)
        .join(Message, Message.id == MessageFacts.message_id)
        .join(Session, Session.id == Message.session_id)
        .where(Session.conversation_id == conversation_id)
    )
    return {row.digest: row.places for row in db.execute(stmt)}


def keep_notes(db: DbSession, notes: Mapping[int, tuple[int, str]]) -> None:
    """Keep notes, each with its digest, by message; in place of those that were there."""
    if not notes:
        return
    connection = db.connection()
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    stmt = dialect.insert(MessageFacts)
    stmt = stmt.on_conflict_do_update(
        index_elements=["message_id"],
        set_={"digest": stmt.excluded.digest, "places": stmt.excluded.places},
    )
    rows = ((key, *note) for key, note in sorted(notes.items()))
    connection.execute(
        stmt, [dict(zip(("message_id", "digest", "places"), row, strict=True)) for row in rows]
    )


def drop_notes(db: DbSession, message_ids: Iterable[int]) -> None:
    """Take away what is noted of these messages."""
    for chunk in chunks(message_ids):
        statement = delete(MessageFacts).where(MessageFacts.message_id.in_(chunk))
        db.execute(statement.execution_options(synchronize_session=False))


def find_damaged(db: DbSession) -> Iterator[tuple[int, str]]:
    """Yield the messages whose notes are none, or that are not there, each with its note."""
    lost = ~exists().where(Message.id == MessageFacts.message_id)
    stmt = select(MessageFacts.message_id, MessageFacts.places, lost).order_by(MessageFacts.message_id)
    for key, places, is_lost in db.execute(stmt.execution_options(yield_per=1_000)):
        if is_lost or not _is_note(places):
            yield key, places


def _is_note(places: str) -> bool:
    try:
        found: Any = json.loads(places or "[[],[]]")
    except (ValueError, RecursionError):
        return False
    return isinstance(found, list) and [type(one) for one in found] == [list, list]
