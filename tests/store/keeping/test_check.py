"""Every kept value that is wrong is found, and mended from the rows it comes from."""

from pathlib import Path

import pytest
from sqlalchemy import text as sql
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.errors import StoreDamagedError
from hermes_sessions.store.keeping.check import KEYS, Disagreement, check_store
from hermes_sessions.store.keeping.repair import repair_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation
from hermes_sessions.store.searching.full_text import index_rows, search
from tests.builders import a_compaction, a_conversation, a_message, a_session, an_origin, messages


@pytest.fixture
def family(db: OrmSession, database: Database) -> Database:
    """A chain of two with a fork, copies, a compaction; beside it a second conversation."""
    origin = an_origin(db)
    conversation = a_conversation(db, origin=origin, id="root", title="Fix the build", cwd="/a")
    root = a_session(db, conversation, id="gone-fork", fork=True)
    messages(db, root, "ua")
    child = a_session(db, conversation, id="tip", title="Fix the build #2", estimated_cost_usd=0.25)
    handoff = a_message(db, child, "[CONTEXT COMPACTION]", kind="handoff")
    first = a_message(db, child, "  What \n now? ")
    a_message(db, child, "What now?", copy_of=first.id, state="superseded")
    a_message(db, child, "Twin", copy_of=first.id, kind="merged", state="superseded")
    a_message(db, child, "Both", copy_of=first.id, kind="merged")
    a_message(db, child, "meta", role="session_meta")
    a_message(db, child, "undone", state="rewound")
    a_compaction(db, child, handoff=handoff)
    messages(db, child, "uatat")
    messages(db, child, "ua")
    conversation.estimated_cost_usd = 0.25
    a_conversation(db, origin=origin, id="other")
    db.commit()
    return database


def disagreements(database: Database) -> list[Disagreement]:
    with database.read() as db:
        return check_store(db)


def spoil(database: Database, statement: str) -> None:
    if database.path is None:
        statement = SAME_ON_POSTGRESQL.get(statement, statement)
    with database.write() as db:
        db.connection().exec_driver_sql(statement)


def test_a_store_that_was_built_right_agrees(family: Database) -> None:
    assert disagreements(family) == []


SPOILT = [
    (
        "UPDATE messages SET conversation_id = 77 WHERE text = 'undone'",
        "messages.conversation_id",
    ),
    ("UPDATE sessions SET message_count = 99 WHERE public_id = 'tip'", "sessions.message_count"),
    ("UPDATE sessions SET shown_count = 0 WHERE public_id = 'tip'", "sessions.shown_count"),
    ("UPDATE sessions SET last_active_at = 1 WHERE public_id = 'tip'", "sessions.last_active_at"),
    ("UPDATE sessions SET ordinal = 7 WHERE public_id = 'tip'", "sessions.ordinal"),
    ("UPDATE sessions SET parent_id = NULL WHERE public_id = 'tip'", "sessions.parent_id"),
    (
        "UPDATE sessions SET conversation_id = (SELECT id FROM conversations WHERE public_id = 'other')"
        " WHERE public_id = 'tip'",
        "sessions.conversation_id",
    ),
    ("UPDATE messages SET shown = NOT shown WHERE text = 'undone'", "messages.shown"),
    ("UPDATE messages SET position = 90 WHERE text = 'meta'", "sessions.positions"),
    ("UPDATE messages SET search_key = NULL WHERE text = 'undone'", "messages.search_key"),
    ("UPDATE messages SET search_key = 1 WHERE text = 'meta'", "messages.search_key"),
    ("UPDATE compactions SET ordinal = 4", "compactions.ordinal"),
    ("UPDATE conversations SET root_id = NULL WHERE public_id = 'root'", "conversations.root_id"),
    ("UPDATE conversations SET tip_id = root_id", "conversations.tip_id"),
    ("UPDATE conversations SET public_id = 'lost' WHERE public_id = 'root'", "conversations.public_id"),
    ("INSERT INTO messages_fts (messages_fts) VALUES ('delete-all')", "messages_fts.row"),
    ("PRAGMA user_version = 0", "messages_fts.version"),
] + [
    (f"UPDATE conversations SET {column} = {value} WHERE public_id = 'root'", f"conversations.{column}")
    for column, value in {
        "kind": "'delegate'",
        "title": "'x'",
        "preview": "NULL",
        "source": "'x'",
        "model": "'x'",
        "cwd": "NULL",
        "started_at": "1",
        "last_active_at": "1",
        "ended_at": "1",
        "end_reason": "'x'",
        "message_count": "99",
        "session_count": "99",
        "fork_count": "99",
        "compaction_count": "99",
        "tool_call_count": "99",
        "input_tokens": "99",
        "output_tokens": "99",
        "cache_read_tokens": "99",
        "cache_write_tokens": "99",
        "reasoning_tokens": "99",
        "estimated_cost_usd": "99",
        "actual_cost_usd": "99",
        "archived": "1",
        "pinned": "1",
        "gone": "1",
    }.items()
]


SAME_ON_POSTGRESQL = {
    "INSERT INTO messages_fts (messages_fts) VALUES ('delete-all')": "DELETE FROM messages_fts",
    "PRAGMA user_version = 0": "UPDATE messages_fts_version SET version = 0",
    **{
        f"UPDATE conversations SET {name} = 1 WHERE public_id = 'root'": (
            f"UPDATE conversations SET {name} = true WHERE public_id = 'root'"
        )
        for name in ("archived", "pinned", "gone")
    },
}


