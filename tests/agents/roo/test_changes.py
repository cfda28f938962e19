"""After any change of its files the store is what a fresh import of them would be."""

import pytest

from tests.agents.changed_home import as_stored, assert_as_afresh, bring
from tests.agents.roo.task_builder import RooTask


def task_of(home, name="a"):
    return RooTask.of(home.task(name).folder)


def add_turns(home, name="a"):
    task = task_of(home, name)
    task.ask("more")
    task.call("t9")
    task.result("t9", "out")
    task.write()


def condense(home):
    task = task_of(home)
    task.condense("later", "c9")
    task.ask("and now")
    task.write()


def truncate(home):
    task = task_of(home)
    task.truncate(1)
    task.write()


def take_summary_away(home):
    task = task_of(home)
    task.items = [one for one in task.items if not one.get("isSummary")]
    task.write()


def cut_off(home):
    task = task_of(home)
    del task.items[2:]
    task.write()


def tell_more(home):
    task = task_of(home)
    task.tell("condense_context_error", text="no answer")
    task.write()


def begin_another(home):
    task = home.task("c")
    task.ask("find it")
    task.listed = {"parentTaskId": "a"}
    task.write()


CHANGES = {
    "turns": [add_turns],
    "a compaction": [condense],
    "a truncation": [truncate],
    "one after the other": [add_turns, condense, add_turns, truncate],
    "a summary that is gone": [take_summary_away, add_turns],
    "cut off": [cut_off],
    "cut off, then longer": [cut_off, add_turns, condense],
    "only the screen": [tell_more],
    "another task": [begin_another, lambda home: add_turns(home, "c")],
    "deleted": [lambda home: home.task("b").folder.rename(home.path / "away")],
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("steps", CHANGES.values(), ids=CHANGES)
def test_a_changed_home_is_as_if_imported_afresh(home, database, tmp_path, steps):
    for name in ("a", "b"):
        task = home.task(name)
        task.ask("first")
        task.reply("one")
        task.condense("all of it", f"c-{name}")
        task.ask("second")
        task.write()
    assert_as_afresh(database, home, tmp_path, steps)


def test_a_history_that_is_cut_off_for_a_moment_loses_nothing(home, database):
    for name in ("a", "b"):
        task = home.task(name)
        task.ask("hello")
        task.write()
    bring(database, home.path)
    before = as_stored(database)
    whole = task.history.read_text()
    task.history.write_text(whole[:20])
    report = bring(database, home.path)
    assert report.damage == ()
    assert [one["reason"] for one in report.warnings] == ["JSON that is cut off: it is read when it is whole"]
    assert as_stored(database) == before
    task.history.write_text(whole)
    bring(database, home.path)
    assert as_stored(database) == before
