"""A `state.db` written from the store: what an import took is in it again."""

import json
import os
import signal
import sqlite3
import subprocess
import sys

import pytest

from hermes_sessions.errors import ExportError, NotFoundError
from hermes_sessions.operations.exports.export_origin import OriginOrder, export_origin
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from tests.agents.hermes.hermes_builder import VERSIONS, calls, row, session, state_db
from tests.operations.agent.agents import Agent
from tests.operations.dump import dump
from tests.operations.imports.scene import NOW, again, handoff, talk

ODD = (
    b"\xff\xfe\x00", "a\0b", "", "\0json:{broken", '\0json:[{"type": "text", "text": "\\ud800"}]',
    '\0json:[{"type": "text", "text": "\\u0000"}]', "\u2028\u202e", None, b"",
)  # fmt: skip
FILE_MARKS = {"digest", "origin_mark"}
"""They tell the file a row came from, with its columns, from another that says the same."""

JSON_COLUMNS = {"extra", "claim", "policy", "audit"}


@pytest.fixture
def other(tmp_path):
    """Another store, empty."""
    with Database.open(str(tmp_path / "other" / "store.db")) as opened:
        yield opened


def write(scene, **order):
    path = scene.folder / "out.db"
    return path, export_origin(scene.database, path, OriginOrder(format="hermes", **order))


def content(database):
    """Return what a store holds as plain values, whichever engine it is on."""
    return {
        table: sorted(
            ({name: plain(name, one[name]) for name in one if name not in FILE_MARKS} for one in rows),
            key=repr,
        )
        for table, rows in dump(database).items()
    }


def plain(name, value):
    if isinstance(value, bool):
        return int(value)
    if name not in JSON_COLUMNS or value is None:
        return value
    return json.dumps(json.loads(value) if isinstance(value, str) else value, sort_keys=True)


def comes_back(scene, other, **order):
    path, done = write(scene, **order)
    import_path(other, path, ImportOptions(clock=lambda: NOW, label=done.origin))
    assert content(other) == content(scene.database)
    return done


def ask(path, sql):
    connection = sqlite3.connect(path)
    try:
        connection.text_factory = bytes
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_an_import_of_it_equals_the_first_import(scene, other, version):
    first = talk("a", "please", "on it", "and now?", "done")
    scene.play(
        [
            session("a", end_reason="compression", title="Work", system_prompt="Be kind.", user_id="u1"),
            session("b", parent="a", title="Work #2", model_config='{"max_iterations": 3}'),
            session("sub", parent="b", source="tool", started_at=-1.0),
            session("orphan", parent="pruned"),
        ],
        [
            *first,
            handoff("b"),
            *again(first[2:], "b"),
            *talk("sub", "look"),
            *talk("nobody", "no row"),
        ],
        version=version,
    )
    comes_back(scene, other)


@pytest.mark.slow
@pytest.mark.parametrize("value", ODD, ids=repr)
@pytest.mark.parametrize("column", ["content", "tool_calls", "tool_name", "reasoning"])
def test_odd_cells_come_back_byte_for_byte(scene, other, column, value):
    scene.play([session("s")], [row("s", "assistant", "text", id=7) | {column: value}])
    before = ask(scene.folder / "agent/state.db", f"SELECT typeof({column}), {column} FROM messages")
    comes_back(scene, other)
    assert ask(scene.folder / "out.db", f"SELECT typeof({column}), {column} FROM messages") == before


@pytest.mark.parametrize("moment", [-1, 1.78e12, "2026-01-01T00:00", 5e246, float("inf"), b"\x00"], ids=repr)
def test_odd_times_come_back(scene, other, moment):
    scene.play([session("s", started_at=moment, ended_at=moment)], [row("s", "user", "x", timestamp=moment)])
    before = ask(scene.folder / "agent/state.db", "SELECT timestamp FROM messages")
    comes_back(scene, other)
    assert ask(scene.folder / "out.db", "SELECT timestamp FROM messages") == before


@pytest.mark.parametrize(
    "flags",
    [(1, 0), (0, 1), (0, 0), (1, 1), (2, 0), (0, b"x")],
    ids=str,
)
def test_flags_come_back(scene, other, flags):
    active, compacted = flags
    scene.play([session("s")], [row("s", "user", "x", active=active, compacted=compacted)])
    comes_back(scene, other)
    assert ask(scene.folder / "out.db", "SELECT active, compacted FROM messages") == [flags]


