"""Import a foreign database into the store, or bring what was imported up to date.

The same operation both ways: families whose sessions show no change are passed over,
new ones are stored in bulk, changed ones are merged. Killed at any point and run
again, it ends with the same rows.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import accumulate, islice
from pathlib import Path
from stat import S_ISREG
from typing import Final, NamedTuple

from sqlalchemy import exists, select, update

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.contract import (
    KEPT_ROWS,
    Cursor,
    Importer,
    OpenOptions,
    Restorer,
    reading_of,
)
from hermes_sessions.agents.guarded import blaming
from hermes_sessions.agents.registry import importer_of
from hermes_sessions.errors import (
    HermesSessionsError,
    SourceChangedError,
    SourceDamagedError,
    SourceError,
    StoreConflictError,
    StoreUnavailableError,
)
from hermes_sessions.operations.imports.import_jsonl import import_export
from hermes_sessions.operations.imports.import_report import ImportReport, make_report
from hermes_sessions.operations.imports.import_run import (
    ImportRun,
    Progress,
    leased,
    load_decisions,
    mark_gone_sessions,
    store_families,
)
from hermes_sessions.operations.imports.known_sessions import clashes, known_marks, left_parents, stored_rows
from hermes_sessions.operations.imports.locate_origin import LocatedOrigin, label_of, locate_origin
from hermes_sessions.operations.imports.parallel.reading_ahead import LEAST_ROWS
from hermes_sessions.operations.imports.parallel.reading_pool import EarlyProcesses
from hermes_sessions.operations.organising.forget import (
    finish,
)
from hermes_sessions.operations.organising.masks import load_masker
from hermes_sessions.operations.organising.redact_undo import make_final
from hermes_sessions.operations.writing.lease_holders import make_holder
from hermes_sessions.operations.writing.origins import (
    first_stored,
    free_label,
    recognise_origin,
)
from hermes_sessions.operations.writing.row_values import ImportedFrom
from hermes_sessions.store.engines.file_probe import require_space
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.opening.tries import Tries
from hermes_sessions.store.schema.models import Origin, Session

ATTEMPTS: Final = 3
"""A file that nobody had open is read without locks; an agent that starts just then is noticed."""
_TRANSCRIPTS: Final = frozenset({".json", ".jsonl", ".zst", ".gz", ".db", ".sqlite", ".db-wal"})
"""Files of a folder that may be imported; an agent keeps other large ones beside them."""
_LARGE: Final = 24_000_000
"""Bytes of a database that has more than `LEAST_ROWS` rows, unless they are long."""
_FILES: Final = 2_000
"""So many files of a folder are looked at, to see whether they are large together."""


@dataclass(slots=True)
class ImportOptions:
    """How to import; the clock comes from outside.

    Attributes:
        clock: returns epoch seconds.
        full: look at every family, also at those whose marks say nothing changed.
        label: name for an origin that is new.
        labels: names that discovery gave to paths; an origin that is new takes its own.
        kept_rows: how large a family may be to be held in memory.
        jobs: how many processes may be at work, this one included.
        least_rows: an import of fewer rows starts no process.
    """

    clock: Callable[[], float]
    full: bool = False
    label: str | None = None
    labels: Mapping[Path, str] = field(default_factory=dict)
    progress: Progress = lambda step, done, total: None
    scratch: Path | None = None
    kept_rows: int = KEPT_ROWS
    jobs: int = 1
    least_rows: int = LEAST_ROWS


def import_path(database: Database, path: Path, options: ImportOptions) -> ImportReport:
    """Import what *path* (a file or a folder) names: an agent's files, or an export of ours.

    A masking that could be undone is final from here on, and what is left to scrub is scrubbed.

    Raises:
        SourceError: it cannot be read at all, or is something else.
        OriginBusyError: another process is importing it.
        NotEnoughSpaceError: the store's disk is nearly full.
    """
    make_final(database)
    report = _import(database, path, options)
    return replace(report, unscrubbed=finish(database))


def _import(database: Database, path: Path, options: ImportOptions) -> ImportReport:
    started = options.clock()
    try:
        located, importer = _locate(database, path)
    except SourceError as error:
        _keep_error(database, path.resolve(), str(error))
        raise
    if isinstance(importer, Restorer):
        return replace(import_export(database, importer, located), seconds=options.clock() - started)
    token = importer.token(located)
    reread = _is_outdated(database, located, importer)
    if reread:
        options = replace(options, full=True)
    if not options.full:
        known = _unchanged(database, located, token)
        if known is not None:
            return replace(known, seconds=options.clock() - started)
    try:
        with blaming(importer.kind, located), EarlyProcesses(_early(database, located, options)) as early:
            report = _import_steadily(_Order(database, importer, located, options, early), token)
    except HermesSessionsError as error:
        _keep_error(database, located, str(error))
        raise
    return replace(report, seconds=options.clock() - started, reread=reread)


def _locate(database: Database, path: Path) -> LocatedOrigin:
    """Return what is at *path*; a folder that was an agent's home is one when nothing is left in it, too."""
    try:
        return locate_origin(path)
    except SourceError:
        home = path.resolve()
        if not home.is_dir():
            raise
        with database.read() as db:
            kinds = set(db.scalars(select(Origin.kind).where(Origin.location == str(home))))
        known = [one for one in map(importer_of, sorted(kinds)) if one is not None]
        if len(known) != 1:
            raise
        return LocatedOrigin(home, known[0])


