"""The numbers of one line, read once for each of its figures."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from hermes_sessions.audit.figures.written_numbers import PART, WrittenNumber, read_numbers


class LineNumbers:
    """The numbers of a line, to be asked for those of a figure and for the other ones."""

    def __init__(self, line: str) -> None:
        """Read the numbers of *line*, each in every reading."""
        self._line = line
        self._found = tuple(read_numbers(line))

    def of(self, value: str) -> Sequence[WrittenNumber]:
        """Return the readings of a figure, as it is written."""
        at = self._line.find(value)
        if at >= 0 and (inside := self._inside(at, at + len(value))):
            return inside
        sizes = {abs(one.size) for one in read_numbers(value)}
        return [
            self._found[place]
            for place in sorted({at for size in sizes for at in self._by_size.get(size, ())})
        ]

    def beside(self, asked: Sequence[WrittenNumber], most: int) -> Sequence[float]:
        """Return the sizes of the first other numbers, *most* at the most."""
        spans = {(one.start, one.end) for one in asked}
        return list(self._others(spans, most))

    def _others(self, spans: set[tuple[int, int]], most: int) -> Iterator[float]:
        left = most
        for one in self._found:
            if one.size and all(one.end <= start or one.start >= end for start, end in spans):
                yield abs(one.size)
                left -= 1
                if not left:
                    return

    def _inside(self, start: int, end: int) -> Sequence[WrittenNumber]:
        starts, places = self._starts
        near = sorted(places[bisect_left(starts, start) : bisect_left(starts, end + 1)])
        return [self._found[at] for at in near if self._found[at].end <= end]

    @cached_property
    def _starts(self) -> tuple[Sequence[int], Sequence[int]]:
        """Where each number begins, in the order of the line, and which it is."""
        places = [at for at, one in enumerate(self._found) if one.unit != PART]
        places.sort(key=lambda at: self._found[at].start)
        return [self._found[at].start for at in places], places

    @cached_property
    def _by_size(self) -> Mapping[float, Sequence[int]]:
        found: dict[float, list[int]] = defaultdict(list)
        for at in self._starts[1]:
            found[abs(self._found[at].size)].append(at)
        return dict(found)


@lru_cache(maxsize=256)
def read_line(line: str) -> LineNumbers:
    """Return the numbers of *line*."""
    return LineNumbers(line)
