"""What the model sees of a session, and what it does not."""

import pytest
from sqlalchemy import update

from hermes_sessions import Store
from hermes_sessions.errors import NotFoundError
from hermes_sessions.operations.transcript import find_session, load_transcript
from hermes_sessions.store.schema.models import Message
from tests.agents.hermes.hermes_builder import calls, row
from tests.agents.hermes.hermes_builder import session as foreign_session
from tests.operations.agent.agents import Agent
from tests.operations.imports.scene import handoff, talk


@pytest.fixture
def agent(database):
    return Agent(database)


def contents(store, session):
    return [message["content"] for message in store.load(session)]


def test_rows_out_of_the_context_are_left_out(agent):
    session = agent.store.create_session()
    ids = agent.store.append_many(session, [{"role": "user", "content": str(at)} for at in range(4)])
    with agent.database.write() as db:
        for key, state in zip(ids, ("compacted", "superseded", "rewound", "live"), strict=True):
            db.execute(update(Message).where(Message.id == key).values(state=state))
    assert contents(agent.store, session) == ["3"]


def test_notes_about_the_session_are_no_messages(agent):
    session = agent.store.create_session()
    agent.store.append_many(
        session, [{"role": "session_meta", "content": "{}"}, {"role": "user", "content": "x"}]
    )
    assert contents(agent.store, session) == ["x"]


def test_an_imported_session_loads_as_its_agent_sent_it(scene):
    wanted = calls(("c1", "read_file", {"path": "a.py"}))
    scene.play(
        [foreign_session("a", system_prompt="Be brief.")],
        [
            row("a", "user", [{"type": "text", "text": "look"}]),
            row("a", "assistant", None, tool_calls=wanted),
            row("a", "tool", "print()", tool_call_id="c1", tool_name="read_file"),
        ],
    )
    system, asked, called, answered = Store(scene.database).load("a")
    assert system == {"role": "system", "content": "Be brief."}
    assert asked == {"role": "user", "content": [{"type": "text", "text": "look"}]}
    assert called["tool_calls"][0]["function"]["name"] == "read_file"
    assert answered == {"role": "tool", "content": "print()", "tool_call_id": "c1", "name": "read_file"}


@pytest.mark.parametrize(("first", "expected"), [("Be brief.", 1), ("Be kind.", 2)])
def test_a_system_prompt_that_is_a_row_too_is_loaded_once(scene, first, expected):
    rows = [row("a", "system", first), *talk("a", "Hello", "Hi")]
    scene.play([foreign_session("a", system_prompt="Be brief.")], rows)
    loaded = Store(scene.database).load("a")
    assert [one["role"] for one in loaded] == [*["system"] * expected, "user", "assistant"]


def test_tool_calls_that_are_no_json_do_not_stop_a_load(scene):
    scene.play([foreign_session("a")], [row("a", "assistant", "x", tool_calls="[{broken")])
    assert Store(scene.database).load("a") == [{"role": "assistant", "content": "x"}]


def test_a_handoff_is_part_of_what_the_model_sees(scene):
    scene.play(
        [foreign_session("a", end_reason="compression"), foreign_session("b", parent="a")],
        [*talk("a", "do it", "done", "more"), handoff("b"), *talk("b", "ok", first="assistant")],
    )
    assert "What was done." in contents(Store(scene.database), "b")[0]


def test_a_copy_names_the_first_of_its_kind(agent):
    session = agent.talked()
    child = agent.compact(session).session_id
    agent.said.clear()
    with agent.database.read() as db:
        rows = load_transcript(db, find_session(db, child)).rows
        first = {one.id for one in agent.rows(session)}
    assert {one.original for one in rows} - {one.id for one in rows} <= first


def test_only_a_whole_id_finds_a_session_to_work_on(agent):
    agent.store.create_session(session_id="abcdef")
    with pytest.raises(NotFoundError):
        agent.store.load("abc")
