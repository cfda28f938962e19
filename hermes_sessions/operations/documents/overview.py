"""The overview: what was done in a time, by day, source and model."""

from datetime import date, timedelta
from typing import Annotated

from hermes_sessions.operations.documents.document import Document, Time, says, shaped
from hermes_sessions.store.queries.overview import ActiveDay, CompactionDay, Leader, Overview

_EPOCH = date(1970, 1, 1)
Day = Annotated[str, says("", format="date")]


class ActiveDayJson(Document, frozen=True, kw_only=True):
    """Conversations of one kind last active on a day."""

    day: Day
    kind: str
    conversations: int
    messages: int


class CompactionDayJson(Document, frozen=True, kw_only=True):
    """The committed compactions of a day, and the tokens that they saved."""

    day: Day
    compactions: int
    told: Annotated[int, says("So many carry their agent's own sizes.")]
    told_saved: int
    measured: Annotated[int, says("Of so many the audit estimated both sizes.")]
    measured_saved: int


class GroupJson(Document, frozen=True, kw_only=True):
    """Conversations added up by source or model."""

    name: Annotated[str | None, says("Null where it is not known.")]
    conversations: int
    messages: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    estimated: Annotated[int, says("How many of the costs are estimates.")]


class LeaderJson(Document, frozen=True, kw_only=True):
    """A conversation among the biggest, or the most compacted."""

    id: str
    title: str | None
    preview: str | None
    source: str | None
    messages: int
    compactions: int
    last_active_at: Time


class StoreSizeJson(Document, frozen=True, kw_only=True):
    """How much the store holds, whatever the time asked for."""

    bytes: int
    conversations: int
    sessions: int
    rows: int
    compactions: Annotated[int, says("Without prunes.")]
    prunes: int


class OverviewJson(Document, frozen=True, kw_only=True):
    """What was done in a time."""

    first: Day
    last: Day
    days: Annotated[list[ActiveDayJson], says("Days on which nothing happened are left out.")]
    compactions: list[CompactionDayJson]
    retained: Annotated[
        float | None, says("Mean share of the facts that matter in sight after a compaction.")
    ]
    sources: list[GroupJson]
    models: list[GroupJson]
    biggest: list[LeaderJson]
    most_compacted: list[LeaderJson]
    store: StoreSizeJson


def overview_document(found: Overview, first: date, last: date) -> OverviewJson:
    """Return the figures of the days from *first* to *last*."""
    return OverviewJson(
        first=first.isoformat(),
        last=last.isoformat(),
        days=[_active(one) for one in found.days],
        compactions=[_compacted(one) for one in found.compactions],
        retained=found.retained,
        sources=[shaped(one, GroupJson) for one in found.sources],
        models=[shaped(one, GroupJson) for one in found.models],
        biggest=[_leader(one) for one in found.biggest],
        most_compacted=[_leader(one) for one in found.most_compacted],
        store=shaped(found.size, StoreSizeJson),
    )


def _active(one: ActiveDay) -> ActiveDayJson:
    return ActiveDayJson(
        day=_iso(one.day), kind=one.kind, conversations=one.conversations, messages=one.messages
    )


def _compacted(one: CompactionDay) -> CompactionDayJson:
    return CompactionDayJson(
        day=_iso(one.day),
        compactions=one.compactions,
        told=one.told,
        told_saved=one.told_saved,
        measured=one.measured,
        measured_saved=one.measured_saved,
    )


def _leader(one: Leader) -> LeaderJson:
    return LeaderJson(
        id=one.public_id,
        title=one.title,
        preview=one.preview,
        source=one.source,
        messages=one.message_count,
        compactions=one.compaction_count,
        last_active_at=one.last_active_at,
    )


def _iso(day: int) -> str:
    return (_EPOCH + timedelta(days=day)).isoformat()
