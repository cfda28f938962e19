"""Results that do not name their tool: it is named by its call, and nothing invented goes out again."""

import json

import pytest
from sqlalchemy import select, update

from hermes_sessions import Store
from hermes_sessions.operations.agent.name_results import LOOK_BACK
from hermes_sessions.operations.exports.export_origin import OriginOrder, export_origin
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.schema.models import Message
from tests.agents.hermes.hermes_builder import calls, row, session
from tests.operations.agent.agents import Agent, policy, turns
from tests.operations.exports.test_export_jsonl import lines_of
from tests.operations.exports.test_export_origin import ask, content, other  # noqa: F401
from tests.operations.imports.scene import NOW, again, handoff, talk

TWO_IDS = json.dumps([{"id": "fc_1", "call_id": "call_1", "function": {"name": "terminal"}}])


def call(call_id, name="terminal"):
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}],
    }


def result(call_id, **more):
    return {"role": "tool", "content": "out", "tool_call_id": call_id, **more}


@pytest.fixture
def agent(database):
    return Agent(database)


def names(found):
    """Return the names of the tools of all results, in the order in which they were said."""
    rows = sorted(found, key=lambda row: row.origin_row_id or row.position)
    return [row.tool_name for row in rows if row.role == "tool"]


def imported(scene, wanted, *results, **more):
    rows = [row("a", "user", "x"), row("a", "assistant", None, tool_calls=wanted)]
    scene.play([session("a")], [*rows, *(row("a", "tool", "out", **one) for one in results)], **more)
    return names(scene.rows().values())


# -- imported --------------------------------------------------------------------------------------


@pytest.mark.parametrize("named_by", ["fc_1", "call_1"])
@pytest.mark.parametrize("name", [None, ""])
def test_an_imported_result_has_the_name_of_its_call(scene, named_by, name):
    assert imported(scene, TWO_IDS, {"tool_call_id": named_by, "tool_name": name}) == ["terminal"]
    assert Store(scene.database).search("tool:terminal role:tool")["hits"][0]["tool_name"] == "terminal"


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        pytest.param(calls(("c", "terminal", {})), {"tool_call_id": "d"}, id="another call"),
        pytest.param(calls(("c", "terminal", {})), {}, id="no call named"),
        pytest.param(calls(("c", "", {})), {"tool_call_id": "c"}, id="the call has no name"),
        pytest.param(calls(("c", "a\0b", {})), {"tool_call_id": "c"}, id="no engine holds its name"),
        pytest.param(calls(("c", "\ud800", {})), {"tool_call_id": "c"}, id="a lone surrogate"),
        pytest.param(calls(("c", "x" * 1000, {})), {"tool_call_id": "c"}, id="longer than a name"),
        pytest.param("{broken", {"tool_call_id": "c"}, id="broken calls"),
    ],
)
def test_without_a_call_that_names_it_there_is_no_name(scene, wanted, given):
    assert imported(scene, wanted, given) == [None]


def test_a_name_of_its_own_stays(scene):
    assert imported(scene, TWO_IDS, {"tool_call_id": "call_1", "tool_name": "own"}) == ["own"]
    assert [one.extra for one in scene.rows().values()][2] is None


def test_the_latest_call_before_counts(scene):
    rows = [
        row("a", "tool", "early", tool_call_id="c"),
        row("a", "assistant", None, tool_calls=calls(("c", "one", {}))),
        row("a", "tool", "first", tool_call_id="c"),
        row("a", "assistant", None, tool_calls=calls(("c", "two", {}))),
        row("a", "tool", "second", tool_call_id="c"),
    ]
    scene.play([session("a"), session("b")], [*rows, row("b", "tool", "elsewhere", tool_call_id="c")])
    assert names(scene.rows().values()) == [None, "one", "two", None]


def test_a_family_that_does_not_fit_into_memory_is_named_alike(scene):
    path = scene.write(
        [session("a")],
        [row("a", "assistant", None, tool_calls=TWO_IDS), row("a", "tool", "out", tool_call_id="fc_1")],
    )
    scene.bring(path, kept_rows=1)
    assert names(scene.rows().values()) == ["terminal"]


def test_another_sync_has_nothing_to_do(scene):
    imported(scene, TWO_IDS, {"tool_call_id": "call_1"})
    assert scene.bring(scene.folder / "agent/state.db").unchanged
    before = Agent(scene.database).everything()
    scene.bring(scene.folder / "agent/state.db", full=True)
    after = Agent(scene.database).everything()
    assert (after["messages"], after["index"]) == (before["messages"], before["index"])


def test_a_store_of_before_gets_the_names_with_the_next_change(scene):
    imported(scene, TWO_IDS, {"tool_call_id": "call_1"})
    with scene.database.write() as db:
        db.execute(update(Message).values(tool_name=None, extra=None))
    with scene.database.read() as db:
        assert check_store(db) == []
    scene.alter("INSERT INTO messages (session_id, role, timestamp) VALUES ('a', 'user', 1.79e9)")
    assert names(scene.rows().values()) == ["terminal"]


