"""Turn the rows of a family of sessions into conversations, handoffs, copies and compactions.

Pure. Two realisations live side by side: a rotation (the child session begins with
head copies, handoff, tail copies) and in place (the same, further down in the same
session, older rows archived). A handoff needs corroboration beyond its wording:
people and tools quote markers.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hermes_sessions.agents.concluding.alignment import Join, is_undone
from hermes_sessions.agents.concluding.handoff_rows import (
    carrier_verdict,
    is_well_formed,
    with_summary,
)
from hermes_sessions.agents.concluding.parent_alignment import (
    FIRST_ROWS,
    Hang,
    SessionInput,
    hang_on_generation,
    hang_on_parent,
    head_length,
    is_archived_before,
    live_rows,
    repeated,
    session_evidence,
    settle_inactive,
    settle_quotes,
)
from hermes_sessions.agents.concluding.row_facts import RowFacts
from hermes_sessions.agents.values import CompactionRow, Verdict
from hermes_sessions.errors import CycleError
from hermes_sessions.lineage import Ending, Placement, Relation, cut_cycles, place_family
from hermes_sessions.messages import (
    CompactionMethod,
    CompactionStatus,
    MessageKind,
    MessageState,
    Realisation,
)

_BESIDE: Final = 1_000
"""How many rows may stand between those carried over, besides as many as there were before."""
_COMPARED_PER_ROW: Final = 20
_LEAST_COMPARED: Final = 200_000
"""How many rows of a session are compared with what stands behind its handoffs: each generation is, once."""


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """Everything concluded about a family."""

    placements: Mapping[str, Placement]
    verdicts: Mapping[int, Verdict]
    compactions: Sequence[CompactionRow]
    inherited: Mapping[str, int]
    cycles: Sequence[CycleError]


@dataclass(slots=True)
class _Conclusions:
    """What is being put together; local to one call of `reconstruct`."""

    sessions: Mapping[str, SessionInput]
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    compactions: list[CompactionRow] = field(default_factory=list)
    inherited: dict[str, int] = field(default_factory=dict)
    carried: set[int] = field(default_factory=set)

    def mark(self, row: RowFacts, verdict: Verdict) -> None:
        self.verdicts[row.id] = verdict

    def original(self, row: RowFacts) -> int:
        """The first occurrence of what *row* repeats, or *row* itself."""
        known = self.verdicts.get(row.id)
        return row.id if known is None or known.copy_of is None else known.copy_of


def reconstruct(sessions: Mapping[str, SessionInput]) -> Reconstruction:
    """Conclude lineage, copies, handoffs and compactions of one family.

    Args:
        sessions: by id; a parent that is not among them is a missing one.
    """
    parents, cycles = cut_cycles(
        {one: given.parent for one, given in sessions.items()},
        {one: given.evidence.started_at for one, given in sessions.items()},
    )
    marked = any(row.flagged for given in sessions.values() for row in given.rows)
    sessions = {
        one: settle_inactive(settle_quotes(given) if marked else given) for one, given in sessions.items()
    }
    hangs = {one: hang_on_parent(sessions, one, parents[one]) for one in sessions}
    facts = {
        one: session_evidence(given, sessions.get(parents[one] or ""), hangs[one])
        for one, given in sessions.items()
    }
    placements = place_family(facts, parents)
    work = _Conclusions(sessions)
    for one in _parents_first(placements):
        _reconstruct_session(work, sessions[one], placements[one], hangs[one])
    _add_interrupted(work, placements)
    return Reconstruction(placements, work.verdicts, work.compactions, work.inherited, cycles)


def _parents_first(placements: Mapping[str, Placement]) -> Iterator[str]:
    waiting: dict[str, list[str]] = {}
    ready = []
    for one, placed in placements.items():
        if placed.parent is None:
            ready.append(one)
        else:
            waiting.setdefault(placed.parent, []).append(one)
    while ready:
        one = ready.pop()
        yield one
        ready.extend(waiting.get(one, ()))


# -- one session -----------------------------------------------------------------------------------


def _reconstruct_session(work: _Conclusions, given: SessionInput, placed: Placement, hang: Hang) -> None:
    beyond = 0
    if placed.relation is Relation.BRANCH:
        beyond = _inherit(work, given, hang)
    elif placed.relation is Relation.COMPACTION:
        beyond = _rotate(work, given, placed, hang)
    elif (carrier := _replaced_carrier(given)) is not None:
        beyond = carrier + 1
        _record_in_place(work, given, Hang(Join(0, carrier, (), None), []), given.rows)
    _in_place(work, given, start=beyond)
    if beyond:
        _other_handoffs(work, given, beyond)
    _fold_clones(work, given)
    _settle_states(work, given)


def _inherit(work: _Conclusions, given: SessionInput, hang: Hang) -> int:
    """A branch keeps its copies; handoffs among them are what they were in the parent."""
    head = hang.join.pairs[: hang.join.head]
    for new, source in head:
        verdict = work.verdicts.get(hang.old[source].id)
        if verdict is not None and verdict.kind is not MessageKind.MESSAGE:
            work.mark(given.rows[new], Verdict(verdict.kind, reply=verdict.reply))
    work.inherited[given.evidence.id] = len(head)
    return head[-1][0] + 1 if head else 0


def _rotate(work: _Conclusions, given: SessionInput, placed: Placement, hang: Hang) -> int:
    """Record the rotation that made this session; return where its own turns may begin."""
    compaction = CompactionRow(
        key=f"rotation:{given.evidence.id}",
        realisation=Realisation.ROTATION,
        status=CompactionStatus.COMMITTED if given.rows else CompactionStatus.INTERRUPTED,
        session=given.evidence.id,
        parent=given.parent,
        child=given.evidence.id,
        fork=placed.fork,
        method=CompactionMethod.NONE,
        finished_at=given.evidence.started_at,
        error=None if given.rows else "the continuation has no messages yet",
    )
    _record(work, compaction, hang, given.rows)
    last = max((new for new, _ in hang.join.pairs), default=-1)
    carrier = -1 if hang.join.carrier is None else hang.join.carrier
    beyond = max(last, carrier) + 1
    strays = {new for new, _ in hang.join.strays}
    while beyond in strays:
        beyond += 1
    return beyond


def _in_place(work: _Conclusions, given: SessionInput, start: int) -> None:
    """Find the generations of a session whose older rows were archived."""
    rows = given.rows
    begin = 0
    left = _LEAST_COMPARED + _COMPARED_PER_ROW * len(rows)
    carriers = [index for index in range(start, len(rows)) if rows[index].carrier is not None]
    for place, carrier in enumerate(carriers):
        if left < 0 and not rows[carrier].flagged:
            continue  # so many were quotations that the others are taken for some too
        if rows[carrier].id in work.verdicts or not is_archived_before(rows, begin, carrier):
            continue
        following = carriers[place + 1] if place + 1 < len(carriers) else None
        if following is not None and head_length(rows, begin, following) >= following - carrier:
            continue  # an older handoff in the head that the next compaction carried over
        block = carrier - head_length(rows, begin, carrier)
        left -= block - begin
        new = rows[block : 2 * block - begin + _BESIDE]
        hang = hang_on_generation(rows[begin:block], new, carrier - block)
        if not _is_boundary(rows, begin, block, carrier) and not repeated(hang, rows[carrier]):
            continue  # somebody quotes a handoff; a later compaction archived the turn
        _record_in_place(work, given, hang, new)
        begin = block


def _is_boundary(rows: Sequence[RowFacts], begin: int, block: int, carrier: int) -> bool:
    """Whether the rows themselves say that the agent compacted here: its mark, or its switching off."""
    if rows[carrier].flagged:
        return True
    return rows[carrier].state is MessageState.LIVE and not live_rows(rows[begin:block])


def _record_in_place(work: _Conclusions, given: SessionInput, hang: Hang, new: Sequence[RowFacts]) -> None:
    carrier = new[hang.join.carrier or 0]
    compaction = CompactionRow(
        key=f"in_place:{given.evidence.id}:{carrier.carrier_key or carrier.id}",
        realisation=Realisation.IN_PLACE,
        status=CompactionStatus.COMMITTED,
        session=given.evidence.id,
        parent=given.evidence.id,
        child=given.evidence.id,
        finished_at=carrier.created_at,
    )
    _record(work, compaction, hang, new)


def _record(work: _Conclusions, compaction: CompactionRow, hang: Hang, new: Sequence[RowFacts]) -> None:
    """Mark copies, the handoff and the span of one compaction, and keep its row."""
    joined, old = hang.join, hang.old
    for at, source in joined.copies:
        again = new[at].carrier is not None and _is_handoff(work, old[source])
        kind = MessageKind.HANDOFF if again else MessageKind.MESSAGE
        work.mark(new[at], Verdict(kind, copy_of=work.original(old[source])))
    taken = {source for _, source in joined.copies}
    if joined.carrier is not None:
        row = new[joined.carrier]
        verdict, reply = carrier_verdict(row, old, joined.tail_start, taken)
        if reply is not None:
            taken.add(reply)
            verdict = verdict._replace(copy_of=work.original(old[reply]))
        work.mark(row, verdict)
        compaction = with_summary(compaction, row, verdict)
    work.carried.update(old[source].id for source in taken)
    span = [row for index, row in enumerate(old) if index not in taken and _summarised(work, row)]
    work.compactions.append(
        replace(
            compaction,
            span_first=span[0].id if span else None,
            span_last=span[-1].id if span else None,
            span_messages=len(span) if old else None,
            span_stored=bool(old),
            head_messages=joined.head,
            tail_messages=len(taken) - joined.head,
        )
    )
    if compaction.status is CompactionStatus.COMMITTED and not compaction.fork:
        for row in span:
            known = work.verdicts.get(row.id, Verdict())
            work.mark(row, known._replace(archived_by=compaction.key))


def _summarised(work: _Conclusions, row: RowFacts) -> bool:
    """A row of the old transcript that is a message, not bookkeeping, a note of ours or an older handoff."""
    if row.role == "session_meta" or row.noted or is_undone(row):
        return False
    return work.verdicts.get(row.id, Verdict()).kind is not MessageKind.HANDOFF


# -- handoffs --------------------------------------------------------------------------------------


def _other_handoffs(work: _Conclusions, given: SessionInput, beyond: int) -> None:
    """Rows around a compaction that are handoffs to the letter, though no event of their own.

    Ahead of its end they are older ones, carried on; behind it only a row that holds a
    reply as well, for whoever quotes a handoff quotes it alone.
    """
    for index, row in enumerate(given.rows[: beyond + FIRST_ROWS]):
        if row.carrier is None or row.id in work.verdicts or not is_well_formed(row):
            continue
        verdict = carrier_verdict(row, [], None)[0]
        if index < beyond or verdict.kind is MessageKind.MERGED:
            work.mark(row, verdict)


def _replaced_carrier(given: SessionInput) -> int | None:
    """Return the handoff of a session whose rows were deleted and written anew, or None.

    Nothing else in the session says so: the agent's own mark, or a complete handoff near
    the start whose preceding row ids are gone.
    """
    for index, row in enumerate(given.rows[: FIRST_ROWS + 1]):
        if row.carrier is not None and (row.flagged or (given.gap_before and is_well_formed(row))):
            return index if not is_archived_before(given.rows, 0, index) else None
    return None


def _is_handoff(work: _Conclusions, row: RowFacts) -> bool:
    known = work.verdicts.get(row.id)
    return known is not None and known.kind is not MessageKind.MESSAGE and row.carrier is not None


# -- rows ------------------------------------------------------------------------------------------


def _fold_clones(work: _Conclusions, given: SessionInput) -> None:
    """Fold rows that a bug wrote twice: same text and the same time to the bit.

    Only in sessions that a compaction touched: nothing else clones rows. Where rows that
    differ were written at one time, the time says nothing, unless a handoff is between.
    """
    if not any(row.id in work.verdicts for row in given.rows):
        return
    seen: dict[tuple[object, ...], tuple[int, int]] = {}
    at_once = Counter(row.created_at for row in {_clone_key(row): row for row in given.rows}.values())
    handoffs = 0
    for row in given.rows:
        handoffs += row.carrier is not None
        if row.created_at is None or not (row.length or row.calls_key):
            continue
        first, before = seen.setdefault(_clone_key(row), (work.original(row), handoffs))
        if before == handoffs and at_once[row.created_at] > 1:
            continue
        known = work.verdicts.get(row.id, Verdict())
        if first != row.id and known.copy_of is None and known.kind is MessageKind.MESSAGE:
            work.mark(row, known._replace(copy_of=first))
            if not is_undone(row):
                work.carried.add(first)


def _clone_key(row: RowFacts) -> tuple[object, ...]:
    return row.role, row.text_key, row.calls_key, row.tool_call_id, row.tool_name, row.created_at


def _settle_states(work: _Conclusions, given: SessionInput) -> None:
    """Give rows their final state: carried over is superseded, not undone."""
    for row in given.rows:
        known = work.verdicts.get(row.id, Verdict())
        if is_undone(row) and row.id in work.carried:
            work.mark(row, known._replace(state=MessageState.SUPERSEDED))
        elif given.one_flag and row.state is MessageState.COMPACTED:
            work.mark(row, known._replace(state=MessageState.COMPACTED))


# -- what did not finish ---------------------------------------------------------------------------


def _add_interrupted(work: _Conclusions, placements: Mapping[str, Placement]) -> None:
    continued = {placed.parent for placed in placements.values() if placed.relation is Relation.COMPACTION}
    for one, given in work.sessions.items():
        if given.evidence.ending is Ending.COMPACTED and one not in continued:
            work.compactions.append(_interrupted(given, "closed by compression, no continuation stored"))
        elif given.lock is not None and given.evidence.ending is not Ending.COMPACTED:
            work.compactions.append(_interrupted(given, "a compaction lock was left"))


def _interrupted(given: SessionInput, why: str) -> CompactionRow:
    # Before there was a flag for archived rows, a compaction was a rotation.
    in_place = given.lock is not None and given.evidence.ending is not Ending.COMPACTED and not given.one_flag
    return CompactionRow(
        key=f"interrupted:{given.evidence.id}",
        realisation=Realisation.IN_PLACE if in_place else Realisation.ROTATION,
        status=CompactionStatus.INTERRUPTED,
        session=given.evidence.id,
        parent=given.evidence.id,
        method=CompactionMethod.NONE,
        started_at=given.lock[0] if given.lock is not None else None,
        finished_at=given.evidence.ended_at,
        error=why,
    )
