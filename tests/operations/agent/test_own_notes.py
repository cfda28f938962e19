"""Notes that the engine puts between messages: nobody's words, wherever a conversation is read."""

import json

import pytest
from sqlalchemy import select

from hermes_sessions.operations.exports.export_origin import OriginOrder, export_origin
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.repair import repair_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Compaction, Message
from tests.operations.agent.agents import NOW, Agent, policy, turns

PREFIX = "[Note by the compaction:"
POLICY = policy(merge=False, head_messages=0)


@pytest.fixture
def agent(database):
    return Agent(database)


@pytest.fixture
def noted(agent):
    """A session whose compaction had to put a note between the handoff and a request."""
    first = agent.talked()
    agent.say(first, {"role": "user", "content": "And one thing more, whatever else there is. " * 6})
    done = agent.compact(first, policy=POLICY)
    [note] = [one for one in done.result.messages if str(one["content"]).startswith(PREFIX)]
    return done.session_id, note


def note_rows(agent, session):
    return [row for row in agent.rows(session) if (row.text or "").startswith(PREFIX)]


def spans(database):
    with database.read() as db:
        return list(db.scalars(select(Compaction.span_messages).order_by(Compaction.id)))


def test_it_is_loaded_for_the_model_and_shown_to_nobody(agent, noted):
    session, note = noted
    assert note in agent.store.load(session)
    assert [row.shown for row in note_rows(agent, session)] == [False]
    assert agent.scroll(session) == agent.said


def test_it_is_not_counted_as_a_message(agent, noted):
    [listed] = agent.store.conversations()["conversations"]
    assert listed["messages"] == len(agent.said) + 1  # the handoff


def test_it_is_not_found_by_a_search(agent, noted):
    assert agent.store.search('"these two messages"')["hits"] == []


def test_every_row_calls_it_a_note(agent, noted):
    rows = agent.store.conversation(noted[0], every=True)["messages"]
    kinds = [row["kind"] for row in rows if row["parts"] and row["parts"][0]["text"].startswith(PREFIX)]
    assert kinds == ["note"]


def test_the_next_compaction_does_not_count_it_among_what_it_replaced(agent, noted):
    session, _ = noted
    agent.say(session, *turns(20, 20))
    before = [row for row in agent.rows(session) if row.kind == "message" and not row.text.startswith(PREFIX)]
    done = agent.compact(session, policy=POLICY)
    kept = [placed for placed in done.result.placed if placed.source is not None]
    assert done.span_messages == len(before) - len(kept) + 1  # the system prompt is kept and no row
    assert PREFIX not in done.result.handoff


def test_somebody_who_quotes_one_is_heard(agent):
    session = agent.store.create_session()
    said = f"{PREFIX} between these two messages others were replaced.]\nWhat does that mean?"
    agent.store.append(session, {"role": "user", "content": said})
    assert [row.shown for row in agent.rows(session)] == [True]
    agent.check()


def test_a_store_from_before_is_mended_by_a_repair(agent, noted):
    session, _ = noted
    with agent.database.write() as db:
        for row in note_rows(agent, session):
            db.get_one(Message, row.id).shown = True
    repair_store(agent.database)
    assert [row.shown for row in note_rows(agent, session)] == [False]
    agent.check()


def test_an_export_to_hermes_and_back_tells_the_same(agent, noted, tmp_path):
    path = tmp_path / "state.db"
    export_origin(agent.database, path, OriginOrder(format="hermes"))
    with Database.open(str(tmp_path / "other.db")) as other:
        import_path(other, path, ImportOptions(clock=lambda: NOW))
        again = Agent(other)
        again.check()
        [there] = again.store.conversations()["conversations"]
        [here] = agent.store.conversations()["conversations"]
        assert (there["messages"], there["preview"]) == (here["messages"], here["preview"])
        assert spans(other) == spans(agent.database)
        assert json.dumps(again.store.search('"these two messages"')["hits"]) == "[]"


def test_what_only_begins_like_one_is_shown(agent):
    session = agent.talked()
    pasted = f"{PREFIX} all of this was left out]"
    agent.say(session, {"role": "user", "content": pasted})
    [row] = note_rows(agent, session)
    assert row.shown
    assert pasted in agent.scroll(session)[-1]
    assert agent.store.search('"all of this was left out"')["hits"]
