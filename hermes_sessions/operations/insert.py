"""Store new families in bulk: rows prepared in memory, one statement per table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.importers.values import Family
from hermes_sessions.messages import MessageKind, Role
from hermes_sessions.operations.rows import (
    PLAIN,
    Keys,
    compaction_links,
    compaction_values,
    message_values,
    prompts_of,
    session_values,
)
from hermes_sessions.store.bulk import insert_messages
from hermes_sessions.store.conversation_values import newest_time
from hermes_sessions.store.indexed import indexable, is_searchable
from hermes_sessions.store.models import Compaction, Message, Session, SystemPrompt
from hermes_sessions.store.search import index_rows, next_search_keys, unindex_rows
from hermes_sessions.store.statements import update_rows
from hermes_sessions.store.upkeep import preview_of, refresh_conversations


def insert_families(db: DbSession, origin_id: int, label: str, families: Sequence[Family]) -> None:
    """Store *families*, none of whose sessions is in the store, within the caller's transaction."""
    if not families:
        return
    add_prompts(db, (prompts_of(family) for family in families))
    taken = taken_public_ids(db, [row.foreign_id for family in families for row in family.sessions])
    keys = _NextKeys(db)
    sessions: list[dict[str, Any]] = []
    messages: list[dict[str, Any]] = []
    compactions: list[dict[str, Any]] = []
    previews: dict[int, str] = {}
    for family in families:
        family_keys = keys.of(family)
        members = _session_rows(family, family_keys, origin_id, label, taken)
        rows = _message_rows(family, family_keys)
        _count(members, rows)
        previews.update(_previews(rows))
        sessions += members
        messages += rows
        compactions += [
            {
                "id": family_keys.compactions[row.key],
                "conversation_id": 0,
                "ordinal": 0,
                **compaction_values(row, family_keys),
                **compaction_links(row, family_keys.messages.get),
            }
            for row in family.compactions
        ]
    add_rows(db, Session, sessions)
    add_messages(db, messages)
    add_rows(db, Compaction, compactions)
    roots = {row["id"] for row in sessions if row["id"] in previews}
    refresh_conversations(db, [row["id"] for row in sessions], {root: previews[root] for root in roots})


class _NextKeys:
    """Gives out surrogate keys from the highest ones in use; the caller holds the write lock."""

    def __init__(self, db: DbSession) -> None:
        self._session = next_key(db, Session)
        self._message = next_key(db, Message)
        self._compaction = next_key(db, Compaction)

    def of(self, family: Family) -> Keys:
        """Return keys for everything in *family*."""
        sessions = {row.foreign_id: self._session + at for at, row in enumerate(family.sessions)}
        compactions = {row.key: self._compaction + at for at, row in enumerate(family.compactions)}
        messages: dict[int, int] = {}
        for _, batch in family.batches():
            for row in batch:
                messages[row.origin_row_id] = self._message
                self._message += 1
        self._session += len(sessions)
        self._compaction += len(compactions)
        return Keys(sessions, messages, compactions)


def next_key(db: DbSession, table: type[Any]) -> int:
    """Return the lowest key above all in use."""
    highest: int | None = db.scalar(select(func.max(table.id)))
    return (highest or 0) + 1


def add_rows(db: DbSession, table: type[Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows of one table in one statement; all of *rows* name the same columns."""
    if rows:
        db.connection().execute(insert(table.__table__), list(rows))


def add_messages(db: DbSession, rows: Sequence[dict[str, Any]]) -> None:
    """Insert message rows and index those that search finds; fills in their `search_key`."""
    found = [row for row in rows if is_searchable(row["role"], row["kind"], row["copy_of"])]
    keys = next_search_keys(db, [row["created_at"] for row in found])
    for row in rows:
        row["search_key"] = None
    for row, key in zip(found, keys, strict=True):
        row["search_key"] = key
    insert_messages(db, rows)
    index_rows(db, ((row["search_key"], indexable(row)) for row in found))


def change_messages(db: DbSession, changed: Sequence[tuple[Any, dict[str, Any]]]) -> None:
    """Update message rows, and their place in the index.

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
    searchable = [
        (known, values)
        for known, values in changed
        if is_searchable(values["role"], values["kind"], values["copy_of"])
    ]
    lacking = [(known, values) for known, values in searchable if known.search_key is None]
    fresh = next_search_keys(db, [values["created_at"] for _, values in lacking])
    given = {known.id: key for (known, _), key in zip(lacking, fresh, strict=True)}
    for _, values in changed:
        values["search_key"] = None
    for known, values in searchable:
        values["search_key"] = known.search_key if known.search_key is not None else given[known.id]
    update_rows(db, Message, [{"key": known.id, **values} for known, values in changed])
    index_rows(db, ((values["search_key"], indexable(values)) for _, values in searchable))


def add_prompts(db: DbSession, prompts: Iterable[Mapping[str, str]]) -> None:
    """Store system prompts that are not there yet."""
    wanted = {key: text for one in prompts for key, text in one.items()}
    if not wanted:
        return
    dialect = postgresql if db.connection().dialect.name == "postgresql" else sqlite
    rows = [{"hash": key, "text": text} for key, text in wanted.items()]
    db.connection().execute(dialect.insert(SystemPrompt).on_conflict_do_nothing(), rows)


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


def _session_rows(
    family: Family, keys: Keys, origin_id: int, label: str, taken: set[str]
) -> list[dict[str, Any]]:
    rows = []
    for row in family.sessions:
        placed = family.placements[row.foreign_id]
        parent = keys.sessions.get(placed.parent) if placed.parent is not None else None
        rows.append(
            {
                "id": keys.sessions[row.foreign_id],
                "origin_id": origin_id,
                "foreign_id": row.foreign_id,
                "public_id": free_public_id(row.foreign_id, label, taken),
                "conversation_id": 0,
                "ordinal": 0,
                "archived": False,
                "pinned": False,
                "inherited_count": family.inherited.get(row.foreign_id, 0),
                "origin_mark": row.mark,
                **session_values(row, placed, parent),
            }
        )
    return rows


def _message_rows(family: Family, keys: Keys) -> list[dict[str, Any]]:
    rows = []
    positions: dict[str, int] = dict.fromkeys(keys.sessions, 0)
    for session, batch in family.batches():
        session_id, position = keys.sessions[session], positions[session]
        for row in batch:
            values = message_values(row, family.verdicts.get(row.origin_row_id, PLAIN), session_id, keys)
            values["id"] = keys.messages[row.origin_row_id]
            values["position"] = position
            rows.append(values)
            position += 1
        positions[session] = position
    return rows


def _count(sessions: Sequence[dict[str, Any]], messages: Sequence[Mapping[str, Any]]) -> None:
    """Fill in what `refresh_sessions` would count, without asking the database."""
    by_id = {row["id"]: row for row in sessions}
    for row in sessions:
        row["message_count"] = row["shown_count"] = 0
        row["last_active_at"] = newest_time(row["started_at"], row["ended_at"])
    for message in messages:
        row = by_id[message["session_id"]]
        row["message_count"] += 1
        row["shown_count"] += message["shown"]
        row["last_active_at"] = newest_time(row["last_active_at"], message["created_at"])


def _previews(messages: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return the preview of each session whose first user message is at hand."""
    previews: dict[int, str] = {}
    for row in messages:
        if (
            row["role"] == Role.USER
            and row["session_id"] not in previews
            and row["shown"]
            and row["kind"] == MessageKind.MESSAGE
            and row["text"]
        ):
            previews[row["session_id"]] = preview_of(row["text"])
    return previews
