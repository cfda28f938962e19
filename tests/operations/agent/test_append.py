"""Appending: counts kept, the right session found, many writers at once."""

import multiprocessing
import threading

import pytest

from hermes_sessions import Store
from hermes_sessions.errors import InvalidQueryError, NotFoundError
from tests.agents.hermes.hermes_builder import session as foreign_session
from tests.operations.agent.agents import Agent, turns
from tests.operations.imports.scene import talk


@pytest.fixture
def agent(database):
    return Agent(database)


def test_appending_keeps_every_count(agent):
    session = agent.talked(3)
    agent.say(session, {"role": "session_meta", "content": "model changed"})
    agent.say(session, {"role": "assistant", "content": None}, {"role": "tool", "content": "ok"})
    agent.check()


def test_appending_nothing_changes_nothing(agent):
    session = agent.talked(2)
    before = agent.everything()
    assert agent.store.append_many(session, []) == []
    assert agent.everything() == before


def test_ids_are_those_of_the_rows_in_order(agent):
    session = agent.store.create_session()
    ids = agent.store.append_many(session, turns(3))
    assert [row.id for row in agent.rows(session)] == ids


def test_an_unknown_session_is_named(agent):
    with pytest.raises(NotFoundError, match="'nobody'"):
        agent.store.append("nobody", {"role": "user", "content": "x"})


def test_an_imported_session_is_not_written_to(scene):
    scene.play([foreign_session("a")], talk("a", "hello", "hi"))
    with pytest.raises(InvalidQueryError, match="imported sessions are not written to"):
        Store(scene.database).append("a", {"role": "user", "content": "x"})


def test_an_imported_session_that_was_compacted_here_goes_on_in_ours(scene):
    scene.play([foreign_session("a")], talk("a", *(one["content"] for one in turns(20))))
    agent = Agent(scene.database)
    child = agent.compact("a").session_id
    agent.say("a", {"role": "user", "content": "to whom it may concern"})
    assert agent.store.load(child)[-1]["content"] == "to whom it may concern"
    agent.check()


def test_a_compacted_session_passes_messages_on_to_its_tip(agent):
    first = agent.talked()
    second = agent.compact(first).session_id
    agent.say(first, *turns(20, 20))
    third = agent.compact(second).session_id
    agent.say(first, {"role": "user", "content": "sent to the first"})
    assert agent.store.load(third)[-1]["content"] == "sent to the first"
    assert agent.scroll(first) == agent.said
    agent.check()


def write(path: str, number: int, rounds: int) -> None:
    """Append alone and in batches to a session of one's own and to a shared one."""
    with Store.open(path) as store:
        own = store.create_session(session_id=f"writer-{number}")
        for at in range(rounds):
            store.append(own, {"role": "user", "content": f"{number}/{at}"})
            store.append_many("shared", [{"role": "assistant", "content": f"{number}/{at}"}])


def contents(store: Store, session: str) -> list[str]:
    return [message["content"] for message in store.load(session)]


@pytest.mark.slow
def test_eight_processes_append_and_lose_nothing(agent, store_url):
    agent.store.create_session(session_id="shared")
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write, args=(store_url, one, 100)) for one in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 8
    shared = contents(agent.store, "shared")
    for number in range(8):
        ledger = [f"{number}/{at}" for at in range(100)]
        assert contents(agent.store, f"writer-{number}") == ledger
        assert [one for one in shared if one.startswith(f"{number}/")] == ledger
    assert len(shared) == 800
    agent.check()


def test_threads_share_one_store(agent):
    session = agent.store.create_session()
    ids: list[int] = []

    def write(number: int) -> None:
        for at in range(25):
            ids.append(agent.store.append(session, {"role": "user", "content": f"{number}/{at}"}))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ids) == [row.id for row in agent.rows(session)]
    assert len(set(contents(agent.store, session))) == 100
    agent.check()
