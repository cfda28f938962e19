"""What the sessions of a family mean together: copies, compactions, cleared results. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hermes_sessions.agents.claude_code.outline import EventMark, HeardMessage, Outline
from hermes_sessions.agents.claude_code.rewinds import LeftBehind, rewound
from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.handoff.grammars.claude_code import GRAMMAR
from hermes_sessions.lineage import Placement, Relation
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
    Role,
)


@dataclass(slots=True)
class Conclusions(FamilyConclusions):
    """What became of a family's messages.

    Attributes:
        known: record -> the message that has it first.
    """

    known: dict[str, HeardMessage] = field(default_factory=dict)


def conclude_session(
    work: Conclusions, session: str, outline: Outline, placed: Placement
) -> Sequence[HeardMessage]:
    """Conclude one session; those it copies from were concluded before.

    Returns:
        What the model saw right after the summary at which the outline is settled; nothing where that
        was taken back, where some of it is a copy, or where there is none.
    """
    _fold_copies(work, session, outline, placed)
    left = rewound(outline)
    for ref in left.messages:
        work.mark(ref, state=MessageState.REWOUND)
    reading = _SessionReading(work, session, outline, left, list(outline.live))
    settled: Sequence[HeardMessage] = ()
    marks = iter([*outline.marks, None])
    mark = next(marks)
    for at in range(len(outline.heard) + 1):
        while mark is not None and mark.after == at:
            reading.pass_mark(mark)
            mark = next(marks)
        if at < len(outline.heard):
            reading.hear(at)
            if at + 1 == outline.settled and outline.heard[at].ref not in left.messages:
                copied = any(work.original(one.ref) != one.ref for one in reading.live)
                settled = () if copied else tuple(reading.live)
    reading.end()
    work.events.update(one.record.uuid for one in outline.marks if one.record.uuid is not None)
    for heard in outline.heard:
        for uuid in heard.uuids:
            work.known.setdefault(uuid, heard)
    return settled


def _fold_copies(work: Conclusions, session: str, outline: Outline, placed: Placement) -> None:
    """Fold what other sessions said first; what a branch begins with is inherited instead."""
    leading = placed.relation is Relation.BRANCH
    for at, heard in enumerate(outline.heard):
        source = next((work.known[uuid] for uuid in heard.uuids if uuid in work.known), None)
        if source is None:
            leading = False
        elif leading:
            work.inherited[session] = at + 1
        elif source.role == heard.role:
            work.mark(heard.ref, copy_of=work.original(source.ref))


@dataclass(slots=True)
class _SessionReading:
    """A session while it is gone through in its order.

    Attributes:
        live: what the model sees at this place.
        again: copies of kept messages: their number -> the message that they repeat.
        aside: what the model saw on a side that was left; None: this place is on no such side.
    """

    work: Conclusions
    session: str
    outline: Outline
    left: LeftBehind
    live: list[HeardMessage] = field(default_factory=list)
    aside: list[HeardMessage] | None = None
    pending: EventMark | None = None
    again: dict[int, HeardMessage] = field(default_factory=dict)

    def pass_mark(self, mark: EventMark) -> None:
        """Come to a boundary or to a clearing."""
        if mark.record.is_prune:
            self._prune(mark)
            return
        self.end()
        self.pending = mark

    def hear(self, at: int) -> None:
        """Come to a message."""
        heard = self.outline.heard[at]
        if heard.ref in self.left.messages:
            self._hear_left(heard)
            return
        self.aside = None
        if heard.is_summary:
            self.work.mark(heard.ref, kind=MessageKind.HANDOFF)
            self._compact(self.pending, heard, at + 1)
        elif self.pending is not None and heard.role != Role.SESSION_META:
            self.end()
        if heard.ref in self.again:
            self.work.mark(heard.ref, copy_of=self.work.original(self.again[heard.ref].ref))
        self.live.append(heard)

    def _hear_left(self, heard: HeardMessage) -> None:
        """Come to a message that was taken back."""
        if heard.is_summary:
            self.work.mark(heard.ref, kind=MessageKind.HANDOFF)
            self._undo(self.pending, heard)
        elif self.pending is not None and heard.role != Role.SESSION_META:
            self.end()
        self._aside().append(heard)

    def _aside(self) -> list[HeardMessage]:
        """Return what the model sees on the side that was left, which begins here if it has not."""
        self.aside = list(self.live) if self.aside is None else self.aside
        return self.aside

    def end(self) -> None:
        """Settle a boundary that no summary follows."""
        if self.pending is not None and self.pending.record.uuid in self.left.boundaries:
            self._undo(self.pending, None)
        elif self.pending is not None:
            self._compact(self.pending, None, len(self.outline.heard))

    def _compact(self, mark: EventMark | None, summary: HeardMessage | None, following: int) -> None:
        self.pending = None
        key = (mark and mark.record.uuid) or (summary.key if summary is not None else None)
        if key is None:
            return
        told = _metadata(mark, "compactMetadata")
        relinked = _relinked(told, self.live, self.outline.links)
        rewritten = self._written_again(mark, following)
        kept = relinked | {one.ref for one in rewritten.values()}
        self.again.update(rewritten)
        gone = [one for one in self.live if one.ref not in kept]
        span = [one for one in gone if one.role != Role.SESSION_META and not one.is_summary]
        copied = key in self.work.events or (summary is not None and _is_known(self.work, summary))
        for one in gone:
            self._archive(one, None if copied else key)
        for one in rewritten.values():
            self.work.mark(one.ref, state=MessageState.SUPERSEDED)
        self.live = [one for one in self.live if one.ref in relinked]
        if not copied:
            row = self._row(key, mark, summary, span)
            if not any(one.role != Role.SESSION_META for one in self._told_before(mark, following)):
                row = replace(row, span_messages=None, span_stored=False)
            stayed = sum(one.role != Role.SESSION_META for one in self.live)
            self.work.compactions.append(replace(row, tail_messages=stayed + len(rewritten)))

    def _undo(self, mark: EventMark | None, summary: HeardMessage | None) -> None:
        """Note a compaction of a side that was left: what it summarised goes on as it was."""
        self.pending = None
        key = (mark and mark.record.uuid) or (summary.key if summary is not None else None)
        saw = self._aside()
        relinked = _relinked(_metadata(mark, "compactMetadata"), saw, self.outline.links)
        self.aside = [one for one in saw if one.ref in relinked]
        known = key in self.work.events or (summary is not None and _is_known(self.work, summary))
        if key is None or known:
            return
        gone = [one for one in saw if one.ref not in relinked]
        span = [one for one in gone if one.role != Role.SESSION_META and not one.is_summary]
        row = self._row(key, mark, summary, span)
        stayed = sum(one.role != Role.SESSION_META for one in self.aside)
        self.work.compactions.append(replace(row, status=CompactionStatus.UNDONE, tail_messages=stayed))

    def _row(
        self, key: str, mark: EventMark | None, summary: HeardMessage | None, span: Sequence[HeardMessage]
    ) -> CompactionRow:
        refs = [self.work.original(one.ref) for one in span]
        text = self.outline.summaries.get(summary.ref) if summary is not None else None
        return replace(_compaction(key, self.session, mark, summary, refs), summary=_body(text))

    def _told_before(self, mark: EventMark | None, following: int) -> Sequence[HeardMessage]:
        """Return what is known of the session before a compaction; nothing where its file begins with it."""
        end = mark.after if mark is not None else following - 1
        return [*self.outline.live, *self.outline.heard[:end]]

    def _archive(self, one: HeardMessage, key: str | None) -> None:
        self.work.mark(one.ref, state=MessageState.COMPACTED, archived_by=key)
        source = self.work.original(one.ref)
        if source != one.ref and key is not None:
            self.work.mark(source, archived_by=key)

    def _written_again(self, mark: EventMark | None, following: int) -> dict[int, HeardMessage]:
        """Return the messages after a summary that repeat kept ones, with time and content."""
        at = mark.record.time if mark is not None else None
        waiting = {one.same: one for one in self.live if one.role != Role.SESSION_META}
        found: dict[int, HeardMessage] = {}
        for one in self.outline.heard[following:]:
            if one.role == Role.SESSION_META:
                continue
            source = waiting.pop(one.same, None)
            if source is None or at is None or one.created_at is None or one.created_at > at:
                break
            found[one.ref] = source
        return found

    def _prune(self, mark: EventMark) -> None:
        key = mark.record.uuid
        if key is None or key in self.work.events:
            return
        told = _metadata(mark, "microcompactMetadata")
        named = told.get("compactedToolIds")
        ids = {one for one in named if isinstance(one, str)} if isinstance(named, list) else set()
        heard = self.outline.heard[: mark.after]
        cleared = [self.work.original(one.ref) for one in heard if one.answers in ids]
        before, saved = _number(told.get("preTokens")), _number(told.get("tokensSaved"))
        row = _row(key, self.session, mark, cleared, told)
        self.work.compactions.append(
            replace(
                row,
                method=CompactionMethod.PRUNE,
                tokens_before=before,
                tokens_after=before - saved if before is not None and saved is not None else None,
            )
        )


def _compaction(
    key: str, session: str, mark: EventMark | None, summary: HeardMessage | None, span: Sequence[int]
) -> CompactionRow:
    told = _metadata(mark, "compactMetadata")
    row = _row(key, session, mark, span, told)
    finished = row.finished_at if row.finished_at is not None else summary and summary.created_at
    took = _number(told.get("durationMs"))
    return replace(
        row,
        handoff=summary.ref if summary is not None else None,
        method=CompactionMethod.MODEL if summary is not None else CompactionMethod.NONE,
        started_at=finished - took / 1000 if finished is not None and took is not None else None,
        finished_at=finished,
        tokens_before=_number(told.get("preTokens")),
        tokens_after=_number(told.get("postTokens")),
    )


def _body(text: str | None) -> str | None:
    found = GRAMMAR.spans(text) if text else ()
    return text[found[0].body_start : found[0].body_end] if text and found else None


def _row(
    key: str, session: str, mark: EventMark | None, span: Sequence[int], told: Mapping[str, Any]
) -> CompactionRow:
    return CompactionRow(
        key=key,
        realisation=Realisation.NATIVE,
        status=CompactionStatus.COMMITTED,
        session=session,
        span_first=span[0] if span else None,
        span_last=span[-1] if span else None,
        span_messages=len(span),
        finished_at=mark.record.time if mark is not None else None,
        trigger=text_of(told.get("trigger")),
        focus=text_of(told.get("userContext")),
        claim=dict(told) or None,
    )


def _relinked(told: Mapping[str, Any], live: Sequence[HeardMessage], records: Iterable[int]) -> set[int]:
    """Return the messages that a boundary names as kept where they are.

    Args:
        records: hashes of the ids of all records, in their order: a kept run may begin or end with one
            that is no message.
    """
    preserved, segment = told.get("preservedMessages"), told.get("preservedSegment")
    named = preserved.get("uuids") if isinstance(preserved, dict) else None
    if isinstance(named, list) and named:
        wanted = {one for one in named if isinstance(one, str)}
        return {one.ref for one in live if not wanted.isdisjoint(one.uuids)}
    if not isinstance(segment, dict):
        return set()
    head, tail = segment.get("headUuid"), segment.get("tailUuid")
    first = next((at for at, one in enumerate(live) if head in one.uuids), None)
    last = next((at for at, one in enumerate(live) if tail in one.uuids), None)
    if first is None or last is None:
        places = {name: at for at, name in enumerate(records)}
        begins = [min((places.get(hash(uuid), -1) for uuid in one.uuids), default=-1) for one in live]
        if first is None and (place := places.get(hash(head))) is not None:
            first = next((at for at, begin in enumerate(begins) if begin > place), None)
        if last is None and (place := places.get(hash(tail))) is not None:
            last = next((at for at in reversed(range(len(live))) if begins[at] < place), None)
    return set() if first is None or last is None else {one.ref for one in live[first : last + 1]}


def _is_known(work: Conclusions, heard: HeardMessage) -> bool:
    return any(uuid in work.known for uuid in heard.uuids)


def _metadata(mark: EventMark | None, name: str) -> Mapping[str, Any]:
    found = mark.record.value.get(name) if mark is not None else None
    return found if isinstance(found, dict) else {}


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None
