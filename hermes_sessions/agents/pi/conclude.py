"""What the sessions of a family mean together: copies, abandoned branches, compactions. Pure."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from hermes_sessions.agents.concluding.conclusions import FamilyConclusions
from hermes_sessions.agents.pi.tree import CompactionTold, PiNode, PiOutline, leading, upwards
from hermes_sessions.agents.session_files.reading import HeardSession
from hermes_sessions.agents.session_files.told import RememberedMessage
from hermes_sessions.agents.values import CompactionRow
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
)

_STEPS: Final = 4
"""How often each entry may be looked at for what abandoned compactions summarised."""


def conclude_session(work: FamilyConclusions, session: HeardSession[PiOutline]) -> None:
    """Conclude one session; those it copies from were concluded before."""
    _fold_copies(work, session)
    for one in session.heard:
        if one.is_summary:
            work.mark(one.ref, kind=MessageKind.HANDOFF)
    nodes = session.outline.nodes
    led = leading(nodes)
    reading, before = _PathReading(work, session), len(work.compactions)
    for place in led:
        reading.come_to(nodes[place])
    on_path = set(led)
    left = [place for place in range(len(nodes)) if place not in on_path]
    for place in left:
        said = nodes[place].message
        if said is not None:
            work.mark(session.heard[said].ref, state=MessageState.REWOUND)
    _undo(work, session, left)
    places = {node.compaction.key: at for at, node in enumerate(nodes) if node.compaction is not None}
    work.compactions[before:] = sorted(work.compactions[before:], key=lambda row: places[row.key])
    work.events.update(places)


def _fold_copies(work: FamilyConclusions, session: HeardSession[PiOutline]) -> None:
    """Let a fork inherit what it begins with of its parent; what comes later of it is a copy."""
    if session.parent is None:
        return
    theirs = {one.key: one for one in session.parent.heard}
    delegate = session.session.file.facts.delegate
    begins = not delegate
    for at, one in enumerate(session.heard):
        source = theirs.get(one.key)
        if source is None or source.role != one.role:
            begins = False
        elif begins:
            work.inherited[session.id] = at + 1
        else:
            work.mark(one.ref, copy_of=work.original(source.ref))


@dataclass(slots=True)
class _PathReading:
    """The entries that lead to the newest one, while they are gone through.

    Attributes:
        live: what the model sees at this place, with the place of its entry on the path.
        passed: id of an entry -> its place on the path.
        numbers: of the entries passed, by place.
    """

    work: FamilyConclusions
    session: HeardSession[PiOutline]
    live: list[tuple[int, RememberedMessage]] = field(default_factory=list)
    passed: dict[str, int] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=list)

    def come_to(self, node: PiNode) -> None:
        """Come to an entry."""
        said = None if node.message is None else self.session.heard[node.message]
        if node.compaction is not None:
            self._compact(node.compaction, said)
        if said is not None:
            self.live.append((len(self.numbers), said))
        if node.id:
            self.passed[node.id] = len(self.numbers)
        self.numbers.append(node.number)

    def _compact(self, told: CompactionTold, summary: RememberedMessage | None) -> None:
        begins = self._kept_from(told)
        kept = [] if begins is None else [pair for pair in self.live if pair[0] >= begins]
        kept = [pair for pair in kept if not pair[1].is_summary]
        refs = {one.ref for _, one in kept}
        gone = [one for _, one in self.live if one.ref not in refs]
        self.live = kept
        copied = told.key in self.work.events
        for one in gone:
            self._archive(one, None if copied else told.key)
        if not copied:
            span = [self.work.original(one.ref) for one in gone if one.is_said]
            tail = sum(one.is_said for _, one in kept)
            self.work.compactions.append(
                _row(told, self.session.id, summary, span, tail, CompactionStatus.COMMITTED)
            )

    def _kept_from(self, told: CompactionTold) -> int | None:
        """Return from which place on entries were kept; None: from none."""
        if told.first_kept is not None:
            return self.passed.get(told.first_kept)
        if told.first_kept_number is None:
            return None
        return bisect_left(self.numbers, told.first_kept_number)

    def _archive(self, one: RememberedMessage, key: str | None) -> None:
        self.work.mark(one.ref, state=MessageState.COMPACTED, archived_by=key)
        source = self.work.original(one.ref)
        if source != one.ref and key is not None:
            self.work.mark(source, archived_by=key)


def _undo(work: FamilyConclusions, session: HeardSession[PiOutline], left: Sequence[int]) -> None:
    """Note the compactions of branches that were abandoned: the model has again what they summarised."""
    nodes = session.outline.nodes
    steps = _STEPS * len(nodes)
    for place in left:
        told, said = nodes[place].compaction, nodes[place].message
        if told is None or told.key in work.events:
            continue
        span: list[int] = []
        for at in upwards(nodes, place):
            steps -= 1
            before = nodes[at]
            if steps < 0 or (at != place and before.compaction is not None):
                break
            if before.message is not None and at != place:
                one = session.heard[before.message]
                span += [work.original(one.ref)] if one.is_said else []
            if told.first_kept is not None and before.id == told.first_kept:
                span.clear()
        summary = None if said is None else session.heard[said]
        row = _row(told, session.id, summary, span[::-1], 0, CompactionStatus.UNDONE)
        work.compactions.append(row)


def _row(
    told: CompactionTold,
    session: str,
    summary: RememberedMessage | None,
    span: Sequence[int],
    kept: int,
    status: CompactionStatus,
) -> CompactionRow:
    return CompactionRow(
        key=told.key,
        realisation=Realisation.NATIVE,
        status=status,
        session=session,
        span_first=span[0] if span else None,
        span_last=span[-1] if span else None,
        span_messages=len(span),
        tail_messages=kept,
        handoff=summary.ref if summary is not None else None,
        summary=told.summary,
        method=CompactionMethod.MODEL if summary is not None else CompactionMethod.NONE,
        finished_at=told.time,
        tokens_before=told.tokens,
        claim=told.claim or None,
    )
