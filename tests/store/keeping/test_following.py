"""Rows below a session are in its conversation, also after families merge or part."""

from collections.abc import Sequence

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.operations.organising.journal import Item, apply_items
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Message, Session
from hermes_sessions.store.schema.organising import SessionTag
from tests.builders import a_conversation, a_message, a_session, an_origin


@pytest.fixture
def two(db: OrmSession) -> Sequence[Session]:
    """Two conversations of one session each, both with messages; the second is tagged."""
    origin = an_origin(db)
    sessions = []
    for name in ("first", "second"):
        session = db.get_one(Session, a_conversation(db, origin=origin, id=name).root_id)
        a_message(db, session, f"asked in {name}")
        a_message(db, session, f"told in {name}", role="assistant")
        sessions.append(session)
    apply_items(db, [Item(sessions[1].id, "tags", [], ["work"])])
    db.commit()
    return sessions


def owners(database: Database, table: type[Message] | type[SessionTag]) -> dict[int, set[int]]:
    """Return session -> the conversations that its rows of a table say they are in."""
    found: dict[int, set[int]] = {}
    with database.read() as db:
        for session, conversation in db.execute(select(table.session_id, table.conversation_id)):
            found.setdefault(session, set()).add(conversation)
        assert check_store(db) == []
    return found


def test_rows_follow_their_session_into_another_conversation(
    db: OrmSession, database: Database, two: Sequence[Session]
) -> None:
    first, second = two
    second.relation, second.parent_id, second.parent_session_id = "compaction", first.id, first.foreign_id
    db.flush()
    refresh_conversations(db, [second.id])
    db.refresh(first)
    mine = {first.conversation_id}
    db.commit()
    assert owners(database, Message) == {first.id: mine, second.id: mine}
    assert owners(database, SessionTag) == {second.id: mine}


def test_rows_leave_with_their_session(db: OrmSession, database: Database) -> None:
    conversation = a_conversation(db)
    child = a_session(db, conversation)
    a_message(db, child, "on its own")
    child.relation = "branch"
    db.flush()
    refresh_conversations(db, [child.id])
    db.refresh(child)
    db.commit()
    assert child.conversation_id != conversation.id
    assert owners(database, Message) == {child.id: {child.conversation_id}}
