"""After any change of its files the store is what a fresh import of them would be."""

import json
import shutil

import pytest

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.gemini.form import FORM
from hermes_sessions.agents.gemini.importer import IMPORTER
from hermes_sessions.agents.session_files.reading import HeardSession
from hermes_sessions.agents.session_files.survey import SessionFile, sessions_of, survey_files
from hermes_sessions.agents.session_files.told import heard_of
from hermes_sessions.errors import SourceChangedError
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from tests.agents.changed_home import NOW, as_stored, assert_as_afresh, bring
from tests.agents.gemini.chat_builder import GeminiChat
from tests.agents.pipes import never_written


def add_turns(home, name="a"):
    talk = GeminiChat.of(home.file(name))
    talk.ask("more")
    talk.call("t9", "out")
    talk.write()


def late_result(home):
    talk = GeminiChat.of(home.file())
    talk.again(talk.said[1]["id"], toolCalls=[talk.called("t1", "late")])
    talk.write()


def shorten(home):
    talk = GeminiChat.of(home.file())
    talk.shorten("later", talk.said[-1]["id"])
    talk.ask("and now")
    talk.write()


def go_back(home):
    talk = GeminiChat.of(home.file())
    talk.rewind(talk.said[-1]["id"])
    talk.write()


def leave_half(home):
    with home.file().open("ab") as file:
        file.write(b'{"type": "user", "id": "torn", "cont')


def finish_line(home):
    with home.file().open("ab") as file:
        file.write(b'ent": "whole"}\n')


def undo_compaction(home):
    talk = GeminiChat.of(home.file())
    del talk.lines[4:]
    talk.write()


def rewrite_object(home):
    talk = GeminiChat(home.file("old", ".json"))
    talk.ask("another beginning")
    talk.reply("and its answer")
    talk.write()


def to_lines(home):
    found = json.loads(home.file("old", ".json").read_text())
    talk = GeminiChat(home.file("old"))
    talk.lines += found["messages"]
    talk.ask("one more")
    talk.write()


def start_agent(home):
    talk = GeminiChat(home.file().parent / "a" / "x.jsonl", session="x", kind="subagent")
    talk.ask("find it")
    talk.write()


def copy_elsewhere(home):
    project = home.file().parent.parent
    shutil.copytree(project, home.path / "tmp" / "named")
    talk = GeminiChat.of(home.path / "tmp" / "named" / "chats" / home.file().name)
    talk.ask("in the new folder")
    talk.write()


CHANGES = {
    "turns": [add_turns],
    "a result that comes late": [add_turns, late_result],
    "a compaction": [shorten],
    "one after the other": [add_turns, shorten, add_turns, shorten],
    "taken back": [go_back, add_turns],
    "half a line, then the rest": [leave_half, finish_line],
    "cut off before the compaction": [undo_compaction],
    "cut off, then longer": [undo_compaction, add_turns, shorten],
    "an object that is rewritten": [rewrite_object],
    "an object that is continued in lines": [to_lines],
    "an agent inside": [start_agent, add_turns],
    "deleted": [lambda home: home.file("b").unlink()],
    "copied into another project and continued there": [copy_elsewhere],
    "another project": [lambda home: home.file().parent.parent.rename(home.path / "tmp" / "other")],
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("steps", CHANGES.values(), ids=CHANGES)
def test_a_changed_home_is_as_if_imported_afresh(home, database, tmp_path, steps):
    for name in ("a", "b"):
        talk = home.talk(name)
        talk.ask("first")
        talk.reply("one")
        kept = talk.ask("second")
        talk.shorten("all of it", kept)
        talk.ask("third")
        talk.write()
    old = home.talk("old", ".json")
    old.ask("hello")
    old.write()
    assert_as_afresh(database, home, tmp_path, steps)


def test_an_object_that_is_cut_off_for_a_moment_loses_nothing(home, database):
    other = home.talk()
    other.ask("hello")
    other.write()
    talk = home.talk("old", ".json")
    talk.ask("hello")
    whole = talk.write().read_text()
    bring(database, home.path)
    before = as_stored(database)
    talk.path.write_text(whole[:40])
    report = bring(database, home.path)
    assert report.damage == ()
    assert [one["reason"] for one in report.warnings] == ["JSON that is cut off: it is read when it is whole"]
    assert as_stored(database) == before
    talk.path.write_text(whole)
    bring(database, home.path)
    assert as_stored(database) == before


def test_a_summary_that_is_overwritten_while_it_is_read_is_a_change(home):
    talk = home.talk()
    talk.ask("first")
    talk.shorten("all of it", talk.ask("second"))
    path = talk.write()
    written = path.read_bytes()
    [file] = survey_files(home.path, [path], {}, FORM.look, FORM.beside)
    assert isinstance(file, SessionFile)
    outline = FORM.outline()
    for told in FORM.messages(file, outline, lambda refused: None):
        outline.heard.append(heard_of(told, len(outline.heard)))
        path.write_bytes(b"x" * (len(written) - 1) + b"\n")
    [session] = sessions_of([file]).values()
    with pytest.raises(SourceChangedError, match="rewritten"):
        FORM.conclude(FamilyConclusions(), HeardSession(session, outline, None))


@pytest.mark.parametrize("lines", [1, 3])
def test_messages_that_are_others_when_they_are_read_once_more_are_a_change(home, lines):
    talk = home.talk("old", ".json")
    for text in ("first", "second", "third"):
        talk.ask(text)
    talk.write()
    with IMPORTER.open(home.path, None, OpenOptions(now=0.0, kept_rows=0)) as source:
        [ids] = source.families()
        family = source.read(ids)
        talk.lines = [*talk.lines[:1], *talk.lines[-lines:]]
        talk.lines[-1] = {**talk.lines[-1], "id": "another"}
        talk.write()
        with pytest.raises(SourceChangedError, match="rewritten"):
            list(family.batches())


def test_a_pipe_beside_a_session_is_not_waited_for(home):
    talk = home.talk(directories=["/home/u/app"])
    talk.ask("hello")
    root = talk.write().parent.parent / ".project_root"
    with never_written(root):
        assert home.read().sessions["a"].cwd == "/home/u/app"


def test_a_report_counts_every_message_and_result(home, database):
    talk = home.talk()
    talk.ask("hello")
    for name in ("c1", "c2", "c3"):
        talk.call(name, "out")
    talk.write()
    report = bring(database, home.path)
    assert (report.messages, len(as_stored(database)[0])) == (7, 7)


def test_progress_never_goes_back(home, database):
    for number in range(3):
        talk = home.talk(f"s{number}")
        talk.ask("hello")
        for name in ("c1", "c2", "c3"):
            talk.call(name, "out")
        talk.write()
    told = []
    import_path(
        database,
        home.path,
        ImportOptions(lambda: NOW, progress=lambda *one: told.append(one)),
    )
    done = [one for step, one, _ in told if step == "messages"]
    assert done == sorted(done)
    assert {total for step, _, total in told if step == "messages"} == {done[-1]}
