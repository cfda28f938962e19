"""What the sessions of a family mean together: copies, compactions, cleared results. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.opencode.outline import (
    BegunCompaction,
    EndedCompaction,
    HeardHere,
    OpenCodeOutline,
    ReplyUsage,
)
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
    Role,
)

_AT_ONCE_MS: Final = 250
"""Results that are cleared together are written one after the other, each in less."""


def conclude(work: FamilyConclusions, outline: OpenCodeOutline, copied: int) -> None:
    """Conclude one session.

    Args:
        copied: how many of its first messages are another's; so are the compactions among them.
    """
    reading = _OpenCodeReading(work, outline, copied, _reverted_from(outline))
    marks = iter([*outline.marks, None])
    mark = next(marks)
    for at in range(len(outline.heard) + 1):
        while mark is not None and mark.after == at:
            reading.pass_mark(mark)
            mark = next(marks)
        if at < len(outline.heard):
            reading.hear(at)
    reading.end()
    work.compactions.extend(_prunes(outline, copied))


@dataclass(slots=True)
class _OpenCodeReading:
    """A session while it is gone through in its order.

    Attributes:
        left: from which message on everything is taken back.
        live: what the model sees at this place.
        pending: the compaction that began and has not ended.
        again: the request that is sent again after a summary, and the place of its copy.
    """

    work: FamilyConclusions
    outline: OpenCodeOutline
    copied: int
    left: int
    live: list[HeardHere] = field(default_factory=list)
    pending: BegunCompaction | None = None
    again: tuple[int, HeardHere] | None = None

    def pass_mark(self, mark: BegunCompaction | EndedCompaction) -> None:
        """Come to the beginning or the end of a compaction."""
        if isinstance(mark, BegunCompaction):
            self.end()
            self.pending = mark
            return
        begun = self.pending
        if begun is not None and mark.parent != begun.message and mark.parent in self._begun():
            self.end()
            begun = None
        self.pending = None
        if mark.finished and mark.error is None:
            self._compact(begun, mark)
        else:
            self._fail(begun, mark)

    def hear(self, at: int) -> None:
        """Come to a message."""
        heard = self.outline.heard[at]
        if at >= self.left:
            self.work.mark(heard.ref, state=MessageState.REWOUND)
            return
        if self.again is not None and self.again[0] == at:
            self.work.mark(heard.ref, copy_of=self.work.original(self.again[1].ref))
        self.live.append(heard)

    def end(self) -> None:
        """Settle a compaction that nothing followed."""
        if self.pending is not None:
            begun, self.pending = self.pending, None
            self._fail(begun, None)

    # -- compactions -------------------------------------------------------------------------------

    def _begun(self) -> set[str | None]:
        """Return the records with which compactions begin here: those of a fork name its original's."""
        return {one.message for one in self.outline.marks if isinstance(one, BegunCompaction)}

    def _compact(self, begun: BegunCompaction | None, ended: EndedCompaction) -> None:
        handoff = self._stored(ended)
        row = self._row(begun, ended)
        if handoff is not None:
            self.work.mark(handoff.ref, kind=MessageKind.HANDOFF)
            row = replace(row, handoff=handoff.ref, summary=ended.text, method=CompactionMethod.MODEL)
        if self._is_left(ended.after):
            self._add(replace(row, status=CompactionStatus.UNDONE), ended.after)
            return
        copied = ended.after < self.copied
        stays = self._tail(begun)
        asked = self._asked_again(begun, ended, handoff is not None)
        gone = [one for one in self.live if one.ref not in stays and one is not asked]
        for one in gone:
            key = None if copied else row.key
            self.work.mark(one.ref, state=MessageState.COMPACTED, archived_by=key)
        if asked is not None:
            self.work.mark(asked.ref, state=MessageState.SUPERSEDED)
        span = [one.ref for one in gone if one.role != Role.SESSION_META and not self._is_handoff(one)]
        self.live = [one for one in self.live if one.ref in stays]
        tail = sum(one.role != Role.SESSION_META for one in self.live)
        self._add(
            replace(
                row,
                span_first=span[0] if span else None,
                span_last=span[-1] if span else None,
                span_messages=len(span),
                tail_messages=tail + (asked is not None),
            ),
            ended.after,
        )

    def _fail(self, begun: BegunCompaction | None, ended: EndedCompaction | None) -> None:
        """Record a compaction without a summary that counts."""
        after = ended.after if ended is not None else begun.after if begun is not None else 0
        error = ended.error if ended is not None else None
        status = CompactionStatus.INTERRUPTED if error is None else CompactionStatus.ABORTED
        row = replace(
            self._row(begun, ended),
            status=CompactionStatus.UNDONE if self._is_left(after) else status,
            error=error or ("the summary is not complete" if ended is not None else "no summary was written"),
        )
        self._add(row, after)

    def _add(self, row: CompactionRow, after: int) -> None:
        if after >= self.copied:
            self.work.compactions.append(row)

    def _row(self, begun: BegunCompaction | None, ended: EndedCompaction | None) -> CompactionRow:
        mark = begun or ended
        used = _last_usage(self.outline.usages, mark.after if mark is not None else 0)
        return CompactionRow(
            key=mark.message if mark is not None else "",
            realisation=Realisation.NATIVE,
            status=CompactionStatus.COMMITTED,
            session=self.outline.session.id,
            method=CompactionMethod.NONE,
            started_at=_seconds(begun.time) if begun is not None else None,
            finished_at=_seconds(ended.time) if ended is not None else None,
            trigger=None if begun is None else "auto" if begun.auto else "manual",
            tokens_before=used,
            claim={"overflow": True} if begun is not None and begun.overflow else None,
        )

    def _is_handoff(self, one: HeardHere) -> bool:
        """Whether a message is the summary of a compaction that counts: words of another one are a reply."""
        known = self.work.verdicts.get(one.ref)
        return known is not None and known.kind is MessageKind.HANDOFF

    # -- what stays --------------------------------------------------------------------------------

    def _stored(self, ended: EndedCompaction) -> HeardHere | None:
        heard = self.outline.heard
        found = heard[ended.after] if ended.after < len(heard) else None
        return found if found is not None and found.message == ended.message and found.is_summary else None

    def _tail(self, begun: BegunCompaction | None) -> set[int]:
        """Return what stays where it is, before the summary."""
        if begun is None or begun.tail is None:
            return set()
        first = next((at for at, one in enumerate(self.live) if one.message == begun.tail), None)
        return set() if first is None else {one.ref for one in self.live[first:]}

    def _asked_again(
        self, begun: BegunCompaction | None, ended: EndedCompaction, stored: bool
    ) -> HeardHere | None:
        """Return the request that is sent again after the summary, where the next message repeats it."""
        if begun is None or not begun.overflow:
            return None
        asked = next((one for one in reversed(self.live) if one.role == Role.USER), None)
        following = ended.after + stored
        heard = self.outline.heard
        if asked is None or following >= len(heard):
            return None
        copy = heard[following]
        if copy.role != Role.USER or copy.words != asked.words:
            return None
        self.again = following, asked
        return asked

    def _is_left(self, at: int) -> bool:
        return at >= self.left


