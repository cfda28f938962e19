"""What was done in many stores in a time, each store's figures beside the others'."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

from sqlalchemy import Select, case, func, select

from hermes_sessions.messages import CompactionStatus, ConversationKind
from hermes_sessions.store.fleet.members import Fleet
from hermes_sessions.store.fleet.reading import Rows, ask
from hermes_sessions.store.fleet.together import StoreQuestion
from hermes_sessions.store.queries.overview import (
    ActiveDay,
    CompactionDay,
    OverviewQuery,
    active_day,
    select_compaction_days,
    select_days,
    select_span,
)
from hermes_sessions.store.schema.models import Compaction, Conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetFigures:
    """What one store, or all of them, had in a time; `estimated` of the costs are their agents' estimates."""

    conversations: int = 0
    messages: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    estimated: int = 0
    last_active_at: float = 0.0
    compactions: int = 0

    def __add__(self, other: "FleetFigures") -> "FleetFigures":
        added = {name: getattr(self, name) + getattr(other, name) for name in self.__slots__}
        added["last_active_at"] = max(self.last_active_at, other.last_active_at)
        return FleetFigures(**added)


def load_figures_of(
    fleet: Fleet, stores: Sequence[str], since: float | None, until: float | None = None
) -> tuple[tuple[str, FleetFigures], ...]:
    """Return the figures of each store, the one with most messages first.

    Args:
        since: what was last active from here on counts; None: everything.
        until: what was last active later, or then, does not; None: everything.
    """
    statement = _select_figures(since, until)
    rows = _ask_all(fleet, stores, statement)
    found = [
        (
            name,
            FleetFigures(**{key: kind(value or 0) for (key, kind), value in zip(_KINDS, row, strict=True)}),
        )
        for name, row in rows
    ]
    return tuple(sorted(found, key=lambda one: (-one[1].messages, one[0])))


@dataclass(frozen=True, slots=True)
class FleetDays:
    """What was done in all stores together, day by day."""

    days: tuple[ActiveDay, ...]
    compactions: tuple[CompactionDay, ...]


def span_of(fleet: Fleet, stores: Sequence[str]) -> tuple[float, float] | None:
    """Return the first and the last known time of activity in any of *stores*, or None."""
    rows = _ask_all(fleet, stores, select_span())
    known = [row for _, row in rows if row[0] is not None]
    return (min(row[0] for row in known), max(row[1] for row in known)) if known else None


def load_days_of(fleet: Fleet, stores: Sequence[str], query: OverviewQuery) -> FleetDays:
    """Return the days of a time, those of all *stores* added up, oldest first."""
    active: Counter[tuple[int, str, str]] = Counter()
    for _, row in _ask_all(fleet, stores, select_days(query)):
        one = active_day(row)
        active[one.day, one.kind, "conversations"] += one.conversations
        active[one.day, one.kind, "messages"] += one.messages
    days = sorted({(day, kind) for day, kind, _ in active})
    compacted: dict[int, list[int]] = {}
    for _, row in _ask_all(fleet, stores, select_compaction_days(query)):
        day, *counts = map(int, row)
        sums = compacted.setdefault(day, [0] * len(counts))
        compacted[day] = list(map(add, sums, counts))
    return FleetDays(
        tuple(
            ActiveDay(day, kind, active[day, kind, "conversations"], active[day, kind, "messages"])
            for day, kind in days
        ),
        tuple(CompactionDay(day, *counts) for day, counts in sorted(compacted.items())),
    )


_KINDS: tuple[tuple[str, Any], ...] = (
    ("conversations", int),
    ("messages", int),
    ("input_tokens", int),
    ("output_tokens", int),
    ("cost_usd", float),
    ("estimated", int),
    ("last_active_at", float),
    ("compactions", int),
)


def _ask_all(fleet: Fleet, stores: Sequence[str], statement: Select[Any]) -> Rows:
    return ask(fleet, dict.fromkeys(stores, StoreQuestion(statement)))


def _select_figures(since: float | None, until: float | None) -> Select[Any]:
    actual, estimated = Conversation.actual_cost_usd, Conversation.estimated_cost_usd
    trash = select(Conversation.id).where(Conversation.kind == ConversationKind.TRASH)
    made = (
        select(func.count())
        .select_from(Compaction)
        .where(Compaction.status == CompactionStatus.COMMITTED, Compaction.conversation_id.not_in(trash))
    )
    active = [Conversation.message_count > 0, Conversation.kind != ConversationKind.TRASH]
    if since is not None:
        made = made.where(Compaction.finished_at >= since)
        active.append(Conversation.last_active_at >= since)
    if until is not None:
        made = made.where(Compaction.finished_at < until)
        active.append(Conversation.last_active_at < until)
    return select(
        func.count().label("conversations"),
        func.sum(Conversation.message_count).label("messages"),
        func.sum(Conversation.input_tokens).label("input_tokens"),
        func.sum(Conversation.output_tokens).label("output_tokens"),
        func.sum(func.coalesce(actual, estimated, 0.0)).label("cost_usd"),
        func.sum(case((actual.is_(None) & estimated.is_not(None), 1), else_=0)).label("estimated"),
        func.max(Conversation.last_active_at).label("last_active_at"),
        made.scalar_subquery().label("compactions"),
    ).where(*active)
