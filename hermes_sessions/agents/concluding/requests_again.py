"""A request that the host wrote again right before its handoff, under a new time. Pure.

Between the head that a compaction carries over and its handoff nobody speaks: a request
that is there in the words of an earlier one is that one. Its text alone would not say so.
"""

from collections.abc import Sequence

from hermes_sessions.agents.concluding.handoff_rows import is_likely_handoff, is_well_formed
from hermes_sessions.agents.concluding.row_facts import RowFacts
from hermes_sessions.messages import MessageState, Role


def request_again(
    old: Sequence[RowFacts], new: Sequence[RowFacts], begin: int, carrier: int
) -> tuple[int, int] | None:
    """Return (new, old) index of the request right before the handoff new[carrier], the latest of its words.

    Args:
        begin: index of the first row of *new* after those that repeat the old head.

    Returns:
        None where another row than this one is between the head and the handoff, or where
        *carrier* may be a quotation.
    """
    if carrier != begin + 1 or not is_likely_handoff(new[carrier]):
        return None
    row = new[begin]
    found = (at for at in range(len(old) - 1, -1, -1) if says_it_again(old[at], row))
    source = next(found, None)
    return None if source is None else (begin, source)


def says_it_again(old: RowFacts, new: RowFacts) -> bool:
    """Return whether both are requests in the same words, whatever their times."""
    asked = new.role == old.role == Role.USER and new.carrier is None and old.carrier is None
    said = bool(new.length or new.structured)
    return asked and said and old.text_key == new.text_key and old.state is not MessageState.REWOUND


def ends_before_handoff(tail: Sequence[tuple[int, int]], new: Sequence[RowFacts], carrier: int) -> bool:
    """Return whether a tail is only the last request, written again right before a handoff.

    Such a tail is no sign that new[carrier] is quoted in a later turn.
    """
    only = len(tail) == 1 and tail[0][0] == carrier - 1 and new[carrier - 1].role == Role.USER
    return only and is_well_formed(new[carrier])
