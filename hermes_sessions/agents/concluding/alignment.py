"""Find which rows of a compacted transcript repeat rows of the one before it.

A compaction re-emits a head and a tail: new rows, new ids, often new times, some of
them pruned. Equality of text alone would fold what a user really said twice, so
sequences are aligned: the head from the start, the tail up to the end. Behind a handoff
rows that are copies beyond doubt are found anywhere (`sure_copies`).

Row ids decide the order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_sessions.agents.concluding.given_ids import GivenIds
from hermes_sessions.agents.concluding.handoff_rows import is_likely_handoff
from hermes_sessions.agents.concluding.requests_again import ends_before_handoff, request_again
from hermes_sessions.agents.concluding.row_facts import RowFacts
from hermes_sessions.agents.concluding.sure_copies import SureCopies
from hermes_sessions.messages import MessageState, Role

_MAX_STEPS = 2_000_000
"""How many rows a search for the tail may compare: rows that are all alike would take for ever."""


def is_undone(row: RowFacts) -> bool:
    """Return whether *row* was taken out of the context without a compaction."""
    return row.state is MessageState.REWOUND


@dataclass(frozen=True, slots=True)
class Join:
    """How a compacted transcript hangs on the one before.

    Attributes:
        head: number of first rows (of the new one) that repeat the old head.
        carrier: index of the new handoff's row, if there is one.
        pairs: (new index, old index) of all repeated rows, head and tail, in order.
        strays: the same of other rows behind the handoff that are copies beyond doubt; one may
            repeat a row that is among the pairs as well.
        tail_start: old index where the repeated tail begins; None without a tail.
        complete: the tail reaches the end of the old transcript.
    """

    head: int
    carrier: int | None
    pairs: tuple[tuple[int, int], ...]
    tail_start: int | None
    complete: bool = False
    strays: tuple[tuple[int, int], ...] = ()

    @property
    def copies(self) -> tuple[tuple[int, int], ...]:
        """(new index, old index) of every repeated row."""
        return (*self.pairs, *self.strays)

    @property
    def copied(self) -> int:
        """How many rows repeat the old transcript."""
        return len(self.pairs) + len(self.strays)


def join(old: Sequence[RowFacts], new: Sequence[RowFacts], carrier: int | None = None) -> Join:
    """Align *new*, the rows after a compaction, with *old*, the rows the model had before.

    Args:
        old: live rows before, in order.
        new: rows after, in order, later turns included.
        carrier: index of the handoff in *new* where it is known already.
    """
    sure = SureCopies(old)
    limit = len(new) if carrier is None else carrier
    head = head_pairs(old, new[:limit], sure.given)
    reached = head[-1][0] + 1 if head else 0
    first_old = head[-1][1] + 1 if head else 0
    if carrier is None:
        carrier = _carrier_after(new, reached)
        if carrier is None and head and _is_said_again(old[head[-1][1]], new[reached - 1]):
            carrier = reached - 1
            head = head[:-1]
            first_old = head[-1][1] + 1 if head else 0
        elif carrier is not None and carrier > reached:
            tail, complete = _tail_pairs(old, new[:carrier], reached, first_old, sure)
            if complete and not ends_before_handoff(tail, new, carrier):
                # The whole tail stands ahead of it: somebody quotes a handoff in a later turn.
                return Join(len(head), None, (*head, *tail), tail[0][1], complete)
    start = reached if carrier is None else carrier + 1
    tail, complete = _tail_pairs(old, new, start, first_old, sure)
    pairs = (*head, *tail)
    strays: tuple[tuple[int, int], ...] = ()
    if carrier is not None:
        end = _next_handoff(new, start)
        strays = sure.find_strays(new, [*range(reached, carrier), *range(start, end)], pairs)
        request = request_again(old, new, reached, carrier)
        if request is not None and all(at != request[0] for at, _ in strays):
            strays = (request, *strays)
    return Join(len(head), carrier, pairs, tail[0][1] if tail else None, complete, strays)


def head_pairs(
    old: Sequence[RowFacts], new: Sequence[RowFacts], given: GivenIds | None = None
) -> list[tuple[int, int]]:
    """Return (new, old) index pairs of the common beginning; bookkeeping and undone rows are passed over.

    Args:
        given: the ids of the transcript that *old* is a part of; by default it is all of it.
    """
    given = given or GivenIds(old)
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        if old[i].role == Role.SESSION_META:
            i += 1
        elif new[j].role == Role.SESSION_META:
            j += 1
        elif given.same(old[i], new[j]):
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
    marker = new.carrier is not None and new.carrier.grammar.facts(new.carrier.text).marker
    return marker or new.created_at != old.created_at


def _carrier_after(new: Sequence[RowFacts], start: int) -> int | None:
    """Return the first handoff-like row at or shortly behind the repeated head."""
    for index in range(start, min(len(new), start + 4)):
        if _is_candidate(new[index]):
            return index
    return None


def _next_handoff(new: Sequence[RowFacts], start: int) -> int:
    """Return where the transcript of a later compaction may begin."""
    return next((at for at in range(start, len(new)) if is_likely_handoff(new[at])), len(new))


def _tail_pairs(
    old: Sequence[RowFacts], new: Sequence[RowFacts], start: int, first_old: int, sure: SureCopies
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
        for pairs, complete in _runs(old, new, at, first_old, sure):
            if complete and len(pairs) > len(best):
                best = pairs
            elif not complete and len(pairs) > len(partial):
                partial = pairs
        if best and (explained or _carried_over(old, new, best)):
            return best, True
        explained &= _is_candidate(new[at]) or new[at].pruned or new[at].role == Role.TOOL
    return (partial, False) if _carried_over(old, new, partial) else ([], False)


def _runs(
    old: Sequence[RowFacts], new: Sequence[RowFacts], start: int, first_old: int, sure: SureCopies
) -> Iterator[tuple[list[tuple[int, int]], bool]]:
    """Yield every run of pairs that begins with the new row *start*, the latest in *old* first."""
    steps = 0
    for at in range(len(old) - 1, first_old - 1, -1):
        if not sure.repeats(at, new[start]):
            continue
        pairs, complete = _walk(old, new, at, start, sure)
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
    old: Sequence[RowFacts], new: Sequence[RowFacts], i: int, j: int, sure: SureCopies
) -> tuple[list[tuple[int, int]], bool]:
    """Pair rows from (i, j) on; dropped old tool rows, undone ones and inserted new rows are passed over."""
    pairs: list[tuple[int, int]] = []
    while i < len(old) and j < len(new):
        if sure.repeats(i, new[j]):
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
