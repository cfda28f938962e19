"""After any change the store is what a fresh import would be; what did not change is not read again."""

import pytest
from sqlalchemy import select

from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Session
from tests.agents.changed_home import as_stored, assert_as_afresh, bring
from tests.agents.opencode.conftest import OpenCodeHome
from tests.agents.opencode.session_builder import KeptInDatabase, KeptInFiles


def add_turns(home, name="a"):
    talk = home.talk(name)
    talk.ask("more")
    talk.use("t9", "out")


def add_compaction(home):
    talk = home.talk()
    talk.compact("later")
    talk.ask("and now")


def begin_compaction(home):
    home.talk().compact(None)


def end_compaction(home):
    marker = home.kept.messages("a")[-1]
    home.talk().say(
        "assistant", {"type": "text", "text": "later"}, summary=True, parentID=marker, finish="stop"
    )


def clear_results(home):
    for one, _, parts in home.kept.read()["a"]:
        for part, value in parts:
            if value["type"] == "tool":
                value["state"]["time"]["compacted"] = 1_780_000_900_000
                home.kept.put_part("a", one, part, value)


def finish_call(home):
    for one, _, parts in home.kept.read()["a"]:
        for part, value in parts:
            if value["type"] == "tool":
                value["state"]["output"] += " and the rest"
                home.kept.put_part("a", one, part, value)


def take_back(home):
    home.revert("a", home.kept.messages("a")[2])


def take_back_for_good(home):
    for one in home.kept.messages("a")[2:]:
        home.kept.delete("a", one)
    home.kept.put_session("a", created=1_780_000_000_000)


def fork(home):
    home.talk().fork("c").ask("other way")


def compacted(database):
    """Return whose compactions there are, and what they say."""
    with database.read() as db:
        asked = select(Session.foreign_id, Compaction.summary)
        return [tuple(row) for row in db.execute(asked.join(Compaction, Compaction.session_id == Session.id))]


def delegate(home):
    home.talk("d", parentID="a").ask("find it")


CHANGES = {
    "turns": [add_turns],
    "a compaction": [add_compaction],
    "one after the other": [add_turns, add_compaction, add_turns],
    "a compaction that takes its time": [begin_compaction, end_compaction, add_turns],
    "cleared results": [clear_results, add_turns],
    "an output that grows": [finish_call],
    "taken back, then for good": [take_back, take_back_for_good, add_turns],
    "a fork": [fork, lambda home: add_turns(home, "c")],
    "a delegate": [delegate, add_turns],
    "deleted": [lambda home: home.kept.delete("b")],
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("steps", CHANGES.values(), ids=CHANGES)
def test_a_changed_home_is_as_if_imported_afresh(home, database, tmp_path, steps):
    for name in ("a", "b"):
        talk = home.talk(name)
        talk.ask("first")
        talk.use("t1", "one")
        talk.ask("second")
        talk.reply("two")
        talk.compact("all of it")
        talk.ask("third")
    assert_as_afresh(database, home, tmp_path, steps, each_changes=True)


@pytest.mark.sqlite_only
def test_a_copied_compaction_stays_that_of_the_original_when_it_is_deleted(home, database, tmp_path):
    talk = home.talk()
    talk.ask("first")
    talk.compact("all of it")
    talk.ask("second")
    bring(database, home.path)
    fork(home)
    bring(database, home.path)
    home.kept.delete("a")
    assert not bring(database, home.path).unchanged
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert as_stored(database)[0] == as_stored(fresh)[0]
        assert compacted(fresh) == [("c", "all of it")]
    assert compacted(database) == [("a", "all of it")]
    assert bring(database, home.path).unchanged


@pytest.mark.sqlite_only
def test_only_the_mark_of_a_session_that_changed_does(home):
    for name in ("a", "b"):
        home.talk(name).ask("first")
    marks = {one: entry.mark for one, entry in home.read().entries.items()}
    add_turns(home)
    assert {one for one, entry in home.read().entries.items() if entry.mark != marks[one]} == {"a"}


@pytest.mark.sqlite_only
def test_the_database_that_follows_the_files_is_the_same_origin(tmp_path, database):
    path = tmp_path / "opencode"
    files = OpenCodeHome(path, KeptInFiles(path / "storage"))
    talk = files.talk()
    talk.ask("first")
    talk.use("t1", "one")
    bring(database, path)
    before = as_stored(database)
    kept = KeptInDatabase(path / "opencode.db")
    kept.put_session("a", created=1_780_000_000_001, title="Title of a")
    for one, value, parts in files.kept.read()["a"]:
        kept.put_message("a", one, value)
        for part, told in parts:
            kept.put_part("a", one, part, told)
    report = bring(database, path)
    assert as_stored(database) == before
    assert report.sessions == 1
