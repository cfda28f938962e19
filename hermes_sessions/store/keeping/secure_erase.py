"""Make deleted text unreadable in a store's file: in pages and their gaps, in the index, in the log.

Deleting marks space as free; secure_delete, which every connection has on, overwrites it.
That is not all: a page that was split or joined keeps copies of its rows in its gap, the
full-text index keeps the words of a deleted row until its parts are merged, and the log
keeps old pages until it is cut. So the index is merged, in steps that let other writers in
between, the file is written anew (VACUUM), and the log is cut. On PostgreSQL this is
VACUUM's work, by the server's own clock.
"""

from pathlib import Path

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import NotEnoughSpaceError, StoreBusyError
from hermes_sessions.store.engines.backup import stored_size
from hermes_sessions.store.engines.file_probe import require_space
from hermes_sessions.store.engines.sqlite_engine import named_errors
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.schema.organising import Setting

PENDING = "scrub"
_ALL = "pending"
_LOG_ONLY = "log"
_STEP_PAGES = 2_000
_MERGE = "INSERT INTO messages_fts (messages_fts, rank) VALUES ('merge', ?)"
_IN_USE = "another process reads the store, so that old pages cannot be cut off yet"


def require_scrub(db: DbSession) -> None:
    """Note, in the transaction that deletes, that the file is to be scrubbed; a kill cannot lose that."""
    _note(db, _ALL)


def is_scrub_pending(db: DbSession) -> bool:
    """Return whether something that was deleted may still be readable in the file."""
    return db.scalar(select(Setting.value).where(Setting.name == PENDING)) is not None


def scrub(database: Database, progress: Progress = silent) -> str | None:
    """Finish what deletions left; return None when it is done, else the reason why it is not.

    Then the work stays noted, and the next call goes on with it.
    """
    if database.path is not None:
        with database.read() as db:
            rewritten = db.scalar(select(Setting.value).where(Setting.name == PENDING)) == _LOG_ONLY
        try:
            if not rewritten:
                _merge_index(database, progress)
                _rewrite(database, database.path, progress)
        except (NotEnoughSpaceError, StoreBusyError) as error:
            return str(error)
        if not _cut_log(database, database.path):
            with database.write() as db:
                _note(db, _LOG_ONLY)
            return _IN_USE
    with database.write() as db:
        db.execute(delete(Setting).where(Setting.name == PENDING))
    return None


def _note(db: DbSession, what: str) -> None:
    if db.scalar(select(Setting.value).where(Setting.name == PENDING)) is None:
        db.execute(insert(Setting).values(name=PENDING, value=what))
    else:
        db.execute(update(Setting).where(Setting.name == PENDING).values(value=what))


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


def _rewrite(database: Database, path: Path, progress: Progress) -> None:
    """Write the file anew; readers go on, writers wait."""
    # Every page goes through the log, and before that through SQLite's temporary file.
    require_space(path.parent, 2 * stored_size(path), "writing the store anew")
    progress("scrub", 0, 0)
    with named_errors(path), database.engine.connect() as connection:
        raw = connection.connection.cursor()
        raw.execute("PRAGMA temp_store = FILE")  # a copy of the store has no place in memory
        try:
            raw.execute("VACUUM")
        finally:
            raw.execute("PRAGMA temp_store = MEMORY")
            raw.close()


def _cut_log(database: Database, path: Path) -> bool:
    with named_errors(path), database.engine.connect() as connection:
        raw = connection.connection.cursor()
        busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        raw.close()
    return not busy
