"""Bring origins up to date, once. Keeping them so is `follow`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from hermes_sessions.agents.contract import Found, OpenOptions, Restorer
from hermes_sessions.agents.registry import importer_for, importers, kind_today, restorers
from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.operations.imports.import_report import ImportReport
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Origin


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """What became of one origin: a report, or the reason why there is none."""

    path: Path
    report: ImportReport | None
    error: str | None


def sync_origins(
    database: Database, options: ImportOptions, found: Sequence[Found] = ()
) -> list[SyncOutcome]:
    """Bring every origin that is not paused up to date; one that fails does not stop the others.

    Args:
        found: what agents have in their usual places: further origins, unless the user paused them.
    """
    wanted = [*followed_origins(database), *switched_on(database, found)]
    return sync_paths(database, list({one.path.resolve(): one.path for one in wanted}.values()), options)


def switched_on(database: Database, found: Sequence[Found]) -> list[Found]:
    """Return what was found without the places of origins that the user paused.

    Nor are homes of agents in it that have no session yet and never had one.
    """
    with database.read() as db:
        paused = set(db.scalars(select(Origin.location).where(Origin.paused)))
        known = set(db.scalars(select(Origin.location)))
    return [
        one
        for one in found
        if paused.isdisjoint((str(one.path), str(one.path.resolve())))
        and (str(one.path.resolve()) in known or not _is_unused(one.path))
    ]


def _is_unused(path: Path) -> bool:
    """Whether a place is an agent's own and nothing is in it that could be read, or named."""
    try:
        importer, located = importer_for(path)
        if isinstance(importer, Restorer) or not located.is_dir() or importer.locate(located) is not None:
            return False
        with importer.open(located, None, OpenOptions(now=0.0)) as source:
            return not (source.entries or source.rejected or source.warnings or source.damage)
    except (HermesSessionsError, OSError):
        return False


def sync_paths(database: Database, paths: Sequence[Path], options: ImportOptions) -> list[SyncOutcome]:
    """Import each of *paths*; one that fails does not stop the others."""
    return [_sync_one(database, path, options) for path in paths]


def followed_origins(database: Database) -> list[Found]:
    """Return where the origins that are not paused are, and what they are called."""
    kinds = [importer.kind for importer in importers()]
    with database.read() as db:
        found = db.execute(
            select(Origin.location, Origin.label)
            .where(Origin.paused.is_(False), Origin.location.is_not(None), Origin.kind.in_(kinds))
            .order_by(Origin.id)
        )
        return [Found(Path(location), label) for location, label in found if location]


def unread_origins(database: Database) -> list[tuple[str, str]]:
    """Return label and kind of every origin that is followed and whose agent nobody here reads."""
    kinds = {one.kind for one in importers()} | {one.kind for one in restorers()}
    with database.read() as db:
        found = db.execute(
            select(Origin.label, Origin.kind)
            .where(Origin.paused.is_(False), Origin.location.is_not(None))
            .order_by(Origin.id)
        )
        return [(label, kind) for label, kind in found if kind_today(kind) not in kinds]


def _sync_one(database: Database, path: Path, options: ImportOptions) -> SyncOutcome:
    try:
        return SyncOutcome(path, import_path(database, path, options), None)
    except HermesSessionsError as error:
        return SyncOutcome(path, None, str(error))
    except OSError as error:
        return SyncOutcome(path, None, f"{error.filename or path}: {error.strerror or error}")


def list_agents() -> tuple[str, ...]:
    """Return the kinds of origins that are read here, one for each agent."""
    return tuple(one.kind for one in importers())
