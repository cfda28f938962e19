"""Mask a secret everywhere in the store, and from then on in every import.

First what to mask is noted, in a transaction of its own: imports mask it from there on.
Then the rows are walked (`redact_walk`) and the file is scrubbed. After a kill the next call
finishes, from the notes alone. Kinds of secrets are guessed by patterns: what they replace is
kept (`redact_undo`) until the next import or scrub.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from sqlalchemy import String, func, select, update
from sqlalchemy import text as sql
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import InvalidQueryError, OriginBusyError
from hermes_sessions.operations.organising.forget import finish, hold_origins
from hermes_sessions.operations.organising.masks import (
    StoreMasker,
    add_masks,
    check_kinds,
    known_secret,
    load_masker,
    spellings,
)
from hermes_sessions.operations.organising.redact_preview import Example
from hermes_sessions.operations.organising.redact_undo import (
    close_redaction,
    find_redaction,
    join_redaction,
    open_redaction,
)
from hermes_sessions.operations.organising.redact_walk import RedactionWalk, count_places, mask_places
from hermes_sessions.store.keeping.secure_erase import is_scrub_pending, require_scrub
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.schema.models import Base, Origin
from hermes_sessions.store.schema.organising import Mask

_WAIT_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """What was masked, or would be.

    Attributes:
        places: how many, by table.
        rows: how many rows had any, by table.
        kinds: how many places, by kind of secret.
        examples: a few places in context (a dry run only).
        clean: nothing of it is readable in the store's file any more (True for a dry run, and
            for what can be undone: that is scrubbed when it no longer can).
        reason: why the file could not be scrubbed to the end; the next call goes on.
        kept: where it stays by intent, table and column with how many rows: ids, labels, names.
        undoable: what was replaced is kept until the next import or scrub.
        unfinished: an earlier run is not done: with its masks, or with the file.
    """

    places: Mapping[str, int]
    rows: Mapping[str, int]
    dry_run: bool
    clean: bool = True
    kinds: Mapping[str, int] = field(default_factory=dict)
    examples: Sequence[Example] = ()
    reason: str | None = None
    kept: Mapping[str, int] = field(default_factory=dict)
    undoable: bool = False
    unfinished: bool = False


def redact_store(
    database: Database,
    *,
    secret: str | None = None,
    kinds: Collection[str] = (),
    resume: bool = False,
    dry_run: bool = False,
    clock: Callable[[], float] = time.time,
    progress: Progress = silent,
) -> Redaction:
    """Mask a secret, or every secret of some kinds, in all that is stored and in later imports.

    With neither it finishes what a run that was killed left, or one that could not scrub the file.

    Args:
        kinds: names out of `redact.KINDS`, or `all`.
        resume: finish what is left together with a secret that is given.
        dry_run: only count.

    Raises:
        InvalidQueryError: the secret is too short, a kind is unknown, or nothing is left to finish.
        OriginBusyError: a sync did not end in time.
    """
    texts = spellings(secret) if secret is not None else []
    chosen = check_kinds(kinds)
    resume = resume or not (texts or chosen)
    if dry_run:
        with database.read() as db:
            masker = _dry_masker(db, texts, chosen, resume=resume)
            unfinished = _is_unfinished(db)
        work = RedactionWalk(database, masker, progress)
        count_places(work)
        return replace(_told(work, dry_run=True), examples=tuple(work.examples.chosen), unfinished=unfinished)
    wanted = _Wanted(
        texts, chosen, resume, joins=bool(chosen) and not texts and _finds_nothing(database, chosen, progress)
    )
    masker, keys, change = _note(database, wanted, clock)
    work = RedactionWalk(database, masker, progress, change=change)
    mask_places(work)
    with database.write() as db:
        if keys:
            db.execute(update(Mask).where(Mask.id.in_(keys)).values(applied_at=clock()))
        if change is None:
            require_scrub(db)
    done = _told(work, dry_run=False)
    if change is not None:
        return replace(done, undoable=True)
    reason = finish(database, progress)
    if database.path is not None:
        database.engine.dispose()  # whoever closes a file that he has read loses SQLite's locks on it
    left = bool(secret) and holds(database.path, secret or "")
    kept = _kept_places(database, secret or "") if left and reason is None else {}
    return replace(done, clean=reason is None and not left, reason=reason, kept=kept)


def _is_unfinished(db: DbSession) -> bool:
    return is_scrub_pending(db) or db.scalar(select(Mask.id).where(Mask.applied_at.is_(None))) is not None


def _finds_nothing(database: Database, kinds: frozenset[str], progress: Progress) -> bool:
    """Return whether a masking that can be undone stands, and these kinds would mask nothing more."""
    with database.read() as db:
        if find_redaction(db) is None:
            return False
        work = RedactionWalk(database, _dry_masker(db, [], kinds, resume=False), progress)
    count_places(work)
    return not work.rows


def _told(work: RedactionWalk, *, dry_run: bool) -> Redaction:
    return Redaction(
        places=dict(work.places), rows=dict(work.rows), kinds=dict(work.examples.counts), dry_run=dry_run
    )


def holds(path: Path | None, text: str) -> bool:
    """Return whether a store's file or its log has *text* in it; this process must not have it open."""
    wanted = text.encode("utf-8", "surrogatepass")
    for one in () if path is None else (path, path.with_name(f"{path.name}-wal")):
        if one.exists() and _file_holds(one, wanted):
            return True
    return False


