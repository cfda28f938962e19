"""What an agent's compaction kept is its tail, though it is stored before the handoff."""

from sqlalchemy import select

from hermes_sessions.operations.auditing.context_seen import load_seen
from hermes_sessions.operations.auditing.conversation_case import load_case
from hermes_sessions.store.schema.models import Compaction, Conversation, Message
from tests.agents.changes.present import bring
from tests.agents.pi.conftest import PiHome


def test_kept_messages_are_the_tail_of_the_context_after_the_handoff(database, tmp_path):
    talk = PiHome(tmp_path / "pi").talk()
    for text in ("one", "two"):
        talk.ask(text)
        talk.reply(f"to {text}")
    talk.compact("The first turn.", talk.said[2]["id"])
    talk.ask("three")
    talk.write()
    bring(database, tmp_path / "pi")
    with database.read() as db:
        [event] = db.scalars(select(Compaction))
        [conversation] = db.scalars(select(Conversation))
        last = db.scalars(select(Message).where(Message.text == "three")).one()
        [case] = load_case(db, conversation.id).compactions
        seen = load_seen(db, conversation.public_id, last.id)
    assert (event.head_messages, event.tail_messages, case.head) == (0, 2, ())
    assert [row.text for row in case.span] == ["one", "to one"]
    assert [row.text for row in case.after if row.id != event.handoff_id] == ["two", "to two"]
    said = [str(one["content"]) for one in seen.messages]
    assert [text for text in said if text in ("one", "two", "to two", "three")] == ["two", "to two", "three"]
