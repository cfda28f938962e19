"""Store new families in bulk: rows prepared in memory, one statement per table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session as DbSession

from hermes_sessions.agents.values import Family
from hermes_sessions.lineage import Relation
from hermes_sessions.operations.writing.absent_parents import AbsentParents, find_absent_parents
from hermes_sessions.operations.writing.ready_rows import ReadyBatches, ReadySession, ready_batches
from hermes_sessions.operations.writing.row_values import (
    ImportedFrom,
    Keys,
    compaction_links,
    compaction_values,
    prompts_of,
    session_values,
)
from hermes_sessions.store.engines.row_keys import next_keys
from hermes_sessions.store.keeping.conversation_upkeep import refresh_conversations
from hermes_sessions.store.keeping.conversation_values import newest_time
from hermes_sessions.store.language.ready_messages import PlacedMessage
from hermes_sessions.store.schema.models import Compaction, Message, Session
from hermes_sessions.store.writes import (
    UNPLACED,
    add_prompts,
    add_ready_messages,
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
    ready = [_ready_sessions(family, origin.grammar) for family in families]
    given = _give_keys(db, families, ready)
    sessions: list[dict[str, Any]] = []
    compactions: list[dict[str, Any]] = []
    previews: dict[int, str] = {}
    for family, family_keys, own in zip(families, given, ready, strict=True):
        members = _session_rows(family, family_keys, origin, taken, absent)
        _count(members, own)
        previews.update(_previews(members, own))
        sessions += members
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
    placed = [one for keys, own in zip(given, ready, strict=True) for one in _placed(own, keys, owners)]
    add_ready_messages(db, placed)
    # What begins without a request has its preview looked for, now that its rows are there.
    refresh_conversations(db, [row["id"] for row in sessions if row["id"] not in roots and _is_root(row)])


def _ready_sessions(family: Family, grammar: str) -> Mapping[str, ReadySession]:
    """Return the rows of a family, ready to be stored; whoever read them may have made them so."""
    batches = family.batches
    made = batches if isinstance(batches, ReadyBatches) else ready_batches(family, grammar)
    return {} if made is None else made.sessions


def _give_keys(
    db: DbSession, families: Sequence[Family], ready: Sequence[Mapping[str, ReadySession]]
) -> list[Keys]:
    """Return keys for everything in each of *families*, asked for all of them at once."""
    refs = [[row[0] for session in own.values() for row in session.rows] for own in ready]
    sessions, messages, compactions = (
        iter(next_keys(db, table, count))
        for table, count in (
            (Session, sum(len(family.sessions) for family in families)),
            (Message, sum(map(len, refs))),
            (Compaction, sum(len(family.compactions) for family in families)),
        )
    )
    return [
        Keys(
            {row.foreign_id: next(sessions) for row in family.sessions},
            {ref: next(messages) for ref in numbers},
            {row.key: next(compactions) for row in family.compactions},
        )
        for family, numbers in zip(families, refs, strict=True)
    ]


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


def _placed(
    ready: Mapping[str, ReadySession], keys: Keys, owners: Mapping[int, int]
) -> Iterator[PlacedMessage]:
    """Yield the messages of a family with their keys."""
    messages, compactions = keys.messages, keys.compactions
    for name, session in ready.items():
        session_id = keys.sessions[name]
        owner = owners[session_id]
        for position, (ref, copy_of, archived_by, columns, words) in enumerate(session.rows):
            source = None if copy_of is None else messages[copy_of]
            archived = None if archived_by is None else compactions.get(archived_by)
            given = (messages[ref], session_id, owner, position, source, archived)
            yield PlacedMessage(columns, words, given)


def _is_root(row: Mapping[str, Any]) -> bool:
    return row["relation"] != Relation.COMPACTION or row["parent_id"] is None


def _count(sessions: Sequence[dict[str, Any]], ready: Mapping[str, ReadySession]) -> None:
    """Fill in what `refresh_sessions` would count, without asking the database."""
    for row in sessions:
        own = ready.get(row["foreign_id"])
        row["message_count"] = 0 if own is None else len(own.rows)
        row["shown_count"] = 0 if own is None else own.shown
        newest = None if own is None else own.newest
        row["last_active_at"] = newest_time(row["started_at"], row["ended_at"], newest)


def _previews(
    sessions: Sequence[Mapping[str, Any]], ready: Mapping[str, ReadySession]
) -> Iterator[tuple[int, str]]:
    """Yield the preview of each session whose first user message is at hand."""
    for row in sessions:
        own = ready.get(row["foreign_id"])
        if own is not None and own.preview is not None:
            yield row["id"], own.preview
