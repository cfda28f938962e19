"""Make deleted text unreadable in a store's file: in free pages, in the index, in the write-ahead log.

Deleting marks space as free; secure_delete, which every connection has on, overwrites it.
The full-text index keeps the words of a deleted row until the parts it is made of are
merged, and the log keeps old pages until it is cut. Both are done here, in steps that let
other writers in between. On PostgreSQL this is VACUUM's work, by the server's own clock.
"""

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.db import Database
from hermes_sessions.store.organising import Setting
from hermes_sessions.store.progress import Progress, silent

PENDING = "scrub"
_STEP_PAGES = 2_000
_MERGE = "INSERT INTO messages_fts (messages_fts, rank) VALUES ('merge', ?)"


def require_scrub(db: DbSession) -> None:
    """Note, in the transaction that deletes, that the file is to be scrubbed; a kill cannot lose that."""
    if db.get(Setting, PENDING) is None:
        db.execute(insert(Setting).values(name=PENDING, value="pending"))


def is_scrub_pending(db: DbSession) -> bool:
    """Return whether something that was deleted may still be readable in the file."""
    return db.scalar(select(Setting.value).where(Setting.name == PENDING)) is not None


def scrub(database: Database, progress: Progress = silent) -> bool:
    """Finish what deletions left; False where a reader of the log kept a part from being cut off.

    Then the work stays noted, and the next call goes on with it.
    """
    if database.path is None:
        with database.write() as db:
            db.execute(delete(Setting).where(Setting.name == PENDING))
        return True
    _merge_index(database, progress)
    with database.write() as db:
        db.execute(delete(Setting).where(Setting.name == PENDING))
    if _cut_log(database):
        return True
    with database.write() as db:
        require_scrub(db)
    return False


def _merge_index(database: Database, progress: Progress) -> None:
    """Merge all parts of the index into one, in bounded steps: what was deleted is left behind."""
    pages, done = -_STEP_PAGES, 0
    while True:
        with database.write() as db:
            connection = db.connection()
            before = connection.exec_driver_sql("SELECT total_changes()").scalar_one()
            connection.exec_driver_sql(_MERGE, (pages,))
            worked = connection.exec_driver_sql("SELECT total_changes()").scalar_one() - before
        # A merge that had nothing to do changes one row at most (so SQLite's documentation).
        if worked < 2:
            return
        pages, done = _STEP_PAGES, done + 1
        progress("scrub", done, 0)


def _cut_log(database: Database) -> bool:
    with database.engine.connect() as connection:
        raw = connection.connection.cursor()
        busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        raw.close()
    return not busy
