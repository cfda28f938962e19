"""What was done in a time, added up: by day, source and model; compactions and what they saved.

Every figure is an aggregate over conversations and compactions, never over messages, so that
it costs the same however long the conversations are. A conversation counts where it was last
active; one without messages does not count.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, case, cast, func, literal, select, text
from sqlalchemy import orm as sa_orm

from hermes_sessions.messages import CompactionMethod, CompactionStatus, ConversationKind
from hermes_sessions.store.queries.compactions import count_prunes
from hermes_sessions.store.schema.models import Compaction, Conversation, Session

DAY_SECONDS = 86_400
_JUST_UNDER_HALF = 0.499999
"""Taken off before rounding, which every engine can, to round down, which not every one can."""


@dataclass(frozen=True, slots=True)
class Offset:
    """From a time on (epoch seconds) clocks run so many seconds ahead of UTC."""

    since: float
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewQuery:
    """Which time an overview covers, and how its days are cut.

    Attributes:
        since: earliest last activity, included; None for everything, times unknown as well.
        until: latest last activity, not included; None for everything.
        offsets: the zone's clock changes, oldest first, at least one; the first holds before it too.
        leaders: how many of the biggest and of the most-compacted conversations to name.
    """

    since: float | None = None
    until: float | None = None
    offsets: tuple[Offset, ...] = (Offset(0.0, 0),)
    leaders: int = 5


@dataclass(frozen=True, slots=True)
class ActiveDay:
    """Conversations of one kind last active on a day; days are counted from 1 January 1970."""

    day: int
    kind: str
    conversations: int
    messages: int


@dataclass(frozen=True, slots=True)
class CompactionDay:
    """Committed compactions of a day, and the tokens by which they made the context shorter.

    `told` of them say both their sizes; the audit `measured` both sizes of so many.
    """

    day: int
    compactions: int
    told: int
    told_saved: int
    measured: int
    measured_saved: int


@dataclass(frozen=True, slots=True)
class OverviewGroup:
    """The conversations of one source or model, added up; `name` is None where it is not known."""

    name: str | None
    conversations: int
    messages: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    estimated: int
    """How many of the costs are estimates of their agent's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    """A conversation that stands out."""

    public_id: str
    title: str | None
    preview: str | None
    source: str | None
    message_count: int
    compaction_count: int
    last_active_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSize:
    """How much the store holds, whatever the time asked for."""

    bytes: int
    conversations: int
    sessions: int
    rows: int
    compactions: int
    prunes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """All figures of one time."""

    days: tuple[ActiveDay, ...]
    compactions: tuple[CompactionDay, ...]
    retained: float | None
    """Mean share of the facts that matter in sight, over the audited compactions of the time."""
    sources: tuple[OverviewGroup, ...]
    models: tuple[OverviewGroup, ...]
    biggest: tuple[Leader, ...]
    most_compacted: tuple[Leader, ...]
    size: StoreSize


def load_overview(db: sa_orm.Session, query: OverviewQuery) -> Overview:
    """Add up a time; the statements are as many whatever the store holds."""
    sources, models = _groups(db, query)
    return Overview(
        days=_days(db, query),
        compactions=_compactions(db, query),
        retained=db.scalar(select(func.avg(Compaction.retained)).where(*_finished(query))),
        sources=sources,
        models=models,
        biggest=_leaders(db, query, Conversation.message_count),
        most_compacted=_leaders(db, query, Conversation.compaction_count),
        size=_size(db),
    )


def active_span(db: sa_orm.Session) -> tuple[float, float] | None:
    """Return the first and the last known time of activity, or None where none is known."""
    first, last = db.execute(select_span()).one()
    return None if first is None or last is None else (first, last)


def select_span() -> Select[Any]:
    """Return a statement with one row: the `first` and the `last` known time of activity."""
    known = Conversation.last_active_at > 0
    # Each end by itself: an index gives one of them in a seek, and both at once only by a scan.
    first, last = (
        select(one(Conversation.last_active_at)).where(known).scalar_subquery()
        for one in (func.min, func.max)
    )
    return select(first.label("first"), last.label("last"))


# -- conversations ---------------------------------------------------------------------------------


def _active(query: OverviewQuery) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [
        Conversation.message_count > 0, Conversation.kind != ConversationKind.TRASH
    ]  # fmt: skip
    if query.since is not None:
        found.append(Conversation.last_active_at >= query.since)
    if query.until is not None:
        found.append(Conversation.last_active_at < query.until)
    return found


def _days(db: sa_orm.Session, query: OverviewQuery) -> tuple[ActiveDay, ...]:
    return tuple(active_day(row) for row in db.execute(select_days(query)))


def active_day(row: Sequence[Any]) -> ActiveDay:
    """Return what a row of `select_days` says."""
    day, kind, *counts = row
    return ActiveDay(int(day), kind, *map(int, counts))


def select_days(query: OverviewQuery) -> Select[Any]:
    """Return a statement with a row for each day and kind of conversation, in the order of `ActiveDay`."""
    day = _day(Conversation.last_active_at, query.offsets).label("day")
    return (
        select(
            day,
            Conversation.kind.label("kind"),
            func.count().label("conversations"),
            func.sum(Conversation.message_count).label("messages"),
        )
        .where(*_active(query), Conversation.last_active_at > 0)
        .group_by(text("day"), Conversation.kind)
        .order_by(text("day"), Conversation.kind)
    )


