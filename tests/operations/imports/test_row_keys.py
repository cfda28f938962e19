"""Rows are known by their key at the origin, in their session; their numbers are an order, no more."""

from pathlib import Path

import pytest
from sqlalchemy import select

from hermes_sessions.handoff import render_handoff
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.operations.documents.messages import show_document
from hermes_sessions.store.schema.models import Message, Session
from tests.agents.installing import Install
from tests.operations.imports.lines_agent import write_session
from tests.operations.imports.scene import Scene

PARENT = (("p-1", "user", "Look it up."), ("p-2", "assistant", "I ask a helper."), ("p-3", "user", "Well?"))
HELPER = (("h-1", "user", "Find the port."), ("h-2", "assistant", "It is 8080."))


@pytest.fixture
def agent(scene: Scene, tmp_path: Path, registered: Install) -> Path:
    """The folder of an agent that is installed: a session with a helper's, both numbered from 1."""
    registered("agent_lines", "tests.operations.imports.lines_agent:importer")
    request = tmp_path / "agent"
    write_session(request, "parent", *PARENT)
    write_session(request, "helper", *HELPER, parent="parent", source="subagent")
    return request


def stored(scene: Scene, session: str) -> list[tuple[int, str | None, str | None]]:
    """Return (our key, its key, text) of a session's rows in their order."""
    with scene.database.read() as db:
        found = db.execute(
            select(Message.id, Message.origin_key, Message.text)
            .join(Session, Session.id == Message.session_id)
            .where(Session.foreign_id == session)
            .order_by(Message.position)
        )
        return [(row.id, row.origin_key, row.text) for row in found]


def texts(scene: Scene, session: str) -> list[str | None]:
    return [text for _, _, text in stored(scene, session)]


def test_sessions_whose_rows_have_the_same_numbers_are_imported(scene: Scene, agent: Path) -> None:
    report = scene.bring(agent)
    assert (report.sessions, report.messages, report.rejected) == (2, 5, ())
    assert texts(scene, "parent") == [text for _, _, text in PARENT]
    assert texts(scene, "helper") == [text for _, _, text in HELPER]
    assert scene.relations() == {"parent": "root", "helper": "delegate"}


def test_a_second_and_a_full_import_change_nothing(scene: Scene, agent: Path) -> None:
    scene.bring(agent)
    before = [stored(scene, one) for one in ("parent", "helper")]
    assert scene.bring(agent).unchanged
    scene.bring(agent, full=True)
    assert [stored(scene, one) for one in ("parent", "helper")] == before


def test_what_is_appended_to_either_is_added_there(scene: Scene, agent: Path) -> None:
    scene.bring(agent)
    before = stored(scene, "parent")
    write_session(agent, "parent", *PARENT, ("p-4", "assistant", "Port 8080."))
    write_session(agent, "helper", *HELPER, ("h-3", "user", "Sure?"), parent="parent", source="subagent")
    scene.bring(agent)
    assert stored(scene, "parent")[:3] == before
    assert texts(scene, "parent")[3:] == ["Port 8080."]
    assert texts(scene, "helper")[2:] == ["Sure?"]


def test_rows_of_a_rewritten_file_are_found_by_their_keys(scene: Scene, agent: Path) -> None:
    scene.bring(agent)
    ours = {origin: key for key, origin, _ in stored(scene, "parent")}
    last, first, second = PARENT[2], PARENT[0], PARENT[1]
    write_session(agent, "parent", last, ("p-0", "user", "Before all."), first, (*second[:2], "Asked."))
    scene.bring(agent)
    found = stored(scene, "parent")
    assert [text for _, _, text in found] == ["Well?", "Before all.", "Look it up.", "Asked."]
    assert {origin: key for key, origin, _ in found if origin in ours} == ours


def test_a_deleted_row_keeps_its_key_in_what_is_kept_of_it(scene: Scene, agent: Path) -> None:
    scene.bring(agent)
    write_session(agent, "parent", *PARENT[:2])
    scene.bring(agent)
    with scene.database.read() as db:
        row = db.scalars(select(Message).where(Message.text == "Well?")).one()
    assert (row.origin_key, row.state) == (None, "rewound")
    assert row.extra is not None
    assert row.extra["$gone"] == {"id": 3, "key": "p-3", "state": "live"}


def test_a_family_of_many_rows_is_brought_in_pieces(scene: Scene, agent: Path) -> None:
    many = [(f"p-{at}", ("user", "assistant")[at % 2], f"line {at}") for at in range(5_000)]
    write_session(agent, "parent", *many)
    scene.bring(agent)
    assert texts(scene, "parent") == [text for _, _, text in many]
    assert texts(scene, "helper") == [text for _, _, text in HELPER]


@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
def test_a_compaction_is_found_again_whatever_its_rows_are_called_meanwhile(
    scene: Scene, agent: Path, in_place: bool
) -> None:
    rows = [(f"p-{at}", ("user", "assistant")[at % 2], f"line {at}") for at in range(6)]
    after = [
        ("c-0", "user", render_handoff("Done.")),
        ("c-1", "user", "line 4"),
        ("c-2", "assistant", "line 5"),
    ]
    if in_place:
        write_session(agent, "parent", *rows, *after, archived=6)
    else:
        write_session(agent, "parent", *rows)
        write_session(agent, "child", *after, parent="parent")
    scene.bring(agent)
    before = scene.compactions("parent")
    assert [one["span"]["messages"] for one in before] == [4]
    # A session that comes first in the folder: every row of the family has another number now.
    write_session(agent, "a-helper", *HELPER, parent="parent", source="subagent")
    scene.bring(agent)
    assert scene.compactions("parent") == before
    assert scene.scroll("parent") == [*(f"{role}: {text}" for _, role, text in rows), "handoff: Done."]


def test_show_gives_the_key_where_it_is_not_the_number(scene: Scene, agent: Path) -> None:
    write_session(agent, "parent", ("1", "user", "Numbered."), ("7", "assistant", "Not."), PARENT[2])
    scene.bring(agent)
    with scene.database.read() as db:
        shown = plain(show_document(db, "parent", every=True))["messages"]
    assert [one["origin_id"] for one in shown] == [1, "7", "p-3"]
