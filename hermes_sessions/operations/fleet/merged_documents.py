"""The merged list and ledger as documents: the fields of one store's, and each row's store."""

from typing import Annotated, Any

from hermes_sessions.operations.documents.compactions import CompactionJson, compaction_value
from hermes_sessions.operations.documents.conversations import ConversationJson, conversation_value
from hermes_sessions.operations.documents.document import Document, Time, says
from hermes_sessions.store.fleet.members import MemberState
from hermes_sessions.store.fleet.merged_overview import FleetFigures
from hermes_sessions.store.fleet.merging import MergedPage
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.conversations import ConversationRow


class StoreConversationJson(ConversationJson, frozen=True, kw_only=True):
    """A conversation and its store."""

    store: str


class MergedListJson(Document, frozen=True, kw_only=True):
    """A page of the merged list, newest activity first."""

    conversations: list[StoreConversationJson]
    next: Annotated[str | None, says("`before` of the following page; null at the end.")]


class StoreCompactionJson(CompactionJson, frozen=True, kw_only=True):
    """A compaction and its store."""

    store: str


class MergedLedgerJson(Document, frozen=True, kw_only=True):
    """A page of the merged ledger."""

    compactions: list[StoreCompactionJson]
    next: Annotated[str | None, says("`before` of the following page.")]


class StoreFiguresJson(Document, frozen=True, kw_only=True):
    """What one store had in a time."""

    store: str
    conversations: int
    messages: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    estimated: Annotated[int, says("How many of the costs are estimates.")]
    last_active_at: Time
    compactions: int


class MergedOverviewJson(Document, frozen=True, kw_only=True):
    """What was done in a time, store by store."""

    stores: list[StoreFiguresJson]


class StoreStateJson(Document, frozen=True, kw_only=True):
    """A store of the viewer."""

    store: str
    address: str
    problem: Annotated[str | None, says("Why it is left out; null where it is read.")]


class StoreStatesJson(Document, frozen=True, kw_only=True):
    """The stores of the viewer."""

    stores: list[StoreStateJson]


def merged_list_document(page: MergedPage[ConversationRow]) -> MergedListJson:
    """Return a page of the merged list."""
    rows = [
        StoreConversationJson(store=one.store, **fields_of(conversation_value(one.row))) for one in page.items
    ]
    return MergedListJson(conversations=rows, next=str(page.next) if page.next else None)


def merged_ledger_document(page: MergedPage[ListedCompaction]) -> MergedLedgerJson:
    """Return a page of the merged ledger."""
    rows = [
        StoreCompactionJson(store=one.store, **fields_of(compaction_value(one.row))) for one in page.items
    ]
    return MergedLedgerJson(compactions=rows, next=str(page.next) if page.next else None)


def merged_overview_document(rows: tuple[tuple[str, FleetFigures], ...]) -> MergedOverviewJson:
    """Return what each store had."""
    return MergedOverviewJson(
        stores=[
            StoreFiguresJson(
                store=store,
                conversations=one.conversations,
                messages=one.messages,
                input_tokens=one.input_tokens,
                output_tokens=one.output_tokens,
                cost_usd=one.cost_usd,
                estimated=one.estimated,
                last_active_at=one.last_active_at or None,
                compactions=one.compactions,
            )
            for store, one in rows
        ]
    )


def states_document(states: tuple[MemberState, ...]) -> StoreStatesJson:
    """Return how the stores are."""
    return StoreStatesJson(
        stores=[StoreStateJson(store=one.name, address=one.address, problem=one.problem) for one in states]
    )


def fields_of(document: Document) -> dict[str, Any]:
    """Return the fields of a document, to make another with more of them."""
    return {name: getattr(document, name) for name in document.__struct_fields__}
