"""How a session hangs on the rows of its parent, or a generation on the one before. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hermes_sessions.importers.align import Join, RowFacts, head_pairs, is_undone, join
from hermes_sessions.importers.carriers import carrier_verdict, is_well_formed
from hermes_sessions.lineage import (
    Relation,
    SessionFacts,
    classify_child,
    continues_title,
    title_base,
)
from hermes_sessions.messages import MessageState

_HEAD_ROWS = 12
FIRST_ROWS = 5
"""A handoff stands at most this deep in a session that begins with one."""


@dataclass(frozen=True, slots=True)
class SessionInput:
    """A session with its rows, before classification.

    Attributes:
        facts: what is known without looking at the rows.
        gap_before: the row id before the first one is missing, as after a replaced session.
        one_flag: the origin has `active` but not yet `compacted`.
        lock: an abandoned compaction lock: (acquired at, holder).
    """

    facts: SessionFacts
    parent: str | None
    rows: Sequence[RowFacts]
    gap_before: bool = False
    one_flag: bool = False
    lock: tuple[float | None, str] | None = None


@dataclass(frozen=True, slots=True)
class Hang:
    """How a session hangs on the rows of its parent."""

    join: Join
    old: Sequence[RowFacts]


def hang_on_parent(sessions: Mapping[str, SessionInput], one: str, parent: str | None) -> Hang:
    """Align a session with what its parent held; the transcript that explains most rows wins."""
    given = sessions[one]
    if parent is None or parent not in sessions:
        return Hang(Join(0, _orphan_carrier(given), (), None), [])
    found: Hang | None = None
    for old in _transcripts(sessions[parent].rows, given.rows):
        hang = Hang(_trusted(join(old, given.rows), given, sessions[parent]), old)
        if found is None or hang.join.copied > found.join.copied:
            found = hang
    assert found is not None
    return found


def hang_on_generation(before: Sequence[RowFacts], block: Sequence[RowFacts], carrier: int) -> Hang:
    """Align a generation with the one before; originals of carried-over rows may look undone."""
    kept = [row for row in before if not is_undone(row)]
    found = Hang(join(kept, block, carrier), kept)
    if len(kept) == len(before):
        return found
    other = Hang(join(before, block, carrier), before)
    if found.join.complete and (_keeps_times(found, block) or not _keeps_times(other, block)):
        return found  # more may look repeated where a turn that was undone was asked again
    return other if repeated(other, block[carrier]) > repeated(found, block[carrier]) else found


def _keeps_times(hang: Hang, block: Sequence[RowFacts]) -> bool:
    """Return whether every row of the tail has the time of what it repeats: it was carried over."""
    tail = [pair for pair in hang.join.pairs if pair[0] > (hang.join.carrier or 0)]
    return bool(tail) and all(
        block[new].created_at is not None and block[new].created_at == hang.old[old].created_at
        for new, old in tail
    )


def repeated(hang: Hang, carrier: RowFacts) -> int:
    """Return how many rows repeat earlier ones, the reply that shares the handoff's row included."""
    reply = carrier_verdict(carrier, hang.old, hang.join.tail_start)[1]
    return hang.join.copied + (reply is not None)


def session_facts(given: SessionInput, parent: SessionInput | None, hang: Hang) -> SessionFacts:
    """Return what classification looks at, the evidence of the rows included."""
    repeated = {new for new, _ in hang.join.pairs}
    fresh = (
        row.role
        for index, row in enumerate(given.rows)
        if index not in repeated and index != hang.join.carrier and row.role != "session_meta"
    )
    return replace(
        given.facts,
        has_carrier=hang.join.carrier is not None and _is_cut_off(given),
        copied_rows=hang.join.copied if hang.join.copied >= _enough(parent, hang) else 0,
        first_role=next(fresh, None),
        message_count=len(given.rows),
    )


