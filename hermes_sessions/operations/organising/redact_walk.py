"""Walk through a store and mask what a masker finds: in batches, each changed in one transaction.

Messages with their place in the index first, then every other column that may hold text,
then system prompts. Not here: what is to be masked, and what becomes of the file.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import JSON, Select, select
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.operations.organising.erase import read_again
from hermes_sessions.operations.organising.masks import StoreMasker, masked_columns
from hermes_sessions.operations.organising.redact_preview import Examples
from hermes_sessions.operations.organising.redact_undo import KEPT, keep_rows, outdate_audits
from hermes_sessions.store.engines.statements import update_rows
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.keeping.judgements import drop_judgements
from hermes_sessions.store.keeping.secure_erase import require_scrub
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.progress import Progress
from hermes_sessions.store.schema.models import Compaction, Finding, Message, Origin, Session, SystemPrompt
from hermes_sessions.store.schema.organising import ChangeItem, SavedSearch
from hermes_sessions.store.writes import add_prompts, change_messages, prompt_hash

BATCH: Final = 1_000
_TEXTS: Final[Mapping[Any, tuple[str, ...]]] = {
    Session: ("source", "model", "title", "cwd", "end_reason", "note", "extra"),
    Compaction: ("summary", "focus", "trigger", "error", "claim", "audit", "policy"),
    Finding: ("evidence",),
    ChangeItem: ("before", "after"),
    SavedSearch: ("target",),
    Origin: ("last_error",),
}
"""What else than messages and prompts may hold a secret, by table."""


class RedactionWalk:
    """One walk through the store: what it masks with, what it keeps for an undo, and what it found.

    Attributes:
        change: the entry of the journal that keeps what is replaced; None keeps nothing.
    """

    def __init__(
        self, database: Database, masker: StoreMasker, progress: Progress, *, change: int | None = None
    ) -> None:
        self.database = database
        self.masker = masker
        self.progress = progress
        self.change = change
        self.places: Counter[str] = Counter()
        self.rows: Counter[str] = Counter()
        self.examples = Examples()

    def masked(self, table: Any, key: object, mask: Callable[[], Any]) -> Any:
        """Return what *mask* makes of the row *key* of *table*, its places counted."""
        before = self.masker.counted
        self.masker.witness = lambda text, places: self.examples.add(table.__tablename__, key, text, places)
        value = mask()
        self.masker.witness = None
        if self.masker.counted > before:
            self.places[table.__tablename__] += self.masker.counted - before
            self.rows[table.__tablename__] += 1
        return value


def count_places(work: RedactionWalk) -> None:
    """Walk through everything, and change nothing."""
    _walk(work, dry_run=True)


def mask_places(work: RedactionWalk) -> None:
    """Mask everything, audit again what held it, and have the origins read again."""
    _walk(work, dry_run=False)
    with work.database.write() as db:
        read_again(db, db.scalars(select(Origin.id)).all())


def _walk(work: RedactionWalk, *, dry_run: bool) -> None:
    _walk_messages(work, dry_run=dry_run)
    for table, names in _TEXTS.items():
        _walk_table(work, table, names, dry_run=dry_run)
    _walk_prompts(work, dry_run=dry_run)


def _walk_messages(work: RedactionWalk, *, dry_run: bool) -> None:
    """Mask messages and their place in the index."""
    columns = list(Message.__table__.columns)
    for ids, last in _id_batches(work, Message):
        stmt = select(*columns).where(Message.id.in_(ids)).order_by(Message.id)
        with work.database.read() as db:
            if dry_run:
                for row in db.execute(stmt):
                    _masked_message(work, row)
            found = (
                {} if dry_run else {row.id for row in db.execute(stmt) if _message_values(work.masker, row)}
            )
        if found:
            _mask_messages(work, stmt.where(Message.id.in_(found)))
        work.progress("redact", last, 0)


def _masked_message(work: RedactionWalk, row: Any) -> dict[str, Any]:
    values: dict[str, Any] = work.masked(Message, row.id, lambda: _message_values(work.masker, row))
    return values


def _mask_messages(work: RedactionWalk, stmt: Select[Any]) -> None:
    """Mask some rows in one transaction, as they are by then."""
    with work.database.write() as db:
        changed = []
        for row in db.execute(stmt):
            values = _masked_message(work, row)
            if values:
                changed.append((row, values))
        sessions = {row.session_id for row, _ in changed}
        _keep(
            work,
            db,
            Message,
            [(row.session_id, _same_columns(row, one), one | {"id": row.id}) for row, one in changed],
        )
        change_messages(db, changed)
        outdate_audits(db, sessions)
        refresh_conversations(db, sessions)
        _require_scrub(work, db)


def _same_columns(row: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row._mapping[name] for name in ("id", *values)}


def _keep(
    work: RedactionWalk, db: DbSession, table: Any, rows: Sequence[tuple[int | None, Any, Any]]
) -> None:
    if work.change is not None:
        keep_rows(db, work.change, table, rows)


def _require_scrub(work: RedactionWalk, db: DbSession) -> None:
    """What is kept for an undo is scrubbed with it, at its end."""
    if work.change is None:
        require_scrub(db)


def _message_values(masker: StoreMasker, row: Any) -> dict[str, Any]:
    """Return the columns of a masked message, with what the index needs; empty where nothing changes."""
    has_reply = row.reply_start is not None and row.reply_end is not None
    offsets = (row.reply_start, row.reply_end) if has_reply else ()
    text, moved = masker.with_offsets(row.text or "", offsets)
    values = masked_columns(row._mapping, masker)
    values["text"] = text if row.text is not None else None
    # All rows of one statement name the same columns.
    values |= {"reply_start": row.reply_start, "reply_end": row.reply_end}
    if has_reply:
        values |= {"reply_start": moved[0], "reply_end": moved[1]}
    if all(value == row._mapping[name] for name, value in values.items()):
        return {}
    kept = ("session_id", "role", "kind", "copy_of", "created_at")
    return {**{name: row._mapping[name] for name in kept}, **values}


def _walk_table(work: RedactionWalk, table: Any, names: Sequence[str], *, dry_run: bool) -> None:
    """Mask the named columns of a table, and with a session's what its conversation shows of it."""
    columns = [getattr(table, name) for name in names]
    for ids, _ in _id_batches(work, table):
        with work.database.read() if dry_run else work.database.write() as db:
            changed = []
            for row in db.execute(select(table.id, *columns).where(table.id.in_(ids))):
                values = work.masked(table, row.id, partial(_column_values, work.masker, table, row, names))
                if values != {name: getattr(row, name) for name in names}:
                    changed.append((row, values))
            if changed and not dry_run:
                kept = [(None, _same_columns(row, one), one | {"id": row.id}) for row, one in changed]
                _keep(work, db, table, kept)
                update_rows(db, table, [{"key": row.id, **values} for row, values in changed])
                if table is Session:
                    sessions = {row.id for row, _ in changed}
                    refresh_conversations(db, sessions)
                    outdate_audits(db, sessions)
                if table is Compaction:
                    drop_judgements(db, (row.id for row, _ in changed))
                _require_scrub(work, db)


