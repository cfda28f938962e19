"""What the merged pages receive: the declared contract between views and templates."""

from collections.abc import Mapping
from dataclasses import dataclass

from hermes_sessions.operations.fleet.merged_results import OfStore
from hermes_sessions.operations.search import FoundConversation, FoundMessage
from hermes_sessions.store.fleet.members import MemberState
from hermes_sessions.store.fleet.merging import InStore
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.conversations import ConversationListing, ConversationRow
from hermes_sessions.store.queries.ledger import CompactionListing
from hermes_sessions.web.site.filter_tokens import FilterToken
from hermes_sessions.web.site.site_values import Pager


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetFrame:
    """What all merged pages show of the stores.

    Attributes:
        chosen: the one store that is shown; None for all.
        names: the stores that can be chosen.
        left_out: those that cannot be read, with the reason.
    """

    names: tuple[str, ...]
    left_out: tuple[MemberState, ...]
    chosen: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetIndex:
    """`fleet/index.html`: conversations of many stores; `days` as in one store's list.

    Attributes:
        cursor: the number of the state that it shows, to ask what changed since.
    """

    frame: FleetFrame
    listing: ConversationListing
    days: tuple[tuple[str, str, tuple[InStore[ConversationRow], ...]], ...]
    kinds: tuple[tuple[str, str, bool], ...]
    orders: tuple[tuple[str, str], ...]
    filters: Mapping[str, str]
    tokens: tuple[FilterToken, ...]
    pager: Pager
    cursor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetLedger:
    """`fleet/compactions.html`: compactions of many stores."""

    frame: FleetFrame
    listing: CompactionListing
    rows: tuple[InStore[ListedCompaction], ...]
    choices: Mapping[str, tuple[tuple[str, str], ...]]
    filters: Mapping[str, str]
    tokens: tuple[FilterToken, ...]
    pager: Pager


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetHits:
    """The hits of one conversation on this page; the first few are loaded."""

    store: str
    conversation: ConversationRow
    hits: tuple[FoundMessage, ...]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSearch:
    """`fleet/search.html`: the search box and an answer of many stores.

    Attributes:
        problem: why the query cannot be answered; '' where it can.
        conversations: found by title, folder or id, and *all_conversations* is the link to a search that
            lists them all.
        titles_alone: messages were not looked into.
    """

    frame: FleetFrame
    typed: str
    groups: tuple[FleetHits, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    next: str | None = None
    first_page: bool = True
    conversations: tuple[OfStore[FoundConversation], ...] = ()
    all_conversations: str | None = None
    titles_alone: bool = False
