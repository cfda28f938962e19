"""Find which rows of a compacted transcript repeat rows of the one before it.

A compaction re-emits a head and a tail: new rows, new ids, often new times, some of
them pruned. Equality of text alone would fold what a user really said twice, so
sequences are aligned: the head from the start, the tail up to the end.

Source: formats of Hermes rotation and in-place compaction; row ids decide the order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from hermes_sessions.handoff import handoff_facts
from hermes_sessions.messages import Content, MessageState, Role

STUB_RESULT: Final = "[Result from earlier conversation — see context summary above]"
TODO_SNAPSHOT: Final = "[Your active task list was preserved across context compression]"
FILES_READ: Final = "[Files already read in this session — do NOT re-read these]"
CALL_REMOVED: Final = "(tool call removed)"
_INSERTED = (
    STUB_RESULT,
    TODO_SNAPSHOT,
    FILES_READ,
    "Continue from the compressed conversation context above.",
)
_PRUNED = (
    "[Old tool output cleared to save context space]",
    "[Duplicate tool output",
    "[screenshot removed",
    "[Attached image — stripped after compression]",
)
_FLATTENED = "[screenshot]"
_MAX_STEPS = 2_000_000
"""How many rows a search for the tail may compare: rows that are all alike would take for ever."""


class RowFacts(NamedTuple):
    """What alignment looks at; texts are represented by hashes, so that a family of any size fits.

    `carrier` is the row's content where it begins like a handoff, else None; `flagged`
    says that the agent itself marked the row as a summary.
    """

    id: int
    role: str
    state: MessageState
    created_at: float | None
    text_key: int
    length: int
    calls_key: int
    call_ids: tuple[str, ...]
    tool_call_id: str | None
    tool_name: str | None
    structured: bool
    pruned: bool
    inserted: bool
    carrier: Content
    flagged: bool


def is_inserted(text: str) -> bool:
    """Return whether *text* is something an agent writes beside a handoff, not a message."""
    return text.startswith(_INSERTED)


def is_pruned(text: str) -> bool:
    """Return whether *text* is a placeholder that pruning left behind."""
    if "[" not in text:
        return text == CALL_REMOVED
    return any(sign in text for sign in _PRUNED) or text == CALL_REMOVED or _FLATTENED in text.splitlines()


def is_undone(row: RowFacts) -> bool:
    """Return whether *row* was taken out of the context without a compaction."""
    return row.state is MessageState.REWOUND


def same(old: RowFacts, new: RowFacts) -> bool:
    """Return whether *new* repeats *old*, to the letter or pruned."""
    if old.role != new.role:
        return False
    if old.role == Role.SYSTEM:
        return True  # a compaction appends a note to it
    if old.text_key == new.text_key and old.calls_key == new.calls_key:
        return old.tool_call_id == new.tool_call_id
    if old.role == "tool":
        if old.tool_call_id is not None or new.tool_call_id is not None:
            return old.tool_call_id == new.tool_call_id
        return new.pruned and old.tool_name == new.tool_name
    if new.call_ids:
        # A call that nothing answered may be missing from the copy.
        repeated = all(one in old.call_ids for one in new.call_ids)
        return repeated and (old.text_key == new.text_key or new.pruned or not new.length)
    if new.pruned:
        return old.structured or bool(old.call_ids and not old.length)
    return bool(old.call_ids and old.length) and old.text_key == new.text_key


@dataclass(frozen=True, slots=True)
class Join:
    """How a compacted transcript hangs on the one before.

    Attributes:
        head: number of first rows (of the new one) that repeat the old head.
        carrier: index of the new handoff's row, if there is one.
        pairs: (new index, old index) of all repeated rows, head and tail, in order.
        tail_start: old index where the repeated tail begins; None without a tail.
        complete: the tail reaches the end of the old transcript.
    """

    head: int
    carrier: int | None
    pairs: tuple[tuple[int, int], ...]
    tail_start: int | None
    complete: bool = False

    @property
    def copied(self) -> int:
        """How many rows repeat the old transcript."""
        return len(self.pairs)


def join(old: Sequence[RowFacts], new: Sequence[RowFacts], carrier: int | None = None) -> Join:
    """Align *new*, the rows after a compaction, with *old*, the rows the model had before.

    Args:
        old: live rows before, in order.
        new: rows after, in order, later turns included.
        carrier: index of the handoff in *new* where it is known already.
    """
    limit = len(new) if carrier is None else carrier
    head = head_pairs(old, new[:limit])
    reached = head[-1][0] + 1 if head else 0
    first_old = head[-1][1] + 1 if head else 0
    if carrier is None:
        carrier = _carrier_after(new, reached)
        if carrier is None and head and _is_said_again(old[head[-1][1]], new[reached - 1]):
            carrier = reached - 1
            head = head[:-1]
            first_old = head[-1][1] + 1 if head else 0
        elif carrier is not None and carrier > reached:
            tail, complete = _tail_pairs(old, new[:carrier], reached, first_old)
            if complete:
                # The whole tail stands ahead of it: somebody quotes a handoff in a later turn.
                return Join(len(head), None, (*head, *tail), tail[0][1], complete)
    start = reached if carrier is None else carrier + 1
    tail, complete = _tail_pairs(old, new, start, first_old)
    return Join(len(head), carrier, (*head, *tail), tail[0][1] if tail else None, complete)


def head_pairs(old: Sequence[RowFacts], new: Sequence[RowFacts]) -> list[tuple[int, int]]:
    """Return (new, old) index pairs of the common beginning; bookkeeping and undone rows are passed over."""
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        if old[i].role == Role.SESSION_META:
            i += 1
        elif new[j].role == Role.SESSION_META:
            j += 1
        elif same(old[i], new[j]):
            pairs.append((j, i))
            i, j = i + 1, j + 1
        elif old[i].role == Role.SYSTEM or is_undone(old[i]):
            i += 1
        elif new[j].role == Role.SYSTEM:
            j += 1
        else:
            break
    return pairs


def _is_beside(row: RowFacts) -> bool:
    """A row that a compaction or a gateway puts between the others."""
    return row.inserted or row.role == Role.SESSION_META


def _may_be_missing(row: RowFacts) -> bool:
    """A row that need not be among those carried over."""
    return row.role in (Role.TOOL, Role.SESSION_META) or is_undone(row)


def _is_candidate(row: RowFacts) -> bool:
    return row.carrier is not None


def _is_said_again(old: RowFacts, new: RowFacts) -> bool:
    """Return whether *new* is a handoff with the words of the last one, not that one carried over.

    Two compactions without a summary leave the same text twice; a row that is carried
    over may keep its time.
    """
    if not _is_candidate(new):
        return False
    marker = isinstance(new.carrier, str) and handoff_facts(new.carrier).marker
    return marker or new.created_at != old.created_at


def _carrier_after(new: Sequence[RowFacts], start: int) -> int | None:
    """Return the first handoff-like row at or shortly behind the repeated head."""
    for index in range(start, min(len(new), start + 4)):
        if _is_candidate(new[index]):
            return index
    return None


def _tail_pairs(
    old: Sequence[RowFacts], new: Sequence[RowFacts], start: int, first_old: int
) -> tuple[list[tuple[int, int]], bool]:
    """Return the pairs of the tail, and whether it ends where *old* ends; the longest such run wins.

    A run that does not get there counts only with three rows, or where the times say
    that rows were carried over rather than said again; so does one behind rows that
    nothing explains.
    """
    while start < len(new) and _is_beside(new[start]):
        start += 1
    partial: list[tuple[int, int]] = []
    explained = True
    for at in range(start, min(start + 3, len(new))):
        best: list[tuple[int, int]] = []
        for pairs, complete in _runs(old, new, at, first_old):
            if complete and len(pairs) > len(best):
                best = pairs
            elif not complete and len(pairs) > len(partial):
                partial = pairs
        if best and (explained or _carried_over(old, new, best)):
            return best, True
        explained &= _is_candidate(new[at]) or new[at].pruned or new[at].role == Role.TOOL
    return (partial, False) if _carried_over(old, new, partial) else ([], False)


def _runs(
    old: Sequence[RowFacts], new: Sequence[RowFacts], start: int, first_old: int
) -> Iterator[tuple[list[tuple[int, int]], bool]]:
    """Yield every run of pairs that begins with the new row *start*, the latest in *old* first."""
    steps = 0
    for at in range(len(old) - 1, first_old - 1, -1):
        if not same(old[at], new[start]):
            continue
        pairs, complete = _walk(old, new, at, start)
        yield pairs, complete
        steps += len(pairs)
        if steps > _MAX_STEPS:
            return


def _carried_over(old: Sequence[RowFacts], new: Sequence[RowFacts], pairs: Sequence[tuple[int, int]]) -> bool:
    if len(pairs) >= 3:
        return True
    return bool(pairs) and all(
        old[i].created_at is not None and old[i].created_at == new[j].created_at for j, i in pairs
    )


def _walk(
    old: Sequence[RowFacts], new: Sequence[RowFacts], i: int, j: int
) -> tuple[list[tuple[int, int]], bool]:
    """Pair rows from (i, j) on; dropped old tool rows, undone ones and inserted new rows are passed over."""
    pairs: list[tuple[int, int]] = []
    while i < len(old) and j < len(new):
        if same(old[i], new[j]):
            pairs.append((j, i))
            i, j = i + 1, j + 1
        elif _is_beside(new[j]):
            j += 1
        elif _may_be_missing(old[i]):
            i += 1
        else:
            break
    while i < len(old) and _may_be_missing(old[i]):
        i += 1
    return pairs, i == len(old)
