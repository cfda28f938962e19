"""What a journal beside an agent's database told once stays, whatever becomes of the journal."""

import json

import pytest

from hermes_sessions.agents.hermes.journal import FILE
from hermes_sessions.messages import CompactionMethod
from tests.agents.hermes.hermes_builder import session
from tests.operations.imports.scene import Scene, talk

PRUNED = {"kind": "prune_tool_results", "outcome": "committed", "attempt_id": "a2", "tool_results_pruned": 9}


@pytest.fixture
def scene(tmp_path, database):
    return Scene(tmp_path, database)


def methods(scene):
    return [one["method"] for one in scene.compactions("a")]


def test_a_prune_outlives_the_line_that_told_of_it(scene):
    path = scene.write([session("a")], talk("a", "one", "two"))
    journal = path.parent / FILE
    journal.parent.mkdir()
    journal.write_text(json.dumps({"kind": "account", "session": "a", "at": 1.0, "record": PRUNED}) + "\n")
    scene.bring(path)
    assert methods(scene) == [CompactionMethod.PRUNE]
    journal.unlink()
    path = scene.write([session("a")], talk("a", "one", "two", "three"))
    scene.bring(path)
    assert methods(scene) == [CompactionMethod.PRUNE]


def test_rows_deleted_after_a_prune_are_not_what_it_summarised(scene):
    path = scene.write([session("a")], talk("a", "one", "two", "three", "four"))
    journal = path.parent / FILE
    journal.parent.mkdir()
    journal.write_text(json.dumps({"kind": "account", "session": "a", "at": 1.0, "record": PRUNED}) + "\n")
    scene.bring(path)
    scene.bring(scene.write([session("a")], talk("a", "one", "two")))
    [prune] = scene.compactions("a")
    assert (prune["span"]["first"], prune["span"]["stored"]) == (None, False)


def noted(at, **changes):
    line = {
        "kind": "compaction",
        "session": "a",
        "at": at,
        "engine": "hermes-sessions 1",
        "status": "aborted",
    }
    return json.dumps({**line, "reason": "the model failed: no key", "failure": "auth", **changes}) + "\n"


def test_an_attempt_is_found_though_no_row_changed(scene):
    path = scene.write([session("a")], talk("a", "one", "two"))
    scene.bring(path)
    journal = path.parent / FILE
    journal.parent.mkdir()
    journal.write_text(noted(1.0))
    scene.bring(path)
    [found] = scene.compactions("a")
    assert (found["status"], found["error"]) == ("aborted", "the model failed: no key")


def test_an_attempt_outlives_its_line_and_comes_once(scene):
    path = scene.write([session("a")], talk("a", "one", "two"))
    journal = path.parent / FILE
    journal.parent.mkdir()
    journal.write_text(noted(1.0) + noted(2.0))
    scene.bring(path)
    scene.bring(scene.write([session("a")], talk("a", "one", "two", "three")))
    assert len(scene.compactions("a")) == 2
    journal.unlink()
    scene.bring(scene.write([session("a")], talk("a", "one", "two", "three", "four")))
    assert [one["error"] for one in scene.compactions("a")] == ["the model failed: no key"] * 2


def test_rows_deleted_after_an_attempt_are_not_what_it_summarised(scene):
    path = scene.write([session("a")], talk("a", "one", "two", "three", "four"))
    journal = path.parent / FILE
    journal.parent.mkdir()
    journal.write_text(noted(1.0))
    scene.bring(path)
    scene.bring(scene.write([session("a")], talk("a", "one", "two")))
    [found] = scene.compactions("a")
    assert (found["span"]["first"], found["span"]["messages"]) == (None, None)


def test_a_new_line_of_the_journal_alone_is_noticed(scene):
    path = scene.write([session("a"), session("b")], talk("a", "one", "two"))
    assert not scene.bring(path).unchanged
    assert scene.bring(path).unchanged
    journal = path.parent / FILE
    journal.parent.mkdir()
    journal.write_text(json.dumps({"kind": "account", "session": "a", "at": 1.0, "record": PRUNED}) + "\n")
    assert not scene.bring(path).unchanged
    assert methods(scene) == [CompactionMethod.PRUNE]
    assert scene.bring(path).unchanged
