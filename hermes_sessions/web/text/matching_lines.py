"""Which lines of two texts are the same, in a time that grows with their number. Pure.

Lines that stand once in each text are matched first, as many as keep their order; what lies between them is
looked at in the same way. `difflib`, whose time may grow with the cube, sees small pieces only.

Source: Bram Cohen's patience diff, with a bound on how often a piece is looked at.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

MAX_DEPTH: Final = 8
SMALL: Final = 400
"""Pairs of lines in a piece that is left to `difflib`."""

Pair = tuple[int, int]
"""Where the same line stands: in the old text, in the new."""


def match_lines(old: Sequence[str], new: Sequence[str], depth: int = 0) -> Iterator[Pair]:
    """Yield the places of lines that are the same, in order."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    yield from ((at, at) for at in range(head))
    old_end, new_end = len(old) - tail, len(new) - tail
    for before, after in _between(old[head:old_end], new[head:new_end], depth):
        yield head + before, head + after
    yield from ((old_end + at, new_end + at) for at in range(tail))


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many lines both begin with."""
    count = 0
    for before, after in zip(old, new, strict=False):
        if before != after:
            break
        count += 1
    return count


def _between(old: Sequence[str], new: Sequence[str], depth: int) -> Iterator[Pair]:
    if not old or not new:
        return
    if len(old) * len(new) <= SMALL:
        for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            yield from ((block.a + at, block.b + at) for at in range(block.size))
        return
    anchors = _in_order(_once_in_each(old, new)) if depth < MAX_DEPTH else []
    if not anchors:
        return
    old_at = new_at = 0
    for before, after in (*anchors, (len(old), len(new))):
        for one, other in match_lines(old[old_at:before], new[new_at:after], depth + 1):
            yield old_at + one, new_at + other
        if before < len(old):
            yield before, after
        old_at, new_at = before + 1, after + 1


def _once_in_each(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """Return the places of the lines that stand once in each text, in the order of the old one."""
    before, after = Counter(old), Counter(new)
    places = {line: at for at, line in enumerate(new) if after[line] == 1}
    return [(at, places[line]) for at, line in enumerate(old) if before[line] == 1 and line in places]


def _in_order(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the longest choice of *pairs* in which both places grow."""
    ends: list[int] = []
    at_end: list[int] = []
    previous: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        previous.append(at_end[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        at_end[length : length + 1] = [number]
    chosen = []
    at = at_end[-1] if at_end else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = previous[at]
    return chosen[::-1]
