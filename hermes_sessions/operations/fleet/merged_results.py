"""A search of many stores as every edge shows it: hits and names, each with its store."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from sqlalchemy import Select

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.operations.documents.search_results import (
    FoundConversationJson,
    HitJson,
    SearchPageJson,
)
from hermes_sessions.operations.fleet.merged_documents import fields_of
from hermes_sessions.operations.search import (
    FoundConversation,
    FoundMessage,
    found_messages,
    found_value,
    highlighter_of,
    hit_value,
    named_value,
)
from hermes_sessions.store.fleet.hit_places import HitPlace
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.merged_lists import conversations_by_key
from hermes_sessions.store.fleet.merged_names import find_named_merged
from hermes_sessions.store.fleet.merged_search import StoreHit, search_merged
from hermes_sessions.store.fleet.merging import FleetCursor, load_by_key
from hermes_sessions.store.fleet.together import key_values
from hermes_sessions.store.language.query_text import Query
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.queries.transcript_rows import TranscriptRow, select_rows
from hermes_sessions.store.schema.models import Message
from hermes_sessions.store.searching.message_hits import Order, Search
from hermes_sessions.store.searching.title_hits import BESIDE_MESSAGES

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OfStore(Generic[T]):
    """Something and the store it is in."""

    store: str
    one: T


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedResults:
    """One page of an answer of many stores.

    Attributes:
        conversations: found by title, folder or id; a few on the first page, or pages of them.
        more_named: the query that lists all of them, where this one does not.
        messages: the newest first; of each conversation as many as were asked for.
        counts: how many hits of each (store, conversation) are on the page.
        next: `after` of the following page.
    """

    search: Search
    conversations: tuple[OfStore[FoundConversation], ...] = ()
    more_named: str | None = None
    messages: tuple[OfStore[FoundMessage], ...] = ()
    counts: dict[tuple[str, int], int]
    next: str | None = None
    notes: tuple[str, ...] = ()


def run_merged_search(
    fleet: Fleet,
    search: Search,
    *,
    stores: Sequence[str],
    conversations: int | None = None,
    of_each: int | None = None,
) -> MergedResults:
    """Answer one page of a search in many stores; they are newest first, whatever the order asked for.

    Args:
        conversations: the page ends before a further conversation.
        of_each: so many messages of each conversation are loaded; None: all.

    Raises:
        InvalidQueryError: the cursor is none of ours, or the query asks what only one store can answer.
    """
    query, notes = search.query, list(search.query.notes)
    if search.order is Order.RELEVANCE:
        notes.append("many stores are always newest first; choose one store for relevance")
    if query.scope.titles:
        return _titles(fleet, search, stores, tuple(notes))
    after = HitPlace.parse(search.cursor) if search.cursor else None
    with ThreadPoolExecutor(1, "ask for names") as beside:
        asked = after is None and query.scope.titles is None
        naming = beside.submit(_named, fleet, query, stores) if asked else None
        found = search_merged(fleet, search, stores=stores, after=after, conversations=conversations)
        named, more = naming.result() if naming is not None else ((), False)
    messages, counts = _messages(fleet, query, found.hits, of_each)
    if not found.hits and not named:
        notes += _told(found.notes)
    return MergedResults(
        search=search,
        conversations=named,
        more_named=f"in:title {query.typed.strip()}" if more else None,
        messages=messages,
        counts=counts,
        next=None if found.next is None else str(found.next),
        notes=tuple(notes),
    )


def _titles(fleet: Fleet, search: Search, stores: Sequence[str], notes: tuple[str, ...]) -> MergedResults:
    query = search.query
    _require_no_ids(query)
    before = FleetCursor.parse(search.cursor) if search.cursor else None
    rows, following = find_named_merged(fleet, query, stores=stores, limit=search.limit, before=before)
    named = tuple(OfStore(one.store, found_value(one.row, one.where, query)) for one in rows)
    return MergedResults(
        search=search,
        conversations=named,
        counts={},
        next=None if following is None else str(following),
        notes=notes,
    )


def _named(
    fleet: Fleet, query: Query, stores: Sequence[str]
) -> tuple[tuple[OfStore[FoundConversation], ...], bool]:
    """Return the few that stand above messages, and whether there are more."""
    if query.scope.conversations or query.scope.not_conversations:
        return (), False  # an id is of one store
    rows, following = find_named_merged(fleet, query, stores=stores, limit=BESIDE_MESSAGES)
    found = tuple(OfStore(one.store, found_value(one.row, one.where, query)) for one in rows)
    return found, following is not None


def _require_no_ids(query: Query) -> None:
    if query.scope.conversations or query.scope.not_conversations:
        raise InvalidQueryError("search: conv: with in:title is of one store; choose one")


def _messages(
    fleet: Fleet, query: Query, hits: Sequence[StoreHit], of_each: int | None
) -> tuple[tuple[OfStore[FoundMessage], ...], dict[tuple[str, int], int]]:
    """Return the first few messages of each conversation in the order of *hits*, and how many there are."""
    counts: dict[tuple[str, int], int] = {}
    shown = []
    for hit in hits:
        key = (hit.place.store, hit.hit.conversation_id)
        counts[key] = counts.get(key, 0) + 1
        if of_each is None or counts[key] <= of_each:
            shown.append(hit)
    rows = load_by_key(fleet, [(hit.place.store, hit.hit.id) for hit in shown], _messages_by_key())
    found = load_by_key(fleet, counts, conversations_by_key())
    highlighter = highlighter_of(query)
    messages = []
    for hit in shown:
        store, conversation_id = hit.place.store, hit.hit.conversation_id
        if (store, hit.hit.id) in rows and (store, conversation_id) in found:
            texts = {hit.hit.id: TranscriptRow(**rows[store, hit.hit.id])}
            conversation = {conversation_id: ConversationRow(**found[store, conversation_id])}
            messages += [
                OfStore(store, one) for one in found_messages([hit.hit], texts, conversation, highlighter)
            ]
    return tuple(messages), counts


@cache
def _messages_by_key() -> Select[Any]:
    return select_rows().where(Message.id.in_(key_values()))


def _told(notes: Sequence[tuple[str, str]]) -> list[str]:
    """Return what single stores say, each thing once; it may contradict what others have found."""
    stores: dict[str, list[str]] = {}
    for store, note in notes:
        stores.setdefault(note, []).append(store)
    return [
        f"{', '.join(some[:3])}{f' and {len(some) - 3} more' if len(some) > 3 else ''}: {note}"
        for note, some in list(stores.items())[:3]
    ]


# -- documents -------------------------------------------------------------------------------------


class StoreHitJson(HitJson, frozen=True, kw_only=True):
    """A message that was found, and its store."""

    store: str


class StoreNamedJson(FoundConversationJson, frozen=True, kw_only=True):
    """A conversation found by name, and its store."""

    store: str


class MergedSearchJson(SearchPageJson, frozen=True, kw_only=True):
    """One page of an answer of many stores."""

    conversations: list[StoreNamedJson]  # type: ignore[assignment]
    hits: list[StoreHitJson]  # type: ignore[assignment]


def merged_search_document(found: MergedResults) -> MergedSearchJson:
    """Return the answer as one store's documents show it, with the store of each row."""
    return MergedSearchJson(
        query=found.search.query.typed,
        order=Order.NEWEST,
        conversations=[
            StoreNamedJson(store=each.store, **fields_of(named_value(each.one)))
            for each in found.conversations
        ],
        conversations_total=None,
        conversations_query=found.more_named,
        hits=[StoreHitJson(store=each.store, **fields_of(hit_value(each.one))) for each in found.messages],
        next=found.next,
        looked_at=sum(found.counts.values()),
        complete=bool(found.messages or found.conversations) or found.next is None,
        notes=list(found.notes),
    )
