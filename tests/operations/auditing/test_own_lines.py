"""What an agent itself sends beside its summaries is part of what the model saw, and marked as such."""

import pytest
from sqlalchemy import select

from hermes_sessions.operations.auditing.context_seen import load_seen, seen_document
from hermes_sessions.store.schema.models import Message, Session
from tests.agents.changes.present import bring
from tests.agents.codex.conftest import CodexHome
from tests.agents.codex.rollout_builder import encrypted, user_item
from tests.agents.gemini.chat_builder import THANKS
from tests.agents.gemini.conftest import GeminiHome
from tests.agents.goose.conftest import GooseHome
from tests.agents.goose.session_builder import ORDER, GooseInDatabase
from tests.agents.opencode.conftest import OpenCodeHome
from tests.agents.opencode.session_builder import KeptInDatabase
from tests.agents.pi.conftest import PiHome

CONTINUE = (
    "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed."
)

SHORT = "Keep answers short"


def gemini(path):
    talk = GeminiHome(path / ".gemini").talk()
    talk.ask("one")
    kept = [talk.ask("two"), talk.reply("to two")]
    talk.shorten("BODY", *kept)
    talk.ask("next")
    talk.write()


def opencode(path):
    home = OpenCodeHome(path / "opencode", KeptInDatabase(path / "opencode" / "opencode.db"))
    talk = home.talk()
    talk.ask("one")
    tail = talk.ask("two")
    talk.compact("BODY", tail=tail)
    talk.ask(CONTINUE, synthetic=True)
    talk.ask("next")


def goose(path):
    talk = GooseHome(path / "sessions", GooseInDatabase(path / "sessions" / "sessions.db")).talk()
    talk.ask("two")
    talk.compact("BODY")
    talk.say("user", {"type": "text", "text": SHORT}, metadata={"userVisible": False, "agentVisible": True})
    talk.say(
        "assistant",
        {"type": "systemNotification", "notificationType": "inlineMessage", "msg": "for the user alone"},
    )
    talk.ask("next")


LINES = [
    (gemini, ".gemini", [("user", "BODY"), ("assistant", THANKS), ("user", "two"), ("assistant", "to two")]),
    (opencode, "opencode", [("assistant", "BODY"), ("user", "two"), ("user", CONTINUE)]),
    (goose, "sessions", [("user", "BODY"), ("assistant", ORDER), ("user", "two"), ("user", SHORT)]),
]


@pytest.mark.parametrize(("write", "place", "sent"), LINES, ids=[one[0].__name__ for one in LINES])
def test_a_line_of_the_agents_own_is_seen_where_it_is_sent(database, tmp_path, write, place, sent):
    write(tmp_path)
    seen = _seen(database, tmp_path / place)
    told = [(one["role"], _word(one["content"])) for one in seen.messages]
    assert told == [*sent, ("user", "next")]
    own = [one["content"] for key, one in zip(seen.ids, seen.messages, strict=True) if key in seen.added]
    assert own == [text for _, text in sent if text in (THANKS, CONTINUE, ORDER, SHORT)]


def test_an_encrypted_summary_is_named_with_its_size(database, tmp_path):
    talk = CodexHome(tmp_path / ".codex").talk("a")
    talk.ask("one")
    talk.reply("to one")
    talk.compact(message="", replacement_history=[user_item("one"), encrypted("x" * 1_234)])
    talk.ask("next")
    talk.write()
    [note] = _seen(database, tmp_path / ".codex").notes
    assert note.startswith("an encrypted item of 1,234 bytes")


def test_what_an_agent_adds_without_storing_it_is_named(database, tmp_path):
    talk = PiHome(tmp_path / ".pi" / "agent").talk()
    talk.ask("one")
    last = talk.ask("two")
    talk.compact("BODY", last)
    talk.ask("next")
    talk.write()
    seen = _seen(database, tmp_path / ".pi" / "agent")
    assert seen.notes == ["a sentence and a tag around the summary"]


def _seen(database, home):
    bring(database, home)
    with database.read() as db:
        last = db.scalars(select(Message).where(Message.text == "next")).one()
        return seen_document(load_seen(db, db.get_one(Session, last.session_id).public_id, last.id))


def _word(content):
    return "BODY" if "BODY" in str(content) else str(content)