def test_a_column_that_may_not_be_empty_is_freed_for_rows_that_are(scene, other):
    path = scene.write([session("s")], talk("s", "hello"), version=14)
    connection = sqlite3.connect(path)
    connection.executescript(
        "DROP INDEX idx_messages_session_active; ALTER TABLE messages DROP COLUMN active;"
        " ALTER TABLE messages ADD COLUMN active INTEGER;"
    )
    connection.close()
    scene.bring(path)
    done = comes_back(scene, other)
    assert done.notes == ("declared without type, for what they hold: messages.active",)
    assert ask(scene.folder / "out.db", "SELECT active FROM messages") == [(None,)]


def test_columns_nobody_knows_come_back(scene, other):
    path = scene.write([session("s")], talk("s", "hello", "hi"), version=30)
    scene.alter(
        'ALTER TABLE messages ADD COLUMN "the ""mood""" TEXT', "ALTER TABLE sessions ADD COLUMN planet",
        'UPDATE messages SET "the ""mood""" = \'calm\' WHERE id = 1', "UPDATE sessions SET planet = x'ff'",
        name=path.relative_to(scene.folder),
    )  # fmt: skip
    comes_back(scene, other)
    assert ask(scene.folder / "out.db", "SELECT planet FROM sessions") == [(b"\xff",)]


def test_a_system_prompt_behind_a_hash_stays_behind_it(scene, other):
    path = scene.write(
        [session("s", system_prompt_hash="h1"), session("t", system_prompt_hash="h2"),
         session("u", system_prompt_hash="gone")],
        talk("s", "hello"), version=30,
    )  # fmt: skip
    scene.alter(
        "INSERT INTO system_prompts VALUES ('h1', 'Be kind.'), ('h2', 'a' || char(0) || 'b')",
        name=path.relative_to(scene.folder),
    )
    comes_back(scene, other)
    out = scene.folder / "out.db"
    assert ask(out, "SELECT * FROM system_prompts ORDER BY 1") == [(b"h1", b"Be kind."), (b"h2", b"a\0b")]
    assert ask(out, "SELECT system_prompt, system_prompt_hash FROM sessions ORDER BY id") == [
        (None, b"h1"), (None, b"h2"), (None, b"gone"),
    ]  # fmt: skip


def test_a_lock_that_was_left_behind_is_told_again(scene, other):
    path = scene.write([session("s")], talk("s", "hello", "hi"))
    scene.alter(
        "INSERT INTO compression_locks VALUES ('s', 'pid 1', 1780000100, 1780000200)",
        name=path.relative_to(scene.folder),
    )
    assert scene.events() == [("in_place", "interrupted")]
    comes_back(scene, other)


def test_rows_that_the_agent_deleted_are_in_it_with_their_ids(scene):
    scene.play([session("s")], talk("s", "one", "two", "three"))
    scene.alter("DELETE FROM messages WHERE id = 3", "INSERT INTO state_meta VALUES ('a', 'b')")
    path, done = write(scene)
    assert done.messages == 3
    assert ask(path, "SELECT id, active, content FROM messages WHERE id = 3") == [(3, 0, b"three")]


def test_a_conversation_compacted_here_goes_on_in_it(scene, other):
    scene.play([session("s", title="Work")], talk("s", *(f"{at} " + "word " * 60 for at in range(40))))
    agent = Agent(scene.database)
    done = agent.compact("s")
    agent.say(done.session_id, {"role": "user", "content": "go on", "mood": "calm"})
    path, told = write(scene)
    import_path(other, path, ImportOptions(clock=lambda: NOW))
    assert told.notes == ("a state.db has no place for these keys of messages made here: mood",)
    with other.read() as db:
        from hermes_sessions.operations.documents.lineage import lineage_document
        from hermes_sessions.operations.documents.messages import show_document

        assert [one.relation for one in lineage_document(db, "s").sessions] == ["root", "compaction"]
        theirs = [part for one in show_document(db, "s").messages for part in one.parts]
    with scene.database.read() as db:
        ours = [part for one in show_document(db, "s").messages for part in one.parts]
    assert theirs == ours


def test_a_session_made_here_becomes_hermes_rows(scene, other):
    agent = Agent(scene.database)
    own = agent.store.create_session(session_id="mine", system_prompt="Be kind.", title="Mine")
    agent.store.append_many(
        own,
        [
            {"role": "user", "content": [{"type": "text", "text": "look"}]},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "ls"}}]},
            {"role": "tool", "content": "a.py\ud800", "tool_call_id": "c", "name": "ls"},
        ],
    )
    path, done = write(scene)
    assert (done.sessions, done.messages) == (1, 3)
    assert ask(path, "SELECT id, source, title, system_prompt, message_count FROM sessions") == [
        (b"mine", b"local", b"Mine", b"Be kind.", 3)
    ]
    assert [one[0] for one in ask(path, "SELECT content FROM messages ORDER BY id")] == [
        b'\0json:[{"type": "text", "text": "look"}]', None, b"a.py?",
    ]  # fmt: skip
    report = import_path(other, path, ImportOptions(clock=lambda: NOW))
    assert (report.messages, report.rejected, report.warnings) == (3, (), ())