def _file_holds(path: Path, wanted: bytes) -> bool:
    before = b""
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            if wanted in before + block:
                return True
            before = block[-len(wanted) :]
    return False


def _kept_places(database: Database, secret: str) -> dict[str, int]:
    """Return where the store has *secret* in what is never masked: ids, labels, names of its own."""
    found = {}
    with database.read() as db:
        for table in Base.metadata.sorted_tables:
            for column in table.columns:
                if isinstance(column.type, String):
                    many = db.scalar(select(func.count()).where(func.instr(column, secret) > 0))
                    found[f"{table.name}.{column.name}"] = many or 0
        schema = sql("SELECT count(*) FROM sqlite_master WHERE instr(sql, :secret) > 0")
        found["the store's own schema"] = db.scalar(schema, {"secret": secret}) or 0
    return {place: many for place, many in found.items() if many}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be masked: single secrets in their spellings, kinds, what an earlier run left.

    Where it *joins* the masking before, which can be undone, both are undone as one.
    """

    texts: Sequence[str]
    kinds: frozenset[str]
    resume: bool
    joins: bool = False


def _dry_masker(db: DbSession, texts: Sequence[str], kinds: frozenset[str], *, resume: bool) -> StoreMasker:
    left = load_masker(db, unfinished=True) if resume else StoreMasker()
    return StoreMasker(kinds | left.kinds, (*(known_secret(text) for text in texts), *left.singles))


def _note(
    database: Database, wanted: _Wanted, clock: Callable[[], float]
) -> tuple[StoreMasker, list[int], int | None]:
    """Note what is to be masked, while no sync runs that does not know it yet.

    Returns:
        What masks it, the keys of its masks, and the change that keeps what is replaced, if any.
    """
    deadline = clock() + _WAIT_SECONDS
    while True:
        with database.write() as db:
            if hold_origins(db, db.scalars(select(Origin.id)).all(), clock()):
                return _noted(db, wanted, clock())
        if clock() > deadline:
            raise OriginBusyError("a sync is under way; try again when it is done")
        time.sleep(0.2)


def _noted(db: DbSession, wanted: _Wanted, now: float) -> tuple[StoreMasker, list[int], int | None]:
    known = set(db.scalars(select(Mask.id)))
    unfinished = list(db.scalars(select(Mask.id).where(Mask.applied_at.is_(None)))) if wanted.resume else []
    change = find_redaction(db)
    if not (wanted.texts or wanted.kinds):
        if not unfinished and not is_scrub_pending(db) and change is None:
            raise InvalidQueryError("nothing to mask: nothing is left to finish; give a secret or a kind")
        if not unfinished and change is not None:
            close_redaction(db)
        return load_masker(db, unfinished=True), unfinished, change if unfinished else None
    if change is not None and not wanted.joins:  # an undo goes back one masking, not several
        close_redaction(db)
    left = load_masker(db, unfinished=True) if unfinished else StoreMasker()
    masker, keys = add_masks(db, wanted.texts, wanted.kinds, now)
    masker = StoreMasker(masker.kinds | left.kinds, (*masker.singles, *left.singles))
    keys = sorted({*keys, *unfinished})
    new = set(keys) - known
    if change is not None and wanted.joins:
        return masker, keys, join_redaction(db, change, new)
    # A single secret is one that its user knows: nothing of it is kept.
    return masker, keys, None if wanted.texts else open_redaction(db, new, now)
