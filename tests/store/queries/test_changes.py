"""Every write to a conversation gives it the highest number."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import delete, update
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.changes import MAX_CHANGES, Changes, latest_change, load_changes
from hermes_sessions.store.schema.models import Conversation, Session
from tests.builders import a_conversation, a_message
from tests.waiting import until


def latest(db: OrmSession) -> int:
    """Commit, for what is not committed is nobody's to see, and return the cursor."""
    db.commit()
    return latest_change(db)


def names(db: OrmSession, since: int) -> list[str]:
    found: list[Changes] = []

    def nothing_is_held() -> bool:
        db.commit()
        found[:] = [load_changes(db, since)]
        return not found[0].held

    until(nothing_is_held)
    return [row.public_id for row in found[0].items]


def test_nothing_changed_behind_the_latest_change(db: OrmSession) -> None:
    a_conversation(db)
    cursor = latest(db)
    found = load_changes(db, cursor)
    assert (found.cursor, found.items, found.more) == (cursor, (), False)
    assert latest(db) > 1_700_000_000_000


def test_new_and_changed_conversations_come_newest_first(db: OrmSession) -> None:
    first = a_conversation(db, id="first")
    a_conversation(db, id="second")
    cursor = latest(db)
    a_conversation(db, id="third")
    db.commit()  # what one transaction writes has one number on PostgreSQL
    a_message(db, db.get_one(Session, first.root_id))
    assert names(db, cursor) == ["first", "third"]
    assert names(db, load_changes(db, cursor).cursor) == []


def test_changes_of_one_number_have_one_order(db: OrmSession) -> None:
    for name in ("first", "second", "third"):
        a_conversation(db, id=name)
    cursor = latest(db)
    for name in ("third", "first", "second"):
        at = Conversation.public_id == name
        db.execute(update(Conversation).where(at).values(pinned=True))
    db.commit()
    found = names(db, cursor)
    if db.get_bind().dialect.name == "postgresql":
        assert found == ["third", "second", "first"]
    else:
        assert found == ["second", "first", "third"]


def test_what_a_running_transaction_holds_is_said_to_be_held_and_comes(
    db: OrmSession, database: Database
) -> None:
    if database.path is not None:
        pytest.skip("in a file there is one writer at a time")
    cursor = latest(db)
    db.commit()
    with database.engine.connect() as other:
        other.exec_driver_sql("SELECT pg_current_xact_id()")
        a_conversation(db, id="held")
        db.commit()
        found = load_changes(db, cursor)
        assert (found.cursor, found.items, found.held) == (cursor, (), True)
    assert names(db, cursor) == ["held"]


def test_a_change_in_bulk_is_one_too(db: OrmSession) -> None:
    a_conversation(db, id="pinned")
    a_conversation(db, id="other")
    cursor = latest(db)
    db.execute(update(Conversation).where(Conversation.public_id == "pinned").values(pinned=True))
    assert names(db, cursor) == ["pinned"]


def test_upkeep_is_a_change(db: OrmSession) -> None:
    conversation = a_conversation(db, id="kept")
    cursor = latest(db)
    assert conversation.root_id is not None
    refresh_conversations(db, [conversation.root_id])
    assert names(db, cursor) == ["kept"]


def test_a_number_is_not_given_out_again(db: OrmSession) -> None:
    a_conversation(db, id="stays")
    gone = a_conversation(db, id="gone")
    root = gone.root_id
    gone.root_id = gone.tip_id = None
    db.flush()
    cursor = latest(db)
    db.execute(delete(Session).where(Session.id == root))
    db.execute(delete(Conversation).where(Conversation.public_id == "gone"))
    while time.time() * 1000 <= cursor + 4:
        pass  # within a moment it could be
    db.execute(update(Conversation).values(title="again"))
    assert names(db, cursor) == ["stays"]


def test_too_many_changes_say_so(db: OrmSession) -> None:
    for _ in range(MAX_CHANGES + 1):
        a_conversation(db)
    db.commit()
    found = load_changes(db, 0)
    assert (len(found.items), found.more) == (MAX_CHANGES, True)
    assert found.cursor == latest(db)


@pytest.mark.sqlite_only
def test_changes_are_found_by_their_index(db: OrmSession) -> None:
    for statement in ("WHERE changed > 5 ORDER BY changed DESC LIMIT 9", "ORDER BY changed DESC LIMIT 1"):
        plan = db.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN SELECT * FROM conversations {statement}")
        steps = [row[3] for row in plan]
        assert len(steps) == 1
        assert "ix_conversations_changed" in steps[0]


@pytest.mark.sqlite_only
def test_upgrade_gives_old_conversations_no_number(database: Database) -> None:
    with database.engine.execution_options(write=True, migrating=True).begin() as connection:
        command.downgrade(migrate.alembic_config(connection), "0002")
    path = database.path
    assert isinstance(path, Path)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(
            "INSERT INTO origins (id, kind, label, paused, created_at) VALUES (1, 'hermes', 'h', 0, 1)"
        )
        columns = "public_id, origin_id, kind, last_active_at, " + ", ".join(NUMBERS)
        raw.execute(f"INSERT INTO conversations ({columns}) VALUES ('old', 1, 'chat', 5, {ZEROS})")
    migrate.upgrade(str(path))
    with database.write() as db:
        assert latest_change(db) == 0
        a_conversation(db, id="new")
        assert [row.public_id for row in load_changes(db, 0).items] == ["new"]


NUMBERS = (
    "message_count", "session_count", "fork_count", "compaction_count", "tool_call_count", "input_tokens",
    "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens",
    "archived", "pinned", "gone",
)  # fmt: skip
ZEROS = ", ".join("0" for _ in NUMBERS)