def test_one_conversation_alone_is_alone(scene):
    scene.play(
        [
            session("a", title="STRANGE", system_prompt="STRANGE"),
            session("b", parent="a", title="MINE", model_config='{"_branched_from": "a"}'),
            session("c", title="STRANGE too", system_prompt="STRANGE"),
        ],
        [*talk("a", "STRANGE"), *talk("b", "MINE"), *talk("c", "STRANGE")],
    )
    path, done = write(scene, conversation="b")
    assert (done.conversations, done.sessions, done.messages) == (1, 1, 1)
    assert b"STRANGE" not in path.read_bytes()
    assert ask(path, "SELECT id, parent_session_id FROM sessions") == [(b"b", b"a")]


def test_several_origins_are_refused_by_name(scene):
    scene.play([session("a")], talk("a", "x"), name="one/state.db")
    scene.play([session("a")], talk("a", "y"), name="two/state.db")
    with pytest.raises(ExportError, match="--origin: one, two"):
        write(scene)
    path, done = write(scene, origin="two")
    assert done.messages == 1
    assert ask(path, "SELECT content FROM messages") == [(b"y",)]
    with pytest.raises(NotFoundError, match="three"):
        export_origin(scene.database, scene.folder / "other.db", OriginOrder(format="hermes", origin="three"))


def test_an_empty_store_has_nothing_to_write(scene):
    with pytest.raises(ExportError, match="no session"):
        write(scene)
    assert not (scene.folder / "out.db").exists()


def test_equal_titles_are_written_and_told(scene, other):
    path = scene.write([session("a"), session("b")], talk("a", "x"), version=3)
    connection = sqlite3.connect(path)
    connection.executescript("ALTER TABLE sessions ADD COLUMN title TEXT; UPDATE sessions SET title = 'T'")
    connection.close()
    scene.bring(path)
    done = comes_back(scene, other)
    assert "share a title" in done.notes[0]


def test_a_file_that_is_there_is_kept(scene):
    scene.play([session("s")], talk("s", "hello"))
    write(scene)
    with pytest.raises(ExportError, match="is there already"):
        write(scene)
    write(scene, force=True)


def test_ids_and_order_of_rows_are_those_of_the_first_file(scene):
    rows = talk("s", "one", "two", "three")
    for one, number in zip(rows, (-5, 10, 2**62), strict=True):
        one["id"] = number
    scene.play([session("s")], rows)
    path, _ = write(scene)
    assert ask(path, "SELECT id, content FROM messages ORDER BY id") == [
        (-5, b"one"), (10, b"two"), (2**62, b"three"),
    ]  # fmt: skip


KILLED = """
import os, sys
from pathlib import Path
from hermes_sessions.agents.hermes import state_file as hermes
from hermes_sessions.operations.exports.export_origin import OriginOrder, export_origin
from hermes_sessions.store.opening.database import Database
print("writing", flush=True)
hermes.StateFile.finish = lambda writer: os.kill(os.getpid(), 9)
export_origin(Database.open(sys.argv[1]), Path(sys.argv[2]), OriginOrder(format="hermes"))
"""


def test_killed_on_the_way_there_is_no_file(scene, store_url):
    scene.play([session("s")], talk("s", "hello"))
    out = scene.folder / "out.db"
    done = subprocess.run([sys.executable, "-c", KILLED, store_url, str(out)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not os.path.lexists(out)


def test_the_agents_own_file_opens_as_it_does(tmp_path, scene):
    """Every table and column that a database of the newest known version has is in ours."""
    scene.play([session("s")], talk("s", "hello"))
    ours, _ = write(scene)
    theirs = state_db(tmp_path / "theirs.db", version=30)
    for table in ("sessions", "messages", "schema_version", "system_prompts", "compression_locks"):
        wanted = {one[0] for one in ask(theirs, f"SELECT name FROM pragma_table_info('{table}')")}
        assert wanted <= {one[0] for one in ask(ours, f"SELECT name FROM pragma_table_info('{table}')")}
    assert ask(ours, "PRAGMA integrity_check") == [(b"ok",)]
    assert ask(ours, "SELECT version FROM schema_version") == [(30,)]


def test_tool_calls_keep_their_text(scene, other):
    odd = calls(("c", "ls", {"p": 1})).replace('"id"', '  "id"')
    scene.play([session("s")], [row("s", "assistant", None, tool_calls=odd)])
    comes_back(scene, other)
    assert ask(scene.folder / "out.db", "SELECT tool_calls FROM messages") == [(odd.encode(),)]
