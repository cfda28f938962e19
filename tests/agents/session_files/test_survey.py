"""What is known of files before they are read: again without opening them, and their parents by name."""

import json
import os

import pytest

from hermes_sessions.agents.json_lines.file_state import stat_text
from hermes_sessions.agents.session_files.survey import (
    FiledFacts,
    SessionFile,
    cursor_of,
    sessions_of,
    survey_files,
)
from hermes_sessions.errors import SourceError


@pytest.fixture
def place(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_text("x" * 5000 + "\n")
    return tmp_path


def surveyed(place, told=None, parent=None, refuse=()):
    """Return what was found, and (name, whether it had only grown) of each file that was looked at."""
    looked = []

    def look(path, state, growth):
        looked.append((path.stem, growth is not None))
        if path.stem in refuse:
            raise SourceError("no session")
        return FiledFacts(session=path.stem, parent=parent, rows=state.whole)

    def beside(path):
        return stat_text([path.with_suffix(".meta")])

    return list(survey_files(place, sorted(place.glob("*.jsonl")), told or {}, look, beside)), looked


def test_only_what_changed_is_looked_at_again(place):
    found, _ = surveyed(place)
    cursor = json.loads(json.dumps(cursor_of(found)))
    with (place / "two.jsonl").open("a") as file:
        file.write("more\n")
    again, looked = surveyed(place, cursor)
    assert looked == [("two", True)]
    assert [one.facts.rows for one in again] == [5001, 5006]


def test_a_file_beside_is_a_reason_to_look_and_changes_the_mark(place):
    found, _ = surveyed(place)
    (place / "one.meta").write_text("title")
    again, looked = surveyed(place, cursor_of(found))
    assert looked == [("one", False)]
    marks = [sessions_of(files)["one"].mark for files in (found, again)]
    assert marks[0] != marks[1]


def test_a_file_that_was_rewritten_is_looked_at_as_a_new_one(place):
    found, _ = surveyed(place)
    (place / "one.jsonl").write_text("y" * 6000 + "\n")
    assert surveyed(place, cursor_of(found))[1] == [("one", False)]


@pytest.mark.parametrize("told", [{"state": [1], "facts": {}}, {"facts": {"of": "another release"}}, "x"])
def test_a_cursor_of_another_release_is_no_cursor(place, told):
    assert len(surveyed(place, {"one.jsonl": told, "two.jsonl": told})[1]) == 2


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_read(place):
    found, _ = surveyed(place, refuse=("one",))
    assert found[0] == "one.jsonl: no session"
    assert list(sessions_of(found[1:])) == ["two"]


@pytest.mark.parametrize(
    ("told", "parent"),
    [
        ("one", "one"),
        ("/home/u/one.jsonl", "one"),
        ("C:\\u\\one.jsonl", "one"),
        ("/gone/2026-01-01_abc.jsonl", "abc"),
        ("abc_def", "abc_def"),
        ("two", None),
    ],
)
def test_a_parent_is_named_by_its_id_or_by_its_file(place, told, parent):
    found, _ = surveyed(place, parent=told)
    assert sessions_of(found)["two"].parent == parent


def of_one_session(place):
    """Return the sessions by id, with their files' names, where every file says that it is session `s`."""

    def look(path, state, growth):
        return FiledFacts(session="s", rows=state.whole)

    found = list(survey_files(place, sorted(place.glob("*.jsonl")), {}, look, lambda path: ""))
    files = [one for one in found if isinstance(one, SessionFile)]
    return {one: session.file.name for one, session in sessions_of(files).items()}


@pytest.mark.parametrize("size", [10, 5000])
@pytest.mark.parametrize("more", ["", "more\n"])
def test_a_copy_that_was_left_elsewhere_is_not_listed(place, size, more):
    (place / "one.jsonl").write_text("x" * size + "\n")
    (place / "two.jsonl").write_text("x" * size + f"\n{more}")
    os.utime(place / "two.jsonl", (1, 1))
    assert of_one_session(place) == {"s": "two.jsonl" if more else "one.jsonl"}


def test_two_files_of_one_session_that_differ_keep_their_ids_whichever_is_written(place):
    for name, other in (("one", "two"), ("two", "one")):
        (place / f"{name}.jsonl").write_text("x" * 5000 + f"\n{name} is longer by this\n")
        (place / f"{other}.jsonl").write_text("x" * 5000 + f"\n{other}\n")
        os.utime(place / f"{other}.jsonl", (1, 1))
        assert of_one_session(place) == {"s": "one.jsonl", "two.jsonl": "two.jsonl"}
