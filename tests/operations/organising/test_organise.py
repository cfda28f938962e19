"""What the user decides survives syncs, late roots and merges, and can be taken back."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.operations.organising.journal import KEPT_CHANGES, list_changes, undo_change
from hermes_sessions.operations.organising.organise import Action, Organised, organise
from hermes_sessions.operations.organising.saved_searches import forget_search, list_searches, save_search
from hermes_sessions.store.engines.row_keys import keep_keys
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.conversations import ConversationListing, list_conversations
from hermes_sessions.store.schema.models import Session
from hermes_sessions.store.schema.organising import Change
from tests.agents.hermes.hermes_builder import session
from tests.operations.imports.scene import NOW, Scene, talk


@pytest.fixture
def scene(tmp_path: Path, database: Database) -> Scene:
    return Scene(tmp_path, database)


@pytest.fixture
def three(scene: Scene) -> Scene:
    """Conversations a, b and c."""
    return scene.play(
        [session(one) for one in "abc"], [row for one in "abc" for row in talk(one, f"ask {one}", "reply")]
    )


def do(scene: Scene, action: str, *ids: str, text: str = "") -> Organised:
    done = organise(scene.database, ids, Action(action), text, now=NOW)
    with scene.database.read() as db:
        assert check_store(db) == []
    return done


def marks(scene: Scene, conversation: str) -> tuple[bool, bool, str | None, str | None]:
    row = scene.conversations()[conversation]
    return row.pinned, row.archived, row.tags, row.note


def listed(database: Database, **options: Any) -> list[str]:
    with database.read() as db:
        return [row.public_id for row in list_conversations(db, ConversationListing(**options)).items]


NONE = (False, False, None, None)


@pytest.mark.parametrize(
    ("action", "text", "expected"),
    [
        ("pin", "", (True, False, None, None)),
        ("archive", "", (False, True, None, None)),
        ("tag", "Work, #urgent", (False, False, "urgent work", None)),
        ("note", " Ask again.\r\nThen stop. ", (False, False, None, "Ask again.\nThen stop.")),
    ],
)
def test_a_mark_is_set_and_undone(three: Scene, action: str, text: str, expected: tuple[Any, ...]) -> None:
    done = do(three, action, "a", "b", text=text)
    assert (done.conversations, done.unchanged) == (2, 0)
    assert (marks(three, "a"), marks(three, "b"), marks(three, "c")) == (expected, expected, NONE)
    undone = undo_change(three.database, done.change, now=NOW)
    assert (undone.restored, undone.skipped) == (2, 0)
    assert marks(three, "a") == marks(three, "b") == NONE


def test_what_is_so_already_is_no_change(three: Scene) -> None:
    do(three, "pin", "a")
    done = do(three, "pin", "a")
    assert (done.change, done.conversations, done.unchanged) == (None, 0, 1)


def test_tags_are_added_taken_away_and_set(three: Scene) -> None:
    do(three, "tag", "a", text="x y")
    do(three, "tag", "a", text="z")
    do(three, "untag", "a", text="y")
    assert marks(three, "a")[2] == "x z"
    do(three, "set_tags", "a", text="only")
    assert marks(three, "a")[2] == "only"
    do(three, "set_tags", "a", text="")
    assert marks(three, "a")[2] is None


def test_undo_takes_the_newest_and_then_the_one_before(three: Scene) -> None:
    do(three, "tag", "a", text="first")
    do(three, "tag", "a", text="second")
    undo_change(three.database, now=NOW)
    assert marks(three, "a")[2] == "first"
    undo_change(three.database, now=NOW)
    assert marks(three, "a")[2] is None
    with pytest.raises(NotFoundError, match="nothing to undo"):
        undo_change(three.database, now=NOW)


def test_undo_leaves_what_was_changed_again_since(three: Scene) -> None:
    first = do(three, "note", "a", "b", text="one")
    do(three, "note", "a", text="two")
    undone = undo_change(three.database, first.change, now=NOW)
    assert (undone.restored, undone.skipped) == (1, 1)
    assert (marks(three, "a")[3], marks(three, "b")[3]) == ("two", None)
    with pytest.raises(InvalidQueryError, match="undone already"):
        undo_change(three.database, first.change, now=NOW)


@pytest.mark.parametrize(
    ("ids", "action", "text", "said"),
    [
        ((), "pin", "", "no conversation"),
        (("a", "nope"), "pin", "", "nope"),
        (("a",), "tag", "", "no tag"),
        (("a",), "tag", "x" * 41, "at most 40"),
        (("a",), "tag", "--", "neither letters nor digits"),
        (("a",), "note", "x" * 10_001, "at most 10,000"),
        (("a",) * 501, "pin", "", "at most 500"),
    ],
)
def test_wrong_use_changes_nothing(
    three: Scene, ids: Sequence[str], action: str, text: str, said: str
) -> None:
    with pytest.raises((InvalidQueryError, NotFoundError), match=said):
        organise(three.database, ids, Action(action), text, now=NOW)
    assert marks(three, "a") == NONE
    with three.database.read() as db:
        assert list_changes(db) == []


def test_a_sync_keeps_the_marks(three: Scene) -> None:
    do(three, "pin", "a")
    do(three, "tag", "a", text="kept")
    three.alter("UPDATE sessions SET title = 'New title' WHERE id = 'a'")
    three.bring(three.folder / "agent/state.db", full=True)
    assert marks(three, "a") == (True, False, "kept", None)


def test_marks_stay_when_an_older_root_turns_up(scene: Scene) -> None:
    child = session("child", parent="root")
    scene.play([child], talk("child", "go on", "yes"))
    for action, text in (("pin", ""), ("tag", "mine"), ("note", "Look here.")):
        do(scene, action, "child", text=text)
    scene.alter(
        "INSERT INTO sessions (id, source, started_at, ended_at, end_reason)"
        " VALUES ('root', 'cli', 1779990000, 1779999999, 'compression')",
        "INSERT INTO messages (session_id, role, content, timestamp)"
        " VALUES ('root', 'user', 'begin', 1779990001), ('root', 'assistant', 'done', 1779990002)",
    )
    assert scene.conversations().keys() == {"root"}
    assert marks(scene, "root") == (True, False, "mine", "Look here.")
    do(scene, "unpin", "root")
    do(scene, "set_tags", "root", text="other")
    assert marks(scene, "root") == (False, False, "other", "Look here.")
    assert listed(scene.database, tag="other") == ["root"]
    assert listed(scene.database, tag="mine") == []


def test_marks_join_when_families_merge(scene: Scene) -> None:
    rows = [*talk("root", "begin", "done"), *talk("child", "go on", "yes")]
    scene.play([session("root"), session("child")], rows)
    do(scene, "note", "root", text="first")
    do(scene, "note", "child", text="second")
    do(scene, "tag", "root", text="b")
    do(scene, "tag", "child", text="a")
    scene.alter(
        "UPDATE sessions SET parent_session_id = 'root' WHERE id = 'child'",
        "UPDATE sessions SET end_reason = 'compression', ended_at = started_at + 1 WHERE id = 'root'",
    )
    assert marks(scene, "root") == (False, False, "a b", "first\nsecond")


def test_what_its_agent_archived_stays_archived_and_is_told(scene: Scene) -> None:
    scene.play([session("a", archived=1)], talk("a", "hello", "hi"), version=30)
    do(scene, "archive", "a")
    done = do(scene, "unarchive", "a")
    assert (done.conversations, done.held) == (1, 1)
    assert scene.conversations()["a"].archived


def test_the_list_finds_tags_pins_and_the_archive(three: Scene) -> None:
    do(three, "tag", "a", "b", text="work")
    do(three, "pin", "b")
    do(three, "archive", "c")
    assert listed(three.database, tag="work") == ["b", "a"]
    assert listed(three.database, pinned=True) == ["b"]
    assert listed(three.database, pinned=False) == ["a"]
    assert listed(three.database, archived=True) == ["c"]


def test_the_journal_keeps_so_many_changes(three: Scene) -> None:
    first = do(three, "pin", "a").change
    assert first is not None
    with three.database.write() as db:
        db.add(Change(id=first + KEPT_CHANGES - 1, action="x", created_at=1.0))
        db.flush()
        keep_keys(db.connection(), Change)
    do(three, "unpin", "a")
    with pytest.raises(NotFoundError, match=f"no change {first}"):
        undo_change(three.database, first, now=NOW)


def test_marks_go_with_their_origin(three: Scene) -> None:
    from hermes_sessions.operations.writing.origins import remove_origin

    do(three, "tag", "a", text="gone")
    remove_origin(three.database, three.report.origin)
    with three.database.read() as db:
        assert check_store(db) == []
        assert not db.connection().exec_driver_sql("SELECT * FROM session_tags").all()
        assert not db.connection().exec_driver_sql("SELECT * FROM change_items").all()


def test_a_search_is_saved_replaced_removed_and_all_of_it_undone(database: Database) -> None:
    def searches() -> list[tuple[str, str]]:
        with database.read() as db:
            return [(one.name, one.target) for one in list_searches(db)]

    save_search(database, " my  work ", "/?tag=work&before=1.0_2&changed=4", now=NOW)
    assert searches() == [("my work", "/?tag=work")]
    save_search(database, "my work", "/search?q=x", now=NOW)
    forget_search(database, "my work", now=NOW)
    assert searches() == []
    undo_change(database, now=NOW)
    assert searches() == [("my work", "/search?q=x")]
    undo_change(database, now=NOW)
    assert searches() == [("my work", "/?tag=work")]
    undo_change(database, now=NOW)
    assert searches() == []


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/?a=b", "/origins", "search"])
def test_only_lists_and_searches_are_saved(database: Database, target: str) -> None:
    with pytest.raises(InvalidQueryError, match="can be saved"):
        save_search(database, "x", target, now=NOW)


def test_marks_are_on_the_root(three: Scene) -> None:
    do(three, "pin", "a")
    with three.database.read() as db:
        assert db.scalars(select(Session.foreign_id).where(Session.pinned)).all() == ["a"]
