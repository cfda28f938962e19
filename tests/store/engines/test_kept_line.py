"""What a connection that only appends remembers between two of its transactions, and when it forgets."""

import os
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions import Store
from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.operations.agent import append as appending
from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.store.engines import writer_queue
from hermes_sessions.store.engines.exchange import Direct
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.schema.models import Conversation, Message
from tests.waiting import PATIENCE_SECONDS, until


def say(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sessions that were asked for, in their order."""
    found: list[str] = []
    ask = appending._ask_standing

    def noted(line: Direct, public_id: str, count: int) -> Any:
        found.append(public_id)
        return ask(line, public_id, count)

    monkeypatch.setattr(appending, "_ask_standing", noted)
    return found


def begun(store: Store, name: str) -> str:
    """A session in which the user has spoken and somebody answered."""
    store.create_session(session_id=name)
    store.append(name, {"role": "user", "content": f"the question of {name}"})
    store.append(name, say("the answer"))
    return name


def is_sound(store: Store) -> bool:
    with store.database.read() as db:
        return list(check_store(db)) == []


def positions(store: Store) -> list[tuple[int, int]]:
    with store.database.read() as db:
        rows = db.execute(select(Message.session_id, Message.position).order_by(Message.id))
        return [(session, position) for session, position in rows]


def test_who_appends_alone_asks_no_more(tmp_path: Path, asked: list[str]) -> None:
    with Store.open(str(tmp_path / "store.db")) as store:
        one, two = begun(store, "one"), begun(store, "two")
        store.append(one, say("a"))
        asked.clear()
        for number in range(40):
            store.append((one, two)[number % 2], say(f"{number}", timestamp=1_790_000_000.0))
        assert asked == []
        assert [said["content"] for said in store.load(one)][3:] == [f"{at}" for at in range(0, 40, 2)]
        assert is_sound(store)


def test_one_message_and_a_few_take_turns(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "store.db")) as store:
        name = begun(store, "one")
        expected = []
        for number in range(30):
            time = 1_790_000_000.0 + number // 12
            said = [say(f"{number} {at}", timestamp=time) for at in range((1, 3, 1, 8)[number % 4])]
            store.append_many(name, said)
            expected += [one["content"] for one in said]
        assert [one["content"] for one in store.load(name)][2:] == expected
        assert is_sound(store)


def test_what_another_process_writes_is_seen(tmp_path: Path, asked: list[str]) -> None:
    path = str(tmp_path / "store.db")
    with Store.open(path) as mine, Store.open(path) as other:
        name = begun(mine, "one")
        for number in range(12):
            (mine, other)[number % 2].append(name, say(f"{number}"))
            mine.append(name, say(f"{number} again"))
        expected = [text for at in range(12) for text in (f"{at}", f"{at} again")]
        assert [said["content"] for said in mine.load(name)][2:] == expected
        assert [position for _, position in positions(mine)] == list(range(26))
        assert is_sound(mine)


def test_what_is_done_on_other_connections_of_the_process_is_seen(tmp_path: Path, asked: list[str]) -> None:
    with Store.open(str(tmp_path / "store.db")) as store:
        name = begun(store, "one")
        store.append(name, say("a"))
        asked.clear()
        organise(store.database, [name], Action.PIN, now=1.0)
        store.append(name, say("b"))
        store.append_many(name, [say(f"{at}") for at in range(20)])
        store.append(name, say("c"))
        assert asked == [name, name]
        assert [position for _, position in positions(store)] == list(range(25))
        assert is_sound(store)


def test_an_append_that_failed_leaves_nothing_remembered(
    tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(str(tmp_path / "store.db")) as store:
        name = begun(store, "one")
        store.append(name, say("a"))
        with monkeypatch.context() as broken:
            broken.setattr(appending, "_counts", lambda *given: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                store.append(name, say("never"))
        asked.clear()
        store.append(name, say("b"))
        assert asked == [name]
        assert [said["content"] for said in store.load(name)][2:] == ["a", "b"]
        with pytest.raises(NotFoundError):
            store.append("nobody", say("x"))
        assert is_sound(store)


def test_sessions_of_one_conversation_keep_its_time(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "store.db")) as store:
        one, two = begun(store, "one"), begun(store, "two")
        with store.database.write() as db:
            # Both count for one conversation, as a session and its delegate may.
            db.connection().exec_driver_sql("UPDATE messages SET conversation_id = 1 WHERE session_id = 2")
            db.connection().exec_driver_sql("UPDATE sessions SET conversation_id = 1 WHERE id = 2")
        for name, time in ((one, 1_800_000_000.0), (two, 1_900_000_000.0), (one, 1_850_000_000.0)) * 2:
            store.append(name, say("later", timestamp=time))
        with store.database.read() as db:
            assert db.get_one(Conversation, 1).last_active_at == 1_900_000_000.0


def test_a_store_that_is_closed_lets_go_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(str(path)) as store:
        name = begun(store, "one")
        with pytest.raises(InvalidQueryError):
            store.create_session(session_id=name)
    assert not path.with_name("store.db-wal").exists()


@pytest.mark.skipif(not writer_queue.HAVE_PLACES, reason="no locks that belong to an open file here")
@pytest.mark.parametrize("made_again", [False, True])
def test_who_appends_alone_draws_no_number_and_passes_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_again: bool
) -> None:
    monkeypatch.setattr(writer_queue, "PATIENCE_SECONDS", PATIENCE_SECONDS)
    path = tmp_path / "store.db"
    line = Path(f"{path}-turn")
    with Store.open(str(path)) as store:
        name = begun(store, "one")
        store.append(name, say("a"))
        before = line.read_bytes()
        for _ in range(5):
            store.append(name, say("b"))
        assert line.read_bytes() == before
        if made_again:
            line.unlink()
            line.touch()
        done = threading.Event()

        def wait_and_append() -> None:
            store.append(name, say("c"))
            done.set()

        late = threading.Thread(target=wait_and_append)
        with closing(writer_queue._Place(os.open(line, os.O_RDWR))) as other:
            other.wait(float("inf"))
            drawn = line.read_bytes()[:8]
            late.start()
            until(lambda: line.read_bytes()[:8] != drawn or done.is_set())
            assert not done.wait(0.05)
        late.join()
        assert done.is_set()
        assert is_sound(store)