def settle_inactive(given: SessionInput) -> SessionInput:
    """Tell archived rows from undone ones where the agent had one flag for both.

    For some weeks a compaction in place only switched rows off. It switches all of them
    off: where every row before a handoff's block is off, they were archived.
    """
    rows = given.rows
    if not given.one_flag or not any(is_undone(row) for row in rows):
        return given
    for index, row in enumerate(rows):
        if row.carrier is not None and row.state is MessageState.LIVE:
            block = index - head_length(rows, 0, index)
            if block and all(is_undone(before) for before in rows[:block]):
                archived = [before._replace(state=MessageState.COMPACTED) for before in rows[:block]]
                return replace(given, rows=[*archived, *rows[block:]])
    return given


def _transcripts(rows: Sequence[RowFacts], child: Sequence[RowFacts]) -> Iterator[Sequence[RowFacts]]:
    """Yield what a parent may have held when *child* began, the likeliest first.

    Its live rows; with rows that it archived since (a branch may come from before); each
    first without the rows that were written after the child's.
    """
    first = child[0].id if child else 0
    seen: set[tuple[int, ...]] = set()
    for chosen in (live_rows(rows), [row for row in rows if not is_undone(row)]):
        for old in ([row for row in chosen if row.id < first], chosen):
            ends = (len(old), old[0].id, old[-1].id) if old else (0,)
            if ends not in seen and (old or not chosen):
                seen.add(ends)
                yield old
    if not seen:
        yield []


def _trusted(joined: Join, given: SessionInput, parent: SessionInput) -> Join:
    """Drop a carrier that nothing but its bracket speaks for: people and tools quote handoffs."""
    if joined.carrier is None:
        return joined
    row = given.rows[joined.carrier]
    if row.flagged or joined.pairs or not parent.rows:
        return joined
    expected = parent.facts.end_reason == "compression" or continues_title(
        given.facts.title, parent.facts.title
    )
    if expected and classify_child(given.facts, parent.facts, rivals=True) is Relation.DELEGATE:
        expected = False
    apart = ("system", "session_meta")
    first = all(before.role in apart for before in given.rows[: joined.carrier])
    if (first and (is_well_formed(row) or expected)) or (is_well_formed(row) and expected):
        return joined
    return replace(joined, carrier=None)


def _orphan_carrier(given: SessionInput) -> int | None:
    """Return the handoff at the beginning of a session whose parent is not there."""
    for index, row in enumerate(given.rows[:FIRST_ROWS]):
        if row.carrier is not None and (
            row.flagged or is_well_formed(row) or (index == 0 and _is_cut_off(given))
        ):
            return index
    return None


def _is_cut_off(given: SessionInput) -> bool:
    """Whether labels say that something stood before: a parent that is gone, or a numbered title."""
    title = given.facts.title
    return given.parent is not None or (title is not None and title_base(title) != title)


def _enough(parent: SessionInput | None, hang: Hang) -> int:
    """How many repeated rows are more than two people saying hello."""
    if parent is not None and parent.facts.end_reason in ("compression", "branched"):
        return min(2, len(hang.old))
    return 3


def live_rows(rows: Sequence[RowFacts]) -> list[RowFacts]:
    """Return the rows that the model sees now."""
    return [row for row in rows if row.state is MessageState.LIVE]


def is_archived_before(rows: Sequence[RowFacts], begin: int, end: int) -> bool:
    """Return whether a compaction archived any of rows[begin:end]."""
    return any(row.state is MessageState.COMPACTED for row in rows[begin:end])


def head_length(rows: Sequence[RowFacts], begin: int, carrier: int) -> int:
    """Return how many rows right before *carrier* repeat the first ones from *begin* on.

    Among those may be bookkeeping and what the user undid; in some releases what was
    carried over looks undone itself.
    """
    for length in range(min(_HEAD_ROWS, (carrier - begin) // 2), 0, -1):
        block = carrier - length
        old = rows[begin : min(block, begin + 4 * _HEAD_ROWS)]
        for candidates in ([row for row in old if not is_undone(row)], old):
            if len(head_pairs(candidates, rows[block:carrier])) == length:
                return length
    return 0
