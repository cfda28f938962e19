"""What each agent sends after a compaction, in its order: what the model saw, and the new transcript."""

import pytest
from sqlalchemy import select

from hermes_sessions.operations.auditing.context_seen import load_seen, seen_document
from hermes_sessions.operations.auditing.conversation_case import load_case
from hermes_sessions.store.schema.models import Compaction, Conversation, Message, Session
from tests.agents.changes.present import bring
from tests.agents.claude_code.conftest import ClaudeHome
from tests.agents.codex.conftest import CodexHome
from tests.agents.codex.rollout_builder import OPENING, encrypted, user_item
from tests.agents.gemini.conftest import GeminiHome
from tests.agents.goose.conftest import GooseHome
from tests.agents.goose.session_builder import GooseInDatabase
from tests.agents.opencode.conftest import OpenCodeHome
from tests.agents.opencode.session_builder import KeptInDatabase
from tests.agents.pi.conftest import PiHome
from tests.agents.roo.conftest import RooHome


def codex(path):
    talk = CodexHome(path / ".codex").talk("a")
    _talk(talk)
    talk.compact(message=f"{OPENING}BODY")
    talk.ask("next")
    talk.write()


def codex_with_its_context(path):
    talk = CodexHome(path / ".codex").talk("a")
    _talk(talk)
    talk.compact(message="", replacement_history=[user_item("one"), user_item(f"{OPENING}BODY")])
    talk.ask("next")
    talk.write()


def codex_after_an_encrypted_one(path):
    talk = CodexHome(path / ".codex").talk("a")
    _talk(talk)
    talk.compact(replacement_history=[user_item("one"), user_item("two"), encrypted()])
    talk.reply("between")
    talk.compact(message=f"{OPENING}BODY")
    talk.ask("next")
    talk.write()


def claude_code(path):
    talk = ClaudeHome(path / ".claude").talk()
    talk.ask("one")
    talk.reply("to one")
    first = talk.ask("two")
    last = talk.reply("to two")
    talk.compact("Summary:\nBODY", preservedSegment={"headUuid": first, "tailUuid": last})
    talk.ask("next")
    talk.write()


def claude_code_written_again(path):
    talk = ClaudeHome(path / ".claude").talk()
    talk.ask("one")
    talk.reply("to one")
    first = talk.ask("two")
    talk.compact("Summary:\nBODY")
    again = next(one for one in talk.records if one["uuid"] == first)
    talk.records.append({**again, "uuid": "fresh", "parentUuid": talk.parent})
    talk.ask("next")
    talk.write()


def pi(path):
    talk = PiHome(path / ".pi" / "agent").talk()
    _talk(talk)
    talk.compact("BODY", talk.said[2]["id"])
    talk.ask("next")
    talk.write()


def gemini(path):
    talk = GeminiHome(path / ".gemini").talk()
    talk.ask("one")
    talk.reply("to one")
    kept = [talk.ask("two"), talk.reply("to two")]
    talk.shorten("BODY", *kept)
    talk.ask("next")
    talk.write()


def opencode(path):
    home = OpenCodeHome(path / "opencode", KeptInDatabase(path / "opencode" / "opencode.db"))
    talk = home.talk()
    talk.ask("one")
    talk.reply("to one")
    tail = talk.ask("two")
    talk.reply("to two")
    talk.compact("BODY", tail=tail)
    talk.ask("next")


def opencode_over_the_limit(path):
    home = OpenCodeHome(path / "opencode", KeptInDatabase(path / "opencode" / "opencode.db"))
    talk = home.talk()
    _talk(talk)
    talk.ask("large")
    talk.compact("BODY", overflow=True)
    talk.ask("large")
    talk.ask("next")


def goose(path):
    home = GooseHome(path / "sessions", GooseInDatabase(path / "sessions" / "sessions.db"))
    talk = home.talk()
    _talk(talk)
    talk.ask("last")
    talk.compact("BODY")
    talk.ask("next")


