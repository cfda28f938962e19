"""The list of conversations and the ledger over many stores."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from sqlalchemy import Select, join

from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.merging import (
    FleetCursor,
    InStore,
    MergedPage,
    Walk,
    find_places,
    load_rows,
    page_of,
)
from hermes_sessions.store.fleet.together import key_values
from hermes_sessions.store.queries.compactions import ListedCompaction, select_judged
from hermes_sessions.store.queries.conversation_order import order_value
from hermes_sessions.store.queries.conversations import ConversationListing, ConversationRow, select_listed
from hermes_sessions.store.queries.ledger import CompactionListing, ledger_value, visible_compaction
from hermes_sessions.store.schema.models import Compaction, Conversation


def list_merged(
    fleet: Fleet,
    listing: ConversationListing,
    *,
    stores: Sequence[str],
    before: FleetCursor | None = None,
    after: FleetCursor | None = None,
) -> MergedPage[ConversationRow]:
    """Return one page of the conversations of *stores*; the listing's own cursors are not looked at."""
    backwards = before is None and after is not None
    walk = Walk(
        source=Conversation,
        value=order_value(listing.sort),
        id=Conversation.id,
        where=listing.conditions(),
        backwards=backwards,
        limit=listing.limit,
    )
    places = find_places(fleet, walk, after if backwards else before, stores)
    rows = load_rows(fleet, places.found, conversations_by_key())
    made = [InStore(one.store, ConversationRow(**one.row)) for one in rows]
    return page_of(places, made, backwards=backwards, from_start=before is None)


def list_merged_compactions(
    fleet: Fleet,
    listing: CompactionListing,
    *,
    stores: Sequence[str],
    before: FleetCursor | None = None,
    after: FleetCursor | None = None,
) -> MergedPage[ListedCompaction]:
    """Return one page of the ledger of *stores*; the listing's cursors and conversation are not looked at."""
    backwards = before is None and after is not None
    walk = Walk(
        source=Compaction,
        value=ledger_value(listing.sort),
        id=Compaction.id,
        where=listing.filters(),
        falls=listing.sort.falls,
        nullable=True,
        backwards=backwards,
        limit=listing.limit,
    )
    found = find_places(fleet, walk, after if backwards else before, stores)
    rows = load_rows(fleet, found.looked_at, _compactions_by_key())
    if len(rows) < len(found.looked_at):
        # Some are in the trash, which is looked for only now: it costs every store a table more.
        joined = join(Compaction, Conversation, Conversation.id == Compaction.conversation_id)
        exact = replace(walk, source=joined, where=listing.conditions())
        found = find_places(fleet, exact, after if backwards else before, stores)
        rows = load_rows(fleet, found.found, _compactions_by_key())
    shown = {(one.store, one.id) for one in found.found}
    made = [
        InStore(one.store, ListedCompaction(**one.row)) for one in rows if (one.store, one.row["id"]) in shown
    ]
    return page_of(found, made, backwards=backwards, from_start=before is None)


@cache
def conversations_by_key() -> Select[Any]:
    """Return a statement for listed conversations by the parameter `keys`; made once."""
    return select_listed().where(Conversation.id.in_(key_values()))


@cache
def _compactions_by_key() -> Select[Any]:
    return select_judged().where(Compaction.id.in_(key_values()), visible_compaction())
