"""What an agent's compaction kept is its tail, though it is stored before the handoff."""

from sqlalchemy import select

from hermes_sessions.operations.auditing.audit_conversations import audit_case
from hermes_sessions.operations.auditing.context_seen import load_seen
from hermes_sessions.operations.auditing.conversation_case import load_case
from hermes_sessions.operations.auditing.one_compaction import audit_compaction
from hermes_sessions.store.queries.compactions import find_compaction
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Session
from hermes_sessions.web.auditing.compaction_view import after_column
from tests.agents.changes.present import bring
from tests.agents.claude_code.conftest import ClaudeHome
from tests.agents.pi.conftest import PiHome
from tests.agents.roo.conftest import RooHome


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
    assert [row.text for row in case.before] == ["one", "to one", "two", "to two"]
    assert [row.text for row in case.kept.values()] == ["two", "to two"]
    marks = [line.fate for line in after_column(case, "You").lines if line.id != event.handoff_id]
    assert marks == ["kept", "kept"]
    said = [str(one["content"]) for one in seen.messages]
    assert [text for text in said if text in ("one", "two", "to two", "three")] == ["two", "to two", "three"]


def test_a_last_request_whose_answer_was_kept_is_in_order(database, tmp_path):
    talk = PiHome(tmp_path / "pi").talk()
    for text in ("Move the harbour gateway to port 8443.", "Archive the ledger of the maple tenant."):
        talk.ask(text)
        talk.reply("That is done: the copper shard is in its place.")
    talk.compact("The gateway was moved.", talk.said[3]["id"])
    talk.ask("Thank you, go on.")
    talk.write()
    bring(database, tmp_path / "pi")
    with database.read() as db:
        [conversation] = db.scalars(select(Conversation))
        audit = audit_case(load_case(db, conversation.id))
    found = {finding.rule for finding in audit.findings}
    assert not {"last-request-lost", "reply-swallowed"} & found
    [verdict] = audit.verdicts.values()
    assert [(line.kind, line.state) for line in verdict.standing] == [
        ("request", "answered"),
        ("answer", "in sight"),
    ]


def test_what_was_truncated_without_a_summary_is_no_longer_seen(database, tmp_path):
    task = RooHome(tmp_path / "rooveterinaryinc.roo-cline").task()
    for text in ("one", "two", "three"):
        task.ask(text)
        task.reply(f"to {text}")
    task.truncate(4)
    task.ask("four")
    task.write()
    bring(database, tmp_path / "rooveterinaryinc.roo-cline")
    with database.read() as db:
        [conversation] = db.scalars(select(Conversation))
        rows = {row.text: row for row in db.scalars(select(Message))}
        seen = load_seen(db, conversation.public_id, rows["four"].id)
        earlier = load_seen(db, conversation.public_id, rows["three"].id)
    assert [one["content"] for one in seen.messages] == ["three", "to three", "four"]
    assert [one["content"] for one in earlier.messages] == ["one", "to one", "two", "to two", "three"]


def test_a_fork_sees_what_was_left_when_its_history_was_copied(database, tmp_path):
    home = ClaudeHome(tmp_path / "claude")
    talk = home.talk()
    for text in ("first", "second"):
        talk.ask(text)
        talk.reply(f"to {text}")
    talk.compact("Summary: all of it.")
    talk.ask("third")
    talk.write()
    fork = home.talk("b")
    fork.records = [{**one, "sessionId": "b", "forkedFrom": {"sessionId": "a"}} for one in talk.records]
    fork.follow()
    fork.ask("another way")
    fork.write()
    bring(database, tmp_path / "claude")
    with database.read() as db:
        session = db.scalars(select(Session).where(Session.foreign_id == "b")).one()
        rows = db.scalars(select(Message).where(Message.session_id == session.id)).all()
        by_text = {row.text: row for row in rows}
        conversation = db.get_one(Conversation, session.conversation_id)
        seen = load_seen(db, conversation.public_id, by_text["another way"].id)
        early = load_seen(db, conversation.public_id, by_text["second"].id)
    said = [str(one["content"]) for one in seen.messages]
    assert "Summary: all of it." in said[0]
    assert said[1:] == ["third", "another way"]
    assert [one["content"] for one in early.messages] == ["first", "to first", "second"]


def test_what_a_compaction_took_where_a_fork_comes_from_is_not_before_the_forks_own(database, tmp_path):
    home = ClaudeHome(tmp_path / ".claude")
    talk = home.talk()
    talk.ask("one")
    talk.reply("to one")
    talk.compact("Summary:\nBODY")
    talk.ask("two")
    talk.write()
    fork = home.talk("b")
    fork.records = [{**one, "sessionId": "b", "forkedFrom": {"sessionId": "a"}} for one in talk.records]
    fork.follow()
    fork.ask("three")
    fork.compact("Summary:\nMORE")
    fork.ask("four")
    fork.write()
    bring(database, home.path)
    with database.read() as db:
        own = db.scalars(select(Compaction).order_by(Compaction.id.desc()).limit(1)).one()
        case = next(one for one in load_case(db, own.conversation_id).compactions if one.facts.id == own.id)
        listed = find_compaction(db, own.id)
        assert listed is not None
        alone = audit_compaction(db, listed).measured.case
    for found in (case, alone):
        assert [row.text for row in found.before if not row.handoff] == ["two", "three"]