class _Order(NamedTuple):
    """What is to be imported, by whom, into what."""

    database: Database
    importer: Importer
    path: Path
    options: ImportOptions
    early: EarlyProcesses


def _early(database: Database, path: Path, options: ImportOptions) -> int:
    """Return how many processes will help for sure: a large origin is new, and they need time to start."""
    if options.jobs < 2 or not any(size >= _LARGE for size in accumulate(islice(_sizes(path), _FILES))):
        return 0
    with database.read() as db:
        known = db.scalar(select(exists().where(Origin.location == str(path))))
    return 0 if known else options.jobs - 1


def _label(order: _Order) -> str:
    """Return the name of an origin that is new."""
    named = order.options.label or order.options.labels.get(order.path)
    return named or label_of(LocatedOrigin(order.path, order.importer))


def _import_steadily(order: _Order, token: str) -> ImportReport:
    """Import, and begin again where the agent was started meanwhile, or damage met; what is stored stays."""
    options = order.options
    opening = OpenOptions(
        now=options.clock(), scratch=options.scratch, kept_rows=options.kept_rows, full=options.full
    )
    tries, attempts, holder = Tries(), ATTEMPTS, make_holder()
    while attempts > 1:
        try:
            return _import_located(order, token, opening, holder)
        except StoreConflictError:  # what is stored stays; the rest is done again
            if not tries.may_go_on():
                raise
        except StoreUnavailableError:
            if order.database.path is not None or not tries.may_wait_for_server():
                raise
        except SourceChangedError:
            attempts -= 1
            token = order.importer.token(order.path)
        except SourceDamagedError as error:
            attempts -= 1
            if opening.damage is not None:
                raise
            opening = replace(opening, damage=str(error))
    return _import_located(order, token, opening, holder)


def _import_located(order: _Order, token: str, opening: OpenOptions, holder: str) -> ImportReport:
    """Import what is at the path as it is now; *holder* may have the lease of an earlier try."""
    path = order.path
    opening = replace(opening, now=order.options.clock())
    with order.importer.open(path, _last_cursor(order), opening) as opened:
        source = CheckedSource(opened)
        if source.damage and not source.entries:
            raise SourceError(f"{path}: nothing in it can be read: {source.damage[0]}")
        run = _begin(order, source)
        run.holder = holder
        _check_space(run, path)
        with leased(run):
            load_decisions(run)
            # First of all: a child whose link the origin cleared keeps a parent known to be gone.
            if source.complete and not run.copy:
                run.changed = mark_gone_sessions(run)
            run.changed |= store_families(run)
        return _finish(run, token, reading_of(order.importer))


def _last_cursor(order: _Order) -> Cursor | None:
    """Return where the last complete run of what is at this path ended."""
    with order.database.read() as db:
        origin = db.scalar(
            select(Origin)
            .where(Origin.kind == order.importer.kind, Origin.location == str(order.path))
            .order_by(Origin.last_synced_at.desc())
            .limit(1)
        )
        cursor: Cursor | None = ((origin and origin.cursor) or {}).get("source")
        return cursor


