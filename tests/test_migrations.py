"""The revisions lay down what the models say, undo it, and survive being killed."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Connection, Engine

from hermes_sessions import paths
from hermes_sessions.errors import NotEnoughSpaceError, StoreDamagedError, StoreOutdatedError
from hermes_sessions.store.engines import file_probe
from hermes_sessions.store.engines.sqlite_engine import make_engine
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from hermes_sessions.store.searching.full_text import search
from tests.builders import a_compaction, a_conversation, a_message, a_session

HEAD = file_probe.list_revisions(paths.migrations())[-1]
pytestmark = pytest.mark.sqlite_only("revisions of a file; those of a server are in test_postgresql.py")

SLOW_REVISION = textwrap.dedent('''
    """Note a remark on every origin, slowly."""

    import time

    import sqlalchemy as sa
    from alembic import op

    revision = "9999"
    down_revision = "{head}"


    def upgrade():
        with op.batch_alter_table("origins") as batch:
            batch.add_column(sa.Column("remark", sa.Text()))
        op.execute("UPDATE origins SET remark = 'seen'")
        print("half way", flush=True)
        time.sleep({seconds})


    def downgrade():
        op.drop_column("origins", "remark")
''')


@pytest.fixture
def future(tmp_path: Path) -> Path:
    """A folder of migrations with one revision more than ours."""
    return migrations_with(tmp_path, seconds=0)


def migrations_with(tmp_path: Path, *, seconds: int) -> Path:
    folder = tmp_path / f"migrations-{seconds}"
    shutil.copytree(paths.migrations(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    script = SLOW_REVISION.replace("{seconds}", str(seconds)).replace("{head}", HEAD)
    (folder / "versions" / "9999_remark.py").write_text(script)
    return folder


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A store of this version with one origin."""
    path = tmp_path / "old.db"
    Database.open(str(path)).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO origins (kind, label, paused, created_at) VALUES ('hermes', 'h', 0, 1)"
        )
    return path


def migrating(engine: Engine) -> Engine:
    return engine.execution_options(write=True, migrating=True)


def schema(connection: Connection) -> list[tuple[object, ...]]:
    rows = connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2")
    return [tuple(row) for row in rows]


