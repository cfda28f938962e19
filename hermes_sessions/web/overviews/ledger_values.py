"""What the pages of the ledger and of the origins receive. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hermes_sessions.store.opening.replica_choice import ReplicaState
from hermes_sessions.store.queries.compactions import ListedCompaction
from hermes_sessions.store.queries.ledger import CompactionListing
from hermes_sessions.store.queries.origins import OriginRow
from hermes_sessions.web.site.filter_tokens import FilterToken
from hermes_sessions.web.site.site_values import Pager
from hermes_sessions.web.site.sync_status import OriginProgress


@dataclass(frozen=True, slots=True)
class SortHeading:
    """A column's heading as a link that sorts.

    Attributes:
        link: sorts by the column, the other way round where it is sorted already.
        current: `ascending` or `descending` where it is, else ''.
        words: what the link does.
    """

    link: str
    current: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerPage:
    """`ledger/compactions.html`: the compactions of the store, filtered and sorted."""

    listing: CompactionListing
    rows: tuple[ListedCompaction, ...]
    pager: Pager
    choices: Mapping[str, tuple[tuple[str, str], ...]]
    """Filter or order -> (value, words) of all that can be chosen."""
    filters: Mapping[str, str]
    """What the query string asks for, cursors left out."""
    tokens: tuple[FilterToken, ...]
    headings: Mapping[str, SortHeading]
    """Column -> how its heading sorts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginsPage:
    """`ledger/origins.html`: where rows came from, how syncing goes, and the store's replicas.

    Attributes:
        origins: every origin.
        progress: label -> how far its sync is.
        absent: agents of which nothing is here, by the kind that their origins would have.
        unread: databases that nothing could be read from, so that they are no origins yet.
        replicas: each replica, and why it is not read, if it is not.
        primary_up: whether the primary answers; None where there are no replicas.
    """

    origins: tuple[OriginRow, ...]
    progress: dict[str, OriginProgress] = field(default_factory=dict)
    unread: tuple[OriginProgress, ...] = ()
    absent: tuple[str, ...] = ()
    replicas: tuple[tuple[ReplicaState, str | None], ...] = ()
    primary_up: bool | None = None
