"""Bring a store's schema up to date, and say where it stands. Opening a store never does this.

Alembic is imported inside the functions: it costs more start-up time than all else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, column, inspect, select, table
from sqlalchemy.orm import Session

from hermes_sessions import paths
from hermes_sessions.errors import StoreDamagedError, StoreMissingError, StoreOutdatedError
from hermes_sessions.store.engines.backup import back_up, dated_name, stored_size
from hermes_sessions.store.engines.file_probe import (
    FileState,
    ProbedDatabase,
    judge,
    list_revisions,
    require_space,
)
from hermes_sessions.store.engines.store_place import FilePlace, StorePlace, find_place
from hermes_sessions.store.language.segment import VERSION
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.searching.full_text import index_version, rebuild_index, renumber

if TYPE_CHECKING:
    from alembic.config import Config

_SETTINGS: Final = table("settings", column("name"), column("value"))
_BACKUP: Final = "upgrade.backup"
"""The setting that names the backup of an upgrade under way."""


@dataclass(frozen=True, slots=True)
class SchemaState:
    """Where a store stands: its revision (None: no schema yet), this version's head, what lies between.

    `name` is the store's path, or its address without the password; `old_index` says that
    another version of the segmentation made the full-text index.
    """

    name: str
    revision: str | None
    head: str
    pending: tuple[str, ...]
    old_index: bool = False


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What an upgrade did: from where to where, and the backup it made first.

    None: there was nothing to do, or the store is on a server, whose backups are `pg_dump`'s.
    """

    before: SchemaState
    backup: Path | None


def head_revision(migrations: Path | None = None) -> str:
    """Return the newest revision that this version knows."""
    return list_revisions(migrations or paths.migrations())[-1]


def current(url: str, *, migrations: Path | None = None) -> SchemaState:
    """Return where the store stands; the file is only read.

    Raises:
        StoreError: there is no file, or it is not a store of this or an older version.
    """
    return _stands(find_place(url), migrations)


def _stands(place: StorePlace, migrations: Path | None) -> SchemaState:
    revisions = list_revisions(migrations or paths.migrations())
    head = revisions[-1]
    found = place.look()
    old_index = isinstance(found, ProbedDatabase) and found.index != VERSION
    try:
        state = found if isinstance(found, FileState) else judge(place.name, found, head)
    except StoreOutdatedError:
        revision = None if isinstance(found, FileState) else found.revision
        pending = tuple(one for one in revisions if one > (revision or ""))
        return SchemaState(place.name, revision, head, pending, old_index)
    if state is FileState.MISSING:
        raise StoreMissingError.at(place.name)
    if state is FileState.EMPTY:
        return SchemaState(place.name, None, head, revisions)
    return SchemaState(place.name, head, head, ())


def upgrade(url: str, *, progress: Progress = silent, migrations: Path | None = None) -> Upgrade:
    """Bring the store at *url* to this version's schema and index, after a backup; make one if missing.

    Writers wait meanwhile. All revisions run in one transaction: after a kill the
    store has its old schema or the new one, never something between. A revision that
    fills millions of rows does so before, in steps that are transactions of their own
    (its `prepare`): after a kill the next run goes on there, and has no second backup made.

    Raises:
        NotEnoughSpaceError: the disk cannot hold the backup and the work.
        StoreDamagedError: rows point at rows that are not there; nothing was changed.
    """
    place = find_place(url)
    folder = migrations or paths.migrations()
    if place.path is not None and not place.path.exists():
        place.create()
    before = _stands(place, migrations)
    if not before.pending and not before.old_index:
        return Upgrade(before, None)
    if place.path is not None:
        # One copy is the backup, the other what the rebuilt tables may add to the write-ahead log.
        require_space(place.path.parent, 2 * stored_size(place.path), "an upgrade")
    engine = place.make_engine().execution_options(write=True, migrating=True)
    try:
        with place.errors(), engine.connect() as connection:
            connection.begin()
            backup = _back_up(connection, place, before, progress)
            if before.revision is not None:
                for done, total in _prepare(connection, place, before.pending, folder, backup):
                    progress("fill", done, total)
            move_schema(connection, before.head, progress=progress, migrations=folder)
            renew_index(connection, progress)
            connection.execute(_SETTINGS.delete().where(_SETTINGS.c.name == _BACKUP))
            _require_whole(connection, place)
            connection.commit()
    finally:
        engine.dispose()
    return Upgrade(before, backup)


def _back_up(
    connection: Connection, place: StorePlace, before: SchemaState, progress: Progress
) -> Path | None:
    """Copy a file that has rows; the copy that an upgrade made before it was stopped is used again."""
    if before.revision is None or not isinstance(place, FilePlace):
        return None
    noted = None
    if inspect(connection).has_table("settings"):
        noted = connection.scalar(select(_SETTINGS.c.value).where(_SETTINGS.c.name == _BACKUP))
    made = None if noted is None else place.path.with_name(noted)
    if made is not None and made.exists():
        return made
    return back_up(place.location, _beside(place.path, before), progress)


def _prepare(
    connection: Connection, place: StorePlace, pending: Sequence[str], folder: Path, backup: Path | None
) -> Iterator[tuple[int, int]]:
    """Have revisions fill what they add, step by step, each a transaction; yield how far they are."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(alembic_config(connection, folder))
    for revision in pending:
        script = scripts.get_revision(revision)
        fill = getattr(script.module, "prepare", None)
        if fill is None:
            continue
        _require_whole(connection, place)
        move_schema(connection, str(script.down_revision), migrations=folder)
        if backup is not None:
            connection.execute(_SETTINGS.delete().where(_SETTINGS.c.name == _BACKUP))
            connection.execute(_SETTINGS.insert().values(name=_BACKUP, value=backup.name))
        connection.commit()
        for step in fill(connection):
            connection.commit()
            yield step


def move_schema(
    connection: Connection, revision: str, *, progress: Progress = silent, migrations: Path | None = None
) -> None:
    """Run the revisions from where *connection* is up to *revision*, in the caller's transaction."""
    from alembic import command

    folder = migrations or paths.migrations()
    total = len(list_revisions(folder))
    config = alembic_config(connection, folder)
    done = 0

    def told(**_: object) -> None:
        nonlocal done
        done += 1
        progress("upgrade", done, total)

    config.attributes["on_version_apply"] = told
    command.upgrade(config, revision)


def renew_index(connection: Connection, progress: Progress = silent) -> None:
    """Make the full-text index anew where another version of the segmentation made it."""
    with Session(connection) as db:
        if index_version(db) != VERSION:
            renumber(db)
            rebuild_index(db, progress)


def alembic_config(connection: Connection, folder: Path | None = None) -> "Config":
    """Return what Alembic's commands need to work on *connection*; no file is read."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(folder or paths.migrations()).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _beside(path: Path, before: SchemaState) -> Path:
    return dated_name(path, f"{before.revision}-")


def _require_whole(connection: Connection, place: StorePlace) -> None:
    if connection.dialect.name != "sqlite":
        return  # its foreign keys are never off
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise StoreDamagedError(
            f"{place.name}: {len(broken)} rows point at missing rows (first in {broken[0][0]});"
            " nothing was changed; run `hermes-sessions db check` with the version that wrote it"
        )