def roo(path):
    task = RooHome(path / "rooveterinaryinc.roo-cline").task()
    _talk(task)
    task.condense("BODY")
    task.ask("next")
    task.write()


def roo_of_older_releases(path):
    task = RooHome(path / "rooveterinaryinc.roo-cline").task()
    task.ask("one")
    task.ask("BODY", isSummary=True)
    task.ask("two")
    task.ask("next")
    task.write()


def test_a_fork_is_told_so_as_well(database, tmp_path):
    home = ClaudeHome(tmp_path / ".claude")
    talk = home.talk()
    for text in ("zero", "one"):
        talk.ask(text)
        talk.reply(f"to {text}")
    kept = talk.said[-2:]
    segment = {"headUuid": kept[0]["uuid"], "tailUuid": kept[1]["uuid"]}
    talk.compact("Summary:\nBODY", preservedSegment=segment)
    talk.ask("two")
    talk.write()
    fork = home.talk("b")
    fork.records = [{**one, "sessionId": "b", "forkedFrom": {"sessionId": "a"}} for one in talk.records]
    fork.follow()
    fork.ask("next")
    fork.write()
    bring(database, home.path)
    with database.read() as db:
        last = db.scalars(select(Message).where(Message.text == "next")).one()
        seen = load_seen(db, db.get_one(Session, last.session_id).public_id, last.id)
    assert [_word(one["content"]) for one in seen.messages] == ["BODY", "one", "to one", "two", "next"]


def _talk(talk):
    for text in ("one", "two"):
        talk.ask(text)
        talk.reply(f"to {text}")


SENT = [
    (codex, [".codex"], (2, 0), "one, two, BODY"),
    (codex_with_its_context, [".codex"], (1, 0), "one, BODY"),
    (codex_after_an_encrypted_one, [".codex"], (0, 0), "one, two, BODY"),
    (claude_code, [".claude"], (0, 2), "BODY, two, to two"),
    (claude_code_written_again, [".claude"], (0, 1), "BODY, two"),
    (pi, [".pi", "agent"], (0, 2), "BODY, two, to two"),
    (gemini, [".gemini"], (0, 2), "BODY, two, to two"),
    (opencode, ["opencode"], (0, 2), "BODY, two, to two"),
    (opencode_over_the_limit, ["opencode"], (0, 1), "BODY, large"),
    (goose, ["sessions"], (0, 1), "BODY, last"),
    (roo, ["rooveterinaryinc.roo-cline"], (0, 0), "BODY"),
    (roo_of_older_releases, ["rooveterinaryinc.roo-cline"], (1, 0), "one, BODY, two"),
]


@pytest.mark.parametrize(("write", "place", "kept", "sent"), SENT, ids=[one[0].__name__ for one in SENT])
def test_a_context_is_told_in_the_order_in_which_the_agent_sends_it(
    database, tmp_path, write, place, kept, sent
):
    write(tmp_path)
    bring(database, tmp_path.joinpath(*place))
    with database.read() as db:
        event = db.scalars(select(Compaction).where(Compaction.handoff_id.is_not(None))).one()
        conversation = db.get_one(Conversation, event.conversation_id)
        last = db.scalars(select(Message).where(Message.text == "next")).one()
        seen = load_seen(db, conversation.public_id, last.id)
        case = next(one for one in load_case(db, conversation.id).compactions if one.facts.id == event.id)
    assert (event.head_messages, event.tail_messages) == kept
    document = seen_document(seen)
    own = set(document.added)
    told = [
        _word(one["content"])
        for key, one in zip(document.ids, document.messages, strict=True)
        if key not in own
    ]
    expected = [*sent.split(", "), "next"]
    assert told == expected
    after = [*case.after, *case.following]
    assert [_word(row.handoff or row.text) for row in after] == expected


def _word(content):
    return "BODY" if "BODY" in str(content) else str(content)
