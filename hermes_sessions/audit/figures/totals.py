"""Numbers that are totals of several others: of a row, or of two rows multiplied. Pure."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import mul
from typing import Final

_LONGEST: Final = 12
_LONGEST_FACTORS: Final = 6
_MOST_PAIRS: Final = 20_000
_EXACT: Final = 1e-6


def is_total(size: float, room: float, rows: Sequence[Sequence[float]]) -> bool:
    """Return whether a number is the sum or the mean of some that follow each other, or a sum of products.

    Args:
        size: the number.
        room: how far off it a mean may be: half a step of how it is written.
        rows: the numbers of each text, in their order.
    """
    for row in rows:
        for start in range(len(row) - 1):
            for count, total in enumerate(accumulate(row[start : start + _LONGEST]), 1):
                if count > 1 and (abs(total - size) <= _EXACT or abs(total / count - size) <= room):
                    return True
    return any(abs(sum(map(mul, one, other)) - size) <= _EXACT for one, other in _pairs(rows))


def _pairs(rows: Sequence[Sequence[float]]) -> Iterator[tuple[Sequence[float], Sequence[float]]]:
    """Yield parts of rows, of equal length: so many of each, and what each of them costs."""
    left = _MOST_PAIRS
    for count in range(2, _LONGEST_FACTORS + 1):
        parts = [row[at : at + count] for row in rows for at in range(len(row) - count + 1)]
        for at, one in enumerate(parts):
            for other in parts[at + 1 :]:
                left -= 1
                if left < 0:
                    return
                yield one, other