def origins(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM origins").fetchall()


def test_models_and_migrations_agree(database: Database) -> None:
    with database.engine.begin() as connection:
        command.check(migrate.alembic_config(connection))


def test_downgrade_undoes_upgrade(database: Database) -> None:
    with migrating(database.engine).begin() as connection:
        before = schema(connection)
        command.downgrade(migrate.alembic_config(connection), "base")
        assert {row[1] for row in schema(connection) if row[0] == "table"} == {"alembic_version"}
        migrate.move_schema(connection, "head")
        assert schema(connection) == before


def test_every_constraint_has_a_name(database: Database) -> None:
    with database.engine.begin() as connection:
        texts = [str(row[3]) for row in schema(connection) if row[0] == "table" and "fts" not in str(row[1])]
    clauses = [line.strip() for text in texts for line in text.splitlines()]
    assert not [one for one in clauses if one.startswith(("PRIMARY KEY", "FOREIGN KEY", "UNIQUE", "CHECK"))]


def test_the_revision_on_disk_is_the_one_alembic_knows(database: Database) -> None:
    from alembic.script import ScriptDirectory

    with database.engine.begin() as connection:
        script = ScriptDirectory.from_config(migrate.alembic_config(connection))
    walked = [revision.revision for revision in script.walk_revisions()]
    assert tuple(reversed(walked)) == file_probe.list_revisions(paths.migrations())


def test_opening_an_older_store_names_the_command(old_store: Path, future: Path) -> None:
    with pytest.raises(StoreOutdatedError, match="run `hermes-sessions db upgrade`"):
        Database.open(str(old_store), migrations=future)
    assert migrate.current(str(old_store), migrations=future).pending == ("9999",)


def test_upgrade_keeps_rows_and_the_old_file(old_store: Path, future: Path) -> None:
    told: list[str] = []
    done = migrate.upgrade(
        str(old_store), migrations=future, progress=lambda step, done, total: told.append(step)
    )
    assert origins(old_store)[0][-1] == "seen"
    assert done.backup is not None
    assert len(origins(done.backup)[0]) == len(origins(old_store)[0]) - 1
    assert set(told) == {"backup", "upgrade"}
    assert migrate.current(str(old_store), migrations=future).pending == ()


def test_upgrade_of_a_current_store_does_nothing(old_store: Path) -> None:
    before = old_store.read_bytes()
    assert migrate.upgrade(str(old_store)).backup is None
    assert old_store.read_bytes() == before


def test_upgrade_makes_a_missing_store(tmp_path: Path) -> None:
    migrate.upgrade(str(tmp_path / "deep" / "new.db"))
    Database.open(str(tmp_path / "deep" / "new.db"), create=False).close()


def test_upgrade_refuses_rows_that_point_nowhere(old_store: Path, future: Path) -> None:
    with closing(sqlite3.connect(old_store)) as connection, connection:
        connection.execute(
            "INSERT INTO findings (rule, severity, rules_version, conversation_id, created_at)"
            " VALUES ('x', 'info', '1', 99, 1)"
        )
    with pytest.raises(StoreDamagedError, match="findings"):
        migrate.upgrade(str(old_store), migrations=future)
    assert migrate.current(str(old_store)).revision == HEAD


def test_upgrade_wants_room_for_the_backup(tmp_path: Path) -> None:
    with pytest.raises(NotEnoughSpaceError, match="an upgrade needs"):
        file_probe.require_space(tmp_path, 1 << 62, "an upgrade")


def test_a_kill_during_an_upgrade_leaves_the_old_schema(old_store: Path, tmp_path: Path) -> None:
    slow = migrations_with(tmp_path, seconds=60)
    script = (
        "from pathlib import Path; from hermes_sessions.store.opening import migrate;"
        f" migrate.upgrade({str(old_store)!r}, migrations=Path({str(slow)!r}))"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "half way"
        os.kill(process.pid, signal.SIGKILL)
    assert len(origins(old_store)) == 1
    assert migrate.current(str(old_store)).revision == HEAD
    Database.open(str(old_store)).close()


def test_a_kill_while_creating_leaves_what_opens(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    slow = migrations_with(tmp_path, seconds=60)
    script = (
        "from pathlib import Path; from hermes_sessions.store.opening.database import Database;"
        f" Database.open({str(path)!r}, migrations=Path({str(slow)!r}))"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "half way"
        os.kill(process.pid, signal.SIGKILL)
    with Database.open(str(path)) as database, database.read() as db:
        assert db.connection().exec_driver_sql("SELECT count(*) FROM origins").scalar() == 0


def test_two_that_create_the_same_store_both_open_it(tmp_path: Path) -> None:
    script = (
        "from hermes_sessions.store.opening.database import Database;"
        f"Database.open({str(tmp_path / 'new.db')!r}).close()"
    )
    both = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(2)]
    assert [process.wait(timeout=60) for process in both] == [0, 0]


def test_the_engine_of_a_migration_does_not_cascade(old_store: Path) -> None:
    engine = make_engine(file_probe.locate(str(old_store)))
    with migrating(engine).begin() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 0
    engine.dispose()


def test_an_index_of_another_version_is_told_and_renewed(old_store: Path) -> None:
    with Database.open(str(old_store)) as database, database.write() as db:
        root = db.get_one(Session, a_conversation(db).root_id)
        rows = [a_message(db, root, f"kept {number}").id for number in range(3)]
    with closing(sqlite3.connect(old_store)) as connection, connection:
        connection.execute("UPDATE messages SET search_key = search_key * 256")
        connection.execute("PRAGMA user_version = 1")
    with pytest.raises(StoreOutdatedError, match="the search index was made by another version"):
        Database.open(str(old_store))
    assert migrate.upgrade(str(old_store)).backup is not None
    with Database.open(str(old_store)) as database, database.read() as db:
        assert search(db, "kept") == rows[::-1]
        assert check_store(db) == []


def test_0002_ranks_and_sizes_only_what_was_audited(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    Database.open(str(path)).close()
    engine = make_engine(file_probe.locate(str(path)))
    with migrating(engine).begin() as connection:
        command.downgrade(migrate.alembic_config(connection), "0001")
        connection.exec_driver_sql(
            "INSERT INTO origins (id, kind, label, paused, created_at) VALUES (1, 'hermes', 'h', 0, 1)"
        )
        told = '{"sizes": {"before": 900, "after": 250}}'
        for key, before, after, audit in (
            (1, 100, 30, told),  # counted by the agent
            (2, 100, None, told),  # estimated
            (3, 100, 30, None),  # not audited
            (4, None, None, '{"sizes": {"before": 900, "after": 0}}'),  # what came after is not stored
        ):
            connection.exec_driver_sql(
                "INSERT INTO compactions (id, conversation_id, ordinal, realisation, status, fork,"
                " session_id, span_stored, head_messages, tail_messages, method, tokens_before,"
                " tokens_after, audit)"
                " VALUES (?, 1, 1, 'in_place', 'committed', 0, 1, 1, 0, 0, 'model', ?, ?, ?)",
                (key, before, after, audit),
            )
        for compaction, severity in ((1, "info"), (1, "error"), (2, "info")):
            connection.exec_driver_sql(
                "INSERT INTO findings (rule, severity, rules_version, conversation_id, compaction_id,"
                " created_at) VALUES ('x', ?, '1', 1, ?, 1)",
                (severity, compaction),
            )
        migrate.move_schema(connection, "0002")
        rows = connection.exec_driver_sql(
            "SELECT id, saved_tokens, worst_rank FROM compactions ORDER BY id"
        ).fetchall()
    engine.dispose()
    assert [tuple(row) for row in rows] == [(1, 70, 2), (2, 650, 0), (3, None, None), (4, None, None)]


def test_0010_counts_prunes_apart_and_downgrading_counts_them_again(database: Database) -> None:
    with database.write() as db:
        conversation = a_conversation(db)
        tip = a_session(db, conversation)
        for method in ("prune", "model", "prune", "prune", "model"):
            a_compaction(db, tip, realisation="native", method=method)
    counts = "SELECT compaction_count, prune_count FROM conversations"
    numbers = "SELECT ordinal, number FROM compactions ORDER BY ordinal"
    with migrating(database.engine).begin() as connection:
        config = migrate.alembic_config(connection)
        command.downgrade(config, "0009")
        assert connection.exec_driver_sql("SELECT compaction_count FROM conversations").scalar() == 5
        command.upgrade(config, "0010")
        assert tuple(connection.exec_driver_sql(counts).one()) == (2, 3)
        found = [tuple(row) for row in connection.exec_driver_sql(numbers)]
        assert found == [(1, 1), (2, 1), (3, 2), (4, 3), (5, 2)]


def test_0004_keeps_the_rows_and_downgrading_empties_the_trash(database: Database) -> None:
    with migrating(database.engine).begin() as connection:
        config = migrate.alembic_config(connection)
        command.downgrade(config, "0003")
        connection.exec_driver_sql(
            "INSERT INTO origins (id, kind, label, paused, created_at) VALUES (1, 'hermes', 'h', 0, 1)"
        )
        columns = "id, public_id, origin_id, kind, last_active_at, archived, pinned, gone"
        counts = [row[1] for row in connection.exec_driver_sql("PRAGMA table_info(conversations)")]
        counts = [name for name in counts if name.endswith(("_count", "_tokens"))]
        connection.exec_driver_sql(
            f"INSERT INTO conversations ({columns}, {', '.join(counts)})"
            f" VALUES (7, 'a', 1, 'chat', 5.0, 0, 1, 0{', 3' * len(counts)})"
        )
        command.upgrade(config, "0004")
        row = connection.exec_driver_sql("SELECT kind, pinned, note, tags, message_count FROM conversations")
        assert tuple(row.one()) == ("chat", 1, None, None, 3)
        connection.exec_driver_sql("UPDATE conversations SET kind = 'trash'")
        command.downgrade(config, "0003")
        assert connection.exec_driver_sql("SELECT kind FROM conversations").scalar() == "chat"
        command.upgrade(config, "head")