def test_a_name_outlives_the_call_at_the_origin(scene):
    imported(scene, TWO_IDS, {"tool_call_id": "call_1"})
    scene.alter("DELETE FROM messages WHERE id = 2", "UPDATE messages SET content = 'new' WHERE id = 3")
    found = scene.rows()[3]
    assert (found.text, found.tool_name) == ("new", "terminal")
    assert "name" not in Store(scene.database).load("a")[-1]


def test_copies_of_such_results_are_still_copies(scene):
    first = [
        *talk("a", "please", "on it"),
        row("a", "user", "and now?"),
        row("a", "assistant", None, tool_calls=TWO_IDS),
        row("a", "tool", "out", tool_call_id="fc_1"),
        row("a", "assistant", "done"),
    ]
    scene.play(
        [session("a", end_reason="compression"), session("b", parent="a")],
        [*first, handoff("b"), *again(first[2:], "b"), row("b", "user", "go on")],
    )
    assert scene.copies() == {8: 3, 9: 4, 10: 5, 11: 6}
    assert names(scene.rows().values()) == ["terminal", "terminal"]


# -- going out again -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [None, ""])
def test_what_the_origin_did_not_say_is_not_exported(scene, other, name):  # noqa: F811
    imported(scene, TWO_IDS, {"tool_call_id": "call_1", "tool_name": name})
    path = scene.folder / "out.db"
    done = export_origin(scene.database, path, OriginOrder(format="hermes"))
    written = None if name is None else name.encode()
    assert ask(path, "SELECT tool_name FROM messages WHERE role = 'tool'") == [(written,)]
    import_path(other, path, ImportOptions(clock=lambda: NOW, label=done.origin))
    assert content(other) == content(scene.database)


def test_an_imported_session_loads_without_the_name(scene):
    imported(scene, TWO_IDS, {"tool_call_id": "call_1"})
    assert Store(scene.database).load("a")[-1] == result("call_1")


# -- appended --------------------------------------------------------------------------------------


def test_an_appended_result_has_the_name_of_its_call(agent):
    session = agent.store.create_session()
    said = [call("a"), result("a"), call("b", "other"), result("b", name="own"), result("b"), result("c")]
    for one in said[:2]:
        agent.store.append(session, one)
    agent.store.append_many(session, said[2:])
    assert names(agent.rows(session)) == ["terminal", "own", "other", None]
    assert agent.store.load(session) == said
    assert agent.store.search("tool:terminal role:tool")["hits"][0]["tool_name"] == "terminal"
    agent.check()


@pytest.mark.parametrize("call_id", ["100%_\\", 'a"b', "提交", "x" * 2_000, "C1"])
def test_ids_are_compared_to_the_letter(agent, call_id):
    session = agent.store.create_session()
    for one in (call(call_id), call("c1", "other"), result(call_id)):
        agent.store.append(session, one)
    expected = None if len(call_id) > 1_000 else "terminal"
    assert names(agent.rows(session)) == [expected]


def test_a_call_long_ago_is_not_looked_for(agent):
    session = agent.store.create_session()
    agent.store.append_many(session, [call("a"), *turns(LOOK_BACK // 2)])
    agent.store.append(session, result("a"))
    assert names(agent.rows(session)) == [None]


@pytest.mark.parametrize("in_place", [False, True])
def test_what_a_compaction_carries_on_is_named_and_loads_as_before(agent, in_place):
    session = agent.talked(20)
    last = [call("a"), result("a"), {"role": "assistant", "content": "done"}]
    agent.store.append_many(session, last)
    done = agent.compact(session, policy=policy(), in_place=in_place)
    assert names(agent.rows(done.session_id))[-1] == "terminal"
    assert agent.store.load(done.session_id)[-3:] == last


def test_a_local_session_is_exported_as_it_was_said(agent, tmp_path):
    session = agent.store.create_session()
    agent.store.append_many(session, [call("a"), result("a")])
    path = tmp_path / "out.db"
    export_origin(agent.database, path, OriginOrder(format="hermes"))
    assert ask(path, "SELECT tool_name FROM messages WHERE role = 'tool'") == [(None,)]


def test_the_lossless_export_keeps_it(agent, other, tmp_path):  # noqa: F811
    session = agent.store.create_session()
    agent.store.append_many(session, [call("a"), result("a")])
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines_of(agent.database, session)))
    import_path(other, path, ImportOptions(clock=lambda: NOW))
    with other.read() as db:
        [found] = db.scalars(select(Message).where(Message.role == "tool"))
    assert found.tool_name == "terminal"
    assert Store(other).load(session)[-1] == result("a")
