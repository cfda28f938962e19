"""Every shared write: rows, messages with their place in the index, prompts, public ids.

Plain rows in, each write inside the caller's transaction; who calls holds the write lock.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import delete, exists, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.store.engines.bulk_insert import insert_messages, insert_ready_messages, insert_steps
from hermes_sessions.store.engines.exchange import OpenLine, Step
from hermes_sessions.store.engines.row_keys import next_key, next_keys
from hermes_sessions.store.engines.statements import update_rows
from hermes_sessions.store.keeping.fact_notes import drop_notes
from hermes_sessions.store.language.indexed_text import INDEXED, PreparedRow, indexable, is_searchable
from hermes_sessions.store.language.ready_messages import PlacedMessage
from hermes_sessions.store.schema.models import (
    Compaction,
    Conversation,
    Finding,
    Message,
    Session,
    SystemPrompt,
)
from hermes_sessions.store.schema.organising import Change, ChangeItem
from hermes_sessions.store.searching.full_text import (
    free_search_keys,
    index_rows,
    index_steps,
    next_search_keys,
    unindex_rows,
)

UNPLACED: Final = {"conversation_id": 0, "ordinal": 0}
"""Of a new session or compaction, until `refresh_conversations` has placed it."""


def add_rows(db: DbSession, table: type[Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows of one table in one statement; all of *rows* name the same columns."""
    if rows:
        db.connection().execute(insert(table.__table__), list(rows))


def add_messages(db: DbSession, rows: Sequence[dict[str, Any]]) -> None:
    """Insert message rows and index those that search finds; fills in their `search_key`."""
    found = _keyed(db.connection(), rows)
    insert_messages(db, rows)
    index_rows(db, ((row["search_key"], indexable(row)) for row in found))


def add_ready_messages(db: DbSession, rows: Sequence[PlacedMessage]) -> None:
    """Insert new messages that are ready, and index those that search finds."""
    found = [row for row in rows if row.words is not None]
    keys = free_search_keys(db.connection(), [(row.given[0], row.created_at) for row in found])
    free = iter(keys)
    insert_ready_messages(
        db, [(*row.columns, *row.given, None if row.words is None else next(free)) for row in rows]
    )
    index_rows(db, ((key, row.indexable()) for key, row in zip(keys, found, strict=True)))


def message_steps(line: OpenLine, rows: Sequence[dict[str, Any]]) -> list[Step]:
    """Return what `add_messages` does, for a few rows: steps of one exchange; fills in their `search_key`."""
    found = _keyed(line, rows)
    return insert_steps(rows) + index_steps(line, [(row["search_key"], indexable(row)) for row in found])