@pytest.mark.parametrize(("statement", "value"), SPOILT, ids=[value for _, value in SPOILT])
def test_finds_and_mends(family: Database, statement: str, value: str) -> None:
    spoil(family, statement)
    assert value in {f"{one.table}.{one.column}" for one in disagreements(family)}
    repair = repair_store(family)
    assert repair.left == []
    assert disagreements(family) == []


def test_a_disagreement_names_both_values(family: Database) -> None:
    spoil(family, "UPDATE conversations SET message_count = 99 WHERE public_id = 'root'")
    [found] = disagreements(family)
    assert (found.table, found.column, found.stored, found.derived) == (
        "conversations",
        "message_count",
        99,
        10,
    )


@pytest.mark.sqlite_only("a server's backups are pg_dump's")
def test_repair_makes_a_backup_of_what_was(family: Database, tmp_path: Path) -> None:
    spoil(family, "UPDATE conversations SET title = 'spoilt'")
    backup = repair_store(family).backup
    assert backup is not None
    with Database.open(str(backup)) as before, before.read() as db:
        assert set(db.execute(sql("SELECT title FROM conversations")).scalars()) == {"spoilt"}


def test_repair_leaves_a_sound_store_alone(family: Database) -> None:
    assert repair_store(family).backup is None


def test_a_conversation_without_sessions_is_removed(family: Database) -> None:
    kept = ", ".join(one.name for one in Conversation.__table__.columns if one.name not in _OWN)
    spoil(
        family,
        f"INSERT INTO conversations (id, public_id, {kept})"
        f" SELECT 999, 'stray', {kept} FROM conversations LIMIT 1",
    )
    found = [(one.table, one.id) for one in disagreements(family) if one.column != KEYS]
    assert found == [("conversations", 999)]
    assert repair_store(family).left == []


_OWN = {"id", "public_id", "root_id", "tip_id"}


def test_a_stray_index_row_is_found_and_dropped(family: Database) -> None:
    with family.write() as db:
        index_rows(db, [(12, "stray")])
    assert [(one.table, one.id) for one in disagreements(family)] == [("messages_fts", 12)]
    repair_store(family)
    with family.read() as db:
        assert search(db, "stray") == []
        assert len(search(db, "what now")) == 1


def test_rows_out_of_the_origins_order_are_reported(db: OrmSession, database: Database) -> None:
    conversation = a_conversation(db)
    session = a_session(db, conversation)
    for row_id in (5, 4, 6):
        a_message(db, session, origin_row_id=row_id)
    db.commit()
    assert [one.column for one in disagreements(database)] == ["position"]


def test_handoffs_without_a_grammar_are_reported_and_messages_with_one(
    db: OrmSession, database: Database
) -> None:
    session = a_session(db, a_conversation(db))
    wrong = [
        a_message(db, session, kind="handoff", handoff_grammar=None),
        a_message(db, session, kind="merged", handoff_grammar=None),
        a_message(db, session, handoff_grammar="own"),
    ]
    a_message(db, session, kind="handoff", handoff_grammar="own")
    db.commit()
    found = {(one.id, one.column) for one in disagreements(database)}
    assert found == {(row.id, "handoff_grammar") for row in wrong}


def test_a_circle_that_was_cut_is_no_disagreement(db: OrmSession, database: Database) -> None:
    conversation = a_conversation(db, id="a", parent_session_id="b", relation="unknown")
    a_session(db, conversation, id="b")
    db.commit()
    assert disagreements(database) == []


@pytest.mark.sqlite_only("a server never lets a foreign key be broken")
def test_a_row_without_its_session_is_left(family: Database) -> None:
    orphan(family)
    found = disagreements(family)
    assert ("messages", "foreign key") in {(one.table, one.column) for one in found}
    assert repair_store(family).left != []


def orphan(database: Database) -> None:
    engine = database.engine.execution_options(write=True, migrating=True)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE messages SET session_id = 12345 WHERE text = 'meta'")
    database.engine.dispose()


@pytest.mark.sqlite_only("spoils FTS5's own table")
def test_an_index_that_its_code_does_not_know_is_named(family: Database) -> None:
    with family.write() as db:
        db.connection().exec_driver_sql("UPDATE messages_fts_config SET v = 0 WHERE k = 'version'")
    family.engine.dispose()
    with family.read() as db:
        [found] = check_store(db)
    assert (found.table, found.column) == ("(file)", "integrity")
    assert "fts5" in found.stored


@pytest.mark.sqlite_only("a server looks after its own files")
def test_a_damaged_file_is_named(family: Database) -> None:
    spoil(family, "UPDATE messages_fts_data SET block = X'00' WHERE id > 10")
    [found] = disagreements(family)
    assert (found.table, found.column) == ("(file)", "integrity")


@pytest.mark.sqlite_only("a server takes no text that is none")
@pytest.mark.parametrize(
    ("table", "column", "condition"),
    [("conversations", "title", "title = 'Fix the build'"), ("messages", "text", "text = 'undone'")],
)
def test_text_that_is_not_utf8_is_named_and_left(
    family: Database, table: str, column: str, condition: str
) -> None:
    spoil(family, f"UPDATE {table} SET {column} = CAST(X'C3FF41' AS TEXT) WHERE {condition}")
    [found] = disagreements(family)
    assert (found.table, found.column, found.stored) == (table, column, r"b'\xc3\xffA'")
    assert repair_store(family).left == [found]
    named = pytest.raises(StoreDamagedError, match=r"not UTF-8; `hermes-sessions db check` names the rows")
    with named, family.read() as db:
        db.execute(sql(f"SELECT {column} FROM {table}")).all()