def _begin(order: _Order, source: CheckedSource) -> ImportRun:
    """Find or make the origin of *source*, and note where it is now."""
    database, importer, path, options, early = order
    with database.read() as db:
        known = first_stored(db, importer.kind)
        masker = load_masker(db)
    openings = {
        one: opening._replace(text=masker.text(opening.text)) for one, opening in source.openings(known)
    }
    with database.write() as db:
        origin = recognise_origin(db, importer.kind, str(path), openings, is_home=path.is_dir())
        if origin is None:
            origin = Origin(
                kind=importer.kind,
                label=free_label(db, _label(order)),
                created_at=options.clock(),
                location=str(path),
                paused=False,
                cursor={"reading": reading_of(importer)},
            )
            db.add(origin)
        copy = origin.location != str(path) and Path(origin.location or "").exists()
        if not copy:
            origin.location = str(path)
            origin.schema_version = source.schema_version
        db.flush()
        return ImportRun(
            database,
            source,
            options.clock,
            options.progress,
            options.full,
            ImportedFrom(origin.id, origin.label, importer.grammar.name),
            copy,
            known_marks(db, origin.id),
            stored_rows(db, origin.id) if copy else {},
            left_parents(db, origin.id, source),
            clashes(db, origin.id, source),
            options.jobs,
            options.least_rows,
            early,
        )


def _unchanged(database: Database, path: Path, token: str) -> ImportReport | None:
    """Return the last report when the file at *path* is as it was after the last complete run."""
    with database.read() as db:
        for origin in db.scalars(select(Origin).where(Origin.location == str(path))):
            cursor = origin.cursor or {}
            if cursor.get("token") == token and "report" in cursor:
                told = cursor["report"]
                fields = {name: tuple(told[name]) for name in ("rejected", "warnings", "damage")}
                return ImportReport(**{**told, **fields, "origin": origin.label, "unchanged": True})
    return None


def _is_outdated(database: Database, path: Path, importer: Importer) -> bool:
    """Return whether what is stored of the file at *path* was read in another way than it is read now.

    A first import that was interrupted left no more than the number of its way, or, once, not even that.
    """
    with database.read() as db:
        known = db.scalars(
            select(Origin).where(Origin.kind == importer.kind, Origin.location == str(path))
        ).all()
        stored = {one.id for one in known if db.scalar(select(exists().where(Session.origin_id == one.id)))}
    told = {one.id: (one.cursor or {}).get("reading", 0) for one in known}
    return any(told[one] != reading_of(importer) for one in stored)


def _keep_error(database: Database, path: Path, error: str) -> None:
    with database.write(beside=True) as db:
        db.execute(
            update(Origin)
            .where(Origin.location == str(path))
            .values(last_error=error.encode(errors="replace").decode())
        )


def _check_space(run: ImportRun, path: Path) -> None:
    """Refuse to begin what the disk cannot hold: a store is at least a third of the files it is made of."""
    if run.database.path is not None and not run.marks:
        require_space(run.database.path.parent, sum(_sizes(path)) // 3, f"importing {path}")


def _sizes(path: Path) -> Iterator[int]:
    """Yield the bytes of a file, or of each file in a folder that may be a transcript."""
    files = path.rglob("*.*") if path.is_dir() else [path]
    return (_size(file) for file in files if file == path or file.suffix in _TRANSCRIPTS)


def _size(path: Path) -> int:
    """Return the bytes of a file; 0 where it is none, or was taken away meanwhile."""
    try:
        found = path.stat()
    except OSError:
        return 0
    return found.st_size if S_ISREG(found.st_mode) else 0


def _finish(run: ImportRun, token: str, reading: int) -> ImportReport:
    """Note that the run is complete, and say what the store has of this file now."""
    with run.database.write(beside=True) as db:
        origin = db.get_one(Origin, run.origin.id)
        report = replace(
            make_report(db, run.source, origin, run.clashes, copy=run.copy),
            unchanged=not run.changed and origin.last_synced_at is not None,
            copy=run.copy,
            forgotten=len(run.forgotten.ids),
        )
        if not run.copy:
            origin.cursor = {
                "token": token,
                "reading": reading,
                "report": asdict(report),
                "source": dict(run.source.cursor()),
            }
            origin.last_synced_at = run.clock()
            origin.last_error = None
    return report
