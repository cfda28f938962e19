"""The ledger: which compactions, in which order, a page at a time.

Every order has an index that ends in the id, and is walked in two phases: rows whose
value is known, then those without one. A filter is looked at while walking.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self, TypeVar

from sqlalchemy import ColumnElement, Select, literal, select, tuple_
from sqlalchemy import orm as sa_orm
from sqlalchemy.orm import InstrumentedAttribute

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    ConversationKind,
    Realisation,
    Severity,
)
from hermes_sessions.store.queries.compactions import ListedCompaction, select_judged
from hermes_sessions.store.queries.conversations import get_conversation
from hermes_sessions.store.queries.paging import Page, TimeCursor, check_limit, read_limit
from hermes_sessions.store.schema.models import Compaction, Conversation, Finding, Origin

Choice = TypeVar("Choice", bound=StrEnum)


class LedgerOrder(StrEnum):
    """What stands first in a ledger; rows without such a value stand last, always."""

    NEWEST = "newest"
    OLDEST = "oldest"
    LEAST_KEPT = "least-kept"
    MOST_KEPT = "most-kept"
    MOST_SAVED = "most-saved"
    LEAST_SAVED = "least-saved"
    WORST = "worst"
    MILDEST = "mildest"

    @property
    def falls(self) -> bool:
        """Whether large values stand first."""
        return self in (self.NEWEST, self.MOST_KEPT, self.MOST_SAVED, self.WORST)


_COLUMNS: Final[Mapping[LedgerOrder, InstrumentedAttribute[Any]]] = {
    LedgerOrder.NEWEST: Compaction.finished_at,
    LedgerOrder.OLDEST: Compaction.finished_at,
    LedgerOrder.LEAST_KEPT: Compaction.retained,
    LedgerOrder.MOST_KEPT: Compaction.retained,
    LedgerOrder.MOST_SAVED: Compaction.saved_tokens,
    LedgerOrder.LEAST_SAVED: Compaction.saved_tokens,
    LedgerOrder.WORST: Compaction.worst_rank,
    LedgerOrder.MILDEST: Compaction.worst_rank,
}


def ledger_value(order: LedgerOrder) -> InstrumentedAttribute[Any]:
    """Return what a ledger is ordered by; None in a row without one."""
    return _COLUMNS[order]


def visible_compaction() -> ColumnElement[bool]:
    """Return the condition on a compaction's conversation that no ledger shows what is in the trash."""
    return Conversation.kind != ConversationKind.TRASH


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionListing:
    """Which compactions a ledger shows, and in which order.

    Attributes:
        conversation: public id of a conversation, of any of its sessions, or a unique prefix.
        origin: label of the origin they came from.
        severity: the worst finding is this bad, or worse.
        rule: a stored finding has this code.
        below: less than this share of the span's facts that matter is in sight, 0 to 1.
        before, after: show what follows, or precedes, this row in the order.
    """

    conversation: str | None = None
    origin: str | None = None
    realisation: Realisation | None = None
    status: CompactionStatus | None = None
    method: CompactionMethod | None = None
    severity: str | None = None
    rule: str | None = None
    below: float | None = None
    sort: LedgerOrder = LedgerOrder.NEWEST
    before: TimeCursor | None = None
    after: TimeCursor | None = None
    limit: int = 50

    @classmethod
    def from_args(cls, args: Mapping[str, str]) -> Self:
        """Read a listing from a query string; empty values count as absent.

        Raises:
            InvalidQueryError: a value cannot be used; the text names it.
        """
        before, after = args.get("before"), args.get("after")
        return cls(
            conversation=args.get("conversation") or None,
            origin=args.get("origin") or None,
            realisation=_one_of("realisation", args.get("realisation"), Realisation),
            status=_one_of("status", args.get("status"), CompactionStatus),
            method=_one_of("method", args.get("method"), CompactionMethod),
            severity=_severity(args.get("severity")),
            rule=args.get("rule") or None,
            below=_percent(args.get("below")),
            sort=_one_of("sort", args.get("sort"), LedgerOrder) or LedgerOrder.NEWEST,
            before=TimeCursor.parse(before) if before else None,
            after=TimeCursor.parse(after) if after else None,
            limit=read_limit(args.get("limit")),
        )

    @property
    def narrowed(self) -> bool:
        """Whether any filter is set."""
        return self != type(self)(sort=self.sort, before=self.before, after=self.after, limit=self.limit)

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the filters as SQL conditions, with the one that leaves the trash out; see `filters`."""
        return [visible_compaction(), *self.filters()]

    def filters(self) -> list[ColumnElement[bool]]:
        """Return the filters as conditions on compactions; the conversation and cursors are left out."""
        found: list[ColumnElement[bool]] = []
        for column, value in (
            (Compaction.realisation, self.realisation),
            (Compaction.status, self.status),
            (Compaction.method, self.method),
        ):
            if value is not None:
                found.append(column == value.value)
        # Sums, so that no engine takes these columns' indexes and sorts everything it finds by them.
        if self.severity is not None:
            found.append(Compaction.worst_rank + 0 >= Severity(self.severity).rank)
        if self.below is not None:
            found.append(Compaction.retained + 0 < self.below)
        if self.rule is not None:
            # Asked row by row, so that the order's index is still what is walked.
            own = Finding.compaction_id == Compaction.id
            found.append(select(Finding.id).where(own, Finding.rule == self.rule).exists())
        if self.origin is not None:
            known = select(Origin.id).where(Origin.label == self.origin).scalar_subquery()
            own = Conversation.id == Compaction.conversation_id
            found.append(
                select(Conversation.id)
                .where(own, Conversation.origin_id == known)
                .correlate(Compaction)
                .exists()
            )
        return found


def list_compactions(db: sa_orm.Session, listing: CompactionListing) -> Page[ListedCompaction]:
    """Return one page of the ledger in at most two statements.

    Raises:
        InvalidQueryError: `listing.limit` leaves no room for a row.
        NotFoundError: `listing.conversation` is of no conversation.
        AmbiguousIdError: it begins the ids of several.
    """
    check_limit(listing.limit)
    where = listing.conditions()
    if listing.conversation is not None:
        key = get_conversation(db, listing.conversation).id
        where.append(Compaction.conversation_id == key)
    backwards = listing.before is None and listing.after is not None
    rows: list[ListedCompaction] = []
    for known in (False, True) if backwards else (True, False):
        stmt = _phase(listing, known=known, backwards=backwards)
        if stmt is not None and len(rows) <= listing.limit:
            stmt = stmt.where(*where).limit(listing.limit + 1 - len(rows))
            rows += [ListedCompaction(**row._mapping) for row in db.execute(stmt)]
    more = len(rows) > listing.limit
    rows = rows[: listing.limit]
    if backwards:
        rows.reverse()
    has_next = bool(rows) if backwards else more
    has_previous = more if backwards else bool(rows) and listing.before is not None
    return Page(
        tuple(rows),
        next=_cursor(rows[-1], listing.sort) if has_next else None,
        previous=_cursor(rows[0], listing.sort) if has_previous else None,
    )


# -- inside ----------------------------------------------------------------------------------------


def _phase(listing: CompactionListing, *, known: bool, backwards: bool) -> Select[Any] | None:
    """Return the statement for rows with a value, or for those without; None where it has none left."""
    cursor = listing.after if backwards else listing.before
    passed = cursor is not None and (cursor.at is None) == known
    if passed and known != backwards:
        return None
    if passed:
        cursor = None
    column = _COLUMNS[listing.sort]
    where: list[ColumnElement[bool]] = [column.is_not(None) if known else column.is_(None)]
    columns = (column, Compaction.id) if known else (Compaction.id,)
    falling = listing.sort.falls != backwards
    if cursor is not None:
        key, edge = tuple_(*columns), tuple_(*_edge(column, cursor, known=known))
        where.append(key < edge if falling else key > edge)
    order = tuple(one.desc() for one in columns) if falling else columns
    return select_judged().where(*where).order_by(*order)


def _edge(column: InstrumentedAttribute[Any], cursor: TimeCursor, *, known: bool) -> list[Any]:
    """Return the values of the cursor in the columns' own types: no engine may cast a column for them."""
    ends: list[Any] = [literal(cursor.id, Compaction.id.type)]
    if not known or cursor.at is None:
        return ends
    whole = column.type.python_type is int
    return [literal(math.floor(cursor.at) if whole else cursor.at, column.type), *ends]


def _cursor(row: ListedCompaction, sort: LedgerOrder) -> TimeCursor:
    return TimeCursor(getattr(row, _COLUMNS[sort].key), row.id)


def _one_of(name: str, value: str | None, allowed: type[Choice]) -> Choice | None:
    if not value:
        return None
    if value not in set(allowed):
        raise InvalidQueryError(f"{name} is one of {', '.join(allowed)}")
    return allowed(value)


def _severity(value: str | None) -> str | None:
    if value and value not in set(Severity):
        raise InvalidQueryError(f"severity is one of {', '.join(Severity)}")
    return value or None


def _percent(value: str | None) -> float | None:
    """Return a share from a percentage as people type it: 60, 62.5 or 60%."""
    text = (value or "").strip().removesuffix("%").strip()
    if not text:
        return None
    try:
        percent = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        percent = math.nan
    if not 0 <= percent <= 100:
        raise InvalidQueryError("below is a percentage from 0 to 100")
    return percent / 100