def _groups(
    db: sa_orm.Session, query: OverviewQuery
) -> tuple[tuple[OverviewGroup, ...], tuple[OverviewGroup, ...]]:
    """Add up by source and by model in one pass, the group with most messages first."""
    actual, estimated = Conversation.actual_cost_usd, Conversation.estimated_cost_usd
    guessed = case((actual.is_(None) & estimated.is_not(None), 1), else_=0)
    source, model = func.nullif(Conversation.source, ""), func.nullif(Conversation.model, "")
    stmt = (
        select(
            source, model, func.count(), func.sum(Conversation.message_count),
            func.sum(Conversation.input_tokens), func.sum(Conversation.output_tokens),
            func.sum(func.coalesce(actual, estimated, 0.0)), func.sum(guessed),
        )
        .where(*_active(query))
        .group_by(source, model)
    )  # fmt: skip
    rows = [
        (
            source,
            model,
            OverviewGroup(None, int(count), int(total), int(given), int(got), float(cost), int(guesses)),
        )
        for source, model, count, total, given, got, cost, guesses in db.execute(stmt)
    ]
    sources = _joined((source, group) for source, _, group in rows)
    return sources, _joined((model, group) for _, model, group in rows)


def _joined(groups: Iterable[tuple[str | None, OverviewGroup]]) -> tuple[OverviewGroup, ...]:
    found: dict[str | None, OverviewGroup] = {}
    for name, one in groups:
        known = found.get(name) or OverviewGroup(name, 0, 0, 0, 0, 0.0, 0)
        found[name] = OverviewGroup(
            name,
            known.conversations + one.conversations,
            known.messages + one.messages,
            known.input_tokens + one.input_tokens,
            known.output_tokens + one.output_tokens,
            known.cost_usd + one.cost_usd,
            known.estimated + one.estimated,
        )
    return tuple(sorted(found.values(), key=lambda group: (-group.messages, group.name or "")))


def _leaders(
    db: sa_orm.Session, query: OverviewQuery, column: sa_orm.InstrumentedAttribute[int]
) -> tuple[Leader, ...]:
    columns = [getattr(Conversation, name) for name in Leader.__slots__]
    stmt = select(*columns).where(*_active(query), column > 0)
    rows = db.execute(stmt.order_by(column.desc(), Conversation.id.desc()).limit(query.leaders))
    return tuple(Leader(**row._mapping) for row in rows)


# -- compactions -----------------------------------------------------------------------------------


def _finished(query: OverviewQuery) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [
        Compaction.status == CompactionStatus.COMMITTED, Compaction.finished_at.is_not(None),
        Compaction.method != CompactionMethod.PRUNE,
        Compaction.conversation_id.not_in(
            select(Conversation.id).where(Conversation.kind == ConversationKind.TRASH)
        ),
    ]  # fmt: skip
    if query.since is not None:
        found.append(Compaction.finished_at >= query.since)
    if query.until is not None:
        found.append(Compaction.finished_at < query.until)
    return found


def _compactions(db: sa_orm.Session, query: OverviewQuery) -> tuple[CompactionDay, ...]:
    return tuple(CompactionDay(*map(int, row)) for row in db.execute(select_compaction_days(query)))


def select_compaction_days(query: OverviewQuery) -> Select[Any]:
    """Return a statement with a row for each day, in the order of `CompactionDay`."""
    day = _day(Compaction.finished_at, query.offsets).label("day")
    told = _saved(Compaction.tokens_before, Compaction.tokens_after)
    sizes = Compaction.audit["sizes"]
    measured = _saved(sizes["before"].as_integer(), sizes["after"].as_integer())
    counts = zip(CompactionDay.__slots__[1:], (func.count(), *told, *measured), strict=True)
    return (
        select(day, *(count.label(name) for name, count in counts))
        .where(*_finished(query))
        .group_by(text("day"))
        .order_by(text("day"))
    )


def _saved(before: Any, after: Any) -> tuple[ColumnElement[int], ColumnElement[int]]:
    """Return how many rows have both sizes, and the sum of their differences."""
    known = before.is_not(None) & after.is_not(None)
    return func.sum(case((known, 1), else_=0)), func.sum(case((known, before - after), else_=0))


def _day(at: ColumnElement[Any] | sa_orm.InstrumentedAttribute[Any], offsets: Sequence[Offset]) -> Any:
    """Return the local day of a time, counted from 1 January 1970."""
    ahead: Any = literal(offsets[0].seconds, BigInteger)
    if len(offsets) > 1:
        changes = [(at >= one.since, one.seconds) for one in reversed(offsets[1:])]
        ahead = case(*changes, else_=offsets[0].seconds)
    seconds = cast(func.round(at + ahead - _JUST_UNDER_HALF), BigInteger)
    return seconds // DAY_SECONDS


# -- the store -------------------------------------------------------------------------------------


def stored_bytes(db: sa_orm.Session) -> int:
    """Return how much disk the store takes, indexes included."""
    if db.get_bind().dialect.name == "sqlite":
        pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    else:
        pages = "SELECT pg_database_size(current_database())"
    return int(db.scalar(text(pages)) or 0)


def _size(db: sa_orm.Session) -> StoreSize:
    sessions, rows = db.execute(select(func.count(), func.sum(Session.message_count))).one()
    return StoreSize(
        bytes=stored_bytes(db),
        conversations=int(db.scalar(select(func.count()).select_from(Conversation)) or 0),
        sessions=int(sessions),
        rows=int(rows or 0),
        compactions=int(db.scalar(select(func.count() - count_prunes()).select_from(Compaction)) or 0),
        prunes=int(db.scalar(select(count_prunes())) or 0),
    )
