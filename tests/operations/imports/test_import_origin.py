import shutil
import sqlite3
import subprocess
import sys
import time

import pytest

from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.hermes.source import open_hermes
from hermes_sessions.errors import SourceError
from hermes_sessions.operations.imports import import_report
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.operations.imports.sync import sync_origins
from hermes_sessions.operations.writing.origins import (
    list_origins,
    move_origin,
    pause_origin,
    remove_origin,
    rename_origin,
)
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.operations.dump import dump
from tests.operations.imports.scene import NOW, again, handoff, talk
from tests.operations.imports.test_families import chain
from tests.operations.imports.test_in_place import generations

LINES = ("start", "working", "more", "done", "and more", "done again")
PARENT = talk("p", *LINES)
CHILD = [handoff("c"), *again(PARENT[-2:], "c"), *talk("c", "go on", "done")]
SESSIONS = [session("p", end_reason="compression", title="Work"), session("c", parent="p", title="Work #2")]


def fresh(scene, path):
    """Dump a store that saw nothing but *path* as it is now."""
    other = scene.folder / f"fresh-{time.monotonic_ns()}.db"
    with Database.open(str(other)) as database:
        import_path(database, path, ImportOptions(clock=lambda: NOW))
        return dump(database)


def state(scene, name="agent/state.db"):
    return scene.folder / name


def test_a_second_import_changes_nothing_and_says_so(scene):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    first, before = scene.report, dump(scene.database)
    again_ = scene.bring(state(scene))
    assert (again_.unchanged, first.unchanged) == (True, False)
    assert (again_.sessions, again_.messages, again_.copies) == (first.sessions, first.messages, first.copies)
    assert dump(scene.database) == before


def test_the_report_is_the_same_in_portions(scene, monkeypatch):
    monkeypatch.setattr(import_report, "_PORTION", 2)
    sessions, rows = chain(5)
    report = scene.play([*sessions, session("alone")], [*rows, row("alone", "user", "hello")]).report
    assert (report.sessions, report.messages, report.conversations) == (6, len(rows) + 1, 2)
    assert report.compactions == {"rotation": 4, "in_place": 0, "interrupted": 1}
    assert report.copies == 4 * 2


def test_a_full_import_of_the_same_file_changes_nothing(scene):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    before = dump(scene.database)
    scene.bring(state(scene), full=True)
    assert dump(scene.database) == before