def _keyed(line: OpenLine, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give rows that search finds their place in the index; return those."""
    found = [row for row in rows if isinstance(row, PreparedRow) or is_searchable(row)]
    keys = free_search_keys(line, [(row["id"], row["created_at"]) for row in found])
    for row in rows:
        row["search_key"] = None
    for row, key in zip(found, keys, strict=True):
        row["search_key"] = key
    return found


def change_messages(db: DbSession, changed: Sequence[tuple[Any, dict[str, Any]]]) -> None:
    """Update message rows, and their place in the index; what was noted of other words is taken away.

    Args:
        changed: (the stored row, its new values); both have what the index needs.
    """
    if not changed:
        return
    unindex_rows(
        db,
        (
            (known.search_key, indexable(known._mapping))
            for known, _ in changed
            if known.search_key is not None
        ),
    )
    searchable = [(known, values) for known, values in changed if is_searchable(values)]
    lacking = [(known, values) for known, values in searchable if known.search_key is None]
    fresh = next_search_keys(db, [(known.id, values["created_at"]) for known, values in lacking])
    given = {known.id: key for (known, _), key in zip(lacking, fresh, strict=True)}
    for _, values in changed:
        values["search_key"] = None
    for known, values in searchable:
        values["search_key"] = known.search_key if known.search_key is not None else given[known.id]
    update_rows(db, Message, [{"key": known.id, **values} for known, values in changed])
    drop_notes(db, (known.id for known, values in changed if _is_reworded(known, values)))
    index_rows(db, ((values["search_key"], indexable(values)) for _, values in searchable))


def _is_reworded(known: Any, values: Mapping[str, Any]) -> bool:
    """Return whether other words stand in a row than before; most changes are to its state."""
    return any(known._mapping[name] != values[name] for name in ("text", "tool_calls"))


def unindex_sessions(db: DbSession, keys: Any) -> None:
    """Take the messages with these search keys out of the index."""
    rows = db.execute(
        select(Message.search_key, *(getattr(Message, name) for name in INDEXED)).where(
            Message.search_key.in_(keys)
        )
    )
    for batch in rows.partitions(2000):
        unindex_rows(
            db,
            [(row.search_key, indexable(row._mapping)) for row in batch if row.search_key is not None],
        )


def release_rows(db: DbSession, compactions: Sequence[int]) -> Sequence[int]:
    """Take rows back from the compactions that archived them; return their keys."""
    held = db.scalars(select(Message.id).where(Message.archived_by.in_(compactions))).all()
    update_rows(db, Message, [{"key": one, "archived_by": None} for one in held])
    return held


def delete_conversations(db: DbSession, conversations: Any, sessions: Any) -> None:
    """Delete conversations with their sessions, rows, index entries and findings.

    Args:
        conversations: their keys, or a question for them.
        sessions: the keys of all their sessions, or a question for them; nothing else points at their rows.
    """
    indexed = Message.search_key.is_not(None)
    unindex_sessions(db, select(Message.search_key).where(Message.session_id.in_(sessions), indexed))
    for statement in (
        delete(Finding).where(Finding.conversation_id.in_(conversations)),
        update(Conversation).where(Conversation.id.in_(conversations)).values(root_id=None, tip_id=None),
        update(Message).where(Message.session_id.in_(sessions)).values(archived_by=None),
        delete(Compaction).where(Compaction.session_id.in_(sessions)),
        delete(Message).where(Message.session_id.in_(sessions)),
        delete(Session).where(Session.id.in_(sessions)),
        delete(Conversation).where(Conversation.id.in_(conversations)),
    ):
        db.execute(statement.execution_options(synchronize_session=False))


def add_change(db: DbSession, action: str, now: float) -> int:
    """Add a change that can be undone; return its number."""
    change = next_key(db, Change)
    add_rows(db, Change, [{"id": change, "action": action, "created_at": now}])
    return change


def add_change_items(db: DbSession, change: int, items: Iterable[Mapping[str, Any]]) -> None:
    """Add what a change did, in order: `session_id`, `field`, `before`, `after` of each."""
    rows = list(items)
    keys = next_keys(db, ChangeItem, len(rows))
    add_rows(
        db,
        ChangeItem,
        [{"id": key, "change_id": change, **one} for key, one in zip(keys, rows, strict=True)],
    )


def add_prompts(db: DbSession, prompts: Iterable[Mapping[str, str]]) -> None:
    """Store system prompts that are not there yet."""
    wanted = {key: text for one in prompts for key, text in one.items()}
    if not wanted:
        return
    dialect = postgresql if db.connection().dialect.name == "postgresql" else sqlite
    rows = [{"hash": key, "text": text} for key, text in sorted(wanted.items())]
    db.connection().execute(dialect.insert(SystemPrompt).on_conflict_do_nothing(), rows)


def prompt_hash(text: str) -> str:
    """Return the content address of a system prompt."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def taken_public_ids(db: DbSession, ids: Sequence[str]) -> set[str]:
    """Return which of *ids* are public ids in the store already."""
    taken: set[str] = set()
    for at in range(0, len(ids), 5000):
        taken.update(db.scalars(select(Session.public_id).where(Session.public_id.in_(ids[at : at + 5000]))))
    return taken


def free_public_id(foreign_id: str, label: str, taken: set[str]) -> str:
    """Return *foreign_id*, or `label:id` where another origin has it; marks it as taken."""
    chosen = foreign_id
    number = 1
    while chosen in taken:
        chosen = f"{label}:{foreign_id}" if number == 1 else f"{label}.{number}:{foreign_id}"
        number += 1
    taken.add(chosen)
    return chosen


def drop_unused_prompts(db: DbSession, only: str | None = None) -> None:
    """Delete system prompts that no session has, or the one with the hash *only* where that is so."""
    unused = ~exists().where(Session.system_prompt_hash == SystemPrompt.hash)
    named = [] if only is None else [SystemPrompt.hash == only]
    statement = delete(SystemPrompt).where(unused, *named)
    db.execute(statement.execution_options(synchronize_session=False))
