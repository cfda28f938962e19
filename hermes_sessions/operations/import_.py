"""Import a foreign database into the store, or bring what was imported up to date.

The same operation both ways: families whose sessions show no change are passed over,
new ones are stored in bulk, changed ones are merged. Killed at any point and run
again, it ends with the same rows.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import (
    HermesSessionsError,
    OriginBusyError,
    SourceChangedError,
    SourceDamagedError,
    SourceError,
)
from hermes_sessions.importers.hermes import KEPT_ROWS, HermesSource, OpenOptions, SessionEntry, open_hermes
from hermes_sessions.importers.hermes_family import read_family
from hermes_sessions.importers.jsonl import is_export
from hermes_sessions.importers.sqlite_file import change_token, locate_database
from hermes_sessions.importers.values import Family
from hermes_sessions.operations.forget import ForgottenIds, add_forgotten, leave_out, load_forgotten
from hermes_sessions.operations.holders import is_over, make_holder
from hermes_sessions.operations.import_jsonl import import_export
from hermes_sessions.operations.import_report import ImportReport, make_report
from hermes_sessions.operations.insert import insert_families
from hermes_sessions.operations.masks import Masker, load_masker, mask_family
from hermes_sessions.operations.merge import merge_family
from hermes_sessions.operations.origins import Opening, first_stored, free_label, label_of, recognise_origin
from hermes_sessions.store.db import Database
from hermes_sessions.store.leases import acquire, release, seconds_left
from hermes_sessions.store.models import Origin, Session
from hermes_sessions.store.probe import require_space
from hermes_sessions.store.statements import update_rows
from hermes_sessions.store.upkeep import refresh_conversations

BATCH_ROWS: Final = 2_000
LEASE_SECONDS: Final = 120.0
ATTEMPTS: Final = 3
"""A file that nobody had open is read without locks; an agent that starts just then is noticed."""

Progress = Callable[[str, int, int], None]
"""Called with (step, done, total)."""


@dataclass(slots=True)
class ImportOptions:
    """How to import; the clock comes from outside.

    Attributes:
        clock: returns epoch seconds.
        full: look at every family, also at those whose marks say nothing changed.
        label: name for an origin that is new.
        kept_rows: how large a family may be to be held in memory.
    """

    clock: Callable[[], float]
    full: bool = False
    label: str | None = None
    progress: Progress = lambda step, done, total: None
    scratch: Path | None = None
    kept_rows: int = KEPT_ROWS


def import_path(database: Database, path: Path, options: ImportOptions) -> ImportReport:
    """Import the Hermes database at *path* (a file, or a folder with a `state.db`), or an export of ours.

    Raises:
        SourceError: it cannot be read at all, or is something else.
        OriginBusyError: another process is importing it.
        NotEnoughSpaceError: the store's disk is nearly full.
    """
    started = options.clock()
    located = locate_database(path)
    if is_export(located):
        return replace(import_export(database, located), seconds=options.clock() - started)
    token = change_token(located)
    if not options.full:
        known = _unchanged(database, located, token)
        if known is not None:
            return replace(known, seconds=options.clock() - started)
    try:
        report = _import_steadily(database, located, token, options)
    except HermesSessionsError as error:
        _keep_error(database, located, str(error))
        raise
    return replace(report, seconds=options.clock() - started)


def _import_steadily(database: Database, path: Path, token: str, options: ImportOptions) -> ImportReport:
    """Import, and begin again where the agent was started meanwhile, or damage met; what is stored stays."""
    opening = OpenOptions(scratch=options.scratch, kept_rows=options.kept_rows)
    for _ in range(ATTEMPTS - 1):
        try:
            return _import_located(database, path, token, options, opening)
        except SourceChangedError:
            token = change_token(path)
        except SourceDamagedError as error:
            if opening.damage is not None:
                raise
            opening = replace(opening, damage=str(error))
    return _import_located(database, path, token, options, opening)


def _import_located(
    database: Database, path: Path, token: str, options: ImportOptions, opening: OpenOptions
) -> ImportReport:
    with open_hermes(path, opening, now=options.clock()) as source:
        if source.damage and not source.entries:
            raise SourceError(f"{path}: nothing in it can be read: {source.damage[0]}")
        run = _begin(database, source, path, options)
        _check_space(run, path)
        with _leased(run):
            _load_decisions(run)
            # First of all: a child whose link the origin cleared keeps a parent known to be gone.
            if not source.damage and not run.copy:
                run.changed = _mark_gone_sessions(run)
            run.changed |= _store_families(run)
        return _finish(run, token)


@dataclass(slots=True)
class _Run:
    """One import under way.

    Attributes:
        copy: the file is a copy (such as a backup) of a database that is still where it was;
            it adds what is new and takes nothing back.
        left: stored parents that a session hangs on no more; their families changed too.
        clashes: session ids that another origin has too.
    """

    database: Database
    source: HermesSource
    options: ImportOptions
    origin_id: int
    label: str
    copy: bool
    marks: dict[str, str | None]
    left: set[str]
    clashes: dict[str, str]
    changed: bool = False
    done: int = 0
    pending: list[Family] = field(default_factory=list)
    pending_rows: int = 0
    holder: str = field(default_factory=make_holder)
    forgotten: ForgottenIds = field(default_factory=ForgottenIds)
    masker: Masker = field(default_factory=Masker)


# -- the origin ------------------------------------------------------------------------------------


def _begin(database: Database, source: HermesSource, path: Path, options: ImportOptions) -> _Run:
    """Find or make the origin of *source*, and note where it is now."""
    with database.read() as db:
        known = first_stored(db, "hermes")
        masker = load_masker(db)
    openings = {
        one: Opening(start, role, masker.text(text)) for one, start, role, text in source.openings(known)
    }
    with database.write() as db:
        origin = recognise_origin(db, "hermes", str(path), openings)
        if origin is None:
            origin = Origin(
                kind="hermes",
                label=free_label(db, options.label or label_of(path)),
                created_at=options.clock(),
                location=str(path),
                paused=False,
            )
            db.add(origin)
        copy = origin.location != str(path) and Path(origin.location or "").exists()
        if not copy:
            origin.location = str(path)
            origin.schema_version = source.schema_version
        db.flush()
        return _Run(
            database,
            source,
            options,
            origin.id,
            origin.label,
            copy,
            _known_marks(db, origin.id),
            _left_parents(db, origin.id, source),
            _clashes(db, origin.id, source),
        )


def _known_marks(db: DbSession, origin_id: int) -> dict[str, str | None]:
    """Return the mark of every stored session; None where it must be looked at."""
    rows = db.execute(
        select(Session.foreign_id, Session.origin_mark, Session.gone_at).where(Session.origin_id == origin_id)
    )
    return {row.foreign_id: row.origin_mark if row.gone_at is None else None for row in rows}


def _left_parents(db: DbSession, origin_id: int, source: HermesSource) -> set[str]:
    rows = db.execute(
        select(Session.foreign_id, Session.parent_session_id).where(
            Session.origin_id == origin_id, Session.parent_session_id.is_not(None)
        )
    )
    entries = source.entries
    return {
        row.parent_session_id
        for row in rows
        if row.foreign_id in entries and entries[row.foreign_id].parent != row.parent_session_id
    }


def _clashes(db: DbSession, origin_id: int, source: HermesSource) -> dict[str, str]:
    """Return session ids of *source* that another origin uses too -> that origin's label."""
    ids = list(source.entries)
    found: dict[str, str] = {}
    for at in range(0, len(ids), 5000):
        rows = db.execute(
            select(Session.foreign_id, Origin.label)
            .join(Origin, Origin.id == Session.origin_id)
            .where(Session.origin_id != origin_id, Session.foreign_id.in_(ids[at : at + 5000]))
        )
        found.update({row.foreign_id: row.label for row in rows})
    return found


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


