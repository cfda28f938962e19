"""A session that comes late hangs on its parent, also where the agent deleted that one meanwhile."""

import pytest
from sqlalchemy import select

from hermes_sessions.handoff import render_handoff
from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.store.schema.models import Compaction
from tests.agents.hermes.hermes_builder import session
from tests.operations.imports.scene import handoff, talk

OLD = talk("a", "first ask", "first reply", "second ask", "second reply")
A = session("a", end_reason="compression")
B = session("b", parent="a", end_reason="compression")
C = session("c", parent="b")
OTHER, OTHERS = session("z"), talk("z", "hello", "hi")


def continuation(one: str, *new: str):
    return [handoff(one), *talk(one, *new)]


def rotations(scene, database):
    """Return (parent, child, whether it is a fork) of each compaction into a new session."""
    with database.read() as db:
        found = db.scalars(select(Compaction).where(Compaction.child_id.is_not(None)))
        return {
            row.origin_key.removeprefix("rotation:"): (row.parent_id, row.child_id, row.fork) for row in found
        }


@pytest.mark.parametrize("is_noticed", [True, False], ids=["in an import of its own", "in the same import"])
def test_a_continuation_that_comes_late_goes_on_from_its_parent(scene, database, is_noticed):
    scene.play([A, OTHER], [*OLD, *OTHERS])
    if is_noticed:
        scene.play([OTHER], OTHERS)
    scene.play([B, OTHER], [*continuation("b", "go on", "done"), *OTHERS])
    assert scene.session("a").gone_at is not None
    assert scene.session("b").parent_id == scene.session("a").id
    assert scene.relations()["b"] == "compaction"
    assert scene.scroll("a")[-2:] == ["user: go on", "assistant: done"]
    assert rotations(scene, database)["b"] == (scene.session("a").id, scene.session("b").id, False)
    scene.bring(scene.folder / "agent/state.db", full=True)
    assert rotations(scene, database)["b"] == (scene.session("a").id, scene.session("b").id, False)


def test_a_link_that_was_found_late_lasts(scene):
    scene.play([A, OTHER], [*OLD, *OTHERS])
    for new in (("go on", "done"), ("go on", "done", "more", "yes")):
        scene.play([B, OTHER], [*continuation("b", *new), *OTHERS])
        assert scene.session("b").parent_id == scene.session("a").id
    assert scene.bring(scene.folder / "agent/state.db").unchanged


def test_what_comes_between_two_stored_sessions_joins_them(scene):
    scene.play([A, C], [*OLD, *continuation("c", "last", "end")])
    scene.play([B, C], [*continuation("b", "go on", "done"), *continuation("c", "last", "end")])
    assert [scene.session(one).parent_id for one in "bc"] == [scene.session(one).id for one in "ab"]
    assert scene.scroll("a")[-2:] == ["user: last", "assistant: end"]


def test_a_second_continuation_that_comes_late_is_a_fork(scene, database):
    scene.play([A, B, OTHER], [*OLD, *continuation("b", "go on", "done"), *OTHERS])
    scene.alter("DELETE FROM messages WHERE session_id = 'a'", "DELETE FROM sessions WHERE id = 'a'")
    handed = render_handoff("What was done.").replace("'", "''")
    scene.alter(
        "INSERT INTO sessions (id, source, started_at, parent_session_id, end_reason)"
        " VALUES ('d', 'cli', 1780000900, 'a', 'compression'), ('e', 'cli', 1780000950, 'd', NULL)",
        *(
            "INSERT INTO messages (session_id, role, content, timestamp)"
            f" VALUES ('{one}', 'user', '{text}', 1780000960)"
            for one in "de"
            for text in (handed, "other way")
        ),
    )
    assert [scene.relations()[one] for one in "bde"] == ["compaction", "compaction*", "compaction*"]
    a, b, d, e = (scene.session(one).id for one in "abde")
    assert rotations(scene, database) == {"b": (a, b, False), "d": (a, d, True), "e": (d, e, True)}


def test_what_comes_late_to_the_trash_goes_there_too(scene, database):
    scene.play([A, OTHER], [*OLD, *OTHERS])
    organise(database, ["a"], Action.TRASH, now=scene.now)
    first, last = continuation("b", "go on", "done"), continuation("c", "last", "end")
    scene.play([B, OTHER], [*first, *OTHERS])
    scene.play([B, C, OTHER], [*first, *last, *OTHERS])
    assert all(scene.session(one).trashed_at is not None for one in "abc")