def _column_values(masker: StoreMasker, table: Any, row: Any, names: Sequence[str]) -> dict[str, Any]:
    return {
        name: masker.value(getattr(row, name))
        if isinstance(table.__table__.c[name].type, JSON)
        else masker.text(getattr(row, name))
        for name in names
    }


def _walk_prompts(work: RedactionWalk, *, dry_run: bool) -> None:
    """Mask system prompts; a masked one has another address."""
    with work.database.read() as db:
        hashes = list(db.scalars(select(SystemPrompt.hash)))
    for one in hashes:
        with work.database.read() as db:
            prompt = db.get(SystemPrompt, one)
            text = prompt.text if prompt is not None else ""
        masked = work.masked(SystemPrompt, one[:12], partial(work.masker.text, text))
        if masked == text or dry_run:
            continue
        with work.database.write() as db:
            new = prompt_hash(masked)
            add_prompts(db, [{new: masked}])
            sessions = list(db.scalars(select(Session.id).where(Session.system_prompt_hash == one)))
            update_rows(db, Session, [{"key": key, "system_prompt_hash": new} for key in sessions])
            outdate_audits(db, sessions)
            db.delete(db.get_one(SystemPrompt, one))
            before = {"hash": one, "text": text, "sessions": sessions}
            _keep(work, db, SystemPrompt, [(None, before, {"hash": new})])
            _require_scrub(work, db)


def _id_batches(work: RedactionWalk, table: Any) -> Iterator[tuple[list[int], int]]:
    """Yield the keys of a table in batches, and the last of each."""
    after = -1
    while True:
        with work.database.read() as db:
            stmt = select(table.id).where(table.id > after).order_by(table.id).limit(BATCH)
            if table is ChangeItem:  # what this very masking keeps for its undo stays as it was
                stmt = stmt.where(ChangeItem.field.not_like(f"{KEPT}%"))
            ids = list(db.scalars(stmt))
        if not ids:
            return
        after = ids[-1]
        yield ids, after
