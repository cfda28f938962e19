"""What the threads of a family mean together: what was copied, compacted, taken back. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from hermes_sessions.agents.codex.outline import CompactionMark, RollbackMark, ThreadMessage, ThreadOutline
from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.values import CompactionRow, Verdict
from hermes_sessions.handoff.grammars.codex import GRAMMAR
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
    Role,
)

_RESENT_TOKENS: Final = 20_000
"""Of the requests, newest first, that a local compaction sends again, where it does not say which."""
_TOKEN_BYTES: Final = 4


def copied_rows(outline: ThreadOutline, parent: ThreadOutline | None) -> int:
    """Return how many of a thread's first messages are another's: equal, and of turns before its own.

    Args:
        parent: the thread that it began with; None: it is gone, and the times of turns decide alone.
    """
    own = next((at for at, one in enumerate(outline.heard) if one.own_turn is True), len(outline.heard))
    if parent is None:
        older = [at for at, one in enumerate(outline.heard[:own]) if one.own_turn is False]
        return older[-1] + 1 if older else 0
    count = 0
    for mine, theirs in zip(outline.heard[:own], parent.heard, strict=False):
        if mine.key != theirs.key:
            break
        count += 1
    return count


def conclude_thread(
    work: FamilyConclusions,
    outline: ThreadOutline,
    copied: int,
    *,
    orphan: bool = False,
    live: Sequence[ThreadMessage] = (),
) -> Sequence[ThreadMessage]:
    """Conclude one thread; those it copies from were concluded before.

    Args:
        copied: how many of its first messages are another thread's; so are the compactions among them.
        orphan: the other thread is gone: which compactions it had is known by their place alone.
        live: what the model saw before the first message.

    Returns:
        What the model saw right after the last compaction and its handoff.
    """
    reading = _ThreadReading(work, outline, copied, orphan, list(live))
    settled: Sequence[ThreadMessage] = live
    last = next((one for one in reversed(outline.marks) if _is_settling(one)), None)
    marks = iter([*outline.marks, None])
    mark = next(marks)
    for at in range(len(outline.heard) + 1):
        passed = False
        while mark is not None and mark.after == at:
            reading.pass_mark(mark)
            if mark is last:
                passed, settled = True, tuple(reading.live)
            mark = next(marks)
        if at < len(outline.heard):
            reading.hear(outline.heard[at])
            if passed and outline.heard[at].is_summary:
                settled = tuple(reading.live)
    work.events.update(one.key for one in outline.marks if isinstance(one, CompactionMark))
    return settled


def reaches_back(outline: ThreadOutline) -> bool:
    """Whether more turns are taken back than were typed in an outline: it has not all of them."""
    typed, at = 0, 0
    for mark in outline.marks:
        typed += sum(one.is_typed for one in outline.heard[at : mark.after])
        at = mark.after
        if isinstance(mark, RollbackMark):
            typed -= max(mark.turns, 1)
            if typed < 0:
                return True
    return False


def _is_settling(mark: CompactionMark | RollbackMark) -> bool:
    """Whether what comes after a mark can be read without what was before: a compaction with a line."""
    return isinstance(mark, CompactionMark) and mark.stored


class _Passed(NamedTuple):
    """A compaction, as long as turns before it may be taken back.

    Attributes:
        key: of its row; None where that is another thread's.
        gone: what left the context, with the verdicts that this had before.
        live: what the model saw before it; `fresh` is what was said since the one before.
    """

    key: str | None
    gone: Mapping[int, Verdict | None]
    live: Sequence[ThreadMessage]
    fresh: Sequence[ThreadMessage]


@dataclass(slots=True)
class _ThreadReading:
    """A thread while it is gone through in its order.

    Attributes:
        live: what the model sees at this place.
        fresh: what was said since the last compaction.
        pending: the compaction whose handoff is the next message.
        passed: the compactions of this reading, oldest first.
    """

    work: FamilyConclusions
    outline: ThreadOutline
    copied: int
    orphan: bool
    live: list[ThreadMessage] = field(default_factory=list)
    fresh: list[ThreadMessage] = field(default_factory=list)
    pending: int | None = None
    passed: list[_Passed] = field(default_factory=list)

    def hear(self, heard: ThreadMessage) -> None:
        """Come to a message."""
        if heard.left:
            self.work.mark(heard.ref, state=MessageState.REWOUND)
            return
        if heard.is_summary:
            self.work.mark(heard.ref, kind=MessageKind.HANDOFF)
            if self.pending is not None:
                row = self.work.compactions[self.pending]
                self.work.compactions[self.pending] = replace(row, handoff=heard.ref)
            self.pending = None
        else:
            self.fresh.append(heard)
        self.live.append(heard)

    def pass_mark(self, mark: CompactionMark | RollbackMark) -> None:
        """Come to a compaction, or to turns that are taken back."""
        if isinstance(mark, RollbackMark):
            self._take_back(mark.turns)
        else:
            self._compact(mark)

    def _take_back(self, turns: int) -> None:
        left = max(turns, 1)
        while left > (typed := sum(one.is_typed for one in self.fresh)) and self._has_turns_before():
            left -= typed
            self._undo(self.passed.pop())
        first = None
        for one in reversed(self.fresh):
            if one.is_typed:
                first, left = one.ref, left - 1
                if not left:
                    break
        if first is None:
            return
        while self.live and self.live[-1].ref >= first:
            self.work.mark(self.live.pop().ref, state=MessageState.REWOUND)
        while self.fresh and self.fresh[-1].ref >= first:
            self.fresh.pop()

    def _has_turns_before(self) -> bool:
        """Whether something was typed before the last compaction that may be taken back with it."""
        return any(one.is_typed for passed in self.passed for one in passed.fresh)

    def _undo(self, passed: _Passed) -> None:
        """Take a compaction back with all that was said after it: what it took is there again."""
        known = {one.ref for one in passed.live}
        for one in (*self.live, *self.fresh):
            if one.ref not in known:
                self.work.mark(one.ref, state=MessageState.REWOUND)
        for ref, verdict in passed.gone.items():
            if verdict is None:
                del self.work.verdicts[ref]
            else:
                self.work.verdicts[ref] = verdict
        for at, row in enumerate(self.work.compactions):
            if row.key == passed.key and row.session == self.outline.thread:
                self.work.compactions[at] = replace(row, status=CompactionStatus.UNDONE)
        self.live, self.fresh = list(passed.live), list(passed.fresh)

    def _compact(self, mark: CompactionMark) -> None:
        self.pending = None
        kept = _kept(mark, self.live)
        within = 0 < mark.after <= self.copied
        copied = within and (self.orphan or not mark.stored or mark.key in self.work.events)
        gone = [one.ref for one in self.live if one.ref not in kept]
        before = {ref: self.work.verdicts.get(ref) for ref in gone}
        self.passed.append(_Passed(None if copied else mark.key, before, self.live, self.fresh))
        for ref in gone:
            self.work.mark(ref, state=MessageState.COMPACTED, archived_by=None if copied else mark.key)
        span = [one for one in self.fresh if one.role != Role.SESSION_META]
        if not copied:
            self.work.compactions.append(_row(mark, self.outline.thread, span, kept))
            self.pending = len(self.work.compactions) - 1
        self.live = [one for one in self.live if one.ref in kept]
        self.fresh = []


def _kept(mark: CompactionMark, live: Sequence[ThreadMessage]) -> set[int]:
    """Return the messages that go on word for word, where they are."""
    if mark.kept is None:
        return _resent(live) if mark.clear else set()
    found: set[int] = set()
    by_id = {name: one.ref for one in live for name in one.ids}
    waiting: dict[int, list[int]] = {}
    for one in live:
        if not one.is_summary:
            waiting.setdefault(one.same, []).append(one.ref)
    for told in mark.kept:
        if isinstance(told, str):
            found.update([by_id[told]] if told in by_id else [])
        elif waiting.get(told):
            found.add(waiting[told].pop(0))
    return found


def _resent(live: Sequence[ThreadMessage]) -> set[int]:
    """Return the requests that are sent again beside a local summary: the newest that have room."""
    found: set[int] = set()
    room = _RESENT_TOKENS
    for one in reversed(live):
        if not one.is_typed:
            continue
        room -= -(-one.size // _TOKEN_BYTES)
        if room < 0:
            break
        found.add(one.ref)
    return found


def _row(mark: CompactionMark, session: str, span: Sequence[ThreadMessage], kept: set[int]) -> CompactionRow:
    known = mark.summary is not None or mark.encrypted
    return CompactionRow(
        key=mark.key,
        realisation=Realisation.NATIVE,
        status=CompactionStatus.COMMITTED,
        session=session,
        span_first=span[0].ref if span else None,
        span_last=span[-1].ref if span else None,
        span_messages=len(span),
        head_messages=sum(one.ref in kept for one in span),
        summary=_body(mark.summary),
        method=CompactionMethod.MODEL if known else CompactionMethod.NONE,
        finished_at=mark.time,
        trigger=mark.trigger,
        tokens_before=mark.tokens,
        claim=mark.claim or None,
    )


def _body(text: str | None) -> str | None:
    found = GRAMMAR.spans(text) if text else ()
    return text[found[0].body_start : found[0].body_end] if text and found else None
