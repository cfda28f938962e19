"""What the labels of a task's messages mean: compactions, messages that are hidden. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.roo.beside import ToldBeside, ToldEvent
from hermes_sessions.agents.session_files.reading import HeardSession
from hermes_sessions.agents.session_files.told import RememberedMessage, SessionOutline
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
)


class HistoryItem(NamedTuple):
    """What is remembered of an item.

    Attributes:
        rows: the places of its messages among the session's.
        hides: the id of the compaction that it is; "" for every other item.
        hidden_by: ids of those that hide it.
        summary: the text of the summary that it is.
    """

    rows: range
    time: float | None
    hides: str
    hidden_by: tuple[str, ...]
    summary: str | None


@dataclass(slots=True)
class RooOutline(SessionOutline):
    """A session's outline, with its items."""

    items: list[HistoryItem] = field(default_factory=list)
    beside: ToldBeside = field(default_factory=ToldBeside)


def conclude_session(work: FamilyConclusions, session: HeardSession[RooOutline]) -> None:
    """Conclude one session."""
    for one in session.heard:
        if one.is_summary:
            work.mark(one.ref, kind=MessageKind.HANDOFF)
    events = {one.hides: at for at, one in reversed(list(enumerate(session.outline.items))) if one.hides}
    spans: dict[str, list[RememberedMessage]] = {key: [] for key in events}
    for at, item in enumerate(session.outline.items):
        # A message whose compaction is not there any more is sent again.
        owner = next((one for one in item.hidden_by if one in events and events[one] != at), None)
        if owner is not None:
            for row in session.heard[item.rows.start : item.rows.stop]:
                work.mark(row.ref, state=MessageState.COMPACTED, archived_by=owner)
                spans[owner].append(row)
    told = _Told(session.outline.beside.events)
    for key, at in sorted(events.items(), key=lambda pair: pair[1]):
        found = _compaction(session, at, [one.ref for one in spans[key] if one.is_said])
        work.compactions.append(_with_told(found, session, at, told.of(session.outline.items[at])))
    for number, (time, why) in enumerate(session.outline.beside.failed):
        work.compactions.append(_failed(session.id, number, time, why))


def _compaction(session: HeardSession[RooOutline], at: int, span: Sequence[int]) -> CompactionRow:
    item = session.outline.items[at]
    handoff = session.heard[item.rows.start] if item.summary is not None and item.rows else None
    head = 0
    for earlier in reversed(session.outline.items[:at] if handoff is not None else ()):
        if earlier.hidden_by or earlier.hides:
            break
        head += len(earlier.rows)
    return CompactionRow(
        key=item.hides,
        realisation=Realisation.IN_PLACE,
        status=CompactionStatus.COMMITTED,
        session=session.id,
        span_first=span[0] if span else None,
        span_last=span[-1] if span else None,
        span_messages=len(span) if span else None,
        span_stored=bool(span),
        head_messages=head,
        handoff=handoff.ref if handoff is not None else None,
        summary=item.summary,
        method=CompactionMethod.MODEL if handoff is not None else CompactionMethod.NONE,
        finished_at=item.time,
    )


class _Told:
    """What the screen was told of compactions, by their ids, else by their summaries."""

    def __init__(self, events: Sequence[ToldEvent]) -> None:
        self._by_key = {one.key: one for one in events if one.key is not None}
        unnamed = [one for one in events if one.key is None and one.summary is not None]
        self._by_summary = {(one.summary or "").strip(): one for one in unnamed}

    def of(self, item: HistoryItem) -> ToldEvent | None:
        """Return what was told of a compaction."""
        summary = None if item.summary is None else item.summary.strip()
        return self._by_key.get(item.hides) or (self._by_summary.get(summary) if summary else None)


def _with_told(
    row: CompactionRow, session: HeardSession[RooOutline], at: int, told: ToldEvent | None
) -> CompactionRow:
    """Return a compaction with its tokens, and with the messages after it that are older than itself."""
    if told is None:
        return row
    kept = 0
    for item in session.outline.items[at + 1 :]:
        if item.hides or told.time is None or item.time is None or item.time > told.time:
            break
        kept += sum(one.is_said for one in session.heard[item.rows.start : item.rows.stop])
    return replace(
        row,
        tail_messages=kept,
        finished_at=told.time or row.finished_at,
        tokens_before=told.before,
        tokens_after=told.after,
    )


def _failed(session: str, number: int, time: float | None, why: str) -> CompactionRow:
    return CompactionRow(
        key=f"failed:{session}:{number}:{time}",
        realisation=Realisation.IN_PLACE,
        status=CompactionStatus.ABORTED,
        session=session,
        finished_at=time,
        error=why,
    )
