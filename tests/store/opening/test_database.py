"""Opening a store: what is created, what is refused with which line, how transactions behave."""

import os
import resource
import shutil
import sqlite3
import stat
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from hermes_sessions.errors import (
    NotAStoreError,
    NotEnoughSpaceError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreTooNewError,
)
from hermes_sessions.store.engines import sqlite_engine as engine_module
from hermes_sessions.store.engines.backup import back_up, dated_name
from hermes_sessions.store.engines.file_probe import locate, network_file_system
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Origin, Session
from tests.builders import a_conversation, an_origin

NOBODY = 65_534


@pytest.mark.parametrize("name", ["plain.db", "with space.db", "50%.db", "a?b#c.db", "ключ.db", "x\ny.db"])
def test_a_store_is_made_where_it_is_named(tmp_path: Path, name: str) -> None:
    with Database.open(str(tmp_path / name)) as database:
        assert database.path == tmp_path / name
    assert (tmp_path / name).is_file()


def test_a_url_names_the_same_file(tmp_path: Path) -> None:
    assert locate(f"sqlite:///{tmp_path}/a%20b.db").path == tmp_path / "a b.db"
    assert locate(f"{tmp_path}/a%20b.db").path == tmp_path / "a%20b.db"


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "store.db"
    with Database.open(str(path)) as database, database.write() as db:
        an_origin(db)
        modes = {stat.S_IMODE(os.stat(file).st_mode) for file in path.parent.iterdir()}
        folder = stat.S_IMODE(os.stat(path.parent).st_mode)
    assert (modes, folder) == ({0o600}, 0o700)


@pytest.mark.sqlite_only("pragmas")
def test_it_runs_in_wal_mode_with_foreign_keys(database: Database) -> None:
    with database.read() as db:
        asked = [
            db.connection().exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys")
        ]
    assert asked == ["wal", 1]
    assert database.notice is None


def test_without_wal_there_is_a_notice_and_a_store(tmp_path: Path) -> None:
    # A VFS without shared memory stands for a file system without it.
    with Database.open(f"sqlite:///{tmp_path}/store.db?vfs=unix-dotfile") as database:
        assert database.notice is not None
        assert "readers wait for writers" in database.notice
        with database.write() as db:
            an_origin(db)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/u/x.db", None),
        ("/mnt/share/x.db", "nfs4"),
        ("/mnt/my disk/x.db", "cifs"),
        ("/mnt/shared/x", None),
    ],
)
def test_network_file_systems_are_known_by_their_mounts(path: str, expected: str | None) -> None:
    mounts = "/dev/a / ext4 rw\nhost:/x /mnt/share nfs4 rw\n//h/y /mnt/my\\040disk cifs rw\nodd\n"
    assert network_file_system(Path(path), mounts) == expected


def make_not_a_database(path: Path) -> None:
    path.write_bytes(b"hello, this is text " * 100)


def make_pointer(path: Path) -> None:
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")


def make_folder(path: Path) -> None:
    path.mkdir()


def make_foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY)")


def make_foreign_alembic(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("CREATE TABLE invoices (id INTEGER)")
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")


def make_newer(path: Path) -> None:
    Database.open(str(path)).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def make_corrupt(path: Path) -> None:
    Database.open(str(path)).close()
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xff" * 3996
    path.write_bytes(content)


def make_truncated(path: Path) -> None:
    Database.open(str(path)).close()
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize(
    ("make", "kind", "says"),
    [
        (make_not_a_database, NotAStoreError, "is not a database"),
        (make_pointer, NotAStoreError, "git lfs pull"),
        (make_folder, StoreError, "is a folder"),
        (make_foreign, NotAStoreError, "something else.*hermes-sessions import"),
        (make_foreign_alembic, NotAStoreError, "something else"),
        (make_newer, StoreTooNewError, "upgrade hermes-sessions"),
        (make_corrupt, StoreDamagedError, "damaged"),
        (make_truncated, StoreDamagedError, "damaged"),
    ],
)
def test_what_is_no_store_says_so_and_stays(
    tmp_path: Path, make: Callable[[Path], None], kind: type[Exception], says: str
) -> None:
    path = tmp_path / "x.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    beside = sorted(tmp_path.iterdir())
    with pytest.raises(kind, match=says) as raised:
        Database.open(str(path))
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert sorted(tmp_path.iterdir()) == beside


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://host/x", "keeps its store in SQLite"),
        ("sqlite://", "a store is a file"),
        ("sqlite:///:memory:", "a store is a file"),
        ("sqlite:///x.db?mode=ro", "unknown option 'mode'"),
        ("", "empty"),
        ("a\0b", "NUL"),
    ],
)
def test_urls_that_are_no_store_say_so(url: str, says: str) -> None:
    with pytest.raises(StoreError, match=says):
        Database.open(url)


