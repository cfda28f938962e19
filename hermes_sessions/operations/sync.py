"""Bring origins up to date, once. Keeping them so is `follow`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.operations.import_ import ImportOptions, import_path
from hermes_sessions.operations.import_report import ImportReport
from hermes_sessions.store.db import Database
from hermes_sessions.store.models import Origin


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """What became of one origin: a report, or the reason why there is none."""

    path: Path
    report: ImportReport | None
    error: str | None


def sync_origins(database: Database, options: ImportOptions) -> list[SyncOutcome]:
    """Bring every origin that is not paused up to date; one that fails does not stop the others."""
    return sync_paths(database, origin_paths(database), options)


def sync_paths(database: Database, paths: Sequence[Path], options: ImportOptions) -> list[SyncOutcome]:
    """Import each of *paths*; one that fails does not stop the others."""
    return [_sync_one(database, path, options) for path in paths]


def origin_paths(database: Database) -> list[Path]:
    """Return where the origins that are not paused lie."""
    with database.read() as db:
        found = db.scalars(
            select(Origin.location)
            .where(Origin.paused.is_(False), Origin.location.is_not(None), Origin.kind == "hermes")
            .order_by(Origin.id)
        )
        return [Path(location) for location in found if location]


def _sync_one(database: Database, path: Path, options: ImportOptions) -> SyncOutcome:
    try:
        return SyncOutcome(path, import_path(database, path, options), None)
    except HermesSessionsError as error:
        return SyncOutcome(path, None, str(error))
