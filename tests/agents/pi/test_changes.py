"""After any change of its files the store is what a fresh import of them would be."""

import json

import pytest
from sqlalchemy import select

from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.json_lines.lines import count_lines
from hermes_sessions.agents.pi.importer import IMPORTER
from hermes_sessions.store.schema.models import Message
from tests.agents.changed_home import assert_as_afresh, bring
from tests.agents.pi.session_builder import PiSession


def add_turns(home, name="a"):
    talk = PiSession.of(home.file(name))
    talk.ask("more")
    talk.call("t9")
    talk.result("t9", "out")
    talk.write()


def add_compaction(home):
    talk = PiSession.of(home.file())
    talk.compact("later", talk.leaf)
    talk.ask("and now")
    talk.write()


def go_back(home):
    talk = PiSession.of(home.file())
    talk.leaf = talk.lines[2]["id"]
    talk.add("branch_summary", fromId=talk.lines[-1]["id"], summary="left")
    talk.reply("another way")
    talk.write()


def leave_half(home):
    with home.file().open("ab") as file:
        file.write(b'{"type": "message", "id": "torn", "parentId": null, "mess')


def finish_line(home):
    with home.file().open("ab") as file:
        file.write(b'age": {"role": "user", "content": "whole"}}\n')


def undo_compaction(home):
    talk = PiSession.of(home.file())
    del talk.lines[4:]
    talk.write()


def migrate(home):
    talk = PiSession.of(home.file("old"))
    for at, line in enumerate(talk.lines[1:]):
        line |= {"id": f"n{at}", "parentId": f"n{at - 1}" if at else None}
    talk.lines[0]["version"] = 3
    talk.write()


def fork(home):
    talk = PiSession.of(home.file())
    talk.lines[0] |= {"id": "c", "parentSession": str(talk.path)}
    talk.path = home.file("c")
    talk.session = "c"
    talk.ask("other way")
    talk.write()


def spoil_a_line(home):
    lines = home.file().read_bytes().split(b"\n")
    home.file().write_bytes(b"\n".join([*lines[:2], b"{broken", *lines[3:]]))


CHANGES = {
    "turns": [add_turns],
    "a compaction": [add_compaction],
    "one after the other": [add_turns, add_compaction, add_turns],
    "back in the tree": [go_back, add_turns],
    "half a line, then the rest": [leave_half, finish_line],
    "cut off before the compaction": [undo_compaction],
    "cut off, then longer": [undo_compaction, add_turns, add_compaction],
    "given ids": [migrate],
    "a fork": [fork, lambda home: add_turns(home, "c")],
    "a spoiled line": [spoil_a_line],
    "deleted": [lambda home: home.file("b").unlink()],
    "another project": [lambda home: home.file().parent.rename(home.path / "sessions" / "--other--")],
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("steps", CHANGES.values(), ids=CHANGES)
def test_a_changed_home_is_as_if_imported_afresh(home, database, tmp_path, steps):
    for name in ("a", "b", "old"):
        talk = PiSession(home.file(name), bare=name == "old")
        talk.ask("first")
        talk.reply("one")
        kept = talk.ask("second")
        talk.compact("all of it", **({"firstKeptEntryIndex": 3} if talk.bare else {"kept": kept}))
        talk.ask("third")
        talk.write()
    assert_as_afresh(database, home, tmp_path, steps)


def test_a_session_that_did_not_change_is_not_looked_at_again(home, monkeypatch):
    for name in ("a", "b"):
        talk = home.talk(name)
        talk.ask("hello")
        talk.write()
    with IMPORTER.open(home.path, None, OpenOptions(now=0.0)) as source:
        cursor = json.loads(json.dumps(source.cursor()))
    looked = []

    def counted(path, start, end):
        looked.append(path)
        return count_lines(path, start, end)

    monkeypatch.setattr("hermes_sessions.agents.pi.files.count_lines", counted)
    add_turns(home, "b")
    with IMPORTER.open(home.path, cursor, OpenOptions(now=0.0)) as source:
        assert source.entries["b"].rows == 5
    assert looked == [home.file("b")]


def scroll(database):
    """Return the texts of the one scroll."""
    with database.read() as db:
        asked = select(Message.text).where(Message.shown).order_by(Message.session_id, Message.position)
        return db.scalars(asked).all()


def test_of_a_compaction_that_was_cut_off_nothing_is_left_in_the_scroll(home, database):
    talk = home.talk()
    talk.ask("first")
    talk.reply("one")
    talk.write()
    bring(database, home.path)
    talk.ask("second")
    talk.reply("two")
    kept = talk.ask("third")
    talk.compact("all of it", kept=kept)
    talk.reply("three")
    talk.write()
    bring(database, home.path)
    del talk.lines[3:]
    talk.write()
    bring(database, home.path)
    assert scroll(database) == ["first", "one"]


def test_a_line_that_was_written_anew_is_shown_as_it_is_now(home, database):
    talk = PiSession(home.file(), bare=True)
    talk.ask("first")
    talk.reply("one", {"type": "thinking", "thinking": "as it was"})
    talk.ask("second")
    talk.write()
    bring(database, home.path)
    talk.lines[2]["message"]["content"][1]["thinking"] = "as it is"
    talk.write()
    bring(database, home.path)
    with database.read() as db:
        rows = db.scalars(select(Message).where(Message.text == "one", Message.shown)).all()
        assert [(row.reasoning, row.copy_of) for row in rows] == [("as it is", None)]


def test_a_file_whose_lines_were_given_ids_is_the_same_session(home, database):
    talk = PiSession(home.file("old"), bare=True)
    for text in ("again", "again", "other"):
        talk.ask(text)
        talk.reply(f"to {text}")
    talk.compact("all of it", firstKeptEntryIndex=5)
    talk.ask("last")
    talk.write()
    bring(database, home.path)
    with database.read() as db:
        before = {row.text: row.id for row in db.scalars(select(Message))}
    migrate(home)
    bring(database, home.path)
    with database.read() as db:
        rows = db.scalars(select(Message).order_by(Message.position)).all()
    assert [row.origin_key for row in rows] == [f"n{at}" for at in range(8)]
    assert {row.text: row.id for row in rows} == before