def _keep_error(database: Database, path: Path, error: str) -> None:
    with database.write() as db:
        db.execute(update(Origin).where(Origin.location == str(path)).values(last_error=error))


@contextmanager
def _leased(run: _Run) -> Iterator[None]:
    with run.database.write() as db:
        _renew(db, run)
    try:
        yield
    finally:
        with run.database.write() as db:
            release(db, f"origin:{run.origin_id}", run.holder)


def _renew(db: DbSession, run: _Run) -> None:
    name, now = f"origin:{run.origin_id}", run.options.clock()
    if not acquire(db, name, run.holder, now=now, seconds=LEASE_SECONDS, is_over=is_over):
        left = seconds_left(db, name, now=now)
        raise OriginBusyError(
            f"{run.label}: another process is importing it; try again when it is done, or in {left:.0f} s"
        )


def _check_space(run: _Run, path: Path) -> None:
    """Refuse to begin what the disk cannot hold: a store is about a third of a state.db with its indexes."""
    if run.database.path is not None and not run.marks:
        require_space(run.database.path.parent, path.stat().st_size // 3, f"importing {path}")


# -- families --------------------------------------------------------------------------------------


def _load_decisions(run: _Run) -> None:
    """Find what is not to come back and what is masked; under the lease, so that none is added meanwhile."""
    with run.database.write() as db:
        entries = run.source.entries
        run.masker = load_masker(db)
        run.forgotten = load_forgotten(db, run.origin_id, entries, new=not run.marks)
        if run.forgotten.ids and not run.marks:
            add_forgotten(db, {(run.origin_id, one): how for one, how in run.forgotten.ids.items()})


def _store_families(run: _Run) -> bool:
    """Store what changed, newest families first; return whether anything did."""
    total = run.source.message_total
    changed = False
    run.options.progress("messages", 0, total)
    for ids in run.source.families():
        entries = [run.source.entries[one] for one in ids if one not in run.forgotten]
        if entries and _is_due(run, entries):
            family = _without_forgotten(run, read_family(run.source, ids))
            if family.sessions:
                family = mask_family(family, run.masker)
                changed = True
                _store_family(run, family, known=any(one in run.marks for one in ids))
        run.done += sum(entry.rows for entry in entries)
        run.options.progress("messages", run.done - run.pending_rows, total)
    _flush(run)
    run.options.progress("messages", total, total)
    return changed


def _without_forgotten(run: _Run, family: Family) -> Family:
    """Leave out what is forgotten, and what its agent has added to that since."""
    if not run.forgotten.ids:
        return family
    added = run.forgotten.grow(family)
    if added:
        with run.database.write() as db:
            add_forgotten(db, {(run.origin_id, one): run.forgotten.ids[one] for one in added})
    return leave_out(family, run.forgotten)


def _is_due(run: _Run, entries: Sequence[SessionEntry]) -> bool:
    if run.options.full and not run.copy:
        return True
    changed = [entry for entry in entries if run.marks.get(entry.id) != entry.mark]
    if not run.copy:
        return bool(changed) or any(entry.id in run.left for entry in entries)
    return any(entry.last_row > _last_row(run.marks.get(entry.id)) for entry in changed)


def _last_row(mark: str | None) -> int:
    """Return the highest row id that a mark tells of; -1 for an unknown session."""
    parts = (mark or "").split(":")
    return int(parts[1]) if len(parts) > 2 else -1


def _store_family(run: _Run, family: Family, *, known: bool) -> None:
    if known or family.row_count > 2 * BATCH_ROWS:
        _flush(run)
        with run.database.write() as db:
            _renew(db, run)
        complete = not run.source.damage and not run.copy
        merge_family(run.database.write, run.origin_id, run.label, family, complete=complete)
        return
    run.pending.append(family)
    run.pending_rows += family.row_count
    if run.pending_rows >= BATCH_ROWS or len(run.pending) >= BATCH_ROWS // 10:
        _flush(run)


def _flush(run: _Run) -> None:
    if not run.pending:
        return
    with run.database.write() as db:
        _renew(db, run)
        insert_families(db, run.origin_id, run.label, run.pending)
    run.pending, run.pending_rows = [], 0


def _mark_gone_sessions(run: _Run) -> bool:
    """Mark sessions that the origin no longer has; they stay here."""
    with run.database.write() as db:
        known = db.execute(
            select(Session.id, Session.foreign_id).where(
                Session.origin_id == run.origin_id, Session.gone_at.is_(None)
            )
        )
        gone = [row.id for row in known if row.foreign_id not in run.source.entries]
        update_rows(db, Session, [{"key": one, "gone_at": run.options.clock()} for one in gone])
        refresh_conversations(db, gone)
    return bool(gone)


def _finish(run: _Run, token: str) -> ImportReport:
    """Note that the run is complete, and say what the store has of this file now."""
    with run.database.write() as db:
        origin = db.get_one(Origin, run.origin_id)
        report = replace(
            make_report(db, run.source, origin, run.clashes),
            unchanged=not run.changed,
            copy=run.copy,
            forgotten=len(run.forgotten.ids),
        )
        if not run.copy:
            origin.cursor = {"token": token, "report": asdict(report)}
            origin.last_synced_at = run.options.clock()
            origin.last_error = None
    return report
