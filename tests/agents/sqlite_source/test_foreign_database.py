import contextlib
import hashlib
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from hermes_sessions.agents.hermes.schema import EXPECTED
from hermes_sessions.agents.sqlite_source.foreign_database import (
    RawText,
    ReadMode,
    change_token,
    locate_database,
    open_foreign,
)
from hermes_sessions.errors import SourceChangedError, SourceError
from tests.agents.hermes.hermes_builder import row, session, state_db

WRITER = """
import sqlite3, sys
late = "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'late', 1)"
db = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA wal_autocheckpoint = 0")
for line in sys.stdin:
    for n in range(int(line)):
        db.execute(late)
    print("done", flush=True)
"""


def small_db(path, *, rows=50, **options):
    messages = [row("s", "user", f"message {n} " + "x" * (n * 37 % 900)) for n in range(rows)]
    return state_db(path, sessions=[session("s")], messages=messages, **options)


def everything(folder):
    """Return name -> content hash and change time of all files in *folder*, shared memory included."""
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in folder.iterdir()
    }


def count(path, **options):
    with open_foreign(path, EXPECTED, **options) as foreign:
        return foreign.connection.execute("SELECT count(*) FROM messages").fetchone()[0]


@pytest.fixture
def waiting(tmp_path):
    """A folder whose database has its 20 last rows in the log only, and nobody at work."""
    folder = tmp_path / "waiting"
    folder.mkdir()
    source = small_db(tmp_path / "live.db", wal=True)
    writer = sqlite3.connect(source, isolation_level=None)
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    for _ in range(20):
        writer.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'z', 1)"
        )
    shutil.copyfile(source, folder / "state.db")
    shutil.copyfile(f"{source}-wal", folder / "state.db-wal")
    writer.close()
    return folder


@pytest.fixture
def live(tmp_path):
    """A database that another process has open: its path, and a function that makes it write."""
    folder = tmp_path / "live"
    folder.mkdir()
    path = small_db(folder / "state.db", wal=True)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        commands, answers = process.stdin, process.stdout

        def write(rows):
            print(rows, file=commands, flush=True)
            return answers.readline().strip()

        write(1)
        yield path, write
        commands.close()


@contextlib.contextmanager
def without_rights(folder):
    """Take the right to write in *folder*, and a superuser's right to ignore that."""
    folder.chmod(0o555)
    superuser = os.geteuid() == 0
    if superuser:
        os.seteuid(65534)
    try:
        yield
    finally:
        if superuser:
            os.seteuid(0)
        folder.chmod(0o755)


