"""Conversations of many stores found by their title, their folder or an id, the last active first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import orm as sa_orm

from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.merged_lists import conversations_by_key
from hermes_sessions.store.fleet.merging import FleetCursor, Walk, find_places, load_rows
from hermes_sessions.store.language.query_text import Query
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.schema.models import Conversation
from hermes_sessions.store.searching.title_hits import is_named_by_id, may_be_named, name_place

_ROUNDS: Final = 20
_AT_ONCE: Final = 50
"""Names that are read together, where the engine cannot tell which of them fit."""


@dataclass(frozen=True, slots=True)
class NamedInStore:
    """A conversation, its store, and where the words are: title, folder or id."""

    store: str
    row: ConversationRow
    where: str


def find_named_merged(
    fleet: Fleet, query: Query, *, stores: Sequence[str], limit: int, before: FleetCursor | None = None
) -> tuple[tuple[NamedInStore, ...], FleetCursor | None]:
    """Return one page of conversations that the words name, and the cursor of the next one.

    What the query says about `conv:` is of one store and must not be asked here.
    """
    condition = may_be_named(sa_orm.Session(), query)  # it is asked about `conv:` alone
    if condition is None:
        return (), None
    walk = Walk(
        source=Conversation,
        value=Conversation.last_active_at,
        id=Conversation.id,
        where=[condition],
        limit=max(limit + 1, _AT_ONCE if before is not None else 0),
    )
    statement = conversations_by_key().add_columns(is_named_by_id(query).label("by_id"))
    found: list[tuple[FleetCursor, NamedInStore]] = []
    cursor = before
    for _ in range(_ROUNDS):
        places = find_places(fleet, walk, cursor, stores)
        for one in load_rows(fleet, places.found, statement):
            by_id = one.row.pop("by_id")
            row = ConversationRow(**one.row)
            where = "id" if by_id else name_place(query, row.title, row.cwd)
            if where is not None:
                place = FleetCursor(row.last_active_at, one.store, row.id)
                found.append((place, NamedInStore(one.store, row, where)))
        if len(found) > limit:
            return tuple(one for _, one in found[:limit]), found[limit - 1][0]
        if not places.more:
            cursor = None
            break
        cursor = places.found[-1]
    return tuple(one for _, one in found), cursor
