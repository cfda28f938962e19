"""Sessions and what they are to each other: forks, delegates; which of two forms is read."""

import sqlite3

import pytest

from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.opencode.importer import IMPORTER
from hermes_sessions.agents.registry import importer_for
from hermes_sessions.errors import SourceError
from hermes_sessions.lineage import Relation
from tests.agents.opencode.session_builder import KeptInDatabase, KeptInFiles, Talk


def test_a_fork_inherits_what_it_copied(home):
    talk = home.talk()
    for at in range(3):
        talk.ask(f"question {at}")
        talk.use(f"t{at}", "out")
    fork = talk.fork("b", 4)
    fork.ask("another way")
    read = home.read()
    assert read.relations == {"a": Relation.ROOT, "b": Relation.BRANCH}
    assert read.families[0].inherited == {"b": 6}
    assert read.sessions["b"].parent_session_id == "a"
    assert read.sessions["b"].tool_call_count == 0


def test_a_fork_of_a_fork_hangs_on_the_fork(home):
    talk = home.talk()
    talk.ask("one")
    talk.reply("two")
    second = talk.fork("b")
    second.ask("three")
    third = second.fork("c")
    third.ask("four")
    read = home.read()
    assert read.sessions["c"].parent_session_id == "b"
    assert read.families[0].inherited == {"b": 2, "c": 3}


def test_a_compaction_that_a_fork_copied_is_the_original_s(home):
    talk = home.talk()
    talk.ask("one")
    talk.reply("two")
    marker = talk.compact("short")
    talk.use("t1", "out", time={"compacted": 1_780_000_900_000})
    fork = talk.fork("b")
    fork.ask("another way")
    own = fork.compact("short again")
    read = home.read()
    assert [(one.session, one.key) for one in read.compactions if one.summary] == [("a", marker), ("b", own)]
    assert len(read.compactions) == 3
    assert str(read.verdict("b", 0).state) == "compacted"


def test_sessions_that_begin_alike_at_other_times_are_not_related(home):
    for name in ("a", "b"):
        talk = home.talk(name)
        talk.ask("hello")
        talk.reply("hi")
    assert home.read().relations == {"a": Relation.ROOT, "b": Relation.ROOT}


@pytest.mark.parametrize("answered", [0, 1])
def test_one_message_of_the_same_moment_makes_a_fork_only_where_there_is_no_other(home, answered):
    talk = home.talk()
    talk.ask("check the build")
    talk.reply("it is green")
    other = talk.fork("b", 1)
    for _ in range(answered):
        other.reply("it is red")
    related = Relation.ROOT if answered else Relation.BRANCH
    assert home.read().relations == {"a": Relation.ROOT, "b": related}


def test_a_session_of_an_agent_inside_is_a_delegate(home):
    home.talk().ask("do it")
    home.talk("b", parentID="a").ask("you do it")
    home.talk("c", parentID="gone").ask("and you")
    read = home.read()
    assert read.relations == {"a": Relation.ROOT, "b": Relation.DELEGATE, "c": Relation.DELEGATE}
    assert [family for family in read.families if len(family.sessions) == 2]


def test_where_there_is_a_database_the_older_files_are_left_alone(tmp_path):
    Talk(KeptInFiles(tmp_path / "opencode" / "storage"), "old").ask("before")
    folder = tmp_path / "opencode"
    assert importer_for(folder) == (IMPORTER, folder)
    Talk(KeptInDatabase(folder / "opencode.db"), "new").ask("after")
    with IMPORTER.open(folder, None, OpenOptions(now=0.0)) as source:
        assert list(source.entries) == ["new"]


def test_a_database_that_is_named_is_that_of_its_folder(tmp_path):
    Talk(KeptInDatabase(tmp_path / "opencode.db"), "a").ask("hi")
    assert importer_for(tmp_path / "opencode.db") == (IMPORTER, tmp_path)
    copy = tmp_path / "copies" / "of april.db"
    copy.parent.mkdir()
    copy.write_bytes((tmp_path / "opencode.db").read_bytes())
    assert importer_for(copy) == (IMPORTER, copy)


def test_a_database_whose_tables_are_still_in_its_log_is_known(tmp_path):
    path = tmp_path / "copy.db"
    with KeptInDatabase(tmp_path / "x" / "opencode.db").holding():
        Talk(KeptInDatabase(tmp_path / "x" / "opencode.db"), "a").ask("hi")
        assert IMPORTER.locate(tmp_path / "x" / "opencode.db") == tmp_path / "x"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    for table in ("session (id, parent_id, directory, title)", "message (id, session_id, data)"):
        connection.execute(f"CREATE TABLE {table}")
    connection.execute("CREATE TABLE part (id, message_id, session_id, data)")
    away = tmp_path / "away.db"
    away.write_bytes(path.read_bytes())
    away.with_name("away.db-wal").write_bytes(path.with_name("copy.db-wal").read_bytes())
    connection.close()
    assert IMPORTER.locate(away) == away


def test_the_variables_name_other_places(tmp_path):
    data = tmp_path / "data"
    Talk(KeptInDatabase(data / "opencode" / "opencode.db"), "a").ask("hi")
    KeptInDatabase(data / "opencode" / "opencode-dev.db")
    KeptInDatabase(tmp_path / "mine.db")
    env = {"XDG_DATA_HOME": str(data), "OPENCODE_DB": str(tmp_path / "mine.db")}
    found = {one.path for one in IMPORTER.discover(tmp_path, env)}
    assert found == {data / "opencode", data / "opencode" / "opencode-dev.db", tmp_path / "mine.db"}
    assert data / "opencode" in IMPORTER.folders(tmp_path, env)


def test_a_database_of_something_else_is_not_taken(tmp_path):
    path = tmp_path / "opencode.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE session (id text)")
    connection.close()
    assert IMPORTER.locate(path) is None
    with (
        pytest.raises(SourceError, match="no OpenCode tables"),
        IMPORTER.open(tmp_path, None, OpenOptions(now=0.0)),
    ):
        pass