@pytest.fixture
def public_folder():
    """A folder that other users can reach (pytest's own cannot be)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


# -- nothing is touched ----------------------------------------------------------------------------


def test_a_resting_file_is_read_as_it_is_and_not_touched(tmp_path):
    path = small_db(tmp_path / "state.db", wal=True)
    before = everything(tmp_path)
    with open_foreign(path, EXPECTED) as foreign:
        assert (foreign.mode, foreign.notes) == (ReadMode.IMMUTABLE, ())
        assert everything(tmp_path) == before
    assert everything(tmp_path) == before


def test_rows_that_wait_in_the_log_are_read_and_not_touched(waiting):
    before = everything(waiting)
    with open_foreign(waiting, EXPECTED) as foreign:
        assert foreign.mode is ReadMode.COPY
        assert foreign.connection.execute("SELECT count(*) FROM messages").fetchone() == (70,)
        assert everything(waiting) == before
    assert everything(waiting) == before


def test_a_live_file_is_read_in_place_and_not_touched(live):
    path, _ = live
    before = everything(path.parent)
    with open_foreign(path, EXPECTED) as foreign:
        assert foreign.mode is ReadMode.LIVE
        assert foreign.connection.execute("SELECT count(*) FROM messages").fetchone() == (51,)
    assert everything(path.parent) == before


def test_a_live_file_shows_what_was_committed_since(live):
    path, write = live
    with open_foreign(path, EXPECTED) as foreign:
        foreign.connection.execute("SELECT count(*) FROM messages").fetchone()
        assert write(3) == "done"
        assert foreign.connection.execute("SELECT count(*) FROM messages").fetchone() == (54,)


def test_a_writer_without_patience_is_not_blocked_by_a_long_read(live):
    path, write = live
    with open_foreign(path, EXPECTED) as foreign:
        reading = foreign.connection.execute("SELECT * FROM messages")
        reading.fetchone()
        assert write(200) == "done"
        assert len(reading.fetchall()) == 50


def test_a_log_left_by_a_killed_agent_is_read(waiting):
    (waiting / "state.db-shm").write_bytes(bytes(32768))
    before = everything(waiting)
    assert count(waiting) == 70
    assert everything(waiting) == before


@pytest.mark.parametrize("name", ["state.db", "state.db-wal"])
def test_writing_through_the_connection_is_refused(waiting, name):
    if name == "state.db":
        (waiting / "state.db-wal").unlink()
    with (
        open_foreign(waiting, EXPECTED) as foreign,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        foreign.connection.execute("DELETE FROM messages")


def test_an_unfinished_transaction_is_rolled_back_in_the_copy_only(tmp_path):
    path = small_db(tmp_path / "state.db")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("BEGIN")
    writer.execute("UPDATE messages SET content = zeroblob(5000)")
    folder = tmp_path / "torn"
    folder.mkdir()
    for suffix in ("", "-journal"):
        shutil.copyfile(f"{path}{suffix}", folder / f"state.db{suffix}")
    writer.close()
    before = everything(folder)
    with open_foreign(folder, EXPECTED) as foreign:
        first = foreign.connection.execute("SELECT content FROM messages ORDER BY id LIMIT 1").fetchone()
    assert first == ("message 0 ",)
    assert everything(folder) == before


def test_a_read_only_folder_is_enough_for_a_resting_file(public_folder):
    small_db(public_folder / "state.db", wal=True)
    with without_rights(public_folder):
        assert count(public_folder) == 50


def test_a_read_only_folder_is_enough_for_rows_in_the_log(public_folder, waiting):
    for name in ("state.db", "state.db-wal"):
        shutil.copyfile(waiting / name, public_folder / name)
    with without_rights(public_folder):
        assert count(public_folder) == 70


def test_a_read_only_folder_is_enough_after_a_killed_agent(public_folder, waiting):
    for name in ("state.db", "state.db-wal"):
        shutil.copyfile(waiting / name, public_folder / name)
    (public_folder / "state.db-shm").write_bytes(bytes(32768))
    with without_rights(public_folder):
        assert count(public_folder) == 70


def test_the_private_copy_is_private_and_gone_afterwards(waiting, tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with open_foreign(waiting, EXPECTED, scratch=scratch):
        (folder,) = scratch.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert list(scratch.iterdir()) == []


def test_the_private_copy_is_gone_after_an_error_too(waiting, tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    expected = replace(EXPECTED, needs={"nothing": ()})
    with (
        pytest.raises(SourceError, match="no nothing"),
        open_foreign(waiting, expected, scratch=scratch),
    ):
        pass
    assert list(scratch.iterdir()) == []


def test_no_lock_is_left_once_closed(live):
    path, write = live
    count(path)
    with contextlib.closing(sqlite3.connect(path, timeout=0)) as other:
        assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    assert write(1) == "done"


def read_while_it_changes(path):
    with open_foreign(path, EXPECTED) as foreign:
        foreign.verify()
        with contextlib.closing(sqlite3.connect(path)) as writer:
            writer.execute("DELETE FROM messages WHERE id = 1")
            writer.commit()


def test_a_file_that_changes_while_it_is_read_is_noticed(tmp_path):
    path = small_db(tmp_path / "state.db")
    with pytest.raises(SourceChangedError, match="changed while"):
        read_while_it_changes(path)


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a b", "what?mode=rw", "50%41", "#1", "名前", "a&b=c", "quo'te\"d", "-x"])
def test_any_name_of_a_folder_is_only_a_name(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    small_db(folder / "state.db")
    assert count(folder) == 50
    assert [path.name for path in folder.iterdir()] == ["state.db"]


def test_a_link_leads_to_the_log_beside_the_real_file(waiting, tmp_path):
    link = tmp_path / "link.db"
    link.symlink_to(waiting / "state.db")
    assert count(link) == 70
    assert locate_database(link, "state.db") == waiting / "state.db"


# -- what is not a Hermes database -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"", "an empty file", id="empty"),
        pytest.param(
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer", id="lfs"
        ),
        pytest.param(b'{"role": "user"}\n', "a text file", id="text"),
        pytest.param("日本語".encode() * 200, "a text file", id="text cut inside a character"),
        pytest.param(bytes(range(256)) * 32, "encrypted", id="random"),
        pytest.param(bytes(8192), "zero bytes", id="zeros"),
        pytest.param(b"\x1f\x8b\x08" + b"x" * 99, "gzip", id="gzip"),
        pytest.param(b"SQLite format 3\0", "inside its header", id="header cut off"),
        pytest.param(b"SQLite format 3\0\x00\x07" + bytes(500), "inside its header", id="page size"),
    ],
)
def test_each_kind_of_wrong_file_is_told_in_one_line(tmp_path, content, reason):
    path = tmp_path / "state.db"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=reason) as caught, open_foreign(path, EXPECTED):
        pass
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(SourceError, match="no such file"), open_foreign(tmp_path / "nothing.db", EXPECTED):
        pass


def test_a_folder_without_a_database_is_told(tmp_path):
    with pytest.raises(SourceError, match=r"no state\.db in this folder"), open_foreign(tmp_path, EXPECTED):
        pass


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "state.db")
    with (
        pytest.raises(SourceError, match="not a regular file"),
        open_foreign(tmp_path / "state.db", EXPECTED),
    ):
        pass


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "loop"])
def test_an_impossible_path_is_told(tmp_path, name):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(SourceError), open_foreign(tmp_path / name, EXPECTED):
        pass


def test_missing_permission_is_told(public_folder):
    path = small_db(public_folder / "state.db")
    path.chmod(0)
    with (
        without_rights(public_folder),
        pytest.raises(SourceError, match="no permission"),
        open_foreign(path, EXPECTED),
    ):
        pass


@pytest.mark.parametrize(
    ("ddl", "reason"),
    [
        pytest.param("CREATE TABLE t (x)", "something else", id="other tables"),
        pytest.param("PRAGMA user_version = 1", "is empty", id="no tables"),
        pytest.param(
            "CREATE TABLE sessions (id); CREATE TABLE messages (text)", "messages.content", id="other columns"
        ),
        pytest.param(
            "CREATE TABLE sessions (id); CREATE VIEW messages AS SELECT 1", "no messages", id="a view"
        ),
        pytest.param(
            "CREATE TABLE origins (i); CREATE TABLE conversations (i); CREATE TABLE compactions (i)",
            "a hermes_sessions store",
            id="our own",
        ),
    ],
)
def test_a_database_of_something_else_is_told(tmp_path, ddl, reason):
    path = tmp_path / "state.db"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(ddl)
    with pytest.raises(SourceError, match=reason), open_foreign(path, EXPECTED):
        pass


# -- damage to the file as a whole -----------------------------------------------------------------


def test_the_log_of_another_database_is_left_out_and_said(tmp_path, waiting):
    strange = small_db(tmp_path / "strange.db", rows=300, wal=True)
    with contextlib.closing(sqlite3.connect(strange, isolation_level=None)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("UPDATE messages SET content = content || 'changed' WHERE id > 100")
        shutil.copyfile(f"{strange}-wal", waiting / "state.db-wal")
    before = everything(waiting)
    with open_foreign(waiting, EXPECTED) as foreign:
        assert foreign.connection.execute("SELECT count(*) FROM messages").fetchone() == (50,)
        assert len(foreign.notes) == 1
        assert "belongs to another database" in foreign.notes[0]
    assert everything(waiting) == before


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(bytes(range(256)) * 200, id="noise"),
        pytest.param(bytes(50_000), id="zeros"),
        pytest.param(b"7", id="one byte"),
        pytest.param(b"\x37\x7f\x06\x82\x00\x2d\xe2\x18\x00\x00\x10\x00" + bytes(20), id="wrong sum"),
    ],
)
def test_a_log_that_sqlite_would_skip_in_silence_is_said(waiting, start):
    wal = waiting / "state.db-wal"
    wal.write_bytes(start + wal.read_bytes()[len(start) :])
    if len(start) == 1:
        wal.write_bytes(start)
    before = everything(waiting)
    with open_foreign(waiting, EXPECTED) as foreign:
        assert foreign.connection.execute("SELECT count(*) FROM messages").fetchone() == (50,)
        assert foreign.notes == ("the log beside the file is damaged; what waited in it is lost",)
    assert everything(waiting) == before


def test_an_empty_log_is_no_damage(waiting):
    (waiting / "state.db-wal").write_bytes(b"")
    with open_foreign(waiting, EXPECTED) as foreign:
        assert foreign.notes == ()


def test_a_torn_log_is_read_as_far_as_it_is_whole(waiting):
    wal = waiting / "state.db-wal"
    os.truncate(wal, wal.stat().st_size - 1000)
    assert count(waiting) == 69


def test_a_schema_that_names_a_table_twice_is_read_and_said(tmp_path):
    path = small_db(tmp_path / "state.db")
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'messages'")
        db.commit()
    before = everything(tmp_path)
    with open_foreign(path, EXPECTED) as foreign:
        assert foreign.connection.execute("SELECT count(*) FROM messages").fetchone() == (50,)
        assert "malformed database schema" in foreign.notes[0]
    assert everything(tmp_path) == before


def test_a_file_cut_off_is_read_from_a_copy_and_said(tmp_path):
    path = small_db(tmp_path / "state.db")
    os.truncate(path, path.stat().st_size - 5000)
    before = everything(tmp_path)
    with open_foreign(path, EXPECTED) as foreign:
        assert (foreign.mode, foreign.padded) == (ReadMode.COPY, True)
        assert "2 of its" in foreign.notes[0]
    assert everything(tmp_path) == before


# -- values ----------------------------------------------------------------------------------------


def test_text_that_is_not_utf8_arrives_as_its_bytes(tmp_path):
    path = small_db(tmp_path / "state.db", rows=1)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE messages SET content = CAST(x'ff4142' AS TEXT), tool_name = x'ff4142'")
        db.commit()
    with open_foreign(path, EXPECTED) as foreign:
        text, blob = foreign.connection.execute("SELECT content, tool_name FROM messages").fetchone()
    assert text == b"\xffAB"
    assert (type(text), type(blob)) == (RawText, bytes)


def test_tables_and_columns_are_told_without_views_and_text_indexes(tmp_path):
    path = small_db(tmp_path / "state.db")
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(
            "CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(x); CREATE VIEW w AS SELECT z"
        )
    with open_foreign(path, EXPECTED) as foreign:
        assert foreign.tables() == (
            "compression_locks",
            "messages",
            "schema_version",
            "sessions",
            "state_meta",
        )
        assert foreign.columns("schema_version") == ("version",)
        assert foreign.columns("nothing") == ()


# -- the change token ------------------------------------------------------------------------------


def test_the_token_stays_while_nothing_is_written(waiting):
    before = change_token(waiting / "state.db")
    count(waiting)
    assert change_token(waiting / "state.db") == before


def test_the_token_changes_with_a_commit_in_the_log(live):
    path, write = live
    before = change_token(path)
    write(1)
    assert change_token(path) != before


def test_the_token_changes_with_a_commit_that_keeps_size_and_time(tmp_path):
    path = small_db(tmp_path / "state.db")
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    before = change_token(path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE messages SET role = 'tool' WHERE id = 1")
        db.commit()
    os.utime(path, ns=times)
    assert change_token(path) != before


def test_a_missing_file_has_no_token(tmp_path):
    with pytest.raises(SourceError, match="no such file"):
        change_token(tmp_path / "state.db")
