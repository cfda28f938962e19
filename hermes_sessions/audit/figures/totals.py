"""Numbers that are totals of several others: of a row, or of two rows multiplied. Pure."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from operator import mul
from typing import Final

_LONGEST: Final = 12
_LONGEST_FACTORS: Final = 6
_MOST_PAIRS: Final = 20_000
_EXACT: Final = 1e-6
_MOST_COLUMNS: Final = 8
_LEAST_COLUMNS: Final = 2


def is_total(
    size: float, room: float, rows: Sequence[Sequence[float]], columns: Sequence[Sequence[float]] = ()
) -> bool:
    """Return whether a number is the sum or the mean of some that follow each other, or a sum of products.

    Args:
        size: the number.
        room: how far off it a mean may be: half a step of how it is written.
        rows: the numbers of each text, in their order.
        columns: the numbers below each other in the lines of a text.
    """
    for row in chain(rows, columns):
        for start in range(len(row) - 1):
            for count, total in enumerate(accumulate(row[start : start + _LONGEST]), 1):
                if count > 1 and (abs(total - size) <= _EXACT or abs(total / count - size) <= room):
                    return True
    return any(abs(sum(map(mul, one, other)) - size) <= _EXACT for one, other in _pairs(rows))


def columns_of(lines: Sequence[Sequence[float]]) -> Iterator[Sequence[float]]:
    """Yield the numbers below each other, counted from either end, of lines in a row that have several."""
    places = range(_MOST_COLUMNS)
    for at in (*places, *(-place - 1 for place in places)):
        column: list[float] = []
        for line in (*lines, ()):
            if len(line) >= max(_LEAST_COLUMNS, at + 1, -at):
                column.append(line[at])
                continue
            if len(column) > 1:
                yield column
            column = []


def _pairs(rows: Sequence[Sequence[float]]) -> Iterator[tuple[Sequence[float], Sequence[float]]]:
    """Yield parts of rows, of equal length: so many of each, and what each of them costs."""
    left = _MOST_PAIRS
    for count in range(2, _LONGEST_FACTORS + 1):
        parts = [row[at : at + count] for row in rows for at in range(len(row) - count + 1)]
        if count == _LEAST_COLUMNS:  # of a whole and a part: the rest, and the part
            parts += [(one - other, other) for one, other in parts if one > other]
        for at, one in enumerate(parts):
            for other in parts[at + 1 :]:
                left -= 1
                if left < 0:
                    return
                yield one, other
