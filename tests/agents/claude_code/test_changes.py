"""After any change of its files the store is what a fresh import of them would be."""

import json

import pytest
from sqlalchemy import select

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation
from tests.agents.changed_home import as_stored, assert_as_afresh, bring
from tests.agents.claude_code.transcript_builder import Transcript
from tests.operations.dump import dump


def add_turns(home, name="a"):
    talk = Transcript.of(home.talk(name).path)
    talk.ask("more")
    talk.call("t9")
    talk.result("t9", "out")
    talk.write()


def add_compaction(home):
    talk = Transcript.of(home.talk().path)
    talk.compact("Summary:\nlater")
    talk.ask("and now")
    talk.write()


def finish_line(home):
    path = home.talk().path
    with path.open("ab") as file:
        file.write(
            json.dumps({"type": "user", "uuid": "torn", "message": {"content": "whole"}}).encode()[20:]
        )
        file.write(b"\n")


def leave_half(home):
    with home.talk().path.open("ab") as file:
        file.write(b'{"type": "user", "uu')


def retitle(home):
    talk = Transcript.of(home.talk().path)
    talk.records.insert(0, {"type": "custom-title", "customTitle": "Mine", "sessionId": "a", "uuid": "title"})
    talk.write()


def undo_compaction(home):
    talk = Transcript.of(home.talk().path)
    talk.records = talk.records[:4]
    talk.write()


def fork(home):
    talk = Transcript.of(home.talk().path)
    talk.path = home.talk("c").path
    for record in talk.records:
        record.update(sessionId="c", forkedFrom={"sessionId": "a"})
    talk.session = "c"
    talk.ask("other way")
    talk.write()


def start_agent(home):
    agent = home.agent("x1")
    agent.ask("find it")
    agent.write()


def name_from_elsewhere(home, title="Said of it later", record="a-1"):
    talk = home.talk("c")
    talk.records = [{"type": "summary", "summary": title, "leafUuid": record}]
    talk.ask("something else")
    talk.write()


CHANGES = {
    "a title in another file": [name_from_elsewhere],
    "and another one": [name_from_elsewhere, lambda home: name_from_elsewhere(home, "Once more")],
    "of a session that grew": [name_from_elsewhere, add_turns, add_compaction, add_turns],
    "taken back": [name_from_elsewhere, lambda home: home.talk("c").path.unlink()],
    "taken back, then more": [name_from_elsewhere, lambda home: home.talk("c").path.unlink(), add_turns],
    "turns": [add_turns],
    "a compaction": [add_compaction],
    "one after the other": [add_turns, add_compaction, add_turns],
    "half a line, then the rest": [leave_half, finish_line],
    "a title at the head": [retitle],
    "cut off before the compaction": [undo_compaction],
    "cut off, then longer": [undo_compaction, add_turns, add_compaction],
    "a fork": [fork, lambda home: add_turns(home, "c")],
    "an agent inside": [start_agent, add_turns],
    "deleted": [lambda home: home.talk("b").path.unlink()],
    "another project": [lambda home: home.talk().path.parent.rename(home.path / "projects" / "-other")],
}


@pytest.mark.slow
@pytest.mark.sqlite_only
@pytest.mark.parametrize("steps", CHANGES.values(), ids=CHANGES)
def test_a_changed_home_is_as_if_imported_afresh(home, database, tmp_path, steps):
    for name in ("a", "b"):
        talk = home.talk(name)
        talk.ask("first")
        talk.reply("one")
        talk.ask("second")
        talk.reply("two")
        talk.compact("Summary:\nall of it")
        talk.ask("third")
        talk.write()
    assert_as_afresh(database, home, tmp_path, steps)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("lines", [1, 3, 6, 7])
def test_what_was_cut_off_and_is_back_is_there_once(home, database, tmp_path, lines):
    """A file is read while it is written anew, or comes back from a backup."""
    talk = home.talk()
    talk.ask("first")
    talk.call("t1")
    talk.result("t1", "out")
    talk.reply("one")
    talk.compact("Summary:\nall of it")
    talk.ask("second")
    whole = talk.write().read_bytes()
    bring(database, home.path)
    talk.path.write_bytes(b"".join(whole.splitlines(keepends=True)[:lines]))
    bring(database, home.path)
    talk.path.write_bytes(whole)
    bring(database, home.path)
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert dump(database) == dump(fresh)


def test_a_rewind_to_before_a_stored_compaction_ends_as_a_fresh_import(home, database, tmp_path):
    talk = home.talk()
    for at in range(3):
        talk.ask(f"question {at}")
        talk.reply(f"answer {at}")
    talk.compact("Summary:\nall of it")
    talk.ask("later")
    talk.reply("much later")
    talk.write()

    def rewind(home):
        again = Transcript.of(home.talk().path)
        again.parent = "a-1"
        again.ask("another way")
        again.reply("as you like")
        again.write()

    assert_as_afresh(database, home, tmp_path, [rewind], each_changes=True)
    [event] = as_stored(database)[1]
    assert event[:3] == ("a-6", "undone", 6)


def test_a_session_of_a_command_alone_is_shown_as_it_was_typed(home, database):
    talk = home.talk()
    talk.ask("<command-name>/compact</command-name>\n<command-args>keep the port</command-args>")
    talk.write()
    bring(database, home.path)
    with database.read() as db:
        assert db.scalars(select(Conversation.preview)).all() == ["/compact keep the port"]