INSERT = "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('{}', '{}', '{}', 1780009000.0)"
CHANGES = {
    "new messages": [INSERT.format("c", "user", "next"), INSERT.format("c", "assistant", "sure")],
    "rewound": ["UPDATE messages SET active = 0 WHERE id > 9"],
    "ended": ["UPDATE sessions SET ended_at = 1780009000.0, end_reason = 'cli_close' WHERE id = 'c'"],
    "retitled": ["UPDATE sessions SET title = 'Renamed' WHERE id = 'c'"],
    "archived in place": [
        "UPDATE messages SET active = 0, compacted = 1 WHERE session_id = 'c'",
        INSERT.format("c", "user", "[CONTEXT SUMMARY]: Goal: ship."),
        INSERT.format("c", "user", "go on"),
        INSERT.format("c", "assistant", "done"),
    ],
    "a new branch": [
        "INSERT INTO sessions (id, source, parent_session_id, started_at, model_config)"
        " VALUES ('b', 'cli', 'c', 1780009000.0, '{\"_branched_from\": \"c\"}')",
        "INSERT INTO messages (session_id, role, content, timestamp)"
        " SELECT 'b', role, content, timestamp FROM messages WHERE session_id = 'c' ORDER BY id",
        INSERT.format("b", "user", "another way"),
    ],
    "edited": ["UPDATE messages SET content = 'edited' WHERE id = 11", INSERT.format("c", "user", "x")],
    "unlinked": ["UPDATE sessions SET parent_session_id = NULL WHERE id = 'c'"],
    "another session": [
        "INSERT INTO sessions (id, source, started_at) VALUES ('z', 'cli', 1780009000.0)",
        INSERT.format("z", "user", "hello"),
    ],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_sync_ends_where_a_fresh_import_would(scene, change):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    report = scene.alter(*CHANGES[change])
    assert not report.unchanged
    assert dump(scene.database) == fresh(scene, state(scene))


@pytest.mark.slow
@pytest.mark.parametrize("pieces", [1, 3, 7])
@pytest.mark.parametrize("story", ["chain", "generations", "forks"])
def test_a_file_that_grows_ends_where_it_would_have_in_one_go(scene, story, pieces):
    if story == "chain":
        sessions, rows = chain(6)
    elif story == "generations":
        sessions, rows = [session("s")], generations(4, head=2)
    else:
        sessions = [session("p", end_reason="compression"), *(session(one, parent="p") for one in "abc")]
        rows = [
            *PARENT,
            *(
                line
                for one in "abc"
                for line in [handoff(one), *talk(one, "x", one, "y", "z")][: ord(one) - 94]
            ),
        ]
    step = max(1, len(rows) // pieces)
    path = state(scene)
    for end in [*range(step, len(rows), step), len(rows)]:
        named = {one["session_id"] for one in rows[:end]}
        flags = [{**one, "active": 1, "compacted": 0} if end < len(rows) else one for one in rows[:end]]
        scene.write([one for one in sessions if one["id"] in named], flags)
        scene.bring(path)
    assert without_places(dump(scene.database)) == without_places(fresh(scene, path))


def without_places(dumped):
    """Leave out the order of compactions: forks of one parent have the order they were met in."""
    events = [{**one, "ordinal": None} for one in dumped["compactions"]]
    return {**dumped, "compactions": sorted(events, key=repr)}


def test_a_session_that_the_origin_deleted_stays_and_is_marked(scene):
    scene.play([*SESSIONS, session("z")], [*PARENT, *CHILD, *talk("z", "hello", "hi")])
    scene.alter("DELETE FROM messages WHERE session_id = 'z'", "DELETE FROM sessions WHERE id = 'z'")
    assert scene.session("z").gone_at is not None
    assert scene.conversations()["z"].gone
    assert scene.scroll("z") == ["user: hello", "assistant: hi"]


def test_a_session_that_came_back_is_no_longer_gone(scene):
    scene.play([*SESSIONS, session("z")], [*PARENT, *CHILD, *talk("z", "hello", "hi")])
    shutil.copy(state(scene), scene.folder / "kept.db")
    scene.alter("DELETE FROM messages WHERE session_id = 'z'", "DELETE FROM sessions WHERE id = 'z'")
    shutil.copy(scene.folder / "kept.db", state(scene))
    scene.bring(state(scene))
    assert scene.session("z").gone_at is None


@pytest.mark.parametrize("link", ["p", None])
def test_a_parent_that_the_origin_deleted_keeps_its_child(scene, link):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    before = scene.scroll("p")
    cleared = [] if link else ["UPDATE sessions SET parent_session_id = NULL WHERE id = 'c'"]
    scene.alter(
        "DELETE FROM messages WHERE session_id = 'p'", "DELETE FROM sessions WHERE id = 'p'", *cleared
    )
    assert scene.scroll("c") == before
    assert scene.session("p").gone_at is not None
    scene.alter(INSERT.format("c", "user", "still here"))
    assert scene.scroll("p") == [*before, "user: still here"]


def test_a_continuation_that_the_origin_deleted_keeps_its_compaction(scene):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    before, archived = scene.scroll("p"), scene.rows()[1].archived_by
    scene.alter(
        "DELETE FROM messages WHERE session_id = 'c'",
        "DELETE FROM sessions WHERE id = 'c'",
        "UPDATE sessions SET title = 'Renamed' WHERE id = 'p'",
    )
    assert scene.scroll("p") == before
    assert scene.events() == [("rotation", "committed")]
    assert scene.rows()[1].archived_by == archived


def test_a_parent_that_turns_up_late_takes_its_place(scene):
    scene.play(SESSIONS[1:], CHILD)
    key = scene.conversations()["c"].id
    scene.alter(
        "INSERT INTO sessions (id, source, started_at, end_reason)"
        " VALUES ('p', 'cli', 1779990000.0, 'compression')",
        *(
            "INSERT INTO messages (id, session_id, role, content, timestamp)"
            f" VALUES ({number - 50}, 'p', '{one['role']}', '{one['content']}', 1779990000.0)"
            for number, one in enumerate(PARENT)
        ),
    )
    assert scene.conversations()["p"].id == key
    assert dump(scene.database) == fresh(scene, state(scene))


def test_families_that_merge_become_one_conversation(scene):
    scene.play([SESSIONS[0], session("c")], [*PARENT, *CHILD])
    assert len(scene.conversations()) == 2
    scene.alter("UPDATE sessions SET parent_session_id = 'p' WHERE id = 'c'")
    assert len(scene.conversations()) == 1
    assert scene.scroll("c")[-2:] == ["user: go on", "assistant: done"]


def test_rows_that_the_origin_deleted_stay_but_are_not_shown(scene):
    scene.play([session("s")], talk("s", "one", "two", "three", "four"))
    scene.alter("DELETE FROM messages WHERE id > 2", INSERT.format("s", "user", "three again"))
    assert scene.scroll("s") == ["user: one", "assistant: two", "user: three again"]
    assert len(scene.scroll("s", every=True)) == 5


# -- where the file is -----------------------------------------------------------------------------


def test_a_database_that_moved_is_the_same_origin(scene):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    before = dump(scene.database)
    state(scene).rename(scene.folder / "moved.db")
    scene.bring(scene.folder / "moved.db")
    [origin] = list_origins(scene.database)
    assert origin.location == str(scene.folder / "moved.db")
    assert dump(scene.database) == before


def test_an_older_backup_beside_the_live_file_takes_nothing_back(scene):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    shutil.copy(state(scene), scene.folder / "backup.db")
    scene.alter(INSERT.format("c", "user", "next"), "UPDATE sessions SET title = 'New' WHERE id = 'c'")
    before = dump(scene.database)
    scene.bring(scene.folder / "backup.db")
    assert dump(scene.database) == before
    [origin] = list_origins(scene.database)
    assert origin.location == str(state(scene))


def test_the_report_on_an_older_backup_counts_its_own_rows(scene):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    first = scene.report
    shutil.copy(state(scene), scene.folder / "backup.db")
    scene.alter(INSERT.format("c", "user", "next"))
    report = scene.bring(scene.folder / "backup.db")
    assert (report.copy, report.unchanged) == (True, True)
    assert (report.messages, report.copies) == (first.messages, first.copies)


def test_a_backup_from_before_rows_were_deleted_brings_none_back(scene):
    scene.play([session("s")], talk("s", "one", "two", "three", "four"))
    shutil.copy(state(scene), scene.folder / "backup.db")
    scene.alter("DELETE FROM messages WHERE id > 2", INSERT.format("s", "user", "three again"))
    before = dump(scene.database)
    assert scene.bring(scene.folder / "backup.db").unchanged
    assert dump(scene.database) == before


def test_a_backup_that_was_used_adds_what_is_new_in_it(scene):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    shutil.copy(state(scene), scene.folder / "backup.db")
    scene.alter(INSERT.format("c", "user", "only there"), name="backup.db")
    assert scene.report.copy
    assert scene.scroll("c")[-1] == "user: only there"


def test_an_id_that_two_databases_use_for_different_things_is_kept_apart_and_told(scene):
    scene.play([session("s")], talk("s", "here", "yes"))
    scene.play(
        [session("s", started_at=1_700_000_000.0)], talk("s", "elsewhere", "no"), name="other/state.db"
    )
    assert [one.label for one in list_origins(scene.database)] == ["agent", "other"]
    assert scene.scroll("s") == ["user: here", "assistant: yes"]
    assert scene.scroll("other:s") == ["user: elsewhere", "assistant: no"]
    assert any("kept apart" in warning["reason"] for warning in scene.report.warnings)


def test_another_database_at_the_same_path_is_another_origin(scene):
    scene.play([session("s")], talk("s", "here", "yes"))
    scene.play([session("t", started_at=1_700_000_000.0)], talk("t", "elsewhere", "no"))
    assert len(list_origins(scene.database)) == 2
    assert scene.session("s").gone_at is None


def test_a_paused_origin_is_left_out_of_a_sync(scene):
    scene.play([session("s")], talk("s", "one"))
    pause_origin(scene.database, "agent", paused=True)
    assert sync_origins(scene.database, ImportOptions(clock=lambda: NOW)) == []


def test_a_renamed_origin_keeps_its_rows(scene):
    scene.play([session("s")], talk("s", "one"))
    rename_origin(scene.database, "agent", "laptop")
    scene.alter(INSERT.format("s", "assistant", "two"))
    assert [one.label for one in list_origins(scene.database)] == ["laptop"]
    assert len(scene.scroll("s")) == 2


def test_an_origin_can_be_told_where_its_file_went(scene):
    scene.play([session("s")], talk("s", "one"))
    state(scene).rename(scene.folder / "moved.db")
    move_origin(scene.database, "agent", scene.folder / "moved.db")
    [outcome] = sync_origins(scene.database, ImportOptions(clock=lambda: NOW))
    assert outcome.error is None


def test_a_removed_origin_leaves_nothing(scene):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    assert remove_origin(scene.database, "agent") == 2
    assert all(rows == [] for rows in dump(scene.database).values())
    with scene.database.read() as db:
        assert check_store(db) == []


def test_removing_one_of_two_origins_leaves_the_other_whole(scene):
    scene.play(SESSIONS, [*PARENT, *CHILD])
    before = dump(scene.database)
    scene.play([session("s", started_at=1_700_000_000.0)], talk("s", "x"), name="other/state.db")
    remove_origin(scene.database, "other")
    assert dump(scene.database) == before


# -- killed, and large -----------------------------------------------------------------------------

CHILD_PROCESS = """
import os, signal, sys, time
from pathlib import Path
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
import sqlalchemy.event
database = Database.open(sys.argv[1])
left = int(sys.argv[3])
def count(*args):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
sqlalchemy.event.listen(database.engine, "before_cursor_execute", count)
import_path(database, Path(sys.argv[2]), ImportOptions(clock=lambda: 1_790_000_000.0))
"""


def large(folder, name="large.db"):
    """A database whose families need several transactions."""
    sessions, rows = chain(12)
    sessions += [session("g"), session("big")]
    rows += [{**one, "session_id": "g"} for one in generations(3)]
    rows += [row("big", "user" if number % 2 else "assistant", f"line {number}") for number in range(4_500)]
    return state_db(folder / name, sessions=sessions, messages=rows)


@pytest.mark.slow
@pytest.mark.parametrize("statements", [3, 8, 15, 30, 50, 80, 120])
def test_an_import_that_was_killed_is_completed_by_the_next(scene, store_url, tmp_path, statements):
    path = large(tmp_path)
    killed = subprocess.run(
        [sys.executable, "-c", CHILD_PROCESS, store_url, str(path), str(statements)], check=False
    )
    scene.now = NOW + 1_000  # the lease of the dead process has expired
    with scene.database.read() as db:
        assert check_store(db) == []
    scene.bring(path)
    assert killed.returncode in (0, -9)
    assert dump(scene.database) == fresh(scene, path)


def test_an_import_that_was_stopped_at_the_newest_sessions_is_the_same_origin(scene, tmp_path):
    sessions = [session(f"s{number:02}") for number in range(60)]
    rows = [line for one in sessions for line in talk(one["id"], *(f"line {at}" for at in range(60)))]
    path = state_db(tmp_path / "many.db", sessions=sessions, messages=rows)

    def stop(step, done, total):
        if done:
            raise SourceError("stopped")

    with pytest.raises(SourceError, match="stopped"):
        scene.bring(path, progress=stop)
    stopped = set(scene.relations())
    assert stopped
    assert "s00" not in stopped
    scene.bring(path)
    assert [one.label for one in list_origins(scene.database)] == ["many"]
    assert dump(scene.database) == fresh(scene, path)


def test_a_family_that_does_not_fit_gives_the_same_rows(scene, tmp_path):
    path = large(tmp_path)
    scene.bring(path, kept_rows=10)
    assert dump(scene.database) == fresh(scene, path)


def test_a_family_read_twice_is_read_as_it_was_when_the_file_was_opened(tmp_path):
    path = large(tmp_path)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("UPDATE sessions SET source = 'cli'")
    with open_hermes(path, OpenOptions(kept_rows=10, now=NOW)) as source:
        [ids] = [ids for ids in source.families() if "big" in ids]
        family = source.read(ids)
        writer.execute(INSERT.format("big", "user", "late"))
        assert sum(len(batch) for _, batch in family.batches()) == family.row_count == 4_500
    writer.close()


WRITER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
print("ready", flush=True)
for number in range(300):
    columns = "(session_id, role, content, timestamp) VALUES ('big', 'user', ?, 1780009000)"
    db.execute("INSERT INTO messages " + columns, (f"live {number}",))
print("done", flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
def test_a_sync_while_the_agent_writes_ends_with_every_row(scene, tmp_path):
    path = large(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        for _ in range(3):
            scene.bring(path)
        assert writer.stdout.readline() == "done\n"
        scene.bring(path)
        assert len(scene.scroll("big")) == 4_800
        writer.communicate()
