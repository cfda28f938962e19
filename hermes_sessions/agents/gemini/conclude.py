"""What the changes of a list mean: compactions, cleared results, what was taken back. Pure."""

from dataclasses import dataclass, field

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.gemini.ledger import Cleared, MessageLedger, Shortened
from hermes_sessions.agents.session_files.reading import HeardSession
from hermes_sessions.agents.session_files.told import RememberedMessage, SessionOutline
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.errors import SourceChangedError
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
)


@dataclass(slots=True)
class GeminiOutline(SessionOutline):
    """A session's outline, with its ledger.

    Attributes:
        rows: id of a message -> the places of its rows among the session's messages.
        results: (id, result) -> the place of its row.
        summaries: id of a summary -> its text.
    """

    ledger: MessageLedger = field(default_factory=MessageLedger)
    rows: dict[str, range] = field(default_factory=dict)
    results: dict[tuple[str, str], int] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)


def conclude_session(work: FamilyConclusions, session: HeardSession[GeminiOutline]) -> None:
    """Conclude one session.

    Raises:
        SourceChangedError: its file was rewritten while it was read.
    """
    outline = session.outline
    for one in session.heard:
        if one.is_summary:
            work.mark(one.ref, kind=MessageKind.HANDOFF)
    for event in outline.ledger.events:
        if isinstance(event, Shortened):
            work.compactions.append(_compaction(work, session, event))
        else:
            work.compactions.append(_prune(session, event))
    for name in outline.ledger.live:
        for row in _rows(session, name):
            if row.ref in work.verdicts:  # it left the list, and was put into it again
                work.mark(row.ref, state=None, archived_by=None)
    for name in outline.ledger.rewound:
        for row in _rows(session, name):
            work.mark(row.ref, state=MessageState.REWOUND, archived_by=None)


def _compaction(
    work: FamilyConclusions, session: HeardSession[GeminiOutline], event: Shortened
) -> CompactionRow:
    gone = [row for name in event.gone for row in _rows(session, name)]
    kept = [row for name in event.kept for row in _rows(session, name) if row.is_said]
    span = [row.ref for row in gone if row.is_said]
    for row in gone:
        work.mark(row.ref, state=MessageState.COMPACTED, archived_by=event.key)
    handoff = _handoff(session, event.handoff) if event.handoff is not None else None
    return CompactionRow(
        key=event.key,
        realisation=Realisation.NATIVE,
        status=CompactionStatus.COMMITTED,
        session=session.id,
        span_first=span[0] if span else None,
        span_last=span[-1] if span else None,
        span_messages=len(span) if event.stored else None,
        span_stored=event.stored,
        tail_messages=len(kept) if event.stored else 0,
        handoff=handoff.ref if handoff is not None else None,
        summary=session.outline.summaries.get(event.handoff or ""),
        method=CompactionMethod.MODEL if handoff is not None else CompactionMethod.NONE,
        finished_at=event.time,
    )


def _prune(session: HeardSession[GeminiOutline], event: Cleared) -> CompactionRow:
    places = [session.outline.results[one] for one in event.results if one in session.outline.results]
    span = [session.heard[at] for at in sorted(places)]
    return CompactionRow(
        key=event.key,
        realisation=Realisation.NATIVE,
        status=CompactionStatus.COMMITTED,
        session=session.id,
        span_first=span[0].ref if span else None,
        span_last=span[-1].ref if span else None,
        span_messages=len(span),
        method=CompactionMethod.PRUNE,
        finished_at=event.time,
        claim={"compactedToolIds": [one.answers for one in span if one.answers is not None]},
    )


def _handoff(session: HeardSession[GeminiOutline], name: str) -> RememberedMessage:
    """Return the first row of a summary, which has one unless its line changed after the ledger was made."""
    rows = _rows(session, name)
    if not rows:
        raise SourceChangedError(f"{session.session.file.path}: rewritten while it was read")
    return rows[0]


def _rows(session: HeardSession[GeminiOutline], name: str) -> list[RememberedMessage]:
    places = session.outline.rows.get(name, range(0))
    return list(session.heard[places.start : places.stop])
