"""What `bench.crashes` interrupts: a store, the agent's database beside it, and work to do on them."""

import shutil
import sqlite3
import textwrap
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.concurrency import POLICY, message, notes
from hermes_sessions import Store, paths
from hermes_sessions.demo.agent_tables import create_tables, insert_rows, message_columns, session_columns
from hermes_sessions.errors import CompactionRefusedError, StoreError, StoreOutdatedError
from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.operations.move import move_store
from hermes_sessions.operations.organising.prune import PruneQuery, empty_trash, find_prunable, prune
from hermes_sessions.store.engines.backup import back_up
from hermes_sessions.store.engines.file_probe import list_revisions, locate
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.keeping.repair import repair_store
from hermes_sessions.store.opening import migrate
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing

SCHEMA: Final = 17
SESSIONS: Final = 60
ROWS: Final = 60
LOCAL: Final = "local-one"
OLD_INDEX: Final = 1
"""A version of the full-text index that is no longer made."""
FACTS: Final = (
    "SELECT s.public_id || ': ' || m.text FROM messages m JOIN sessions s ON s.id = m.session_id"
    " WHERE m.copy_of IS NULL AND m.kind = 'message' AND m.text NOT LIKE '[Note by the compaction:%'"
)
REVISION: Final = textwrap.dedent('''
    """Note a remark on every message: a table is built again."""

    import sqlalchemy as sa
    from alembic import op

    revision = "{number:04}"
    down_revision = "{before}"


    def upgrade():
        with op.batch_alter_table("system_prompts") as batch:
            batch.add_column(sa.Column("remark", sa.Text()))
        op.add_column("messages", sa.Column("remark", sa.Text()))
        op.execute("UPDATE messages SET remark = 'seen'")


    def downgrade():
        op.drop_column("messages", "remark")
        op.drop_column("system_prompts", "remark")
''')


class Scene:
    """A folder with a store, and a folder in it that is the agent's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "store.db"
        self.foreign = folder / "agent" / "state.db"
        self.migrations = folder / "migrations"

    def migrations_now(self) -> Path | None:
        """Return the folder of revisions that fits the store as it is; None: the installed one."""
        if not self.migrations.exists():
            return None
        state = migrate.current(str(self.store), migrations=self.migrations)
        return None if state.pending else self.migrations

    def open(self) -> Database:
        """Open the store."""
        return Database.open(str(self.store), migrations=self.migrations_now())

    def facts(self) -> Counter[str]:
        """Return every message that was said, with its session."""
        try:
            with self.open() as database, database.read() as db:
                return Counter(row[0] for row in db.connection().exec_driver_sql(FACTS))
        except StoreOutdatedError:  # its index is old, its rows are not
            with closing(sqlite3.connect(self.store)) as connection:
                return Counter(row[0] for row in connection.execute(FACTS))


@dataclass(frozen=True, slots=True)
class Work:
    """Something that is done to a store.

    Attributes:
        stage: makes ready what it needs, undisturbed.
        do: the work; it may also be done a second time, to the end.
    """

    name: str
    do: Callable[[Scene], object]
    stage: Callable[[Scene], object] = lambda scene: None


def prepare(folder: Path) -> Path:
    """Make a folder with a store that holds a local session, and the agent's database beside it."""
    scene = Scene(folder)
    scene.foreign.parent.mkdir(parents=True)
    with closing(sqlite3.connect(scene.foreign)) as connection, connection:
        create_tables(connection, SCHEMA)
        _talk(connection, range(SESSIONS))
    with Store.open(str(scene.store)) as store:
        store.create_session(session_id=LOCAL, system_prompt="You are an agent.")
        store.append_many(LOCAL, [message(LOCAL, number) for number in range(60)])
    return folder


def bring(scene: Scene) -> None:
    """Import the agent's database."""
    with scene.open() as database:
        import_path(database, scene.foreign, ImportOptions(clock=time.time))


def go_on(scene: Scene) -> None:
    """Import, then let the agent say more in every second session, and in new ones."""
    bring(scene)
    with closing(sqlite3.connect(scene.foreign)) as connection, connection:
        _talk(connection, range(0, SESSIONS, 2), first=ROWS)
        _talk(connection, range(SESSIONS, SESSIONS + 10))


def append(scene: Scene) -> None:
    """Append what is not there yet, ten messages at a time, and leave without closing."""
    store = Store(scene.open())
    done = len(store.load(LOCAL)) - 1
    for first in range(done - done % 10, 160, 10):
        store.append_many(LOCAL, [message(LOCAL, number) for number in range(first, first + 10)])


def rotate(scene: Scene, *, in_place: bool = False) -> None:
    """Compact the local session, unless that was done."""
    with Store(scene.open()) as store:
        if not store.attempts(LOCAL):
            store.compact(LOCAL, policy=POLICY, summarize=notes, in_place=in_place)


def undo(scene: Scene) -> None:
    """Take the compaction back, unless that was done."""
    with Store(scene.open()) as store, store.database.read() as db:
        found = db.connection().exec_driver_sql("SELECT id FROM compactions").scalar()
    with Store(scene.open()) as store:
        try:
            store.undo(found or 0)
        except CompactionRefusedError as error:
            if "undone" not in str(error):
                raise


