"""Mask a secret everywhere in the store, and from then on in every import.

First what to mask is noted, in a transaction of its own: imports mask it from there on.
Then the rows are walked in batches, each changed in one transaction. After a kill the next
call finishes, from the notes alone.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import JSON, Select, select, update
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.errors import InvalidQueryError, OriginBusyError
from hermes_sessions.operations.erase import read_again
from hermes_sessions.operations.forget import finish, hold_origins
from hermes_sessions.operations.insert import add_prompts, change_messages
from hermes_sessions.operations.masks import (
    Masker,
    add_masks,
    check_kinds,
    known_secret,
    load_masker,
    masked_columns,
    spellings,
)
from hermes_sessions.operations.rows import prompt_hash
from hermes_sessions.store.db import Database
from hermes_sessions.store.models import (
    Compaction,
    Conversation,
    Finding,
    Message,
    Origin,
    Session,
    SystemPrompt,
)
from hermes_sessions.store.organising import ChangeItem, Mask, SavedSearch
from hermes_sessions.store.progress import Progress, silent
from hermes_sessions.store.scrub import require_scrub
from hermes_sessions.store.statements import chunks, update_rows
from hermes_sessions.store.upkeep import refresh_conversations

BATCH: Final = 1_000
_WAIT_SECONDS: Final = 30.0
_TEXTS: Final[Mapping[Any, tuple[str, ...]]] = {
    Session: ("source", "model", "title", "cwd", "end_reason", "note", "extra"),
    Compaction: ("summary", "focus", "trigger", "error", "claim", "audit", "policy"),
    Finding: ("evidence",),
    ChangeItem: ("before", "after"),
    SavedSearch: ("target",),
    Origin: ("last_error",),
}
"""What else than messages and prompts may hold a secret, by table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """What was masked, or would be.

    Attributes:
        places: how many, by table.
        rows: how many rows had any, by table.
        clean: nothing of it is readable in the store's file any more (True for a dry run).
    """

    places: Mapping[str, int]
    rows: Mapping[str, int]
    dry_run: bool
    clean: bool = True


def redact_store(
    database: Database,
    *,
    secret: str | None = None,
    kinds: Collection[str] = (),
    dry_run: bool = False,
    clock: Callable[[], float] = time.time,
    progress: Progress = silent,
) -> Redaction:
    """Mask a secret, or every secret of some kinds, in all that is stored and in later imports.

    With neither it finishes what a run that was killed left.

    Args:
        kinds: names out of `redact.KINDS`, or `all`.
        dry_run: only count.

    Raises:
        InvalidQueryError: the secret is too short, or a kind is unknown.
        OriginBusyError: a sync did not end in time.
    """
    texts = spellings(secret) if secret is not None else []
    chosen = check_kinds(kinds)
    if dry_run:
        with database.read() as db:
            masker = _dry_masker(db, texts, chosen)
        return _walk(_Work(database, masker, progress, dry_run=True))
    masker, keys = _note(database, texts, chosen, clock)
    done = _walk(_Work(database, masker, progress))
    with database.write() as db:
        if keys:
            db.execute(update(Mask).where(Mask.id.in_(keys)).values(applied_at=clock()))
        require_scrub(db)
    clean = finish(database, progress) and not (secret and holds(database.path, secret))
    return Redaction(places=done.places, rows=done.rows, dry_run=False, clean=clean)


def holds(path: Path | None, text: str) -> bool:
    """Return whether a store's file or its log has *text* anywhere in it."""
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


def _dry_masker(db: DbSession, texts: Sequence[str], kinds: frozenset[str]) -> Masker:
    if not texts and not kinds:
        return load_masker(db, unfinished=True)
    return Masker(kinds, tuple(known_secret(text) for text in texts))


def _note(
    database: Database, texts: Sequence[str], kinds: frozenset[str], clock: Callable[[], float]
) -> tuple[Masker, list[int]]:
    """Note what is to be masked, while no sync runs that does not know it yet."""
    deadline = clock() + _WAIT_SECONDS
    while True:
        with database.write() as db:
            if hold_origins(db, db.scalars(select(Origin.id)).all(), clock()):
                if texts or kinds:
                    return add_masks(db, texts, kinds, clock())
                masker = load_masker(db, unfinished=True)
                if not masker:
                    raise InvalidQueryError("nothing to mask: give a secret or a kind of secrets")
                return masker, list(db.scalars(select(Mask.id).where(Mask.applied_at.is_(None))))
        if clock() > deadline:
            raise OriginBusyError("a sync is under way; try again when it is done")
        time.sleep(0.2)


# -- walking ---------------------------------------------------------------------------------------


class _Work:
    """One walk through the store: what it masks with, and what it found."""

    def __init__(
        self, database: Database, masker: Masker, progress: Progress, *, dry_run: bool = False
    ) -> None:
        self.database = database
        self.masker = masker
        self.progress = progress
        self.dry_run = dry_run
        self.places: Counter[str] = Counter()
        self.rows: Counter[str] = Counter()

    def masked(self, table: Any, mask: Callable[..., Any], *values: Any) -> Any:
        """Return what *mask* makes of *values*, its places counted for *table*."""
        before = self.masker.counted
        value = mask(*values)
        if self.masker.counted > before:
            self.places[table.__tablename__] += self.masker.counted - before
            self.rows[table.__tablename__] += 1
        return value


