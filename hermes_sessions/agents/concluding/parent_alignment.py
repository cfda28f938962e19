"""How a session hangs on the rows of its parent, or a generation on the one before. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hermes_sessions.agents.concluding.alignment import Join, head_pairs, is_undone, join
from hermes_sessions.agents.concluding.given_ids import GivenIds
from hermes_sessions.agents.concluding.handoff_rows import carrier_verdict, is_likely_handoff, is_well_formed
from hermes_sessions.agents.concluding.requests_again import says_it_again
from hermes_sessions.agents.concluding.row_facts import RowFacts
from hermes_sessions.lineage import Ending, Relation, SessionEvidence, classify, continues_title
from hermes_sessions.messages import MessageState, Role

_HEAD_ROWS = 12
_HEAD_WINDOW = 4 * _HEAD_ROWS
_IDS_WITHIN = 500
"""How many rows are searched for an id that was given again: a long turn of an agent that counts anew."""
FIRST_ROWS = 5
"""A handoff stands at most this deep in a session that begins with one."""


@dataclass(frozen=True, slots=True)
class SessionInput:
    """A session with its rows, before classification.

    Attributes:
        evidence: what is known without looking at the rows.
        gap_before: the row id before the first one is missing, as after a replaced session.
        one_flag: the origin has `active` but not yet `compacted`.
        lock: an abandoned compaction lock: (acquired at, holder).
    """

    evidence: SessionEvidence
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


def session_evidence(given: SessionInput, parent: SessionInput | None, hang: Hang) -> SessionEvidence:
    """Return what classification looks at, the evidence of the rows included."""
    repeated = {new for new, _ in hang.join.copies}
    fresh = (
        row.role
        for index, row in enumerate(given.rows)
        if index not in repeated and index != hang.join.carrier and row.role != "session_meta"
    )
    return replace(
        given.evidence,
        has_carrier=hang.join.carrier is not None and _is_cut_off(given),
        copied_rows=hang.join.copied if hang.join.copied >= _enough(parent, hang) else 0,
        first_role=next(fresh, None),
        message_count=len(given.rows),
    )


def settle_quotes(given: SessionInput) -> SessionInput:
    """Take rows that only begin like a handoff for quotations: for an agent that marks its own."""
    quotes = {row.id for row in given.rows if row.carrier is not None and not is_likely_handoff(row)}
    if not quotes:
        return given
    rows = [row._replace(carrier=None) if row.id in quotes else row for row in given.rows]
    return replace(given, rows=rows)


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
    if row.flagged or joined.copies or not parent.rows:
        return joined
    of_child, of_parent = given.evidence, parent.evidence
    expected = of_parent.ending is Ending.COMPACTED or continues_title(of_child, of_parent)
    if expected and classify(of_child, of_parent, rivals=True) is Relation.DELEGATE:
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
    return given.parent is not None or given.evidence.number is not None


def _enough(parent: SessionInput | None, hang: Hang) -> int:
    """How many repeated rows are more than two people saying hello."""
    if parent is not None and parent.evidence.ending in (Ending.COMPACTED, Ending.BRANCHED):
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
    carried over looks undone itself. System messages, a note that the compaction put
    there to keep the roles in turn, and a request that it wrote again may be between them
    and the carrier.
    """
    end = carrier
    while end > begin and rows[end - 1].inserted and rows[end - 1].state is rows[carrier].state:
        end -= 1
    found = _repeated_head(rows, begin, end)
    if not found and end > begin and rows[end - 1].role == Role.USER:
        found = _head_with_request(rows, begin, end, carrier)
    if end < carrier and not found:
        return _repeated_head(rows, begin, carrier)
    return found + carrier - end


def _head_with_request(rows: Sequence[RowFacts], begin: int, end: int, carrier: int) -> int:
    """Return how many rows before *end* are a head and then an earlier request written again; 0 for none.

    They are the compaction's own where all before them was archived and they were not, or
    where the head kept its time.
    """
    length = _repeated_head(rows, begin, end - 1) + 1
    block = end - length
    if any(row.state is not rows[carrier].state for row in rows[block:end]):
        return 0
    first = rows[block]
    switched = block > begin and rows[block - 1].state is MessageState.COMPACTED is not first.state
    carried = length > 1 and any(
        (row.text_key, row.created_at) == (first.text_key, first.created_at) and row.created_at is not None
        for row in rows[begin : min(block, begin + _HEAD_WINDOW)]
    )
    if not (switched or carried):
        return 0
    return length if any(says_it_again(row, rows[end - 1]) for row in rows[begin:block]) else 0


def _repeated_head(rows: Sequence[RowFacts], begin: int, end: int) -> int:
    apart = _system_copies(rows, begin, end)
    end -= apart
    most = min(_HEAD_ROWS, (end - begin) // 2)
    given = _given_before(rows, begin, end - most)
    for length in range(most, 0, -1):
        block = end - length
        old = rows[begin : min(block, begin + _HEAD_WINDOW)]
        for candidates in ([row for row in old if not is_undone(row)], old):
            if len(head_pairs(candidates, rows[block:end], given)) == length:
                return length + apart
    return apart


def _given_before(rows: Sequence[RowFacts], begin: int, end: int) -> GivenIds:
    """Return the ids of the first and the last calls of rows[begin:end]."""
    first = min(end, begin + _HEAD_WINDOW)
    return GivenIds([*rows[begin:first], *rows[max(first, end - _IDS_WITHIN) : end]])


def _system_copies(rows: Sequence[RowFacts], begin: int, carrier: int) -> int:
    """Return how many rows right before *carrier* are system messages that repeat earlier ones."""
    at = carrier
    while at > begin and rows[at - 1].role == Role.SYSTEM:
        row = rows[at - 1]
        key = (Role.SYSTEM, row.text_key, row.created_at)
        if row.created_at is None or not any(
            (one.role, one.text_key, one.created_at) == key for one in rows[begin : at - 1]
        ):
            break
        at -= 1
    return carrier - at