def test_a_missing_store_is_not_made_on_request(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store yet"):
        Database.open(str(tmp_path / "x.db"), create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_store_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="Not a directory"):
        Database.open(str(tmp_path / "file" / "x.db"))


@pytest.fixture
def unprivileged(tmp_path: Path) -> Iterator[Path]:
    """A folder for somebody who is not root: root may do everything."""
    if os.geteuid() != 0:
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp())
    os.chown(folder, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        os.seteuid(0)
        shutil.rmtree(folder)


def test_a_store_without_permission_says_so(unprivileged: Path) -> None:
    path = unprivileged / "x.db"
    Database.open(str(path)).close()
    path.chmod(0)
    with pytest.raises(StoreError, match="Permission denied"):
        Database.open(str(path))


@pytest.fixture
def read_only(unprivileged: Path) -> Iterator[Path]:
    """A store with one origin; neither it nor its folder can be written."""
    folder = unprivileged / "fixed"
    path = folder / "x.db"
    with Database.open(str(path)) as database, database.write() as db:
        an_origin(db, label="kept")
    path.chmod(0o400)
    folder.chmod(0o500)
    yield path
    folder.chmod(0o700)


def labels(path: Path) -> list[str]:
    with Database.open(str(path)) as database, database.read() as db:
        return list(db.scalars(select(Origin.label)))


def test_a_store_that_cannot_be_written_is_read(read_only: Path) -> None:
    beside = sorted(read_only.parent.iterdir())
    assert labels(read_only) == ["kept"]
    assert sorted(read_only.parent.iterdir()) == beside


def test_a_folder_that_cannot_be_written_is_enough_to_read(read_only: Path) -> None:
    read_only.chmod(0o600)
    assert labels(read_only) == ["kept"]


def test_only_writing_says_that_it_cannot(read_only: Path) -> None:
    with (
        Database.open(str(read_only)) as database,
        pytest.raises(StoreError, match="cannot be written"),
        database.write(),
    ):
        pass
    assert labels(read_only) == ["kept"]


def test_a_backup_of_a_read_only_store_goes_elsewhere(read_only: Path) -> None:
    target = read_only.parent.parent / "copy.db"
    back_up(locate(str(read_only)), target)
    assert labels(target) == ["kept"]


def test_a_read_only_store_is_checked(read_only: Path) -> None:
    with Database.open(str(read_only)) as database, database.read() as db:
        assert check_store(db) == []


def test_a_folder_without_permission_says_so(unprivileged: Path) -> None:
    unprivileged.chmod(0o500)
    with pytest.raises(StoreError, match="Permission denied"):
        Database.open(str(unprivileged / "deep" / "x.db"))
    unprivileged.chmod(0o700)


def test_a_failed_write_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.write() as db:
            an_origin(db)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with database.read() as db:
        assert db.scalars(select(Origin)).all() == []


def test_a_reader_sees_one_state(database: Database) -> None:
    with database.read() as reader:
        assert reader.scalars(select(Origin)).all() == []
        with database.write() as db:
            an_origin(db)
        assert reader.scalars(select(Origin)).all() == []


def test_writers_queue(database: Database) -> None:
    def add(name: int) -> None:
        for number in range(20):
            with database.write() as db:
                db.scalars(select(Origin)).all()
                db.add(Origin(kind="local", label=f"{name}-{number}", created_at=1.0))

    threads = [threading.Thread(target=add, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as db:
        assert len(db.scalars(select(Origin)).all()) == 80


@pytest.mark.sqlite_only("a file's busy timeout; a server's is in test_postgresql.py")
def test_a_writer_that_waits_too_long_is_told(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "BUSY_SECONDS", 0.05)
    assert database.path is not None
    with (
        Database.open(str(database.path)) as other,
        database.write(),
        pytest.raises(StoreBusyError, match="another process"),
        other.write(),
    ):
        pass


@pytest.mark.sqlite_only("fills a file")
def test_a_full_disk_is_named(database: Database) -> None:
    def fill() -> None:
        with database.write() as db:
            connection = db.connection()
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            a_conversation(db, extra={"x": "y" * 100_000})

    with pytest.raises(NotEnoughSpaceError, match="disk is full"):
        fill()


@pytest.fixture
def nothing_free() -> Iterator[Path]:
    """A folder on a disk that another file has filled to the last byte."""
    with tempfile.TemporaryDirectory() as name:
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", name], capture_output=True, check=False
        )
        if made.returncode != 0:
            pytest.skip("a disk of our own to fill needs the right to mount one")
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", name], check=True)


def fill(folder: Path) -> None:
    with (folder / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(bytes(4096))


def test_a_disk_too_full_to_open_a_store_is_named(nothing_free: Path) -> None:
    path = nothing_free / "x.db"
    Database.open(str(path)).close()
    fill(nothing_free)
    with pytest.raises(NotEnoughSpaceError, match="the disk is full; free some space"):
        Database.open(str(path))


def test_a_refusal_to_write_is_no_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    Database.open(str(path)).close()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(StoreError) as raised:
            Database.open(str(path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "full" not in str(raised.value)


def test_mistakes_of_ours_pass_through(database: Database) -> None:
    def store_an_orphan() -> None:
        with database.write() as db:
            db.add(Session(origin_id=1, foreign_id="x", public_id="x", conversation_id=1, relation="root"))

    with pytest.raises(IntegrityError):
        store_an_orphan()


@pytest.mark.parametrize("text", ["plain", "漢字 🎉", "half \ud800 a pair", "nul \0"])
def test_json_keeps_every_text(database: Database, text: str) -> None:
    with database.write() as db:
        conversation = a_conversation(db, extra={"text": text})
    with database.read() as db:
        assert db.get_one(Session, conversation.root_id).extra == {"text": text}


@pytest.mark.sqlite_only("a server's backups are pg_dump's")
def test_a_backup_is_whole_and_private(database: Database, tmp_path: Path) -> None:
    assert database.path is not None
    with database.write() as db:
        an_origin(db, label="kept")
    told: list[int] = []
    copy = back_up(
        locate(str(database.path)), tmp_path / "copy.db", lambda _, done, total: told.append(done - total)
    )
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert told[-1] == 0
    with Database.open(str(copy)) as opened, opened.read() as db:
        assert db.scalars(select(Origin.label)).all() == ["kept"]


@pytest.mark.sqlite_only("a server's backups are pg_dump's")
def test_a_backup_never_replaces_a_file(database: Database, tmp_path: Path) -> None:
    assert database.path is not None
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(StoreError, match="never replaces"):
        back_up(locate(str(database.path)), tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"


@pytest.mark.sqlite_only("a server's backups are pg_dump's")
def test_two_backups_of_one_second_have_two_names(database: Database) -> None:
    assert database.path is not None
    made = {back_up(locate(str(database.path)), dated_name(database.path)) for _ in range(3)}
    assert len(made) == 3


@pytest.mark.sqlite_only("a server's backups are pg_dump's")
def test_a_backup_needs_no_pause_of_the_writers(database: Database, tmp_path: Path) -> None:
    assert database.path is not None
    with database.write() as db:
        an_origin(db)
        db.flush()
        back_up(locate(str(database.path)), tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as connection:
        assert connection.execute("SELECT count(*) FROM origins").fetchone() == (0,)


def test_a_connection_that_is_given_back_after_the_end_is_closed(store_url: str) -> None:
    database = Database.open(store_url)
    held = database.engine.connect()
    raw = held.connection.dbapi_connection
    assert raw is not None
    database.close()
    held.close()
    with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError)):
        raw.cursor().execute("SELECT 1")


def test_a_connection_that_a_late_request_opens_after_the_end_is_closed(store_url: str) -> None:
    database = Database.open(store_url)
    database.close()
    for _ in range(2):  # one that was closed is not given out again
        with database.read() as db:
            raw = db.connection().connection.dbapi_connection
            assert db.connection().exec_driver_sql("SELECT 1").scalar() == 1
        assert raw is not None
        with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError)):
            raw.cursor().execute("SELECT 1")
