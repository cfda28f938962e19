"""Store new families in bulk: rows prepared in memory, one statement per table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.values import Family
from hermes_sessions.lineage import Relation
from hermes_sessions.messages import MessageKind, Role
from hermes_sessions.operations.writing.absent_parents import AbsentParents, find_absent_parents
from hermes_sessions.operations.writing.row_values import (
    PLAIN,
    ImportedFrom,
    Keys,
    compaction_links,
    compaction_values,
    message_values,
    prompts_of,
    session_values,
)
from hermes_sessions.store.engines.row_keys import next_keys
from hermes_sessions.store.keeping.conversation_upkeep import preview_of, refresh_conversations
from hermes_sessions.store.keeping.conversation_values import newest_time
from hermes_sessions.store.schema.models import Compaction, Message, Session
from hermes_sessions.store.writes import (
    UNPLACED,
    add_messages,
    add_prompts,
    add_rows,
    free_public_id,
    taken_public_ids,
)


def insert_families(db: DbSession, origin: ImportedFrom, families: Sequence[Family]) -> None:
    """Store *families*, none of whose sessions is in the store, within the caller's transaction."""
    if not families:
        return
    add_prompts(db, (prompts_of(family) for family in families))
    fresh = [row.foreign_id for family in families for row in family.sessions]
    taken = taken_public_ids(db, fresh)
    absent = find_absent_parents(db, origin.id, families, fresh)
    sessions: list[dict[str, Any]] = []
    messages: list[dict[str, Any]] = []
    compactions: list[dict[str, Any]] = []
    previews: dict[int, str] = {}
    for family, family_keys in zip(families, _give_keys(db, families), strict=True):
        members = _session_rows(family, family_keys, origin, taken, absent)
        rows = _message_rows(family, family_keys, origin.grammar)
        _count(members, rows)
        previews.update(_previews(rows))
        sessions += members
        messages += rows
        compactions += [
            {
                "id": family_keys.compactions[row.key],
                **UNPLACED,
                **absent.linked(row, compaction_values(row, family_keys)),
                **compaction_links(row, family_keys.messages.get),
            }
            for row in family.compactions
        ]
    add_rows(db, Session, sessions)
    add_rows(db, Compaction, compactions)
    roots = {row["id"] for row in sessions if row["id"] in previews}
    owners = refresh_conversations(
        db, [row["id"] for row in sessions], {root: previews[root] for root in roots}
    )
    for message in messages:
        message["conversation_id"] = owners[message["session_id"]]
    add_messages(db, messages)
    # What begins without a request has its preview looked for, now that its rows are there.
    refresh_conversations(db, [row["id"] for row in sessions if row["id"] not in roots and _is_root(row)])


def _give_keys(db: DbSession, families: Sequence[Family]) -> Iterator[Keys]:
    """Return keys for everything in each of *families*, asked for all of them at once."""
    refs = [[row.ref for _, batch in family.batches() for row in batch] for family in families]
    sessions, messages, compactions = (
        iter(next_keys(db, table, count))
        for table, count in (
            (Session, sum(len(family.sessions) for family in families)),
            (Message, sum(map(len, refs))),
            (Compaction, sum(len(family.compactions) for family in families)),
        )
    )
    for family, numbers in zip(families, refs, strict=True):
        yield Keys(
            {row.foreign_id: next(sessions) for row in family.sessions},
            {ref: next(messages) for ref in numbers},
            {row.key: next(compactions) for row in family.compactions},
        )


def _session_rows(
    family: Family, keys: Keys, origin: ImportedFrom, taken: set[str], absent: AbsentParents
) -> list[dict[str, Any]]:
    rows = []
    trashed: dict[str | None, float | None] = {}
    for row in family.sessions:
        placed = absent.place(row, family.placements[row.foreign_id])
        parent = absent.key_among(keys.sessions, placed.parent)
        trashed[row.foreign_id] = trashed.get(placed.parent, absent.trashed_at(placed.parent))
        rows.append(
            {
                "id": keys.sessions[row.foreign_id],
                "origin_id": origin.id,
                "foreign_id": row.foreign_id,
                "public_id": free_public_id(row.foreign_id, origin.label, taken),
                **UNPLACED,
                "archived": False,
                "pinned": False,
                "inherited_count": family.inherited.get(row.foreign_id, 0),
                "origin_mark": None if absent.may_return(placed.parent) else row.mark,
                "trashed_at": trashed[row.foreign_id],
                **session_values(row, placed, parent),
            }
        )
    return rows


def _message_rows(family: Family, keys: Keys, grammar: str) -> list[dict[str, Any]]:
    rows = []
    positions: dict[str, int] = dict.fromkeys(keys.sessions, 0)
    for session, batch in family.batches():
        session_id, position = keys.sessions[session], positions[session]
        for row in batch:
            verdict = family.verdicts.get(row.ref, PLAIN)
            values = message_values(row, verdict, session_id, keys, grammar)
            values["id"] = keys.messages[row.ref]
            values["position"] = position
            rows.append(values)
            position += 1
        positions[session] = position
    return rows


def _is_root(row: Mapping[str, Any]) -> bool:
    return row["relation"] != Relation.COMPACTION or row["parent_id"] is None


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
