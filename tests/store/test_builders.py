"""The builders' own claims, so that tests can stand on them."""

from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Conversation
from tests.builders import a_compaction, a_conversation, a_message, a_session, messages


def test_a_continuation_becomes_the_tip(db: OrmSession) -> None:
    conversation = a_conversation(db, id="root")
    child = a_session(db, conversation)
    assert (conversation.public_id, conversation.tip_id) == ("root", child.id)
    assert child.ordinal == 1


def test_a_fork_leaves_the_tip(db: OrmSession) -> None:
    conversation = a_conversation(db)
    a_session(db, conversation, fork=True)
    assert conversation.tip_id == conversation.root_id
    assert conversation.fork_count == 1


def test_counts_are_kept(db: OrmSession) -> None:
    conversation = a_conversation(db)
    child = a_session(db, conversation)
    messages(db, child, "uau")
    a_message(db, child, role="session_meta")
    a_compaction(db, child)
    db.commit()
    stored = db.get_one(Conversation, conversation.id, populate_existing=True)
    assert (stored.message_count, stored.compaction_count, stored.preview) == (3, 1, "user 0")
    assert (child.message_count, child.shown_count) == (4, 3)
