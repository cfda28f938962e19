"""What is really sent to a server: few statements for an append, none that a cluster refuses."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

from hermes_sessions import CompactionPolicy, Store
from hermes_sessions.operations.organising.journal import undo_change
from hermes_sessions.operations.organising.organise import Action, organise
from hermes_sessions.store.engines import postgresql_engine
from hermes_sessions.store.engines.server_line import ServerLine
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.servers import Databases
from tests.whole_life import live, run

pytestmark = pytest.mark.postgresql
VOLATILE = re.compile(r"\b(nextval|setval|random|clock_timestamp|timeofday|gen_random_uuid)\s*\(", re.I)
IN_VALUES = re.compile(r"^\s*INSERT\b.*?\bVALUES\b.*\(\s*SELECT\b", re.I | re.S)


def refused(statement: str) -> bool:
    """Whether Citus refuses it, by its documentation: schema-based sharding, queries of one shard."""
    is_update = re.match(r"\s*(WITH\b.*\b)?UPDATE\b", statement, re.I | re.S) is not None
    return (is_update and VOLATILE.search(statement) is not None) or IN_VALUES.match(statement) is not None


def note_lines(found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have noted what goes to libpq, past the driver's cursors."""
    send = ServerLine.send

    def noted(line: ServerLine, commands: Any) -> Any:
        found.extend(text for text, _ in commands)
        return send(line, commands)

    monkeypatch.setattr(ServerLine, "send", noted)


@pytest.fixture
def sent(servers: Databases, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Store, list[str]]]:
    """A store, and every statement that its connections send."""
    found: list[str] = []

    class Noted(psycopg.Cursor[Any]):
        def execute(self, query: Any, *given: Any, **options: Any) -> Any:
            found.append(str(query))
            return super().execute(query, *given, **options)

        def executemany(self, query: Any, *given: Any, **options: Any) -> None:
            found.append(str(query))
            super().executemany(query, *given, **options)

    def note(raw: Any, record: object) -> None:
        raw.cursor_factory = Noted

    note_lines(found, monkeypatch)
    with Store.open(servers.fresh()) as store:
        event.listen(store.database.engine, "connect", note)
        store.database.engine.dispose()
        yield store, found


def say(text: str, role: str = "user") -> dict[str, str]:
    return {"role": role, "content": text}


def test_an_append_sends_eleven_statements_in_two_exchanges(
    sent: tuple[Store, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_engine, "PING_SECONDS", 60.0)
    store, found = sent
    session = store.create_session()
    store.append(session, say("first"))
    found.clear()
    store.append(session, say("second", "assistant"))
    # It begins, says what it needs and asks three things in one exchange, and writes in another, with the
    # commit. Nobody asks whether a server is there that has just answered.
    kinds = [one.split()[0] for one in found]
    asked, written = ["SELECT"] * 4, ["INSERT", "INSERT", "UPDATE", "UPDATE", "COMMIT"]
    assert kinds == ["BEGIN", "SET", *asked, *written]


def test_a_read_that_went_well_ends_with_a_commit_and_forgets_no_statement(
    sent: tuple[Store, list[str]],
) -> None:
    store, _ = sent
    session = store.create_session()
    store.append(session, say("first"))
    with store.database.read() as db:
        raw: Any = db.connection().connection.driver_connection
    for _ in range(8):
        store.load(session)
    assert raw.execute("SELECT name FROM pg_prepared_statements").fetchall()


def test_nothing_is_sent_that_a_cluster_refuses(sent: tuple[Store, list[str]]) -> None:
    store, found = sent
    session = store.create_session(system_prompt="You are an agent.", title="Parser")
    for number in range(14):
        store.append(session, say(f"{number}: " + "read the next line and say what it means; " * 20))
    policy = CompactionPolicy(1_000, head_messages=1, tail_tokens=200, min_tail_messages=2)
    done = store.compact(session, policy=policy, summarize=ExtractiveSummarizer())
    assert done.compaction_id is not None
    store.undo(done.compaction_id)
    organise(store.database, [session], Action.TAG, "work", now=1.0)
    undo_change(store.database, now=2.0)
    assert any(one.lstrip().startswith("UPDATE conversations") for one in found)
    assert any(one.lstrip().startswith("INSERT INTO messages_fts") for one in found)
    assert [one for one in found if refused(one)] == []


def test_nothing_in_a_whole_life_is_sent_that_a_cluster_refuses(
    servers: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []
    note_lines(found, monkeypatch)

    class Noted(psycopg.Cursor[Any]):
        def execute(self, query: Any, *given: Any, **options: Any) -> Any:
            found.append(str(query))
            return super().execute(query, *given, **options)

    def note(raw: Any, record: object) -> None:
        if isinstance(raw, psycopg.Connection):
            raw.cursor_factory = Noted

    url = servers.fresh()
    event.listen(Pool, "connect", note)
    try:
        live(url, tmp_path / "agent")
        run(url, "db", "move", "--to", str(tmp_path / "copy.db"))
    finally:
        event.remove(Pool, "connect", note)
    assert len(found) > 300
    assert [one for one in found if refused(one)] == []


def test_what_a_cluster_refuses_is_recognised() -> None:
    assert refused("UPDATE conversations SET changed = nextval('numbers') WHERE id = 1")
    assert refused(
        "INSERT INTO conversations (id, changed) VALUES (1, (SELECT max(changed) FROM conversations))"
    )
    assert not refused("INSERT INTO a (b) SELECT b FROM c")