def plan_upgrade(scene: Scene) -> None:
    """Import, and let there be one revision more."""
    bring(scene)
    add_revision(scene)


def add_revision(scene: Scene) -> None:
    """Write a folder of revisions with one more than ours."""
    shutil.copytree(paths.migrations(), scene.migrations, ignore=shutil.ignore_patterns("__pycache__"))
    head = list_revisions(scene.migrations)[-1]
    text = REVISION.replace("{number:04}", f"{int(head) + 1:04}").replace("{before}", head)
    (scene.migrations / "versions" / f"{int(head) + 1:04}_remark.py").write_text(text)


def upgrade(scene: Scene) -> None:
    """Bring the store to the newest revision."""
    migrate.upgrade(str(scene.store), migrations=scene.migrations)


def spoil_index(scene: Scene) -> None:
    """Import, then lose the full-text index, and some counts."""
    bring(scene)
    with scene.open() as database, database.write() as db:
        run = db.connection().exec_driver_sql
        run("INSERT INTO messages_fts (messages_fts) VALUES ('delete-all')")
        run("UPDATE sessions SET message_count = 0 WHERE id % 3 = 0")


def repair(scene: Scene) -> None:
    """Mend what can be derived."""
    with scene.open() as database:
        repair_store(database)


def rebuild(scene: Scene) -> None:
    """Make the full-text index anew, as after an upgrade to another segmentation."""
    migrate.upgrade(str(scene.store))
    with scene.open() as database, database.read() as db:
        if found := check_store(db):
            raise ValueError(f"the index made anew disagrees: {found[:3]}")


def age_index(scene: Scene) -> None:
    """Import, then let the index be one of an older version."""
    bring(scene)
    with closing(sqlite3.connect(scene.store)) as connection:
        connection.execute(f"PRAGMA user_version = {OLD_INDEX}")


def move(scene: Scene) -> None:
    """Move the store to another file, unless that was done; both must hold the same."""
    moved = Scene(scene.folder)
    moved.store = scene.folder / "moved.db"
    try:
        move_store(str(scene.store), str(moved.store))
    except StoreError as error:
        if "holds a store already" not in str(error):
            raise
    if moved.facts() != scene.facts():
        raise ValueError("what was moved is not what the store holds")


def throw_away(scene: Scene, *, at_most: int = SESSIONS) -> None:
    """Put every second family into the trash, some at a time."""
    with scene.open() as database:
        found = find_prunable(database, PruneQuery(min_bytes=1))
        some = [one for one in found if one.id[-1] not in "13579"][:at_most]
        for at in range(0, len(some), 5):
            prune(database, some[at : at + 5], clock=time.time)


def erase(scene: Scene) -> None:
    """Erase what is in the trash, down to its bytes."""
    with scene.open() as database:
        empty_trash(database, clock=time.time)


def fill_trash(scene: Scene, *, at_most: int = SESSIONS) -> None:
    """Import, then put every second family into the trash."""
    bring(scene)
    throw_away(scene, at_most=at_most)


def audit(scene: Scene) -> None:
    """Audit everything."""
    with scene.open() as database:
        run_audit(database, FindingListing(), clock=time.time)


def backup(scene: Scene) -> None:
    """Copy the store; a copy that was cut off is never under the name."""
    target = scene.folder / "copy.db"
    if not target.exists():
        back_up(locate(str(scene.store)), target)
    if Scene(_standing_in(scene, target)).facts() != scene.facts():
        raise ValueError("the copy is not what the store holds")


def _standing_in(scene: Scene, target: Path) -> Path:
    folder = scene.folder / "restored"
    folder.mkdir(exist_ok=True)
    shutil.copy(target, folder / "store.db")
    return folder


def _talk(connection: sqlite3.Connection, numbers: range, *, first: int = 0) -> None:
    now = 1_780_000_000.0
    for number in numbers:
        name = f"session-{number}"
        if first == 0:
            row = {"id": name, "source": "cli", "started_at": now + 1000 * number}
            insert_rows(connection, "sessions", session_columns(SCHEMA), [row])
        some = [message(name, at) for at in range(first, first + ROWS)]
        rows = [
            {**one, "session_id": name, "timestamp": now + 1000 * number + at} for at, one in enumerate(some)
        ]
        insert_rows(connection, "messages", message_columns(SCHEMA), rows)


def _compacted(scene: Scene) -> None:
    rotate(scene)


WORK: Final = {
    one.name: one
    for one in (
        Work("import", bring),
        Work("sync", bring, go_on),
        Work("append", append),
        Work("rotation", rotate),
        Work("in place", lambda scene: rotate(scene, in_place=True)),
        Work("undo", undo, _compacted),
        Work("audit", audit, bring),
        Work("upgrade", upgrade, plan_upgrade),
        Work("repair", repair, spoil_index),
        Work("backup", backup, bring),
        Work("move", move, bring),
        Work("prune", throw_away, bring),
        Work("erase", erase, fill_trash),
        Work("index", rebuild, age_index),
    )
}
"""Everything that may be interrupted, by its name."""