def _reverted_from(outline: OpenCodeOutline) -> int:
    """Return the place from which on a session is taken back."""
    message, part = (text_of(outline.session.revert.get(name)) for name in ("messageID", "partID"))
    heard = outline.heard
    if message is None:
        return len(heard) + 1
    for at, one in enumerate(heard):
        if one.message == message and (part is None or (one.part and one.part >= part)):
            return at
    return len(heard) + 1


def _prunes(outline: OpenCodeOutline, copied: int) -> list[CompactionRow]:
    """Return the clearings of a session's own results, those of one moment as one."""
    cleared = [one for one in outline.heard[copied:] if one.cleared is not None]
    cleared.sort(key=lambda one: (one.cleared or 0.0, one.ref))
    groups: list[list[HeardHere]] = []
    for one in cleared:
        before = groups[-1][-1].cleared if groups else None
        if before is not None and (one.cleared or 0.0) - before <= _AT_ONCE_MS:
            groups[-1].append(one)
        else:
            groups.append([one])
    return [_prune(outline.session.id, sorted(group, key=lambda one: one.ref)) for group in groups]


def _prune(session: str, group: Sequence[HeardHere]) -> CompactionRow:
    return CompactionRow(
        key=f"prune:{group[0].key}",
        realisation=Realisation.NATIVE,
        status=CompactionStatus.COMMITTED,
        session=session,
        span_first=group[0].ref,
        span_last=group[-1].ref,
        span_messages=len(group),
        method=CompactionMethod.PRUNE,
        finished_at=_seconds(group[-1].cleared),
        trigger="auto",
        claim={"compactedToolIds": [one.answers for one in group]},
    )


def _last_usage(usages: Sequence[ReplyUsage], after: int) -> int | None:
    """Return how many tokens the last call before a place had in its context."""
    for one in reversed(usages):
        if one.after < after and (size := one.input + one.read + one.written + one.output):
            return size
    return None


def _seconds(time: float | None) -> float | None:
    return None if time is None else time / 1000