def _walk(work: _Work) -> Redaction:
    touched = _walk_messages(work)
    for table, names in _TEXTS.items():
        touched |= _walk_table(work, table, names)
    _walk_prompts(work)
    if not work.dry_run:
        for chunk in chunks(touched):
            with work.database.write() as db:
                refresh_conversations(db, chunk)
                _outdate_audits(db, chunk)
        with work.database.write() as db:
            read_again(db, db.scalars(select(Origin.id)).all())
    return Redaction(places=dict(work.places), rows=dict(work.rows), dry_run=work.dry_run)


def _walk_messages(work: _Work) -> set[int]:
    """Mask messages and their place in the index; return their sessions."""
    touched: set[int] = set()
    columns = list(Message.__table__.columns)
    for ids, last in _id_batches(work, Message):
        stmt = select(*columns).where(Message.id.in_(ids)).order_by(Message.id)
        with work.database.read() as db:
            found = {row.id for row in db.execute(stmt) if _found_in(work, row)}
        if found and not work.dry_run:
            touched |= _mask_messages(work, stmt.where(Message.id.in_(found)))
        work.progress("redact", last, 0)
    return touched


def _found_in(work: _Work, row: Any) -> bool:
    if work.dry_run:
        return bool(work.masked(Message, _message_values, work.masker, row))
    return bool(_message_values(work.masker, row))


def _mask_messages(work: _Work, stmt: Select[Any]) -> set[int]:
    """Mask some rows in one transaction, as they are by then; return their sessions."""
    with work.database.write() as db:
        changed = []
        for row in db.execute(stmt):
            values = work.masked(Message, _message_values, work.masker, row)
            if values:
                changed.append((row, values))
        sessions = {row.session_id for row, _ in changed}
        change_messages(db, changed)
        _outdate_audits(db, sessions)
        refresh_conversations(db, sessions)
        require_scrub(db)
    return sessions


def _message_values(masker: Masker, row: Any) -> dict[str, Any]:
    """Return the columns of a masked message, with what the index needs; empty where nothing changes."""
    has_reply = row.reply_start is not None and row.reply_end is not None
    offsets = (row.reply_start, row.reply_end) if has_reply else ()
    text, moved = masker.with_offsets(row.text or "", offsets)
    values = masked_columns(row._mapping, masker)
    values["text"] = text if row.text is not None else None
    if has_reply:
        values |= {"reply_start": moved[0], "reply_end": moved[1]}
    if all(value == row._mapping[name] for name, value in values.items()):
        return {}
    kept = ("session_id", "role", "kind", "copy_of", "created_at")
    return {**{name: row._mapping[name] for name in kept}, **values}


def _walk_table(work: _Work, table: Any, names: Sequence[str]) -> set[int]:
    """Mask the named columns of a table; return the sessions whose conversations show them."""
    touched: set[int] = set()
    columns = [getattr(table, name) for name in names]
    for ids, _ in _id_batches(work, table):
        with work.database.read() if work.dry_run else work.database.write() as db:
            changed = []
            for row in db.execute(select(table.id, *columns).where(table.id.in_(ids))):
                values = work.masked(table, _column_values, work.masker, table, row, names)
                if values != {name: getattr(row, name) for name in names}:
                    changed.append({"key": row.id, **values})
            if changed and not work.dry_run:
                update_rows(db, table, changed)
                require_scrub(db)
            if table is Session:
                touched.update(one["key"] for one in changed)
    return touched


def _column_values(masker: Masker, table: Any, row: Any, names: Sequence[str]) -> dict[str, Any]:
    return {
        name: masker.value(getattr(row, name))
        if isinstance(table.__table__.c[name].type, JSON)
        else masker.text(getattr(row, name))
        for name in names
    }


def _walk_prompts(work: _Work) -> None:
    """Mask system prompts; a masked one has another address."""
    with work.database.read() as db:
        hashes = list(db.scalars(select(SystemPrompt.hash)))
    for one in hashes:
        with work.database.read() as db:
            prompt = db.get(SystemPrompt, one)
            text = prompt.text if prompt is not None else ""
        masked = work.masked(SystemPrompt, work.masker.text, text)
        if masked == text or work.dry_run:
            continue
        with work.database.write() as db:
            new = prompt_hash(masked)
            add_prompts(db, [{new: masked}])
            sessions = list(db.scalars(select(Session.id).where(Session.system_prompt_hash == one)))
            update_rows(db, Session, [{"key": key, "system_prompt_hash": new} for key in sessions])
            _outdate_audits(db, sessions)
            db.delete(db.get_one(SystemPrompt, one))
            require_scrub(db)


def _outdate_audits(db: DbSession, sessions: Collection[int]) -> None:
    """Have the conversations of these sessions audited again: what was measured was another text."""
    for chunk in chunks(sessions):
        mine = select(Session.conversation_id).where(Session.id.in_(chunk))
        db.execute(
            update(Conversation)
            .where(Conversation.id.in_(mine))
            .values(audit_mark=None)
            .execution_options(synchronize_session=False)
        )


def _id_batches(work: _Work, table: Any) -> Iterator[tuple[list[int], int]]:
    """Yield the keys of a table in batches, and the last of each."""
    after = -1
    while True:
        with work.database.read() as db:
            stmt = select(table.id).where(table.id > after).order_by(table.id).limit(BATCH)
            ids = list(db.scalars(stmt))
        if not ids:
            return
        after = ids[-1]
        yield ids, after
