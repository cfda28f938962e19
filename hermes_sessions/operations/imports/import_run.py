"""One import under way: under its lease, families are stored in bulk or merged, newest first."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.contract import Entry, Source
from hermes_sessions.agents.values import Family
from hermes_sessions.errors import OriginBusyError, StoreError
from hermes_sessions.operations.imports.merge_family import merge_family
from hermes_sessions.operations.imports.parallel.reading_ahead import (
    LEAST_ROWS,
    PlannedFamily,
    ReadingHelp,
    reading_ahead,
)
from hermes_sessions.operations.imports.parallel.reading_pool import EarlyProcesses
from hermes_sessions.operations.organising.forget import (
    ForgottenIds,
    add_forgotten,
    leave_out,
    load_forgotten,
)
from hermes_sessions.operations.organising.masks import StoreMasker, load_masker, mask_family
from hermes_sessions.operations.writing.insert_families import insert_families
from hermes_sessions.operations.writing.lease_holders import is_over, make_holder
from hermes_sessions.operations.writing.ready_rows import ReadyBatches
from hermes_sessions.operations.writing.row_values import ImportedFrom
from hermes_sessions.store.engines.statements import update_rows
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.keeping.leases import acquire, release, seconds_left
from hermes_sessions.store.keeping.row_locks import lock_sessions
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session

BATCH_ROWS: Final = 2_000
BATCH_CHARS: Final = 24_000_000
"""Families with more characters are not held in memory, alone or together."""
LEASE_SECONDS: Final = 120.0

Progress = Callable[[str, int, int], None]
"""Called with (step, done, total)."""


@dataclass(slots=True)
class ImportRun:
    """What one import knows and has done so far.

    Attributes:
        clock: returns epoch seconds.
        full: look at every family, also at those whose marks say nothing changed.
        copy: the file is a copy (such as a backup) of a database that is still where it was;
            it adds what is new and takes nothing back.
        stored_rows: of a copy, how many messages the store has of each session.
        left: stored parents that a session hangs on no more; their families changed too.
        clashes: session ids that another origin has too.
        jobs: how many processes may be at work, with fewer than `least_rows` due one.
        early: those of them that were started already.
        source: what families are read from: `checked`, or what processes read of it.
    """

    database: Database
    checked: CheckedSource
    clock: Callable[[], float]
    progress: Progress
    full: bool
    origin: ImportedFrom
    copy: bool
    marks: dict[str, str | None]
    stored_rows: dict[str, int]
    left: set[str]
    clashes: dict[str, str]
    jobs: int = 1
    least_rows: int = LEAST_ROWS
    early: EarlyProcesses | None = None
    source: Source = field(init=False)
    changed: bool = False
    done: int = 0
    pending: list[Family] = field(default_factory=list)
    pending_rows: int = 0
    pending_chars: int = 0
    holder: str = field(default_factory=make_holder)
    forgotten: ForgottenIds = field(default_factory=ForgottenIds)
    masker: StoreMasker = field(default_factory=StoreMasker)

    def __post_init__(self) -> None:
        self.source = self.checked


@contextmanager
def leased(run: ImportRun) -> Iterator[None]:
    """Hold the origin's lease.

    Raises:
        OriginBusyError: another process has it.
    """
    with run.database.write(beside=True) as db:
        _renew(db, run)
    try:
        yield
    finally:
        # What cannot be given back ends by itself; the error that led here matters more.
        with suppress(StoreError), run.database.write(beside=True) as db:
            release(db, f"origin:{run.origin.id}", run.holder)


def _renew(db: DbSession, run: ImportRun) -> None:
    name, now = f"origin:{run.origin.id}", run.clock()
    if not acquire(db, name, run.holder, now=now, seconds=LEASE_SECONDS, is_over=is_over):
        left = f"{seconds_left(db, name, now=now):.0f} s"
        raise OriginBusyError(
            f"{run.origin.label}: another process is importing it; try again when it is done, or in {left}"
        )


def load_decisions(run: ImportRun) -> None:
    """Find what is not to come back and what is masked; under the lease, so that none is added meanwhile."""
    with run.database.write(beside=True) as db:
        entries = run.source.entries
        run.masker = load_masker(db)
        run.forgotten = load_forgotten(db, run.origin.id, entries, new=not run.marks)
        if run.forgotten.ids and not run.marks:
            add_forgotten(db, {(run.origin.id, one): how for one, how in run.forgotten.ids.items()})


def store_families(run: ImportRun) -> bool:
    """Store what changed, newest families first; return whether anything did."""
    total = sum(entry.rows for entry in run.source.entries.values())
    changed, unstored = False, 0
    run.progress("messages", 0, total)
    families = [(ids, _wanted(run, ids)) for ids in run.source.families()]
    due = {ids: _planned(run, ids, entries) for ids, entries in families if _is_due(run, entries)}
    whole = [one for one in due.values() if not _may_have_grown(run, one.ids)]
    helping = ReadingHelp(run.jobs, run.origin.grammar, run.least_rows, run.early)
    with reading_ahead(run.checked, whole, helping) as run.source:
        for ids, entries in families:
            if ids in due:
                grown = run.checked.read_grown(ids) if _may_have_grown(run, ids) else None
                family = _without_forgotten(run, run.source.read(ids) if grown is None else grown)
                if family.sessions:
                    family = mask_family(family, run.masker)
                    changed = True
                    _store_family(run, family, known=any(one in run.marks for one in ids))
            rows = sum(entry.rows for entry in entries)
            run.done += rows
            unstored = unstored + rows if run.pending else 0
            run.progress("messages", run.done - unstored, total)
    _flush(run)
    run.progress("messages", total, total)
    return changed


def _may_have_grown(run: ImportRun, ids: Sequence[str]) -> bool:
    """Whether all that was there before is stored, so that what was added to it is enough."""
    plain = not (run.full or run.copy or run.masker or run.forgotten.ids)
    return plain and len(ids) == 1 and run.marks.get(ids[0]) is not None and ids[0] not in run.left


def _wanted(run: ImportRun, ids: Sequence[str]) -> list[Entry]:
    return [run.checked.entries[one] for one in ids if one not in run.forgotten]


def _planned(run: ImportRun, ids: tuple[str, ...], entries: Sequence[Entry]) -> PlannedFamily:
    """Return what is known of a family before it is read."""
    # What is masked has other texts, and what is forgotten is left out of what was read.
    new = not run.masker and not run.forgotten.ids and not any(one in run.marks for one in ids)
    return PlannedFamily(ids, new, sum(entry.rows for entry in entries))


def _without_forgotten(run: ImportRun, family: Family) -> Family:
    """Leave out what is forgotten, and what its agent has added to that since."""
    if not run.forgotten.ids:
        return family
    added = run.forgotten.grow(family)
    if added:
        with run.database.write(beside=True) as db:
            add_forgotten(db, {(run.origin.id, one): run.forgotten.ids[one] for one in added})
    return leave_out(family, run.forgotten)


def _is_due(run: ImportRun, entries: Sequence[Entry]) -> bool:
    if not entries or (run.full and not run.copy):
        return bool(entries)
    changed = [entry for entry in entries if run.marks.get(entry.id) != entry.mark]
    if not run.copy:
        return bool(changed) or any(entry.id in run.left for entry in entries)
    return any(run.marks.get(one.id) is None or one.rows > run.stored_rows.get(one.id, 0) for one in changed)


def _store_family(run: ImportRun, family: Family, *, known: bool) -> None:
    large = known or family.row_count > 2 * BATCH_ROWS
    chars = 0 if large else _chars_of(family)
    if large or chars > BATCH_CHARS:
        _flush(run)
        with run.database.write(beside=True) as db:
            _renew(db, run)
        whole = run.source.complete or family.rows_whole
        complete = whole and not run.copy and not family.grown
        write = partial(run.database.write, beside=True)
        merge_family(write, run.origin, family, complete=complete, unread=_unread(run))
        return
    run.pending.append(family)
    run.pending_rows += family.row_count
    run.pending_chars += chars
    many = run.pending_rows >= BATCH_ROWS or len(run.pending) >= BATCH_ROWS // 10
    if many or run.pending_chars >= BATCH_CHARS:
        _flush(run)


def _unread(run: ImportRun) -> Collection[str]:
    """Return the stored sessions of which this run knows nothing, not even that they are gone."""
    if run.source.complete and not run.copy:
        return ()
    return run.marks.keys() - run.checked.entries.keys()


def _chars_of(family: Family) -> int:
    """Return how many characters the rows of a family have, as far as that matters."""
    if isinstance(family.batches, ReadyBatches):
        return family.batches.chars
    chars = 0
    for _, rows in family.batches():
        chars += sum(row.chars for row in rows)
        if chars > BATCH_CHARS:
            break
    return chars


def _flush(run: ImportRun) -> None:
    if not run.pending:
        return
    with run.database.write(beside=True) as db:
        _renew(db, run)
        insert_families(db, run.origin, run.pending)
    run.pending, run.pending_rows, run.pending_chars = [], 0, 0


def mark_gone_sessions(run: ImportRun) -> bool:
    """Mark sessions that the origin no longer has; they stay here."""
    with run.database.write(beside=True) as db:
        known = db.execute(
            select(Session.id, Session.foreign_id).where(
                Session.origin_id == run.origin.id, Session.gone_at.is_(None)
            )
        )
        gone = [row.id for row in known if row.foreign_id not in run.source.entries]
        lock_sessions(db, gone)
        update_rows(db, Session, [{"key": one, "gone_at": run.clock()} for one in gone])
        refresh_conversations(db, gone)
    return bool(gone)
